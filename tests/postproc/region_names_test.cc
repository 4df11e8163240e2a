#include "postproc/analysis/region_names.h"

#include <catch2/catch.hpp>

using namespace andes::postproc;

TEST_CASE("names without lines, and the functions that they begin with") {
  const Region loop{"main::{lambda:12:5}::{loop:14}", "loop", "a.cc", 14};
  CHECK(without_lines(loop) == "main::{lambda}::{loop}");
  CHECK(owner_in_name(loop) == "main::{lambda:12:5}");
  CHECK(owner_in_name({"main::{lambda:12:5}", "function", "a.cc", 12}) == "main");
  CHECK(owner_in_name({"ns::f", "function", "a.cc", 12}).empty());
  const Region call{"exchange heat.c:40", "call-site", "/src/heat.c", 40};
  CHECK(owner_in_name(call) == "exchange");
  CHECK(without_lines(call) == "exchange");
}

TEST_CASE("names without template arguments and parameters") {
  CHECK(without_arguments("Grid<ns::Cell<3>>::step<int>") == "Grid::step");
  CHECK(without_arguments("Less<int>::operator<") == "Less::operator<");
  CHECK(without_arguments("A::operator->") == "A::operator->");
  CHECK(without_arguments("operator<<") == "operator<<");
  CHECK(without_arguments("operators<int>") == "operators");
  CHECK(without_parameters("norm(const Field &, int (*)(int)) const") == "norm");
  CHECK(without_parameters("A::operator()") == "A::operator()");
  CHECK(without_parameters("f") == "f");
  CHECK(without_scopes("ns::Grid<ns::Cell>::step<ns::Cell>(ns::Cell)") == "step<ns::Cell>(ns::Cell)");
  CHECK(without_scopes("ns::A::operator std::string") == "operator std::string");
  CHECK(without_scopes("ns::A::operator<") == "operator<");
  CHECK(without_scopes("f") == "f");
  CHECK(last_name("ns::Grid<ns::Cell>::step(int)") == "step");
}

TEST_CASE("likeness of names") {
  CHECK(name_likeness("solve", "solve") == 1);
  CHECK(name_likeness("solve", "print") == 0);
  CHECK(name_likeness("abcd", "abxy") == 1.0 / 3);
  CHECK(name_likeness("a", "b") == 0);
}
