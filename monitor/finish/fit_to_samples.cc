#include "monitor/finish/fit_to_samples.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "monitor/finish/function_fit.h"

namespace andes::monitor {
namespace {

constexpr double fewest_samples = 50; // of functions, to be taken into account
constexpr double most_lost = 0.05; // share of the samples
constexpr double error_without_kernel = 0.1; // of a function's share, where its time in the kernel was not sampled
constexpr double much_narrower = 0.5; // of an interval: what made it so tells more than the rest
constexpr double little = 0.1; // of a function's closed calls: its others
constexpr std::int32_t none = -1;

/// Whether some of its visits were timed alone, by which the others are estimated, in windows or while it was open.
bool was_estimated(const Tree& tree, std::uint32_t node) {
  return node >= first_free_node && tree.node(node).record != 0;
}

bool was_windowed(const Tree& tree, std::uint32_t node) {
  return was_estimated(tree, node) && windows_of(tree, node).windows != 0;
}

/// Own times, the cost in them included.
std::vector<double> own_times(const Tree& tree, const std::vector<Seen>& seen) {
  std::vector<double> own(seen.size());
  for (std::uint32_t i = 0; i < seen.size(); ++i) {
    own[i] += seen[i].inclusive() + static_cast<double>(tree.accounts[i].moved_ticks);
    if (i != node_root) own[tree.node(i).parent] -= seen[i].inclusive();
  }
  return own;
}

/// Whether it is code of the program, which samples are of.
bool is_code(std::uint32_t kind) {
  return kind == ANDES_KIND_FUNCTION || kind == ANDES_KIND_BLOCK || kind == ANDES_KIND_LOOP ||
         kind == ANDES_KIND_PHASE || kind == ANDES_KIND_INSTANCE;
}

/// Numbers for the functions that the tree's call paths lie in, from 0 on, and the number of each node. Where a node's
/// own is not known it is that of another node of its region, or of its caller: to the innermost function on the stack
/// that holds a known probe its samples were given.
class Functions {
public:
  Functions(const Tree& tree, const FunctionSamples& samples) : of_nodes(tree.node_count, none) {
    for (const FunctionCount& count : samples.functions)
      if (count.has_probe) numbers_[count.begin] = none;
    std::map<std::uint32_t, std::int32_t> of_regions;
    for (std::uint32_t i = first_free_node; i < tree.node_count; ++i)
      if (const std::int32_t number = number_of(tree.accounts[i].function); number != none)
        of_regions.emplace(tree.node(i).region, of_nodes[i] = number);
    for (std::uint32_t i = first_free_node; i < tree.node_count; ++i) {
      const andes_node& node = tree.node(i);
      const auto of_region = of_regions.find(node.region);
      if (!is_code(node.kind)) of_nodes[i] = none;
      else if (of_nodes[i] == none)
        of_nodes[i] = of_region != of_regions.end() ? of_region->second : of_nodes[node.parent];
    }
  }

  /// Gives the closed calls of MPI that a function makes a number of their own. Not where it makes others, too, that
  /// take a tenth as long or more: of samples in these, deep in MPI's libraries, it is often not known who has called.
  void add_calls(const Tree& tree, std::vector<KnownTime>& known) {
    std::vector<double> closed(of_functions_), exact(of_functions_);
    const auto caller_of = [&](std::uint32_t i) {
      return ANDES_KIND_IS_MPI(tree.node(i).kind) ? of_nodes[tree.node(i).parent] : none;
    };
    for (std::uint32_t i = first_free_node; i < tree.node_count; ++i)
      if (const std::int32_t caller = caller_of(i); caller != none)
        (was_windowed(tree, i) ? closed : exact)[static_cast<std::size_t>(caller)] += known[i].own;
    calls_of_.assign(of_functions_, none);
    for (std::size_t function = 0; function < of_functions_; ++function)
      if (closed[function] > 0 && exact[function] < little * closed[function])
        calls_of_[function] = static_cast<std::int32_t>(count_++);
    for (std::uint32_t i = first_free_node; i < tree.node_count; ++i)
      if (const std::int32_t caller = caller_of(i); caller != none)
        known[i].function = calls_of_[static_cast<std::size_t>(caller)];
  }

  std::vector<double> periods_of(const FunctionSamples& samples) const {
    std::vector<double> periods(count_);
    for (const FunctionCount& count : samples.functions) {
      const auto known = numbers_.find(count.begin);
      if (known == numbers_.end() || known->second == none) continue;
      const auto function = static_cast<std::size_t>(known->second);
      periods[function] = count.periods;
      if (calls_of_[function] != none) periods[static_cast<std::size_t>(calls_of_[function])] = count.apart_periods;
    }
    return periods;
  }

  std::size_t count() const { return count_; }

