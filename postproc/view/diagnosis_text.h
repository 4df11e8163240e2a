// Parts of findings as text. A report has a table of findings: columns/findings.h.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "postproc/analysis/diagnosis.h"
#include "postproc/view/terminal.h"

namespace andes::postproc {

/// "2.9 to 3.4", or one number where both ends look the same; shorter than 10 ms "2.9 to 3.4 ms". With the unit in any
/// case "2.9 to 3.4 s".
std::string gain_range(const Gain& gain);
std::string gain_text(const Gain& gain);

/// "if the late calls came in time".
std::string cure_text(const std::string& cure);

/// Whether work has to be shared for the gain: sent or received in time it would be another one.
bool is_of_sharing(const Gain& gain);

/// What to do about a finding, in a report: the rule's advice. Where that is to do something in time, and sharing the
/// work gains four times as much, it is to share the work: the rule's advice would gain little.
std::string remedy_text(const Finding& finding);

/// "jacobi.c:41"; nothing where the line is not known.
std::string source_text(const std::string& file, int line);

/// The same, and nothing where it stands in the path. Behind a path " (jacobi.c:41)".
std::string source_text(const std::vector<std::string>& path, const Place& place);
std::string place_text(const std::vector<std::string>& path, const Place& place);

/// "largest effect on T first", and what else there is to say of the order of these.
std::string order_text(std::span<const Finding> findings);

/// "late_sender" of a rule without a title, else the title.
std::string title_of(const Finding& finding);

} // namespace andes::postproc
