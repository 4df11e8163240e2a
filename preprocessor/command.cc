// The command line of GCC and Clang, in one pass over the words.
#include "preprocessor/command.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <optional>
#include <string_view>

namespace andes::preprocessor {
namespace {

using std::string_view;

// Tables.
// clang-format off
// Options with a value, joined or separate, that Clang needs for reading.
constexpr std::array reading_with_value{
    "-I", "-D", "-U", "-include", "-imacros", "-isystem", "-iquote", "-idirafter", "-isysroot",
    "--sysroot", "-target", "-iprefix", "-iwithprefixbefore", "-iwithprefix", "-cxx-isystem"};

// Options that Clang needs; unknown ones are left out.
constexpr std::array reading{
    "-ansi", "-pthread", "-nostdinc", "-nostdinc++", "-trigraphs", "-undef", "-fopenmp",
    "-fopenmp-simd", "-fexceptions", "-fno-exceptions", "-frtti", "-fno-rtti", "-fPIC", "-fpic",
    "-fPIE", "-fpie", "-fno-pie", "-fno-PIE", "-fshort-enums", "-fno-short-enums",
    "-fshort-wchar", "-fsigned-char", "-funsigned-char", "-fno-signed-char", "-fno-unsigned-char",
    "-fms-extensions", "-fplan9-extensions", "-fgnu89-inline", "-ffreestanding", "-fhosted",
    "-fno-hosted", "-fno-builtin", "-fchar8_t", "-fno-char8_t", "-fcoroutines",
    "-fsized-deallocation", "-faligned-new", "-ffast-math", "-fno-operator-names",
    "-fdollars-in-identifiers", "-fno-dollars-in-identifiers", "-fno-math-errno", "-fblocks",
    "-fconcepts", "-ftrigraphs", "-funsigned-bitfields"};

// Those of these that change the compiler's own directories and macros.
constexpr std::array querying{
    "-ansi", "-pthread", "-nostdinc", "-nostdinc++", "-fopenmp", "-fopenmp-simd",
    "-ffreestanding", "-fchar8_t", "-fno-char8_t"};
constexpr std::array querying_prefix{
    "-std=", "--std=", "-stdlib=", "-m", "--sysroot=", "--target=", "--gcc-toolchain="};
// Modules of C++ that were built before, of Clang. They can be read if it is the version that andes reads with.
constexpr std::array reading_prefix{"-fmodule-file=", "-fprebuilt-module-path="};
// Options that turn OpenMP on or off; the compiler's macros show whether it obeys them (parse.cc).
constexpr std::array querying_openmp{"-fopenmp=", "-fno-openmp", "-qopenmp", "-fiopenmp"};
// clang-format on

template <std::size_t n> bool is_in(const std::array<const char*, n>& list, string_view word) {
  return std::ranges::any_of(list, [&](const char* one) { return word == one; });
}

template <std::size_t n>
const char* prefix_in(const std::array<const char*, n>& list, string_view word) {
  const auto found = std::ranges::find_if(list, [&](const char* one) { return word.starts_with(one); });
  return found == list.end() ? nullptr : *found;
}

string_view base_of(string_view path) { return path.substr(path.rfind('/') + 1); }

string_view stem_of(string_view path) {
  const std::size_t dot = path.rfind('.');
  return dot == string_view::npos || dot < path.size() - base_of(path).size() ? path : path.substr(0, dot);
}

/// The words of a response file, quoted as GCC reads them; none if it cannot be read.
std::optional<std::vector<std::string>> response_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  std::vector<std::string> words;
  bool inside = false;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (!quote && string_view(" \t\n\r\f\v").find(c) != string_view::npos) {
      inside = false;
      continue;
    }
    if (!inside) words.emplace_back();
    inside = true;
    if (c == '\\' && i + 1 < text.size()) words.back() += text[++i];
    else if (quote ? c == quote : c == '\'' || c == '"') quote = quote ? 0 : c;
    else words.back() += c;
  }
  return words;
}

std::vector<std::string> expand(const std::vector<std::string>& words, int depth = 0) {
  std::vector<std::string> out;
  for (const std::string& word : words) {
    std::optional<std::vector<std::string>> inner;
    if (word.size() > 1 && word[0] == '@' && depth < 10) inner = response_file(word.substr(1));
    if (!inner) out.push_back(word);
    else
      for (std::string& one : expand(*inner, depth + 1)) out.push_back(std::move(one));
  }
  return out;
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts{""};
  for (const char c : text)
    if (c == separator) parts.emplace_back();
    else parts.back() += c;
  return parts;
}

