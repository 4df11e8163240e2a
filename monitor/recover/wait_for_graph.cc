// See wait_for_graph.h. Strong components by Tarjan's algorithm.
#include "monitor/recover/wait_for_graph.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "common/index.h"
#include "monitor/recover/wait_needs.h"

namespace andes::monitor {
namespace {

using What = HangState::What;

bool is_wait(What what) { return what == What::waits || what == What::polls; }

class Graph {
public:
  Graph(const std::vector<RankState>& ranks, double least_wait_s) : ranks_(ranks), least_wait_s_(least_wait_s) {
    int size = 0;
    for (const RankState& state : ranks_) size = std::max({size, state.size, state.rank + 1});
    by_rank_.resize(at(size));
    for (const RankState& state : ranks_) by_rank_[at(state.rank)] = &state;
    needs_.resize(ranks_.size());
    stuck_.resize(at(size));
    WaitNeeds needs(by_rank_);
    for (std::size_t i = 0; i < ranks_.size(); ++i) {
      for (const ThreadActivity& thread : ranks_[i].threads) needs_[i].push_back(needs.of(ranks_[i], thread));
      stuck_[at(ranks_[i].rank)] = can_do_nothing(i, false);
    }
    release();
  }

  Hang hang() {
    Hang found;
    find_components();
    std::set<int> ended_waiters;
    for (const std::vector<int>& component : components_) add_deadlock(found, component);
    for (const RankState& state : ranks_) {
      if (!stuck_[at(state.rank)] || component_of_.count(state.rank)) continue;
      if (const std::optional<std::size_t> deadlock = deadlock_before(state.rank))
        add_behind(found.findings[*deadlock], state.rank);
      else ended_waiters.insert(state.rank);
    }
    add_ended(found, ended_waiters);
    add_unlikely_to_end(found);
    add_waits(found);
    return found;
  }

private:
  const RankState* find(int rank) const {
    return rank >= 0 && at(rank) < by_rank_.size() ? by_rank_[at(rank)] : nullptr;
  }

  // ---- who is stuck ---------------------------------------------------------------------------------

  bool is_waiting(const ThreadActivity& thread) const {
    return is_wait(thread.what) && (thread.since_s < 0 || thread.since_s >= least_wait_s_);
  }

  /// Whether the library decides for whom a call waits: it may end before those that are missing have called it.
  static bool may_end_early(const Needs& needs) { return needs.soft && !needs.arrives; }

  /// All threads of the rank wait, as far as it is known. `early`: no call ends before all have called it.
  bool can_do_nothing(std::size_t i, bool early) const {
    bool waits = false;
    for (std::size_t k = 0; k < ranks_[i].threads.size(); ++k) {
      const ThreadActivity& thread = ranks_[i].threads[k];
      if (thread.idle) continue;
      const Needs& needs = needs_[i][k];
      if (!is_waiting(thread) || needs.possible || thread.usual) return false;
      if (needs.soft && !(early && may_end_early(needs))) return false;
      waits = true;
    }
    return waits;
  }

  bool is_gone(int rank) const {
    const RankState* state = find(rank);
    return state && (state->gone || state->finalizes);
  }

  bool may_act(int rank) const { return !is_gone(rank) && (!find(rank) || !stuck_[at(rank)]); }
  bool may_hold(const Clause& clause) const {
    return std::any_of(clause.begin(), clause.end(), [&](int rank) { return may_act(rank); });
  }

  /// Whether it is in a loop over polls, which may have another end.
  static bool is_in_loop(const RankState& rank) {
    return std::any_of(rank.threads.begin(), rank.threads.end(),
                       [](const ThreadActivity& thread) { return thread.what == What::polls && !thread.idle; });
  }

