// What a message costs is shared by all messages of a call alike: calls whose messages are nearly all small are looked
// at alone. Receiving has no call path in common with sending: it counts by the part of all messages.
#include "postproc/analysis/small_messages.h"

#include <algorithm>
#include <map>

#include "postproc/analysis/medians.h"

namespace andes::postproc {
namespace {

constexpr double small_below = 1024; // bytes: below, nearly all of a message's time is its latency
constexpr double nearly_all = 0.9, rare = 0.01;
constexpr double least_gain_percent = 1, least_in_mpi = 0.5, least_per_destination = 2;

/// Times of MPI calls: without waiting, over all ranks; and with it, of the rank where each takes longest.
struct CallTime {
  double sum_s = 0, most_with_waits_s = 0;
};

void add(CallTime& time, const Profile& profile, const TreeRow& row) {
  const auto path = static_cast<std::size_t>(row.id);
  time.sum_s += profile.statistic(path, run_file::communication_ns).sum * 1e-9;
  time.most_with_waits_s += profile.statistic(path, run_file::inclusive_ns).max * 1e-9;
}

/// Receiving, of the whole run.
struct Receiving {
  CallTime time;
  double messages = 0;
};

Receiving receiving_of(const Profile& profile, const Tree& tree) {
  Receiving all;
  for (const TreeRow& row : tree.rows) {
    if (row.kind != "receive" || row.messages_sent > 0) continue;
    add(all.time, profile, row);
    all.messages += row.messages_received;
  }
  return all;
}

/// Calls that send, directly below a row or by a place of its own (setting call_sites).
void add_sends(const Profile& profile, const Tree& tree, const TreeRow& row, CallTime& time) {
  for (const std::size_t child : row.children) {
    const TreeRow& call = tree.rows[child];
    if (call.kind == "call-site") add_sends(profile, tree, call, time);
    else if (is_mpi_kind(call.kind) && call.messages_sent > 0) add(time, profile, call);
  }
}

/// By how much T would shrink at most without these calls: a rank saves what its own messages cost, and in its waits
/// what those of others cost before; along a chain of ranks, those of all of them. What ranks compute meanwhile, others
/// wait for all the same.
double most_saved_s(const Profile& profile, const CallTime& time) {
  return std::min({profile.wall_s, time.most_with_waits_s, time.sum_s});
}

} // namespace

std::vector<SmallMessages> small_messages(const Profile& profile, const Tree& tree) {
  std::vector<SmallMessages> found;
  if (profile.message_sizes.empty() || !profile.destinations || *profile.destinations <= 0 ||
      !why_no_waits(profile).empty())
    return found;
  const Receiving receiving = receiving_of(profile, tree);
  const double communication_s = tree.rows.front().communication_s;
  for (const TreeRow& row : tree.rows) {
    if (is_mpi_kind(row.kind) || row.kind == "call-site" || row.sizes.empty() || row.visits <= 0) continue;
    double all = 0, small = 0, below = 0;
    for (const SizeCount& size : row.sizes) all += size.messages;
    for (const SizeCount& size : row.sizes) {
      if (!size.below || *size.below > small_below) continue;
      small += size.messages;
      if (size.messages > rare * all) below = *size.below;
    }
    const double per_destination = small / row.visits / *profile.destinations;
    if (small < nearly_all * all || per_destination < least_per_destination ||
        row.communication_s + row.idle_s.value_or(0) < least_in_mpi * row.inclusive_s)
      continue;
    CallTime time;
    add_sends(profile, tree, row, time);
    const double part = receiving.messages > 0 ? std::min(1.0, small / receiving.messages) : 0;
    time.sum_s += part * receiving.time.sum_s;
    time.most_with_waits_s += part * receiving.time.most_with_waits_s;
    SmallMessages one;
    one.path = path_of(profile, row.id);
    one.place = place_of(profile, row.id);
    one.messages = small;
    one.below = below;
    one.per_destination = per_destination;
    one.percent = 100 * time.sum_s / (profile.ranks * profile.wall_s);
    one.communication_percent = communication_s > 0 ? std::min(100.0, 100 * time.sum_s / communication_s) : 0;
    one.gain.high_s = most_saved_s(profile, time) * (1 - 1 / per_destination);
    if (one.percent >= least_gain_percent) found.push_back(std::move(one));
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const SmallMessages& a, const SmallMessages& b) { return a.gain.high_s > b.gain.high_s; });
  return found;
}

std::vector<SmallMessages> small_messages(const std::vector<Profile>& trees) {
  std::map<std::vector<std::string>, std::vector<SmallMessages>> by_path;
  for (const Profile& profile : trees)
    for (SmallMessages& one : small_messages(profile, tree_of(profile, profile.statistics)))
      by_path[one.path].push_back(std::move(one));
  std::vector<SmallMessages> found;
  for (auto& [path, repeats] : by_path) {
    if (2 * repeats.size() <= trees.size()) continue;
    SmallMessages one = repeats.front();
    for (auto member : {&SmallMessages::messages, &SmallMessages::percent, &SmallMessages::communication_percent,
                        &SmallMessages::per_destination})
      one.*member = median_over(repeats, member);
    std::vector<double> gains;
    for (const SmallMessages& repeat : repeats) gains.push_back(repeat.gain.high_s);
    one.gain.high_s = median(std::move(gains));
    found.push_back(std::move(one));
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const SmallMessages& a, const SmallMessages& b) { return a.gain.high_s > b.gain.high_s; });
  return found;
}

} // namespace andes::postproc
