#include "monitor/core/governor.h"

#include "monitor/core/bounds.h"
#include "monitor/core/forecast.h"
#include "monitor/core/price_ladder.h"
#include "monitor/core/region_savings.h"

namespace andes::monitor {
namespace {

// Shares of the budget: the forecast may reach `upper`; above it, it is brought down to `target`; below
// `lower`, call paths are measured more exactly again.
constexpr double upper = 0.9, target = 0.7, lower = 0.5;
// Share of the budget for the timed visits of a sampled call path, and of all of them together. A few hundred that are
// spread over all of the run tell more than the windows of a region that is closed for what more of them cost (decision
// 306).
constexpr double most_timed = 1.0 / 16, most_timed_by_all = 1.0 / 4, least_timed_by_all = 1.0 / 16;
constexpr double shortest_ms = 1, longest_ms = 50; // between sweeps
// To look at all call paths takes about a pair each: so often that this stays within that share of the budget, unless
// visits that were due tell of a burst (decision 293).
constexpr double share_of_looks = 0.1, sooner_in_bursts = 1.0 / 8;
constexpr double first_calm_ms = 500, longest_calm_ms = 10'000;
constexpr std::int64_t next_review = 2048;
constexpr double least_worth = 0.003; // of the budget: see give_up()
constexpr double fewest_visits = 16; // in a sweep, for a decision to time a call path less
// Of what has to be saved: call paths that together cost less are not sampled where sampling all is not enough.
constexpr double hardly_any_help = 0.05;
// What known_call() is taken for: it and the short slow path add 10 ns to a call where nothing else happens, 30 to
// 50 ns in programs whose data replace the monitor's in the caches; a pair takes 16 to 20 ns.
constexpr double pairs_of_known_call = 2;
// What the long slow path adds where find_caller() knows the result, 60 ns: that of calls of MPI below closed functions
// before there was a short one. With it windows tell as many visits of such callees as there are.
constexpr double pairs_of_known_search = 3.5;
// A call path of this price costs less than half the budget if it takes all of the time.
double least_price(const Governor& governor) { return governor.budget / 2; }

void sample_from_now(Governor& governor, Tree& tree, std::uint32_t node, const Recent& recent, double ticks) {
  governor.seed += 0x9e3779b97f4a7c15ull;
  if (!make_sampled(tree, node, governor.seed)) return;
  SampleRecord& record = tree.records[tree.node(node).record];
  if (record.recent_ticks == 0) record.recent_ticks = recent.mean_ticks;
  record.next_block = block_length(governor, recent.visits / ticks);
  set_countdown(tree, node, next_gap(record.blocks, record.next_block));
}

void add(ToClose& to_close, std::uint32_t region) {
  for (std::uint32_t i = 0; i < to_close.count; ++i)
    if (to_close.regions[i] == region) return;
  if (to_close.count < ToClose::most) to_close.regions[to_close.count++] = region;
}

// Lowers the cost by `excess` (ticks, of the `ticks` since the last sweep): first the call paths that tell least
// for their price. What costs next to nothing is not closed, and is sampled only where else something would have to be
// closed, or the excess remain. A call path that is sampled from now on can be closed by the next sweep, and is taken
// into account as such: else others, which are less dear, would be closed for what it costs until then.
void give_up(Governor& governor, Tree& tree, double excess, double ticks, ToClose& to_close) {
  const double least = least_price(governor), worth = least_worth * governor.budget * ticks;
  // Whether a call path of few visits meets a sweep in which they look dear is chance: in short ones they do.
  const double little = least_worth * governor.budget * at_least(ticks, longest_ms * governor.costs.ticks_per_ms);
  PriceLadder exact, exact_and_little, counted;
  PriceLadder shares; // of `excess` that an exact call path costs, in place of prices
  const auto cost_of = [&](std::uint32_t node, const Recent& recent) { // of each visit
    return cost_now(governor, tree, node) + search_of(tree, node, recent.visits);
  };
  const auto saved_if_closed = [&](std::uint32_t node, const Recent& recent) {
    return cost_of(node, recent) - tree.accounts[node].searches_below * ticks / recent.visits;
  };
  const auto is_exact = [&](std::uint32_t node) {
    return !is_sampled(tree.node(node)) && may_be_sampled(governor, tree, node);
  };
  const auto is_dear = [&](const Recent& recent, double saved) {
    return saved > least * recent.mean_ticks && recent.visits * saved > little;
  };
  RegionSavings savings;
  for_each_visited(governor, tree, 1, [&](std::uint32_t node, const Recent& recent) {
    if (tree.accounts[node].searches_below * ticks > worth || is_dear(recent, saved_if_closed(node, recent)))
      savings.watch(tree.node(node).region);
  });
  for_each_visited(governor, tree, 1, [&](std::uint32_t node, const Recent& recent) {
    const std::uint32_t region = tree.node(node).region;
    if (savings.watches(region))
      savings.add(region, recent.visits * saved_if_closed(node, recent), recent.visits * recent.mean_ticks);
  });
  const auto is_worth_closing = [&](std::uint32_t node, const Recent& recent, double saved) {
    return is_dear(recent, saved) && savings.exceed(tree.node(node).region, worth, least);
  };
  const auto add_closing = [&](std::uint32_t node, const Recent& recent, double saved) {
    if (is_worth_closing(node, recent, saved)) counted.add(saved / recent.mean_ticks, recent.visits * saved);
  };
  for_each_visited(governor, tree, fewest_visits, [&](std::uint32_t node, const Recent& recent) {
    if (may_be_closed(governor, tree, node)) {
      add_closing(node, recent, saved_if_closed(node, recent));
    } else if (const double cost = cost_of(node, recent); is_exact(node) && cost > least * recent.mean_ticks) {
      const double price = cost / recent.mean_ticks, saved = saved_if_sampled(governor, tree, node, recent, ticks);
      shares.add(recent.visits * cost / excess, recent.visits * cost);
      if (saved > 0) exact_and_little.add(price, recent.visits * saved);
      if (saved > 0 && recent.visits * cost > little) exact.add(price, recent.visits * saved);
      add_closing(node, recent, saved_if_closed(node, recent) - saved);
    }
  });
  const bool with_little =
      exact.total() < excess && (exact_and_little.total() >= excess || exact.total() + counted.total() < excess);
  const PriceLadder& sampled = with_little ? exact_and_little : exact;
  const double saved_by_sampling = sampled.total() < excess ? sampled.total() : excess;
  const double dear = at_least(sampled.price_that_saves(excess), least);
  // After a burst of tiny visits what follows it would be sampled for their cost.
  const double no_help = sampled.total() < excess ? excess * shares.price_within(hardly_any_help * excess) : 0;
  const double too_dear = excess > saved_by_sampling
                              ? at_least(counted.price_that_saves(excess - saved_by_sampling), least)
                              : PriceLadder::beyond_all;
  for_each_visited(governor, tree, fewest_visits, [&](std::uint32_t node, const Recent& recent) {
    if (may_be_closed(governor, tree, node)) {
      const double saved = saved_if_closed(node, recent);
      if (saved / recent.mean_ticks >= too_dear && is_worth_closing(node, recent, saved))
        add(to_close, tree.node(node).region);
    } else if (const double cost = cost_of(node, recent);
               is_exact(node) && cost / recent.mean_ticks >= dear && (with_little || recent.visits * cost > little)) {
      // Where that does not save enough, the next sweep may have to close what this one samples.
      if (sampled.total() < excess ? recent.visits * cost >= no_help
                                   : saved_if_sampled(governor, tree, node, recent, ticks) > 0)
        sample_from_now(governor, tree, node, recent, ticks);
    }
  });
}

// Sampled call paths that are not closed.
template <class Each> void for_each_sampled(const Governor& governor, const Tree& tree, Each each) {
  for_each_visited(governor, tree, 1, [&](std::uint32_t node, const Recent& recent) {
    if (is_sampled(tree.node(node)) && !is_windowed(tree, node)) each(node, recent);
  });
}

// Sampled call paths that would be cheaper exact become so, if that keeps the budget: else some may have to be closed.
// Returns the ticks that it would have saved.
double make_cheap_ones_exact(const Governor& governor, Tree& tree, double excess, double ticks) {
  const auto is_cheap = [&](std::uint32_t node, const Recent& recent) {
    return recent.visits >= fewest_visits && saved_if_sampled(governor, tree, node, recent, ticks) < 0;
  };
  double saved = 0;
  for_each_sampled(governor, tree, [&](std::uint32_t node, const Recent& recent) {
    if (is_cheap(node, recent)) saved -= recent.visits * saved_now(governor, tree, node);
  });
  if (saved < excess) return 0;
  for_each_sampled(governor, tree, [&](std::uint32_t node, const Recent& recent) {
    if (is_cheap(node, recent)) make_exact(tree, node);
  });
  return saved;
}

double cost_of_timed(const Governor& governor, const Tree& tree) { // in sampled call paths, since the last sweep
  double ticks = 0;
  for_each_sampled(governor, tree, [&](std::uint32_t node, const Recent& recent) {
    ticks += recent.visits * governor.costs.sample / at_least(tree.records[tree.node(node).record].next_block, 1);
  });
  return ticks;
}

// Lengthens blocks to lower the cost by `wanted`, or as far as that goes, if by `needed` at least: else regions are
// closed, and there is room again. Returns the ticks that it would have saved.
double time_fewer(Governor& governor, const Tree& tree, double needed, double wanted) {
  const double ticks = cost_of_timed(governor, tree);
  const double most = ticks * (1 - least_timed_by_all / governor.timed_by_all);
  if (ticks <= 0 || most < needed) return 0;
  const double saved = wanted < most ? wanted : most;
  governor.timed_by_all *= 1 - saved / ticks;
  return saved;
}

// Shortens them as before, if the cost may rise by as much. Returns the ticks of it.
double time_more(Governor& governor, const Tree& tree, double room) {
  const double more = cost_of_timed(governor, tree) * (most_timed_by_all / governor.timed_by_all - 1);
  if (more > room) return 0;
  governor.timed_by_all = most_timed_by_all;
  return more;
}

// Cost may rise by `room`: the call paths that tell most for their price are the first to be timed at every
// visit again.
bool take_back(Governor& governor, Tree& tree, double room) {
  const auto more_if_exact = [&](std::uint32_t node) { return at_least(saved_now(governor, tree, node), 0); };
  PriceLadder sampled;
  for_each_sampled(governor, tree, [&](std::uint32_t node, const Recent& recent) {
    sampled.add(more_if_exact(node) / recent.mean_ticks, recent.visits * more_if_exact(node));
  });
  const double affordable = sampled.price_within(room);
  bool any = false;
  for_each_sampled(governor, tree, [&](std::uint32_t node, const Recent& recent) {
    if (more_if_exact(node) / recent.mean_ticks >= affordable) return;
    make_exact(tree, node);
    any = true;
  });
  return any;
}

// What may be spent on top of the budget in a short interval: the cost of short ones is compared with the budget of the
// longest.
double burst_of(const Governor& governor) { return governor.budget * longest_ms * governor.costs.ticks_per_ms; }

bool is_time_to_look(const Governor& governor, const Tree& tree, std::uint64_t now_ticks) {
  const auto since_ticks = static_cast<double>(now_ticks - governor.looked_ticks);
  const double patience_ticks = tree.node_count * governor.costs.pair / (share_of_looks * governor.budget);
  if (since_ticks >= patience_ticks || since_ticks >= longest_ms * governor.costs.ticks_per_ms) return true;
  return governor.known_ticks >= burst_of(governor) && since_ticks >= sooner_in_bursts * patience_ticks;
}

// While it lives the time of an exact call path contains that of its open visit. Visits of recursion are counted as
// they begin and have no time of their own: without the visit that they are part of they would look shorter than
// anything, and their region would be closed first.
class WithOpenVisits {
public:
  WithOpenVisits(Tree& tree, const OpenFrames& open, std::uint64_t now_ticks)
      : tree_(tree), open_(open), now_ticks_(now_ticks) {
    add(0 - std::uint64_t{1});
  }
  ~WithOpenVisits() { add(1); } // what is counted now is none of the next sweep's
  WithOpenVisits(const WithOpenVisits&) = delete;
  WithOpenVisits& operator=(const WithOpenVisits&) = delete;

private:
  void add(std::uint64_t sign) {
    const andes_frame* frame = open_.first;
    for (int left = most_frames; left > 0 && frame != open_.end; --left, ++frame)
      if (!(frame->bits & (ANDES_FRAME_FOLDED | ANDES_FRAME_UNTIMED | ANDES_FRAME_SAMPLE)))
        tree_.accounts[tree_.number(tree_.node_at(frame->place))].swept_inclusive +=
            sign * (now_ticks_ - frame->enter_ticks);
  }

