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
#include "postproc/analysis/gain.h"
#include "postproc/analysis/wait_origin.h"
#include "postproc/analysis/wait_whole.h"
#include "postproc/model/kept_in_log.h"
#include "postproc/model/profile.h"

namespace andes::postproc {

/// The place of a call path in the source: that of the innermost region on it whose place is known.
struct Place {
  std::string file;
  int line = 0;
};

/// The place of a call path; without a line if none is known.
Place place_of(const Profile& profile, int callpath);

/// The other side of waits, or where chains of them began.
struct WaitPeer { // of an origin the members at the end are known
  std::vector<std::string> path; // empty: not known
  Place place;
  std::optional<int> rank; // of those concerned the one with most of the waits
  double wait_s = 0, events = 0;
  std::vector<std::string> doing_path; // what the rank did before; empty: not known
  Place doing_place;
  bool doing_io = false;
  bool doing_in_callees = false; // most of it: which of them it was is not known
  double doing_s = 0;
  std::optional<double> cost_s; // waits of all ranks that began here, in all findings
};

/// What most waits of a finding began with (wait_origin.h).
struct WaitBegin {
  OriginKind kind = OriginKind::not_known;
  std::vector<std::string> path; // what the ranks did; of late messages the late call
  Place place;
  std::vector<int> ranks; // that were late with it, those with most waits first
};

struct WaitingRank {
  int rank = 0;
  double wait_s = 0;
};

/// What names a finding.
struct FindingName {
  std::string cause;
  std::vector<std::string> path;
  bool operator==(const FindingName&) const = default;
};

struct Finding {
  std::string cause, title, description, advice;
  std::vector<std::string> path;
  std::string kind; // of the call path's region
  Place place;
  double severity_s = 0, percent = 0; // sum over ranks; of `whole`
  std::string whole = WaitWhole::ranks;  // as in WaitWhole
  std::optional<double> error_s; // half of the 95 % interval, where only some operations were kept
  Gain gain; // of the cure that suits the cause, or of another one where that gains little
  std::vector<Gain> gains; // of all cures that were replayed
  std::optional<FindingName> follows; // the finding from which this one follows
  std::optional<double> events;
  std::vector<WaitingRank> ranks; // that waited and whose values are kept; longest first
  std::vector<WaitPeer> peers;    // heaviest first
  std::vector<WaitPeer> origins;  // where the chains of waits began, which may be at a peer; heaviest first
  std::optional<WaitBegin> begin; // absent: nothing has half of the waits
};

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

/// Twice the middle of the gain, to two digits: gains are not known better, and where they look the same the longer
/// waits come first.
double effect_of(const Finding& finding);

/// The same of runs that stand beside each other: repeats, or two builds. Their shares are of the same whole.
std::vector<Diagnosis> diagnoses_of(const std::vector<const Profile*>& runs);
std::vector<Diagnosis> diagnoses_of(const std::vector<Profile>& runs);

/// Findings of the repeats of a point as one: those of the same cause and call path become one with
/// the medians of severity, percentage and gain (zero where a repeat lacks it); the rest is of the
/// repeat in which it is heaviest. `repeats` come from diagnoses_of() and are not empty.
std::vector<Finding> merged_findings(const std::vector<Diagnosis>& repeats);

/// The first finding of less than `threshold_percent`, when those are moved to the end of the list.
std::size_t split_findings(std::vector<Finding>& findings, double threshold_percent);

/// Name of the finding that ranks arrive early at the end of the run.
inline constexpr const char* wait_at_end = "wait_at_end";

} // namespace andes::postproc
