#include "postproc/analysis/threads.h"

#include <algorithm>
#include <cmath>

#include "postproc/analysis/balance.h"

namespace andes::postproc {
namespace {

/// `of` gives a thread's seconds, or nothing where they are not known.
template <class Of> std::optional<OverThreads> over(const std::vector<const Location*>& threads, Of of) {
  OverThreads all{INFINITY, 0, 0};
  for (const Location* l : threads) {
    const std::optional<double> ns = of(*l);
    if (!ns) return {};
    all.min = std::min(all.min, *ns * 1e-9);
    all.mean += *ns * 1e-9 / static_cast<double>(threads.size());
    all.max = std::max(all.max, *ns * 1e-9);
  }
  return all;
}

OverThreads over(const std::vector<const Location*>& threads, double Location::* member) {
  return *over(threads, [member](const Location& l) { return std::optional(l.*member); });
}

RankThreads of_rank(const std::vector<const Location*>& threads, bool parallel) {
  const Location& main = *threads.front();
  RankThreads rank;
  rank.rank = main.rank;
  rank.count = static_cast<int>(threads.size());
  rank.wall_s = over(threads, &Location::wall_ns);
  rank.compute_s = over(threads, &Location::compute_ns);
  rank.communication_s = over(threads, &Location::communication_ns);
  rank.idle_s = over(threads, [](const Location& l) { return l.idle_ns; });
  rank.load_balance = balance_of(rank.compute_s.mean, rank.compute_s.max);
  if (parallel && main.parallel_ns) {
    const double serial_ns = std::max(0.0, main.wall_ns - *main.parallel_ns);
    rank.serial_s = serial_ns * 1e-9;
    if (main.wall_ns > 0) rank.serial_percent = 100 * serial_ns / main.wall_ns;
  }
  return rank;
}

} // namespace

Threads threads_of(const Profile& profile, const std::vector<int>& chosen) {
  Threads all;
  std::vector<std::vector<const Location*>> by_rank;
  for (const Location& l : profile.locations) {
    if (!chosen.empty() && std::find(chosen.begin(), chosen.end(), l.rank) == chosen.end()) continue;
    if (l.thread == 0) by_rank.push_back({});
    by_rank.back().push_back(&l);
  }
  const bool parallel = std::any_of(profile.locations.begin(), profile.locations.end(),
                                    [](const Location& l) { return l.parallel_ns.value_or(0) > 0; });
  double compute_s = 0, most_s = 0, serial_s = 0, main_wall_s = 0;
  std::size_t count = 0;
  bool serial_known = !by_rank.empty();
  for (const auto& threads : by_rank) {
    const RankThreads& rank = all.ranks.emplace_back(of_rank(threads, parallel));
    count += threads.size();
    compute_s += rank.compute_s.mean * rank.count;
    most_s = std::max(most_s, rank.compute_s.max);
    main_wall_s += threads.front()->wall_ns * 1e-9;
    serial_s += rank.serial_s.value_or(0);
    serial_known = serial_known && rank.serial_s;
    all.others += rank.count - 1;
    all.others_wall_s += rank.wall_s.mean * rank.count - threads.front()->wall_ns * 1e-9;
  }
  if (count > 0) all.load_balance = balance_of(compute_s / static_cast<double>(count), most_s);
  if (serial_known) {
    all.serial_s = serial_s / static_cast<double>(by_rank.size());
    if (main_wall_s > 0) all.serial_percent = 100 * serial_s / main_wall_s;
  }
  return all;
}

double thread_time_s(const Profile& profile, const std::vector<int>& chosen) {
  double time_s =
      static_cast<double>(chosen.empty() ? static_cast<std::size_t>(profile.ranks) : chosen.size()) * profile.wall_s;
  for (const Location& l : profile.locations)
    if (l.thread != 0 && (chosen.empty() || std::find(chosen.begin(), chosen.end(), l.rank) != chosen.end()))
      time_s += l.wall_ns * 1e-9;
  return time_s;
}

} // namespace andes::postproc
