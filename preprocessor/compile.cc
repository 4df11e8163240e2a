// andes cc: runs the user's compile command on instrumented copies, so that nobody can tell from
// its messages, its dependency files or its debug information.
//
// A copy has the source's base name and stands in a private directory; the command is the user's
// with the path replaced, and with
//   -iquote DIR           so that #include "..." finds what stands beside the source,
//   -f...-prefix-map=...  so that debug information and __BASE_FILE__ name the source.
// The compiler's messages are held back until it has succeeded: if it fails, the user's own command
// is run and speaks for itself.
#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>

#include <unistd.h>

#include <fmt/core.h>

#include "postproc/launch/message.h"
#include "preprocessor/commands.h"
#include "preprocessor/decide.h"
#include "preprocessor/depfile.h"
#include "preprocessor/edit.h"
#include "preprocessor/options.h"
#include "preprocessor/parse.h"
#include "preprocessor/preamble.h"
#include "preprocessor/process.h"

namespace andes {
namespace {

/// A source of the command on its way to a copy.
struct Work {
  Command::Input input;
  std::string text;
  Source source;
  std::string directory; // of the source as the compiler names it; "." if it has none
  std::string why_not;   // no copy of this one
};

/// A copy, once written.
struct Copy {
  const Work* work = nullptr;
  std::string path, header;
};

std::string directory_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
}

std::string without_dot(std::string path) {
  while (path.starts_with("./")) path.erase(0, 2);
  return path;
}

/// An -iquote DIR changes what a header outside DIR finds if DIR has a file of that name. Returns
/// the name that would be found wrongly.
std::string misled(const Work& work, const std::vector<std::string>& directories) {
  std::error_code ignored;
  const auto stands_in = [&](const std::string& directory, const std::string& name) {
    return std::filesystem::exists(directory + "/" + name, ignored);
  };
  for (const Lookup& lookup : work.source.lookups)
    for (const std::string& directory : directories) {
      if (lookup.by_main_file && directory == work.directory) continue;
      if (stands_in(directory, lookup.name) &&
          !std::filesystem::equivalent(directory + "/" + lookup.name, lookup.found, ignored))
        return lookup.name;
    }
  for (const std::string& name : work.source.includes)
    for (const std::string& directory : directories) {
      if (directory == work.directory) break; // found here, and first
      if (stands_in(directory, name)) return name;
    }
  return "";
}

/// Subdirectories that put a copy so deep that none of its #include "../.." leads out of the
/// private directory, where anything may stand.
std::string below(const Work& work) {
  const auto ups = [](const std::string& name) {
    return std::ranges::count(std::filesystem::path(name), std::filesystem::path(".."));
  };
  std::ptrdiff_t depth = 0;
  for (const std::string& name : work.source.includes) depth = std::max(depth, ups(name));
  for (const Lookup& lookup : work.source.lookups) depth = std::max(depth, ups(lookup.name));
  std::string path;
  for (; depth > 0; --depth) path += "/d";
  return path;
}

std::string apply_maps(const Command& command, const std::string& path, bool macros) {
  for (auto map = command.prefix_maps.rbegin(); map != command.prefix_maps.rend(); ++map)
    if ((macros ? map->macros : map->debug) && path.starts_with(map->from))
      return map->to + path.substr(map->from.size());
  return path;
}

/// Replaces `from` by `to` in a compiler's messages, where `from` begins a path.
void replace_path(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at)) {
    const char before = at ? text[at - 1] : ' ';
    const bool inside =
        std::isalnum(static_cast<unsigned char>(before)) || std::strchr("/._-", before);
    if (inside)
      at += from.size();
    else {
      text.replace(at, from.size(), to);
      at += to.size();
    }
  }
}

class Compilation {
public:
  Compilation(Command command, Selection selection)
      : command_(std::move(command)), selection_(std::move(selection)) {}

  /// Reads the sources; afterwards each has functions or a reason.
  void read_sources() {
    for (const Command::Input& input : command_.inputs) works_.push_back(read(input));
    std::vector<std::string> directories;
    for (const Work& work : works_)
      if (std::ranges::find(directories, work.directory) == directories.end())
        directories.push_back(work.directory);
    for (Work& work : works_) {
      if (!work.why_not.empty() || !work.source.error.empty()) continue;
      const std::string name = misled(work, directories);
      if (!name.empty())
        work.why_not = fmt::format(
            "a copy of it would find another {} than the one included; rename one of them", name);
    }
  }

