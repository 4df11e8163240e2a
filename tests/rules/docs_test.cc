// docs/rules.md shows the registered event types as the code has them and each cause that comes with andes, and its
// examples compile.
#include <catch2/catch.hpp>

#include <fstream>
#include <sstream>

#include "tests/rules/events.h"

using namespace andes::monitor;
using namespace andes::monitor::rules;

namespace {

std::string manual() {
  std::ifstream file(ANDES_SOURCE_DIR "/docs/rules.md");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

} // namespace

TEST_CASE("The manual has the event types of the code") {
  const std::string text = manual();
  const std::string begin = "<!-- event types: printed by the code, checked by a test -->\n";
  const std::size_t at = text.find(begin);
  REQUIRE(at != std::string::npos);
  const std::string found = text.substr(at + begin.size()), expected = described(registered_schemas());
  std::istringstream a(found), b(expected); // line by line, so that a failure shows the line
  for (std::string x, y; std::getline(b, y);) {
    REQUIRE(std::getline(a, x));
    REQUIRE(x == y);
  }
  CHECK(found.substr(0, expected.size()) == expected);
}

TEST_CASE("The manual has a line for each cause that comes with andes") {
  const std::string text = manual();
  const Compiled compiled = compile(shipped_rules());
  for (const Cause& cause : compiled.program.causes) {
    INFO(cause.identifier);
    CHECK(text.find("\n| " + cause.identifier + " |") != std::string::npos);
  }
}

TEST_CASE("The examples of the manual compile") {
  const std::string text = manual(), fence = "```rules\n";
  int examples = 0;
  for (std::size_t at = 0; (at = text.find(fence, at)) != std::string::npos;) {
    at += fence.size();
    const std::string example = text.substr(at, text.find("```", at) - at);
    std::vector<Source> sources = shipped_rules();
    sources.push_back({"manual.rules", example});
    std::string errors;
    for (const Diagnostic& error : compile(sources).errors) errors += text_of(error);
    CHECK(errors == "");
    ++examples;
  }
  CHECK(examples >= 3);
}