  /// Takes out, again and again, the ranks whose waits others may end.
  void release() {
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t i = 0; i < ranks_.size(); ++i) {
        if (!stuck_[at(ranks_[i].rank)]) continue;
        for (std::size_t k = 0; k < needs_[i].size() && stuck_[at(ranks_[i].rank)]; ++k) {
          if (ranks_[i].threads[k].idle) continue;
          const std::vector<Clause>& clauses = needs_[i][k].clauses;
          if (!std::all_of(clauses.begin(), clauses.end(), [&](const Clause& one) { return may_hold(one); })) continue;
          stuck_[at(ranks_[i].rank)] = false;
          changed = true;
        }
      }
    }
  }

  /// Those that are stuck even if the ranks for which `acts` holds are not.
  template <class Acts> std::vector<bool> stuck_if(Acts&& acts) {
    std::vector<bool> stuck = stuck_;
    for (const RankState& state : ranks_)
      if (acts(state)) stuck_[at(state.rank)] = false;
    release();
    stuck.swap(stuck_);
    return stuck;
  }

  // ---- cycles ---------------------------------------------------------------------------------------

  /// The ranks that a stuck rank waits for in vain.
  std::vector<int> edges(int rank) const {
    std::set<int> to;
    const std::size_t i = static_cast<std::size_t>(find(rank) - ranks_.data());
    for (std::size_t k = 0; k < needs_[i].size(); ++k)
      for (const Clause& clause : needs_[i][k].clauses)
        if (!ranks_[i].threads[k].idle && !may_hold(clause)) to.insert(clause.begin(), clause.end());
    return {to.begin(), to.end()};
  }

  struct Step {
    int rank;
    std::vector<int> to;
    std::size_t next;
  };

  void find_components() {
    components_.clear();
    component_of_.clear();
    stuck_without_loops_ = stuck_if(is_in_loop);
    stuck_without_threads_ = stuck_if([](const RankState& rank) { return rank.more_threads; });
    std::vector<int> number(by_rank_.size(), -1), low(by_rank_.size(), 0), open;
    std::vector<bool> is_open(by_rank_.size());
    int count = 0;
    for (const RankState& root : ranks_) {
      if (!stuck_[at(root.rank)] || number[at(root.rank)] >= 0) continue;
      std::vector<Step> path;
      const auto enter = [&](int rank) {
        number[at(rank)] = low[at(rank)] = count++;
        open.push_back(rank);
        is_open[at(rank)] = true;
        path.push_back({rank, edges(rank), 0});
      };
      enter(root.rank);
      while (!path.empty()) {
        Step& step = path.back();
        if (step.next < step.to.size()) {
          const int to = step.to[step.next++];
          if (is_gone(to)) continue;
          if (number[at(to)] < 0) enter(to);
          else if (is_open[at(to)]) low[at(step.rank)] = std::min(low[at(step.rank)], number[at(to)]);
          continue;
        }
        const int rank = step.rank;
        const bool self = std::find(step.to.begin(), step.to.end(), rank) != step.to.end();
        path.pop_back();
        if (!path.empty()) low[at(path.back().rank)] = std::min(low[at(path.back().rank)], low[at(rank)]);
        if (low[at(rank)] != number[at(rank)]) continue;
        std::vector<int> component;
        for (int last = -1; last != rank;) {
          last = open.back();
          open.pop_back();
          is_open[at(last)] = false;
          component.push_back(last);
        }
        if (component.size() == 1 && !self) continue;
        std::sort(component.begin(), component.end());
        components_.push_back(std::move(component));
      }
    }
    std::sort(components_.begin(), components_.end());
    for (std::size_t i = 0; i < components_.size(); ++i)
      for (const int rank : components_[i]) component_of_[rank] = i;
  }

