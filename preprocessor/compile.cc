// andes cc: runs the user's compile command on instrumented copies, so that nobody can tell from
// its messages, its dependency files or its debug information.
//
// The command is the user's with the path of each source (and of headers that options include)
// replaced by that of its copy, and with prefix maps, so that debug information and __BASE_FILE__
// name the source. Copies stand in a private directory; which files they are, copies.h says. The
// compiler's messages are held back until it has succeeded: if it fails, the user's own command is
// run and speaks for itself. So it does where messages may be due to probes; the copies are then silent.
#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <set>

#include <unistd.h>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "postproc/launch/message.h"
#include "preprocessor/cache_key.h"
#include "preprocessor/commands.h"
#include "preprocessor/copies.h"
#include "preprocessor/decide_blocks.h"
#include "preprocessor/depfile.h"
#include "preprocessor/fortran_module.h"
#include "preprocessor/messages.h"
#include "preprocessor/options.h"
#include "preprocessor/hooks.h"
#include "preprocessor/parse.h"
#include "preprocessor/preamble.h"
#include "preprocessor/process.h"

namespace andes {
namespace {

/// A source of the command on its way to its copies.
struct Work {
  CompilerCommand::Input input;
  Source source;
  Copies copies;
  Decisions decisions{};
};

std::string without_dot(std::string path) {
  while (path.starts_with("./")) path.erase(0, 2);
  return path;
}

class Compilation {
public:
  Compilation(CompilerCommand command, Options options, Selection selection)
      : command_(std::move(command)), options_(std::move(options)),
        selection_(std::move(selection)),
        reading_(reading_of(options_, selection_)) {}

  /// Reads the sources with Clang.
  void read_sources() {
    for (const CompilerCommand::Input& input : command_.inputs) works_.push_back(read(input));
  }

  /// Compiles with copies, of headers too if `headers`. Nothing where no function has a probe. What
  /// succeeds but has_doubtful_messages has said nothing yet.
  std::optional<Ended> with_copies(Care care, bool headers) {
    const PrivateDirectory directory(purpose());
    trouble_.clear();
    doubtful_ = false;
    if (directory.path().empty()) {
      trouble_ = "no directory for its copy could be made; set TMPDIR to one that can be written";
      return std::nullopt;
    }
    if (!write_copies(directory.path(), care, headers)) return std::nullopt;
    const std::string out = directory.path() + "/out", err = directory.path() + "/err";
    const Ended ended = run(words(), out, err);
    if (!ended.good()) return ended;
    const std::string messages = silent_ ? "" : told(read_file(err).value_or(""));
    doubtful_ = depend_on_optimiser(messages);
    if (doubtful_) return ended;
    write_all(STDOUT_FILENO, told(read_file(out).value_or("")));
    write_all(STDERR_FILENO, messages);
    fix_dependency_files();
    return ended;
  }

  /// Whether what the last copies compiled to is good, but not what the compiler said of them.
  bool has_doubtful_messages() const { return doubtful_; }

  /// The next copies are compiled without warnings: the user's command has given its own.
  void be_silent() { silent_ = true; }

  /// Whether the last copies had probes in headers.
  bool had_headers() const { return had_headers_; }

  /// Whether leaving out blocks and lambdas that are constexpr by themselves gives another copy.
  bool has_another_try() const {
    return std::ranges::any_of(works_, [](const Work& work) {
      return usable(work) &&
             (std::ranges::any_of(work.source.functions, &Function::maybe_constant) ||
              std::ranges::any_of(work.decisions.blocks, &Decision::probe));
    });
  }

  /// After a success of the command: what was not instrumented, and why.
  void report(const std::string& why_no_copy) const {
    const std::string& why = trouble_.empty() ? why_no_copy : trouble_;
    for (const Work& work : works_) {
      for (const std::string& line : work.source.complaints) say(line);
      for (const std::string& line : unheeded_blocks(work.source, work.decisions)) say(line);
      if (!work.source.error.empty())
        say(fmt::format("{}: not instrumented: Clang cannot read it ({}); compiled unchanged",
                        work.input.path, work.source.error));
      else if (!why.empty())
        say(fmt::format("{}: not instrumented: {}", work.input.path, why));
      else if (!why_no_headers(work).empty())
        say(fmt::format("{}: instrumented without its headers: {}", work.input.path,
                        why_no_headers(work)));
    }
  }

  /// Whether Clang could not read a source.
  bool has_unreadable() const { return !std::ranges::all_of(works_, usable); }