  /// Compiles with copies. Nothing where no function has a probe.
  std::optional<Ended> with_copies(Care care) {
    const PrivateDirectory directory;
    trouble_.clear();
    if (directory.path().empty()) {
      trouble_ = "no directory for its copy could be made; set TMPDIR to one that can be written";
      return std::nullopt;
    }
    const std::vector<Copy> copies = write_copies(directory.path(), care);
    if (copies.empty()) return std::nullopt;
    const std::string out = directory.path() + "/out", err = directory.path() + "/err";
    const Ended ended = run(words_for(copies), out, err);
    if (!ended.good()) return ended;
    write_all(STDOUT_FILENO, told(read_file(out).value_or(""), copies));
    write_all(STDERR_FILENO, told(read_file(err).value_or(""), copies));
    fix_dependency_files(copies);
    return ended;
  }

  /// Whether leaving out lambdas that are constexpr by themselves gives another copy.
  bool has_another_try() const {
    return std::ranges::any_of(works_, [](const Work& work) {
      return usable(work) && std::ranges::any_of(work.source.functions, &Function::maybe_constant);
    });
  }

  /// After a success of the plain command: what was not instrumented, and why.
  void report(const std::string& why_no_copy) const {
    const std::string& why = trouble_.empty() ? why_no_copy : trouble_;
    for (const Work& work : works_) {
      if (!work.source.error.empty())
        say(fmt::format("{}: not instrumented: Clang cannot read it ({}); compiled unchanged",
                        work.input.path, work.source.error));
      else if (!work.why_not.empty())
        say(fmt::format("{}: not instrumented: {}", work.input.path, work.why_not));
      else if (!why.empty())
        say(fmt::format("{}: not instrumented: {}", work.input.path, why));
    }
  }

private:
  static bool usable(const Work& work) { return work.why_not.empty() && work.source.error.empty(); }

  Work read(const Command::Input& input) {
    Work work{input, {}, {}, directory_of(input.path), {}};
    const std::optional<std::string> text = read_file(input.path);
    std::error_code ignored;
    if (!text || !std::filesystem::is_regular_file(input.path, ignored)) {
      work.source.error = "no regular file";
      return work;
    }
    work.text = *text;
    Compiler& compiler = compilers_[input.language];
    if (!compiler.asked) compiler = ask_compiler(command_, input.language);
    work.source = read_source(command_, compiler, input);
    if (work.source.includes_itself) work.why_not = "it includes itself; compiled unchanged";
    return work;
  }

  const Compiler& compiler() const { return compilers_.begin()->second; }
  bool is_gcc() const { return compiler().family == Compiler::Family::gcc; }

  /// Headers that the copy's compiler names otherwise: GCC calls a header beside foo.c "x.h", and
  /// the same found by -iquote . "./x.h".
  std::vector<std::string> dotted(const Work& work) const {
    const bool differs = is_gcc() && work.input.path.find('/') == std::string::npos;
    return differs ? work.source.beside : std::vector<std::string>();
  }

  std::vector<Copy> write_copies(const std::string& directory, Care care) {
    std::vector<Copy> copies;
    for (const Work& work : works_) {
      if (!usable(work)) continue;
      const std::vector<Decision> decisions = decide(work.source.functions, selection_, care);
      const Probes probes = probes_of(0, work.source.functions, decisions);
      if (probes.edits.empty()) continue;
      const std::string root = fmt::format("{}/{}", directory, copies.size());
      const std::string place = root + below(work);
      const Copy copy{&work,
                      place + "/" + std::filesystem::path(work.input.path).filename().string(),
                      root + ".h"};
      const std::string header = system_preamble(probes.table);
      const std::string text =
          below_preamble(fmt::format("#include \"{}\"\n", c_escaped(copy.header)), work.input.path,
                         edit(work.text, probes.edits));
      std::error_code error;
      std::filesystem::create_directories(place, error);
      if (header.empty()) {
        trouble_ = fmt::format("{} cannot be read; install andes anew", probe_header());
        return {};
      }
      if (!write_file(copy.header, header) || !write_file(copy.path, text)) {
        trouble_ = fmt::format("its copy cannot be written to {}; make room there, or set TMPDIR",
                               directory);
        return {};
      }
      copies.push_back(copy);
    }
    return copies;
  }

