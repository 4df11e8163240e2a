// The first screen of a report: 24 lines of 80 characters that say how fast the program is, how far it can go, what is
// lost to what, and what to do first.
#pragma once
#include <string>

#include "postproc/analysis/report.h"
#include "postproc/view/terminal.h"

namespace andes::postproc {

/// How fast the program is, how far it can go, and what is lost to what, in a sentence each without a full stop.
std::string speed_answer(const Report& report);
std::string limit_answer(const Report& report);
std::string loss_answer(const Report& report);

/// `full`: the whole report follows, else the last line says how to get it.
std::string first_screen(const Terminal& terminal, const Report& report, bool full);

} // namespace andes::postproc
