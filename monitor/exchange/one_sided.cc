#include "monitor/exchange/one_sided.h"

#include <algorithm>
#include <array>
#include <map>
#include <span>

namespace andes::monitor {
namespace {

/// The two epochs that ended last, of two different ranks: so whichever rank is excluded, the last epoch of
/// the others is known. The end is the enter or the exit of MPI_Win_unlock.
struct LastTwo {
  std::int64_t Call::* end;
  std::array<const ArrivedLock*, 2> last{};

  void add(const ArrivedLock& epoch) {
    const auto ends_later = [&](const ArrivedLock* than) { return !than || epoch.unlock.*end > than->unlock.*end; };
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

/// The epochs of one window that have got the lock so far.
class Granted {
public:
  explicit Granted(std::int64_t Call::* end) : end_(end), exclusive_{end, {}}, shared_{end, {}} {}

  void add(const ArrivedLock& epoch) { (epoch.exclusive ? exclusive_ : shared_).add(epoch); }
  /// The one that ended last, of those that exclude `epoch`; null: there is none.
  const ArrivedLock* last_excluding(const ArrivedLock& epoch) const {
    const ArrivedLock* last = exclusive_.of_others(epoch.rank);
    const ArrivedLock* sharing = shared_.of_others(epoch.rank);
    if (epoch.exclusive && sharing && (!last || sharing->unlock.*end_ > last->unlock.*end_)) last = sharing;
    return last;
  }

private:
  std::int64_t Call::* end_;
  LastTwo exclusive_, shared_;
};

using Epochs = std::span<ArrivedLock>; // of one window

void sort_by_exit(Epochs epochs, Call ArrivedLock::* of) {
  std::sort(epochs.begin(), epochs.end(), [&](const ArrivedLock& a, const ArrivedLock& b) {
    return (a.*of).exit_ns != (b.*of).exit_ns ? (a.*of).exit_ns < (b.*of).exit_ns : a.rank < b.rank;
  });
}

/// Whether MPI_Win_lock returns before the lock is granted. `epochs` are sorted by its exit.
bool is_granted_late(Epochs epochs, double clock_error_ns) {
  Granted earlier(&Call::enter_ns);
  for (const ArrivedLock& epoch : epochs) {
    const double rounding_ns = 1 + 1e-7 * static_cast<double>(epoch.lock.exit_ns - epoch.lock.enter_ns);
    const ArrivedLock* holder = earlier.last_excluding(epoch);
    if (holder && static_cast<double>(holder->unlock.enter_ns - epoch.lock.exit_ns) > 2 * clock_error_ns + rounding_ns)
      return true;
    earlier.add(epoch);
  }
  return false;
}

/// The epochs that access something, in their order.
Epochs without_idle(Epochs epochs) {
  const auto rest =
      std::stable_partition(epochs.begin(), epochs.end(), [](const ArrivedLock& epoch) { return !epoch.idle; });
  return epochs.first(static_cast<std::size_t>(rest - epochs.begin()));
}

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

std::vector<LockWait> find_lock_holders(std::vector<ArrivedLock>& all, double clock_error_ns) {
  std::stable_sort(all.begin(), all.end(),
                   [](const ArrivedLock& a, const ArrivedLock& b) { return a.window < b.window; });
  std::vector<LockWait> waits;
  for (auto begin = all.begin(); begin != all.end();) {
    const auto end =
        std::find_if(begin, all.end(), [&](const ArrivedLock& other) { return other.window != begin->window; });
    Epochs epochs(begin, end);
    begin = end;
    sort_by_exit(epochs, &ArrivedLock::lock);
    if (is_granted_late(epochs, clock_error_ns)) epochs = without_idle(epochs);
    if (is_granted_late(epochs, clock_error_ns)) sort_by_exit(epochs, &ArrivedLock::blocked);
    else
      for (ArrivedLock& epoch : epochs) epoch.blocked = epoch.lock;
    Granted earlier(&Call::exit_ns);
    for (const ArrivedLock& epoch : epochs) {
      const ArrivedLock* holder = earlier.last_excluding(epoch);
      if (holder && holder->unlock.exit_ns <= epoch.blocked.enter_ns) holder = nullptr;
      if (holder || !epoch.idle) waits.push_back({&epoch, holder});
      earlier.add(epoch);
    }
  }
  return waits;
}

} // namespace andes::monitor
