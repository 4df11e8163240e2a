// What gfortran says of a source's procedures, and which of them its lists can exclude.
#include <catch2/catch.hpp>

#include "preprocessor/hooks.h"

using namespace andes;
using namespace andes::preprocessor;

namespace {

// As gfortran 12 prints it, cut down.
constexpr const char* dump = R"(
Namespace: A-H: (REAL 4) I-N: (INTEGER 4) O-Z: (REAL 4)
procedure name = grid
  symtree: 'grid'        || symbol: 'grid'         
    type spec : (UNKNOWN 0)
    attributes: (MODULE )
  symtree: 'solve'       || symbol: 'solve'        
    type spec : (UNKNOWN 0)
    attributes: (PROCEDURE MODULE-PROC  SUBROUTINE CONTAINED)

CONTAINS

  Namespace: A-H: (REAL 4) I-N: (INTEGER 4) O-Z: (REAL 4)
  procedure name = master.0.start
    symtree: 'start'       || symbol: 'start' from namespace 'grid'
    code:
    ENTRY start
    ENTRY restart

CONTAINS

  Namespace: A-H: (REAL 4) I-N: (INTEGER 4) O-Z: (REAL 4)
  procedure name = solve
    symtree: 'solve'       || symbol: 'solve' from namespace 'grid'

  CONTAINS

    Namespace: A-H: (REAL 4) I-N: (INTEGER 4) O-Z: (REAL 4)
    procedure name = sweep
      symtree: 'sweep'       || symbol: 'sweep' from namespace 'solve'

Namespace: A-H: (REAL 4) I-N: (INTEGER 4) O-Z: (REAL 4)
procedure name = solve_all
  symtree: 'grid'        || symbol: 'grid'         
    type spec : (UNKNOWN 0)
    attributes: (MODULE  USE-ASSOC(grid))
)";

std::vector<std::string> names(const std::vector<Procedure>& procedures) {
  std::vector<std::string> out;
  for (const Procedure& procedure : procedures) out.push_back(procedure.name);
  return out;
}

struct Excluded {
  std::vector<std::string> names, impossible;
};

Excluded excluded(const std::string& rules) {
  Excluded out;
  out.names = names_to_exclude(read_procedures(dump), parse_selection(rules, "rules"), out.impossible);
  return out;
}

using Names = std::vector<std::string>;

} // namespace

TEST_CASE("procedures are named by module and host; modules are none, entries are") {
  CHECK(names(read_procedures(dump)) ==
        Names{"grid::start", "grid::start", "grid::restart", "grid::solve", "grid::solve::sweep", "solve_all"});
  CHECK(read_procedures(dump)[0].own == "master.0.start");
  CHECK(read_procedures("").empty());
}

TEST_CASE("a procedure is excluded by its own name, in small letters") {
  const Excluded of = excluded("exclude Grid::Solve::*\n");
  CHECK(of.names == Names{"sweep"});
  CHECK(of.impossible.empty());
}

TEST_CASE("what is part of a name that stays cannot be excluded") {
  const Excluded of = excluded("exclude grid::solve\nexclude grid::start\n");
  CHECK(of.names == Names{"master.0.start"});
  CHECK(of.impossible == Names{"grid::start", "grid::solve"});
}

TEST_CASE("it can where the other goes, too") {
  const Excluded of = excluded("exclude *solve*\n");
  CHECK(of.names == Names{"solve", "sweep", "solve_all"});
  CHECK(of.impossible.empty());
}

TEST_CASE("all but one") {
  const Excluded of = excluded("exclude *\ninclude solve_all\n");
  CHECK(of.names == Names{"master.0.start", "start", "restart", "sweep"});
  CHECK(of.impossible == Names{"grid::solve"});
}

TEST_CASE("rules for files say nothing of the procedures in those that stay") {
  CHECK(excluded("exclude file *\ninclude file grid.f90\nexclude grid::solve::sweep\n").names == Names{"sweep"});
}
