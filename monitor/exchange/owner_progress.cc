#include "monitor/exchange/owner_progress.h"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <tuple>

namespace andes::monitor {
namespace {

/// Calls that are shorter are not told: what they wait is not worth it.
constexpr std::int64_t shortest_ns = 20'000;

bool is_long(const Call& call) { return call.exit_ns - call.enter_ns >= shortest_ns; }

/// Whether other targets than this rank may have held the call up.
bool has_several_targets(std::string_view function) { return function.ends_with("_all"); }

/// Of polls in vain, and of what was computed between them, the log knows nothing.
bool is_poll(std::string_view function) {
  constexpr std::array polls = {"MPI_Test",     "MPI_Iprobe",  "MPI_Improbe", "MPI_Request_get_status",
                                "MPI_Win_test", "MPI_Parrived"};
  return std::any_of(polls.begin(), polls.end(), [&](const char* poll) { return function.starts_with(poll); });
}

/// What a call of another rank shows: nothing; that it waited until this rank came to MPI; that it ended while this
/// rank was outside; that it went on for long though this rank was in MPI.
enum class CallShows : std::uint8_t { nothing, waited, needed_nobody, went_on };

struct Look {
  CallShows shows = CallShows::nothing;
  Call late; // this rank's first call of MPI after the other one's began
  std::int64_t wait_ns = 0;
};

/// When a rank was in MPI, with any of its threads.
class TimesInMpi {
public:
  explicit TimesInMpi(const RankLog& log) : log_(log) {
    std::size_t records = 0;
    for (const LocationLog& location : log.locations) records += location.log ? location.log->count : 0;
    stays_.reserve(records);
    for (std::uint32_t thread = 0; thread < log.locations.size(); ++thread) {
      const EventLog* const of_thread = log.locations[thread].log;
      for (std::uint32_t i = 0; of_thread && i < of_thread->count; ++i)
        if (EventKind(of_thread->records[i].kind) != EventKind::left_open) {
          const Call call = call_of(log, thread, of_thread->records[i]);
          stays_.push_back({call.enter_ns, call.exit_ns, thread, i});
        }
    }
    std::sort(stays_.begin(), stays_.end(), [](const Stay& a, const Stay& b) { return a.enter_ns < b.enter_ns; });
    std::size_t count = 0;
    for (const Stay& call : stays_)
      if (count == 0 || call.enter_ns > stays_[count - 1].end_ns) stays_[count++] = call;
      else stays_[count - 1].end_ns = std::max(stays_[count - 1].end_ns, call.end_ns);
    stays_.resize(count);
  }

  /// `from_ns`: until then the call waited for something else.
  Look look_at(const Call& call, std::int64_t from_ns) const {
    const std::int64_t begin_ns = std::max(call.enter_ns, from_ns);
    const auto next = std::upper_bound(stays_.begin(), stays_.end(), begin_ns,
                                       [](std::int64_t at, const Stay& stay) { return at < stay.enter_ns; });
    if (next == stays_.end() || next == stays_.begin() || begin_ns > call.exit_ns) return {};
    const std::int64_t left_ns = std::max(begin_ns, std::prev(next)->end_ns);
    const Call late = call_of(log_, next->thread, log_.locations[next->thread].log->records[next->record]);
    if (next->enter_ns > call.exit_ns)
      return {left_ns == begin_ns ? CallShows::needed_nobody : CallShows::nothing, late};
    const std::int64_t wait_ns = next->enter_ns - left_ns;
    const std::int64_t besides_ns = left_ns - begin_ns + call.exit_ns - next->enter_ns; // while this rank was in MPI
    return {besides_ns <= wait_ns / 4 ? CallShows::waited : CallShows::went_on, late, wait_ns};
  }

private:
  /// From the enter of one call to the exit of another one.
  struct Stay {
    std::int64_t enter_ns, end_ns;
    std::uint32_t thread, record; // of its first call
  };

