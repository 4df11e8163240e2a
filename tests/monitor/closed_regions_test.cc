// When closed regions are opened for good; all rates by hand, a tick is a nanosecond.
#include "monitor/core/closed_regions.h"

#include <catch2/catch.hpp>

#include "monitor/core/process.h"

using namespace andes;
using namespace andes::monitor;

namespace {

// A budget of 1 %, half of which is room. A visit that is counted costs 3 ticks at most, the search for its caller 60.
struct ClosedChain {
  Process process;
  Budget memory;
  Location location{};
  std::uint32_t closed[2] = {};

  ClosedChain() {
    process.clock.kind = ClockKind::monotonic;
    process.settings.budget_percent = 1;
    process.costs = {.sampled = 2, .sample = 60, .ticks_per_ms = 1e6};
    REQUIRE(registry_start(process.registry));
    REQUIRE(location_start(location, {}, memory, region_program, Stack(), 0));
    process.locations[0] = &location;
    process.location_count = 1;
    process.windows.closed = closed;
    const std::uint32_t caller = add("caller", node_root, 1e-3);
    add("callee", caller, 1e-3);
  }
  ~ClosedChain() { location_free(location); }

  /// A closed region, and a call path of it with so many visits in a nanosecond.
  std::uint32_t add(const char* name, std::uint32_t parent, double visits_per_ns) {
    const std::uint32_t region = registry_number(process.registry, {name, "x.c", 1, ANDES_KIND_FUNCTION});
    const std::uint32_t node = make_child(location.tree, parent, region, ANDES_KIND_FUNCTION).node;
    REQUIRE(make_sampled(location.tree, node, 1));
    SampleRecord& record = location.tree.records[location.tree.node(node).record];
    begin_windowed(location.tree, record);
    record.visits_per_ns = visits_per_ns;
    process.registry.regions[region].closed = true;
    closed[process.windows.closed_count++] = region;
    return node;
  }
};

} // namespace

TEST_CASE("a region below a closed one is not opened for the price of counting alone") {
  ClosedChain chain;
  const Region* const regions = chain.process.registry.regions;
  const std::uint32_t caller = chain.closed[0], callee = chain.closed[1];
  open_what_fits(chain.process, 1'000'000'000); // each costs 0.3 % for counting, the callee 6 % for searches besides
  CHECK_FALSE(is_closed(regions[caller]));
  CHECK(is_closed(regions[callee]));
  open_what_fits(chain.process, 2'000'000'000); // now its caller is open
  CHECK_FALSE(is_closed(regions[callee]));
}

TEST_CASE("a region that is dearer closed than open is opened, though there is no room") {
  ClosedChain chain;
  const std::uint64_t now_ticks = 1'000'000'000;
  chain.location.in_use = true;
  chain.location.governor.swept_ticks = now_ticks;
  chain.location.governor.forecast = 1;
  const Region* const regions = chain.process.registry.regions;
  const std::uint32_t caller = chain.closed[0], callee = chain.closed[1];
  double& searches = chain.location.tree.accounts[first_free_node].searches_below;
  searches = 0.002; // to count the caller's visits costs 0.3 %
  open_what_fits(chain.process, now_ticks);
  CHECK(is_closed(regions[caller]));
  searches = 0.004;
  open_what_fits(chain.process, now_ticks);
  CHECK_FALSE(is_closed(regions[caller]));
  CHECK(is_closed(regions[callee]));
}
