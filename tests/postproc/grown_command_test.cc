#include "postproc/model/grown_command.h"

#include <catch2/catch.hpp>

using namespace andes::postproc;

namespace {

Profile run_with(const char* arguments) {
  Profile run;
  run.facts["program"] = "solve";
  run.facts["arguments"] = arguments;
  return run;
}

std::string title_of(const char* smallest, const char* largest) {
  return grown_command_line(run_with(smallest), run_with(largest));
}

} // namespace

TEST_CASE("the command line of a weak sweep names both ends of what grows") {
  CHECK(title_of(R"(["200", "-v"])", R"(["800", "-v"])") == "solve 200..800 -v");
  CHECK(title_of(R"(["nx=1000,b=16"])", R"(["nx=1500,b=16"])") == "solve nx=1000..1500,b=16");
  CHECK(title_of(R"(["50x7"])", R"(["100x7"])") == "solve 50..100x7");
  CHECK(title_of(R"(["0.5"])", R"(["0.25"])") == "solve 0.5..0.25");
  CHECK(title_of(R"(["a.dat"])", R"(["a.dat.big"])") == "solve a.dat..a.dat.big");
  CHECK(title_of(R"(["7"])", R"(["7"])") == "solve 7");
  CHECK(title_of(R"([])", R"(["8", "9"])") == "solve 8 9"); // no pairs of arguments
}
