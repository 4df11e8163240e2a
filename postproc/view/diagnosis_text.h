// Findings as lines of text: those of `andes diagnose` in full, those of a report as a table.
#pragma once
#include <string>
#include <vector>

#include "postproc/analysis/diagnosis.h"
#include "postproc/view/terminal.h"

namespace andes::postproc {

/// "2.9 to 3.4 s", or one number where both ends look the same.
std::string gain_text(const Gain& gain);

/// " (jacobi.c:41)"; nothing where it is not known, or stands in the path.
std::string place_text(const std::vector<std::string>& path, const Place& place);

/// "late_sender" of a rule without a title, else the title.
std::string title_of(const Finding& finding);

/// Share, gain, cause, call path and place of the heaviest `most` findings, behind `margin` blanks.
std::string findings_table(const Terminal& terminal, const std::vector<Finding>& findings, std::size_t most,
                           int margin);

} // namespace andes::postproc
