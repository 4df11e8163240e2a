// The list at the end of this file is the order. Above it stand the attempts, each a function from what has come of the
// command so far to what has come of it then, and the conditions under which they are due.
//
// What the compiler says of copies is held back until it has compiled them; if it does not, another attempt has the
// word, at last the command as written. Where messages may be due to probes, the command as written is run earlier, for
// its messages, if possible only as far as it says something (decision 12); whatever is compiled after it is quiet.
#include "preprocessor/attempts.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include <unistd.h>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "common/message.h"
#include "common/private_directory.h"
#include "common/write_all.h"
#include "preprocessor/commands.h"
#include "preprocessor/copy_command.h"
#include "preprocessor/copy_set.h"
#include "preprocessor/copy_traces.h"
#include "preprocessor/fortran_probes.h"
#include "preprocessor/hooks.h"
#include "preprocessor/kept_object.h"
#include "preprocessor/messages.h"
#include "preprocessor/messages_command.h"
#include "preprocessor/not_instrumented.h"
#include "preprocessor/process.h"
#include "preprocessor/session.h"

namespace andes::preprocessor {
namespace {

/// What has come of the command so far.
struct Outcome {
  enum class Result {
    nothing, // no copies to compile: the compiler was not run
    failed, // copies do not compile; nothing was passed on
    doubtful, // copies compile, but messages may be due to probes; nothing was passed on
    told, // the command as written compiles, and its messages were passed on
    ended, // the command has ended, well or not: all was passed on
  };
  Result result = Result::nothing;
  Ended ended{}; // the compiler's last run
  CopySet copies{}; // the last ones
  std::optional<KeptObject> object{}; // doubtful, told: what the copies have become
  std::string output{}; // the same: what the compiler has written to standard output
  std::string messages{}; // failed, doubtful: of the copies
};
using Result = Outcome::Result;

/// The same for the same command in the same place: what a compiler cache behind `andes cc` is asked to compile must
/// have the same name each time to be found.
std::string purpose_of(const CompilerCommand& command) {
  std::error_code ignored;
  return fmt::format("{}\n{}", std::filesystem::current_path(ignored).string(), fmt::join(command.words, "\n"));
}

/// Copies have become objects.
Outcome instrumented(const Compilation& compilation, const Ended& ended, CopySet copies) {
  report_missing_probes(compilation, copies);
  if (compilation.plugin) compilation.plugin->report(compilation.command);
  return {Result::ended, ended, std::move(copies)};
}

Outcome compile_copies(const Compilation& compilation, const CopyVariant& variant) {
  const PrivateDirectory directory(purpose_of(compilation.command));
  CopySet copies = write_copies(compilation, variant, directory.path());
  if (!copies.written()) return {Result::nothing, {}, std::move(copies)};
  const std::string out = directory.path() + "/out", err = directory.path() + "/err";
  const Ended ended = run(command_for(compilation, copies), out, err);
  const std::string messages = variant.quiet ? "" : in_users_names(read_file(err).value_or(""), copies);
  if (!ended.good()) return {Result::failed, ended, std::move(copies), {}, {}, messages};
  const std::string output = in_users_names(read_file(out).value_or(""), copies);
  if (depend_on_optimiser(messages))
    return {Result::doubtful, ended, std::move(copies), object_made_by(compilation.command), output, messages};
  write_all(STDOUT_FILENO, output);
  write_all(STDERR_FILENO, messages);
  fix_dependency_files(compilation, copies);
  return instrumented(compilation, ended, std::move(copies));
}

// The attempts. Each is given what has come of those before it.

Outcome all_copies(const Compilation& compilation, Outcome&&) { return compile_copies(compilation, {}); }

/// The messages of the command as written, from a run that makes nothing. Nothing changes where that cannot be, or the
/// command fails: then it is to fail as a whole.
Outcome messages_alone(const Compilation& compilation, Outcome&& before) {
  const PrivateDirectory directory;
  const std::string& path = directory.path();
  const auto words = messages_command(compilation, before.messages, path + "/code");
  if (path.empty() || !words || !run(*words, "/dev/null", path + "/err").good()) return std::move(before);
  write_all(STDERR_FILENO, read_file(path + "/err").value_or(""));
  if (before.result == Result::failed) {
    before.result = Result::told;
    return std::move(before);
  }
  write_all(STDOUT_FILENO, before.output);
  fix_dependency_files(compilation, before.copies);
  return instrumented(compilation, before.ended, std::move(before.copies));
}

/// The object of the copies in the place of that which the command as written has made. Its dependency files stay.
Outcome object_of_copies(const Compilation& compilation, Outcome&& before) {
  if (!put_back(*before.object)) return std::move(before);
  write_all(STDOUT_FILENO, before.output);
  return instrumented(compilation, before.ended, std::move(before.copies));
}

/// The copies of the last attempt once more.
Outcome quiet_copies(const Compilation& compilation, Outcome&& before) {
  CopyVariant variant = before.copies.variant;
  variant.quiet = true;
  return compile_copies(compilation, variant);
}

/// Without probes in loops, constructs of OpenMP and lambdas that C++ makes constexpr by itself.
Outcome careful_copies(const Compilation& compilation, Outcome&& before) {
  CopyVariant variant = before.copies.variant;
  variant.care = Care::careful;
  return compile_copies(compilation, variant);
}

Outcome copies_of_sources_alone(const Compilation& compilation, Outcome&& before) {
  CopyVariant variant = before.copies.variant;
  variant.headers = false;
  return compile_copies(compilation, variant);
}

/// The command as written, for its messages and its verdict. Unless it fails, the object and what goes to standard
/// output are to be those of copies.
Outcome as_written_for_messages(const Compilation& compilation, Outcome&& before) {
  const PrivateDirectory directory;
  const std::string out = directory.path().empty() ? "" : directory.path() + "/out";
  before.ended = run(compilation.as_written, out);
  before.result = before.ended.good() ? Result::told : Result::ended;
  if (!before.ended.good()) write_all(STDOUT_FILENO, read_file(out).value_or(""));
  return before;
}

std::string why_no_copies(const Outcome& before) {
  return before.result == Result::failed ? "its instrumented copy does not compile; compiled unchanged"
                                         : before.copies.trouble;
}

/// Probes in the Fortran sources alone. Nothing changes where the compiler does not take the plug-in.
Outcome plugin_alone(const Compilation& compilation, Outcome&& before) {
  const std::optional<Ended> ended = run_with_plugin(*compilation.plugin, compilation.as_written, compilation.command);
  if (!ended) return before;
  if (ended->good()) report_missing_probes(compilation, before.copies, why_no_copies(before));
  return {Result::ended, *ended, std::move(before.copies)};
}

/// The compiler's hooks in the place of probes. Nothing changes where the compiler does not take them.
Outcome compilers_hooks(const Compilation& compilation, Outcome&& before) {
  const Hooks hooks = hooks_for(compilation.command, compilation.selection);
  const bool quiet = before.copies.variant.quiet;
  const std::optional<Ended> ended = run_with(hooks, compilation.as_written, compilation.command, quiet);
  if (!ended) return before;
  if (ended->good()) {
    report_hooks(compilation, before.result == Result::failed);
    for (const std::string& remark : hooks.remarks) say("{}", remark);
  }
  return {Result::ended, *ended, std::move(before.copies)};
}

Outcome as_written(const Compilation& compilation, Outcome&& before) {
  const Ended ended = run(compilation.as_written, "", before.copies.variant.quiet ? "/dev/null" : "");
  if (ended.good()) report_missing_probes(compilation, before.copies, why_no_copies(before));
  if (ended.good() && compilation.plugin) report_plugin_fails(compilation.command);
  return {Result::ended, ended, std::move(before.copies)};
}

// When an attempt is due, by what has come of those before it.

bool always(const Compilation&, const Outcome&) { return true; }

/// Messages may be due to probes, or so may be a warning that is an error.
bool in_doubt(const Compilation& compilation, const Outcome& before) {
  const bool by_warning = compilation.command.warnings_are_errors && !before.copies.variant.quiet;
  return before.result == Result::doubtful || (before.result == Result::failed && by_warning);
}

bool messages_were_told(const Compilation&, const Outcome& before) { return before.result == Result::told; }

bool messages_were_told_and_object_kept(const Compilation& compilation, const Outcome& before) {
  return messages_were_told(compilation, before) && before.object.has_value();
}

/// Copies do not compile, and careful ones have fewer probes.
bool failed_with_risky_probes(const Compilation& compilation, const Outcome& before) {
  if (before.result != Result::failed) return false;
  return std::ranges::any_of(compilation.units,
                             [](const TranslationUnit& unit) {
                               return unit.readable() &&
                                      std::ranges::any_of(unit.source.functions, &Function::maybe_constant);
                             }) ||
         std::ranges::any_of(before.copies.units, [](const UnitCopies& unit) {
           return std::ranges::any_of(unit.decisions.blocks, &Decision::probe);
         });
}

bool failed_with_probes_in_headers(const Compilation&, const Outcome& before) {
  return before.result == Result::failed && before.copies.headers_have_probes();
}

bool has_plugin(const Compilation& compilation, const Outcome&) { return compilation.plugin != nullptr; }

/// Hooks are wanted where copies do not compile, or Clang cannot read a source and no other has probes.
bool hooks_may_do(const Compilation& compilation, const Outcome& before) {
  return (compilation.options.hooks || compilation.plugin) &&
         (before.result == Result::failed || !std::ranges::all_of(compilation.units, &TranslationUnit::readable));
}

struct Attempt {
  Outcome (*make)(const Compilation&, Outcome&& before);
  bool (*is_due)(const Compilation&, const Outcome& before);
};

/// All attempts, in their order. The first that ends the command is the last one made.
constexpr Attempt attempts[] = {
    {all_copies, always},
    {messages_alone, in_doubt},
    {as_written_for_messages, in_doubt},
    {object_of_copies, messages_were_told_and_object_kept},
    {quiet_copies, messages_were_told},
    {careful_copies, failed_with_risky_probes},
    {copies_of_sources_alone, failed_with_probes_in_headers},
    // What compiled only now may have doubtful messages, too.
    {messages_alone, in_doubt},
    {as_written_for_messages, in_doubt},
    {object_of_copies, messages_were_told_and_object_kept},
    {quiet_copies, messages_were_told},
    {plugin_alone, has_plugin},
    {compilers_hooks, hooks_may_do},
    {as_written, always},
};

} // namespace

int compile_by_attempts(const Compilation& compilation) {
  Outcome outcome;
  for (const auto& [make, is_due] : attempts) {
    if (outcome.result == Result::ended || interrupted()) break;
    if (is_due(compilation, outcome)) outcome = make(compilation, std::move(outcome));
  }
  return leave_as(outcome.ended);
}

} // namespace andes::preprocessor