  std::vector<std::int32_t> of_nodes;

private:
  std::int32_t number_of(std::uintptr_t function) {
    const auto known = numbers_.find(function);
    if (known == numbers_.end()) return none;
    if (known->second == none) known->second = static_cast<std::int32_t>(count_++);
    of_functions_ = count_;
    return known->second;
  }

  std::map<std::uintptr_t, std::int32_t> numbers_;
  std::size_t count_ = 0, of_functions_ = 0; // all numbers; those of functions come first
  std::vector<std::int32_t> calls_of_; // by function
};

/// What windows and sampled visits tell since regions were closed.
std::vector<KnownTime> known_before(const Tree& tree, const FunctionSamples& samples, const std::vector<double>& cost,
                                    const std::vector<Seen>& seen, const std::vector<Estimate>& estimates,
                                    const std::vector<std::int32_t>& functions) {
  std::vector<KnownTime> known(seen.size());
  const std::vector<double> ticks = own_times(tree, seen);
  for (std::uint32_t i = 0; i < seen.size(); ++i) {
    const double before = i < samples.nodes_before ? samples.own_before[i] : 0; // the cost is in it in proportion
    known[i].own = ticks[i] > 0 ? std::max(0.0, ticks[i] - before) * std::max(0.0, 1 - cost[i] / ticks[i]) : ticks[i];
    known[i].parent = i == node_root ? i : tree.node(i).parent;
    known[i].function = functions[i];
    if (!was_estimated(tree, i)) continue;
    known[i].estimated = seen[i].estimated;
    known[i].waits = seen[i].waits_variance;
    known[i].variance = std::max(0.0, variance_of(seen[i], estimates[i]) - known[i].waits);
  }
  return known;
}

/// What node i's probes have taken in its function's own code since regions were closed, ticks. What they take in the
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
FunctionCounts counts_of(const FunctionSamples& samples, const Functions& functions,
                         const std::vector<KnownTime>& known, std::vector<double> probes, double period_ticks) {
  FunctionCounts counts = {.samples = functions.periods_of(samples)};
  counts.probes = std::move(probes);
  const double taken = std::accumulate(counts.samples.begin(), counts.samples.end(), 0.0);
  const double equal = samples.periods2 > 0 ? samples.periods / samples.periods2 : 0;
  if (taken * equal < fewest_samples || samples.lost > most_lost * samples.taken || samples.of_several) return {};
  if (samples.in_program_alone) counts.error_of_share = error_without_kernel;
  // Most of the unknown ones are of MPI, deep in its libraries: there are no more of others than time is left for.
  double computed = std::accumulate(counts.probes.begin(), counts.probes.end(), 0.0);
  for (const KnownTime& of : known) computed += of.function == none ? 0 : of.own;
  if (period_ticks > 0) counts.unknown = equal * std::clamp(computed / period_ticks - taken, 0.0, samples.unknown);
  for (double& count : counts.samples) count *= equal;
  return counts;
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

std::vector<double> own_errors_without_samples(const Tree& tree, const std::vector<Seen>& seen,
                                               const std::vector<Estimate>& estimates) {
  std::vector<double> errors(seen.size());
  for (std::uint32_t i = first_free_node; i < errors.size(); ++i) {
    if (tree.node(i).record == 0) continue;
    const double distance = distance_of(seen[i], estimates[i]);
    errors[i] = std::hypot(errors[i], distance);
    errors[tree.node(i).parent] = std::hypot(errors[tree.node(i).parent], distance);
  }
  return errors;
}

std::vector<double> fit_to_samples(const Tree& tree, const ProbeCosts& costs, const Sampling& sampling,
                                   const std::vector<double>& cost, std::vector<Seen>& seen,
                                   std::vector<Estimate>& estimates) {
  const FunctionSamples& samples = *sampling.samples;
  Functions functions(tree, samples);
  std::vector<KnownTime> known = known_before(tree, samples, cost, seen, estimates, functions.of_nodes);
  functions.add_calls(tree, known);
  const FunctionCounts counts =
      counts_of(samples, functions, known, probes_of(tree, functions.of_nodes, functions.count(), seen, samples, costs),
                sampling.period_ticks);
  if (counts.samples.empty()) return {};
  const std::vector<FittedTime> fitted = fit(known, counts);
  std::vector<double> own_errors(seen.size());
  for (std::uint32_t i = 0; i < seen.size(); ++i) {
    own_errors[i] = half_interval * std::sqrt(fitted[i].own_variance);
    if (!was_estimated(tree, i)) continue;
    const double before = variance_of(seen[i], estimates[i]);
    const double narrower = before > 0 ? std::sqrt(std::min(1.0, fitted[i].variance / before)) : 1;
    const double more = std::max(fitted[i].moved, -seen[i].estimated);
    seen[i].estimated += more;
    seen[i].cost_error *= narrower;
    estimates[i] = moved(estimates[i], more, narrower);
    estimates[i].reliable = estimates[i].reliable || narrower < much_narrower;
  }
  return own_errors;
}

} // namespace andes::monitor
