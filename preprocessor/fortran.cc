// andes cc for a command with Fortran sources, which Clang does not read: the user's own command, with the plug-in that
// puts probes in, or with the compiler's hooks where there is none for the compiler (decision 248). Sources of C and
// C++ in the same command get their copies beside the plug-in. Where that fails, the command as written has the last
// word.
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include <fmt/core.h>
#include <fmt/format.h>

#include "common/message.h"
#include "common/write_all.h"
#include "preprocessor/attempts.h"
#include "preprocessor/commands.h"
#include "preprocessor/explain.h"
#include "preprocessor/fortran_probes.h"
#include "preprocessor/hooks.h"
#include "preprocessor/session.h"

namespace andes::preprocessor {

int compile_fortran(const CompilerCommand& command, const std::vector<std::string>& as_written, const Options& options,
                    const Selection& selection) {
  {
    const Plugin plugin(command, options, selection);
    if (!plugin.flags().empty() && !command.inputs.empty()) {
      Compilation compilation = read_compilation(command, as_written, options, selection);
      compilation.plugin = &plugin;
      return compile_by_attempts(compilation);
    }
    if (!plugin.flags().empty())
      if (const std::optional<Ended> ended = run_with_plugin(plugin, as_written, command)) return leave_as(*ended);
  }
  const Hooks hooks = hooks_for(command, selection);
  if (const std::optional<Ended> ended = run_with(hooks, as_written, command)) {
    if (ended->good()) {
      for (const std::string& remark : hooks.remarks) say("{}", remark);
      note_instrumented(command);
    }
    return leave_as(*ended);
  }
  const Ended plain = run(as_written);
  if (plain.good()) note_left(command, hooks.flags.empty() ? "not selected" : "it does not compile with hooks");
  if (plain.good() && !hooks.flags.empty())
    say("{}: not instrumented: {} does not compile it with -finstrument-functions; "
        "compiled unchanged",
        fmt::join(command.fortran, ", "), command.words[command.compiler_words - 1]);
  return leave_as(plain);
}

namespace {

/// Module files of the current directory with the names of those just written to `directory`: gfortran reads the
/// current directory before all others.
std::vector<std::string> hidden_modules(const std::string& directory) {
  std::vector<std::string> names;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(directory, none))
    if (const auto name = entry.path().filename(); name.extension() == ".mod" && std::filesystem::exists(name, none))
      names.push_back(name.string());
  std::sort(names.begin(), names.end());
  return names;
}

} // namespace

int explain_fortran(const std::string& file, const std::string& compiler, const std::vector<std::string>& flags,
                    const Options& options, const Selection& selection) {
  std::vector<std::string> words = {compiler};
  for (std::size_t i = 0; i < flags.size(); ++i) {
    // Module files are read where the user has them, and written elsewhere.
    if (flags[i] == "-J" && i + 1 < flags.size()) words.insert(words.end(), {"-I", flags[++i]});
    else words.push_back(flags[i].starts_with("-J") ? "-I" + flags[i].substr(2) : flags[i]);
  }
  words = without_outputs(words);
  words.push_back(file);
  const CompilerCommand command = read_command(words);
  const Plugin plugin(command, options, selection, true);
  if (plugin.flags().empty()) {
    say("{}: andes has no plug-in for {}, so its procedures get hooks; name a gfortran of the version of andes' own "
        "after --",
        file, compiler);
    return 2;
  }
  words.insert(words.begin() + 1, plugin.flags().begin(), plugin.flags().end());
  words.insert(words.begin() + 1, {"-I", plugin.directory()}); // before module files of the last build
  words.insert(words.end(), {"-c", "-J", plugin.directory(), "-o", plugin.directory() + "/object"});
  if (!run(words, "/dev/null").good()) {
    const std::vector<std::string> hidden = hidden_modules(plugin.directory());
    say("{}: {} does not compile it; give its compile flags after --{}", file, compiler,
        hidden.empty() ? "" : fmt::format(", and remove {} here, if older than the source", fmt::join(hidden, ", ")));
    return 2;
  }
  const PluginAnswer answer = plugin.answer();
  write_all(STDOUT_FILENO, table_of(answer.rows));
  for (const std::string& line : answer.lines) say("{}", line);
  return 0;
}

} // namespace andes::preprocessor
