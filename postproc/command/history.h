// andes report --history DIR.
#pragma once
#include <string>

namespace andes::postproc {

struct HistoryRequest {
  std::string directory;  // of the runs
  std::string repository; // where git is asked for the order of commits
  std::string branch;     // runs of this branch alone; empty: of all
  std::string format = "text";
  bool full = false;
};

void report_history(const HistoryRequest& request);

} // namespace andes::postproc
