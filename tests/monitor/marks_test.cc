// Names of run time and attached values, by themselves.
#include <catch2/catch.hpp>
#include <cmath>
#include <string>

#include "monitor/core/attached_values.h"
#include "monitor/sites/named_sites.h"

using namespace andes;
using namespace andes::monitor;

TEST_CASE("a name is found by its content and kind") {
  Registry registry = {};
  REQUIRE(registry_start(registry));
  NamedSites sites = {};
  CHECK(find_name(sites, name_of("solve"), ANDES_KIND_BLOCK) == nullptr);
  NamedSite* solve = learn_name(sites, registry, {"solver", 5}, ANDES_KIND_BLOCK);
  REQUIRE(solve);
  CHECK(std::string(solve->site.name) == "solve");
  CHECK(find_name(sites, name_of("solve"), ANDES_KIND_BLOCK) == solve);
  CHECK(learn_name(sites, registry, name_of("solve"), ANDES_KIND_BLOCK) == solve);
  CHECK(find_name(sites, name_of("solver"), ANDES_KIND_BLOCK) == nullptr);
  CHECK(find_name(sites, name_of("solv"), ANDES_KIND_BLOCK) == nullptr);
  NamedSite* phase = learn_name(sites, registry, name_of("solve"), ANDES_KIND_PHASE);
  CHECK((phase != solve && phase->region != solve->region));
  CHECK(std::string(registry.regions[phase->region].name) == "solve");
}

TEST_CASE("names beyond the limit are one") {
  Registry registry = {};
  REQUIRE(registry_start(registry));
  NamedSites sites = {};
  NamedSite* last = nullptr;
  for (std::uint32_t i = 0; i < max_names + 100; ++i)
    last = learn_name(sites, registry, name_of(("name " + std::to_string(i)).c_str()), ANDES_KIND_BLOCK);
  REQUIRE(last);
  CHECK(std::string(last->site.name) == "(more names)");
  CHECK(find_name(sites, name_of("name 7"), ANDES_KIND_BLOCK) != last);
  CHECK(learn_name(sites, registry, name_of("again"), ANDES_KIND_BLOCK) == last);
}

TEST_CASE("values are kept by call path and name; what is not finite is counted apart") {
  AttachedTable values = {};
  Budget memory;
  for (int i = 0; i < 5; ++i) REQUIRE(attach_value(values, memory, 7, 1, 3.0 - i));
  REQUIRE(attach_value(values, memory, 8, 1, 100));
  REQUIRE(attach_value(values, memory, 7, 2, NAN));
  REQUIRE(attach_value(values, memory, 7, 1, INFINITY));
  REQUIRE(values.count == 3);
  const AttachedValue& value = values.all[0];
  CHECK((value.node == 7 && value.region == 1 && value.count == 5 && value.not_finite == 1));
  CHECK((value.sum == 5 && value.min == -1 && value.max == 3 && value.last == -1));
  CHECK((values.all[2].count == 0 && values.all[2].not_finite == 1));
}

TEST_CASE("values without room are counted") {
  AttachedTable values = {};
  Budget memory{100};
  REQUIRE(attach_value(values, memory, 7, 1, 1));
  CHECK_FALSE(attach_value(values, memory, 8, 1, 1));
  CHECK(values.lost == 1);
  CHECK(attach_value(values, memory, 7, 1, 2));
}
