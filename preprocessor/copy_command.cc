// Flags are added before the `--` of the command, or at its end: what the user says of maps and colours stands before.
#include "preprocessor/copy_command.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>

#include <unistd.h>

#include <fmt/core.h>

#include "preprocessor/fortran_probes.h"
#include "preprocessor/preamble.h"

namespace andes::preprocessor {
namespace {

using Words = std::vector<std::string>;

bool has_word(const CompilerCommand& command, const char* word) {
  return std::ranges::find(command.words, word) != command.words.end();
}

/// Whether GCC warns of unused constants, but not of those in headers. It takes for a header what lies in a file of
/// another name than that in the command, by #line: of a copy everything.
bool warns_of_constants_of_sources(const Compilation& compilation) {
  const CompilerCommand& command = compilation.command;
  const auto has = [&](const char* word) { return has_word(command, word); };
  if (!compilation.is_gcc() || compilation.compiler.version < 6 || has("-w")) return false;
  if (has("-Wunused-const-variable=1")) return true;
  const bool is_c = std::ranges::any_of(command.inputs, [](const auto& one) { return one.language == Language::c; });
  return is_c && (has("-Wall") || has("-Wunused") || has("-Wunused-variable")) && !has("-Wno-unused") &&
         !has("-Wno-unused-variable") && !has("-Wno-unused-const-variable");
}

/// Words of the command, by their place in it, that are other ones for copies.
std::map<std::size_t, std::string> replacements(const Compilation& compilation, const CopySet& set) {
  std::map<std::size_t, std::string> replaced;
  for (std::size_t i = 0; i < set.units.size(); ++i) {
    const Copies& copies = set.units[i].copies;
    if (copies.files.empty()) continue;
    replaced.insert(copies.words.begin(), copies.words.end());
    replaced[compilation.units[i].input.word] = copies.files[0].path;
  }
  return replaced;
}

/// Maps from the paths of one source's copies to the names that the user's own maps give the files.
void add_prefix_maps(const Compilation& compilation, const std::string& source, const Copies& copies, Words& flags) {
  const CompilerCommand& command = compilation.command;
  const auto add = [&](const char* option, const std::string& path, const std::string& name, bool macros) {
    flags.push_back(fmt::format("{}={}={}", option, path, apply_maps(command, name, macros)));
  };
  const int newest_without = compilation.is_gcc() ? 7 : 9; // the last version without -fmacro-prefix-map
  const auto add_both = [&](const std::string& path, const std::string& name) {
    // Of those for macros GCC says that they are not for Fortran.
    if (compilation.plugin) return add("-ffile-prefix-map", path, name, false);
    add("-fdebug-prefix-map", path, name, false);
    if (compilation.compiler.version > newest_without) add("-fmacro-prefix-map", path, name, true);
  };
  add_both(copies.files[0].path, source);
  add_both(copies.preamble, probe_header());
  if (command.debugs_macros) // the only place where a #line does not count
    for (const Copy& copy : copies.files) add("-fdebug-prefix-map", copy.path, copy.name, false);
}

Words added_flags(const Compilation& compilation, const CopySet& set) {
  const CompilerCommand& command = compilation.command;
  Words flags;
  for (std::size_t i = 0; i < set.units.size(); ++i)
    if (!set.units[i].copies.files.empty())
      add_prefix_maps(compilation, compilation.units[i].input.path, set.units[i].copies, flags);
  const bool is_clang = compilation.compiler.family == Compiler::Family::clang;
  // Clang shortens __FILE__ by default where it has maps: only the user's own shall do that.
  if (is_clang && compilation.compiler.version >= 15 && !has_word(command, "-ffile-reproducible") &&
      std::ranges::none_of(command.prefix_maps, &CompilerCommand::PrefixMap::macros))
    flags.emplace_back("-fno-file-reproducible");
  if (command.link_time && is_clang) flags.emplace_back("-DANDES_LINK_TIME"); // probe.h says why
  if (command.link_time && compilation.is_gcc()) flags.emplace_back("-DANDES_NAMED_PERSONALITY"); // likewise
  if (has_word(command, "-masm=intel")) flags.emplace_back("-DANDES_PORTABLE"); // probe.h is in the other dialect
  if (compilation.plugin)
    flags.insert(flags.end(), compilation.plugin->flags().begin(), compilation.plugin->flags().end());
  // GCC takes no precompiled header that was made without debug information.
  const auto uses_precompiled = [](const UnitCopies& unit) { return unit.copies.use_precompiled; };
  if (!compilation.plugin && lacks_debug_information(command, compilation.compiler) &&
      std::ranges::none_of(set.units, uses_precompiled))
    flags.emplace_back(least_debug_information);
  if (set.variant.quiet) flags.emplace_back("-w");
  else if (warns_of_constants_of_sources(compilation)) flags.emplace_back("-Wunused-const-variable=2"); // messages.cc
  if (wants_colour(compilation)) flags.emplace_back("-fdiagnostics-color=always");
  return flags;
}

} // namespace

bool wants_colour(const Compilation& compilation) {
  const char* terminal = std::getenv("TERM");
  return !compilation.command.has_colour && isatty(STDERR_FILENO) && terminal && std::strcmp(terminal, "dumb") != 0 &&
         compilation.compiler.family != Compiler::Family::other;
}

std::vector<std::string> command_for(const Compilation& compilation, const CopySet& copies) {
  Words words = compilation.command.words;
  for (const auto& [place, path] : replacements(compilation, copies)) words[place] = path;
  const Words flags = added_flags(compilation, copies);
  words.insert(words.begin() + long(compilation.command.end_word), flags.begin(), flags.end());
  return words;
}

} // namespace andes::preprocessor
