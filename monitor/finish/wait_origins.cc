#include "monitor/finish/wait_origins.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "common/index.h"
#include "monitor/exchange/wire.h"
#include "monitor/finish/doing.h"
#include "monitor/finish/late_calls.h"

namespace andes::monitor {
namespace {

/// Origins that one rank tells of: 4096 over all ranks, but eight at least, and no more than anybody reads.
std::size_t most_of_rank(int ranks) {
  return std::clamp<std::size_t>(most_wait_sums / static_cast<std::size_t>(ranks), 8, 64);
}

/// What one rank's waits add to an origin; `alike`: those for its rank itself, if the waiting rank had called the call
/// path in which they began as well, with the time before these calls.
struct Share {
  std::uint64_t path;
  double wait_ns, events;
  double alike_wait_ns, alike_events, alike_gap_ns;

  void add(const Share& more) {
    wait_ns += more.wait_ns;
    events += more.events;
    alike_wait_ns += more.alike_wait_ns;
    alike_events += more.alike_events;
    alike_gap_ns += more.alike_gap_ns;
  }
};

/// Keeps the calls that stay at this level by a hash, the same ones at all ranks.
void keep_level(std::vector<LateCall>& calls, std::uint32_t level) {
  std::erase_if(calls, [level](const LateCall& call) {
    return !event_stays(call.path ^ static_cast<std::uint64_t>(call.enter_ns), 0, level);
  });
}

/// Keeps at most `most` calls; returns the level at which these stay.
std::uint32_t thin(std::vector<LateCall>& calls, std::size_t most) {
  std::uint32_t level = 0;
  while (calls.size() > most && level < 63) keep_level(calls, ++level);
  return level;
}

/// The times before this rank's calls, each from the end of the last call before it that did not only start an
/// operation: what is computed before MPI_Irecv and MPI_Isend is that of both.
class Gaps {
public:
  static constexpr double not_known = -1;

  Gaps(const RankLog& log, const Profile& profile) : log_(log), profile_(profile) {}

  /// By number of the wait: before this rank's latest call, up to that which waited, of the call path that came late.
  std::vector<double> alike(const std::vector<Wait>& waits) const {
    std::vector<double> of_wait(waits.size(), not_known);
    std::vector<std::vector<std::pair<std::int64_t, std::size_t>>> calls(log_.locations.size()); // by thread
    for (std::size_t i = 0; i < waits.size(); ++i)
      if (waits[i].thread >= 0 && at(waits[i].thread) < calls.size())
        calls[at(waits[i].thread)].emplace_back(waits[i].instance_ns, i);
    for (std::size_t thread = 0; thread < calls.size(); ++thread) {
      std::sort(calls[thread].begin(), calls[thread].end());
      std::vector<double> latest(profile_.paths.size(), not_known);
      auto next = calls[thread].begin();
      const auto answer_until = [&](std::int64_t ns) {
        for (; next != calls[thread].end() && next->first < ns; ++next)
          if (const auto path = profile_.path_of_hash.find(waits[next->second].peer_path);
              path != profile_.path_of_hash.end())
            of_wait[next->second] = latest[at(path->second)];
      };
      for_each_gap(thread, [&](const Call& call, double gap_ns) {
        answer_until(call.enter_ns);
        if (at(call.site) < latest.size()) latest[at(call.site)] = gap_ns;
      });
      answer_until(INT64_MAX);
    }
    return of_wait;
  }

  /// By call path: the mean before these calls. They are sorted by the time.
  std::map<std::uint64_t, double> means_before(const std::vector<LateCall>& late) const {
    struct Sum {
      double ns = 0, count = 0;
    };
    std::map<std::uint64_t, Sum> sums;
    for (std::size_t thread = 0; thread < log_.locations.size(); ++thread) {
      auto next = late.begin();
      for_each_gap(thread, [&](const Call& call, double gap_ns) {
        while (next != late.end() && next->enter_ns < call.enter_ns) ++next;
        for (auto one = next; one != late.end() && one->enter_ns == call.enter_ns; ++one)
          if (at(call.site) < profile_.paths.size() && profile_.paths[at(call.site)].hash == one->path)
            sums[one->path].ns += gap_ns, ++sums[one->path].count;
      });
    }
    std::map<std::uint64_t, double> means;
    for (const auto& [path, sum] : sums) means[path] = sum.ns / sum.count;
    return means;
  }

private:
  template <class Visit> void for_each_gap(std::size_t thread, Visit visit) const {
    double before_ns = 0; // that of the calls before, as far as these only start operations
    for_each_call(log_, profile_, thread, [&](const Call& call, std::int32_t, double gap_ns, bool only_starts) {
      visit(call, before_ns + gap_ns);
      before_ns = only_starts ? before_ns + gap_ns : 0;
    });
  }

