// Benchmark: `andes report` on 100 runs of 60 to 64 ranks (so that there is a ledger of lost time) and 500 call paths takes
// at most 1 s and 200 MB. Generates the runs in a temporary directory, runs the command five times, prints the ratio of
// the fastest time and of the peak memory to their bounds with PASS or MISS, and exits 1 on a MISS.
#include <algorithm>
#include <chrono>
#include <fcntl.h>
#include <fmt/format.h>
#include <random>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/postproc/run_maker.h"

namespace {

using namespace andes;
using namespace andes::monitor;

constexpr int runs = 100, most_ranks = 64, sizes = 5, callpaths = 500, repeats = 5;
constexpr double bound_s = 1, bound_mb = 200;

/// A run whose call paths all have times of all ranks, under a tree of branching four.
Run large_run(int number) {
  using namespace run_file;
  const int ranks = most_ranks - number % sizes;
  std::mt19937_64 random(static_cast<std::uint64_t>(number));
  Run run = test::run_of({}, ranks, 1 + 0.0001 * number);
  run.regions = {{"(program)", "root", "", 0}};
  run.callpaths = {{-1, 0}};
  run.columns.clear();
  for (int path = 1; path < callpaths; ++path) {
    run.regions.push_back({fmt::format("function_{}", path), "function", "program.c", path});
    run.callpaths.push_back({(path - 1) / 4, path});
  }
  for (int path = 0; path < callpaths; ++path)
    for (int metric = visits; metric <= bytes_received; ++metric) {
      Column column{path, static_cast<MetricId>(metric), {}};
      for (int rank = 0; rank < ranks; ++rank) column.values.push_back(static_cast<double>(random() % 1000000000));
      run.columns.push_back(std::move(column));
    }
  return run;
}

struct Cost {
  double seconds = 0, mb = 0;
};

/// One `andes report`, its output thrown away. Exits on failure: there is nothing to measure then.
Cost cost_of(const char* andes, const std::string& directory) {
  const auto start = std::chrono::steady_clock::now();
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(::open("/dev/null", O_WRONLY), STDOUT_FILENO);
    ::execl(andes, andes, "report", directory.c_str(), static_cast<char*>(nullptr));
    ::_exit(127);
  }
  int status = 0;
  rusage usage{};
  ::wait4(child, &status, 0, &usage);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  if (status != 0) {
    fmt::print(stderr, "report_bench: {} report failed\n", andes);
    std::exit(2);
  }
  return {elapsed.count(), static_cast<double>(usage.ru_maxrss) / 1000};
}

bool judged(const char* what, double value, double bound, const char* unit) {
  fmt::print("{}: {:.3f} {}, bound {} {}, ratio {:.2f} {}\n", what, value, unit, bound, unit, value / bound,
             value <= bound ? "PASS" : "MISS");
  return value <= bound;
}

} // namespace

int main() {
  const test::TemporaryDirectory directory;
  for (int number = 0; number < runs; ++number)
    test::write(large_run(number), directory / fmt::format("{}.andes", number));
  Cost best{1e9, 0};
  for (int i = 0; i < repeats; ++i) {
    const Cost cost = cost_of(BENCH_ANDES, directory.path());
    best = {std::min(best.seconds, cost.seconds), std::max(best.mb, cost.mb)};
  }
  fmt::print("andes report on {} runs of {} to {} ranks and {} call paths, fastest of {}\n", runs,
             most_ranks - sizes + 1, most_ranks, callpaths, repeats);
  const bool fast = judged("time", best.seconds, bound_s, "s");
  const bool small = judged("peak memory", best.mb, bound_mb, "MB");
  return fast && small ? 0 : 1;
}