  /// The function of a call that the library may end early, of these ranks or one that they wait for in turn.
  std::string early_call(std::vector<int> left) const {
    std::set<int> seen(left.begin(), left.end());
    for (std::size_t next = 0; next < left.size(); ++next) {
      const int rank = left[next];
      if (is_gone(rank)) continue;
      const std::size_t i = static_cast<std::size_t>(find(rank) - ranks_.data());
      for (std::size_t k = 0; k < needs_[i].size(); ++k)
        if (may_end_early(needs_[i][k]) && !ranks_[i].threads[k].idle)
          return ranks_[i].threads[k].function.empty() ? "a call of MPI" : ranks_[i].threads[k].function;
      for (const int to : edges(rank))
        if (seen.insert(to).second) left.push_back(to);
    }
    return {};
  }

  /// A deadlock that the rank waits for in turn.
  std::optional<std::size_t> deadlock_before(int from) const {
    std::set<int> seen;
    std::vector<int> left = {from};
    while (!left.empty()) {
      const int rank = left.back();
      left.pop_back();
      if (const auto known = component_of_.find(rank); known != component_of_.end()) return known->second;
      if (is_gone(rank) || !seen.insert(rank).second) continue;
      for (const int to : edges(rank)) left.push_back(to);
    }
    return std::nullopt;
  }

  // ---- findings -------------------------------------------------------------------------------------

  HangState state_of(const RankState& rank, std::size_t k) const {
    const std::size_t i = static_cast<std::size_t>(&rank - ranks_.data());
    const ThreadActivity& thread = rank.threads[k];
    HangState state;
    state.what = thread.what;
    state.ranks = {rank.rank};
    state.thread = thread.thread;
    state.call = thread.call;
    state.path = thread.path;
    state.place = thread.place;
    state.since_s = thread.since_s;
    std::set<int> all;
    for (const Clause& clause : needs_[i][k].clauses)
      if (!stuck_[at(rank.rank)] || !may_hold(clause)) {
        all.insert(clause.begin(), clause.end());
        state.any = state.any || clause.size() > 1;
      }
    state.waits_for.assign(all.begin(), all.end());
    // For whom it waits is not known, or nobody keeps it: its message is on the way.
    if (is_wait(state.what) && (state.waits_for.empty() || needs_[i][k].possible)) state.what = What::calls;
    return state;
  }

  /// Adds a state; ranks that do the same share one.
  static void add(std::vector<HangState>& states, HangState state) {
    for (HangState& known : states)
      if (known.what == state.what && known.thread == state.thread && known.call == state.call &&
          known.path == state.path && known.place == state.place && known.waits_for == state.waits_for) {
        known.ranks.insert(known.ranks.end(), state.ranks.begin(), state.ranks.end());
        known.since_s = std::min(known.since_s, state.since_s);
        return;
      }
    states.push_back(std::move(state));
  }

  void add_states(std::vector<HangState>& states, int rank) const {
    const RankState* state = find(rank);
    if (!state || state->gone || state->finalizes) {
      HangState one;
      one.ranks = {rank};
      one.what = !state ? What::off : state->gone ? What::ended : What::finalizes;
      if (state) one.call = state->ending;
      return add(states, std::move(one));
    }
    for (std::size_t k = 0; k < state->threads.size(); ++k)
      if (!state->threads[k].idle) add(states, state_of(*state, k));
    if (!state->threads.empty()) return;
    HangState one;
    one.ranks = {rank};
    one.what = What::off;
    add(states, std::move(one));
  }

  void note_doubts(HangFinding& finding, int rank) const {
    finding.more_threads = finding.more_threads || !stuck_without_threads_[at(rank)];
    finding.polls = finding.polls || !stuck_without_loops_[at(rank)];
  }

  void add_deadlock(Hang& found, const std::vector<int>& component) const {
    HangFinding finding;
    finding.kind = HangFinding::Kind::deadlock;
    finding.ranks = component;
    finding.early = early_call(component);
    for (const int rank : component) {
      add_states(finding.states, rank);
      note_doubts(finding, rank);
      const std::size_t i = static_cast<std::size_t>(find(rank) - ranks_.data());
      for (const Needs& needs : needs_[i])
        if (needs.order && finding.kind == HangFinding::Kind::deadlock) {
          finding.kind = HangFinding::Kind::order;
          finding.reason = needs.reason;
        }
    }
    found.findings.push_back(std::move(finding));
  }

