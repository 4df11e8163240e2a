// The question is `COMPILER FLAGS -M -fpch-deps /dev/null`, with all flags of the command: GCC takes a precompiled
// header only with the flags that it was made with.
#include "preprocessor/precompiled.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <string_view>

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

/// Whether it is a header. qmake gives the precompiled header the name of the program, which stands there later.
bool is_text(const path& file) {
  std::array<char, 4> begin{};
  std::ifstream stream(file, std::ios::binary);
  return !stream.read(begin.data(), begin.size()) || std::string_view(begin.data(), begin.size()) != "\x7f"
                                                                                                     "ELF";
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
    const bool precompiled = is_there(directory / (header + ".gch"));
    if (is_there(directory / header) && (!precompiled || is_text(directory / header))) return false;
    if (precompiled) return true;
  }
  return false;
}

/// The file that the compiler includes before all others, where there is one.
bool is_of_c_library(const path& file) { return file.filename() == "stdc-predef.h"; }

/// What the compiler names as dependencies of nothing but the precompiled header. Its own begin with the header.
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

bool names_dependencies(const std::string& word) { return word.starts_with("-M") || word.starts_with("-Wp,-M"); }

} // namespace

std::vector<std::string> with_dependencies(const CompilerCommand& command, std::vector<std::string> as_written,
                                           std::optional<PrivateDirectory>& place) {
  if (!request_of(command.words, "").precompiles || std::ranges::any_of(command.words, names_dependencies) ||
      place.emplace().path().empty())
    return as_written;
  as_written.insert(as_written.begin() + std::ptrdiff_t(command.compiler_words),
                    {"-MD", "-MF", place->path() + "/dependencies"});
  return as_written;
}

std::string header_of_precompiled(const CompilerCommand& command, const CompilerCommand::Input& input) {
  const auto header = first_include(command.parse_flags);
  if (header == command.parse_flags.end() || !is_apart(command.parse_flags, *header)) return "";
  const std::vector<std::string> files = dependencies(command, input);
  // The header that the command names may itself be included by the one that was precompiled (CMake's way).
  for (const std::string& file : files)
    if (path(file).filename() == path(*header).filename() && is_there(file)) return file;
  for (const std::string& file : files)
    if (file != "/dev/null" && !is_of_c_library(file)) return is_there(file) ? file : "";
  return "";
}

std::vector<std::string> with_first_include(std::vector<std::string> flags, const std::string& header) {
  const auto at = first_include(flags);
  if (at != flags.end()) flags[std::size_t(at - flags.begin())] = header;
  return flags;
}

} // namespace andes::preprocessor
