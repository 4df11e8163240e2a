// The compiler is asked once for each language of the command, and not at all where no source is a file.
#include "preprocessor/compilation.h"

#include <filesystem>
#include <map>
#include <utility>

#include "preprocessor/parse.h"
#include "preprocessor/precompiled.h"

namespace andes::preprocessor {
namespace {

using Compilers = std::map<Language, Compiler>;

/// Lets Clang read the header itself where the command has it precompiled, in another place.
void find_header(CompilerCommand& command, const CompilerCommand::Input& input, const Compiler& compiler) {
  if (command.header_apart || compiler.family != Compiler::Family::gcc) return;
  const std::string header = header_of_precompiled(command, input);
  if (header.empty()) return;
  command.parse_flags = with_first_include(std::move(command.parse_flags), header);
  command.header_apart = true;
}

Source read_input(CompilerCommand& command, const CompilerCommand::Input& input, const Reading& reading,
                  Compilers& compilers) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(input.path, ignored)) {
    Source unread;
    unread.error = "not a regular file";
    return unread;
  }
  Compiler& compiler = compilers[input.language];
  if (!compiler.asked) compiler = ask_compiler(command, input.language);
  find_header(command, input, compiler);
  return read_source(command, compiler, input, reading);
}

} // namespace

Compilation read_compilation(CompilerCommand command, std::vector<std::string> as_written, Options options,
                             Selection selection) {
  const Reading reading = reading_of(options, selection);
  Compilers compilers;
  std::vector<TranslationUnit> units;
  for (const CompilerCommand::Input& input : command.inputs)
    units.push_back({input, read_input(command, input, reading, compilers)});
  return {std::move(command),
          std::move(as_written),
          std::move(options),
          std::move(selection),
          std::move(units),
          compilers.empty() ? Compiler{} : compilers.begin()->second,
          nullptr};
}

} // namespace andes::preprocessor
