#include "monitor/exchange/one_sided.h"

#include <algorithm>
#include <array>
#include <map>

namespace andes::monitor {
namespace {

/// The two epochs that ended last, of two different ranks: so whichever rank is excluded, the last epoch of
/// the others is known.
struct LastTwo {
  std::array<const ArrivedLock*, 2> last{};

  void add(const ArrivedLock& epoch) {
    const auto ends_later = [&](const ArrivedLock* than) {
      return !than || epoch.unlock.exit_ns > than->unlock.exit_ns;
    };
    if (last[0] && last[0]->rank == epoch.rank) {
      if (ends_later(last[0])) last[0] = &epoch;
    } else if (ends_later(last[0])) {
      last = {&epoch, last[0]};
    } else if (ends_later(last[1])) {
      last[1] = &epoch;
    }
  }
  const ArrivedLock* of_others(std::int32_t rank) const { return last[0] && last[0]->rank == rank ? last[1] : last[0]; }
};

} // namespace

AccessEpochs match_epochs(const std::vector<ArrivedChannel>& accesses, const std::vector<Operation>& exposures,
                          const EventTables& tables) {
  AccessEpochs epochs;
  std::map<std::pair<std::uint64_t, std::uint32_t>, const Operation*> own; // by key and number
  for (const Operation& exposure : exposures) own[{tables.channels[exposure.channel].key, exposure.number}] = &exposure;
  for (const ArrivedChannel& channel : accesses)
    for (const Operation& access : channel.operations) {
      const auto found = own.find({channel.key, access.number});
      if (found == own.end()) {
        ++epochs.unmatched;
        continue;
      }
      epochs.all.push_back({channel.rank, access, found->second, 0, -1});
      own.erase(found);
    }
  epochs.unmatched += own.size();

  // An exposure has one post and one wait for all of its origins.
  std::map<std::pair<std::int32_t, std::int64_t>, const AccessEpoch*> last;
  const auto exposure_of = [](const AccessEpoch& epoch) {
    return std::pair(epoch.exposure->start.thread, epoch.exposure->start.enter_ns);
  };
  for (const AccessEpoch& epoch : epochs.all) {
    const AccessEpoch*& latest = last[exposure_of(epoch)];
    if (!latest || epoch.access.end.enter_ns > latest->access.end.enter_ns) latest = &epoch;
  }
  for (AccessEpoch& epoch : epochs.all) {
    const AccessEpoch* latest = last[exposure_of(epoch)];
    epoch.latest_complete_ns = latest->access.end.enter_ns;
    epoch.latest_complete_rank = latest->origin;
  }
  return epochs;
}

std::vector<LockWait> find_lock_holders(std::vector<ArrivedLock>& epochs) {
  std::sort(epochs.begin(), epochs.end(), [](const ArrivedLock& a, const ArrivedLock& b) {
    if (a.window != b.window) return a.window < b.window;
    return a.blocked.exit_ns != b.blocked.exit_ns ? a.blocked.exit_ns < b.blocked.exit_ns : a.rank < b.rank;
  });
  std::vector<LockWait> waits;
  LastTwo exclusive, shared; // epochs that have got the lock of this window so far
  for (std::size_t i = 0; i < epochs.size(); ++i) {
    const ArrivedLock& epoch = epochs[i];
    if (i > 0 && epochs[i - 1].window != epoch.window) exclusive = shared = {};
    const ArrivedLock* holder = exclusive.of_others(epoch.rank);
    const ArrivedLock* sharing = shared.of_others(epoch.rank);
    if (epoch.exclusive && sharing && (!holder || sharing->unlock.exit_ns > holder->unlock.exit_ns)) holder = sharing;
    if (holder && holder->unlock.exit_ns <= epoch.blocked.enter_ns) holder = nullptr;
    waits.push_back({&epoch, holder});
    (epoch.exclusive ? exclusive : shared).add(epoch);
  }
  return waits;
}

} // namespace andes::monitor
