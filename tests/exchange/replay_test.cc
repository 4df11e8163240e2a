// Replays of few operations, worked out by hand. Times in nanoseconds; one finding, three lanes.
#include "monitor/exchange/replay.h"

#include <catch2/catch.hpp>

using namespace andes::monitor;

namespace {

/// The shifts of the ranks at the end, in the lane of a cure.
std::vector<double> replayed(const ReplaySpan& span, std::size_t ranks, Cure cure, double at_begin = 0,
                             const std::vector<CuredFinding>& findings = {{{0}}}) {
  const Replay replay(span, ranks, findings);
  Shifts shifts(ranks * replay.lanes(), at_begin);
  std::vector<double> unsure_ns;
  REQUIRE(replay.run(shifts, unsure_ns));
  std::vector<double> of_lane;
  for (std::size_t rank = 0; rank < ranks; ++rank)
    of_lane.push_back(shifts[rank * replay.lanes() + replay.lane(0, cure)]);
  return of_lane;
}

using Ranks = std::vector<double>;

} // namespace

TEST_CASE("without waits in the finding nothing changes, and a shift of all ranks stays") {
  ReplaySpan span;
  span.dependencies = {{300, 0, 310, 0, 1}, {320, 305, 330, 1, 0}};
  for (const Cure cure : {Cure::earlier, Cure::share, Cure::leave_out}) {
    CHECK(replayed(span, 2, cure) == Ranks{0, 0});
    CHECK(replayed(span, 2, cure, 1000) == Ranks{1000, 1000});
  }
}

TEST_CASE("a late sender: sent in time, shared, left out") {
  // Rank 0 computes until 300 and sends; rank 1 receives from 0 to 310.
  ReplaySpan span;
  span.dependencies = {{300, 0, 310, 0, 1}};
  span.cured = {{0, 310, 1, 0}};
  CHECK(replayed(span, 2, Cure::earlier) == Ranks{0, 300});
  CHECK(replayed(span, 2, Cure::share) == Ranks{150, 150});
  CHECK(replayed(span, 2, Cure::leave_out) == Ranks{300, 300});
  CHECK(replayed(span, 4, Cure::share) == Ranks{225, 225, -75, -75}); // the others get their parts of the work
}

TEST_CASE("a message that was there in time is waited for by a receiver that comes earlier") {
  // Rank 1 waits 0..300 for rank 0, and at 400 receives what rank 2 has sent at 350.
  ReplaySpan span;
  span.dependencies = {{300, 0, 310, 0, 1}, {350, 400, 410, 2, 1}};
  span.cured = {{0, 310, 1, 0}};
  CHECK(replayed(span, 3, Cure::earlier) == Ranks{0, 50, 0}); // 300 earlier at 400, but held up until 350
}

TEST_CASE("a chain shortens with its origin") {
  // Rank 0 is late for 1, which passes the delay on to 2 and 3, by a message and a blocked send.
  ReplaySpan span;
  span.dependencies = {{300, 0, 310, 0, 1}, {320, 0, 330, 1, 2}, {340, 20, 350, 2, 3}};
  span.cured = {{0, 310, 1, 0}};
  CHECK(replayed(span, 4, Cure::earlier) == Ranks{0, 300, 300, 300});
  CHECK(replayed(span, 4, Cure::leave_out) == Ranks{300, 300, 300, 300});
  CHECK(replayed(span, 4, Cure::share) == Ranks{225, 225, 225, 225});
}

TEST_CASE("of the messages of one call the latest that is not cured holds it up") {
  // Rank 2 completes both at 420; only waits in the finding are cured.
  ReplaySpan span;
  span.dependencies = {{100, 50, 420, 0, 2}, {400, 50, 420, 1, 2}};
  CHECK(replayed(span, 3, Cure::earlier) == Ranks{0, 0, 0});
  span.cured = {{50, 420, 2, 0}};
  CHECK(replayed(span, 3, Cure::earlier) == Ranks{0, 0, 350}); // both came late
  span.dependencies[0].source_ns = 20; // in time as it was, and after rank 2's enter where rank 2 is earlier
  CHECK(replayed(span, 3, Cure::earlier, 0) == Ranks{0, 0, 350});
}

TEST_CASE("receiving what is ready first moves the wait behind the work between") {
  // Rank 1 waits 0..300 for a message, works until 450, and receives another one that was sent at 10.
  ReplaySpan span;
  span.dependencies = {{300, 0, 310, 0, 1}, {10, 450, 460, 0, 1}};
  span.cured = {{0, 310, 1, 0}};
  CHECK(replayed(span, 2, Cure::earlier, 0, {{{0}, false}}) == Ranks{0, 300});
  CHECK(replayed(span, 2, Cure::earlier, 0, {{{0}, true}}) == Ranks{0, 150}); // at 150 it waits until 300
}

