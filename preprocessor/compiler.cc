// The question is `COMPILER FLAGS -E -v -dM -x LANGUAGE /dev/null`: standard error names
// directories and target, standard output the predefined macros. An answer costs two processes, so
// it is kept under a hash of everything it depends on: the file behind the name (path, size, time),
// the flags and the variables that compilers and wrappers read. Files appear by rename, so readers
// never see part of one. An answer expires after a day, and is requested anew when Clang fails with it.
#include "preprocessor/compiler.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "common/private_directory.h"
#include "preprocessor/process.h"

namespace andes::preprocessor {
namespace {

using nlohmann::json;

constexpr int cache_format = 3;
constexpr long cache_seconds = 86400;

/// A directory private to this user; empty if there is none.
std::string cache_directory() {
  const char* variable = std::getenv("TMPDIR");
  const std::string path =
      fmt::format("{}/andes-compilers-{}", variable && variable[0] == '/' ? variable : "/tmp", getuid());
  mkdir(path.c_str(), 0700);
  struct stat facts;
  if (lstat(path.c_str(), &facts) != 0 || !S_ISDIR(facts.st_mode) || facts.st_uid != getuid() || (facts.st_mode & 077))
    return "";
  return path;
}

std::string key_of(const CompilerCommand& command, Language language) {
  json key{cache_format, int(language)};
  for (std::size_t i = 0; i < command.compiler_words; ++i) key.push_back(identity_of(command.words[i]));
  key.push_back(command.query_flags);
  for (const char* name : {"PATH", "CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "GCC_EXEC_PREFIX", "COMPILER_PATH",
                           "SDKROOT", "OMPI_CC", "OMPI_CXX", "OMPI_FC", "OMPI_CFLAGS", "OMPI_CXXFLAGS", "OMPI_CPPFLAGS",
                           "OPAL_PREFIX", "MPICH_CC", "MPICH_CXX", "MPICH_CFLAGS", "I_MPI_CC", "I_MPI_CXX"}) {
    const char* value = std::getenv(name);
    key.push_back(value ? json(value) : json());
  }
  return key.dump(-1, ' ', false, json::error_handler_t::replace);
}

std::string cache_file(const std::string& directory, const std::string& key) {
  return directory.empty() ? "" : fmt::format("{}/{:016x}.json", directory, std::hash<std::string>{}(key));
}

bool recall(const std::string& path, const std::string& key, Compiler& compiler) {
  struct stat facts;
  if (path.empty() || stat(path.c_str(), &facts) != 0 || facts.st_uid != getuid() ||
      time(nullptr) - facts.st_mtime > cache_seconds)
    return false;
  const json answer = json::parse(read_file(path).value_or(""), nullptr, false);
  if (!answer.is_object() || answer.value("key", "") != key) return false;
  try {
    compiler.family = answer.at("family").get<Compiler::Family>();
    compiler.version = answer.at("version").get<int>();
    compiler.name = answer.at("name").get<std::string>();
    compiler.target = answer.at("target").get<std::string>();
    compiler.standard = answer.at("standard").get<std::string>();
    compiler.directories = answer.at("directories").get<std::vector<std::string>>();
    compiler.own = answer.at("own").get<std::vector<std::string>>();
    compiler.macros = answer.at("macros").get<std::vector<std::string>>();
    compiler.debugs = answer.at("debugs").get<bool>();
  } catch (const json::exception&) {
    return false;
  }
  compiler.asked = compiler.remembered = true;
  return true;
}

void remember(const std::string& path, const std::string& key, const Compiler& compiler) {
  if (path.empty()) return;
  const json answer{{"key", key},
                    {"family", compiler.family},
                    {"version", compiler.version},
                    {"name", compiler.name},
                    {"target", compiler.target},
                    {"standard", compiler.standard},
                    {"directories", compiler.directories},
                    {"own", compiler.own},
                    {"macros", compiler.macros},
                    {"debugs", compiler.debugs}};
  const std::string fresh = fmt::format("{}.{}", path, getpid());
  const std::string text = answer.dump(-1, ' ', false, json::error_handler_t::replace);
  if (!write_file(fresh, text) || rename(fresh.c_str(), path.c_str()) != 0) unlink(fresh.c_str());
}

} // namespace

std::string identity_of(const std::string& program) {
  const std::string path = find_program(program).value_or(program);
  struct stat facts = {};
  stat(path.c_str(), &facts);
  std::error_code ignored;
  return fmt::format("{} {} {}.{:09}", std::filesystem::absolute(path, ignored).string(), facts.st_size,
                     facts.st_mtim.tv_sec, facts.st_mtim.tv_nsec);
}

namespace {

/// Whether a line of -v has an option of the compiler's (GCC's are in quotes) for debug information.
bool has_debug_option(const std::string& line) {
  if (line.find(" -debug-info-kind=") != std::string::npos) return true;
  if (!line.starts_with("COLLECT_GCC_OPTIONS=")) return false;
  std::istringstream words(line.substr(line.find('=') + 1));
  for (std::string word; words >> word;)
    if (word.size() > 2 && word != "'-g0'" && sets_debug_level(std::string_view(word).substr(1, word.size() - 2)))
      return true;
  return false;
}

} // namespace

Compiler read_answer(const std::string& out, const std::string& err) {
  Compiler compiler;
  std::istringstream lines(err);
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("Target: ")) compiler.target = line.substr(8);
    // "gcc version 12.2.0 (...)", "Debian clang version 19.1.7 (...)"; clang writes it first, GCC behind other lines.
    if (const std::size_t at = line.find(" version ");
        compiler.name.empty() && at != std::string::npos && std::isdigit(static_cast<unsigned char>(line[at + 9])))
      compiler.name = line.substr(0, line.find_last_not_of(" \r") + 1);
    compiler.debugs |= has_debug_option(line);
    if (line.starts_with("#include <...>")) inside = true;
    else if (line.starts_with("End of search list")) inside = false;
    else if (inside && line.starts_with(" ")) compiler.directories.push_back(line.substr(1));
  }
  for (const std::string& directory : compiler.directories)
    if (access((directory + "/stddef.h").c_str(), R_OK) == 0 && access((directory + "/stdarg.h").c_str(), R_OK) == 0)
      compiler.own.push_back(directory);

  std::istringstream macros(out);
  bool gcc = false, clang = false, intel = false, strict = false;
  long c = 0, cxx = 0;
  for (std::string line; std::getline(macros, line);) {
    std::istringstream words(line);
    std::string define, name, value;
    words >> define >> name;
    std::getline(words >> std::ws, value);
    if (define != "#define") continue;
    if (name == "__GNUC__") gcc = true;
    if (name == "__clang__") clang = true;
    if (name == "__INTEL_COMPILER" || name == "__NVCOMPILER" || name == "__EDG__") intel = true;
    if (name == "__STRICT_ANSI__") strict = true;
    if (name == "__STDC_VERSION__") c = std::atol(value.c_str());
    if (name == "__cplusplus") cxx = std::atol(value.c_str());
    if (name == "__clang_major__" || (name == "__GNUC__" && !clang)) compiler.version = std::atoi(value.c_str());
    // Names a wrapper adds by -D; the compiler's own begin with two underscores.
    if (!name.starts_with("__") && name.find('(') == std::string::npos && name != "_FORTIFY_SOURCE" &&
        name != "_LP64" && name != "_STDC_PREDEF_H" && name != "linux" && name != "unix")
      compiler.macros.push_back(name + "=" + value);
  }
  compiler.family = intel   ? Compiler::Family::other
                    : clang ? Compiler::Family::clang
                    : gcc   ? Compiler::Family::gcc
                            : Compiler::Family::other;
  const char* dialect = strict ? "c" : "gnu";
  if (cxx > 0)
    compiler.standard = fmt::format("{}++{}", dialect,
                                    cxx < 201103   ? "98"
                                    : cxx < 201402 ? "11"
                                    : cxx < 201703 ? "14"
                                    : cxx < 202002 ? "17"
                                    : cxx < 202302 ? "20"
                                                   : "23");
  else if (c > 0)
    compiler.standard = fmt::format("{}{}", dialect,
                                    c < 199901   ? "89"
                                    : c < 201112 ? "99"
                                    : c < 201710 ? "11"
                                    : c < 202000 ? "17"
                                                 : "23");
  compiler.asked = !compiler.directories.empty();
  return compiler;
}

bool lacks_debug_information(const CompilerCommand& command, const Compiler& compiler) {
  return !compiler.debugs && !command.has_debug_level &&
         std::find(command.words.begin(), command.words.end(), "-S") == command.words.end();
}

Compiler ask_compiler(const CompilerCommand& command, Language language, bool fresh) {
  const std::string key = key_of(command, language);
  const std::string kept = cache_file(cache_directory(), key);
  Compiler compiler;
  if (!fresh && recall(kept, key, compiler)) return compiler;

  const PrivateDirectory directory;
  if (directory.path().empty()) return {};
  std::vector<std::string> words(command.words.begin(), command.words.begin() + long(command.compiler_words));
  words.insert(words.end(), command.query_flags.begin(), command.query_flags.end());
  for (const char* word : {"-E", "-v", "-dM", "-x", language == Language::c ? "c" : "c++", "/dev/null"})
    words.emplace_back(word);
  const std::string out = directory.path() + "/out", err = directory.path() + "/err";
  if (!run(words, out, err, {"LC_ALL=C"}).good()) return {};
  compiler = read_answer(read_file(out).value_or(""), read_file(err).value_or(""));
  if (compiler.asked) remember(kept, key, compiler);
  return compiler;
}

} // namespace andes::preprocessor
