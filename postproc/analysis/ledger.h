// The ledger: where the core time went that a larger run takes more than the base. Docs/metrics.md, "Ledger of lost
// time".
//
// Invariants:
//  - the terms of a size add up to what it lost, and so do those of each of its repeats: whatever is left over is a
//    term of its own;
//  - a size stands for its middle run by T, or for the mean of the two middle ones, so its T is the median of the
//    repeats and its terms still add up. So does the base. Medians of each term would not add up, means over all
//    repeats would follow a disturbed one, and pairs of a repeat and a repeat of the base would be chance;
//  - the origins of a size add up to its idle terms.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "postproc/analysis/match.h"
#include "postproc/analysis/series.h"
#include "postproc/analysis/wait_origin.h"

namespace andes::postproc {

struct CoreTime; // core_time.h

/// Part of the lost core time, or (negative) of what was saved.
struct LedgerTerm {
  std::string name; // in JSON: computation, communication_send, idle_late_sender ...
  std::string title; // for people
  double seconds = 0; // sum over cores
  double percent = 0; // of the ledger's whole_s
  std::vector<double> repeats; // of each repeat against the same base, in seconds
};

struct LedgerOrigin {
  OriginKind kind = OriginKind::not_known;
  std::vector<std::string> path; // where; empty: not known
  std::string file;
  int line = 0;
  std::vector<int> ranks; // at which chains began, those with most waits first; at most eight
  double seconds = 0; // idle core time of all ranks that began here
};

/// What a call path lost, without the functions it calls but with its calls of MPI. Seconds, sums over all threads.
struct LedgerPath {
  std::vector<std::string> path;
  std::vector<std::string> was; // in the sequential program, where it is called otherwise there
  Match guess; // why it is taken for that
  std::string file;
  int line = 0;
  double lost_s = 0;
  double computation_s = 0, communication_s = 0, idle_s = 0, io_s = 0, threads_s = 0;
};

/// A size against the base.
struct Ledger {
  int ranks = 0, threads = 1, size = 0;
  bool oversubscribed = false;
  double cores = 0; // threads that took part, over all ranks
  double other_threads_s = 0; // wall times of threads in no team, which are no cores
  double time_s = 0, lost_s = 0;
  double whole_s = 0; // CoreTime::whole_s: what shares are of, so the loss does not exceed 100 %
  double percent = 0; // lost, of whole_s
  std::vector<double> lost_repeats; // of each repeat
  std::vector<LedgerTerm> terms; // largest first
  std::optional<double> core_wait_error_s; // CoreWaits::error_s of both; absent: no term of waits for a core
  double idle_s = 0; // what the origins add up to
  std::vector<LedgerOrigin> origins; // largest first
  std::vector<LedgerPath> paths; // what lost most first; those with one per mille of whole_s
};

/// The terms of a run against another one, in seconds by name; they add up to the difference of their core times.
std::map<std::string, double> terms_between(const CoreTime& run, const CoreTime& base);

/// For people: "idle: Late sender".
std::string term_title(const std::string& name, const CoreTime& run, const CoreTime& base);

/// Of every size above the smallest, which is the base; with `sequential`, the runs of the best sequential program, of
/// every size over these. In a weak sweep the base is what it would take with the work of the size (of_larger_problem).
/// Empty where there is none, or no run came to its end. Reads the call trees of all runs, one
/// after another. Throws Refusal like read_run.
std::vector<Ledger> ledgers_of(const Build& build, const Point* sequential);

} // namespace andes::postproc
