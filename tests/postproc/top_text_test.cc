// The live view: shares and orders worked out by hand, and frames that keep to their screen.
#include <catch2/catch.hpp>

#include <algorithm>

#include "postproc/view/top_text.h"

using namespace andes;
using namespace andes::postproc;

namespace {

enum : std::uint64_t { root_path = 1, solve_path, recv_path };

/// A rank that has computed and communicated so many seconds, and is in MPI_Recv for `now_s`.
LiveRank rank_of(int number, double compute_s, double communication_s, double now_s) {
  LiveRank rank;
  rank.rank = number;
  rank.process = 1000 + number;
  rank.host = "n1";
  rank.compute_ns = compute_s * 1e9;
  rank.communication_ns = communication_s * 1e9;
  rank.wall_ns = rank.compute_ns + rank.communication_ns;
  rank.exclusive_ns = {{root_path, 0}, {solve_path, rank.compute_ns}, {recv_path, rank.communication_ns}};
  rank.now = LivePath{{"main", "solve", "MPI_Recv"}, true};
  rank.now_ns = now_s * 1e9;
  return rank;
}

LiveJob job_of(double at_s, std::vector<LiveRank> ranks) {
  LiveJob job;
  job.name = std::string("j");
  job.program = "jacobi 2048";
  job.at_ns = static_cast<std::int64_t>(at_s * 1e9);
  job.elapsed_ns = at_s * 1e9;
  job.paths[root_path] = {};
  job.paths[solve_path] = {{"main", "solve"}, false};
  job.paths[recv_path] = {{"main", "solve", "MPI_Recv"}, true};
  job.size = static_cast<int>(ranks.size());
  job.ranks = std::move(ranks);
  return job;
}

std::vector<int> numbers(const std::vector<LiveRankRow>& rows) {
  std::vector<int> result;
  for (const LiveRankRow& row : rows) result.push_back(row.rank->rank);
  return result;
}

} // namespace

TEST_CASE("shares of the last interval and since the start") {
  // Rank 0: 6 s computing of 10, of the last 2 s all. Rank 1: 3 s, of the last 2 s half.
  const LiveJob before = job_of(8, {rank_of(0, 4, 4, 0), rank_of(1, 2, 6, 0)});
  const LiveJob now = job_of(10, {rank_of(0, 6, 4, 0), rank_of(1, 3, 7, 0)});
  const LiveView view = live_view(&before, now);
  CHECK(view.interval_s == Approx(2));
  CHECK(view.running == 2);
  CHECK(view.shares.last->compute == Approx(75));
  CHECK(view.shares.whole->compute == Approx(45));
  CHECK(view.shares.last->communication == Approx(25));
  CHECK(*view.last_balance == Approx(0.75)); // (2 + 1) / 2 / 2
  CHECK(*view.whole_balance == Approx(0.75));
  REQUIRE(view.paths.size() == 2);
  CHECK(view.paths[0].path->names.back() == "solve");
  CHECK(*view.paths[0].last_percent == Approx(75));
  CHECK(view.paths[0].whole_percent == Approx(45));
  CHECK(*view.paths[1].last_percent == Approx(25));
  CHECK(view.ranks[1].shares.last->compute == Approx(50));
}

TEST_CASE("ranks that were read later than others weigh no more in the interval") {
  // As above, but rank 1 was read later, after 2.5 s in place of 2: half of that it computed, too.
  LiveJob before = job_of(8, {rank_of(0, 4, 4, 0), rank_of(1, 2, 6, 0)});
  LiveJob now = job_of(10, {rank_of(0, 6, 4, 0), rank_of(1, 3.25, 7.25, 0)});
  before.ranks[0].at_ns = before.ranks[1].at_ns = 8'000'000'000;
  now.ranks[0].at_ns = 10'000'000'000, now.ranks[1].at_ns = 10'500'000'000;
  const LiveView view = live_view(&before, now);
  CHECK(view.shares.last->compute == Approx(75));
  CHECK(*view.last_balance == Approx(0.75));
  CHECK(*view.paths[0].last_percent == Approx(75));
  CHECK(view.ranks[1].shares.last->compute == Approx(50));
}

TEST_CASE("a rank that began anew, or came, or ended has no share of the interval") {
  LiveJob before = job_of(8, {rank_of(0, 4, 4, 0), rank_of(1, 8, 0, 0)});
  LiveJob now = job_of(10, {rank_of(0, 1, 0, 0), rank_of(1, 8, 0, 0), rank_of(2, 1, 1, 0)});
  now.ranks[1].status = LiveRank::Status::ended;
  const LiveView view = live_view(&before, now);
  CHECK(!view.ranks[0].shares.last);
  CHECK(!view.ranks[1].shares.last);
  CHECK(!view.ranks[2].shares.last);
  CHECK(!view.shares.last);
  CHECK(view.ended == 1);
  CHECK(!live_view(nullptr, now).shares.last);
}

