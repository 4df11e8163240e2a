// Command lines: what is a source, what Clang is told, what goes where.
#include <catch2/catch.hpp>

#include "preprocessor/command.h"

using namespace andes;
using namespace andes::preprocessor;
using Words = std::vector<std::string>;

namespace {

Words sources(const Words& words) {
  Words paths;
  for (const auto& input : read_command(words).inputs) paths.push_back(input.path);
  return paths;
}

} // namespace

TEST_CASE("sources by name") {
  CHECK(sources({"gcc", "-c", "a.c", "b.cpp", "c.C", "d.o", "e.s", "f.f90", "g.h", "h.a", "i.i"}) ==
        Words{"a.c", "b.cpp", "c.C"});
  CHECK(read_command({"g++", "a.C", "b.c"}).inputs[0].language == Language::cxx);
  CHECK(read_command({"g++", "a.C", "b.c"}).inputs[1].language == Language::c);
}

TEST_CASE("values of options are no sources") {
  CHECK(sources({"gcc", "-o", "x.c", "-MF", "d.c", "-include", "i.c", "-MT", "t.c", "a.c"}) == Words{"a.c"});
  CHECK(sources({"gcc", "-c", "-Ix.c", "-DX=y.c", "a.c"}) == Words{"a.c"});
}

TEST_CASE("-x forces a language until -x none") {
  CHECK(sources({"gcc", "-x", "c", "one", "-xc++", "two", "-x", "assembler", "three.c", "-x", "none", "four",
                 "five.c"}) == Words{"one", "two", "five.c"});
}

TEST_CASE("what compiles nothing has no inputs") {
  for (const char* flag : {"-E", "-M", "-MM", "-fsyntax-only", "-###", "--version"})
    CHECK(sources({"gcc", flag, "a.c"}).empty());
  CHECK(sources({"gcc", "-x", "c", "-", "-c"}).empty());
  CHECK(sources({"gcc", "a.o", "-lm"}).empty());
  CHECK(sources({"gcc"}).empty());
}

TEST_CASE("-MD and -MMD compile") { CHECK(sources({"gcc", "-MD", "-c", "a.c"}) == Words{"a.c"}); }

TEST_CASE("flags for reading, unknown ones left out") {
  const CompilerCommand command =
      read_command({"gcc", "-O2", "-Wall", "-I", "inc", "-DA=1", "-fopenmp", "-fweird", "-g", "-std=c99", "-isystem",
                    "sys", "-mavx", "-include", "x.h", "-c", "a.c"});
  CHECK(command.parse_flags ==
        Words{"-O2", "-I", "inc", "-DA=1", "-fopenmp", "-std=c99", "-isystem", "sys", "-mavx", "-include", "x.h"});
  CHECK(command.query_flags == Words{"-fopenmp", "-std=c99", "-mavx"});
  CHECK(command.has_standard);
}

TEST_CASE("flags wrapped for other stages") {
  CHECK(read_command({"clang", "-Xclang", "-include", "-Xclang", "pch.h", "-c", "a.c"}).parse_flags ==
        Words{"-include", "pch.h"});
  CHECK(read_command({"gcc", "-Wp,-DX=1,-UY", "-c", "a.c"}).parse_flags == Words{"-DX=1", "-UY"});
}

TEST_CASE("places for more flags") {
  const CompilerCommand plain = read_command({"gcc", "-c", "a.c", "-o", "a.o"});
  CHECK(plain.end_word == 5);
  CHECK(read_command({"clang", "-c", "--", "a.c"}).end_word == 2);
  CHECK(read_command({"ccache", "gcc", "-c", "a.c"}).compiler_words == 2);
}

TEST_CASE("where dependencies may go") {
  CHECK(read_command({"gcc", "-MD", "-MF", "x.d", "-c", "a.c"}).dependency_files == Words{"x.d"});
  CHECK(read_command({"gcc", "-Wp,-MMD,k.d", "-c", "a.c"}).dependency_files == Words{"k.d"});
  CHECK(read_command({"gcc", "-MD", "-o", "o/b.o", "-c", "s/a.c"}).dependency_files[0] == "o/b.d");
  CHECK(read_command({"gcc", "-c", "a.c"}).dependency_files.empty());
}

TEST_CASE("prefix maps of the user") {
  const CompilerCommand command =
      read_command({"gcc", "-ffile-prefix-map=/a=b", "-fdebug-prefix-map=c=d=e", "-c", "a.c"});
  REQUIRE(command.prefix_maps.size() == 2);
  CHECK((command.prefix_maps[0].macros && command.prefix_maps[0].debug));
  CHECK((!command.prefix_maps[1].macros && command.prefix_maps[1].debug));
  CHECK(command.prefix_maps[1].to == "d=e");
}

TEST_CASE("a command without its outputs keeps what says how to read") {
  CHECK(without_outputs({"gcc", "-c", "-o", "x", "-O2", "-ox.o", "-MMD", "-MF", "x.d", "a.c", "-save-temps=obj"}) ==
        Words{"gcc", "-O2", "a.c"});
}
