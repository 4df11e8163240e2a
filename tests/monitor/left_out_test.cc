// Notes about functions without a probe, resolved for the regions of a run.
#include <catch2/catch.hpp>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "monitor/finish/left_out.h"

using namespace andes;
using namespace andes::monitor;

namespace {

LeftOutNote note(const std::string& name, double operations, bool has_probe) {
  LeftOutNote made;
  made.function = {name, "a.c", 3};
  made.operations = operations;
  made.has_probe = has_probe;
  if (!has_probe) made.linked = name + "(int)";
  return made;
}

const std::vector<RegionRow> regions = {{"(program)", "root", "", 0},
                                        {"f", "function", "a.c", 3},
                                        {"f", "function", "b.c", 3},
                                        {"MPI_Send", "send", "", 0}};

} // namespace

TEST_CASE("a note is read as it was written") {
  LeftOutNote made = note("f", 12.5, false);
  made.unknown = true;
  made.parts = {{{"g::{lambda:3}", "dir with blanks/g.h", 9}, 1234}, {{"tab\there", "g.h", 10}, 0.5}};
  made.far_calls = {{"h(int, char)", 3}};
  const LeftOutNote read = note_of(text_of(made));
  CHECK(read.function == made.function);
  CHECK(read.operations == 12.5);
  CHECK(read.unknown);
  CHECK_FALSE(read.has_probe);
  CHECK(read.linked == "f(int)");
  REQUIRE(read.parts.size() == 2);
  CHECK(read.parts[0].function == made.parts[0].function);
  CHECK(read.parts[0].operations == 1234);
  CHECK(read.parts[1].function == NotedFunction{"tab here", "g.h", 10});
  REQUIRE(read.far_calls.size() == 1);
  CHECK(read.far_calls[0].linked == "h(int, char)");
  CHECK(read.far_calls[0].times == 3);
}

TEST_CASE("damaged notes give what can be read of them") {
  CHECK(note_of("").function == NotedFunction{"", "", 0});
  CHECK(note_of("f\ta.c").function == NotedFunction{"f", "a.c", 0});
  CHECK(note_of("f\ta.c\tx\ty\n+\n?\tz\n>\th").far_calls[0].times == 0);
}

TEST_CASE("shares of own time, in the region of that place alone") {
  LeftOutNote f = note("f", 20, true);
  f.parts = {{{"g", "a.c", 1}, 60}, {{"h", "a.c", 2}, 19.8}, {{"rare", "a.c", 9}, 0.2}};
  const std::vector<LeftOutRow> rows = resolved({f, note("no region", 5, true)}, regions);
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].region == 1);
  CHECK(rows[0].function.name == "g");
  CHECK(rows[0].share == Approx(0.6));
  CHECK(rows[1].function.name == "h");
  CHECK(rows[1].share == Approx(0.198));
  CHECK_FALSE(rows[1].unknown_work);
}

TEST_CASE("no share of nothing, and none of what is no number") {
  LeftOutNote f = note("f", 0, true);
  f.parts = {{{"g", "a.c", 1}, 0}};
  CHECK(resolved({f}, regions).empty());
  CHECK(resolved({note_of("f\ta.c\t3\tinf\tp\n+\tg\ta.c\t1\tinf\n")}, regions).empty());
  CHECK(resolved({note_of("f\ta.c\t3\tnan\tp\n+\tg\ta.c\t1\t5\n")}, regions).empty());
}

TEST_CASE("functions of other sources count if they have no probe; recursion ends") {
  LeftOutNote f = note("f", 10, true), g = note("g", 4, false), h = note("h", 1, false);
  f.far_calls = {{"g(int)", 5}, {"unknown(int)", 7}, {"f(int)", 3}};
  g.parts = {{{"inner", "a.c", 8}, 2}};
  g.far_calls = {{"h(int)", 2}, {"g(int)", 1}};
  h.far_calls = {{"g(int)", 1}};
  h.unknown = true;
  // In a visit of f: 10, g 5 x 4, inner 5 x 2, h 5 x 2 x 1: 50.
  const std::vector<LeftOutRow> rows = resolved({f, g, h}, regions);
  REQUIRE(rows.size() == 3);
  CHECK(rows[0].function.name == "g");
  CHECK(rows[0].share == Approx(0.4));
  CHECK(rows[1].share == Approx(0.2));
  CHECK(rows[2].share == Approx(0.2));
  CHECK(rows[0].unknown_work); // as h's work is unknown
}

TEST_CASE("modules: files that are none, that are cut short, that have no notes") {
  const std::string file = (std::filesystem::temp_directory_path() / "andes-left-out-test").string();
  CHECK(notes_in({"/no/such/file", "/proc/self", "/dev/null", "/proc/self/exe"}).empty());
  std::ifstream own("/proc/self/exe", std::ios::binary);
  std::string bytes(1 << 16, 0);
  own.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  for (const std::size_t size : {std::size_t{0}, std::size_t{3}, std::size_t{40}, std::size_t{64}, bytes.size()}) {
    std::ofstream(file, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(size));
    CHECK(notes_in({file}).empty());
  }
  std::filesystem::remove(file);
  CHECK(notes_of_build("/proc/self/exe", "0000000000000000").empty());
}

TEST_CASE("no share of the time of functions that wait in libraries, themselves or through others") {
  LeftOutNote f = note("f", 10, true), g = note("g", 10, false);
  f.parts = {{{"short", "a.c", 1}, 90}};
  REQUIRE(resolved({f}, regions).size() == 1);
  f.far_calls = {{waiting_call, 1}};
  CHECK(resolved({f}, regions).empty());
  f.far_calls = {{"g(int)", 1}};
  CHECK(resolved({f, g}, regions).size() == 2);
  g.far_calls = {{waiting_call, 1}};
  CHECK(resolved({f, g}, regions).empty());
}
