// Shares of functions without a probe by samples: answers by hand.
#include <catch2/catch.hpp>

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>

#include "monitor/core/function_samples.h"
#include "monitor/finish/gather.h"
#include "monitor/finish/sampled_shares.h"
#include "tests/monitor/fake_ranks.h"
#include "tests/monitor/thread.h"

using namespace andes;
using namespace andes::monitor;
using namespace andes::test;

namespace {

const NotedFunction f = {"f", "a.c", 3}, g = {"g", "a.c", 9};
const NotedFunction small = {"small", "dir/a.h", 5}, other = {"other", "a.c", 20};

} // namespace

TEST_CASE("samples in functions without a probe are shares of the one that calls them") {
  constexpr std::uintptr_t code_main = 0x1000;
  constexpr std::uint64_t of_f = 1, of_g = 2, of_small = 3, of_system = 4, of_other = 5;
  Thread thread;
  Tree& tree = thread.location.tree;
  const auto make = [&](std::uint32_t parent, std::uint32_t region, std::uintptr_t code) {
    const std::uint32_t node = make_child(tree, parent, region, ANDES_KIND_FUNCTION).node;
    tree.accounts[node].function = code_main;
    tree.accounts[node].code = code;
    return node;
  };
  make(make(node_root, region_f, 0x1010), region_g, 0x1020);
  const CodeScopes scopes = {.around = {{0x1010, {of_f}},
                                        {0x1020, {of_g, of_f}},
                                        {0x1030, {of_system, of_small, of_f}}, // small, inlined into f
                                        {0x1040, {of_small, of_g, of_f}},      // and into g
                                        {0x1050, {of_f}},                      // a call of other
                                        {0x2000, {of_other}},
                                        {0x2010, {of_small, of_other}}}, // inlined into other
                             .places = {{of_f, {"f", "a.c", 3}},
                                        {of_g, {"g", "a.c", 9}},
                                        {of_small, {"small<int>", "/src/dir/a.h", 5}},
                                        {of_system, {"operator[]", "/usr/include/vector", 80}},
                                        {of_other, {"other", "", 0}}}}; // debug information without lines
  const auto samples = std::make_unique<FunctionSamples>();
  const AddressCount counts[] = {{0x1010, 0x1010, code_main, 10, 0}, {0x1030, 0x1030, code_main, 20, 0},
                                 {0x1040, 0x1040, code_main, 30, 0}, {0x1020, 0x1020, code_main, 7, 0},
                                 {0x1050, 0x2000, code_main, 40, 0}, {0x1050, 0x2010, code_main, 5, 0},
                                 {0x1050, 0x1050, code_main, 0, 99}}; // in MPI, which has times of its own
  std::copy(std::begin(counts), std::end(counts), samples->addresses);
  thread.location.function_samples = samples.get();
  SampledShares shares;
  add_shares(
      thread.location, scopes, {small, other}, [](std::uint32_t region) { return region == region_f ? f : g; }, shares);
  thread.location.function_samples = nullptr;
  CHECK(shares == SampledShares{{{f, {}}, 75}, {{f, small}, 25}, {{f, other}, 40}, {{g, {}}, 37}, {{g, small}, 30}});
}

TEST_CASE("sampled shares take the place of those by operations where there are enough samples") {
  const std::vector<RegionRow> regions = {
      {"(program)", "root", "", 0}, {"f", "function", "a.c", 3}, {"g", "function", "a.c", 9}};
  std::vector<LeftOutRow> rows = {{1, small, 0.5, true}, {1, other, 0.1, true}, {2, small, 0.4, true}};
  take_shares({{{f, {}}, 1000}, {{f, small}, 250}, {{f, other}, 4}, {{g, {}}, 99}, {{g, small}, 90}}, regions, rows);
  REQUIRE(rows.size() == 2); // 4 of 1000 are too few to be told
  CHECK(rows[0].region == 1);
  CHECK(rows[0].function == small);
  CHECK(rows[0].share == 0.25);
  CHECK(rows[0].samples == 1000);
  CHECK_FALSE(rows[0].unknown_work);
  CHECK(rows[1].region == 2);
  CHECK(rows[1].share == 0.4);
  CHECK(rows[1].samples == 0);
}

TEST_CASE("sampled shares of ranks are added, and survive their message") {
  const auto reduced = [](int rank, SampledShares shares) {
    Profile profile = profile_of(rank, {{{"(program)"}, 1, 100, 100}});
    profile.sampled_shares = std::move(shares);
    Bounds bounds;
    bounds.job_ranks = 2;
    return reduce(std::move(profile), bounds);
  };
  Reduction both = reduced(0, {{{f, {}}, 10}, {{f, small}, 3}});
  const std::optional<Reduction> other_rank = from_pieces(pieces_of(reduced(1, {{{f, {}}, 20}, {{g, {}}, 5}})));
  REQUIRE(other_rank);
  merge(both, *other_rank, {});
  CHECK(both.sampled_shares == SampledShares{{{f, {}}, 30}, {{f, small}, 3}, {{g, {}}, 5}});
}