  /// After a success of the command with hooks: why it is not probes. `failed_copy`: there were
  /// copies, which did not compile.
  void report_hooks(bool failed_copy) const {
    for (const Work& work : works_)
      say(fmt::format("{}: instrumented by the compiler's hooks: {}", work.input.path,
                      !usable(work) ? fmt::format("Clang cannot read it ({})", work.source.error)
                      : failed_copy ? "its instrumented copy does not compile"
                                    : "another source of its command needs them"));
  }

  /// The next copies are of sources alone.
  void leave_headers(const std::string& why) { headers_trouble_ = why; }

private:
  static bool usable(const Work& work) { return work.source.error.empty(); }

  std::string why_no_headers(const Work& work) const {
    if (!work.source.headers_error.empty())
      return fmt::format("Clang cannot read them ({})", work.source.headers_error);
    return work.copies.trouble.empty() ? headers_trouble_ : work.copies.trouble;
  }

  Work read(const CompilerCommand::Input& input) {
    Work work{input, {}, {}};
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(input.path, ignored)) {
      work.source.error = "no regular file";
      return work;
    }
    Compiler& compiler = compilers_[input.language];
    if (!compiler.asked) compiler = ask_compiler(command_, input.language);
    work.source = read_source(command_, compiler, input, reading_);
    return work;
  }

  /// The same for the same command in the same place: what a compiler cache behind `andes cc` is asked
  /// to compile must have the same name each time to be found.
  std::string purpose() const {
    std::error_code ignored;
    return fmt::format("{}\n{}", std::filesystem::current_path(ignored).string(), fmt::join(command_.words, "\n"));
  }

  /// Where no source could be read none was asked, and nothing hangs on its answer.
  const Compiler& compiler() const {
    static const Compiler not_asked;
    return compilers_.empty() ? not_asked : compilers_.begin()->second;
  }
  bool is_gcc() const { return compiler().family == Compiler::Family::gcc; }

  bool write_copies(const std::string& directory, Care care, bool headers) {
    std::size_t number = 0;
    const Forcing forcing{forced_words(command_), works_.size() == 1, is_gcc()};
    had_headers_ = false;
    for (Work& work : works_) {
      work.copies = {};
      if (!usable(work)) continue;
      work.decisions = decide_all(work.source, selection_, options_, care);
      const std::string root = fmt::format("{}/{}", directory, number);
      work.copies = copies_of(work.source, work.decisions, root, forcing, headers);
      if (work.copies.files.empty()) continue;
      ++number;
      had_headers_ = had_headers_ || work.copies.headers_have_probes;
      const std::string header = system_preamble(work.copies.tables);
      if (header.empty()) {
        trouble_ = fmt::format("{} cannot be read; install andes anew", probe_header());
        return false;
      }
      std::error_code error;
      std::filesystem::create_directories(
          std::filesystem::path(work.copies.files[0].path).parent_path() / "headers", error);
      bool good = write_file(work.copies.preamble, header);
      for (const Copy& copy : work.copies.files) {
        if (copy.link.empty())
          good = good && write_file(copy.path, copy.text);
        else
          std::filesystem::create_hard_link(copy.link, copy.path, error);
        good = good && !error;
      }
      if (!good) {
        trouble_ = fmt::format("its copy cannot be written to {}; make room there, or set TMPDIR",
                               directory);
        return false;
      }
    }
    return number > 0;
  }