  const RankLog& log_;
  const Profile& profile_;
};

void keep_longest(std::vector<WaitOrigin>& origins, std::size_t most) {
  std::stable_sort(origins.begin(), origins.end(), [](const WaitOrigin& a, const WaitOrigin& b) {
    if (a.wait_ns != b.wait_ns) return a.wait_ns > b.wait_ns;
    return a.rank != b.rank ? a.rank < b.rank : a.path < b.path;
  });
  if (origins.size() > most) origins.resize(most);
}

/// The time in WaitOrigin::longer_ns, `late_ns` being the mean time before the late calls.
double longer_ns(const Share& all, double late_ns) {
  if (all.alike_wait_ns <= 0) return WaitOrigin::not_known;
  const double longer = all.alike_events * late_ns - all.alike_gap_ns;
  return std::clamp(longer / all.alike_wait_ns, 0.0, 1.0) * all.wait_ns;
}

} // namespace

std::vector<WaitOrigin> wait_origins(const Waits& waits, const RankLog& log, const Profile& profile, AllToAll& ranks) {
  const auto size = static_cast<std::size_t>(ranks.size());
  const Gaps gaps(log, profile);
  std::vector<double> alike_ns; // empty: there are calls between those of the log
  if (!waits.levels.any()) alike_ns = gaps.alike(waits.all);
  std::vector<std::map<std::uint64_t, Share>> shares(size); // by rank of the origin, its call path
  std::vector<std::vector<LateCall>> late(size); // by rank
  for (std::size_t i = 0; i < waits.all.size(); ++i) {
    const Wait& wait = waits.all[i];
    if (wait.origin_rank < 0 || wait.origin_path == 0) continue;
    const double kept = kept_one_in(wait.level);
    Share one{wait.origin_path, kept * wait.wait_ns, kept, 0, 0, 0};
    if (wait.origin_path == wait.peer_path && wait.origin_rank == wait.peer_rank && !alike_ns.empty() &&
        alike_ns[i] >= 0) {
      one.alike_wait_ns = wait.wait_ns;
      one.alike_events = 1;
      one.alike_gap_ns = alike_ns[i];
      late[at(wait.origin_rank)].push_back({wait.origin_path,
                                            bounded_ns(wait.instance_ns) + std::llround(std::min(wait.wait_ns, 0x1p60)),
                                            wait.wait_ns});
    }
    shares[at(wait.origin_rank)]
        .try_emplace(wait.origin_path, Share{wait.origin_path, 0, 0, 0, 0, 0})
        .first->second.add(one);
  }
  // A rank may be waited for by all others: together they tell of so many calls at most.
  const std::size_t most_late = std::max<std::size_t>(64, most_late_calls / size);
  std::vector<Parcel> parcels(size);
  for (std::size_t rank = 0; rank < size; ++rank) {
    const std::uint32_t level = thin(late[rank], most_late);
    std::vector<Share> list;
    for (const auto& [path, share] : shares[rank]) list.push_back(share);
    if (list.empty()) continue;
    put_all(parcels[rank], list);
    put(parcels[rank], level);
    put_all(parcels[rank], late[rank]);
  }
  std::map<std::uint64_t, Share> own;
  std::vector<LateCall> own_late;
  std::uint32_t most_level = 0;
  for (const Parcel& parcel : ranks.exchange(parcels)) {
    if (parcel.empty()) continue;
    Unpacking in(parcel);
    for (const Share& share : in.take_all<Share>())
      own.try_emplace(share.path, Share{share.path, 0, 0, 0, 0, 0}).first->second.add(share);
    most_level = std::max(most_level, in.take<std::uint32_t>());
    const auto calls = in.take_all<LateCall>();
    own_late.insert(own_late.end(), calls.begin(), calls.end());
  }
  keep_level(own_late, most_level); // or calls for which ranks of short lists waited would count too often
  std::sort(own_late.begin(), own_late.end(), [](const LateCall& a, const LateCall& b) {
    if (a.enter_ns != b.enter_ns) return a.enter_ns < b.enter_ns;
    return a.path != b.path ? a.path < b.path : a.wait_ns > b.wait_ns; // of several ranks the longest wait stays
  });
  own_late.erase(std::unique(own_late.begin(), own_late.end()), own_late.end());
  const std::map<std::uint64_t, double> late_ns = gaps.means_before(own_late);
  std::vector<WaitOrigin> origins;
  for (const auto& [hash, share] : own) {
    const auto before = late_ns.find(hash);
    WaitOrigin& origin = origins.emplace_back();
    origin.path = hash;
    origin.rank = ranks.rank();
    origin.wait_ns = share.wait_ns;
    origin.events = share.events;
    if (before != late_ns.end()) origin.longer_ns = longer_ns(share, before->second);
  }
  keep_longest(origins, most_of_rank(ranks.size()));
  find_doing(log, profile, own_late, waits.all, origins);
  if (!origins.empty()) put_all(parcels[0], origins);
  std::vector<WaitOrigin> all;
  for (const Parcel& parcel : ranks.exchange(parcels)) {
    if (parcel.empty()) continue;
    const auto of_rank = Unpacking(parcel).take_all<WaitOrigin>();
    all.insert(all.end(), of_rank.begin(), of_rank.end());
  }
  keep_longest(all, all.size());
  return all;
}

} // namespace andes::monitor