TEST_CASE("a barrier: shared work lets all arrive at the mean") {
  ReplaySpan span;
  const std::int64_t enters[] = {100, 400, 250, 300};
  for (std::int32_t rank = 0; rank < 4; ++rank) {
    span.parts.push_back({7, enters[rank], enters[rank], 410, 400, rank, 1, 1});
    if (rank != 1) span.cured.push_back({enters[rank], 410, rank, 0});
  }
  CHECK(replayed(span, 4, Cure::share) == Ranks{137.5, 137.5, 137.5, 137.5});
  CHECK(replayed(span, 4, Cure::earlier) == Ranks{300, 0, 150, 100});
}

TEST_CASE("work that overlaps an operation is part of what is shared before it, and no rank can do without it") {
  // Rank 0 starts at once, works until 600 and waits for rank 1, which works until 1000 before it starts.
  ReplaySpan span;
  span.parts = {{7, 0, 600, 1000, 1000, 0, 1, 1}, {7, 1000, 1000, 1000, 1000, 1, 1, 1}};
  span.cured = {{600, 1000, 0, 0}};
  CHECK(replayed(span, 2, Cure::share) == Ranks{200, 200}); // both at 800: rank 0 starts at 200
  span.parts[1].enter_ns = span.parts[1].exit_ns = 3000; // 2000 behind its start, of which nothing can be shared
  CHECK(replayed(span, 2, Cure::share) == Ranks{-800, 1000});
}

TEST_CASE("waits before a barrier are no work to share if they began where those at the barrier did") {
  // Rank 0 computes 300, rank 1 waits for its message, then all wait for these two.
  ReplaySpan span;
  span.dependencies = {{300, 0, 300, 0, 1}};
  const std::int64_t enters[] = {301, 301, 0, 0};
  for (std::int32_t rank = 0; rank < 4; ++rank) {
    span.parts.push_back({7, enters[rank], enters[rank], 310, 301, rank, 1, 1});
    if (rank > 1) span.cured.push_back({enters[rank], 310, rank, 0});
  }
  span.cured.push_back({0, 300, 1, 1});
  // 301 and 1 of work for four; or 301 twice, where rank 1 would wait all the same.
  CHECK(replayed(span, 4, Cure::share, 0, {{{0, 1}}, {{0, 1}}}) == Ranks{225.5, 225.5, 225.5, 225.5});
  CHECK(replayed(span, 4, Cure::share, 0, {{{0}}, {{1}}}) == Ranks{150.5, 150.5, 150.5, 150.5});
}

TEST_CASE("what a rank waited for before a barrier counts there as far as it comes behind the first") {
  // Rank 0 computes 200, rank 1 waits for its message; from there on they compute 15 and 10 to the barrier.
  ReplaySpan span;
  span.dependencies = {{200, 0, 200, 0, 1}};
  span.parts = {{7, 215, 215, 215, 215, 0, 1, 1}, {7, 210, 210, 215, 215, 1, 1, 1}};
  span.cured = {{210, 215, 1, 0}, {0, 200, 1, 1}};
  CHECK(replayed(span, 2, Cure::share, 0, {{{0, 1}}, {{0, 1}}}) == Ranks{2.5, 2.5});
  // Two more ranks compute 190 and 205, and wait for nobody: 10 and 215 of the first two count as 190 and 215.
  span.parts.push_back({7, 190, 190, 215, 215, 2, 1, 1});
  span.parts.push_back({7, 205, 205, 215, 215, 3, 1, 1});
  span.cured.push_back({190, 215, 2, 0});
  span.cured.push_back({205, 215, 3, 0});
  CHECK(replayed(span, 4, Cure::share, 0, {{{0, 1}}, {{0, 1}}}) == Ranks{15, 15, 15, 15}); // the mean is 200
}

TEST_CASE("work that all ranks have waited for is not shared behind that, though one rank was late both times") {
  // Rank 0 computes 300 up to a barrier, and 10 from there to the next one, up to which the others compute nothing.
  ReplaySpan span;
  for (std::int32_t rank = 0; rank < 4; ++rank) {
    const std::int64_t first = rank == 0 ? 300 : 0, second = rank == 0 ? 312 : 302;
    span.parts.push_back({7, first, first, 301, 300, rank, 1, 1});
    span.parts.push_back({8, second, second, 313, 312, rank, 1, 1});
    if (rank == 0) continue;
    span.cured.push_back({second, 313, rank, 0});
    span.cured.push_back({first, 301, rank, 1});
  }
  CHECK(replayed(span, 4, Cure::share, 0, {{{0, 1}}, {{0, 1}}}) == Ranks{7.5, 7.5, 7.5, 7.5});
  for (CuredCall& call : span.cured) call.finding = 1 - call.finding;
  CHECK(replayed(span, 4, Cure::share, 0, {{{0, 1}}, {{0, 1}}}) == Ranks{225, 225, 225, 225});
}

