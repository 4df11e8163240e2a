// The documents of `andes report` for any number of series: of one its report, of several an overview before them.
#pragma once
#include <string>
#include <vector>

#include "postproc/analysis/overview.h"
#include "postproc/view/terminal.h"

namespace andes::postproc {

/// `overview`: of the reports; not looked at if there is only one.
std::string reports_text(const Terminal& terminal, const Overview& overview, const std::vector<Report>& reports,
                         bool full);
std::string reports_json(const Overview& overview, const std::vector<Report>& reports);
/// The overview, all points of axis tables, and the tables of each report, an empty line between them.
std::string reports_csv(const Overview& overview, const std::vector<Report>& reports);

} // namespace andes::postproc
