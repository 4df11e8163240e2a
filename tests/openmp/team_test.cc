// Members of teams, by hand: one tick is the unit of time.
#include "tests/monitor/thread.h"

#include "monitor/core/team_wait.h"
#include "monitor/finish/derive.h"
#include "monitor/finish/profile.h"

using namespace andes;
using namespace andes::monitor;
using namespace andes::test;

namespace {

constexpr std::uint32_t region_parallel = 20, region_barrier = 21, region_apart = 22;

/// A member and who opens its regions: a chain of two call paths, the upper one without visits here.
struct Team {
  Thread forker, member;
  std::uint32_t top, parallel;

  Team() {
    Tree& tree = member.location.tree;
    TeamState& team = member.location.team;
    team.apart_node = make_child(tree, node_root, region_apart, ANDES_KIND_APART).node;
    top = make_child(tree, node_root, region_f, ANDES_KIND_FUNCTION).node;
    parallel = make_child(tree, top, region_parallel, ANDES_KIND_PARALLEL).node;
    team.forker = &forker.location;
  }
  TeamState& state() { return member.location.team; }

  /// Its part of a region from `begin` to `end`, after which it waits.
  void part(std::uint64_t number, std::uint64_t begin, std::uint64_t end) {
    enter(number, begin);
    member.now = state().done_ticks = end;
    member.enter(region_barrier, ANDES_KIND_BARRIER, member.location.stack_high, 0);
    state().phase = TeamPhase::waiting;
  }
  void enter(std::uint64_t number, std::uint64_t begin) {
    {
      TeamHeld held(state());
      end_team_wait(member.location, true, begin);
      add_apart(member.location, begin);
    }
    state().phase = TeamPhase::inside;
    state().team = number;
    state().first = push_frame(member.location, {parallel, false, false}, member.location.stack_high, 0);
    state().first->enter_ticks = begin;
    state().first->bits |= ANDES_FRAME_FAR;
  }
  void join(std::uint64_t number, std::uint64_t at) { note_join(forker.location.team, number, at); }
  std::uint64_t apart() const { return member.inclusive(member.location.team.apart_node); }
  std::uint64_t waited() const { return member.inclusive(member.find(parallel, region_barrier)); }
};

} // namespace

TEST_CASE("a member waits until its team is joined, and is apart from there to the next region") {
  Team team;
  team.part(1, 10, 30);
  team.join(1, 50);
  team.part(2, 80, 100);
  team.join(2, 110);
  close_frames(team.member.location, 200);
  CHECK(team.waited() == 20 + 10);
  CHECK(team.apart() == 30 + 90);
  CHECK(team.member.inclusive(team.parallel) == 40 + 30);
  CHECK(team.member.inclusive(team.top) == 70);
  CHECK(team.member.exclusive(team.top) == 0);
  CHECK(team.member.exclusive(team.parallel) == 40);
  CHECK(team.member.visits(team.parallel) == 2);
  CHECK(team.member.visits(team.top) == 0);
  CHECK(team.member.visits(team.state().apart_node) == 2);
  CHECK(team.member.inclusive(node_root) == 200);
  CHECK(team.member.sum_of_exclusive() == 200);
}

TEST_CASE("a wait whose team was not joined lasts to the end") {
  Team team;
  team.part(1, 10, 30);
  close_frames(team.member.location, 70);
  CHECK(team.waited() == 40);
  CHECK(team.apart() == 0);
  CHECK(team.member.sum_of_exclusive() == 70);
}

TEST_CASE("a wait that the ring of joins has forgotten counts as apart") {
  Team team;
  team.part(1, 10, 30);
  for (std::uint64_t i = 1; i <= kept_joins + 1; ++i) team.join(i, 30 + i);
  team.enter(kept_joins + 2, 500);
  CHECK(team.waited() == 0);
  CHECK(team.apart() == 470);
}

TEST_CASE("regions inside the one that is waited for do not end the wait") {
  Team team;
  team.part(1, 10, 30);
  for (std::uint64_t i = 2; i <= 2 * kept_joins; ++i) team.join(i, 30 + i); // inside the first
  account_ended_waits(team.member.location, 400);
  CHECK(team.state().phase == TeamPhase::waiting);
  team.join(1, 450);
  account_ended_waits(team.member.location, 500);
  CHECK(team.waited() == 420);
  CHECK(team.apart() == 50);
}

