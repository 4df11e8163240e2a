#include "monitor/finish/fit_to_samples.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "monitor/finish/function_fit.h"
#include "monitor/finish/sampled_code.h"

namespace andes::monitor {
namespace {

constexpr double fewest_samples = 50; // of functions, to be taken into account
constexpr double most_lost = 0.05; // share of the samples
constexpr double error_without_kernel = 0.1; // of a function's share, where its time in the kernel was not sampled
constexpr double much_narrower = 0.5; // of an interval: what made it so tells more than the rest
constexpr double edge_ns =
    1; // of a visit of inlined code: what samples may have told of the code around, or it of that
constexpr std::int32_t none = SampledCode::none;

/// What windows and sampled visits tell since samples began.
std::vector<KnownTime> known_before(const Tree& tree, const FunctionSamples& samples, const std::vector<double>& cost,
                                    const std::vector<Seen>& seen, const std::vector<Estimate>& estimates,
                                    const std::vector<std::int32_t>& functions) {
  std::vector<KnownTime> known(seen.size());
  const std::vector<double> ticks = own_times(tree, seen);
  const std::vector<double> exact =
      exact_times(tree, seen); // an estimate of more than its exact caller's is wrong by that
  for (std::uint32_t i = 0; i < seen.size(); ++i) {
    const double before = i < samples.nodes_before ? samples.own_before[i] : 0; // the cost is in it in proportion
    known[i].own = ticks[i] > 0 ? std::max(0.0, ticks[i] - before) * std::max(0.0, 1 - cost[i] / ticks[i]) : ticks[i];
    known[i].parent = i == node_root ? i : tree.node(i).parent;
    known[i].function = functions[i];
    known[i].region = tree.node(i).region;
    if (!was_estimated(tree, i)) continue;
    const double room = exact[i];
    known[i].estimated = seen[i].estimated;
    known[i].waits = std::min(seen[i].waits_variance, room * room);
    known[i].variance = std::max(0.0, variance_of(seen[i], estimates[i]) - seen[i].waits_variance);
    if (const double excess = seen[i].estimated - room; excess > 0) known[i].variance += excess * excess;
  }
  return known;
}

/// What node i's probes have taken in its function's own code since samples began, ticks. What they take in the
/// monitor's libraries samples see as such.
double probes_in_code(const Tree& tree, std::uint32_t i, const Seen& seen, const FunctionSamples& samples,
                      const ProbeCosts& costs) {
  if (tree.accounts[i].by_hooks) return 0;
  const auto sampled = static_cast<double>(sampled_visits(tree, i));
  const double before = i < samples.nodes_before ? samples.visits_before[i] : 0;
  const double open = std::max(0.0, seen.exact + sampled - before), counted = std::min(open, sampled);
  const auto in_windows = static_cast<double>(windows_of(tree, i).visits);
  const double in_open = (counted + in_windows) * counted_cost(costs) + (open - counted) * seen.exact_each;
  return seen.while_closed + (costs.counts_by_call ? 0 : in_open);
}

std::vector<double> probes_of(const Tree& tree, const std::vector<std::int32_t>& functions, std::size_t count,
                              const std::vector<Seen>& seen, const FunctionSamples& samples, const ProbeCosts& costs) {
  std::vector<double> probes(count);
  for (std::uint32_t i = first_free_node; i < tree.node_count; ++i)
    if (functions[i] != none)
      probes[static_cast<std::size_t>(functions[i])] += probes_in_code(tree, i, seen[i], samples, costs);
  return probes;
}

/// As many samples of equal weight as tell as much (Kish, Survey Sampling, 11.7); none if they tell too little.
FunctionCounts counts_of(const FunctionSamples& samples, const SampledCode& code, const std::vector<KnownTime>& known,
                         std::vector<double> probes, double period_ticks) {
  FunctionCounts counts = {.samples = code.periods()};
  counts.probes = std::move(probes);
  const double taken = std::accumulate(counts.samples.begin(), counts.samples.end(), 0.0);
  const double equal = samples.periods2 > 0 ? samples.periods / samples.periods2 : 0;
  if (taken * equal < fewest_samples || samples.lost > most_lost * samples.taken || samples.of_several) return {};
  if (samples.in_program_alone) counts.error_of_share = error_without_kernel;
  // Most of the unknown ones are of MPI, deep in its libraries: there are no more of others than time is left for.
  const double computed = std::accumulate(counts.probes.begin(), counts.probes.end(), divided_time(known));
  if (period_ticks > 0) counts.unknown = equal * std::clamp(computed / period_ticks - taken, 0.0, code.unknown());
  for (double& count : counts.samples) count *= equal;
  return counts;
}

/// What may be wrong about where inlined code ends, ticks: instructions of both sides run at the same time, and a
/// sample tells of one that has waited for others.
std::vector<double> edges_of(const Tree& tree, const SampledCode& code, const std::vector<Seen>& seen,
                             double ticks_per_ns) {
  std::vector<double> edges(code.count());
  const std::vector<std::int32_t>& numbers = code.of_nodes();
  for (std::uint32_t i = first_free_node; i < tree.node_count; ++i) {
    const std::int32_t own = numbers[i], around = numbers[tree.node(i).parent];
    if (!code.are_inlined(own, around)) continue;
    for (const std::int32_t number : {own, around})
      edges[static_cast<std::size_t>(number)] += edge_ns * ticks_per_ns * seen[i].visits;
  }
  return edges;
}

/// Distance of the time of node i's estimated visits to the farther end of its interval.
double distance_of(const Seen& seen, const Estimate& estimate) {
  return std::hypot(std::max(estimate.below, estimate.above), seen.cost_error);
}

} // namespace

void add_cost_of_samples(const Tree& tree, const std::vector<Seen>& seen, const Sampling& sampling,
                         std::vector<double>& cost) {
  std::vector<double> own = own_times(tree, seen);
  double all = 0; // more than the thread's time where estimates exceed their callers'
  for (double& time : own) all += time = std::max(0.0, time);
  if (!(all > 0)) return;
  const double share = sampling.cost_ticks * sampling.samples->taken / all;
  for (std::uint32_t i = 0; i < seen.size(); ++i) cost[i] += share * own[i];
}

OwnErrors own_errors_without_samples(const Tree& tree, const std::vector<Seen>& seen,
                                     const std::vector<Estimate>& estimates) {
  std::vector<double> errors(seen.size());
  for (std::uint32_t i = first_free_node; i < errors.size(); ++i) {
    if (tree.node(i).record == 0) continue;
    const double distance = distance_of(seen[i], estimates[i]);
    errors[i] = std::hypot(errors[i], distance);
    errors[tree.node(i).parent] = std::hypot(errors[tree.node(i).parent], distance);
  }
  return {errors, errors};
}

OwnErrors fit_to_samples(const Tree& tree, const ProbeCosts& costs, const Sampling& sampling,
                         const std::vector<double>& cost, std::vector<Seen>& seen, std::vector<Estimate>& estimates) {
  const FunctionSamples& samples = *sampling.samples;
  SampledCode code(tree, samples, sampling.scopes ? *sampling.scopes : CodeScopes());
  std::vector<KnownTime> known = known_before(tree, samples, cost, seen, estimates, code.of_nodes());
  code.add_calls(tree, known);
  FunctionCounts counts =
      counts_of(samples, code, known, probes_of(tree, code.of_nodes(), code.count(), seen, samples, costs),
                sampling.period_ticks);
  counts.edges = edges_of(tree, code, seen, costs.ticks_per_ms / 1e6);
  if (counts.samples.empty()) return {};
  const std::vector<FittedTime> fitted = fit(known, counts);
  OwnErrors errors;
  for (std::uint32_t i = 0; i < seen.size(); ++i) {
    errors.each.push_back(half_interval * std::sqrt(fitted[i].own_variance));
    errors.in_region.push_back(half_interval * std::sqrt(fitted[i].in_region));
    if (!was_estimated(tree, i)) continue;
    const double before = variance_of(seen[i], estimates[i]);
    const double narrower = before > 0 ? std::sqrt(std::min(1.0, fitted[i].variance / before)) : 1;
    const double more = std::max(fitted[i].moved, -seen[i].estimated);
    seen[i].estimated += more;
    seen[i].cost_error *= narrower;
    estimates[i] = moved(estimates[i], more, narrower);
    estimates[i].reliable = estimates[i].reliable || narrower < much_narrower;
  }
  return errors;
}

} // namespace andes::monitor
