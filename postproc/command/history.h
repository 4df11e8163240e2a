// andes report --history DIR, andes view --history DIR.
#pragma once
#include <string>

#include "postproc/command/page.h"
#include "postproc/view/history_view.h"

namespace andes::postproc {

struct HistoryRequest {
  std::string directory;  // of the runs
  std::string repository; // where git is asked for the order of commits
  std::string branch;     // runs of this branch alone; empty: of all
  std::string format = "text";
  bool full = false;
  PageOptions page;
};

/// Reads the runs, and asks git for the commits.
Histories histories_of(const HistoryRequest& request);

void report_history(const HistoryRequest& request);

} // namespace andes::postproc
