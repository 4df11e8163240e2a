// Selection files in both forms, and what is wrong with bad ones.
#include <catch2/catch.hpp>

#include <fstream>

#include "preprocessor/selection.h"

using namespace andes;

namespace {

bool selected(const std::string& text, const std::string& name,
              const std::string& file = "src/a.cc") {
  return selects(parse_selection(text, "s"), name, file);
}

std::string complaint(const std::string& text) {
  try {
    parse_selection(text, "s");
  } catch (const SelectionError& error) {
    return error.what();
  }
  return "";
}

} // namespace

TEST_CASE("no rule, everything") {
  CHECK(selected("", "f"));
  CHECK(selected("# nothing\n\n", "f"));
}

TEST_CASE("the last rule that matches decides") {
  const char* text = "exclude *\ninclude solve*  # the core\nexclude solve_?\n";
  CHECK(selected(text, "solver"));
  CHECK_FALSE(selected(text, "solve_x"));
  CHECK_FALSE(selected(text, "main"));
}

TEST_CASE("overloads: patterns with and without parameters") {
  CHECK_FALSE(selected("exclude Grid::step\n", "Grid::step(int)"));
  CHECK_FALSE(selected("exclude Grid::step(int)\n", "Grid::step(int)"));
  CHECK(selected("exclude Grid::step(int)\n", "Grid::step(double)"));
  CHECK_FALSE(selected("exclude operator new\n", "operator new"));
}

TEST_CASE("blocks of Score-P filters") {
  const char* text =
      "SCOREP_FILE_NAMES_BEGIN\n  EXCLUDE */io/*\nSCOREP_FILE_NAMES_END\n"
      "SCOREP_REGION_NAMES_BEGIN\n  EXCLUDE *\n  INCLUDE main solve\n          step*\n"
      "SCOREP_REGION_NAMES_END\n";
  CHECK(selected(text, "main"));
  CHECK(selected(text, "step_two"));
  CHECK_FALSE(selected(text, "other"));
  CHECK_FALSE(selected(text, "main", "src/io/read.cc"));
}

TEST_CASE("complaints name file, line, fact and remedy") {
  CHECK(complaint("\nomit x\n") ==
        "s:2: 'omit' is unknown; write include PATTERN or exclude PATTERN");
  CHECK(complaint("include\n") == "s:1: include has no pattern; name a function, * and ? allowed");
  CHECK(complaint("SCOREP_REGION_NAMES_BEGIN\n x\n") ==
        "s:2: 'x' follows no verb; write INCLUDE or EXCLUDE before it");
  CHECK(complaint("SCOREP_REGION_NAMES_BEGIN\nEXCLUDE MANGLED _Z1f\n") ==
        "s:2: MANGLED names are not supported; write the name as in the source");
  CHECK(complaint("SCOREP_REGION_NAMES_BEGIN\n") ==
        "s:1: the block does not end; add SCOREP_REGION_NAMES_END");
  CHECK(complaint("SCOREP_FILE_NAMES_END\n") ==
        "s:1: SCOREP_FILE_NAMES_END ends no block; write the line that begins it");
  CHECK(complaint("SCOREP_FILE_NAMES_BEGIN\nSCOREP_REGION_NAMES_BEGIN\n") ==
        "s:2: a block begins inside that of line 1; end it first");
}

namespace {

std::string shipped_selection(bool examples_on) {
  std::ifstream file(ANDES_CONFIGS "/selection.txt");
  std::string text;
  for (std::string line; std::getline(file, line);) {
    const bool example = line.size() > 1 && line[0] == '#' && line[1] != ' ';
    text += (examples_on && example ? line.substr(1) : line) + "\n";
  }
  return text;
}

} // namespace

TEST_CASE("the selection file that is shipped selects everything until it is edited") {
  REQUIRE_FALSE(shipped_selection(false).empty());
  CHECK(parse_selection(shipped_selection(false), "selection.txt").rules.empty());
}

TEST_CASE("every example in the shipped selection file is valid") {
  const Selection selection = parse_selection(shipped_selection(true), "selection.txt");
  CHECK(selection.rules.size() >= 9);
  CHECK(selects(selection, "solve_all", "a.c"));
  CHECK_FALSE(selects(selection, "get_size", "a.c"));
}
