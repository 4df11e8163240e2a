// andes-preprocess: the program behind `andes instrument` and `andes cc`.
#include <cstdio>
#include <exception>

#include <fmt/core.h>

#include "common/message.h"
#include "preprocessor/commands.h"

using namespace andes::preprocessor;

int main(int count, char** words) try {
  const std::string command = count > 1 ? words[1] : "";
  const std::vector<std::string> arguments(words + (count > 1 ? 2 : 1), words + count);
  if (command == "instrument") return instrument(arguments);
  if (command == "cc") return compile(arguments);
  andes::say("{}: no such command; write instrument or cc", command.empty() ? "(none)" : command);
  return 2;
} catch (const andes::Refusal& refusal) {
  andes::say("{}", refusal.what());
  return 2;
} catch (const std::exception& error) {
  andes::say("preprocessor: {}; please report it", error.what());
  return 2;
}