  const RankLog& log_;
  std::vector<Stay> stays_; // in their order, none meets another
};

/// The waits of one rank's windows, and what the calls of a function show.
class Finding {
public:
  Finding(const TimesInMpi& owner, const Sites& sites) : owner_(owner), sites_(sites) {}

  void add(std::int32_t rank, std::uint64_t window, const Call& call, std::int64_t from_ns) {
    const Look look = owner_.look_at(call, from_ns);
    std::int64_t& shown = shown_[{window, function(call)}];
    switch (look.shows) {
    case CallShows::nothing: return;
    case CallShows::needed_nobody: shown -= !is_poll(function(look.late)); return;
    case CallShows::went_on: shown -= !has_several_targets(function(call)); return;
    case CallShows::waited: ++shown;
    }
    if (is_long(call)) waits_.push_back({rank, window, call, look.late, look.wait_ns});
  }
  std::vector<OwnerWait> take() {
    std::erase_if(waits_, [&](const OwnerWait& wait) { return shown_[{wait.window, function(wait.call)}] <= 0; });
    return std::move(waits_);
  }

private:
  std::string_view function(const Call& call) const {
    return call.site < 0 ? std::string_view() : sites_[call.site].function;
  }

  const TimesInMpi& owner_;
  const Sites& sites_;
  std::map<std::pair<std::uint64_t, std::string_view>, std::int64_t>
      shown_; // calls that waited, less those that did not
  std::vector<OwnerWait> waits_;
};

/// Until when calls of other ranks waited for a lock that a third rank held.
class HeldUp {
public:
  void add(const LockWait& wait) {
    const ArrivedLock& epoch = *wait.epoch;
    if (wait.holder) until_ns_[key(epoch.rank, epoch.window, epoch.blocked)] = wait.holder->unlock.exit_ns;
  }
  std::int64_t until_ns(std::int32_t rank, std::uint64_t window, const Call& call) const {
    const auto found = until_ns_.find(key(rank, window, call));
    return found == until_ns_.end() ? INT64_MIN : found->second;
  }

private:
  using Key = std::tuple<std::int32_t, std::uint64_t, std::int32_t, std::int64_t>;
  static Key key(std::int32_t rank, std::uint64_t window, const Call& call) {
    return {rank, window, call.thread, call.enter_ns};
  }
  std::map<Key, std::int64_t> until_ns_;
};

} // namespace

std::vector<OwnerWait> find_owner_waits(const RankLog& log, std::int32_t own, const std::vector<LockWait>& locks,
                                        const std::vector<ArrivedCall>& within, const Sites& sites) {
  const auto is_asked = [own](const LockWait& wait) { return wait.epoch->rank != own && !wait.epoch->idle; };
  const bool possible = std::any_of(within.begin(), within.end(),
                                    [own](const ArrivedCall& one) { return one.rank != own && is_long(one.call); }) ||
                        std::any_of(locks.begin(), locks.end(), [&](const LockWait& wait) {
                          return is_asked(wait) && (is_long(wait.epoch->lock) || is_long(wait.epoch->unlock));
                        });
  if (!possible) return {};
  const TimesInMpi owner(log);
  Finding finding(owner, sites);
  HeldUp held_up;
  const auto look_at = [&](std::int32_t rank, std::uint64_t window, const Call& call) {
    finding.add(rank, window, call, held_up.until_ns(rank, window, call));
  };
  for (const LockWait& wait : locks) {
    if (!is_asked(wait)) continue;
    const ArrivedLock& epoch = *wait.epoch;
    held_up.add(wait);
    look_at(epoch.rank, epoch.window, epoch.lock);
    if (epoch.unlock.enter_ns > epoch.lock.enter_ns) look_at(epoch.rank, epoch.window, epoch.unlock);
  }
  for (const ArrivedCall& one : within)
    if (one.rank != own) look_at(one.rank, one.window, one.call);
  return finding.take();
}

} // namespace andes::monitor
