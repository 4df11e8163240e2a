// Instrumenting by the compiler's own hooks (-finstrument-functions): used for Fortran, which Clang
// does not read, and on request for C and C++ that it cannot read. The compiler compiles the user's
// own files, with flags added behind its name; libandes.so gets the calls and finds the functions'
// names in the debug information (monitor/entries, monitor/finish).
//
// Invariants: one command is instrumented in one way, by probes or by hooks, so nothing counts
// twice; a rule of the selection that the compiler's flags cannot express is reported, never changed.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "preprocessor/command.h"
#include "preprocessor/process.h"
#include "preprocessor/selection.h"

namespace andes::preprocessor {

/// Flags to add to a command, and remarks for the user.
struct Hooks {
  std::vector<std::string> flags;   // empty: the selection leaves nothing to instrument
  std::vector<std::string> remarks; // one line each: rules that cannot be applied
};

/// The flags with which the compiler of `command` instruments its sources according to `selection`.
/// Where rules name functions, gfortran is asked for the procedures of each Fortran source.
Hooks hooks_for(const CompilerCommand& command, const Selection& selection);

/// Runs the command with the flags of `hooks` behind the compiler's name. The compiler's output is passed on if the
/// command succeeds (or is interrupted), but no messages if `quiet`. Returns nothing, and prints nothing, if there are
/// no flags, if the compiler fails, or if it does not know the flags: then the command is run as written.
std::optional<Ended> run_with(const Hooks& hooks, const std::vector<std::string>& as_written,
                              const CompilerCommand& command, bool quiet = false);

/// A procedure of a Fortran source: `shapes::total::inner`, and the last part, which is what
/// gfortran compares with -finstrument-functions-exclude-function-list.
struct Procedure {
  std::string name, own;
};

/// Procedures in what gfortran prints for -fdump-fortran-original, in its order.
std::vector<Procedure> read_procedures(std::string_view dump);

/// The names to exclude so that of `procedures` those that `selection` excludes get no hooks. The
/// compiler leaves out each procedure whose name *contains* one of them: a procedure that cannot be
/// left out without another that the selection keeps goes to `impossible`, by its full name.
std::vector<std::string> names_to_exclude(const std::vector<Procedure>& procedures, const Selection& selection,
                                          std::vector<std::string>& impossible);

} // namespace andes::preprocessor
