// Small messages: call paths that spend much time in sending many small messages, which could be gathered into fewer
// (docs/metrics.md, "Small messages").
#pragma once
#include <string>
#include <vector>

#include "postproc/analysis/diagnosis.h"
#include "postproc/analysis/tree.h"

namespace andes::postproc {

/// A function, loop or block that sends them, by MPI calls directly below it.
struct SmallMessages {
  std::vector<std::string> path;
  Place place;
  double messages = 0, below = 0; // how many, of all ranks, have less than `below` bytes
  double per_destination = 0;     // in a visit of the call path, to each of the ranks that a rank sends to; mean
  double percent = 0;             // of p x T: sending them, and receiving them elsewhere, without waiting
  double communication_percent = 0; // the same, of all communication
  Gain gain; // low: none; high: without what all of them but one for each visit and destination cost
};

/// Those with at least one per cent of p x T, the largest gain first. Empty where waits were not measured: what
/// messages cost is not known then.
std::vector<SmallMessages> small_messages(const Profile& profile, const Tree& tree);

/// Medians over the repeats of a point, of the call paths that most repeats name.
std::vector<SmallMessages> small_messages(const std::vector<Profile>& trees);

} // namespace andes::postproc
