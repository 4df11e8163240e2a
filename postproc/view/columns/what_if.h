// Changes of routines with what they gain, at least and at most.
#pragma once
#include "postproc/analysis/what_if.h"
#include "postproc/view/column.h"

namespace andes::postproc::columns {

/// Of the predictions of `what_if`, which must outlive the list.
List<Prediction> what_if(const WhatIf& what_if);

/// Changes in the words of --if. What is done stays where the name of the routine is cut.
Cell changes_cell(const std::vector<std::string>& changes);

/// Key of what a bound follows from.
const char* key_of(GainBound::From from);

} // namespace andes::postproc::columns
