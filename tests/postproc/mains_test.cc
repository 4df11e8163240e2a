// Several programs in one world have a main each.
#include "postproc/model/mains.h"

#include <catch2/catch.hpp>

using namespace andes::postproc;

namespace {

std::vector<std::string> names_of(std::vector<Region> regions) {
  tell_mains_apart(regions);
  std::vector<std::string> names;
  for (const Region& region : regions) names.push_back(region.name);
  return names;
}

} // namespace

TEST_CASE("one main keeps its name") {
  CHECK(
      names_of({{"main", "function", "/src/a.c", 3}, {"solve", "function", "/src/b.c", 9}, {"main", "root", "", 0}}) ==
      std::vector<std::string>{"main", "solve", "main"});
}

TEST_CASE("two mains are named after their files") {
  CHECK(names_of({{"main", "function", "/src/ocean.c", 3},
                  {"solve", "function", "/src/b.c", 9},
                  {"main", "function", "/src/ice.c", 5}}) ==
        std::vector<std::string>{"main (ocean.c)", "solve", "main (ice.c)"});
}

TEST_CASE("files of one name are told apart by their directories") {
  CHECK(names_of({{"main", "function", "/src/ocean/main.c", 3}, {"main", "function", "/src/ice/main.c", 5}}) ==
        std::vector<std::string>{"main (ocean/main.c)", "main (ice/main.c)"});
  CHECK(names_of({{"main", "function", "main.c", 3}, {"main", "function", "ice/main.c", 5}}) ==
        std::vector<std::string>{"main (main.c)", "main (ice/main.c)"});
}
