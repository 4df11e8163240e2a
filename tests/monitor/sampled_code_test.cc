// Samples of functions that the compiler has inlined into each other, divided by where they are: answers by hand.
#include <catch2/catch.hpp>

#include <memory>

#include "monitor/finish/sampled_code.h"
#include "tests/monitor/thread.h"

using namespace andes;
using namespace andes::monitor;
using namespace andes::test;

namespace {

constexpr std::uintptr_t code_main = 0x1000, code_sort = 0x2000; // functions in memory
constexpr std::uint64_t of_main = 7, of_inner = 8, of_sort = 9, of_short = 10; // functions of the source

/// Counts as the thread of the windows would have made them.
class Samples {
public:
  void add(std::uintptr_t function, std::uintptr_t address, std::uint32_t periods, std::uint32_t apart = 0) {
    FunctionCount& count = *count_of(*samples_, function);
    count.has_probe = true;
    count.periods += periods;
    count.apart_periods += apart;
    if (address != 0) samples_->addresses[used_++] = {address, address, function, periods, apart};
  }
  FunctionSamples& operator*() { return *samples_; }

private:
  std::unique_ptr<FunctionSamples> samples_ = std::make_unique<FunctionSamples>();
  std::size_t used_ = 0;
};

} // namespace

TEST_CASE("samples in inlined code are of the innermost function with a probe") {
  Thread thread;
  Tree& tree = thread.location.tree;
  const auto make = [&](std::uint32_t parent, std::uint32_t region, std::uintptr_t function, std::uintptr_t code) {
    const std::uint32_t node = make_child(tree, parent, region, ANDES_KIND_FUNCTION).node;
    tree.accounts[node].function = function;
    tree.accounts[node].code = code;
    return node;
  };
  const std::uint32_t f = make(node_root, region_f, code_main, 0x1010), g = make(f, region_g, code_main, 0x1020);
  CodeScopes all_scopes;
  auto& scopes = all_scopes.around;
  scopes = {
      {0x1010, {of_main}},           {0x1020, {of_inner, of_main}},           {0x1030, {of_main}},
      {0x1040, {of_inner, of_main}}, {0x1050, {of_short, of_inner, of_main}}, // without a probe: of the one around
  };
  Samples samples;
  samples.add(code_main, 0x1030, 10, 3);
  samples.add(code_main, 0x1040, 20, 5);
  samples.add(code_main, 0x1050, 30);
  const auto number_of = [&](const SampledCode& code, std::uint32_t node) {
    return static_cast<std::size_t>(code.of_nodes()[node]);
  };

  SECTION("by the scopes of their addresses") {
    const SampledCode code(tree, *samples, all_scopes);
    REQUIRE(code.count() == 2);
    CHECK(code.periods()[number_of(code, f)] == 10);
    CHECK(code.periods()[number_of(code, g)] == 50);
    CHECK(code.are_inlined(code.of_nodes()[f], code.of_nodes()[g]));
  }
  SECTION("together, where nothing is known of a probe's") {
    scopes.erase(0x1020);
    const SampledCode code(tree, *samples, all_scopes);
    REQUIRE(code.count() == 1);
    CHECK(code.of_nodes()[g] == code.of_nodes()[f]);
    CHECK(code.periods()[0] == 60);
  }
  SECTION("together, where a tenth of the addresses or more is not known") {
    samples.add(code_main, 0, 7);
    CHECK(SampledCode(tree, *samples, all_scopes).count() == 2);
    samples.add(code_main, 0, 1);
    const SampledCode code(tree, *samples, all_scopes);
    REQUIRE(code.count() == 1);
    CHECK(code.periods()[0] == 68);
  }
  SECTION("a function without a probe that others were inlined into is its caller's time") {
    const std::uint32_t first = make(f, region_h, code_sort, 0x2010), second = make(f, region_send, code_sort, 0x2020);
    scopes[0x2010] = {of_inner, of_sort};
    scopes[0x2020] = {of_short, of_sort};
    scopes[0x2030] = {of_sort};
    samples.add(code_sort, 0x2010, 4);
    samples.add(code_sort, 0x2020, 5);
    samples.add(code_sort, 0x2030, 6);
    const SampledCode code(tree, *samples, all_scopes);
    REQUIRE(code.count() == 4);
    CHECK(code.periods()[number_of(code, first)] == 4);
    CHECK(code.periods()[number_of(code, second)] == 5);
    CHECK(code.periods()[number_of(code, f)] == 10 + 6);
    CHECK(code.unknown() == 0);
    // Of two callers in other functions it is not known whose.
    make(g, region_h, code_sort, 0x2010);
    CHECK(SampledCode(tree, *samples, all_scopes).unknown() == 6);
  }
  SECTION("a parallel region is the function that the compiler made of it, not that of its probe") {
    const auto of_region = [&](std::uintptr_t function, std::uintptr_t code) {
      const std::uint32_t node = make_child(tree, g, region_h, ANDES_KIND_PARALLEL).node;
      tree.accounts[node].function = function;
      tree.accounts[node].code = code;
      return node;
    };
    samples.add(code_sort, 0x2030, 6);
    const std::uint32_t region = of_region(code_sort, code_sort),
                        loop = make_child(tree, region, region_send, ANDES_KIND_WORKSHARE).node;
    const SampledCode code(tree, *samples, all_scopes);
    REQUIRE(code.count() == 3);
    CHECK(code.periods()[number_of(code, region)] == 6);
    CHECK(code.of_nodes()[loop] == code.of_nodes()[region]);
    // Where only the place of its probe is known, nothing is known of its code.
    tree.accounts[region].function = code_main;
    tree.accounts[region].code = 0x1030;
    const SampledCode unknown(tree, *samples, all_scopes);
    CHECK(unknown.of_nodes()[region] == SampledCode::none);
    CHECK(unknown.of_nodes()[loop] == SampledCode::none);
  }
  SECTION("closed calls of MPI are told by who of them has called") {
    const Child poll = make_child(tree, g, region_send, ANDES_KIND_LOCAL);
    make_sampled(tree, poll.node, 1);
    SampleRecord& of = tree.records[tree.node(poll.node).record];
    begin_windowed(tree, of);
    add_window(of.windows, {10, 10, 100, 1000, 0, 10, true});
    std::vector<KnownTime> known(tree.node_count);
    known[poll.node].own = 100;
    SampledCode code(tree, *samples, all_scopes);
    code.add_calls(tree, known);
    REQUIRE(code.count() == 3);
    CHECK(known[poll.node].function == 2);
    CHECK(code.periods()[2] == 5);
    CHECK_FALSE(code.are_inlined(2, code.of_nodes()[f]));
  }
}
