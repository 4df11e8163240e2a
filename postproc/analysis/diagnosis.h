// Diagnosis: why the ranks of a run wait, as findings: one for each cause and call path, with the
// gain of removing it.
//
// Invariants:
//  - severity is the sum of the waits over ranks; percentages of findings are of wait_whole.h;
//  - the gain is not the severity: the monitor has replayed the run without the finding's waits; where it has not, the
//    gain is bounded by the savings of every rank, or of the slowest one, and by the total work of all ranks, which
//    stays the same (docs/metrics.md, "Gain"; decision 239);
//  - a finding whose chains of waits mostly begin in another one stands below that one; apart from that findings are
//    sorted by the middle of their gain, then by severity.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "monitor/interface/hang.h"
#include "postproc/analysis/finding.h"
#include "postproc/analysis/wait_whole.h"
#include "postproc/model/kept_in_log.h"
#include "postproc/model/profile.h"

namespace andes::postproc {

struct Diagnosis {
  Hang hang; // of a run that was killed or still runs: who waited for whom
  std::string why_no_waits; // empty: waits were measured
  std::vector<Finding> findings;
  WaitWhole whole;                    // what shares of findings are of
  std::optional<double> idle_percent; // of p x T, in main threads
  double other_threads_idle_s = 0;    // in the threads beside them
  KeptInLog kept;
  double unclassified_s = 0;          // of the waits, shorter than the clocks' error
  double unmatched = 0, unordered = 0, outside = 0, lost = 0, clock_violations = 0;
  double lost_function_calls = 0; // of the rank with most
  std::string left_out;           // operations that setting `events` left out of the log
  std::optional<double> clock_error_ns;
  std::string why_no_gains; // only bounds are known; empty: the run was replayed, or is too old to say
  bool some_ranks = false; // values of single ranks are kept of some ranks only
};

/// `profile` with Detail::tree. Throws Refusal like read_run.
Diagnosis diagnosis_of(const Profile& profile);

/// The same of runs that stand beside each other: repeats, or two builds. Their shares are of the same whole.
std::vector<Diagnosis> diagnoses_of(const std::vector<const Profile*>& runs);
std::vector<Diagnosis> diagnoses_of(const std::vector<Profile>& runs);

/// Name of the finding that ranks arrive early at the end of the run.
inline constexpr const char* wait_at_end = "wait_at_end";

} // namespace andes::postproc
