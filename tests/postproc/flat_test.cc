// The flat profile of trees made by hand: two callers of one function, and recursion through another function on one
// call path, whose inclusive time must count once. Times in seconds, on one rank, T = 10 s:
//
//   (program) 10                       exclusive 0
//     main 10                          1
//       a 6                            1
//         b 4                          1
//           a 2                        2      a again, below itself
//         MPI_Send 1                          100 messages of 8 bytes
//       b 3                            2
//         MPI_Send 1                          50 messages of 80 bytes
#include "postproc/analysis/flat.h"

#include <catch2/catch.hpp>

#include <cmath>

#include "common/refusal.h"
#include "postproc/view/views.h"

using namespace andes;
using namespace andes::postproc;

namespace {

enum Function { program, function_main, function_a, function_b, send };
constexpr int functions = 5;

struct Path {
  int parent, region;
  double visits, inclusive_s, exclusive_s;
};
constexpr Path paths[] = {{-1, program, 1, 10, 0},  {0, function_main, 1, 10, 1}, {1, function_a, 1, 6, 1},
                          {2, function_b, 2, 4, 2}, {3, function_a, 4, 2, 2},     {2, send, 100, 1, 1},
                          {1, function_b, 6, 3, 2}, {6, send, 50, 1, 1}};

Profile profile_by_hand() {
  Profile profile;
  profile.file = "hand.andes";
  profile.ranks = 1;
  profile.wall_s = 10;
  Location location;
  location.wall_ns = 10e9;
  profile.locations = {location};
  profile.regions = {{"(program)", "root", "", 0},
                     {"main", "function", "main.c", 1},
                     {"a", "function", "ab.c", 2},
                     {"ns::B::b<int>(int)", "function", "ab.c", 3},
                     {"MPI_Send", "send", "", 0}};
  for (const Path& path : paths) {
    profile.callpaths.push_back({path.parent, path.region});
    const std::size_t first = profile.statistics.size();
    profile.statistics.resize(first + profile.metrics());
    Statistic* own = &profile.statistics[first];
    own[run_file::visits].sum = path.visits;
    own[run_file::inclusive_ns].sum = path.inclusive_s * 1e9;
    own[run_file::exclusive_ns].sum = path.exclusive_s * 1e9;
    if (path.region != send) continue;
    own[run_file::messages_sent].sum = path.visits;
    own[run_file::bytes_sent].sum = path.visits * (path.parent == 2 ? 8 : 80);
  }
  return profile;
}

struct Flat {
  Profile profile = profile_by_hand();
  Tree tree = tree_of(profile, profile.statistics);
  std::vector<FlatRow> by(FlatBy what) const { return flat_profile(profile, profile.statistics, tree, what); }
  std::vector<FunctionCalls> calls(const std::string& name) const {
    return calls_of(profile, profile.statistics, tree, name);
  }
};

const FlatRow& named(const std::vector<FlatRow>& rows, const std::string& name) {
  for (const FlatRow& row : rows)
    if (row.name == name) return row;
  FAIL("no row " + name);
  return rows.front();
}

std::string text_of(const std::vector<CallsBetween>& between) {
  std::string text;
  for (const CallsBetween& c : between)
    text += c.calls.name + ' ' + std::to_string(std::lround(c.calls.inclusive_s)) + " s " +
            std::to_string(std::lround(c.calls.visits)) + " of " + std::to_string(std::lround(c.of_visits)) + "; ";
  return text;
}

/// Makes a call path one of sampled visits.
void sample(Profile& profile, std::size_t path, double below_s, double above_s, double timed, bool unreliable = false) {
  Statistic* own = &profile.statistics[path * profile.metrics()];
  own[run_file::sampled_visits].sum = own[run_file::visits].sum;
  own[run_file::timed_visits].sum = timed;
  own[run_file::below_ns2].sum = below_s * below_s * 1e18;
  own[run_file::above_ns2].sum = above_s * above_s * 1e18;
  own[run_file::unreliable].sum = unreliable;
}

} // namespace

TEST_CASE("flat profile: recursion counts once in inclusive time, all of it in the rest") {
  const std::vector<FlatRow> rows = Flat().by(FlatBy::function);
  REQUIRE(rows.size() == functions);
  const FlatRow& a = named(rows, "a");
  CHECK(a.callpaths == 2);
  CHECK(a.visits == 5);
  CHECK(a.inclusive_s == Approx(6)); // the 2 s of the second a are in the 6 s of the first
  CHECK(a.exclusive_s == Approx(3));
  CHECK(*inclusive_per_visit_s(a) == Approx(1.2));
  CHECK(*exclusive_per_visit_s(a) == Approx(0.6));
  const FlatRow& b = named(rows, "ns::B::b<int>(int)");
  CHECK(b.inclusive_s == Approx(7)); // two callers
  CHECK(b.exclusive_s == Approx(4));
  CHECK(b.visits == 8);
  double sum = 0;
  for (const FlatRow& row : rows) sum += row.exclusive_s;
  CHECK(sum == Approx(10));
  CHECK(rows[0].name == "ns::B::b<int>(int)"); // longest exclusive time first
  CHECK(rows[1].name == "a");
}

