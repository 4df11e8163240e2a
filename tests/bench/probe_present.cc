// What a pair of probes costs with the monitor, beside two reads of the clock, which are its floor:
// alternating rounds in one process, the smallest of each. Started under `andes exec` by
// bench_probe_present, once per mode: exact, shared,
// recursion, sampled, closed, off. Exit status 1 on MISS.
#include <dlfcn.h>
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <string_view>

#include "monitor/interface/probe.h"
#include "tests/bench/probe_tree.h"

namespace {

using andes::bench::Tree;
constexpr int rounds = 4000, calls = 2000; // long enough to meet the processor's best frequency
volatile std::uint64_t result;

template <class Work> double ns(Work work, int pairs) {
  const auto begin = std::chrono::steady_clock::now();
  result = work(result);
  const auto end = std::chrono::steady_clock::now();
  return std::chrono::duration<double, std::nano>(end - begin).count() / pairs;
}

std::uint64_t read_twice(std::uint64_t sum) {
  for (int i = 0; i < calls; ++i) sum += ANDES_TICKS() ^ ANDES_TICKS();
  return sum;
}

/// Nanoseconds of a pair of probes in `probed` less the same calls in `bare`, and of two reads.
struct Cost {
  double bare_ns = 1e9, probed_ns = 1e9, reads_ns = 1e9;
  double pair_ns() const { return probed_ns - bare_ns; }
};

template <class Call> Cost cost_of(const Tree& bare, const Tree& probed, int pairs, Call call) {
  Cost cost;
  for (int round = 0; round < rounds; ++round) {
    cost.bare_ns = std::min(cost.bare_ns, ns([&](auto x) { return call(bare, x); }, pairs));
    cost.probed_ns = std::min(cost.probed_ns, ns([&](auto x) { return call(probed, x); }, pairs));
    cost.reads_ns = std::min(cost.reads_ns, ns(read_twice, calls));
  }
  return cost;
}

Cost tree_cost(const Tree& probed) {
  constexpr int times = calls / andes::bench::functions_of_tree;
  return cost_of(andes::bench::bare_tree(), probed, calls, [](const Tree& tree, std::uint64_t x) {
    for (int i = 0; i < times; ++i) x ^= tree.ten(x);
    return x;
  });
}

Cost family_cost(const Tree& probed) {
  return cost_of(andes::bench::bare_tree(), probed, calls,
                 [](const Tree& tree, std::uint64_t x) { return tree.family(x, calls); });
}

Cost sixteen_cost(const Tree& probed) {
  constexpr int times = calls / andes::bench::visits_of_sixteen;
  return cost_of(andes::bench::bare_tree(), probed, calls, [](const Tree& tree, std::uint64_t x) {
    for (int i = 0; i < times; ++i) x ^= tree.sixteen(x);
    return x;
  });
}

/// A shared leaf by way of so many callers: each call is two visits.
Cost in_turn_cost(const Tree& probed, unsigned callers) {
  return cost_of(andes::bench::bare_tree(), probed, calls,
                 [=](const Tree& tree, std::uint64_t x) { return tree.in_turn(x, calls / 2, callers); });
}
Cost random_cost(const Tree& probed, unsigned callers) {
  return cost_of(andes::bench::bare_tree(), probed, calls,
                 [=](const Tree& tree, std::uint64_t x) { return tree.at_random(x, calls / 2, callers); });
}

Cost fibonacci_cost(const Tree& probed) {
  constexpr int visits = 1973; // of fibonacci(15)
  return cost_of(andes::bench::bare_tree(), probed, visits,
                 [](const Tree& tree, std::uint64_t) { return tree.fibonacci(15); });
}

Cost even_odd_cost(const Tree& probed) {
  constexpr int visits = 40, times = calls / visits;
  return cost_of(andes::bench::bare_tree(), probed, calls, [](const Tree& tree, std::uint64_t x) {
    for (int i = 0; i < times; ++i) x ^= tree.even(visits - 1);
    return x;
  });
}

struct Bound {
  double ratio, ns; // either may be infinite
};
constexpr double any = 1e9;

bool judge(std::string_view what, std::string_view place, const Cost& cost, Bound bound) {
  const double ratio = cost.pair_ns() / cost.reads_ns;
  const bool pass = ratio <= bound.ratio && cost.pair_ns() <= bound.ns;
  fmt::print("probe pair, {}, in {}: {:.2f} ns; two clock reads: {:.2f} ns; ratio {:.3f}", what,
             place, cost.pair_ns(), cost.reads_ns, ratio);
  if (bound.ratio < any) fmt::print(", bound {:.2f}", bound.ratio);
  if (bound.ns < any) fmt::print(", bound {:.1f} ns", bound.ns);
  fmt::print(": {}\n", pass ? "PASS" : "MISS");
  return pass;
}

bool measure(std::string_view mode, std::string_view place, const Tree& tree) {
  if (mode == "exact")
    return judge("exact, tree of 10", place, tree_cost(tree), {1.15, any}) &
           judge("exact, 200 children in random order", place, family_cost(tree), {1.5, any});
  if (mode == "shared") {
    const double bound = place == "an executable" ? 1.25 : 1.3;
    bool pass = judge("exact, tree of 16 with shared leaves", place, sixteen_cost(tree), {bound, any});
    for (const unsigned callers : {1u, 2u, 3u, 8u}) {
      const std::string of = fmt::format("{} caller{}", callers, callers == 1 ? "" : "s");
      pass &= judge("exact, " + of + " in turn", place, in_turn_cost(tree, callers), {bound, any});
      if (callers > 1) pass &= judge("exact, " + of + " at random", place, random_cost(tree, callers), {bound, any});
    }
    return pass;
  }
  if (mode == "recursion")
    return judge("exact, direct recursion", place, fibonacci_cost(tree), {1.6, any}) &
           judge("exact, recursion through another function", place, even_odd_cost(tree), {1.6, any});
  if (mode == "sampled") return judge("sampled", place, tree_cost(tree), {0.3, 5});
  if (mode == "closed") return judge("closed", place, tree_cost(tree), {any, 1.5});
  const auto control = reinterpret_cast<void (*)(int)>(dlsym(nullptr, "andes_control"));
  tree.ten(1); // every site is known
  control(0);
  const bool pass = judge("switched off", place, tree_cost(tree), {any, 1.5});
  control(1);
  return pass;
}

} // namespace

int main(int count, char** arguments) {
  if (!dlsym(nullptr, "andes_control") || count != 2) {
    fmt::print("probe_present: to be started by bench_probe_present\n");
    return 2;
  }
  using namespace andes::bench;
  const bool executable = measure(arguments[1], "an executable", tree_of_executable());
  const bool shared = measure(arguments[1], "a shared object", tree_of_shared_object());
  return executable && shared ? 0 : 1;
}
