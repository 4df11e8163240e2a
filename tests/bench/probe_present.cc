// What a pair of probes costs with the monitor, beside two reads of the clock, which are its floor.
// Started under `andes exec` by bench_probe_present. Prints; there is no bound yet.
#include <dlfcn.h>
#include <fmt/core.h>

#include <algorithm>
#include <chrono>

#include "monitor/interface/probe.h"
#include "tests/bench/probe_functions.h"

namespace {

/// Nanoseconds of two reads of the clock that the probes use.
double two_reads_ns() {
  constexpr int reads = 20000;
  double smallest = 1e9;
  for (int round = 0; round < 500; ++round) {
    std::uint64_t sum = 0;
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < reads; ++i) sum += ANDES_TICKS() ^ ANDES_TICKS();
    const auto end = std::chrono::steady_clock::now();
    asm volatile("" : : "r"(sum));
    smallest =
        std::min(smallest, std::chrono::duration<double, std::nano>(end - begin).count() / reads);
  }
  return smallest;
}

void print(const char* place, andes::bench::Functions functions, double reads_ns) {
  const andes::bench::Cost cost =
      andes::bench::cost_of(functions, andes::bench::Calls::independent, 500, 20000);
  const double pair_ns = cost.probed_ns - cost.bare_ns;
  fmt::print("probe pair, monitor present, in {}: {:.2f} ns; two clock reads: {:.2f} ns; "
             "ratio {:.2f}\n",
             place, pair_ns, reads_ns, pair_ns / reads_ns);
}

} // namespace

int main() {
  using namespace andes::bench;
  if (!dlsym(nullptr, "andes_monitor")) {
    fmt::print("probe_present: no monitor is loaded; start it by andes exec\n");
    return 2;
  }
  const double reads_ns = two_reads_ns();
  print("an executable", functions_of_executable(), reads_ns);
  print("a shared object", functions_of_shared_object(), reads_ns);
  return 0;
}
