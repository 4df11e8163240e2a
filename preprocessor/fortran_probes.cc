// As with copies of C (attempts.h), messages that may be due to probes are replaced by those of the command as written,
// which is run for them (decision 12).
#include "preprocessor/fortran_probes.h"

#include <algorithm>
#include <filesystem>

#include <unistd.h>

#include <fmt/core.h>

#include "common/write_all.h"
#include "preprocessor/compiler.h"
#include "preprocessor/fortran_module.h"
#include "preprocessor/messages.h"
#include "preprocessor/plugin/request.h"
#include "preprocessor/session.h"

namespace andes::preprocessor {
namespace {

/// The user's rules for the names that the compiler has, which are in small letters; nothing of andes' own module.
Selection rules_for_fortran(Selection selection) {
  for (SelectionRule& rule : selection.rules)
    if (!rule.of_file && !rule.mangled)
      std::ranges::transform(rule.pattern, rule.pattern.begin(),
                             [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; });
  selection.rules.push_back({false, true, "*/andes.f90"});
  return selection;
}

struct Said {
  Ended ended;
  std::string out, err;
};

Said run_quietly(const std::vector<std::string>& words, const std::string& directory,
                 const std::vector<std::string>& environment) {
  const std::string out = directory + "/out", err = directory + "/err";
  const Ended ended = run(words, out, err, environment);
  return {ended, read_file(out).value_or(""), read_file(err).value_or("")};
}

} // namespace

std::string plugin_for(const CompilerCommand& command) {
  if (!command.inputs.empty()) return "";
  const Compiler compiler = ask_compiler(command, Language::c);
  if (!compiler.asked || compiler.family != Compiler::Family::gcc) return "";
  std::error_code error;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  const std::filesystem::path plugin =
      (self.parent_path() / ANDES_TO_LIBRARIES / fmt::format("andes_gcc_{}.so", compiler.version)).lexically_normal();
  return std::filesystem::exists(plugin, error) ? plugin.string() : "";
}

std::optional<Ended> run_with_plugin(const std::string& plugin, const std::vector<std::string>& as_written,
                                     const CompilerCommand& command, const Selection& selection) {
  const PrivateDirectory directory;
  const std::string request = directory.path() + "/request";
  if (directory.path().empty() || !write_file(request, plugin::text_of({rules_for_fortran(selection)})))
    return std::nullopt;
  const std::vector<std::string> environment = {fmt::format("{}={}", plugin::request_variable, request)};
  std::vector<std::string> words = as_written, added = {"-fplugin=" + plugin};
  // Parallel regions have no probes here: the monitor names them by the address of their code. Flags of the user win.
  if (std::ranges::find(command.words, "-fopenmp") != command.words.end()) added.emplace_back("-g");
  words.insert(words.begin() + long(std::min(command.compiler_words, words.size())), added.begin(), added.end());
  const Said said = run_quietly(words, directory.path(), environment);
  const bool in_doubt = said.ended.good() ? depend_on_optimiser(said.err) : command.warnings_are_errors;
  if (interrupted()) return said.ended;
  if (!in_doubt) {
    if (!said.ended.good()) return std::nullopt;
    write_all(STDOUT_FILENO, said.out);
    write_all(STDERR_FILENO, said.err);
    note_instrumented(command);
    return said.ended;
  }
  const Said plain = run_quietly(as_written, directory.path(), {});
  write_all(STDERR_FILENO, plain.err);
  if (!plain.ended.good() || interrupted()) {
    write_all(STDOUT_FILENO, plain.out);
    return plain.ended;
  }
  words.insert(words.begin() + long(std::min(command.compiler_words, words.size())), "-w");
  const Said quiet = run_quietly(words, directory.path(), environment);
  // What the command as written has compiled is gone where this fails.
  if (quiet.ended.good()) note_instrumented(command);
  else note_left(command, "the compiler fails with the plug-in");
  const Said& last = quiet.ended.good() ? quiet : run_quietly(as_written, directory.path(), {});
  write_all(STDOUT_FILENO, last.out);
  return last.ended;
}

} // namespace andes::preprocessor
