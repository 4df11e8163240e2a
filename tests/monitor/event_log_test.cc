// How operations get their names in the log.
#include "monitor/core/event_log.h"

#include <set>

#include "catch2/catch.hpp"

using namespace andes;
using namespace andes::monitor;

TEST_CASE("what is mixed with its equal, or with a small number, keeps a name of its own") {
  constexpr std::uint64_t world = 1, self = 2; // identifiers of the two that are always there
  std::set<std::uint64_t> names = {world, self};
  for (std::uint64_t number = 1; number <= 100; ++number) // windows made on MPI_COMM_WORLD
    names.insert(event_hash(world, number) | 1);
  for (std::uint64_t path = 3; path <= 100; ++path) // both sides of a wait at one call path
    names.insert(event_hash(path, path));
  CHECK(names.size() == 2 + 100 + 98);
}
