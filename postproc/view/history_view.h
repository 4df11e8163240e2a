// Histories (analysis/history.h) as text and JSON, with what git says of the commits.
#pragma once
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "postproc/analysis/history.h"
#include "postproc/inspect/repository.h"
#include "postproc/view/terminal.h"

namespace andes::postproc {

/// Commits of a repository behind one commit and up to another, newest first; none where git does not know them.
using CommitsBetween = std::map<std::pair<std::string, std::string>, std::vector<CommitTitle>>;

/// From which commit to which a change may lie, by its interval: the pairs to ask git for.
std::pair<std::string, std::string> ends_of(const HistoryGroup& group, const HistoryChange& change);

/// What `andes report --history` says.
struct Histories {
  History history;
  CommitsBetween between;
  bool full = false; // with all terms and call paths
};

/// The newest change first in each group; `full`: all terms and call paths.
std::string history_text(const Terminal& terminal, const History& history, const CommitsBetween& between, bool full);
std::string history_json(const History& history, const CommitsBetween& between);

} // namespace andes::postproc
