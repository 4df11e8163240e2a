// andes report --history DIR, andes view --history DIR.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "postproc/command/page.h"
#include "postproc/command/subcommand.h"
#include "postproc/view/history_view.h"

namespace andes::postproc {

/// Options of a command that can show a history in the place of `runs`.
struct HistoryOptions {
  std::optional<std::string> directory, branch, repository;
};
void add_history_options(const Subcommand& command, HistoryOptions& options);

struct HistoryRequest {
  std::string directory;  // of the runs
  std::string repository; // where git is asked for the order of commits
  std::string branch;     // runs of this branch alone; empty: of all
};

/// Absent without --history. `of_series`: options that were given and that a history does not have. `command`: as in
/// "andes report". Throws Refusal for these and for runs beside a history, and for its options without it.
std::optional<HistoryRequest> history_request(const HistoryOptions& options, const std::vector<std::string>& runs,
                                              const std::vector<std::string>& of_series, const std::string& command);

/// Reads the runs, and asks git for the commits.
Histories histories_of(const HistoryRequest& request);

/// Prints it, or writes its page. `full`: with all that changed.
void report_history(const HistoryRequest& request, const std::string& format, bool full, const PageOptions& page);

} // namespace andes::postproc
