// What andes cc reads: compilers' command lines, and the dependency files that compilers write.
#include "tests/fuzz/targets/input.h"

#include "preprocessor/command.h"
#include "preprocessor/depfile.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace andes;
  using namespace andes::preprocessor;
  fuzz::Input input(bytes, size);
  if (input.ConsumeBool()) {
    const std::vector<std::string> words = fuzz::words_of_rest(input);
    for (const std::string& word : words)
      if (word.starts_with("@")) return 0; // response files are the machine's
    const andes::preprocessor::CompilerCommand command = read_command(words);
    for (const CompilerCommand::Input& one : command.inputs)
      fuzz::require(one.word < command.words.size(), "a word of the command", one.path);
    fuzz::require(command.end_word <= command.words.size(), "a place in the command");
    fuzz::require(words.empty() || command.compiler_words <= command.words.size(), "a compiler");
    return 0;
  }
  const auto style = input.ConsumeBool() ? DependencyStyle::gcc : DependencyStyle::clang;
  const std::string rule = input.ConsumeRemainingBytesAsString();
  fuzz::require(fix_dependencies(rule, {}, style) == rule, "without names nothing is touched", rule);
  fix_dependencies(rule, {{"a.c", "b.c"}, {"copy.h", ""}, {"/tmp/x y.c", "d/x y.c"}}, style);
  return 0;
}
