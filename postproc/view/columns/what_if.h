// Changes of routines with what they gain, at least and at most.
#pragma once
#include "postproc/analysis/what_if.h"
#include "postproc/view/column.h"

namespace andes::postproc::columns {

/// Of the predictions of `what_if`, which must outlive the list.
List<Prediction> what_if(const WhatIf& what_if);

/// Both ends of a gain or a time in a column of seconds: "0.469..0.470", "3.96..6.26 ms", "0..0.435".
std::string seconds_bounds(double low_s, double high_s);

/// Changes in the words of --if. What is done stays where the name of the routine is cut.
Cell changes_cell(const std::vector<std::string>& changes);

/// Key of what a bound follows from.
const char* key_of(GainBound::From from);

} // namespace andes::postproc::columns
