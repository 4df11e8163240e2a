#include "monitor/exchange/owner_progress.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>

namespace andes::monitor {
namespace {

/// When a rank was in MPI, with any of its threads.
class TimesInMpi {
public:
  explicit TimesInMpi(const RankLog& log) {
    std::vector<Call> calls;
    for (std::size_t thread = 0; thread < log.locations.size(); ++thread) {
      const EventLog* const of_thread = log.locations[thread].log;
      for (std::uint32_t i = 0; of_thread && i < of_thread->count; ++i)
        if (EventKind(of_thread->records[i].kind) != EventKind::left_open)
          calls.push_back(call_of(log, thread, of_thread->records[i]));
    }
    std::sort(calls.begin(), calls.end(), [](const Call& a, const Call& b) { return a.enter_ns < b.enter_ns; });
    for (const Call& call : calls) {
      if (stays_.empty() || call.enter_ns > stays_.back().end_ns)
        stays_.push_back({call, call.exit_ns, stays_.empty() ? 0 : time_until(stays_.back().end_ns)});
      else stays_.back().end_ns = std::max(stays_.back().end_ns, call.exit_ns);
    }
  }

  /// Whether the rank was outside during the whole call of another one, which it left and entered MPI around.
  bool is_outside(const Call& call) const {
    const std::size_t after = first_after(call.exit_ns);
    return after > 0 && after < stays_.size() && stays_[after - 1].end_ns <= call.enter_ns;
  }

  /// The wait of a call of another rank, which did not wait for this one until `from_ns`.
  std::optional<OwnerWait> wait_of(const Call& call, std::int64_t from_ns) const {
    constexpr int most_looked_at = 64;
    const std::int64_t begin_ns = std::max(call.enter_ns, from_ns);
    std::optional<OwnerWait> found;
    std::int64_t longest_ns = 0; // outside, before the call found
    const std::size_t last = first_after(call.exit_ns);
    for (std::size_t i = last; i-- > 0 && last - i <= most_looked_at;) {
      const Call& late = stays_[i].first;
      const std::int64_t rest_ns = call.exit_ns - late.enter_ns;
      if (late.enter_ns <= begin_ns || rest_ns > (late.enter_ns - begin_ns) / 4) break;
      const std::int64_t left_ns = std::max(begin_ns, i > 0 ? stays_[i - 1].end_ns : begin_ns);
      const std::int64_t wait_ns = late.enter_ns - begin_ns - (time_until(late.enter_ns) - time_until(begin_ns));
      if (late.enter_ns - left_ns <= longest_ns || rest_ns > wait_ns / 4) continue;
      longest_ns = late.enter_ns - left_ns;
      found = OwnerWait{0, 0, call, late, wait_ns};
    }
    return found;
  }

private:
  /// From the enter of one call to the exit of another one.
  struct Stay {
    Call first;
    std::int64_t end_ns;
    std::int64_t before_ns; // time in MPI before
  };

  std::size_t first_after(std::int64_t ns) const {
    const auto after = std::upper_bound(stays_.begin(), stays_.end(), ns,
                                        [](std::int64_t at, const Stay& stay) { return at < stay.first.enter_ns; });
    return static_cast<std::size_t>(after - stays_.begin());
  }
  /// Time in MPI up to then.
  std::int64_t time_until(std::int64_t ns) const {
    const std::size_t after = first_after(ns);
    if (after == 0) return 0;
    const Stay& stay = stays_[after - 1];
    return stay.before_ns + std::min(ns, stay.end_ns) - stay.first.enter_ns;
  }

  std::vector<Stay> stays_;
};

/// The waits of one rank's windows, and what the calls of a function show.
class Finding {
public:
  Finding(const TimesInMpi& owner, const Sites& sites) : owner_(owner), sites_(sites) {}

  void add(std::int32_t rank, std::uint64_t window, const Call& call, std::int64_t from_ns = INT64_MIN) {
    std::int64_t& shown = shown_[{window, function(call)}];
    if (owner_.is_outside(call)) --shown;
    std::optional<OwnerWait> wait = owner_.wait_of(call, from_ns);
    if (!wait) return;
    ++shown;
    wait->rank = rank;
    wait->window = window;
    waits_.push_back(*wait);
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
      shown_; // calls that waited, less those that did not need to
  std::vector<OwnerWait> waits_;
};

} // namespace

std::vector<OwnerWait> find_owner_waits(const RankLog& log, std::int32_t own, const std::vector<LockWait>& locks,
                                        const std::vector<ArrivedCall>& within, const Sites& sites) {
  const auto of_another = [own](const auto& one) { return one.rank != own; };
  const bool possible =
      std::any_of(within.begin(), within.end(), of_another) ||
      std::any_of(locks.begin(), locks.end(), [&](const LockWait& wait) { return of_another(*wait.epoch); });
  if (!possible) return {};
  const TimesInMpi owner(log);
  Finding finding(owner, sites);
  for (const LockWait& wait : locks) {
    const ArrivedLock& epoch = *wait.epoch;
    if (epoch.rank == own) continue;
    finding.add(epoch.rank, epoch.window, epoch.lock, wait.holder ? wait.holder->unlock.exit_ns : INT64_MIN);
    if (epoch.unlock.enter_ns > epoch.lock.enter_ns) finding.add(epoch.rank, epoch.window, epoch.unlock);
  }
  for (const ArrivedCall& one : within)
    if (one.rank != own) finding.add(one.rank, one.window, one.call);
  return finding.take();
}

} // namespace andes::monitor
