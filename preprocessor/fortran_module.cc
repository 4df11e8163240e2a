#include "preprocessor/fortran_module.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <regex>
#include <set>
#include <string_view>

#include "preprocessor/preamble.h"

namespace andes::preprocessor {
namespace {

namespace fs = std::filesystem;

fs::path own_headers() { return fs::path(probe_header()).parent_path(); }

bool links(const CompilerCommand& command) {
  static const std::set<std::string> others = {"-c", "-S", "-E", "-M", "-MM", "-fsyntax-only", "--version", "-v"};
  return std::none_of(command.words.begin(), command.words.end(),
                      [](const std::string& word) { return others.count(word) > 0; });
}

/// By the names that gfortran and flang give its procedures.
bool is_object_with_module(const std::string& word) {
  const std::string end = fs::path(word).extension().string();
  if (end != ".o" && end != ".a") return false;
  const std::optional<std::string> bytes = read_file(word);
  const auto has = [&](std::string_view name) {
    return bytes && memmem(bytes->data(), bytes->size(), name.data(), name.size());
  };
  return has("__andes_MOD_andes_") || has("_QMandesPandes_");
}

} // namespace

bool is_module_source(const std::string& path) { return fs::path(path).filename() == "andes.f90"; }

void offer_headers() {
  const std::string directory = own_headers().parent_path().string();
  if (directory == "/usr/include" || directory == "/usr/local/include") return; // the compiler searches it already
  for (const char* variable : {"C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH"}) {
    const char* before = std::getenv(variable);
    setenv(variable, (before && *before ? before + (":" + directory) : directory).c_str(), 1);
  }
}

bool uses_module(const std::string& text) {
  // Before the expression, which takes milliseconds for a long source.
  constexpr std::string_view name = "andes";
  const auto small = [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; };
  if (std::ranges::search(text, name, {}, small).empty()) return false;
  static const std::regex use(R"((^|\n)[ \t]*use([ \t]*,[^\n!]*::|[ \t]*::|[ \t])[ \t]*andes[ \t]*([,!;\r\n]|$))",
                              std::regex::icase);
  return std::regex_search(text, use);
}

std::vector<std::string> with_fortran_module(const CompilerCommand& command, const std::vector<std::string>& as_written,
                                             std::optional<PrivateDirectory>& directory) {
  if (std::ranges::any_of(command.fortran, is_module_source)) return as_written;
  const bool uses = std::ranges::any_of(
      command.fortran, [](const std::string& path) { return uses_module(read_file(path).value_or("")); });
  const bool linked = links(command) && (uses || std::ranges::any_of(command.words, is_object_with_module));
  if (!uses && !linked) return as_written;
  std::vector<std::string> words(command.words.begin(), command.words.begin() + long(command.compiler_words));
  const std::string& place = directory.emplace().path();
  if (place.empty()) return as_written;
  const std::string object = place + "/andes.o", archive = place + "/libandes_module.a";
  for (const std::string& word : {std::string("-O2"), std::string("-fPIC"), std::string("-c"), "-J" + place,
                                  (own_headers() / "andes.f90").string(), std::string("-o"), object})
    words.push_back(word);
  if (!run(words, "/dev/null", "/dev/null").good() ||
      !run({"ar", "rcs", archive, object}, "/dev/null", "/dev/null").good())
    return as_written;
  std::vector<std::string> with = as_written;
  with.push_back("-I" + place);
  if (linked) with.push_back(archive);
  return with;
}

} // namespace andes::preprocessor
