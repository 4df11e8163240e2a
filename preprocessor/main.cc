// andes-preprocess: the program behind `andes instrument`, `andes cc` and `andes build`. In a build it also stands in
// the place of a compiler that was caught.
#include <cstdio>
#include <exception>

#include <fmt/core.h>

#include "common/message.h"
#include "preprocessor/commands.h"
#include "preprocessor/session.h"

using namespace andes::preprocessor;

int main(int count, char** words) try {
  if (const std::vector<std::string> caught = caught_command({words, words + count}); !caught.empty())
    return compile(caught);
  const std::string command = count > 1 ? words[1] : "";
  const std::vector<std::string> arguments(words + (count > 1 ? 2 : 1), words + count);
  if (command == "instrument") return instrument(arguments);
  if (command == "cc") return compile(arguments);
  if (command == "build") return build(arguments);
  andes::say("{}: no such command; write instrument, cc or build", command.empty() ? "(none)" : command);
  return 2;
} catch (const andes::Refusal& refusal) {
  andes::say("{}", refusal.what());
  return 2;
} catch (const std::exception& error) {
  andes::say("preprocessor: {}; please report it", error.what());
  return 2;
}
