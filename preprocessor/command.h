// Reads the parts of a compiler's command line that andes needs: the C, C++ or Fortran sources that
// are compiled, the places of dependency files, and the flags that change the meaning of a source.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "common/compiler_words.h"

namespace andes::preprocessor {

enum class Language { c, cxx };

struct CompilerCommand {
  struct Input {
    std::size_t word = 0; // index into `words`
    std::string path;
    Language language = Language::c;
  };
  struct PrefixMap {
    bool macros = false, debug = false; // where it applies
    std::string from, to;
  };

  std::vector<std::string> words;       // the compiler first; response files read in
  std::size_t compiler_words = 1;       // 2 for `ccache gcc`
  std::vector<Input> inputs;            // C and C++ sources
  std::vector<std::string> fortran;     // Fortran sources; with no sources at all andes has nothing to do
  std::vector<std::string> preprocessed; // sources that have gone through the preprocessor: they stay as they are
  std::string output;                   // of -o; empty without
  std::size_t end_word = 0;             // other flags for a copy go before this word
  std::vector<std::string> parse_flags; // flags that change how the source is parsed
  std::vector<std::string> query_flags; // flags that change the compiler's own directories and macros
  std::vector<std::string> dependency_files; // where dependencies may have been written
  std::vector<PrefixMap> prefix_maps;        // of the user, in order
  bool user_dependencies = false;            // dependencies leave out system headers (-MMD)
  bool debugs_macros = false;                // debug information has macros (-g3)
  bool has_standard = false;                 // -std or -ansi was given
  bool has_colour = false;                   // a choice of colours was given
  bool warnings_are_errors = false;          // -Werror or -Werror=... was given
  bool link_time = false;                    // -flto was given
  bool has_debug_level = false;              // -g, -g0 or similar was given
  bool header_apart = false; // parse_flags has another header than -include does: precompiled.h
  const char* unmeasurable = nullptr; // why probes cannot work in what the command makes; null: they can
};

/// Never fails: unknown words are left to the compiler. `directory` is where the command runs: in some, build systems
/// ask what the compiler can.
CompilerCommand read_command(std::vector<std::string> words, const std::string& directory = "");

/// What the command asks for as a whole.
CompilerRequest request_of(const std::vector<std::string>& words, const std::string& directory);

/// Sorts plain flags (of `andes instrument`) as read_command does.
void sort_flags(const std::vector<std::string>& flags, CompilerCommand& command);

/// `path` as the user's prefix maps name it: those of macros, or of debug information.
std::string apply_maps(const CompilerCommand& command, const std::string& path, bool macros);

/// Whether the option says how much debug information there shall be.
bool sets_debug_level(std::string_view option);

/// The option that is added where nobody says anything of debug information (docs/decisions/0326): it tells what the
/// compiler has inlined where, and takes hardly any time, where -g takes a third of the compiler's.
inline constexpr const char* least_debug_information = "-g1";

/// Indices in `command.words` of the values of -include.
std::vector<std::size_t> forced_words(const CompilerCommand& command);

/// Words of a command without those about its outputs: output names, dependency files, the stage to stop
/// after.
std::vector<std::string> without_outputs(const std::vector<std::string>& words);

/// The language of a file by its name; false if it is neither C nor C++ source.
bool language_of(const std::string& path, Language& language);

} // namespace andes::preprocessor
