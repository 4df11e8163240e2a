// Prints what an arena holds, as the reader of arenas has it, for tests. Usage: print_arena FILE [WAIT_MS]
// WAIT_MS: between reading it and all that follows, as where a job has many of them.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "monitor/recover/open_visits.h"
#include "monitor/recover/read_process.h"
#include "monitor/recover/recovered_clock.h"

using namespace andes;
using namespace andes::monitor;

namespace {

// Visits by call path; a node whose children take more time than itself is told of.
void print_location(const Process& process, const Location& location) {
  const Tree& tree = location.tree;
  std::vector<std::string> paths(tree.node_count);
  std::vector<double> left(tree.node_count);
  for (std::uint32_t i = 0; i < tree.node_count; ++i) {
    const andes_node& node = tree.node(i);
    const std::string name = process.registry.regions[node.region].name;
    paths[i] = i == 0 ? name : paths[node.parent] + "/" + name;
    left[i] = static_cast<double>(node.inclusive_ticks) + static_cast<double>(tree.accounts[i].moved_ticks);
    if (i > 0) left[node.parent] -= static_cast<double>(node.inclusive_ticks);
    std::printf("visits %s %lld\n", paths[i].c_str(), static_cast<long long>(tree.visits(i)));
  }
  for (std::uint32_t i = 0; i < tree.node_count; ++i)
    if (left[i] < -1) std::printf("negative %s %g\n", paths[i].c_str(), left[i]);
}

} // namespace

int main(int count, char** arguments) {
  try {
    const auto read = load_process(count > 1 ? arguments[1] : "");
    std::printf("ending %u %d\nsnapshots %u\nlost %d\n", static_cast<unsigned>(read->ending.kind), read->ending.detail,
                read->process.snapshot_count, read->lost.any());
    if (count > 2) std::this_thread::sleep_for(std::chrono::milliseconds(std::atoi(arguments[2])));
    set_clocks({read.get()});
    const Clock& clock = read->process.clock;
    std::printf("lived_ms %g\n", 1e-6 * static_cast<double>(clock.end.monotonic_ns - clock.start.monotonic_ns));
    close_process(*read);
    for (std::uint32_t i = 0; i < read->process.location_count; ++i)
      if (read->process.locations[i]) print_location(read->process, *read->process.locations[i]);
  } catch (const Refusal& refused) {
    std::printf("refused %s\n", refused.what());
    return 2;
  }
}
