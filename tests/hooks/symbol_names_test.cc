// Symbols and the names of DWARF as names.
#include <catch2/catch.hpp>

#include "common/fortran_names.h"
#include "monitor/finish/symbols.h"

using andes::monitor::name_of_symbol;
using andes::monitor::without_arguments;

TEST_CASE("symbols as one would say them", "[symbols]") {
  CHECK(name_of_symbol("exchange_halo") == "exchange_halo");
  CHECK(name_of_symbol("solve.part.0") == "solve");
  CHECK(name_of_symbol("_ZN3sim4Grid4stepEi") == "sim::Grid::step");
  CHECK(name_of_symbol("_ZN3sim4Grid4stepEi.constprop.0") == "sim::Grid::step");
  CHECK(name_of_symbol("_ZNK3sim4Grid4sizeEv") == "sim::Grid::size");
  CHECK(name_of_symbol("_ZN3sim4GridD1Ev") == "sim::Grid::~Grid");
  CHECK(name_of_symbol("_ZN3sim5twiceIiEET_S1_") == "sim::twice");          // int sim::twice<int>(int)
  CHECK(name_of_symbol("_ZNSt6vectorIiSaIiEE9push_backEOi") == "std::vector::push_back");
  CHECK(name_of_symbol("_ZN12_GLOBAL__N_16hiddenEv") == "hidden");
  CHECK(name_of_symbol("_ZN3sim4GridltERKS0_") == "sim::Grid::operator<");
  CHECK(name_of_symbol("_ZN3sim4GridptEv") == "sim::Grid::operator->");
  CHECK(name_of_symbol("_ZN3sim4GridclEi") == "sim::Grid::operator()");
  CHECK(name_of_symbol("_ZZ4mainENKUliE_clEi") == "main::{lambda}");
  CHECK(name_of_symbol("_ZZ3sumiEN5Local3addEi") == "sum::Local::add");     // sum(int)::Local::add(int)
  CHECK(name_of_symbol("_Zbroken") == "_Zbroken");
}

TEST_CASE("Fortran's symbols", "[symbols]") {
  CHECK(name_of_symbol("__solver_MOD_step") == "solver::step");
  CHECK(name_of_symbol("sub_") == "sub");
  CHECK(name_of_symbol("inner.3") == "inner");
  CHECK(name_of_symbol("MAIN__") == "main");
  CHECK(name_of_symbol("MAIN__._omp_fn.0") == "main");
  CHECK(name_of_symbol("master.0.solve") == "solve");
}

TEST_CASE("procedures that gfortran makes by itself", "[symbols]") {
  for (const char* made : {"master.0.solve", "master.12.step", "__copy_shapes_Circle", "__final_shapes_Circle"})
    CHECK(andes::is_made_by_gfortran(made));
  for (const char* written : {"master", "master.solve", "master.0", "masters", "main", "solve"})
    CHECK_FALSE(andes::is_made_by_gfortran(written));
}

TEST_CASE("template arguments are left out", "[symbols]") {
  CHECK(without_arguments("push") == "push");
  CHECK(without_arguments("push<std::pair<int, char> >") == "push");
  CHECK(without_arguments("operator-<char*, std::vector<char> >") == "operator-");
  CHECK(without_arguments("operator< <int>") == "operator<");
  CHECK(without_arguments("operator<<int>") == "operator<");
  CHECK(without_arguments("operator<") == "operator<");
  CHECK(without_arguments("operator->") == "operator->");
  CHECK(without_arguments("operator>>") == "operator>>");
  CHECK(without_arguments("<lambda(int)>") == "<lambda(int)>");
}