void add_prefix_map(const std::string& word, CompilerCommand& command) {
  const std::pair<const char*, std::pair<bool, bool>> kinds[] = {{"-ffile-prefix-map=", {true, true}},
                                                                 {"-fmacro-prefix-map=", {true, false}},
                                                                 {"-fdebug-prefix-map=", {false, true}}};
  for (const auto& [prefix, where] : kinds) {
    if (!word.starts_with(prefix)) continue;
    const std::string rest = word.substr(string_view(prefix).size());
    const std::size_t equals = rest.find('=');
    if (equals != std::string::npos)
      command.prefix_maps.push_back({where.first, where.second, rest.substr(0, equals), rest.substr(equals + 1)});
  }
}

} // namespace

bool language_of(const std::string& path, Language& language) {
  const SourceKind kind = source_kind(path);
  if (kind == SourceKind::c) language = Language::c;
  if (kind == SourceKind::cxx) language = Language::cxx;
  return kind == SourceKind::c || kind == SourceKind::cxx;
}

void sort_flags(const std::vector<std::string>& flags, CompilerCommand& command) {
  for (std::size_t i = 0; i < flags.size(); ++i) {
    const std::string& flag = flags[i];
    if ((flag == "-Xclang" || flag == "-Xpreprocessor") && i + 1 < flags.size()) {
      // Values follow behind another -Xclang: collect the chain and read it as flags.
      std::vector<std::string> inner;
      for (; i + 1 < flags.size() && flags[i] == flag; i += 2) inner.push_back(flags[i + 1]);
      --i;
      sort_flags(inner, command);
      continue;
    }
    if (flag.starts_with("-Wp,")) {
      std::vector<std::string> inner = split(flag.substr(4), ',');
      if ((inner[0] == "-MD" || inner[0] == "-MMD") && inner.size() > 1) command.dependency_files.push_back(inner[1]);
      else sort_flags(inner, command);
      continue;
    }
    add_prefix_map(flag, command);
    if (flag.starts_with("-std=") || flag.starts_with("--std=") || flag == "-ansi") command.has_standard = true;
    if (flag.starts_with("-fdiagnostics-color") || flag.ends_with("color-diagnostics")) command.has_colour = true;
    if (flag == "-Werror" || flag.starts_with("-Werror=")) command.warnings_are_errors = true;
    if (flag.starts_with("-flto")) command.link_time = true;
    if (flag == "-fno-lto") command.link_time = false;
    if (flag == "-ffreestanding" || flag == "-nostdlib" || flag == "-nodefaultlibs" || flag == "-nolibc")
      command.unmeasurable = "free-standing";
    if (flag == "-m32" || flag == "-mx32" || flag == "-m16") command.unmeasurable = "compiled for 32 bits";
    const bool query = is_in(querying, flag) || prefix_in(querying_prefix, flag) || prefix_in(querying_openmp, flag) ||
                       flag == "-target" || flag == "--sysroot" || flag == "-isysroot" || flag.starts_with("-B");
    const bool pair = takes_next_word(flag) && i + 1 < flags.size();
    const bool optimise = flag.starts_with("-O") && flag != "-Ofast";
    const bool read = is_in(reading, flag) || prefix_in(querying_prefix, flag) || optimise || flag == "-Ofast" ||
                      prefix_in(reading_with_value, flag) || prefix_in(reading_prefix, flag);
    if (read && flag != "-include-pch" && !flag.starts_with("-mtune"))
      command.parse_flags.push_back(flag == "-Ofast" ? "-O3" : flag);
    if (query) command.query_flags.push_back(flag);
    if (!pair) continue;
    ++i;
    if (is_in(reading_with_value, flag)) command.parse_flags.push_back(flags[i]);
    if (query) command.query_flags.push_back(flags[i]);
  }
}

CompilerRequest request_of(const std::vector<std::string>& words, const std::string& directory) {
  std::vector<const char*> pointers;
  for (const std::string& word : words) pointers.push_back(word.c_str());
  pointers.push_back(nullptr);
  return andes::request_of(pointers.data(), directory);
}

