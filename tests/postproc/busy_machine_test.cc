// Cores that other processes took from a run, by facts that are computed by hand.
#include "postproc/analysis/busy_machine.h"

#include <catch2/catch.hpp>

using namespace andes;
using namespace andes::postproc;

namespace {

/// Of a command of 10 s on four cores, in which others computed on so many of them.
Profile run_beside(double others, int ranks, std::int64_t switches) {
  Profile profile;
  profile.ranks = ranks;
  profile.facts["usable_cores"] = std::int64_t{4};
  profile.facts["command_wall_ns"] = std::int64_t{10'000'000'000};
  profile.facts["others_ns"] = static_cast<std::int64_t>(others * 10e9);
  profile.facts["involuntary_switches"] = switches;
  return profile;
}

std::optional<TakenCores> taken_from(const Profile& profile) {
  return cores_taken_by_others(profile, summary_of(profile));
}

Build build_of(const std::vector<Profile>& profiles) {
  Build build;
  for (const Profile& profile : profiles) {
    Point point;
    point.ranks = point.size = profile.ranks;
    point.runs.emplace_back();
    point.runs.back().profile = profile;
    point.runs.back().summary = summary_of(profile);
    build.points.push_back(std::move(point));
  }
  return build;
}

} // namespace

TEST_CASE("others take what is beyond the cores that a run leaves free") {
  const auto all = taken_from(run_beside(3, 4, 1000));
  REQUIRE(all);
  CHECK(all->taken == Approx(3));
  CHECK(all->wanted == 4);
  CHECK(taken_from(run_beside(3, 2, 1000))->taken == Approx(1)); // two were free
  CHECK_FALSE(taken_from(run_beside(3, 1, 1000)));
  CHECK_FALSE(taken_from(run_beside(2.19, 2, 1000))); // 0.19 of two: less than a tenth
  CHECK(taken_from(run_beside(2.21, 2, 1000)));
  CHECK(taken_from(run_beside(3, 8, 1000))->wanted == 4);  // no more than there are
  CHECK(taken_from(run_beside(60, 4, 1000))->taken == 4); // of a host with more cores
}

TEST_CASE("others that computed elsewhere took nothing") {
  CHECK_FALSE(taken_from(run_beside(60, 4, 199))); // 5 switches x 4 cores x 10 s are 200
  CHECK(taken_from(run_beside(60, 4, 200)));
}

TEST_CASE("busy threads want cores as ranks do") {
  Profile profile = run_beside(2, 1, 1000);
  CHECK_FALSE(taken_from(profile));
  profile.facts["busy_threads"] = std::int64_t{4};
  CHECK(taken_from(profile)->taken == Approx(2));
}

TEST_CASE("others that took a core for next to no time are not worth a word") {
  Profile profile = run_beside(3, 4, 1000);
  profile.wall_s = 5;
  const auto wait_for_cores = [&profile](std::vector<double> waits_s) {
    profile.locations.clear();
    for (std::size_t rank = 0; rank < waits_s.size(); ++rank) {
      profile.locations.emplace_back();
      profile.locations.back().rank = static_cast<int>(rank);
      profile.locations.back().core_wait_ns = waits_s[rank] * 1e9;
    }
    return taken_from(profile);
  };
  CHECK(wait_for_cores({0.05, 0.05, 0.05, 0.06})->wait_percent == Approx(1.05)); // 0.21 of 20 s
  CHECK_FALSE(wait_for_cores({0.05, 0.05, 0.05, 0.04}));                         // 0.95 %
  wait_for_cores({0, 0, 0, 0});
  profile.locations.back().thread = 1; // whose waits are not counted
  CHECK(taken_from(profile));
  wait_for_cores({1, 2, 3, 4});
  profile.locations.back().core_wait_ns.reset(); // of one it is not known
  CHECK_FALSE(taken_from(profile)->wait_percent);
}

TEST_CASE("of others nothing is known where a fact is missing, or of several hosts") {
  for (const char* name : {"others_ns", "involuntary_switches", "command_wall_ns", "usable_cores"}) {
    Profile profile = run_beside(3, 4, 1000);
    profile.facts.erase_named(name);
    CHECK_FALSE(taken_from(profile));
  }
  Profile far = run_beside(3, 4, 1000);
  far.hosts.resize(2);
  CHECK_FALSE(taken_from(far));
}

TEST_CASE("the warning names the sizes, and the most that was taken") {
  std::vector<Warning> warnings;
  add_busy_machine(build_of({run_beside(0, 1, 0), run_beside(3, 2, 1000), run_beside(1.5, 4, 1000)}), warnings);
  REQUIRE(warnings.size() == 1);
  CHECK(warnings[0].id == "busy_machine");
  CHECK(warnings[0].ranks == std::vector<int>{2, 4});
  CHECK(warnings[0].text ==
        "other processes computed on the cores of the runs at 2, 4 ranks (up to 1.5 of 4 cores): times, waits and "
        "speedup are partly theirs; measure on an idle machine");
  warnings.clear();
  add_busy_machine(build_of({run_beside(0, 1, 0)}), warnings);
  CHECK(warnings.empty());
}

TEST_CASE("the warning says how long ranks waited for a core, where it is known") {
  Profile waited = run_beside(3, 2, 1000);
  waited.wall_s = 10;
  waited.locations.resize(2);
  waited.locations[0].core_wait_ns = 1e9;
  waited.locations[1].core_wait_ns = 4e9;
  std::vector<Warning> warnings;
  add_busy_machine(build_of({waited}), warnings);
  REQUIRE(warnings.size() == 1);
  CHECK(warnings[0].text == "other processes computed on the cores of the runs at 2 ranks, whose ranks waited up to 25 "
                            "% of p x T for a core: "
                            "times, waits and speedup are partly theirs; measure on an idle machine");
}
