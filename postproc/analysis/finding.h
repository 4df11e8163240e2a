// Finding: waits of one cause in one call path, with what they began with and what removing them would gain
// (diagnosis.h).
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "postproc/analysis/gain.h"
#include "postproc/analysis/wait_origin.h"
#include "postproc/analysis/wait_whole.h"
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

/// Twice the middle of the gain, to two digits: gains are not known better, and where they look the same the longer
/// waits come first.
double effect_of(const Finding& finding);

/// The middle of the gain decides, then severity; findings that follow from another one stand behind it.
void sort_by_effect(std::vector<Finding>& findings);

/// The first finding of less than `threshold_percent`, when those are moved to the end of the list.
std::size_t split_findings(std::vector<Finding>& findings, double threshold_percent);

} // namespace andes::postproc
