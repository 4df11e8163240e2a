// Waits for a core: time in which threads were ready to run while others had their cores. It lies in computation, in
// calls of MPI and in waits for threads alike, wherever it fell, and is taken out of these parts of a core time for
// comparisons. Docs/metrics.md, "Ledger of lost time", "Waiting for a core"; decision 299.
//
// Invariants:
//  - what is taken out of the parts is the part `core_wait`, so the parts add up as before;
//  - runs that are compared have it all, or none of them has: their parts mean the same.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "postproc/model/profile.h"

namespace andes::postproc {

struct CoreTime; // core_time.h

/// The part of a core time that waits for a core are, once they are apart.
inline constexpr const char* core_wait_part = "core_wait";

/// Seconds, sums over threads.
struct CoreWaits {
  std::map<std::string, double> parts; // how much of each part of a core time
  double whole_s = 0; // their sum
  double error_s = 0; // of that so much may lie in computation instead of the other parts, or the other way round
};

/// Of a run whose core time has these parts. Absent: not known of all threads.
std::optional<CoreWaits> core_waits_of(const Profile& profile, const std::map<std::string, double>& parts);

/// Takes the waits out of the parts of runs that are to be compared. Does nothing where they are not known of all runs,
/// or are less than one per cent of the time of each.
void set_core_waits_apart(const std::vector<CoreTime*>& runs);

} // namespace andes::postproc