  std::vector<std::string> words_for(const std::vector<Copy>& copies) const {
    std::map<std::size_t, const Copy*> replaced;
    std::vector<std::string> quote, rest, directories;
    for (const Copy& copy : copies) {
      replaced[copy.work->input.word] = &copy;
      if (std::ranges::find(directories, copy.work->directory) != directories.end()) continue;
      directories.push_back(copy.work->directory);
      quote.insert(quote.end(), {"-iquote", copy.work->directory});
    }
    const int newest_without = is_gcc() ? 7 : 9; // the last version without -fmacro-prefix-map
    for (const Copy& copy : copies) {
      const auto map = [&](const std::string& from, const std::string& to, bool macros) {
        if (!macros)
          rest.push_back(
              fmt::format("-fdebug-prefix-map={}={}", from, apply_maps(command_, to, false)));
        else if (compiler().version > newest_without)
          rest.push_back(
              fmt::format("-fmacro-prefix-map={}={}", from, apply_maps(command_, to, true)));
      };
      for (const bool macros : {false, true}) {
        map(copy.path, copy.work->input.path, macros);
        map(copy.header, probe_header(), macros);
        for (const std::string& header : dotted(*copy.work))
          map(header, without_dot(header), macros);
      }
    }
    const char* terminal = std::getenv("TERM");
    if (!command_.has_colour && isatty(STDERR_FILENO) && terminal &&
        std::strcmp(terminal, "dumb") != 0 && compiler().family != Compiler::Family::other)
      rest.push_back("-fdiagnostics-color=always"); // as it would choose if it saw the terminal

    std::vector<std::string> words;
    for (std::size_t i = 0; i <= command_.words.size(); ++i) {
      if (i == command_.quote_word) words.insert(words.end(), quote.begin(), quote.end());
      if (i == command_.end_word) words.insert(words.end(), rest.begin(), rest.end());
      if (i < command_.words.size())
        words.push_back(replaced.count(i) ? replaced[i]->path : command_.words[i]);
    }
    return words;
  }

  /// What the compiler said, in the user's names.
  std::string told(std::string text, const std::vector<Copy>& copies) const {
    for (const Copy& copy : copies) {
      replace_path(text, copy.path, copy.work->input.path);
      for (const std::string& header : dotted(*copy.work))
        replace_path(text, header, without_dot(header));
    }
    return text;
  }

  void fix_dependency_files(const std::vector<Copy>& copies) const {
    std::map<std::string, std::string> names;
    for (const Copy& copy : copies) {
      names[copy.path] = without_dot(copy.work->input.path);
      names[copy.header] = "";
    }
    for (const std::string& path : command_.dependency_files) {
      std::error_code ignored;
      if (!std::filesystem::is_regular_file(path, ignored)) continue;
      const std::string text = read_file(path).value_or("");
      const std::string fixed =
          fix_dependencies(text, names, is_gcc() ? DependencyStyle::gcc : DependencyStyle::clang);
      if (fixed != text && !write_file(path, fixed))
        say(fmt::format("{}: dependencies cannot be corrected ({}); they name {}", path,
                        std::strerror(errno), copies[0].path));
    }
  }

  Command command_;
  Selection selection_;
  std::vector<Work> works_;
  std::string trouble_; // why no copy could be written
  std::map<Language, Compiler> compilers_;
};

} // namespace

int compile(const std::vector<std::string>& arguments) {
  const LeadingOptions leading = read_leading_options(arguments);
  if (leading.said.count("help")) {
    fmt::print("Usage: andes cc [OPTIONS] COMPILER ARGS...\n"
               "Runs the compile command on an instrumented copy of each C or C++ source in it.\n\n"
               "{}",
               options_help());
    return 0;
  }
  const std::size_t at = leading.words;
  if (at == arguments.size()) refuse("cc: no compiler given; write andes cc COMPILER ARGS");
  const Options options = read_options(leading.said, environ);
  const Selection selection = load_selection(options.select);
  Command command = read_command({arguments.begin() + long(at), arguments.end()});
  if (!find_program(command.words[0])) {
    say(fmt::format("{}: no such compiler; check its name, or give its full path",
                    command.words[0]));
    return 2;
  }
  // The command itself stays as written: response files were read in for andes alone.
  const std::vector<std::string> as_written(arguments.begin() + long(at), arguments.end());
  if ((command.inputs.empty() && command.fortran.empty()) || command.freestanding) {
    become(as_written);
    say(fmt::format("{}: cannot be started ({}); check its name", as_written[0],
                    std::strerror(errno)));
    return 2;
  }

  if (!command.fortran.empty()) return compile_fortran(command, as_written, selection);
  Compilation compilation(command, selection);
  compilation.read_sources();
  std::optional<Ended> ended = compilation.with_copies(Care::normal);
  if (ended && !ended->good() && !interrupted() && compilation.has_another_try())
    ended = compilation.with_copies(Care::careful);
  if (ended && (ended->good() || interrupted())) {
    if (ended->good()) compilation.report("");
    return leave_as(*ended);
  }
  const bool failed_copy = ended.has_value();
  const Ended plain = run(as_written);
  if (plain.good())
    compilation.report(failed_copy ? "its instrumented copy does not compile; compiled unchanged"
                                   : "");
  return leave_as(plain);
}

} // namespace andes