TEST_CASE("flat profile: messages of a function of MPI, and of a group of its calls") {
  const Flat flat;
  for (const std::vector<FlatRow>& rows : {flat.by(FlatBy::function), flat.by(FlatBy::kind)}) {
    const FlatRow& row = named(rows, rows.size() == 1 ? "send" : "MPI_Send");
    CHECK(row.inclusive_s == Approx(2));
    CHECK(row.messages_sent == 150);
    CHECK(row.bytes_sent == 100 * 8 + 50 * 80);
    CHECK(*mean_bytes_sent(row) == Approx(32));
    CHECK_FALSE(mean_bytes_received(row));
  }
  CHECK(flat.by(FlatBy::kind).size() == 1); // groups are of MPI calls alone
}

TEST_CASE("flat profile: a file counts once what its functions call in it") {
  const std::vector<FlatRow> rows = Flat().by(FlatBy::file);
  CHECK(named(rows, "ab.c").inclusive_s == Approx(9));
  CHECK(named(rows, "ab.c").exclusive_s == Approx(7));
  CHECK(named(rows, "main.c").inclusive_s == Approx(10));
  CHECK(named(rows, "(MPI)").exclusive_s == Approx(2));
  CHECK(named(rows, "(no file)").exclusive_s == Approx(0));
}

TEST_CASE("flat profile: callers add up to the function, callees have the calls from it") {
  const Flat flat;
  const std::vector<FunctionCalls> b = flat.calls("b"); // without namespace, template arguments and parameters
  REQUIRE(b.size() == 1);
  CHECK(text_of(b[0].callers) == "a 4 s 2 of 8; main 3 s 6 of 8; ");
  CHECK(text_of(b[0].callees) == "a 2 s 4 of 5; MPI_Send 1 s 50 of 150; ");
  const std::vector<FunctionCalls> a = flat.calls("a");
  CHECK(text_of(a[0].callers) == "main 6 s 1 of 5; ns::B::b<int>(int) 0 s 4 of 5; "); // its 2 s are in main's 6
  CHECK(text_of(a[0].callees) == "ns::B::b<int>(int) 4 s 2 of 8; MPI_Send 1 s 100 of 150; ");
  CHECK(flat.calls("(program)")[0].callers.empty());
  CHECK(flat.calls("MPI_Send")[0].callees.empty());
}

TEST_CASE("flat profile: a name that no function has") {
  const auto message = [](const std::string& name) {
    try {
      Flat().calls(name);
    } catch (const Refusal& refusal) {
      return std::string(refusal.what());
    }
    return std::string();
  };
  CHECK(message("MPI_Sned") == "hand.andes: it has no function MPI_Sned; did you mean MPI_Send?");
  CHECK(message("nothing like it") == "hand.andes: it has no function nothing like it; andes show --flat lists them");
}

TEST_CASE("flat profile: errors of independent call paths add as squares, those of recursion count once") {
  Flat flat;
  sample(flat.profile, 3, 0.3, 0.6, 2);
  sample(flat.profile, 6, 0.4, 0.8, 3);
  sample(flat.profile, 4, 0.1, 0.1, 1);
  flat.tree = tree_of(flat.profile, flat.profile.statistics);
  const std::vector<FlatRow> rows = flat.by(FlatBy::function);
  const FlatRow& b = named(rows, "ns::B::b<int>(int)");
  CHECK(b.inclusive_error_s.estimated);
  CHECK(b.inclusive_error_s.reliable);
  CHECK(b.inclusive_error_s.below == Approx(0.5));
  CHECK(b.inclusive_error_s.above == Approx(1));
  CHECK(b.sampled_visits == 8);
  CHECK(b.timed_visits == 5);
  CHECK_FALSE(named(rows, "a").inclusive_error_s.estimated); // its outermost call path is exact
  CHECK(named(rows, "a").exclusive_error_s.estimated);
  CHECK_FALSE(named(rows, "MPI_Send").exclusive_error_s.estimated);
}