CompilerCommand read_command(std::vector<std::string> words, const std::string& directory) {
  CompilerCommand command;
  command.words = expand(words);
  const std::vector<std::string>& all = command.words;
  if (all.size() > 1 && is_compiler_launcher(all[0]) && !all[1].starts_with("-")) command.compiler_words = 2;

  std::string explicit_file;
  std::string forced; // language by -x; empty: by the file's name
  std::vector<std::string> flags;
  bool compiles = true, wants_dependencies = false, only_files = false;
  command.end_word = all.size();
  for (std::size_t i = command.compiler_words; i < all.size(); ++i) {
    const std::string& word = all[i];
    if (!only_files && word == "--") {
      only_files = true;
      command.end_word = i;
      continue;
    }
    if (only_files || !word.starts_with("-") || word == "-") {
      CompilerCommand::Input input{i, word, Language::c};
      if (word == "-" || is_configure_test(word, directory)) compiles = false;
      else if (forced == "c" || forced == "c++") input.language = forced == "c" ? Language::c : Language::cxx;
      else if (forced.empty() ? source_kind(word) == SourceKind::fortran : forced.starts_with("f")) {
        command.fortran.push_back(word);
        continue;
      } else if (forced.empty() ? is_preprocessed(word) : forced.ends_with("cpp-output")) {
        command.preprocessed.push_back(word);
        continue;
      } else if (!forced.empty() || !language_of(word, input.language)) continue;
      command.inputs.push_back(input);
      continue;
    }
    if (is_question(word)) compiles = false;
    if (word == "-MD" || word == "-MMD" || word == "--write-dependencies" || word == "--write-user-dependencies")
      wants_dependencies = true;
    if (word == "-MMD" || word == "--write-user-dependencies" || word.starts_with("-Wp,-MMD"))
      command.user_dependencies = true;
    if (word.starts_with("-g") && word.ends_with("3")) command.debugs_macros = true;
    if (word == "-fdebug-macro") command.debugs_macros = true;
    if (sets_debug_level(word)) command.has_debug_level = true;
    flags.push_back(word);
    if (word.starts_with("-x") && word.size() > 2) {
      forced = word.substr(2);
    } else if (word.starts_with("-o") && word.size() > 2 && word[2] != 'b') {
      command.output = word.substr(2);
    } else if (word.starts_with("-MF") && word.size() > 3) {
      explicit_file = word.substr(3);
    } else if (takes_next_word(word) && i + 1 < all.size()) {
      flags.push_back(all[++i]);
      if (word == "-x") forced = all[i];
      if (word == "-o") command.output = all[i];
      if (word == "-MF") explicit_file = all[i];
    }
    if (forced == "none") forced.clear();
  }
  sort_flags(flags, command);
  if (!compiles) {
    command.inputs.clear();
    command.fortran.clear();
    command.preprocessed.clear();
  }
  if (command.inputs.empty()) return command;

  if (!explicit_file.empty()) command.dependency_files.push_back(explicit_file);
  if (wants_dependencies && explicit_file.empty()) { // the default names of GCC and Clang, old and new
    if (!command.output.empty()) command.dependency_files.push_back(std::string(stem_of(command.output)) + ".d");
    for (const CompilerCommand::Input& input : command.inputs) {
      const std::string stem(stem_of(base_of(input.path)));
      command.dependency_files.push_back(stem + ".d");
      command.dependency_files.push_back("a-" + stem + ".d");
      if (!command.output.empty()) {
        command.dependency_files.push_back(command.output + "-" + stem + ".d");
        command.dependency_files.push_back(std::string(stem_of(command.output)) + "-" + stem + ".d");
      }
    }
  }
  return command;
}

std::string apply_maps(const CompilerCommand& command, const std::string& path, bool macros) {
  for (auto map = command.prefix_maps.rbegin(); map != command.prefix_maps.rend(); ++map)
    if ((macros ? map->macros : map->debug) && path.starts_with(map->from))
      return map->to + path.substr(map->from.size());
  return path;
}

bool sets_debug_level(std::string_view option) {
  constexpr std::string_view begin[] = {"-ggdb", "-gdwarf", "-gstabs", "-gsplit", "-gbtf",
                                        "-gctf", "-gvms",   "-gxcoff", "-gline"};
  return option == "-g" || (option.size() == 3 && option.starts_with("-g") && option[2] >= '0' && option[2] <= '3') ||
         std::ranges::any_of(begin, [option](std::string_view one) { return option.starts_with(one); });
}

std::vector<std::size_t> forced_words(const CompilerCommand& command) {
  std::vector<std::size_t> words;
  for (std::size_t i = command.compiler_words; i + 1 < command.words.size(); ++i)
    if (command.words[i] == "-include" && command.words[i - 1] != "-Xclang" && command.words[i - 1] != "-Xpreprocessor")
      words.push_back(i + 1);
  return words;
}

std::vector<std::string> without_outputs(const std::vector<std::string>& words) {
  constexpr std::string_view with_value[] = {"-o", "-MF", "-MT", "-MQ", "-MJ"};
  constexpr std::string_view stages[] = {"-c", "-S", "-E", "-fsyntax-only"};
  std::vector<std::string> kept;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (std::ranges::find(with_value, word) != std::end(with_value)) ++i; // and its value
    else if (!word.starts_with("-o") && !word.starts_with("-M") && !word.starts_with("-save-temps") &&
             std::ranges::find(stages, word) == std::end(stages))
      kept.push_back(word);
  }
  return kept;
}

} // namespace andes::preprocessor
