// T of an ideal network is the longest rank's time without its transfers. The waits that remain in
// it come from dependences between ranks: they are the serialisation.
#include "postproc/analysis/efficiency.h"

#include <algorithm>

namespace andes::postproc {

std::optional<Efficiency> efficiency_of(const Profile& profile) {
  double sum_ns = 0, max_ns = 0, ideal_ns = 0;
  bool ideal_known = true;
  for (const Location& l : profile.locations) {
    if (l.thread != 0) continue;
    sum_ns += l.compute_ns;
    max_ns = std::max(max_ns, l.compute_ns);
    const std::optional<double> transfer_ns = transferring_ns(l);
    ideal_known = ideal_known && idle_in_mpi_ns(profile, l) && transfer_ns;
    // A rank that starts late or ends early has no more than its own wall time.
    ideal_ns = std::max(ideal_ns, l.wall_ns - transfer_ns.value_or(l.communication_ns));
  }
  if (max_ns <= 0) return {};
  const double time_ns = profile.wall_s * 1e9;
  Efficiency e;
  e.parallel = sum_ns / (profile.ranks * time_ns);
  e.load_balance = sum_ns / profile.ranks / max_ns;
  e.communication = max_ns / time_ns;
  if (ideal_known && ideal_ns > 0) {
    e.serialisation = max_ns / ideal_ns;
    e.transfer = ideal_ns / time_ns;
  }
  return e;
}

} // namespace andes::postproc