TEST_CASE("flat profile: a call path that hardly counts does not make its function unreliable") {
  for (const double time_s : {0.001, 1.0}) {
    Flat flat;
    Statistic* rare = &flat.profile.statistics[3 * flat.profile.metrics()];
    rare[run_file::visits].sum = 0.01;
    rare[run_file::inclusive_ns].sum = time_s * 1e9;
    sample(flat.profile, 3, 0, 0, 1, true);
    flat.tree = tree_of(flat.profile, flat.profile.statistics);
    CHECK(named(flat.by(FlatBy::function), "ns::B::b<int>(int)").inclusive_error_s.reliable == (time_s < 0.01));
  }
}

TEST_CASE("flat profile: what counting visits may have cost is alike in all call paths") {
  Flat flat;
  for (const std::size_t path : {3, 6}) {
    Statistic* of = &flat.profile.statistics[path * flat.profile.metrics()];
    of[run_file::visits_below2].sum = of[run_file::visits_above2].sum = 4.5;
    of[run_file::visits_cost_below].sum = 2;
    of[run_file::visits_cost_above].sum = 20;
  }
  flat.tree = tree_of(flat.profile, flat.profile.statistics);
  const FlatRow b = named(flat.by(FlatBy::function), "ns::B::b<int>(int)");
  CHECK(b.visits_below == Approx(5)); // 3 by chance and 4
  CHECK(b.visits_above == Approx(std::hypot(3, 40)));
}

TEST_CASE("flat profile: samples of functions tell more of a function than of each of its call paths") {
  Flat flat;
  const auto estimate = [&](std::size_t path, double distance_s, double own_s, double in_region_s) {
    Statistic* of = &flat.profile.statistics[path * flat.profile.metrics()];
    of[run_file::sampled_visits].sum = of[run_file::timed_visits].sum = 100;
    const auto squared_ns = [](double s) { return s * 1e9 * s * 1e9; };
    of[run_file::below_ns2].sum = of[run_file::above_ns2].sum = squared_ns(distance_s);
    of[run_file::own_error_ns2].sum = squared_ns(own_s);
    of[run_file::region_error_ns2].sum = squared_ns(in_region_s);
  };
  const auto error_of_b = [&] {
    flat.tree = tree_of(flat.profile, flat.profile.statistics);
    return named(flat.by(FlatBy::function), "ns::B::b<int>(int)").exclusive_error_s.above;
  };
  estimate(3, 0.9, 0.3, 0.06);
  estimate(6, 0.9, 0.4, 0.08);
  CHECK(error_of_b() == Approx(std::hypot(0.9, 0.9))); // no samples
  flat.profile.facts["function_samples"] = std::int64_t{1000};
  CHECK(error_of_b() == Approx(0.1)); // 0.06 and 0.08, not 0.3 and 0.4
  const auto calls = flat.calls("b");
  REQUIRE(calls.size() == 1);
  CHECK(calls[0].function.exclusive_error_s.above == Approx(0.1));
  for (const CallsBetween& from : calls[0].callers) // of one of them samples tell what they tell of that call path
    CHECK(from.calls.exclusive_error_s.above == Approx(from.calls.name == "main" ? 0.4 : 0.3));
  estimate(3, 0.9, 0.3, 0);
  estimate(6, 0.9, 0.4, 0);
  CHECK(error_of_b() == Approx(0.5)); // files of older monitors
  // What probes hide of visits that were all timed is known by no sample.
  estimate(3, 0.9, 0.3, 0.06);
  estimate(6, 0, 0, 0);
  Statistic* by_probes = &flat.profile.statistics[6 * flat.profile.metrics()];
  by_probes[run_file::sampled_visits].sum = by_probes[run_file::timed_visits].sum = 0;
  by_probes[run_file::probe_error_ns].sum = 0.5e9;
  CHECK(error_of_b() == Approx(std::hypot(0.06, 0.5)));
}

TEST_CASE("flat profile: medians over repeats, zero where a repeat has not met the function") {
  Flat one, two, three;
  for (Flat* flat : {&two, &three}) {
    Statistic* b = &flat->profile.statistics[6 * flat->profile.metrics()];
    b[run_file::exclusive_ns].sum = flat == &two ? 4e9 : 6e9;
    flat->profile.regions[function_main].name = "other";
  }
  const FlatRun median = median_flat({one.profile, two.profile, three.profile});
  CHECK(median.time_s == Approx(10));
  CHECK(named(median.rows, "ns::B::b<int>(int)").exclusive_s == Approx(6)); // of 4, 6 and 8
  CHECK(named(median.rows, "main").exclusive_s == Approx(0));
  CHECK(named(median.rows, "other").exclusive_s == Approx(1));
  CHECK(median_flat(std::vector<FlatRun>()).rows.empty());
}
