// The governor: what it samples and closes, and what becomes of the times. The truth is added up beside
// the visits; ticks are made by hand, 1,000 of them a millisecond.
#include <numeric>
#include <random>

#include "monitor/finish/derive.h"
#include "monitor/finish/student.h"
#include "tests/monitor/thread.h"

using namespace andes;
using namespace andes::monitor;
using namespace andes::test;

namespace {

// An exact visit costs 20 ticks, 10 of them in its own time; see ProbeCosts.
constexpr ProbeCosts costs = with_inner_part({.pair = 20,
                                              .inner = 10,
                                              .dependent = 20,
                                              .dependent_inner = 10,
                                              .busy = 20,
                                              .busy_inner = 10,
                                              .sampled = 2,
                                              .sample = 60,
                                              .error = 0,
                                              .ticks_per_ms = 1000},
                                             30);
/// An exact visit costs that whatever the work around it.
constexpr ProbeCosts same_everywhere(double pair, double inner) {
  return {.pair = pair,
          .inner = inner,
          .dependent = pair,
          .dependent_inner = inner,
          .busy = pair,
          .busy_inner = inner,
          .ticks_per_ms = 1000};
}

constexpr ProbeCosts free_of_cost = {.ticks_per_ms = 1000};

/// A visit of `region` that lasts `ticks`, and what the probe itself adds around and in it.
void visit(Thread& thread, std::uint32_t region, std::uint64_t ticks) {
  andes_frame* frame = thread.enter(region);
  thread.now += ticks;
  if (frame) thread.leave(frame);
}

double sum(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

} // namespace

TEST_CASE("a short, hot call path is sampled, all its visits counted, the tree's sum kept") {
  Thread thread;
  thread.govern_by(0.01, costs);
  auto* f = thread.enter(region_f);
  std::mt19937 random(1);
  std::uint64_t truth = 0;
  constexpr int visits = 400'000;
  for (int i = 0; i < visits; ++i) {
    const std::uint64_t ticks = 500 + random() % 1000; // 20 of them are 2 %
    truth += ticks;
    visit(thread, region_g, ticks);
  }
  thread.now += 1'000'000; // of f itself: what g took is not all that there is
  thread.leave(f);
  close_frames(thread.location, thread.now);
  const std::uint32_t node_f = thread.find(node_root, region_f), node_g = thread.find(node_f, region_g);
  CHECK(is_sampled(thread.location.tree.node(node_g)));
  CHECK(thread.visits(node_g) == visits);
  CHECK(sampled_visits(thread.location.tree, node_g) > visits * 9 / 10);
  CHECK(thread.should_close.empty());

  const Derived derived = derive(thread.location.tree, free_of_cost);
  const Estimate& estimate = derived.estimates[node_g];
  const double timed = static_cast<double>(thread.location.tree.records[1].sample.timed);
  CHECK(timed > 2000);
  CHECK(timed <= visits / 8);
  CHECK(estimate.reliable);
  CHECK(derived.inclusive[node_g] == Approx(static_cast<double>(truth)).epsilon(0.01));
  CHECK(derived.inclusive[node_g] - estimate.below < static_cast<double>(truth));
  CHECK(derived.inclusive[node_g] + estimate.above > static_cast<double>(truth));
  CHECK(estimate.variance > 0);
  CHECK(derived.inclusive[node_f] == static_cast<double>(thread.now)); // exact, whatever is below
  CHECK(sum(derived.exclusive) == Approx(static_cast<double>(thread.now)));
}

TEST_CASE("what costs little against its duration stays exact, and without a budget everything does") {
  Thread thread;
  const double budget = GENERATE(0.01, 0.0);
  thread.govern_by(budget, costs);
  auto* f = thread.enter(region_f);
  for (int i = 0; i < 20'000; ++i) visit(thread, region_g, budget == 0 ? 3 : 4000); // 20 of 4,000: 0.5 %
  thread.leave(f);
  const std::uint32_t node_g = thread.find(thread.find(node_root, region_f), region_g);
  CHECK(!is_sampled(thread.location.tree.node(node_g)));
  CHECK(thread.location.tree.node(node_g).inclusive_ticks == (budget == 0 ? 60'000u : 80'000'000u));
}

TEST_CASE("what is too hot even to count shall be closed") {
  Thread thread;
  thread.govern_by(0.01, costs);
  auto* f = thread.enter(region_f);
  for (int i = 0; i < 200'000 && thread.should_close.empty(); ++i) visit(thread, region_g, 3);
  thread.leave(f);
  CHECK(thread.should_close == std::set<std::uint32_t>{region_g});
  thread.should_close.clear();
  thread.location.governor.may_close = false;
  thread.enter(region_f);
  for (int i = 0; i < 200'000; ++i) visit(thread, region_g, 3);
  CHECK(thread.should_close.empty());
}

TEST_CASE("recursion is as long as the visit that it is part of, though that has not ended") {
  Thread thread;
  thread.govern_by(0.05, costs);
  thread.enter(region_f);
  const std::uint64_t length = GENERATE(10, 2000);
  for (std::uint64_t visits = 0; visits < 500'000 / length; ++visits) {
    auto* g = thread.enter(region_g, ANDES_KIND_FUNCTION, 8);
    auto* f = thread.enter(region_f, ANDES_KIND_FUNCTION, 4);
    for (std::uint64_t ticks = 0; ticks < length; ticks += 10) visit(thread, region_h, 10); // too hot even to count
    thread.leave(f);
    thread.leave(g);
  }
  CHECK(!thread.should_close.empty());
  CHECK(thread.should_close.contains(region_f) == (length == 10));
}

TEST_CASE("a call path that is dear for the search for its closed callers shall be closed, however long its visits") {
  // Counting 1,000 ticks costs 0.3 %, too little to close it. A search costs 60.
  const bool searched = GENERATE(false, true);
  Thread thread;
  thread.govern_by(0.01, costs);
  auto* f = thread.enter(region_f);
  visit(thread, region_g, 1000);
  const std::uint32_t node_g = thread.find(thread.find(node_root, region_f), region_g);
  for (int i = 0; i < 10'000 && thread.should_close.empty(); ++i) {
    thread.location.tree.accounts[node_g].search_ticks += searched ? 60 : 0;
    visit(thread, region_g, 1000);
  }
  thread.leave(f);
  CHECK(is_sampled(thread.location.tree.node(node_g)));
  CHECK(thread.should_close == (searched ? std::set<std::uint32_t>{region_g} : std::set<std::uint32_t>{}));
}

TEST_CASE("nothing is closed for the cost of what is sampled from now on, and can be closed by the next sweep") {
  // Visits of g last 100 ticks and are a tenth of the time: counting them costs 0.3 % of it, which 1 % allows.
  Thread thread;
  thread.govern_by(0.01, costs);
  thread.enter(region_f);
  for (int i = 0; i < 1000; ++i) {
    visit(thread, region_g, 100);
    thread.now += 900;
  }
  const std::uint32_t node_g = thread.find(thread.find(node_root, region_f), region_g);
  REQUIRE(is_sampled(thread.location.tree.node(node_g)));
  REQUIRE(thread.should_close.empty());
  // Those of h last a tick. Each of them costs 20 until it is sampled, and then 3.
  for (int i = 0; i < 1000 && thread.should_close.empty(); ++i) {
    visit(thread, region_g, 100);
    for (int j = 0; j < 900; ++j) visit(thread, region_h, 1);
  }
  CHECK(thread.should_close == std::set<std::uint32_t>{region_h});
}

TEST_CASE("a region is closed for the visits that are dear only if all of its visits together are") {
  // Counting a visit of g costs 3 ticks, 0.08 % of a long one and 6 % of a short one; these are 1 or 56 % of g's time.
  // What is over the budget otherwise is MPI's, which cannot be closed.
  const int short_visits = GENERATE(1, 100);
  Thread thread;
  thread.govern_by(0.01, costs);
  auto* f = thread.enter(region_f);
  for (int i = 0; i < 2000; ++i) {
    visit(thread, region_g, 4000);
    auto* h = thread.enter(region_h);
    for (int j = 0; j < short_visits; ++j) visit(thread, region_g, 50);
    thread.leave(h);
    for (int j = 0; j < 10; ++j) thread.leave(thread.enter(region_send, ANDES_KIND_SEND));
  }
  thread.leave(f);
  CHECK(thread.should_close.count(region_g) == (short_visits == 100));
}

TEST_CASE("nothing is closed whose callees would search for it for more than that saves") {
  // g, or h below it, calls MPI. A visit that is counted costs 3 ticks and its share of timed ones, a search 40.
  const int visits_a_send = GENERATE(1, 100);
  const bool through_h = GENERATE(false, true);
  Thread thread;
  thread.govern_by(0.01, costs);
  auto* f = thread.enter(region_f);
  for (int i = 0; i < 200'000 && thread.should_close.empty(); ++i) {
    auto* g = thread.enter(region_g);
    auto* h = through_h ? thread.enter(region_h) : nullptr;
    thread.now += 3;
    if (i % visits_a_send == 0) thread.leave(thread.enter(region_send, ANDES_KIND_SEND));
    if (h) thread.leave(h);
    thread.leave(g);
  }
  thread.leave(f);
  CHECK(thread.should_close.empty() == (visits_a_send == 1));
}

TEST_CASE("a region is closed if that saves more in some of its call paths than searches cost below others") {
  // Each search of 40 ticks would be for one visit of g, below h, that calls MPI, and others that do not.
  const int others = GENERATE(1, 100);
  Thread thread;
  thread.govern_by(0.01, costs);
  auto* f = thread.enter(region_f);
  for (int i = 0; i < 50'000 && thread.should_close.empty(); ++i) {
    for (int j = 0; j < others; ++j) visit(thread, region_g, 3);
    auto* h = thread.enter(region_h);
    auto* g = thread.enter(region_g);
    thread.leave(thread.enter(region_send, ANDES_KIND_SEND));
    thread.leave(g);
    thread.leave(h);
  }
  thread.leave(f);
  CHECK(thread.should_close == (others == 100 ? std::set<std::uint32_t>{region_g} : std::set<std::uint32_t>{}));
}

TEST_CASE("what stays open below a call path would search for it, through others that would be closed") {
  constexpr std::uint32_t region_leaf = 14; // would be closed, too, and has no callees
  Thread thread;
  thread.govern_by(0.01, costs);
  Tree& tree = thread.location.tree;
  auto* f = thread.enter(region_f);
  for (int i = 0; i < 500; ++i) {
    auto* g = thread.enter(region_g);
    auto* h = thread.enter(region_h);
    thread.leave(thread.enter(region_send, ANDES_KIND_SEND));
    visit(thread, region_leaf, 0);
    thread.leave(h);
    thread.leave(g);
  }
  const std::uint32_t node_f = thread.find(node_root, region_f), node_g = thread.find(node_f, region_g),
                      node_h = thread.find(node_g, region_h);
  ToClose to_close;
  const auto sweep_at = [&](std::uint64_t now_ticks) {
    sweep(thread.location.governor, tree, thread.open_frames(), now_ticks, to_close);
  };
  SECTION("sampled ones") {
    REQUIRE(make_sampled(tree, node_g, 1));
    REQUIRE(make_sampled(tree, node_h, 1));
    sweep_at(100'000);
    CHECK(tree.accounts[node_h].searches_below == 0.2); // 500 searches of 40 ticks
    CHECK(tree.accounts[node_g].searches_below == 0.2);
    CHECK(tree.accounts[node_f].searches_below == 0.2);
    CHECK(tree.accounts[node_root].searches_below == 0.0004); // f has but one visit
    sweep_at(200'000);
    CHECK(tree.accounts[node_g].searches_below == 0);
  }
  SECTION("a call path of teams stays open itself") {
    REQUIRE(make_sampled(tree, node_g, 1));
    tree.accounts[node_h].pins = pin_team;
    sweep_at(100'000);
    CHECK(tree.accounts[node_h].searches_below == 0.2);
    CHECK(tree.accounts[node_g].searches_below == 0.2); // 500 visits of h
    CHECK(tree.accounts[node_f].searches_below == 0.2);
  }
  thread.leave(f);
}

TEST_CASE("the larger the tree, the rarer all of it is looked at, but for bursts") {
  Thread thread;
  // A look at 1,000 call paths takes 20 ticks, at a tenth of 1 % each 20 ms.
  thread.govern_by(0.01, {.pair = 0.02, .dependent = 0.02, .busy = 0.02, .ticks_per_ms = 1000});
  thread.now = 1'000'000;
  Governor& governor = thread.location.governor;
  for (std::uint32_t region = 100; thread.location.tree.node_count < 1000; ++region) visit(thread, region, 0);
  const std::uint32_t node = thread.location.tree.node_count - 1;
  ToClose to_close;
  const auto looks_at = [&](std::uint64_t ticks) {
    thread.now = ticks;
    sweep(governor, thread.location.tree, thread.open_frames(), thread.now, to_close);
    return governor.looked_ticks == ticks;
  };
  REQUIRE(looks_at(1'100'000));
  CHECK(!looks_at(1'101'000));
  CHECK(!looks_at(1'119'000));
  CHECK(looks_at(1'120'000));
  CHECK(!looks_at(1'123'000));
  // What may be spent at once is 1 % of 50 ms: 25,000 visits, of which each 2,048 are due for a review.
  const auto visit_again = [&](int visits) {
    for (int i = 0; i < visits; ++i) visit(thread, thread.location.tree.node(node).region, 0);
  };
  visit_again(12 * 2048);
  CHECK(!looks_at(1'123'000));
  visit_again(2 * 2048);
  CHECK(!looks_at(1'122'000)); // an eighth of 20 ms is not over yet
  CHECK(looks_at(1'123'000));
}

TEST_CASE("what leads to MPI is sampled like anything else, and MPI below it is exact") {
  Thread thread;
  thread.govern_by(0.01, costs);
  auto* f = thread.enter(region_f);
  constexpr int visits = 100'000, sends = visits / 100;
  for (int i = 0; i < visits; ++i) {
    auto* g = thread.enter(region_g);
    thread.now += 100;
    if (i % 100 == 99) {
      auto* send = thread.enter(region_send, ANDES_KIND_SEND);
      thread.now += 700;
      thread.leave(send);
    }
    thread.leave(g);
  }
  thread.leave(f);
  close_frames(thread.location, thread.now);
  const std::uint32_t node_g = thread.find(thread.find(node_root, region_f), region_g);
  REQUIRE(is_sampled(thread.location.tree.node(node_g)));
  CHECK(thread.visits(node_g) == visits);
  CHECK(thread.visits(thread.find(node_g, region_send)) == sends);
  const Derived derived = derive(thread.location.tree, free_of_cost);
  CHECK(derived.communication[node_root] == 700.0 * sends);
  CHECK(derived.communication[node_g] == 700.0 * sends);
  CHECK(derived.inclusive[node_g] == Approx(100.0 * visits + 700.0 * sends)); // constant durations: no error
}

TEST_CASE("one burst a second is not given up, nor is what it costs remembered") {
  // 20 visits of 120 ticks, 20 of them the probe's: 17 % while the burst lasts, 0.04 % of a second.
  Thread thread;
  thread.govern_by(0.01, costs);
  auto* f = thread.enter(region_f);
  for (int second = 0; second < 20; ++second) {
    for (int i = 0; i < 20; ++i) visit(thread, region_g, 100);
    thread.now += 1'000'000;
  }
  thread.leave(f);
  const std::uint32_t node_g = thread.find(thread.find(node_root, region_f), region_g);
  CHECK(!is_sampled(thread.location.tree.node(node_g)));
  CHECK(thread.should_close.empty());
}

TEST_CASE("a call path that costs next to nothing stays exact beside a dear one, unless many such are dear together") {
  ProbeCosts cheap = costs;
  for (const auto cost : repeated_costs) cheap.*cost /= 100;
  // A sweep after 12,500 visits, which cost the budget of 50,000 ticks. In it 20 of h cost 4; 7.5 would be 0.3 %.
  Thread beside;
  beside.govern_by(0.05, cheap);
  andes_frame* f = beside.enter(region_f);
  for (int i = 0; i < 100'000; ++i) {
    visit(beside, region_g, 1);
    if (i % 625 == 0) visit(beside, region_h, 1);
  }
  beside.leave(f);
  const std::uint32_t node_f = beside.find(node_root, region_f);
  CHECK(is_sampled(beside.location.tree.node(beside.find(node_f, region_g))));
  CHECK_FALSE(is_sampled(beside.location.tree.node(beside.find(node_f, region_h))));

  // Each of these costs 6.7 of 50,000 ticks, all of them 6.7 %.
  Thread many;
  many.govern_by(0.05, cheap);
  many.enter(region_f);
  constexpr std::uint32_t paths = 500;
  for (int i = 0; i < 2000; ++i)
    for (std::uint32_t path = 0; path < paths; ++path) visit(many, region_h + path, 3);
  std::uint32_t sampled = 0;
  for (std::uint32_t path = 0; path < paths; ++path)
    sampled += is_sampled(many.location.tree.node(many.find(many.find(node_root, region_f), region_h + path)));
  CHECK(sampled > paths / 2);
}

TEST_CASE("what begins at the end of a burst of others is not sampled for what they have cost") {
  ProbeCosts cheap = costs;
  for (const auto cost : repeated_costs) cheap.*cost /= 100;
  Thread thread;
  thread.govern_by(0.01, cheap);
  thread.enter(region_f);
  constexpr std::uint32_t paths = 40;
  const auto visit_each = [&](int count, std::uint64_t ticks) {
    for (std::uint32_t path = 1; path <= paths; ++path)
      for (int i = 0; i < count; ++i) visit(thread, region_h + path, ticks);
  };
  visit_each(520, 200); // 0.2 of each is little; from now on each 2048th is due for a look
  const std::uint64_t swept = thread.location.governor.swept_ticks, begin = thread.now;
  visit_each(2000, 1);
  REQUIRE(thread.location.governor.swept_ticks == swept);
  // The first look after the burst sees that 512 visits of h have cost 100 of the 16,000 that are too much.
  for (int i = 0; i < 600; ++i) visit(thread, region_h, 20);
  CHECK(thread.location.governor.swept_ticks > begin);
  const auto sampled = [&](std::uint32_t region) {
    return is_sampled(thread.location.tree.node(thread.find(thread.find(node_root, region_f), region)));
  };
  CHECK_FALSE(sampled(region_h));
  CHECK(sampled(region_h + 1));
}

TEST_CASE("many call paths that cost next to nothing are sampled before one is closed") {
  ProbeCosts cheap = costs;
  for (const auto cost : repeated_costs) cheap.*cost /= 400; // a pair 0.05, a counted visit 0.0075 at most
  cheap.sample /= 10;
  Thread thread;
  thread.govern_by(0.01, cheap);
  thread.enter(region_f);
  constexpr std::uint32_t paths = 225;
  // Of 50,000 ticks g takes a half. 25,000 visits of it cost 1250 while they are exact, and some 210 when they are sampled.
  const auto sweeps = [&](int count, bool with_others) {
    for (int i = 0; i < count * 28; ++i) {
      for (int j = 0; j < 893; ++j) visit(thread, region_g, 1);
      thread.now += 218;
      for (std::uint32_t path = 0; path < paths; ++path)
        if (with_others) visit(thread, region_h + path, 3);
        else thread.now += 3;
    }
  };
  sweeps(4, false);
  const std::uint32_t node_f = thread.find(node_root, region_f), node_g = thread.find(node_f, region_g);
  REQUIRE(is_sampled(thread.location.tree.node(node_g)));
  // 28 visits of each of the others cost 1.4, less than 0.3 % of the budget of 500, and all of them 315. To close g would save
  // enough, and so does sampling them.
  sweeps(4, true);
  CHECK(thread.should_close.empty());
  std::uint32_t sampled = 0;
  for (std::uint32_t path = 0; path < paths; ++path)
    sampled += is_sampled(thread.location.tree.node(thread.find(node_f, region_h + path)));
  CHECK(sampled == paths);
}

TEST_CASE("fewer visits are timed before one of many call paths is closed, and more again when there is room") {
  Thread thread;
  thread.govern_by(0.01, costs);
  thread.enter(region_f);
  constexpr std::uint32_t paths = 10;
  const auto spend_ms = [&](int ms, std::uint64_t ticks) {
    for (const std::uint64_t end = thread.now + 1000u * static_cast<unsigned>(ms); thread.now < end;)
      for (std::uint32_t path = 0; path < paths; ++path) visit(thread, region_h + path, ticks);
  };
  // Counting takes 3 of 390 ticks, 0.77 of the budget: with a quarter of it for timed visits that is too much, with a
  // sixteenth it is not.
  spend_ms(60'000, 390);
  const std::uint32_t node_f = thread.find(node_root, region_f), node_h = thread.find(node_f, region_h);
  CHECK(thread.should_close.empty());
  REQUIRE(is_sampled(thread.location.tree.node(node_h)));
  const auto timed = [&] {
    return thread.location.tree.records[thread.location.tree.node(node_h).record].sample.timed;
  };
  const auto few = timed();
  CHECK(few > 50); // a sixteenth of 600 ms, by ten call paths, 60 ticks each: 62
  CHECK(few < 100);
  spend_ms(60'000, 1100); // counting takes 0.27 of the budget: a quarter of 600 ms for timed visits
  CHECK(timed() - few > 130); // 250, but for the time until it was calm
}

TEST_CASE("what was sampled is timed at every visit again when there is room") {
  Thread thread;
  thread.govern_by(0.01, costs);
  thread.enter(region_f);
  const auto spend_ms = [&](int ms, std::uint64_t ticks) {
    for (const std::uint64_t end = thread.now + 1000u * static_cast<unsigned>(ms); thread.now < end;)
      visit(thread, region_g, ticks);
  };
  spend_ms(2000, 500); // 20 of 500: 4 %
  const std::uint32_t node_g = thread.find(thread.find(node_root, region_f), region_g);
  REQUIRE(is_sampled(thread.location.tree.node(node_g)));
  spend_ms(20'000, 50'000); // 20 of 50,000
  CHECK(!is_sampled(thread.location.tree.node(node_g)));
  CHECK(!thread.should_close.contains(region_g));
  CHECK(sampled_visits(thread.location.tree, node_g) > 0);
  CHECK(sampled_visits(thread.location.tree, node_g) < thread.visits(node_g));
}

TEST_CASE("what is sampled becomes exact where that is cheaper, as above calls of MPI, also over the budget") {
  ProbeCosts cheap = same_everywhere(2, 1);
  cheap.sampled = 0.2, cheap.sample = 6, cheap.timed = 12;
  Thread thread;
  thread.govern_by(0.01, cheap);
  thread.enter(region_f);
  const auto communicate = [&] {
    auto* g = thread.enter(region_g);
    auto* send = thread.enter(region_send, ANDES_KIND_SEND);
    thread.now += 50;
    thread.leave(send);
    thread.leave(g);
    thread.now += 450;
  };
  // So many short visits of h that sampling them alone does not keep the budget: g is sampled beside them.
  for (int i = 0; i < 20'000; ++i) visit(thread, region_h, 5), i % 100 == 0 ? communicate() : void();
  const std::uint32_t node_g = thread.find(thread.find(node_root, region_f), region_g);
  REQUIRE(is_sampled(thread.location.tree.node(node_g)));
  thread.should_close.clear();
  // Exact, a visit and its call cost 4 of 500 ticks, 0.8 %; sampled, 12 for the call alone.
  for (int i = 0; i < 300; ++i) communicate();
  CHECK(!is_sampled(thread.location.tree.node(node_g)));
  CHECK(thread.location.governor.forecast == Approx(0.008).margin(0.0005));
  for (int i = 0; i < 5000; ++i) communicate();
  CHECK(!is_sampled(thread.location.tree.node(node_g)));
  CHECK(!thread.should_close.contains(region_g));
}

TEST_CASE("a rare, long call below a sampled one is timed exactly and costs no accuracy") {
  // g: 100 ticks each; every thousandth calls h, which takes 50,000.
  Thread thread;
  thread.govern_by(0.01, costs);
  auto* f = thread.enter(region_f);
  constexpr int visits = 300'000;
  int calls = 0;
  for (int i = 0; i < visits; ++i) {
    auto* g = thread.enter(region_g);
    thread.now += 100;
    if (i % 1000 == 999) {
      visit(thread, region_h, 50'000);
      ++calls;
    }
    thread.leave(g);
  }
  thread.leave(f);
  close_frames(thread.location, thread.now);
  const std::uint32_t node_g = thread.find(thread.find(node_root, region_f), region_g);
  const std::uint32_t node_h = thread.find(node_g, region_h);
  REQUIRE(is_sampled(thread.location.tree.node(node_g)));
  const Derived derived = derive(thread.location.tree, free_of_cost);
  CHECK(derived.inclusive[node_h] == 50'000.0 * calls);
  CHECK(derived.inclusive[node_g] == Approx(100.0 * visits + 50'000.0 * calls).epsilon(1e-9));
  CHECK(derived.exclusive[node_g] == Approx(100.0 * visits).epsilon(1e-9));
}

TEST_CASE("waits for a core that no timed visit has met come on top of an estimate") {
  // 400,000 visits of 500 ticks, of which few are timed; for a quarter of that time the thread had no core.
  Thread thread;
  thread.govern_by(0.01, costs);
  auto* f = thread.enter(region_f);
  for (int i = 0; i < 400'000; ++i) visit(thread, region_g, 500);
  thread.now += 100'000'000;
  thread.leave(f);
  close_frames(thread.location, thread.now);
  const std::uint32_t node_g = thread.find(thread.find(node_root, region_f), region_g);
  const double sampled = static_cast<double>(sampled_visits(thread.location.tree, node_g));
  const double exact = static_cast<double>(thread.visits(node_g)) - sampled;
  const Derived plain = derive(thread.location.tree, free_of_cost);
  CHECK(plain.inclusive[node_g] == Approx(500.0 * (sampled + exact)));
  // So long that what was timed does not tell how often they come. The path has half of the thread's time with a core.
  const CoreLoss rare = {
      .share = 0.25, .measured_share = 0.25, .wait_ticks = 1e12, .core_ticks = 2 * 500 * sampled, .is_noticed = true};
  const Derived waited = derive(thread.location.tree, free_of_cost, rare);
  CHECK(waited.inclusive[node_g] == Approx(500.0 * (1.25 * sampled + exact)));
  CHECK(waited.estimates[node_g].total == Approx(500.0 * 1.25 * sampled));
  // So often that what was timed would have met them.
  const CoreLoss frequent = {
      .share = 0.25, .measured_share = 0.25, .wait_ticks = 0.25, .core_ticks = 2 * 500 * sampled, .is_noticed = true};
  CHECK(derive(thread.location.tree, free_of_cost, frequent).inclusive[node_g] == Approx(500.0 * (sampled + exact)));
}

TEST_CASE("timed visits in which the thread has lost its core are kept apart") {
  Thread thread;
  Tree& tree = thread.location.tree;
  thread.leave(thread.enter(region_f));
  const std::uint32_t node = thread.find(node_root, region_f);
  REQUIRE(make_sampled(tree, node, 1));
  SampleRecord& record = tree.records[tree.node(node).record];
  record.block = 10;
  const auto end_visit_of = [&](double ticks, bool interrupted) {
    time_next(tree, record, 0, 1);
    sample_ended(tree, node, {thread.now, ticks, 0, interrupted});
    CHECK(record.timed_left == 0);
  };
  end_visit_of(20, false);
  const double usual = record.recent_ticks;
  end_visit_of(5000, true);
  end_visit_of(3000, true);
  CHECK(record.sample.timed == 1);
  CHECK(record.sample.ticks == 200);
  CHECK(record.recent_ticks == usual);
  CHECK(record.interrupted.count == 2);
  CHECK(record.interrupted.ticks == 8000);
  CHECK(record.interrupted.squares == 34e6);
  time_next(tree, record, 1, 1); // of those before, which bring the code into the caches, none counts
  sample_ended(tree, node, {thread.now, 7000, 0, true});
  CHECK(record.interrupted.count == 2);
  forget_times(tree);
  CHECK(record.interrupted.count == 0);
}

TEST_CASE("the cost of probes is the tool's time, taken out of all call paths above") {
  // f sees 400 ticks, in it ten visits of g that see 15 each.
  Thread thread;
  auto* f = thread.enter(region_f);
  for (int i = 0; i < 10; ++i) {
    visit(thread, region_g, 15);
    thread.now += 25;
  }
  thread.leave(f);
  thread.now += 100;
  close_frames(thread.location, thread.now);
  const std::uint32_t node_f = thread.find(node_root, region_f), node_g = thread.find(node_f, region_g);
  const Derived derived = derive(thread.location.tree, same_everywhere(14, 4));
  CHECK(derived.exclusive[node_g] == 110); // 10 x (15 - 4)
  CHECK(derived.exclusive[node_f] == 146); // 250 - 4 of its own - 10 x 10 around g
  CHECK(derived.inclusive[node_f] == 256);
  CHECK(derived.exclusive[node_root] == 90); // 100 - 10 around f
  CHECK(derived.exclusive[node_tool] == 154); // 11 x 14
  CHECK(derived.inclusive[node_root] == 500); // the wall time is what it is
  CHECK(derived.computation[node_root] == 346);
  CHECK(derived.tool_visits == 11);
}

TEST_CASE("the cost of a visit that is taken out hangs on the work around it") {
  // 100 ticks pass between two probes: f sees 1100, g 100.
  Thread thread;
  auto* f = thread.enter(region_f);
  for (int i = 0; i < 10; ++i) {
    thread.now += 50;
    visit(thread, region_g, 50);
  }
  thread.now += 50;
  thread.leave(f);
  close_frames(thread.location, thread.now);
  const std::uint32_t node_f = thread.find(node_root, region_f), node_g = thread.find(node_f, region_g);
  const ProbeCosts probe = {
      .pair = 16, .inner = 8, .dependent = 4, .dependent_inner = 1, .busy = 6, .busy_inner = 4, .ticks_per_ms = 1000};
  const Derived derived = derive(thread.location.tree, probe);
  // 10, half way from 4 to 16, of which 5 within a visit, as in all three together: 13 of 26
  CHECK(derived.exclusive[node_g] == Approx(450)); // 10 x (50 - 5)
  CHECK(derived.exclusive[node_f] == Approx(495)); // 550 - 5 of its own - 10 x 5 around g
  CHECK(derived.tool_error == Approx(10 * (20 - 10) + 5)); // around f nothing is left to take the outer part out of
}

TEST_CASE("visits no longer than their probes have times that are known within a bound") {
  Thread thread;
  auto* f = thread.enter(region_f);
  for (int i = 0; i < 10; ++i) {
    thread.now += 50;
    visit(thread, region_g, 50);
  }
  thread.leave(f);
  visit(thread, region_h, 1000);
  close_frames(thread.location, thread.now);
  const auto node = [&](std::uint32_t parent, std::uint32_t region) { return thread.find(parent, region); };
  const std::uint32_t node_f = node(node_root, region_f), node_g = node(node_f, region_g);
  const Derived derived = derive(thread.location.tree, same_everywhere(20, 10));
  CHECK(derived.probe_error[node_g] == 400); // 10 x 2 x 20
  CHECK(derived.probe_error[node_f] == 0); // 40 of 2000: two per cent
  CHECK(derived.probe_error[node(node_root, region_h)] == 0);
  // f has 170 of 500 left, 30 and 30 for each g taken out; g 200, and 600 was taken out of it and around it.
  CHECK(derive(thread.location.tree, same_everywhere(60, 30)).probe_error[node_g] == 170 + 600);
  ProbeCosts slow = same_everywhere(20, 10);
  slow.counts_by_call = true; // as with counters
  CHECK(derive(thread.location.tree, slow).probe_error[node_g] == 400);
  slow.fenced_clock = true;
  CHECK(derive(thread.location.tree, slow).probe_error[node_g] == 50); // a pair may cost 5 more
}

TEST_CASE("so have visits of which some were timed") {
  Thread thread;
  thread.govern_by(0.01, costs);
  auto* f = thread.enter(region_f);
  constexpr int visits = 300'000;
  for (int i = 0; i < visits; ++i) visit(thread, region_g, 100);
  thread.leave(f);
  close_frames(thread.location, thread.now);
  const std::uint32_t node_g = thread.find(thread.find(node_root, region_f), region_g);
  const andes_node& g = thread.location.tree.node(node_g);
  REQUIRE(is_sampled(g));
  const auto estimated = static_cast<double>(sampled_visits(thread.location.tree, node_g));
  REQUIRE(estimated > 0.9 * visits);
  CHECK(derive(thread.location.tree, same_everywhere(20, 10)).cost_error[node_g] == Approx(estimated * 2 * 20));
  ProbeCosts fenced = same_everywhere(20, 10);
  fenced.fenced_clock = true;
  CHECK(derive(thread.location.tree, fenced).cost_error[node_g] < estimated * 20);
}

TEST_CASE("no more cost is taken out than there is time") {
  Thread thread;
  auto* f = thread.enter(region_f);
  for (int i = 0; i < 10; ++i) visit(thread, region_g, 1);
  thread.leave(f);
  close_frames(thread.location, thread.now);
  const Derived derived = derive(thread.location.tree, costs);
  for (double exclusive : derived.exclusive) CHECK(exclusive >= 0);
  CHECK(sum(derived.exclusive) == 10);
  CHECK(derived.exclusive[node_tool] == 10);
}

TEST_CASE("waits for a core within the monitor's work are the thread's time, not the tool's") {
  Thread thread;
  auto* f = thread.enter(region_f);
  charge_tool(thread.location, 400);
  thread.now += 1000;
  thread.leave(f);
  close_frames(thread.location, thread.now);
  const std::uint32_t node_f = thread.find(node_root, region_f);
  const Derived derived = derive(thread.location.tree, {.ticks_per_ms = 1000}, {.monitor_ticks = 300});
  CHECK(derived.exclusive[node_f] == 600);
  CHECK(derived.exclusive[node_tool] == 100);
  CHECK(derived.exclusive[node_root] == 300);
  CHECK(derived.inclusive[node_root] == 1000);
  CHECK(derived.inclusive[node_tool] == 100);
  const Derived too_many = derive(thread.location.tree, {.ticks_per_ms = 1000}, {.monitor_ticks = 500});
  CHECK(too_many.exclusive[node_tool] == 0); // no more than the tool has
  CHECK(too_many.exclusive[node_root] == 400);
}

TEST_CASE("where few sampled visits were timed, those that were timed before say how long others may be") {
  // 29 of 2,900 are timed, 1 us each; but one visit in 200 takes 10 ms: 143 ms of a run of 1 s.
  const auto derived_of = [](int before, std::uint32_t& node_g) {
    Thread thread;
    Tree& tree = thread.location.tree;
    auto* f = thread.enter(region_f);
    for (int i = 1; i <= before; ++i) visit(thread, region_g, i % 200 == 0 ? 10'000 : 1);
    node_g = thread.find(thread.find(node_root, region_f), region_g);
    REQUIRE(make_sampled(tree, node_g, 1));
    set_countdown(tree, node_g, never);
    for (int i = 1; i <= 2'900; ++i) visit(thread, region_g, i % 200 == 0 ? 10'000 : 1);
    for (int i = 0; i < 29; ++i) add(tree.records[tree.node(node_g).record].sample, 1, 100);
    thread.now = 1'000'000;
    thread.leave(f);
    close_frames(thread.location, thread.now);
    return derive(tree, free_of_cost);
  };
  std::uint32_t g = 0;
  const Estimate known = derived_of(400, g).estimates[g], unknown = derived_of(100, g).estimates[g];
  CHECK(known.total == Approx(2'900));
  CHECK(known.total + known.above ==
        Approx((1 + student_quantile(2)) * 2'900 * 20'398 / 400)); // as the mean of the 400
  CHECK_FALSE(known.reliable);
  CHECK(unknown.total + unknown.above == Approx(1'000'000 - 100)); // all that the caller has
  CHECK_FALSE(unknown.reliable);
}

TEST_CASE("estimates never add up to more than their exact caller took") {
  // Durations 0 or 1,000 in alternation: an estimate from few timed visits may well be too high.
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Thread thread;
    thread.govern_by(0.01, costs);
    auto* f = thread.enter(region_f);
    for (int i = 0; i < 1000; ++i) visit(thread, region_g, 0);
    const std::uint32_t node_g = thread.find(thread.find(node_root, region_f), region_g);
    REQUIRE(make_sampled(thread.location.tree, node_g, seed));
    thread.location.tree.records[1].next_block = 50;
    set_countdown(thread.location.tree, node_g, 10);
    thread.location.governor.budget = 0; // and let it alone from here on
    for (int i = 0; i < 500; ++i) visit(thread, region_g, i % 2 * 1000);
    thread.leave(f);
    close_frames(thread.location, thread.now);
    const Derived derived = derive(thread.location.tree, free_of_cost);
    CHECK(derived.exclusive[thread.find(node_root, region_f)] >= -1e-6);
    CHECK(derived.inclusive[node_g] <= 250'000 + 1e-6);
    CHECK(sum(derived.exclusive) == Approx(250'000));
  }
}

TEST_CASE("durations that follow the program's rhythm are not aliased") {
  // Every 64th visit is 100 times as long: systematic sampling would see all of them or none.
  Thread thread;
  thread.govern_by(0.01, costs);
  auto* f = thread.enter(region_f);
  double truth = 0;
  for (int i = 0; i < 600'000; ++i) {
    const std::uint64_t ticks = i % 64 == 0 ? 5000 : 50;
    truth += static_cast<double>(ticks);
    visit(thread, region_g, ticks);
  }
  thread.leave(f);
  close_frames(thread.location, thread.now);
  const std::uint32_t node_g = thread.find(thread.find(node_root, region_f), region_g);
  REQUIRE(is_sampled(thread.location.tree.node(node_g)));
  const Derived derived = derive(thread.location.tree, free_of_cost);
  CHECK(derived.inclusive[node_g] == Approx(truth).epsilon(0.05));
}

TEST_CASE("memory for call trees is bounded; what does not fit is summed in one node") {
  constexpr std::int64_t memory_bytes = 1'000'000;
  Thread thread({}, memory_bytes);
  for (std::uint32_t region = 100; region < 60'000; ++region) visit(thread, region, 1);
  close_frames(thread.location, thread.now);
  const Tree& tree = thread.location.tree;
  CHECK(thread.memory.left_bytes >= 0);
  const std::int64_t touched = tree.node_count * static_cast<std::int64_t>(sizeof(andes_node) + sizeof(NodeAccount));
  CHECK(touched < memory_bytes);
  CHECK(touched > memory_bytes / 2);
  CHECK(thread.visits(node_more) == 59'900 - (tree.node_count - first_free_node));
  CHECK(thread.sum_of_exclusive() == 59'900);
}