TEST_CASE("an early reduce: the root goes on, or the late ranks have less to do") {
  // Rank 0, the root, enters at 100; the others at 200 and 400, and do not wait.
  ReplaySpan span;
  span.parts = {{7, 100, 100, 410, 400, 0, 0, 1}, {7, 200, 200, 205, 400, 1, 1, 0}, {7, 400, 400, 405, 400, 2, 1, 0}};
  span.cured = {{100, 410, 0, 0}};
  CHECK(replayed(span, 3, Cure::earlier) == Ranks{300, 0, 0});
  CHECK(replayed(span, 3, Cure::leave_out) == Ranks{300, 100, 300});
  // Rank 1 is 100 late, of which each gets a third, then rank 2 300: 133.3 for each.
  const Ranks shared = replayed(span, 3, Cure::share);
  CHECK(shared[0] == Approx(300 - 400 / 3.0));
  CHECK(shared[1] == Approx(100 - 400 / 3.0));
  CHECK(shared[2] == Approx(300 - 400 / 3.0));
}

TEST_CASE("the ranks at many operations at once have a bound of memory") {
  // Rank 0 comes to each of 100 operations at 0, rank 1 to all at 1000: each has one part in each.
  ReplaySpan span;
  for (std::uint64_t operation = 0; operation < 100; ++operation) {
    span.parts.push_back({operation, 0, 0, 1010, 1000, 0, 1, 1});
    span.parts.push_back({operation, 1000, 1000, 1010, 1000, 1, 1, 1});
  }
  span.cured = {{0, 1010, 0, 0}};
  const Replay replay(span, 2, {{{0}}});
  Shifts shifts(2 * replay.lanes());
  std::vector<double> unsure_ns;
  const std::size_t of_times = 100 * replay.lanes() * sizeof(double), of_ranks = 100 * 2 * 3 * sizeof(double);
  CHECK(replay.run(shifts, unsure_ns, of_times + of_ranks + 10'000));
  CHECK_FALSE(replay.run(shifts, unsure_ns, of_times + of_ranks));
}

TEST_CASE("imbalance that comes again is shared again") {
  // In each of 100 rounds of 1000 rank 0 computes 900, rank 1 500; then each sends to the other and receives.
  ReplaySpan span;
  for (std::int64_t round = 0; round < 100; ++round) {
    const std::int64_t begin = 1000 * round;
    span.dependencies.push_back({begin + 900, begin + 510, begin + 1000, 0, 1});
    span.dependencies.push_back({begin + 500, begin + 910, begin + 1000, 1, 0});
    span.cured.push_back({begin + 510, begin + 1000, 1, 0});
  }
  CHECK(replayed(span, 2, Cure::earlier) == Ranks{0, 39000});
  const Ranks shared = replayed(span, 2, Cure::share);
  CHECK(shared[0] == Approx(19500)); // of 390 in each round one half
  CHECK(shared[1] == Approx(19500));
}

TEST_CASE("what calls of MPI take is no work that other ranks could do") {
  // In each of 100 rounds both ranks compute 10 up to an allreduce. One of them, by turns, leaves it 80 after the last
  // one has come, the other 10 after that: it waits for 70 in the next one.
  ReplaySpan span;
  std::int64_t last = 0, left[2] = {0, 0};
  for (std::uint64_t round = 0; round <= 100; ++round) {
    const std::int64_t enters[2] = {left[0] + 10, left[1] + 10};
    last = std::max(enters[0], enters[1]);
    for (std::int32_t rank = 0; rank < 2; ++rank) {
      left[rank] = last + (round % 2 == static_cast<std::uint64_t>(rank) ? 80 : 10);
      span.parts.push_back({round, enters[rank], enters[rank], left[rank], last, rank, 1, 1});
      if (enters[rank] < last) span.cured.push_back({enters[rank], left[rank], rank, 0});
    }
  }
  CHECK(last == 10 + 100 * 90);
  // 20 of work are done in the 70 that the other one is earlier. Of the first round it is not known what calls took.
  CHECK(replayed(span, 2, Cure::share) == Ranks{99 * 10 + 35, 99 * 10 + 35});
  const Ranks earlier = replayed(span, 2, Cure::earlier); // 90 + 20 in two rounds
  CHECK(earlier[0] == Approx(50 * 70).margin(90));
  CHECK(earlier[1] == Approx(50 * 70).margin(90));
}

TEST_CASE("work is shared that is done beside calls of MPI which take as long in all ranks") {
  // In each of 100 rounds rank 0 computes 30, rank 1 10, and both leave the barrier 50 after the last one has come.
  ReplaySpan span;
  std::int64_t begin = 0;
  for (std::uint64_t round = 0; round < 100; ++round, begin += 80)
    for (std::int32_t rank = 0; rank < 2; ++rank) {
      const std::int64_t enter = begin + (rank == 0 ? 30 : 10);
      span.parts.push_back({round, enter, enter, begin + 80, begin + 30, rank, 1, 1});
      if (rank == 1) span.cured.push_back({enter, begin + 80, rank, 0});
    }
  CHECK(replayed(span, 2, Cure::share) == Ranks{1000, 1000});
}