  static constexpr int most_frames = 256; // recursion may be deep, and its first visit is further out
  Tree& tree_;
  OpenFrames open_;
  std::uint64_t now_ticks_;
};

// Call paths that take all of their share share what is for all.
void share_timed_visits(Governor& governor, const Tree& tree, double ticks) {
  governor.timed_share = most_timed;
  double many = 0;
  for_each_sampled(governor, tree, [&](std::uint32_t, const Recent& recent) {
    if (block_length(governor, recent.visits / ticks) > shortest_block) many++;
  });
  if (many * most_timed > governor.timed_by_all) governor.timed_share = governor.timed_by_all / many;
}

// Begins the interval that the next sweep looks at.
void begin_anew(Governor& governor, Tree& tree, std::uint64_t now_ticks) {
  const double ticks = at_least(static_cast<double>(now_ticks - governor.swept_ticks), 1);
  share_timed_visits(governor, tree, ticks);
  for (std::uint32_t node = first_free_node; node < tree.node_count; ++node) {
    const andes_node& hot = tree.node(node);
    NodeAccount& account = tree.accounts[node];
    const auto visits = static_cast<std::uint64_t>(tree.visits(node));
    if (is_sampled(hot) && !is_windowed(tree, node))
      tree.records[hot.record].next_block =
          block_length(governor, static_cast<double>(visits - account.swept_visits) / ticks);
    account.swept_visits = visits;
    account.search_ticks = 0;
    account.swept_inclusive = hot.inclusive_ticks;
  }
  governor.swept_ticks = now_ticks;
  governor.known_ticks = 0;
}

} // namespace

void governor_start(Governor& governor, double budget, bool may_close, const ProbeCosts& costs, std::uint64_t seed,
                    std::uint64_t now_ticks) {
  governor = {.budget = budget,
              .may_close = may_close,
              .costs = {},
              .seed = seed,
              .timed_by_all = most_timed_by_all,
              .timed_share = most_timed};
  take_costs(governor, costs);
  governor_restart(governor, now_ticks);
}

void take_costs(Governor& governor, const ProbeCosts& costs) {
  load_costs(governor.costs, costs);
  governor.known_call_ticks = static_cast<std::uint64_t>(pairs_of_known_call * governor.costs.pair);
  governor.known_search_ticks = static_cast<std::uint64_t>(pairs_of_known_search * governor.costs.pair);
}

void governor_restart(Governor& governor, std::uint64_t now_ticks) {
  governor.swept_ticks = governor.looked_ticks = governor.asked_ticks = now_ticks;
  governor.known_ticks = 0;
  governor.calm_until_ticks = 0;
  governor.calm_ms = first_calm_ms;
  governor.forecast = 0;
}

void govern(const Governor& governor, Tree& tree, std::uint32_t node) {
  if (governor.budget > 0) set_countdown(tree, node, first_review);
}

bool review(Governor& governor, Tree& tree, std::uint32_t node, std::uint64_t now_ticks) {
  if (governor.budget <= 0) return false;
  if (!is_sampled(tree.node(node))) {
    const double visits = visits_since_sweep(tree, node);
    governor.known_ticks += exact_cost(governor, tree, node) * (visits < next_review ? visits : next_review);
    set_countdown(tree, node, next_review);
  }
  if (static_cast<double>(now_ticks - governor.asked_ticks) < shortest_ms * governor.costs.ticks_per_ms) return false;
  governor.asked_ticks = now_ticks;
  return true;
}

void sweep(Governor& governor, Tree& tree, const OpenFrames& open, std::uint64_t now_ticks, ToClose& to_close) {
  if (!is_time_to_look(governor, tree, now_ticks)) return;
  const WithOpenVisits with_open_visits(tree, open, now_ticks);
  const double ticks = at_least(static_cast<double>(now_ticks - governor.swept_ticks), 1);
  double cost = governor.known_ticks = spent(governor, tree);
  governor.looked_ticks = now_ticks;
  if (ticks < longest_ms * governor.costs.ticks_per_ms && cost < burst_of(governor)) return;
  const double allowed = governor.budget * ticks;
  if (cost > upper * allowed) cost -= time_fewer(governor, tree, cost - upper * allowed, cost - target * allowed);
  cost -= make_cheap_ones_exact(governor, tree, cost - upper * allowed, ticks);
  governor.forecast = cost / ticks;
  forecast_searches(governor, tree, ticks);
  const auto calm_ticks = [&] { return static_cast<std::uint64_t>(governor.calm_ms * governor.costs.ticks_per_ms); };
  if (cost > upper * allowed) {
    give_up(governor, tree, cost - target * allowed, ticks, to_close);
    if (now_ticks < governor.calm_until_ticks && governor.calm_ms < longest_calm_ms) governor.calm_ms *= 2;
    governor.calm_until_ticks = now_ticks + calm_ticks();
  } else if (cost < lower * allowed && now_ticks >= governor.calm_until_ticks) {
    const double room = target * allowed - cost;
    if (take_back(governor, tree, room - time_more(governor, tree, room)))
      governor.calm_until_ticks = now_ticks + calm_ticks();
  }
  begin_anew(governor, tree, now_ticks);
}

} // namespace andes::monitor
