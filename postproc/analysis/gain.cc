#include "postproc/analysis/gain.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace andes::postproc {

Slack slack_of(const Profile& profile) {
  Slack slack;
  slack.end_ns.resize(static_cast<std::size_t>(profile.ranks));
  // While another thread waits, the main thread may only be waiting for that thread.
  std::map<int, double> most_idle_ns;
  for (const Location& l : profile.locations) {
    double& most_ns = most_idle_ns[l.rank];
    most_ns = std::max(most_ns, idle_in_mpi_ns(profile, l).value_or(0));
  }
  double busy_ns = 0;
  std::size_t rank = 0;
  for (const Location& l : profile.locations) {
    if (l.thread != 0) continue;
    slack.end_ns[rank++] = std::max(0.0, l.wait_at_end_ns.value_or(0));
    busy_ns += std::max(0.0, l.wall_ns - most_idle_ns[l.rank]);
  }
  slack.work_ns = std::max(0.0, profile.wall_s * 1e9 - busy_ns / profile.ranks);
  return slack;
}

Gain gain_of(const Savings& savings, const Slack& slack, bool at_end) {
  double low = INFINITY, high = 0;
  for (std::size_t r = 0; r < savings.low.size(); ++r) {
    low = std::min(low, savings.low[r] + (at_end ? 0 : slack.end_ns[r]));
    high = std::max(high, savings.high[r]);
  }
  high = std::min(high, slack.work_ns);
  return {std::min(low, high) * 1e-9, high * 1e-9};
}

Gain replayed(double gain_ns, double error_ns, const std::string& cure) {
  constexpr double model_share = 0.15;
  const double value_s = std::max(0.0, gain_ns * 1e-9), half_s = std::max(error_ns * 1e-9, model_share * value_s);
  return {std::max(0.0, value_s - half_s), value_s + half_s, value_s, cure};
}

bool is_of_all(const std::string& cause) {
  return cause == "wait_at_barrier" || cause == "wait_at_nxn" || cause == "wait_at_window_create" ||
         cause == "wait_at_collective_io" || cause == "wait_at_communicator_create";
}

Gain best_of(const std::string& cause, const std::vector<Gain>& gains) {
  constexpr double little = 0.25;
  const Gain *earlier = nullptr, *share = nullptr;
  for (const Gain& gain : gains) {
    if (gain.cure == run_file::cure_earlier) earlier = &gain;
    if (gain.cure == run_file::cure_share) share = &gain;
  }
  if (!earlier || !share) return gains.front();
  const bool shares = is_of_all(cause);
  const Gain &first = shares ? *share : *earlier, &other = shares ? *earlier : *share;
  return *first.value_s < little * *other.value_s ? other : first;
}

} // namespace andes::postproc
