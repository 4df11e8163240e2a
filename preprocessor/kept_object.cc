#include "preprocessor/kept_object.h"

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "preprocessor/process.h"

namespace andes::preprocessor {
namespace {

/// Options that make other files of what is compiled, which are to be those of the copies as well.
bool makes_more(std::string_view word) {
  constexpr std::string_view begin[] = {"-save-temps", "--save-temps", "-gsplit-dwarf", "--coverage",       "-coverage",
                                        "-ftest-cov",  "-fprofile-",   "-fstack-usage", "-fcallgraph-info", "-fdump",
                                        "-fopt-info",  "-d",           "-Wa,",          "-Xassembler",      "-foffload",
                                        "-fsave-opt",  "-fstats",      "-ftime",        "-gcodeview",       "-x"};
  return std::ranges::any_of(begin, [word](std::string_view one) { return word.starts_with(one); });
}

} // namespace

bool compiles_one_source(const CompilerCommand& command) {
  return command.inputs.size() + command.fortran.size() == 1 && std::ranges::none_of(command.words, makes_more) &&
         std::ranges::find(command.words, "-S") == command.words.end();
}

bool makes_one_object(const CompilerCommand& command) {
  return compiles_one_source(command) && std::ranges::find(command.words, "-c") != command.words.end();
}

std::optional<KeptObject> object_made_by(const CompilerCommand& command) {
  if (!makes_one_object(command)) return std::nullopt;
  const std::string& source = command.inputs.empty() ? command.fortran[0] : command.inputs[0].path;
  const std::string path =
      command.output.empty() ? std::filesystem::path(source).stem().string() + ".o" : command.output;
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return std::nullopt;
  std::optional<std::string> bytes = read_file(path);
  if (!bytes) return std::nullopt;
  return KeptObject{path, std::move(*bytes)};
}

bool put_back(const KeptObject& object) { return write_file(object.path, object.bytes); }

} // namespace andes::preprocessor
