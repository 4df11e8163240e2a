#include "preprocessor/messages_command.h"

#include <algorithm>
#include <string_view>

#include "preprocessor/copy_command.h"
#include "preprocessor/kept_object.h"
#include "preprocessor/messages.h"

namespace andes::preprocessor {
namespace {

/// Words with which a command says or writes more than the passes over trees and the dependency file of -MD. GCC gives
/// the last four warnings behind those passes.
bool needs_whole_command(std::string_view word) {
  constexpr std::string_view begin[] = {"-v",
                                        "-Q",
                                        "-time",
                                        "-fmem-report",
                                        "-fpre-ipa-mem-report",
                                        "-fpost-ipa-mem-report",
                                        "-fplugin",
                                        "-fcompare-debug",
                                        "-wrapper",
                                        "-Xpreprocessor",
                                        "-Wstack-usage",
                                        "-Wframe-larger-than",
                                        "-Wdisabled-optimization",
                                        "-Wunsafe-loop-optimizations"};
  return std::ranges::any_of(begin, [word](std::string_view one) { return word.starts_with(one); }) ||
         (word.starts_with("-Wp,") && word.find(",-M") != word.npos);
}

/// The words without files for the linker, of which GCC says that it does not use them where it is not to link.
std::vector<std::string> without_linked_files(const CompilerCommand& command) {
  std::vector<std::string> kept;
  for (std::size_t i = 0; i < command.words.size(); ++i) {
    const std::string& word = command.words[i];
    const bool is_file = i >= command.compiler_words && !word.starts_with('-') && i != command.inputs[0].word;
    if (!is_file) kept.push_back(word);
    if (takes_next_word(word) && i + 1 < command.words.size()) kept.push_back(command.words[++i]);
  }
  return kept;
}

/// Whether the linker says something, which only a command that links says again.
bool come_from_linker(std::string_view messages) {
  constexpr std::string_view names[] = {"ld: ", "ld.gold: ", "ld.bfd: ", "ld.lld: ", "collect2: "};
  return std::ranges::any_of(names, [messages](std::string_view one) { return messages.find(one) != messages.npos; });
}

} // namespace

std::optional<std::vector<std::string>> messages_command(const Compilation& compilation, const std::string& of_copies,
                                                         const std::string& out) {
  const CompilerCommand& command = compilation.command;
  if (!compilation.is_gcc() || command.link_time || !command.fortran.empty() || !compiles_one_source(command) ||
      std::ranges::any_of(command.words, needs_whole_command) || come_from_code_generation(of_copies) ||
      come_from_linker(of_copies))
    return std::nullopt;
  std::vector<std::string> words = without_outputs(without_linked_files(command)), flags{"-S", "-o", out, "-g0", "-dx"};
  if (wants_colour(compilation)) flags.emplace_back("-fdiagnostics-color=always");
  words.insert(std::ranges::find(words, "--"), flags.begin(), flags.end());
  return words;
}

} // namespace andes::preprocessor