  std::vector<std::string> words() const {
    std::map<std::size_t, std::string> replaced;
    std::vector<std::string> rest;
    const int newest_without = is_gcc() ? 7 : 9; // the last version without -fmacro-prefix-map
    for (const Work& work : works_) {
      if (work.copies.files.empty()) continue;
      replaced.insert(work.copies.words.begin(), work.copies.words.end());
      replaced[work.input.word] = work.copies.files[0].path;
      const auto map = [&](const std::string& from, const std::string& to) {
        rest.push_back(
            fmt::format("-fdebug-prefix-map={}={}", from, apply_maps(command_, to, false)));
        if (compiler().version > newest_without)
          rest.push_back(
              fmt::format("-fmacro-prefix-map={}={}", from, apply_maps(command_, to, true)));
      };
      map(work.copies.files[0].path, work.input.path);
      map(work.copies.preamble, probe_header());
      if (command_.debugs_macros) // the only place where a #line does not count
        for (const Copy& copy : work.copies.files)
          rest.push_back(fmt::format("-fdebug-prefix-map={}={}", copy.path,
                                     apply_maps(command_, copy.name, false)));
    }
    // Of itself Clang shortens __FILE__ where it has maps: only the user's own shall do that.
    const bool maps_macros = std::ranges::any_of(command_.prefix_maps, &CompilerCommand::PrefixMap::macros);
    if (compiler().family == Compiler::Family::clang && compiler().version >= 15 && !maps_macros &&
        std::ranges::find(command_.words, "-ffile-reproducible") == command_.words.end())
      rest.push_back("-fno-file-reproducible");
    if (command_.link_time && compiler().family == Compiler::Family::clang)
      rest.emplace_back("-DANDES_LINK_TIME"); // probe.h says why
    if (std::ranges::find(command_.words, "-masm=intel") != command_.words.end())
      rest.emplace_back("-DANDES_PORTABLE"); // probe.h is written in the other dialect
    if (silent_) rest.emplace_back("-w");
    const char* terminal = std::getenv("TERM");
    if (!command_.has_colour && isatty(STDERR_FILENO) && terminal &&
        std::strcmp(terminal, "dumb") != 0 && compiler().family != Compiler::Family::other)
      rest.push_back("-fdiagnostics-color=always"); // as it would choose if it saw the terminal

    std::vector<std::string> words;
    for (std::size_t i = 0; i <= command_.words.size(); ++i) {
      if (i == command_.end_word) words.insert(words.end(), rest.begin(), rest.end());
      if (i < command_.words.size())
        words.push_back(replaced.count(i) ? replaced[i] : command_.words[i]);
    }
    return words;
  }

  /// What the compiler said, in the user's names.
  std::string told(std::string text) const {
    std::map<std::string, std::string> names;
    for (const Work& work : works_) {
      for (const Copy& file : work.copies.originals) names[file.path] = file.name;
      for (const Copy& copy : work.copies.files) names[copy.path] = copy.name;
      if (!work.copies.files.empty()) names[work.copies.preamble] = "";
    }
    const bool named = std::ranges::any_of(names, [&](const auto& name) {
      return text.find(name.first) != std::string::npos;
    });
    return named ? fix_messages(std::move(text), names) : text;
  }

  /// A header is listed once, however often it is entered; GCC lists a source that includes itself
  /// twice, and a header once for each name it has.
  void fix_dependency_files() const {
    std::map<std::string, std::string> names;
    for (const Work& work : works_) {
      if (work.copies.files.empty()) continue;
      for (const Copy& file : work.copies.originals)
        names[file.path] =
            file.system && command_.user_dependencies ? "" : without_dot(file.name);
      std::set<std::string> listed;
      for (const Copy& copy : work.copies.files) {
        const bool source = &copy == &work.copies.files[0];
        const bool again = is_gcc() && !source && !listed.insert(copy.name).second;
        names[copy.path] =
            again || (copy.system && command_.user_dependencies) ? "" : without_dot(copy.name);
      }
      names[work.copies.preamble] = "";
    }
    for (const std::string& path : command_.dependency_files) {
      std::error_code ignored;
      if (!std::filesystem::is_regular_file(path, ignored)) continue;
      const std::string text = read_file(path).value_or("");
      const std::string fixed =
          fix_dependencies(text, names, is_gcc() ? DependencyStyle::gcc : DependencyStyle::clang);
      if (fixed != text && !write_file(path, fixed))
        say(fmt::format("{}: dependencies cannot be corrected ({}); they name copies of andes",
                        path, std::strerror(errno)));
    }
  }

