// A gap between two calls of MPI is given to a call path by where these two lie in the call tree, and by the order in
// which call paths were visited at first.
#include "monitor/finish/doing.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <span>
#include <utility>

#include "common/index.h"

namespace andes::monitor {
namespace {

/// Time between two calls of MPI, by their call paths; -1: there was none before.
using Before = std::map<std::pair<std::int32_t, std::int32_t>, double>;

/// Of the calls of a call path: of all, and of those that are known to have been late, with the waits for these.
struct Befores {
  Before all, late, late_waits;
  std::int64_t late_begin_ns = INT64_MIN; // of the gap that `late` has last: that of two late calls counts once
};

/// The time between a call and the one before.
struct Gap {
  std::int32_t before = -1, after = -1; // their sites
  std::int64_t begin_ns = 0, end_ns = 0;
  double waited_ns = 0; // by this rank, in the call behind it
  double ns() const { return static_cast<double>(end_ns - begin_ns); }
  std::pair<std::int32_t, std::int32_t> calls() const { return {before, after}; }
};

/// The latest times between calls of a thread.
class RecentGaps {
public:
  void add(const Gap& gap) {
    if (gaps_.size() == most) {
      gaps_.erase(gaps_.begin(), gaps_.begin() + most / 2);
      starts_from_ -= std::min(starts_from_, most / 2);
    }
    gaps_.push_back(gap);
  }

  /// The latest call does more than start an operation.
  void completed() { starts_from_ = gaps_.size(); }

  /// Those before the latest call and before calls in front of it that only start operations: what is computed before
  /// MPI_Irecv and MPI_Isend makes each of them late. They go back to `ns`, and to the last call that has the call path
  /// of the latest.
  std::span<const Gap> before_starts(std::int64_t ns) const {
    std::size_t first = gaps_.size() - 1;
    while (first > starts_from_ && (gaps_[first].begin_ns > ns || gaps_[first - 1].after != gaps_.back().after))
      --first;
    return std::span(gaps_).subspan(first);
  }

  /// What made the latest call late, for which another rank waited from `ns` on: of the times since then, summed by
  /// the calls around them, the longest. What this rank waited itself is taken off what was before it: with less to
  /// compute there it would have waited longer.
  std::vector<Gap> longest_since(std::int64_t ns) const {
    std::map<std::pair<std::int32_t, std::int32_t>, double> sums;
    const auto starts = before_starts(ns);
    for (const Gap& gap : starts) sums[gap.calls()] += gap.ns();
    std::size_t first = gaps_.size() - starts.size();
    double waited_ns = 0;
    for (; first > 0 && gaps_[first].begin_ns > ns; --first) {
      const Gap& gap = gaps_[first - 1];
      waited_ns += gap.waited_ns;
      const double since_ns = gap.end_ns > ns ? static_cast<double>(gap.end_ns - std::max(gap.begin_ns, ns)) : 0;
      sums[gap.calls()] += std::max(0.0, since_ns - waited_ns);
      waited_ns = std::max(0.0, waited_ns - since_ns);
    }
    const auto most_of = std::ranges::max_element(sums, {}, [](const auto& sum) { return sum.second; });
    std::vector<Gap> longest;
    for (; first < gaps_.size(); ++first)
      if (gaps_[first].calls() == most_of->first) longest.push_back(gaps_[first]);
    return longest;
  }

private:
  static constexpr std::size_t most = 1024;

  std::vector<Gap> gaps_;
  std::size_t starts_from_ = 0; // of the gaps before the calls that only start operations
};

/// What a thread waited in its calls, which are asked for in the order of time.
class OwnWaits {
public:
  OwnWaits(const std::vector<Wait>& waits, std::int32_t thread) {
    for (const Wait& wait : waits)
      if (wait.thread == thread) waits_.emplace_back(wait.instance_ns, wait.wait_ns);
    std::ranges::sort(waits_);
    next_ = waits_.begin();
  }
  OwnWaits(const OwnWaits&) = delete; // an iterator in it
  OwnWaits& operator=(const OwnWaits&) = delete;