TEST_CASE("the extremes first when there is no room for all") {
  // Computing since the start, seconds of 10: 5 9 1 5 5; in MPI_Recv for: 0 0 0 8 1.
  const LiveJob now = job_of(
      10, {rank_of(0, 5, 5, 0), rank_of(1, 9, 1, 0), rank_of(2, 1, 9, 0), rank_of(3, 5, 5, 8), rank_of(4, 5, 5, 1)});
  const LiveView view = live_view(nullptr, now);
  CHECK(numbers(ordered(view.ranks, LiveOrder::extremes, 5)) == std::vector<int>{0, 1, 2, 3, 4});
  CHECK(numbers(ordered(view.ranks, LiveOrder::extremes, 3)) == std::vector<int>{3, 1, 2, 4, 0});
  CHECK(numbers(ordered(view.ranks, LiveOrder::longest, 3)) == std::vector<int>{3, 4, 0, 1, 2});
  CHECK(numbers(ordered(view.ranks, LiveOrder::busiest, 3)) == std::vector<int>{1, 0, 3, 4, 2});
  CHECK(numbers(ordered(view.ranks, LiveOrder::idlest, 3)) == std::vector<int>{2, 0, 3, 4, 1});
}

TEST_CASE("a frame keeps to its screen, whatever its size") {
  std::vector<LiveRank> ranks;
  for (int i = 0; i < 40; ++i) ranks.push_back(rank_of(i, 4 + i * 0.1, 6 - i * 0.1, i));
  LiveJob before = job_of(0, {}), now = job_of(10, ranks);
  now.program = "a\x1b[31mb " + std::string(300, 'x');
  const LiveView view = live_view(&before, now);
  for (const bool utf8 : {false, true})
    for (const int width : {40, 60, 80, 120, 200})
      for (const int height : {10, 15, 16, 24, 40, 100}) {
        TopLayout layout;
        layout.height = height;
        layout.foot = "q quit";
        const auto lines = top_lines({width, false, utf8}, view, layout);
        CHECK(lines.size() == static_cast<std::size_t>(height));
        for (const std::string& line : lines) {
          CHECK(width_of(line) <= width);
          CHECK(line.find('\x1b') == line.npos);
        }
        CHECK(lines.back() == "q quit");
        const auto with = [&](const char* text) {
          return std::count_if(lines.begin(), lines.end(),
                               [&](const std::string& line) { return line.find(text) != line.npos; });
        };
        CHECK(with("solve") > 0);
        CHECK(with("39") > 0); // longest in MPI_Recv
        if (height < 40) CHECK(with("more: ") == 1);
      }
}

TEST_CASE("the screen of two ranks, word for word") {
  const LiveJob before = job_of(8, {rank_of(0, 4, 4, 0), rank_of(1, 2, 6, 0)});
  LiveJob now = job_of(10, {rank_of(0, 6, 4, 0.35), rank_of(1, 3, 7, 75)});
  now.ranks[1].status = LiveRank::Status::ended;
  now.ranks[1].ending = "killed by signal 9 (Killed)";
  TopLayout layout;
  layout.height = 18;
  layout.foot = "q quit";
  std::string text;
  for (const std::string& line : top_lines({80, false, false}, live_view(&before, now), layout)) text += line + "\n";
  CHECK(text == "andes top  jacobi 2048                                    p = 2  10.0 s  1 ended\n"
                "\n"
                "all ranks seen   compute %  MPI %  andes %  load balance\n"
                "last 2.0 s            75.0   25.0      0.0          0.75\n"
                "since the start       45.0   55.0      0.0          0.75\n"
                "\n"
                "call path                last 2.0 s  start\n"
                "main > solve                   75.0   45.0\n"
                "main > solve > MPI_Recv        25.0   55.0\n"
                "\n"
                "rank              compute %  MPI %  start  open for  now in\n"
                "   0  ##########      100.0    0.0   60.0    350 ms  main > solve > MPI_Recv\n"
                "   1  #####-----       50.0   50.0   30.0            killed by signal 9 (Killed)\n"
                "\n\n\n\n"
                "q quit\n");
}

TEST_CASE("processes without MPI are counted") {
  LiveJob now = job_of(10, {rank_of(0, 6, 4, 0.35), rank_of(1, 3, 7, 0.2)});
  now.size = 0;
  TopLayout layout;
  layout.height = 18;
  CHECK_THAT(top_lines({80, false, false}, live_view(nullptr, now), layout).front(),
             Catch::Contains(" 2 processes  10.0 s"));
}

TEST_CASE("spans of time") {
  CHECK(span_text(0) == "0 ms");
  CHECK(span_text(0.35e9) == "350 ms");
  CHECK(span_text(12.34e9) == "12.3 s");
  CHECK(span_text(245e9) == "4:05 min");
  CHECK(span_text(7800e9) == "2:10 h");
}