  CompilerCommand command_;
  Options options_;
  Selection selection_;
  std::vector<Work> works_;
  Reading reading_;
  std::string trouble_;         // why no copy could be written
  std::string headers_trouble_; // why the last copies are of sources alone
  bool had_headers_ = false;
  bool doubtful_ = false; // see has_doubtful_messages
  bool silent_ = false;
  std::map<Language, Compiler> compilers_;
};

/// With probes where that can be done, else as written. Returns the exit status.
int compile_with_probes(const CompilerCommand& command, const std::vector<std::string>& as_written,
                     const Options& options, const Selection& selection) {
  if (!command.fortran.empty()) return compile_fortran(command, as_written, selection);
  Compilation compilation(command, options, selection);
  compilation.read_sources();
  const auto failed = [](const std::optional<Ended>& ended) {
    return ended && !ended->good() && !interrupted();
  };
  Care care = Care::normal;
  bool headers = true;
  std::optional<Ended> ended = compilation.with_copies(care, headers);
  bool told = false; // the user's command has given its messages
  // Whether it has nothing more to give: it failed.
  const auto speak_as_written = [&]() -> std::optional<Ended> {
    const PrivateDirectory output; // what goes to standard output is that of the copies
    const std::string out = output.path().empty() ? "" : output.path() + "/out";
    const Ended plain = run(as_written, out);
    if (!plain.good()) {
      write_all(STDOUT_FILENO, read_file(out).value_or(""));
      return plain;
    }
    told = true;
    compilation.be_silent();
    ended = compilation.with_copies(care, headers);
    return std::nullopt;
  };
  const auto in_doubt = [&] {
    return !told && !interrupted() &&
           (compilation.has_doubtful_messages() || (failed(ended) && command.warnings_are_errors));
  };
  if (in_doubt())
    if (const std::optional<Ended> plain = speak_as_written()) return leave_as(*plain);
  if (failed(ended) && compilation.has_another_try())
    ended = compilation.with_copies(care = Care::careful, headers);
  if (failed(ended) && compilation.had_headers()) {
    compilation.leave_headers("their copies do not compile");
    ended = compilation.with_copies(care, headers = false);
  }
  if (in_doubt())
    if (const std::optional<Ended> plain = speak_as_written()) return leave_as(*plain);
  if (ended && (ended->good() || interrupted())) {
    if (ended->good()) compilation.report("");
    return leave_as(*ended);
  }
  const bool failed_copy = ended.has_value();
  if (options.hooks && (failed_copy || compilation.has_unreadable())) {
    const Hooks hooks = hooks_for(command, selection);
    if (const std::optional<Ended> hooked = run_with(hooks, as_written, command)) {
      if (hooked->good()) {
        compilation.report_hooks(failed_copy);
        for (const std::string& remark : hooks.remarks) say(remark);
      }
      return leave_as(*hooked);
    }
  }
  const Ended plain = told ? run(as_written, "", "/dev/null") : run(as_written);
  if (plain.good())
    compilation.report(failed_copy ? "its instrumented copy does not compile; compiled unchanged"
                                   : "");
  return leave_as(plain);
}

} // namespace

int compile(const std::vector<std::string>& arguments) {
  const LeadingOptions leading = read_leading_options(arguments);
  if (leading.said.count("help")) {
    fmt::print("Usage: andes cc [OPTIONS] COMPILER ARGS...\n"
               "Runs the compile command on an instrumented copy of each C or C++ source in it; one "
               "with\nFortran sources it runs with the compiler's hooks.\n\n"
               "{}",
               options_help());
    return 0;
  }
  const std::size_t at = leading.words;
  if (at == arguments.size()) refuse("cc: no compiler given; write andes cc COMPILER ARGS");
  const Options options = read_options(leading.said, environ);
  const Selection selection = load_selection(options.select);
  offer_headers();
  CompilerCommand command = read_command({arguments.begin() + long(at), arguments.end()});
  if (!find_program(command.words[0])) {
    say(fmt::format("{}: no such compiler; check its name, or give its full path",
                    command.words[0]));
    return 2;
  }
  // The command itself stays as written: response files were read in for andes alone.
  const std::vector<std::string> users(arguments.begin() + long(at), arguments.end());
  std::optional<PrivateDirectory> module; // to the end of the command
  const std::vector<std::string> as_written = with_fortran_module(command, users, module);
  const bool nothing =
      command.fortran.empty() && std::ranges::all_of(command.inputs, [&](const auto& input) {
        return selects_nothing(
            selection, options.headers == Options::Headers::none ? input.path : std::string());
      });
  if (nothing && as_written != users) return leave_as(run(as_written));
  if (asks_for_cache_key(command))
    return answer_with_key(as_written, command, all_settings(leading.said, environ), selection);
  if (nothing || command.freestanding) {
    become(as_written);
    say(fmt::format("{}: cannot be started ({}); check its name", as_written[0],
                    std::strerror(errno)));
    return 2;
  }

  // Whatever is wrong with andes itself, the build is not to suffer from it.
  try {
    return compile_with_probes(command, as_written, options, selection);
  } catch (const std::exception& error) {
    say(fmt::format("{}: not instrumented: an internal error ({}); compiled unchanged; please report it",
                    command.words[0], error.what()));
  }
  return leave_as(run(as_written));
}

} // namespace andes