  double of(const Call& call) {
    while (next_ != waits_.end() && next_->first < call.enter_ns) ++next_;
    double waited_ns = 0;
    for (; next_ != waits_.end() && next_->first <= call.exit_ns; ++next_) waited_ns += next_->second;
    return waited_ns;
  }

private:
  std::vector<std::pair<std::int64_t, double>> waits_; // begin and duration
  std::vector<std::pair<std::int64_t, double>>::const_iterator next_;
};

/// Looks for what this rank did before its calls came late. `late` is sorted by the time.
class Doing {
public:
  Doing(const RankLog& log, const Profile& profile, const std::vector<LateCall>& late, const std::vector<Wait>& waits)
      : log_(log), profile_(profile), late_(late), waits_(waits) {}

  void find(std::vector<WaitOrigin>& origins) {
    std::map<std::int32_t, Befores> before_of;
    for (const WaitOrigin& origin : origins)
      if (const auto path = profile_.path_of_hash.find(origin.path); path != profile_.path_of_hash.end())
        before_of[path->second];
    for (std::size_t thread = 0; thread < log_.locations.size() && !before_of.empty(); ++thread)
      read(thread, before_of);
    for (WaitOrigin& origin : origins) {
      const auto path = profile_.path_of_hash.find(origin.path);
      if (path == profile_.path_of_hash.end()) continue;
      const Befores& befores = before_of[path->second];
      // Others may have followed upon more work, but came in time, or nearly.
      const bool late_known = !befores.late.empty();
      const Before& weights = late_known ? befores.late_waits : befores.all;
      const auto most = std::max_element(weights.begin(), weights.end(),
                                         [](const auto& a, const auto& b) { return a.second < b.second; });
      if (most == weights.end()) continue;
      for (const auto& [calls, gap_ns] : befores.all) origin.doing_ns += gap_ns;
      const double gap_ns = (late_known ? befores.late : befores.all).at(most->first);
      const std::int32_t doing = work_between(most->first.first, most->first.second, gap_ns);
      if (doing >= 0) origin.doing_path = profile_.paths[at(doing)].hash;
    }
  }

private:
  /// Adds up the times before calls of these paths.
  void read(std::size_t thread, std::map<std::int32_t, Befores>& before_of) const {
    for (auto& [path, befores] : before_of) befores.late_begin_ns = INT64_MIN;
    RecentGaps gaps;
    OwnWaits own_waits(waits_, static_cast<std::int32_t>(thread));
    for_each_call(log_, profile_, thread, [&](const Call& call, std::int32_t last, double gap_ns, bool only_starts) {
      gaps.add({last, call.site, call.enter_ns - static_cast<std::int64_t>(gap_ns), call.enter_ns, own_waits.of(call)});
      if (const auto wanted = before_of.find(call.site); wanted != before_of.end()) {
        add_call(gaps, wanted->second);
        for (const LateCall& one : std::ranges::equal_range(late_, call.enter_ns, {}, &LateCall::enter_ns))
          if (one.path == path(call.site).hash) add_late_call(gaps, one, wanted->second);
      }
      if (!only_starts) gaps.completed();
    });
  }

  static void add_call(const RecentGaps& gaps, Befores& befores) {
    for (const Gap& gap : gaps.before_starts(INT64_MAX))
      if (gap.ns() > 0) befores.all[gap.calls()] += gap.ns();
  }

  static void add_late_call(const RecentGaps& gaps, const LateCall& late, Befores& befores) {
    const auto longest = gaps.longest_since(late.enter_ns - std::llround(std::min(late.wait_ns, 0x1p60)));
    const auto calls = longest.back().calls();
    const bool is_first = !befores.late.contains(calls);
    double more_ns = 0;
    for (const Gap& gap : longest)
      if (is_first || gap.begin_ns > befores.late_begin_ns) more_ns += gap.ns();
    if (is_first && more_ns <= 0) return;
    befores.late[calls] += more_ns;
    befores.late_waits[calls] += late.wait_ns;
    befores.late_begin_ns = std::max(befores.late_begin_ns, longest.back().begin_ns);
  }

  const ProfilePath& path(std::int32_t number) const { return profile_.paths[at(number)]; }
  const std::string& kind(std::int32_t number) const { return profile_.regions[at(path(number).region)].kind; }

