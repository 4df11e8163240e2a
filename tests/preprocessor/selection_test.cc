// Selection files in both forms, and what is wrong with bad ones.
#include <catch2/catch.hpp>

#include <fstream>

#include "common/message.h"
#include "monitor/interface/selection_line.h"
#include "preprocessor/selection.h"

using namespace andes;
using namespace andes::preprocessor;

namespace {

using Names = std::vector<std::string>;

bool selected(const std::string& text, const std::string& name, const std::string& file = "src/a.cc") {
  return choose(parse_selection(text, "s"), name, file) != Choice::exclude;
}

std::string complaint(const std::string& text) {
  try {
    parse_selection(text, "s");
  } catch (const Refusal& error) {
    return error.what();
  }
  return "";
}

} // namespace

TEST_CASE("no rule, everything") {
  CHECK(selected("", "f"));
  CHECK(selected("# nothing\n\n", "f"));
}

TEST_CASE("a rule that matches names the function; without one the choice is open") {
  const Selection selection = parse_selection("exclude *\ninclude solve*\n", "s");
  CHECK(choose(selection, "solve_all", "a.c") == Choice::include);
  CHECK(choose(selection, "main", "a.c") == Choice::exclude);
  CHECK(choose(parse_selection("exclude f\n", "s"), "g", "a.c") == Choice::open);
  CHECK(choose(parse_selection("include f\n", "s"), "g", "a.c") == Choice::open);
}

TEST_CASE("--select all names everything, default nothing") {
  CHECK(choose(load_selection("all"), "Grid::size(int) const", "a.c") == Choice::include);
  CHECK(choose(load_selection("default"), "f", "a.c") == Choice::open);
}

