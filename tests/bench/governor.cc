// A program that spends all its time in functions of ten instructions, none of them inlined and all of
// them with probes, under the default budget: what it costs once the governor has had a second. With
// probes and without in turns, in one process. Started under `andes exec` by bench_governor. Exit
// status 1 on MISS.
#include <dlfcn.h>
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <vector>

#include "monitor/interface/probe.h"

namespace {

constexpr double bound = 1.5;
constexpr int calls = 200'000;
using Clock = std::chrono::steady_clock;

#define SITE(name, line) andes_site name = ANDES_SITE(#name, "governor.cc", line, ANDES_KIND_FUNCTION)
SITE(mix, 1);
SITE(twice, 2);
SITE(block, 3);
#define WITH(site) ANDES_PROBE(&site)
#define WITHOUT(site)
#define FUNCTIONS(variant, PROBE)                                              \
  __attribute__((noinline)) std::uint64_t mix_##variant(std::uint64_t x) {    \
    PROBE(mix)                                                                 \
    x ^= x << 13, x ^= x >> 7, x ^= x << 17;                                   \
    return x * 5 + 1;                                                          \
  }                                                                            \
  __attribute__((noinline)) std::uint64_t twice_##variant(std::uint64_t x) {  \
    PROBE(twice)                                                               \
    return mix_##variant(x) ^ mix_##variant(x + 3);                            \
  }                                                                            \
  __attribute__((noinline)) std::uint64_t block_##variant(std::uint64_t x) {  \
    PROBE(block)                                                               \
    for (int i = 0; i < calls; ++i) x = twice_##variant(x);                    \
    return x;                                                                  \
  }
FUNCTIONS(probed, WITH)
FUNCTIONS(plain, WITHOUT)

volatile std::uint64_t state = 88172645463325252u;

double seconds(std::uint64_t (*work)(std::uint64_t)) {
  const auto begin = Clock::now();
  state = work(state);
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

double median(std::vector<double> values) {
  std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2));
  return values[values.size() / 2];
}

} // namespace

int main() {
  if (!dlsym(nullptr, "andes_monitor")) {
    fmt::print("governor: to be started by bench_governor\n");
    return 2;
  }
  const auto begin = Clock::now();
  const double first = seconds(block_probed);
  while (Clock::now() - begin < std::chrono::seconds(1)) seconds(block_probed);
  std::vector<double> ratios, plain;
  for (int round = 0; round < 301; ++round) {
    plain.push_back(seconds(block_plain));
    ratios.push_back(seconds(block_probed) / plain.back());
  }
  const double ratio = median(ratios);
  fmt::print("tiny functions, governor alone, after a second: {:.3f} x plain ({:.2f} ns a call; in the "
             "first {:.1f} ms {:.2f} x), bound {:.1f}: {}\n",
             ratio, median(plain) / (3 * calls) * 1e9, first * 1e3, first / median(plain), bound,
             ratio <= bound ? "PASS" : "MISS");
  return ratio <= bound ? 0 : 1;
}