TEST_CASE("time switched off is neither waited nor apart") {
  Team team;
  team.part(1, 10, 30);
  SECTION("joined before") {
    team.join(1, 40);
    switch_off(team.member.location, 100);
    switch_on(team.member.location, 300);
    team.enter(2, 310);
    CHECK(team.waited() == 10);
    CHECK(team.apart() == 60 + 10);
  }
  SECTION("joined meanwhile") {
    switch_off(team.member.location, 100);
    team.join(1, 200);
    switch_on(team.member.location, 300);
    team.enter(2, 310);
    CHECK(team.waited() == 70);
    CHECK(team.apart() == 10);
  }
  SECTION("joined afterwards") {
    switch_off(team.member.location, 100);
    switch_on(team.member.location, 300);
    team.join(1, 350);
    team.enter(2, 360);
    CHECK(team.waited() == 70 + 50);
    CHECK(team.apart() == 10);
  }
  close_frames(team.member.location, 400);
  CHECK(team.member.sum_of_exclusive() == 200);
}

TEST_CASE("times restarted while a member waits or is apart begin there") {
  Team team;
  team.part(1, 10, 30);
  const bool joined = GENERATE(false, true);
  if (joined) team.join(1, 40);
  restart_times(team.member.location, 100);
  if (!joined) team.join(1, 120);
  team.enter(2, 150);
  close_frames(team.member.location, 160);
  CHECK(team.waited() == (joined ? 0 : 20));
  CHECK(team.apart() == (joined ? 50 : 30));
  CHECK(team.member.sum_of_exclusive() == 60);
}

TEST_CASE("what a member does in teams stands below the forker's root, the rest below its own") {
  Process process;
  process.clock.kind = ClockKind::monotonic;
  REQUIRE(registry_start(process.registry));
  Budget memory;
  Location location{};
  REQUIRE(location_start(location, {}, memory, region_thread, Stack(), 0));
  Tree& tree = location.tree;
  const auto region = [&](const char* name, std::uint32_t kind) {
    return registry_number(process.registry, {name, "", 0, kind});
  };
  const std::uint32_t program = make_child(tree, node_root, region_program, ANDES_KIND_ROOT).node;
  const std::uint32_t top = make_child(tree, program, region("f", ANDES_KIND_FUNCTION), ANDES_KIND_FUNCTION).node;
  const std::uint32_t parallel = make_child(tree, top, region("p", ANDES_KIND_PARALLEL), ANDES_KIND_PARALLEL).node;
  location.team.apart_node = make_child(tree, node_root, region("a", ANDES_KIND_APART), ANDES_KIND_APART).node;
  andes_frame* frame = push_frame(location, {parallel, false, false}, location.stack_high, 0);
  frame->enter_ticks = 10;
  frame->bits |= ANDES_FRAME_FAR;
  location.team.first = frame;
  location.team.done_ticks = 40;
  location.team.phase = TeamPhase::inside;
  pop_frames(location, frame, 40);
  begin_apart(location, 40);
  close_frames(location, 100);
  process.locations[0] = &location;
  process.location_count = 1;
  const Profile profile = own_profile(process, ProfileHost());
  const LocationRow& row = profile.locations[0];
  CHECK(row.wall_ns == 100);
  CHECK(row.compute_ns == 40);
  CHECK(row.team_idle_ns == 60);
  CHECK(row.idle_ns == 60);
  CHECK(row.apart_ns == 60);
  CHECK(row.parallel_ns == 30);
  std::map<std::string, std::vector<double>> inclusive, parents;
  for (const ProfilePath& path : profile.paths) {
    const std::string& name = profile.regions[static_cast<std::size_t>(path.region)].name;
    const auto value = [&](int metric) {
      const auto number = static_cast<std::size_t>(metric);
      return number >= path.values.size() || path.values[number].empty() ? 0.0 : path.values[number][0];
    };
    inclusive[name] = {value(run_file::inclusive_ns), value(run_file::exclusive_ns), value(run_file::team_idle_ns)};
    parents[name] = {double(path.parent)};
  }
  CHECK(inclusive.at("(program)") == std::vector<double>{30, 0, 0});
  CHECK(inclusive.at("f") == std::vector<double>{30, 0, 0});
  CHECK(inclusive.at("p") == std::vector<double>{30, 30, 0});
  CHECK(inclusive.at("(thread)") == std::vector<double>{70, 10, 60});
  CHECK(inclusive.at("a") == std::vector<double>{60, 60, 60});
  CHECK(parents.at("(program)") == std::vector<double>{-1});
  CHECK(parents.at("(thread)") == std::vector<double>{-1});
  location_free(location);
}