TEST_CASE("a rule for files names no function") {
  const char* text = "SCOREP_FILE_NAMES_BEGIN\n EXCLUDE *\n INCLUDE *.c\nSCOREP_FILE_NAMES_END\n";
  CHECK(choose(parse_selection(text, "s"), "f", "a.c") == Choice::open);
  CHECK(choose(parse_selection(text, "s"), "f", "a.h") == Choice::exclude);
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

TEST_CASE("a # within a word is no comment") {
  CHECK_FALSE(selected("exclude f<'#'> # comment\n", "f<'#'>"));
  CHECK(selected("#exclude f\n  # exclude f\n", "f"));
}

TEST_CASE("the line that leaves out a region leaves out that one and no other") {
  const std::vector<std::string> names{"solve",
                                       "Grid::step",
                                       "Grid::size(int) const",
                                       "Grid::size(double) const",
                                       "Grid::~Grid",
                                       "Grid::operator()",
                                       "Grid::operator()(int) const",
                                       "Grid::operator()(int, int) const",
                                       "operator*(const Vector &, double)",
                                       "operator*(const Vector *, double)",
                                       "Grid::operator[]",
                                       "Grid::operator->*",
                                       "operator new",
                                       "operator new[]",
                                       "operator<=>",
                                       "operator,",
                                       "operator\"\"_km",
                                       "Grid::operator bool",
                                       "Grid::operator const char *",
                                       "Stack<T *>::pointers",
                                       "Stack<T **>::pointers",
                                       "Stack<bool>::push",
                                       "largest<const char *>",
                                       "largest<int (*)(int, char)>",
                                       "parse<'#'>",
                                       "parse<'\\\\'>",
                                       "parse<'?'>",
                                       "parse<'*'>",
                                       "parse<'['>",
                                       "parse<int[3]>",
                                       "parse<' '>",
                                       "main::{lambda:12}",
                                       "main::{lambda:12:34}",
                                       "main::{lambda:12}::{lambda:34}",
                                       "(anonymous)::get",
                                       "(anonymous)::set(int)",
                                       "variadic(int, ...)",
                                       "file x",
                                       "mangled x",
                                       "file",
                                       "phase #2",
                                       "two  spaces",
                                       " ends "};
  for (const std::string& name : names) {
    const Selection selection = parse_selection(selection_line(name) + "\n", "s");
    REQUIRE(selection.rules.size() == 1);
    for (const std::string& other : names) {
      INFO(selection_line(name) << " and " << other);
      CHECK((choose(selection, other, "a.cc") == Choice::exclude) == (other == name));
    }
  }
  CHECK(selection_line("operator*") == "exclude operator\\*");
}

TEST_CASE("what stands for a name that was not found is no name for a rule") {
  for (const char* name : {"prog+0x1234", "libfoo.so.1+0xdeadbeef", "(code without a file)"})
    CHECK_FALSE(is_selectable(name));
  for (const char* name : {"solve", "(anonymous)::get", "operator+", "phase a+0x", "set a+0x12 (coarse)"})
    CHECK(is_selectable(name));
}

TEST_CASE("a name without parameters stands for all its overloads") {
  CHECK_FALSE(selected(selection_line("step"), "step(int)"));
  CHECK(selected(selection_line("step(int)"), "step"));
}

TEST_CASE("blocks of Score-P filters") {
  const char* text = "SCOREP_FILE_NAMES_BEGIN\n  EXCLUDE */io/*\nSCOREP_FILE_NAMES_END\n"
                     "SCOREP_REGION_NAMES_BEGIN\n  EXCLUDE *\n  INCLUDE main solve\n          step*\n"
                     "SCOREP_REGION_NAMES_END\n";
  CHECK(selected(text, "main"));
  CHECK(selected(text, "step_two"));
  CHECK_FALSE(selected(text, "other"));
  CHECK_FALSE(selected(text, "main", "src/io/read.cc"));
}

TEST_CASE("blocks of Score-P filters: comments, escapes, sets, lines that go on, one line for all") {
  const char* text = "SCOREP_REGION_NAMES_BEGIN # the core\n  EXCLUDE # all of\n    get_[!xy]# these\n"
                     "    operator\\ new f\\#1 a\\*b\n  INCLUDE\n get_z\nSCOREP_REGION_NAMES_END\r\n";
  CHECK_FALSE(selected(text, "get_a"));
  CHECK(selected(text, "get_x"));
  CHECK(selected(text, "get_z"));
  CHECK_FALSE(selected(text, "operator new"));
  CHECK_FALSE(selected(text, "f#1"));
  CHECK_FALSE(selected(text, "a*b"));
  CHECK(selected(text, "axb"));
  CHECK(selected(text, "these"));
  CHECK_FALSE(selected("SCOREP_REGION_NAMES_BEGIN EXCLUDE f g SCOREP_REGION_NAMES_END", "g"));
}

TEST_CASE("a block of files has the last word on what is out, wherever it stands") {
  const char* text = "SCOREP_REGION_NAMES_BEGIN\nINCLUDE solve\nSCOREP_REGION_NAMES_END\n"
                     "SCOREP_FILE_NAMES_BEGIN\nEXCLUDE *\nINCLUDE *.c\nSCOREP_FILE_NAMES_END\n";
  CHECK_FALSE(selected(text, "solve", "a.cc"));
  CHECK(choose(parse_selection(text, "s"), "solve", "a.c") == Choice::include);
}

TEST_CASE("mangled names, in blocks and in lines of one's own") {
  for (const char* text : {"SCOREP_REGION_NAMES_BEGIN\nEXCLUDE MANGLED _ZN4Grid*\n _Z1f?\n"
                           "INCLUDE g\nSCOREP_REGION_NAMES_END\n",
                           "exclude mangled _ZN4Grid*\nexclude mangled _Z1f?\ninclude g\n"}) {
    const Selection selection = parse_selection(text, "s");
    CHECK(wants_mangled_names(selection));
    CHECK(choose(selection, Names{"Grid::step"}, "a.cc", {"_ZN4Grid4stepEv"}) == Choice::exclude);
    CHECK(choose(selection, Names{"f"}, "a.cc", {"_Z1fv"}) == Choice::exclude);
    CHECK(choose(selection, Names{"g"}, "a.cc", {"_Z1gv"}) == Choice::include);
    CHECK(choose(selection, Names{"_Z1fv"}, "a.cc", {}) == Choice::open);
  }
  CHECK_FALSE(wants_mangled_names(parse_selection("exclude mangled\n", "s")));
}

TEST_CASE("lines of one's own for files") {
  const char* text = "exclude file */io/*\ninclude file */io/fast.cc\n";
  CHECK_FALSE(selected(text, "f", "src/io/read.cc"));
  CHECK_FALSE(selected(text, "f", "io/read.cc")); // by its full path
  CHECK(selected(text, "f", "src/io/fast.cc"));
  CHECK_FALSE(selected("exclude file\n", "file"));
}

TEST_CASE("a pattern with parameters is compared with any name that has them") {
  const Selection selection = parse_selection("exclude Grid::step(int)\n", "s");
  CHECK(choose(selection, Names{"Grid::step", "Grid::step(int)"}, "a.cc") == Choice::exclude);
  CHECK(choose(selection, Names{"Grid::step", "Grid::step(double)"}, "a.cc") == Choice::open);
}

TEST_CASE("complaints name file, line, fact and remedy") {
  CHECK(complaint("\nomit x\n") == "s:2: 'omit' is unknown; write include PATTERN or exclude PATTERN");
  CHECK(complaint("include\n") == "s:1: include has no pattern; name a function, * and ? allowed");
  CHECK(complaint("SCOREP_REGION_NAMES_BEGIN\n x\n") == "s:2: 'x' follows no verb; write INCLUDE or EXCLUDE before it");
  CHECK(complaint("SCOREP_FILE_NAMES_BEGIN\nEXCLUDE MANGLED _Z1f\n") ==
        "s:2: MANGLED belongs to names of regions; remove it here");
  CHECK(complaint("SCOREP_REGION_NAMES_BEGIN\nINCLUDE main\nEXCUDE *\n") ==
        "s:3: 'EXCUDE' is unknown; did you mean EXCLUDE?");
  CHECK(complaint("EXCLUDE *\n") == "s:1: EXCLUDE stands outside a block; write exclude PATTERN, or "
                                    "SCOREP_REGION_NAMES_BEGIN before it");
  CHECK(complaint("SCOREP_REGION_NAMES_BEGIN\nSCOREP_REGION_NAMES_END exclude f\n") ==
        "s:2: 'exclude' follows the end of a block; begin a new line");
  CHECK(complaint("SCOREP_REGION_NAMES_BEGIN\n") == "s:1: the block does not end; add SCOREP_REGION_NAMES_END");
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
  CHECK(choose(selection, "solve_all", "a.c") == Choice::include);
  CHECK(choose(selection, "get_size", "a.c") == Choice::exclude);
}

TEST_CASE("selections that choose nothing are seen without reading the source") {
  const auto nothing = [](const char* text, const std::string& file = "") {
    return selects_nothing(parse_selection(text, "s"), file);
  };
  CHECK(nothing("exclude *"));
  CHECK(nothing("include a\nexclude *\nexclude b"));
  CHECK_FALSE(nothing(""));
  CHECK_FALSE(nothing("exclude *\ninclude a"));
  CHECK_FALSE(nothing("exclude a*"));
  CHECK_FALSE(nothing("exclude mangled *"));
  CHECK(nothing("exclude file *"));
  CHECK_FALSE(nothing("exclude file *\ninclude file src/*"));
  CHECK(nothing("exclude file *\ninclude file src/*", "io/a.c"));
  CHECK_FALSE(nothing("exclude file io/*"));
  CHECK(nothing("exclude file io/*", "io/a.c"));
  CHECK_FALSE(nothing("exclude file io/*", "src/a.c"));
}
