// The question is `COMPILER FLAGS -M -fpch-deps /dev/null`, with all flags of the command: GCC takes a precompiled
// header only with the flags that it was made with.
#include "preprocessor/precompiled.h"

#include <algorithm>
#include <filesystem>

#include "common/private_directory.h"
#include "preprocessor/depfile.h"
#include "preprocessor/process.h"

namespace andes::preprocessor {
namespace {

using std::filesystem::path;

bool is_there(const path& file) {
  std::error_code ignored;
  return std::filesystem::exists(file, ignored);
}

auto first_include(const std::vector<std::string>& flags) {
  const auto found = std::ranges::find(flags, "-include");
  return found == flags.end() ? found : found + 1;
}

/// Where GCC looks for a header of -include: in the working directory, then as for a header in quotes.
std::vector<path> searched(const std::vector<std::string>& flags) {
  std::vector<path> directories{""};
  for (std::size_t i = 0; i < flags.size(); ++i) {
    if ((flags[i] == "-I" || flags[i] == "-iquote") && i + 1 < flags.size()) directories.emplace_back(flags[++i]);
    else if (flags[i].starts_with("-I")) directories.emplace_back(flags[i].substr(2));
  }
  return directories;
}

/// Whether the first of these directories that has the header has it precompiled alone.
bool is_apart(const std::vector<std::string>& flags, const std::string& header) {
  for (const path& directory : searched(flags)) {
    if (is_there(directory / header)) return false;
    if (is_there(directory / (header + ".gch"))) return true;
  }
  return false;
}

/// What the compiler names as dependencies of nothing but the precompiled header.
std::vector<std::string> dependencies(const CompilerCommand& command, const CompilerCommand::Input& input) {
  const PrivateDirectory directory;
  if (directory.path().empty()) return {};
  std::vector<std::string> words = command.words;
  words[input.word] = "/dev/null";
  const auto at = words.begin() + std::ptrdiff_t(input.word);
  words.insert(at, {"-x", input.language == Language::c ? "c" : "c++"});
  words = without_outputs(words);
  words.insert(words.begin() + std::ptrdiff_t(command.compiler_words), {"-M", "-fpch-preprocess", "-fpch-deps"});
  const std::string rule = directory.path() + "/rule";
  words.insert(words.begin() + std::ptrdiff_t(command.compiler_words), {"-MF", rule});
  if (!run(words, "/dev/null", "/dev/null").good()) return {};
  return files_of_rule(read_file(rule).value_or(""));
}

} // namespace

std::string header_of_precompiled(const CompilerCommand& command, const CompilerCommand::Input& input) {
  const auto header = first_include(command.parse_flags);
  if (header == command.parse_flags.end() || !is_apart(command.parse_flags, *header)) return "";
  for (const std::string& file : dependencies(command, input))
    if (path(file).filename() == path(*header).filename() && is_there(file)) return file;
  return "";
}

std::vector<std::string> with_first_include(std::vector<std::string> flags, const std::string& header) {
  const auto at = first_include(flags);
  if (at != flags.end()) flags[std::size_t(at - flags.begin())] = header;
  return flags;
}

} // namespace andes::preprocessor
