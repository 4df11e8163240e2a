// andes cc: runs the user's compile command on instrumented copies, so that nobody can tell from its messages, its
// dependency files or its debug information.
//
// Here is decided which commands that concerns. What compiles nothing, or nothing that can have a probe, becomes the
// user's command at once; questions of a compiler cache are answered (cache_key.h); commands with Fortran get probes
// by a plug-in, or hooks (fortran.cc), all others what attempts.h brings about. Copies stand in a private directory;
// which files they are, copies.h says.
//
// Invariant: whatever is wrong with andes itself, the build is not to suffer from it.
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>

#include <unistd.h>

#include <fmt/core.h>

#include "common/message.h"
#include "common/private_directory.h"
#include "preprocessor/archived_mpi.h"
#include "preprocessor/attempts.h"
#include "preprocessor/build_stamp.h"
#include "preprocessor/cache_key.h"
#include "preprocessor/commands.h"
#include "preprocessor/compilation.h"
#include "preprocessor/fortran_module.h"
#include "preprocessor/options.h"
#include "preprocessor/precompiled.h"
#include "preprocessor/process.h"
#include "preprocessor/session.h"

namespace andes::preprocessor {
namespace {

void print_help() {
  fmt::print("Usage: andes cc [OPTIONS] COMPILER ARGS...\n"
             "Runs the compile command on an instrumented copy of each C or C++ source in it.\nFortran sources get "
             "probes by a plug-in for gfortran, or the compiler's hooks.\n\n"
             "{}",
             options_help());
}

/// Whether there is no source, or none that can have a probe.
bool has_nothing_to_instrument(const CompilerCommand& command, const Options& options, const Selection& selection) {
  return command.fortran.empty() && std::ranges::all_of(command.inputs, [&](const CompilerCommand::Input& input) {
           const bool source_alone = options.headers == Options::Headers::none;
           return selects_nothing(selection, source_alone ? input.path : std::string());
         });
}

/// Becomes the command. Returns the exit status of andes if it cannot be started.
int become_command(const std::vector<std::string>& words) {
  become(words);
  say("{}: cannot be started ({}); check its name", words[0], std::strerror(errno));
  return 2;
}

/// With probes or hooks where that can be done, else as written. Returns the exit status.
int compile_instrumented(const CompilerCommand& command, const std::vector<std::string>& as_written,
                         const Options& options, const Selection& selection) try {
  if (!command.fortran.empty()) return compile_fortran(command, as_written, options, selection);
  return compile_by_attempts(read_compilation(command, as_written, options, selection));
} catch (const std::exception& error) {
  say("{}: not instrumented: an internal error ({}); compiled unchanged; please report it", command.words[0],
      error.what());
  return leave_as(run(as_written));
}

/// Makes the program that `as_written` has linked once more, if it has MPI in it: with what makes its calls measurable.
/// Where that fails, it is made as before. Returns the exit status.
template <class CarryOut>
int link_archived_mpi(const CompilerCommand& command, const std::vector<std::string>& as_written,
                      const CarryOut& carry_out) {
  const PrivateDirectory place;
  const std::string program = command.output.empty() ? "a.out" : command.output;
  auto words = link_for_archived_mpi(as_written, command.compiler_words, program, place.path());
  if (!words) return 0;
  const std::string said = place.path() + "/said";
  std::optional<KeptMessages> kept(std::in_place, said); // all that concerns the user was said before
  const bool linked = carry_out(*words) == 0;
  const int status = linked ? 0 : carry_out(as_written);
  kept.reset();
  if (linked && links_statically(as_written))
    say("{}: linked with the shared C library, since its MPI is measured, and no monitor can be loaded into a static "
        "program",
        program);
  if (linked) return 0;
  const std::string reason = read_file(said).value_or("");
  say("{}: its MPI is linked from archives, and the link with which it can be measured failed ({}); link it with the "
      "shared library of MPI, or MPI will not be measured",
      program, reason.substr(0, reason.find('\n')));
  return status;
}

} // namespace

int compile(const std::vector<std::string>& arguments) {
  const LeadingOptions leading = read_leading_options(arguments);
  if (leading.said.count("help")) {
    print_help();
    return 0;
  }
  if (leading.words == arguments.size()) refuse("cc", "no compiler given", "write andes cc COMPILER ARGS");
  const std::vector<std::string> users(arguments.begin() + long(leading.words), arguments.end());
  const Options options = read_options(leading.said, environ);
  const Selection selection = load_selection(options.select);
  leave_session();
  offer_headers();
  std::error_code ignored;
  const std::string directory = std::filesystem::current_path(ignored).string();
  CompilerCommand command = read_command(users, directory);
  if (!find_program(command.words[0])) {
    say("{}: no such compiler; check its name, or give its full path", command.words[0]);
    return 2;
  }
  std::optional<PrivateDirectory> module, stamp, dependencies; // to the end of the command
  // The command itself stays as written: response files were read in for andes alone.
  std::vector<std::string> as_written = with_fortran_module(command, users, module);
  as_written = with_stamp(command, as_written, session_record(), stamp);
  as_written = with_dependencies(command, std::move(as_written), dependencies);
  if (as_written != users) command = read_command(as_written, directory);
  const bool nothing = has_nothing_to_instrument(command, options, selection);
  note_link(command.words);
  for (const std::string& source : command.preprocessed) note_left(source, "preprocessed before");
  if (nothing) note_left(command, "not selected");
  else if (command.unmeasurable) note_left(command, command.unmeasurable);
  if (as_written == users || !nothing) {
    if (asks_for_cache_key(command))
      return answer_with_key(as_written, command, all_settings(leading.said, environ), selection);
    if (nothing || command.unmeasurable) return become_command(as_written);
  }
  const auto carry_out = [&](const std::vector<std::string>& words) {
    return nothing ? leave_as(run(words))
                   : compile_instrumented(read_command(words, directory), words, options, selection);
  };
  const int status = carry_out(as_written);
  if (status == 0 && stamp && request_of(as_written, directory).links)
    return link_archived_mpi(command, as_written, carry_out);
  return status;
}

} // namespace andes::preprocessor
