// andes instrument: writes the instrumented text of one source, or explains the decisions.
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <iterator>

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include "common/compiler_words.h"
#include "common/message.h"
#include "common/whole_file.h"
#include "common/write_all.h"
#include "preprocessor/commands.h"
#include "preprocessor/decide_blocks.h"
#include "preprocessor/edit.h"
#include "preprocessor/explain.h"
#include "preprocessor/left_out.h"
#include "preprocessor/options.h"
#include "preprocessor/parse.h"
#include "preprocessor/preamble.h"
#include "preprocessor/process.h"

namespace andes::preprocessor {
namespace {

/// Adds the options of a build to this command; explicit values go to `said`.
void add_options(CLI::App& app, Settings& said) {
  for (const Setting& setting : build_settings) {
    const std::string key = setting.key, option = option_of(key);
    const std::string value = value_in_help(setting);
    CLI::Option* added = value.empty() ? app.add_flag(option, said[key], setting.meaning)
                                       : app.add_option(option, said[key], setting.meaning);
    added->take_last()->option_text(value);
  }
  app.add_option("--config", said["config"], "a settings file (configs/build.info)")->option_text("FILE")->take_last();
}

/// The explicit settings, with their values checked.
Settings checked(const CLI::App& app, Settings said) {
  std::erase_if(said, [&](const auto& entry) { return app.count(option_of(entry.first)) == 0; });
  for (auto& [key, value] : said)
    if (const Setting* setting = find_setting(key, build_list)) {
      if (value == "true") value = "on"; // CLI11's value of a switch
      check_value(option_of(key), *setting, value);
    }
  return said;
}

} // namespace

int instrument(const std::vector<std::string>& arguments) {
  const auto bar = std::ranges::find(arguments, "--");
  std::vector<std::string> own(arguments.begin(), bar), flags(bar == arguments.end() ? bar : bar + 1, arguments.end());

  std::string file, out;
  bool explain = false;
  CLI::App app("Writes the instrumented text of a C or C++ source.", "andes instrument");
  app.add_option("FILE", file, "the source")->required();
  app.add_option("-o", out, "file for the text (default: standard output)")->option_text("OUT");
  Settings said;
  add_options(app, said);
  app.add_flag("--explain", explain, "print the decision for each function; the text is then only written with -o");
  app.footer("Flags after -- (or unknown flags before it) are for the compiler; if the first is not\n"
             "an option, it names the compiler whose directories are used (default: cc or c++).");
  app.allow_extras();
  std::ranges::reverse(own); // CLI11 takes a vector in reverse order
  try {
    app.parse(own);
  } catch (const CLI::CallForHelp&) {
    fmt::print("{}", app.help());
    return 0;
  } catch (const CLI::ParseError& error) {
    say("instrument: {}; see andes instrument --help", error.what());
    return 2;
  }
  const std::vector<std::string> extras = app.remaining();
  flags.insert(flags.begin(), extras.begin(), extras.end());

  CompilerCommand::Input input{0, file, Language::c};
  const bool is_fortran = source_kind(file) == SourceKind::fortran;
  if (is_fortran && (!explain || !out.empty())) {
    say("{}: Fortran gets its probes in the compiler, there is no text to show; write "
        "--explain alone for the decisions",
        file);
    return 2;
  }
  if (!is_fortran && !language_of(file, input.language)) {
    say("{}: its name is not that of a C or C++ source; give it an extension such as .c or .cc", file);
    return 2;
  }
  std::error_code error;
  errno = 0;
  const std::optional<std::string> text = std::filesystem::is_directory(file, error) ? std::nullopt : read_file(file);
  if (!text) {
    say("{}: cannot be read ({}); name a source file", file, std::strerror(errno ? errno : EISDIR));
    return 2;
  }
  const Options options = read_options(checked(app, said), environ);
  const Selection selection = load_selection(options.select);

  const bool to_file = !out.empty() && out != "-";
  if (to_file && std::filesystem::equivalent(file, out, error)) {
    say("{}: is the source itself; give another name to -o", out);
    return 2;
  }

  CompilerCommand command;
  command.words = {is_fortran ? "gfortran" : input.language == Language::c ? "cc" : "c++"};
  if (!flags.empty() && !flags[0].starts_with("-")) {
    command.words[0] = flags[0];
    flags.erase(flags.begin());
    if (!find_program(command.words[0])) {
      say("{}: no such compiler; give its name or full path, or flags only", command.words[0]);
      return 2;
    }
  }
  if (is_fortran) return explain_fortran(file, command.words[0], flags, options, selection);
  sort_flags(flags, command);
  Compiler compiler = ask_compiler(command, input.language);
  const Source source = read_source(command, compiler, input, reading_of(options, selection));
  const Decisions decisions = decide_all(source, selection, options);
  Compiled compiled;
  if (explain) compiled = compile_and_list(command.words[0], flags, file);
  const bool readable = source.error.empty();
  if (explain && (readable || !compiled.functions.empty())) {
    std::vector<Explanation> rows = rows_of(source, file, decisions);
    std::ranges::move(unseen_functions(source, file, compiled, compiler, options), std::back_inserter(rows));
    write_all(STDOUT_FILENO, table_of(rows));
    if (!to_file && !readable) return 0;
    if (!compiled.good)
      say("{}: {} does not compile it, so functions that only the compiler sees are not listed; give its compile flags "
          "after --",
          file, command.words[0]);
  }
  if (!readable) {
    say("{}: Clang cannot read it ({}); give its compile flags after --", file, source.error);
    return 2;
  }
  for (const std::string& line : source.complaints) say("{}", line);
  if (explain && !to_file) return 0;
  for (const std::string& line : unheeded_blocks(source, decisions)) say("{}", line);
  const Probes probes = probes_of(0, source, decisions);
  const std::string result =
      probes.edits.empty()
          ? *text
          : below_preamble(plain_preamble(probes.table, left_out_notes(source.functions, decisions.functions)), file,
                           edit(*text, probes.edits));
  if (!to_file) {
    write_all(STDOUT_FILENO, result);
    return 0;
  }
  const std::string trouble = write_whole(out, result);
  if (trouble.empty()) return 0;
  say("{}: cannot be written ({}); choose another place with -o", out, trouble);
  return 2;
}

} // namespace andes::preprocessor
