#include "monitor/core/governor.h"

namespace andes {
namespace {

constexpr double window_ms = 10, review_ms = 5, windows_kept = 4;
constexpr double timed_share = 1.0 / 16; // of the budget, for the timed visits of one call path
constexpr std::uint32_t shortest_block = 8, longest_block = 1 << 16;
constexpr double forget = 1.0 / 16; // weight of a new duration in the running mean

double at_least(double value, double low) { return value > low ? value : low; }

double budget_of_window(const Governor& governor) {
  return governor.budget * window_ms * governor.costs->ticks_per_ms;
}

// Pays for a stretch of visits out of an account that the budget fills as time goes by. The account
// holds some windows' worth, so a short burst is free, and owes one at most, so what was spent before
// anybody looked is soon forgotten. Each window that ends in debt halves the threshold.
void spend(Governor& governor, double cost_ticks, std::uint64_t now_ticks) {
  const double window_ticks = window_ms * governor.costs->ticks_per_ms;
  const double worth = budget_of_window(governor);
  const auto elapsed = static_cast<double>(now_ticks - governor.paid_ticks);
  governor.paid_ticks = now_ticks;
  double balance = governor.balance_ticks + governor.budget * elapsed;
  if (balance > windows_kept * worth) balance = windows_kept * worth;
  governor.balance_ticks = at_least(balance - cost_ticks, -worth);
  governor.over = governor.balance_ticks < 0;
  if (!governor.over || static_cast<double>(now_ticks - governor.window_begin_ticks) < window_ticks)
    return;
  governor.threshold = at_least(governor.threshold / 2, governor.budget);
  governor.window_begin_ticks = now_ticks;
}

// Length of blocks at which the timed visits of this call path stay within their share.
std::uint32_t block_length(const Governor& governor, double visits_per_tick) {
  const double length = visits_per_tick * governor.costs->sample / (timed_share * governor.budget);
  if (!(length > shortest_block)) return shortest_block;
  return length < longest_block ? static_cast<std::uint32_t>(length) : longest_block;
}

struct Recent {
  double visits, ticks; // since the last review
};

double hook_of(const Governor& governor, const Tree& tree, std::uint32_t node) {
  return tree.accounts[node].by_hooks ? governor.costs->hook : 0;
}

bool review_exact(Governor& governor, Tree& tree, std::uint32_t node, Recent recent) {
  NodeAccount& account = tree.accounts[node];
  const ProbeCosts& costs = *governor.costs;
  const double inclusive =
      static_cast<double>(tree.node(node).inclusive_ticks - account.review_inclusive);
  account.review_inclusive = tree.node(node).inclusive_ticks;
  const double mean = at_least(inclusive / at_least(recent.visits, 1) - costs.inner, 1);
  const double rate = recent.visits / at_least(recent.ticks, 1);
  set_countdown(tree, node, first_review);
  if (governor.over && costs.pair + hook_of(governor, tree, node) > governor.threshold * mean) {
    if (account.pins != 0 || !governor.may_sample) return governor.may_mute;
    governor.seed += 0x9e3779b97f4a7c15ull;
    if (!make_sampled(tree, node, governor.seed)) return governor.may_mute;
    SampleRecord& record = tree.records[tree.node(node).record];
    record.recent_ticks = mean;
    record.next_block = block_length(governor, rate);
    set_countdown(tree, node, next_gap(record.blocks, record.next_block));
    return false;
  }
  const double next = rate * review_ms * costs.ticks_per_ms;
  set_countdown(tree, node, next < 1e9 ? static_cast<std::int64_t>(at_least(next, first_review))
                                       : 1'000'000'000);
  return false;
}

bool review_sampled(Governor& governor, Tree& tree, std::uint32_t node, Recent recent) {
  SampleRecord& record = tree.records[tree.node(node).record];
  const ProbeCosts& costs = *governor.costs;
  record.next_block = block_length(governor, recent.visits / at_least(recent.ticks, 1));
  const double mean = at_least(record.recent_ticks - costs.sample_inner, 1);
  const double visit = costs.sampled + hook_of(governor, tree, node) + costs.sample / record.next_block;
  return governor.over && governor.may_mute && visit > governor.threshold * mean;
}

} // namespace

void governor_start(Governor& governor, double budget, bool may_mute, const ProbeCosts& costs,
                    std::uint64_t seed, std::uint64_t now_ticks) {
  governor = {budget, may_mute, &costs, seed, 1, 0, now_ticks, now_ticks, false};
  governor_restart(governor, now_ticks);
}

void governor_restart(Governor& governor, std::uint64_t now_ticks) {
  governor.balance_ticks = windows_kept * budget_of_window(governor); // a short program stays exact
  governor.paid_ticks = governor.window_begin_ticks = now_ticks;
}

void govern(Governor& governor, Tree& tree, std::uint32_t node, std::uint64_t now_ticks) {
  if (governor.budget <= 0 || ANDES_KIND_IS_MPI(tree.node(node).kind)) return;
  set_countdown(tree, node, first_review);
  tree.accounts[node].review_ticks = now_ticks;
}

bool review(Governor& governor, Tree& tree, std::uint32_t node, std::uint64_t now_ticks) {
  if (governor.budget <= 0) return false;
  NodeAccount& account = tree.accounts[node];
  const auto visits = static_cast<std::uint64_t>(tree.visits(node));
  const Recent recent = {static_cast<double>(visits - account.review_visits),
                         static_cast<double>(now_ticks - account.review_ticks)};
  account.review_visits = visits;
  account.review_ticks = now_ticks;
  const ProbeCosts& costs = *governor.costs;
  const bool sampled = is_sampled(tree.node(node));
  const double hook = hook_of(governor, tree, node);
  spend(governor,
        sampled ? recent.visits * (costs.sampled + hook) + costs.sample : recent.visits * (costs.pair + hook),
        now_ticks);
  if (sampled) return review_sampled(governor, tree, node, recent);
  if (tree.is_pinned(node, pin_wait)) {
    set_countdown(tree, node, never);
    return false;
  }
  return review_exact(governor, tree, node, recent);
}

void sample_begun(Tree& tree, std::uint32_t node) {
  SampleRecord& record = tree.records[tree.node(node).record];
  record.block = record.blocks.k;
  set_countdown(tree, node, next_gap(record.blocks, record.next_block));
}

void sample_ended(Tree& tree, std::uint32_t node, std::uint64_t ticks) {
  SampleRecord& record = tree.records[tree.node(node).record];
  add(record.sample, ticks, record.block);
  record.recent_ticks += (static_cast<double>(ticks) - record.recent_ticks) * forget;
}

} // namespace andes
