// What a history keeps of a run: little enough that thousands of runs fit into one small file
// (command/history_cache.h).
#pragma once
#include <map>
#include <string>
#include <vector>

#include "postproc/analysis/ledger.h"
#include "postproc/model/source_version.h"

namespace andes::postproc {

struct HistoryRun {
  std::string file; // as the user named it
  std::string why_not; // why it cannot stand for its commit; empty: it can
  std::string program, command, label;
  std::string host; // what machines have in common that are as good as the same: processor, cores
  std::string mpi, started, kernel, monitor;
  BuildStamp stamp;
  std::string build; // hash of the executable
  int ranks = 0, threads = 1;
  double time_s = 0;
  double core_s = 0; // what the parts add up to
  std::map<std::string, double> parts; // of its core time (core_time.h)
  std::map<std::string, std::string> titles; // of causes of waiting, by the names of their parts
  std::vector<LedgerPath> paths; // the heaviest; lost_s: all of its own time
};

/// Of a run with its call tree.
HistoryRun history_run_of(const Profile& profile);

} // namespace andes::postproc
