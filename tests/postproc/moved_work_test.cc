// Whose work at the base that of a call path is compared with, where the program takes another way there.
#include "postproc/analysis/moved_work.h"

#include <catch2/catch.hpp>

using namespace andes::postproc;

namespace {

enum Region { main_, alone, worker, solve, print, dot };
constexpr std::optional<double> none = std::nullopt;

/// Of each call path of the base that moves: where to, with which share.
std::vector<std::vector<std::pair<int, double>>> moves(const std::vector<WorkPlace>& places) {
  std::vector<std::vector<std::pair<int, double>>> to(places.size());
  for (const MovedWork& moved : moved_work(places))
    to[static_cast<std::size_t>(moved.from)].push_back({moved.to, moved.share});
  return to;
}

using To = std::vector<std::pair<int, double>>;

} // namespace

TEST_CASE("the work of a function moves from the way of the base to that of the run") {
  const auto to =
      moves({{-1, main_, 1, 1}, {0, alone, 1, none}, {1, solve, 10, none}, {0, worker, none, 1}, {3, solve, none, 12}});
  CHECK(to == std::vector<To>{{}, {}, {{4, 1}}, {}, {}}); // alone is nowhere else
}

TEST_CASE("a call path of both runs keeps its work, and gets none") {
  const auto to = moves({{-1, main_, 1, 1}, {0, solve, 10, 10}, {0, worker, none, 1}, {2, solve, none, 5}});
  CHECK(to == std::vector<To>(4));
  const auto back = moves({{-1, main_, 1, 1}, {0, solve, 10, 10}, {0, alone, 1, none}, {2, solve, 5, none}});
  CHECK(back == std::vector<To>(4));
}

TEST_CASE("work stays with the callers that have moved with it") {
  // main > alone > {solve, print} > dot, and main > worker > {solve, print} > dot
  const auto to = moves({{-1, main_, 1, 1},
                         {0, alone, 1, none},
                         {1, solve, 1, none},
                         {2, dot, 7, none},
                         {1, print, 1, none},
                         {4, dot, 2, none},
                         {0, worker, none, 1},
                         {6, solve, none, 1},
                         {7, dot, none, 3},
                         {6, print, none, 1},
                         {9, dot, none, 3}});
  CHECK(to[3] == To{{8, 1}});
  CHECK(to[5] == To{{10, 1}});
}

TEST_CASE("of several ways that are equally near each has work in proportion to its own") {
  const auto to = moves({{-1, main_, 1, 1},
                         {0, alone, 1, none},
                         {1, dot, 8, none},
                         {0, worker, none, 1},
                         {3, dot, none, 1},
                         {0, solve, none, 1},
                         {5, dot, none, 3}});
  CHECK(to[2] == To{{4, 0.25}, {6, 0.75}});
}