  void add_behind(HangFinding& finding, int rank) const {
    finding.behind.push_back(rank);
    add_states(finding.states, rank);
  }

  void add_ended(Hang& found, const std::set<int>& waiters) const {
    if (waiters.empty()) return;
    HangFinding finding;
    finding.kind = HangFinding::Kind::ended;
    std::set<int> gone;
    for (const int rank : waiters) {
      finding.ranks.push_back(rank);
      note_doubts(finding, rank);
      add_states(finding.states, rank);
      for (const int to : edges(rank))
        if (is_gone(to)) gone.insert(to);
    }
    for (const int rank : gone) add_states(finding.states, rank);
    found.findings.push_back(std::move(finding));
  }

  /// Deadlocks that last unless a call ends early, of ranks that no certain one has. Each has such a call, or waits for
  /// a rank with one: else its ranks were stuck before.
  void add_unlikely_to_end(Hang& found) {
    const std::vector<bool> certain = stuck_;
    for (std::size_t i = 0; i < ranks_.size(); ++i)
      if (can_do_nothing(i, true)) stuck_[at(ranks_[i].rank)] = true;
    release();
    find_components();
    std::vector<bool> told = certain;
    for (const std::vector<int>& component : components_) {
      if (std::any_of(component.begin(), component.end(), [&](int rank) { return certain[at(rank)]; })) continue;
      add_deadlock(found, component);
      for (const int rank : component) told[at(rank)] = true;
    }
    stuck_ = told;
  }

  /// Ranks that wait for long, though others may still act, and what those do.
  void add_waits(Hang& found) const {
    HangFinding finding;
    std::set<int> waited_for, waiting;
    for (std::size_t i = 0; i < ranks_.size(); ++i)
      for (std::size_t k = 0; k < ranks_[i].threads.size(); ++k) {
        if (stuck_[at(ranks_[i].rank)] || !is_waiting(ranks_[i].threads[k])) continue;
        HangState state = state_of(ranks_[i], k);
        if (!is_wait(state.what)) continue;
        waiting.insert(ranks_[i].rank);
        waited_for.insert(state.waits_for.begin(), state.waits_for.end());
        add(finding.states, std::move(state));
      }
    if (waiting.empty()) return;
    std::stable_sort(finding.states.begin(), finding.states.end(),
                     [](const HangState& a, const HangState& b) { return a.since_s > b.since_s; });
    // What they wait for comes first, as it is the reason.
    std::vector<HangState> reasons;
    for (const int rank : waited_for)
      if (!waiting.count(rank)) add_states(reasons, rank);
    constexpr std::size_t most = 3;
    if (reasons.size() > most) reasons.resize(most);
    finding.states.insert(finding.states.begin() + (finding.states.empty() ? 0 : 1), reasons.begin(), reasons.end());
    finding.ranks.assign(waiting.begin(), waiting.end());
    found.findings.push_back(std::move(finding));
  }

  const std::vector<RankState>& ranks_;
  double least_wait_s_;
  std::vector<const RankState*> by_rank_;
  std::vector<std::vector<Needs>> needs_; // by index in ranks_, by thread
  std::vector<bool> stuck_; // by rank
  std::vector<bool> stuck_without_loops_, stuck_without_threads_; // likewise, if loops end, or threads act
  std::vector<std::vector<int>> components_;
  std::map<int, std::size_t> component_of_; // of ranks in deadlocks
};

} // namespace

Hang find_hang(const std::vector<RankState>& ranks, double least_wait_s) {
  constexpr int most_ranks = 1 << 16; // the number of ranks comes from an arena and is not trusted
  for (const RankState& state : ranks)
    if (state.size > most_ranks) return {};
  return Graph(ranks, least_wait_s).hang();
}

} // namespace andes::monitor
