// The ledger of lost time for people.
#pragma once
#include <string>

#include "postproc/analysis/report.h"
#include "postproc/view/terminal.h"

namespace andes::postproc {

/// The ledger that call paths and origins are shown of: of the size of the routines, or of the largest one below; null:
/// there is none.
const Ledger* shown_ledger(const Report& report);

/// What its shares are of, for people: "p x T", with teams "cores x T", with threads in no team "the time of all
/// threads".
std::string whole_of_shares(const Ledger& ledger);

/// Its tables: terms, origins of idle time, and if `full` call paths. Empty without a second size.
std::string ledger_text(const Terminal& terminal, const Report& report, bool full);

/// The two terms that cost most, in a sentence without a full stop; empty if nothing was lost.
std::string ledger_sentence(const Report& report);

} // namespace andes::postproc
