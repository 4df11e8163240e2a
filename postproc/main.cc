// andes: the command. Each subcommand is a pair command/NAME.{h,cc}; main splits the command line,
// hands it over and turns every refusal into one line and exit status 2.
//
// Four commands stand before somebody else's command line (exec, instrument, cc, build): their arguments are never
// parsed here. `run`, `env` and `gate` take the words behind -- as they are. Under the name andes-COMPILER, as which
// links in bin/ lead here, this is `andes cc COMPILER`.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "common/message.h"
#include "common/nearest.h"
#include "common/settings.h"
#include "postproc/command/bisect.h"
#include "postproc/command/cc.h"
#include "postproc/command/diagnose.h"
#include "postproc/command/diff.h"
#include "postproc/command/doctor.h"
#include "postproc/command/env.h"
#include "postproc/command/exec.h"
#include "postproc/command/filter.h"
#include "postproc/command/gate.h"
#include "postproc/command/instrument.h"
#include "postproc/command/recover.h"
#include "postproc/command/report.h"
#include "postproc/command/run.h"
#include "postproc/command/show.h"
#include "postproc/command/top.h"
#include "postproc/command/view.h"
#include "postproc/view/pager.h"

using namespace andes::postproc;

namespace {

constexpr int bad_input = 2;

using Words = std::vector<std::string>;

constexpr const char* exec_help =
    "Run one process with the monitor, under any launcher\n"
    "Usage: andes exec PROGRAM ARGUMENTS...\n"
    "  srun andes exec ./a.out        mpirun -n 4 andes exec ./a.out\n"
    "Settings come from ANDES_<KEY> in the environment; the run file's name from ANDES_OUT\n"
    "(default %x.%p.%u.andes: program, ranks, unique).\n";

/// exec, instrument, cc and build: become another program, with the words untouched.
void hand_over(const std::string& name, Words words) {
  if (name == "exec") {
    if (!words.empty() && (words[0] == "--help" || words[0] == "-h")) {
      fmt::print("{}", exec_help);
      return;
    }
    if (!words.empty() && words[0] == "--") words.erase(words.begin());
    exec_program(words);
  }
  if (name == "cc") cc(words);
  become_preprocessor(name, words);
}

/// The compiler that this stands for by its own name; empty: none.
std::string wrapped_compiler(const std::string& name) {
  constexpr std::string_view begin = "andes-";
  const std::string base = name.substr(name.rfind('/') + 1);
  return base.starts_with(begin) ? base.substr(begin.size()) : "";
}

/// The command of andes that a program's name belongs behind; empty: it is none of those that are often written first.
std::string_view meant_command(std::string_view name) {
  constexpr std::string_view launchers[] = {"mpirun", "mpiexec", "srun"}, builders[] = {"make", "ninja", "cmake"};
  constexpr std::string_view compilers[] = {"cc",      "CC",  "++",  "cxx", "clang", "fort",
                                            "fortran", "ftn", "f77", "f90", "flang"};
  const auto is_one_of = [&](const auto& names) { return std::ranges::find(names, name) != std::end(names); };
  if (is_one_of(launchers)) return "run --";
  if (is_one_of(builders)) return "build --";
  const bool compiles = std::ranges::any_of(compilers, [&](std::string_view end) { return name.ends_with(end); });
  return compiles ? "cc" : "";
}

void check_command(const CLI::App& app, const Words& words) {
  if (words.empty()) andes::refuse("", "no command", "andes --help lists them");
  if (words[0].rfind('-', 0) == 0) {
    const Words options{"-h", "--help", "--version"};
    if (std::find(options.begin(), options.end(), words[0]) != options.end()) return;
    andes::refuse(words[0], "no such option", "andes --help lists the commands, andes COMMAND --help their options");
  }
  Words names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  if (std::find(names.begin(), names.end(), words[0]) != names.end()) return;
  if (const std::string_view meant = meant_command(words[0]); !meant.empty())
    andes::refuse(words[0], "no such command", fmt::format("write andes {} {} ...", meant, words[0]));
  const std::string near = andes::nearest(words[0], names);
  if (near.empty()) andes::refuse(words[0], "no such command", "andes --help lists them");
  andes::refuse(words[0], "no such command", fmt::format("did you mean {}? (andes --help lists them)", near));
}

/// Refuses the first word that looks like a long option of the command but is none, if one is like it. Where
/// `no_command`, a -- may be missing: then it does not look behind a word that is neither option nor value.
void refuse_mistyped_option(const CLI::App& app, const Words& words, bool no_command) {
  Words names;
  for (const CLI::Option* option : app.get_subcommand(words[0])->get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  for (std::size_t i = 1; i < words.size() && words[i] != "--"; ++i) {
    const std::string& word = words[i];
    if (no_command && word[0] != '-' && words[i - 1][0] != '-') return;
    const std::string name = word.substr(0, word.find('='));
    if (!name.starts_with("--") || app.get_option_no_throw(name)) continue;
    if (const std::string near = andes::nearest(name, names); !near.empty() && near != name)
      andes::refuse(words[0], "not an option: " + word, fmt::format("did you mean {}?", near));
    if (!app.get_subcommand(words[0])->get_option_no_throw("--set")) continue;
    std::string key = name.substr(2);
    std::replace(key.begin(), key.end(), '-', '_');
    if (const std::string setting = andes::nearest_setting(key); !setting.empty())
      andes::refuse(words[0], "not an option: " + word, fmt::format("write --set {}=VALUE for the setting", setting));
  }
}

std::string remedy_of_extras(const std::string& command, const std::string& first) {
  if (command == "doctor") return "it takes the program alone, without launcher and arguments: andes doctor ./a.out";
  if (command == "run" && (first == "-n" || first == "-np"))
    return "the launcher takes it: andes run -- mpirun -n 2 ./a.out; for a sweep: --ranks 1,2 and -n {p} there";
  return fmt::format("andes {} --help lists the options", command);
}

/// `extras`: what no option nor argument took, in order. Where `no_command`, a -- may be missing.
[[noreturn]] void refuse_extras(const Words& words, const Words& extras, bool no_command) {
  const std::string& first = extras.front();
  if (no_command && first.rfind('-', 0) != 0) {
    const auto place = std::find(words.begin(), words.end(), first);
    andes::refuse(
        words[0], fmt::format("{}: the command to run belongs after --", first),
        fmt::format("write andes {} -- {}", fmt::join(words.begin(), place, " "), fmt::join(place, words.end(), " ")));
  }
  andes::refuse(words[0], fmt::format("not expected: {}", fmt::join(extras, " ")), remedy_of_extras(words[0], first));
}

int parse(const Words& words) {
  const auto dashes = std::find(words.begin(), words.end(), "--");
  Words before(words.begin(), dashes), behind;
  const std::string name = words.empty() ? "" : words[0];
  const bool takes_command = name == "run" || name == "env" || name == "bisect" || name == "gate";
  const bool no_command = takes_command && dashes == words.end();
  if (!takes_command) before = words;
  else if (!no_command) behind.assign(dashes + 1, words.end());

  CLI::App app("andes: performance analysis of MPI programs", "andes");
  app.add_flag_callback("--no-pager", do_without_pager, "Write long results straight to the terminal, without a pager");
  app.set_version_flag("--version", "andes " ANDES_VERSION, "Print the version and exit");
  app.require_subcommand(1);
  int status = 0;
  app.add_subcommand("instrument", "Write the instrumented source of a file");
  app.add_subcommand("build", "Run a build whose compilers insert probes: andes build -- make");
  app.add_subcommand("cc", "Compile with probes: andes cc mpicc -O2 -c file.c");
  add_run(app, behind, status);
  app.add_subcommand("exec", "Run one process with the monitor, under any launcher");
  add_env(app, behind, status);
  add_recover(app, status);
  add_doctor(app, status);
  add_show(app);
  add_report(app);
  add_diagnose(app);
  add_diff(app);
  add_gate(app, behind, status);
  add_bisect(app, behind, status);
  add_filter(app);
  add_top(app);
  add_view(app);
  app.footer("A first measurement:\n"
             "  andes build -- make\n"
             "  andes run --ranks 1,2,4 --repeat 6 -- mpirun -n {p} ./jacobi 2048\n"
             "  andes report runs/*");

  check_command(app, words);
  if (name == "exec" || name == "instrument" || name == "cc" || name == "build") {
    hand_over(name, Words(words.begin() + 1, words.end()));
    return 0;
  }
  if (std::erase(before, "--no-pager") != 0) do_without_pager(); // behind the command, too
  try {
    std::reverse(before.begin(), before.end()); // as CLI11 wants it
    app.parse(before);
  } catch (const CLI::Success& help) { // --help, --version
    return app.exit(help);
  } catch (const CLI::ExtrasError&) {
    refuse_mistyped_option(app, words, no_command);
    refuse_extras(words, app.remaining(true), no_command);
  } catch (const CLI::ParseError& error) {
    refuse_mistyped_option(app, words, no_command);
    std::string fact = error.what();
    std::replace(fact.begin(), fact.end(), '\n', ' ');
    constexpr std::string_view required = " is required";
    if (!fact.starts_with("-") && fact.ends_with(required))
      fact = fmt::format("the argument {} is missing", fact.substr(0, fact.size() - required.size()));
    if (no_command)
      andes::refuse(name, fact, fmt::format("the command to run belongs after --: andes {} --help", name));
    andes::refuse(name, fact, fmt::format("andes {} --help lists the options", name));
  }
  return status;
}

} // namespace

int main(int argc, char** argv) {
  try {
    Words words(argv + 1, argv + argc);
    if (const std::string compiler = wrapped_compiler(argc > 0 ? argv[0] : ""); !compiler.empty()) {
      words.insert(words.begin(), compiler);
      cc(words);
    }
    // Before the command, as with git: behind it words may be somebody else's.
    if (!words.empty() && words[0] == "--no-pager") {
      do_without_pager();
      words.erase(words.begin());
    }
    const int status = parse(words);
    // What is still in buffers: a full disk, or nobody to write to, must not pass for success.
    if (status != 0 || (std::cout.flush() && std::fflush(stdout) == 0)) return status;
    const int error = errno;
    andes::say("standard output: {}; make room or write elsewhere", std::strerror(error ? error : EIO));
  } catch (const andes::Refusal& refusal) {
    andes::say("{}", refusal.what());
    std::fputs(refusal.excerpt.c_str(), stderr);
  } catch (const std::exception& error) { // a defect or no memory: still one line, no trace
    andes::say("internal error: {}; please report it with the command line", error.what());
  }
  return bad_input;
}