  double value(std::int32_t number, int metric) const { // of all threads
    const Values& values = path(number).values;
    if (static_cast<std::size_t>(metric) >= values.size()) return 0;
    double sum = 0;
    for (const double of_thread : values[static_cast<std::size_t>(metric)]) sum += of_thread;
    return sum;
  }
  /// Time that a call path itself may have worked for.
  double own_work_ns(std::int32_t number) const {
    if (path(number).folded >= 0) return 0; // a single step: counted in that of all steps
    const bool works = kind(number) == "io" || !is_mpi(profile_.regions[at(path(number).region)]);
    return works && kind(number) != "tool" ? value(number, run_file::exclusive_ns) : 0;
  }

  std::int32_t common(std::int32_t a, std::int32_t b) const {
    std::set<std::int32_t> above;
    for (std::int32_t one = path(a).parent; one >= 0; one = path(one).parent) above.insert(one);
    for (std::int32_t one = path(b).parent; one >= 0; one = path(one).parent)
      if (above.count(one)) return one;
    return 0;
  }

  std::int32_t work_between(std::int32_t before, std::int32_t late, double gap_ns) const {
    constexpr double enough = 0.5; // of the time that is looked for: times of call paths are estimates
    std::int32_t top = before >= 0 ? common(before, late) : 0;
    while (path(top).parent >= 0 &&
           value(top, run_file::computation_ns) + value(top, run_file::io_ns) < enough * gap_ns)
      top = path(top).parent;
    // Call paths are numbered in the order of their first visits: what lies between the two calls was visited there at
    // first; if the late one is the earlier, in a loop, what lies behind the one or before the other. Its callers are
    // open. Only where these cannot have worked for so long it is something else.
    const auto between = [&](std::int32_t one) {
      if (before < late ? before < one && one < late : before < one || one < late) return true;
      return is_above(one, late);
    };
    const Work work(*this, top, between);
    return work.sum_ns() >= enough * gap_ns ? work.surely_in(gap_ns)
                                            : Work(*this, top, [](std::int32_t) { return true; }).surely_in(gap_ns);
  }

  bool is_above(std::int32_t above, std::int32_t one) const {
    while (one > above) one = path(one).parent;
    return one == above;
  }

  /// Own work of the call paths from `top` on that `counts`, over the run.
  class Work {
  public:
    template <class Counts>
    Work(const Doing& doing, std::int32_t top, Counts counts)
        : doing_(doing), top_(top), with_callees_ns_(doing.profile_.paths.size()) {
      std::vector<char> below(with_callees_ns_.size());
      for (std::int32_t one = top; at(one) < below.size(); ++one) { // parents before children
        const std::int32_t parent = doing.path(one).parent;
        below[at(one)] = one == top || (parent >= 0 && below[at(parent)]);
        if (!below[at(one)] || !counts(one)) continue;
        with_callees_ns_[at(one)] = doing.own_work_ns(one);
        if (doing.own_work_ns(one) <= heaviest_ns_) continue;
        heaviest_ = one;
        heaviest_ns_ = doing.own_work_ns(one);
      }
      for (auto one = static_cast<std::int32_t>(below.size()) - 1; one > top; --one)
        if (below[at(one)]) with_callees_ns_[at(doing.path(one).parent)] += with_callees_ns_[at(one)];
    }

    double sum_ns() const { return with_callees_ns_[at(top_)]; }

    /// The call path that has done most, if the others cannot have done nearly all of the work in the gaps: else the
    /// innermost of its callers that has surely done a part, with its callees. -1: there was no work.
    std::int32_t surely_in(double gap_ns) const {
      constexpr double part = 0.25;
      const auto surely = [&](double work_ns) { return gap_ns - (sum_ns() - work_ns) >= part * gap_ns; };
      if (heaviest_ < 0 || surely(heaviest_ns_)) return heaviest_;
      std::int32_t one = heaviest_;
      while (one != top_ && !surely(with_callees_ns_[at(one)])) one = doing_.path(one).parent;
      return one;
    }

  private:
    const Doing& doing_;
    std::int32_t top_, heaviest_ = -1;
    double heaviest_ns_ = 0;
    std::vector<double> with_callees_ns_; // by call path
  };

  const RankLog& log_;
  const Profile& profile_;
  const std::vector<LateCall>& late_;
  const std::vector<Wait>& waits_;
};

} // namespace

void find_doing(const RankLog& log, const Profile& profile, const std::vector<LateCall>& late,
                const std::vector<Wait>& waits, std::vector<WaitOrigin>& origins) {
  Doing(log, profile, late, waits).find(origins);
}

} // namespace andes::monitor
