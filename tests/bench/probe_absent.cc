// What a pair of probes costs while no monitor is there: at most 0.5 ns in an executable and 1 ns
// in a shared object. Bare and probed calls take turns in one process; the smallest of many rounds
// of each are compared. Exit status 1 on MISS.
#include <dlfcn.h>
#include <fmt/core.h>

#include "tests/bench/probe_functions.h"

namespace {

using andes::bench::Calls;

bool judge(const char* place, andes::bench::Functions functions, Calls way, double bound_ns) {
  const andes::bench::Cost cost = andes::bench::cost_of(functions, way, 2000, 20000);
  const double added_ns = cost.probed_ns - cost.bare_ns;
  const bool pass = added_ns <= bound_ns;
  fmt::print("probe pair, monitor absent, in {}, {} calls: bare {:.3f} ns, with probes {:.3f} ns: "
             "{:+.3f} ns, bound {:.1f} ns: {}\n",
             place, way == Calls::chained ? "chained" : "independent", cost.bare_ns, cost.probed_ns,
             added_ns, bound_ns, pass ? "PASS" : "MISS");
  return pass;
}

} // namespace

int main() {
  using namespace andes::bench;
  if (dlsym(nullptr, "andes_monitor")) {
    fmt::print("bench_probe_absent: a monitor is loaded; run it without LD_PRELOAD\n");
    return 2;
  }
  bool pass = true;
  for (Calls way : {Calls::chained, Calls::independent}) {
    pass = judge("an executable", functions_of_executable(), way, 0.5) && pass;
    pass = judge("a shared object", functions_of_shared_object(), way, 1.0) && pass;
  }
  return pass ? 0 : 1;
}
