// The profile of a process, made from its trees; all numbers by hand.
#include <catch2/catch.hpp>

#include <cmath>
#include <limits>

#include "monitor/finish/profile.h"

using namespace andes;
using namespace andes::monitor;

namespace {

/// A process of one location: main { work } with times in ticks = nanoseconds.
struct FakeProcess {
  Process process;
  Budget memory;
  Location location{};

  FakeProcess(int rank, const char* second, std::uint64_t main_ticks, std::uint64_t inner_ticks) {
    process.clock.kind = ClockKind::monotonic;
    process.mpi.rank = rank;
    process.mpi.size = 4;
    REQUIRE(registry_start(process.registry));
    REQUIRE(location_start(location, {}, memory, region_program, Stack(), 0));
    process.locations[0] = &location;
    process.location_count = 1;
    auto* outer = enter("main", ANDES_KIND_FUNCTION, 0);
    auto* inner = enter(second, ANDES_KIND_SYNCHRONISATION, main_ticks - inner_ticks);
    pop_frames(location, inner, main_ticks);
    pop_frames(location, outer, main_ticks);
    close_frames(location, main_ticks);
  }
  andes_frame* enter(const char* name, std::uint32_t kind, std::uint64_t at) {
    const auto region = registry_number(process.registry, {name, "x.c", 1, kind});
    auto* frame = push_frame(location, make_child(location.tree, innermost(location), region, kind), 0, 0);
    frame->enter_ticks = at;
    return frame;
  }
};

std::size_t path_named(const Profile& profile, const std::string& name) {
  for (std::size_t i = 0; i < profile.paths.size(); ++i)
    if (profile.regions[static_cast<std::size_t>(profile.paths[i].region)].name == name) return i;
  FAIL("no path " << name);
  return 0;
}

} // namespace

TEST_CASE("a profile's times by kind follow from the tree and add up to the wall time") {
  FakeProcess fake(2, "MPI_Barrier", 100, 30);
  Profile profile = own_profile(fake.process, ProfileHost());
  REQUIRE(profile.locations.size() == 1);
  const LocationRow& row = profile.locations[0];
  CHECK(row.rank == 2);
  CHECK(row.wall_ns == 100);
  CHECK(row.compute_ns == 70);
  CHECK(row.communication_ns == 30);
  CHECK(row.synchronisation_ns == 30);
  CHECK(row.tool_ns == 0);
  const Values& of_main = profile.paths[path_named(profile, "main")].values;
  CHECK(of_main[run_file::inclusive_ns] == std::vector<double>{100});
  CHECK(of_main[run_file::exclusive_ns] == std::vector<double>{70});
  CHECK(of_main[run_file::communication_ns] == std::vector<double>{30});
}

TEST_CASE("a thread waits for a core no longer than its measured interval takes") {
  FakeProcess fake(0, "MPI_Barrier", 100, 30);
  fake.process.state = State::finished;
  for (const auto& [waited_ns, stated_ns] : {std::pair(0., 0), std::pair(40., 40), std::pair(4e6, 100)}) {
    fake.location.losses.waits = {.ran_ns = 60, .ns = waited_ns, .count = 1};
    CHECK(own_profile(fake.process, ProfileHost()).locations[0].core_wait_ns == stated_ns);
  }
  fake.location.losses.waits = {}; // the kernel does not tell
  CHECK_FALSE(own_profile(fake.process, ProfileHost()).locations[0].core_wait_ns.has_value());
}

TEST_CASE("values that are no numbers are left out of a profile and counted") {
  FakeProcess fake(0, "MPI_Barrier", 100, 30);
  CHECK(own_profile(fake.process, ProfileHost()).values_not_finite == 0);
  fake.process.costs.inner = std::numeric_limits<double>::quiet_NaN();
  const Profile profile = own_profile(fake.process, ProfileHost());
  CHECK(profile.values_not_finite > 0);
  for (const ProfilePath& path : profile.paths)
    for (const std::vector<double>& column : path.values)
      for (const double value : column) CHECK(std::isfinite(value));
}

TEST_CASE("ticks become time by the slope of the anchors") {
  Clock clock;
  clock.kind = ClockKind::tsc;
  clock.start = {1000, 0, 5'000'000'000};
  clock.init = {1000 + 2'000'000'000, 1'000'000'000, 6'000'000'000};
  clock.end = {1000 + 4'000'200'000, 2'000'000'000, 7'000'000'000};
  const TickScale scale = tick_scale(clock);
  CHECK(scale.duration_ns(4'000'200'000) == Approx(2e9));
  CHECK(scale.realtime_ns(clock.end.ticks) == 7'000'000'000);
  CHECK(scale.error_ppm == Approx(100).margin(0.1)); // 2.0 against 2.0002 ticks a nanosecond
}
