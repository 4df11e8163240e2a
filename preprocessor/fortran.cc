// andes cc for a command with Fortran sources, which Clang does not read: the user's own command, with the plug-in
// that puts probes in, or with the compiler's hooks where there is none for the compiler (decision 248). Where that
// fails, the command as written has the last word.
#include <fmt/core.h>
#include <fmt/format.h>

#include "common/message.h"
#include "preprocessor/commands.h"
#include "preprocessor/fortran_probes.h"
#include "preprocessor/hooks.h"
#include "preprocessor/session.h"

namespace andes::preprocessor {

int compile_fortran(const CompilerCommand& command, const std::vector<std::string>& as_written,
                    const Selection& selection) {
  const std::string plugin = plugin_for(command);
  if (!plugin.empty())
    if (const std::optional<Ended> ended = run_with_plugin(plugin, as_written, command, selection))
      return leave_as(*ended);
  const Hooks hooks = hooks_for(command, selection);
  if (const std::optional<Ended> ended = run_with(hooks, as_written, command)) {
    if (ended->good()) {
      for (const std::string& remark : hooks.remarks) say("{}", remark);
      note_instrumented(command);
    }
    return leave_as(*ended);
  }
  const Ended plain = run(as_written);
  if (plain.good()) note_left(command, hooks.flags.empty() ? "not selected" : "the compiler has no hooks");
  if (plain.good() && !hooks.flags.empty())
    say("{}: not instrumented: {} does not compile it with -finstrument-functions; "
        "compiled unchanged",
        fmt::join(command.fortran, ", "), command.words[command.compiler_words - 1]);
  return leave_as(plain);
}

} // namespace andes::preprocessor
