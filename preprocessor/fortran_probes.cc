// As with copies of C (attempts.h), messages that may be due to probes are replaced by those of the command as written,
// which is run for them (decision 12). So are those of a command that fails: if it is the source's fault, it fails once
// more; if it was a module file that another process of a build had not yet written, probes come with the next attempt.
#include "preprocessor/fortran_probes.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <sstream>
#include <string_view>

#include <unistd.h>

#include <fmt/core.h>

#include "common/message.h"
#include "common/write_all.h"
#include "preprocessor/compiler.h"
#include "preprocessor/fortran_module.h"
#include "preprocessor/kept_object.h"
#include "preprocessor/messages.h"
#include "preprocessor/own_libraries.h"
#include "preprocessor/plugin/request.h"
#include "preprocessor/session.h"

namespace andes::preprocessor {
namespace {

/// The user's rules for the names that the compiler has, which are in small letters, as well as for those of marks,
/// which are as written; nothing of andes' own module.
Selection rules_for_fortran(const Selection& selection) {
  Selection rules;
  for (const SelectionRule& rule : selection.rules) {
    rules.rules.push_back(rule);
    if (rule.of_file || rule.mangled) continue;
    std::string& pattern = rules.rules.emplace_back(rule).pattern;
    std::ranges::transform(pattern, pattern.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; });
    if (pattern == rule.pattern) rules.rules.pop_back();
  }
  rules.rules.push_back({false, true, "*/andes.f90"});
  return rules;
}

/// The plug-in for this compiler; empty: there is none.
std::string plugin_for(const Compiler& compiler) {
  if (!compiler.asked || compiler.family != Compiler::Family::gcc) return "";
  std::error_code error;
  const std::string plugin = own_library(fmt::format("andes_gcc_{}.so", compiler.version));
  return std::filesystem::exists(plugin, error) ? plugin : "";
}

/// The parts of a line, separated by tabs; as many as are asked for.
std::vector<std::string> fields_of(std::string_view line, std::size_t count) {
  std::vector<std::string> fields;
  while (fields.size() < count) {
    const std::size_t end = fields.size() + 1 == count ? line.size() : std::min(line.find('\t'), line.size());
    fields.emplace_back(line.substr(0, end));
    line.remove_prefix(std::min(end + 1, line.size()));
  }
  return fields;
}

struct Said {
  Ended ended;
  std::string out, err;
};

/// Whether the compiler does not load the plug-in, or the plug-in cannot work for what is compiled.
bool is_refused(const Plugin& plugin, std::string_view said) {
  const std::string file = std::filesystem::path(plugin.flags().front()).filename().string();
  return said.find(file) != said.npos || said.find(plugin::refusal) != said.npos;
}

Said run_quietly(const std::vector<std::string>& words, const std::string& directory) {
  const std::string out = directory + "/out", err = directory + "/err";
  const Ended ended = run(words, out, err);
  return {ended, read_file(out).value_or(""), read_file(err).value_or("")};
}

} // namespace

Plugin::Plugin(const CompilerCommand& command, const Options& options, const Selection& selection, bool explain) {
  const Compiler compiler = ask_compiler(command, Language::c);
  const std::string plugin = plugin_for(compiler), request = directory() + "/request";
  if (plugin.empty() || directory().empty()) return;
  if (!write_file(request, plugin::text_of({rules_for_fortran(selection), options.loops, options.openmp, explain})))
    return;
  setenv(plugin::request_variable, request.c_str(), 1);
  flags_ = {"-fplugin=" + plugin};
  if (lacks_debug_information(command, compiler)) flags_.emplace_back(least_debug_information);
}

Plugin::~Plugin() { unsetenv(plugin::request_variable); }

PluginAnswer Plugin::answer() const {
  PluginAnswer answer;
  std::istringstream text(read_file(directory() + "/request" + plugin::answer_suffix).value_or(""));
  std::set<std::string> known; // the compiler may have run more than once
  for (std::string line; std::getline(text, line);) {
    if (!known.insert(line).second) continue;
    const std::string rest = line.substr(std::min<std::size_t>(line.size(), 4));
    if (line.starts_with("say ")) answer.lines.push_back(rest);
    if (line.starts_with("row ")) {
      const std::vector<std::string> fields = fields_of(rest, 3);
      answer.rows.push_back({fields[0], fields[1], fields[2]});
    }
    if (line.starts_with("all ")) {
      const std::vector<std::string> fields = fields_of(rest, 3);
      answer.counts.push_back(
          {fields[2], unsigned(std::atoi(fields[0].c_str())), unsigned(std::atoi(fields[1].c_str()))});
    }
  }
  return answer;
}

void Plugin::report(const CompilerCommand& command) const {
  const PluginAnswer said = answer();
  for (const std::string& line : said.lines) say("{}", line);
  for (const std::string& source : command.fortran) {
    // CMake compiles what it has preprocessed itself, a file whose lines are those of the source and have its name.
    const bool is_alone = command.fortran.size() == 1 && said.counts.size() == 1;
    const auto counts =
        is_alone ? said.counts.begin() : std::ranges::find(said.counts, source, &PluginAnswer::Counts::source);
    if (counts == said.counts.end()) note_instrumented(source);
    else if (counts->probes == 0) note_left(source, "no function needs a probe");
    else note_instrumented(source, counts->probes, counts->functions);
  }
}

void report_plugin_fails(const CompilerCommand& command) {
  for (const std::string& source : command.fortran) {
    note_left(source, "the compiler fails with the plug-in");
    say("{}: not instrumented: the compiler fails with andes' plug-in; compiled unchanged", source);
  }
}

std::optional<Ended> run_with_plugin(const Plugin& plugin, const std::vector<std::string>& as_written,
                                     const CompilerCommand& command) {
  std::vector<std::string> words = as_written;
  words.insert(words.begin() + long(std::min(command.compiler_words, words.size())), plugin.flags().begin(),
               plugin.flags().end());
  const Said said = run_quietly(words, plugin.directory());
  if (interrupted()) return said.ended;
  if (!said.ended.good() && is_refused(plugin, said.err)) return std::nullopt;
  if (said.ended.good() && !depend_on_optimiser(said.err)) {
    write_all(STDOUT_FILENO, said.out);
    write_all(STDERR_FILENO, said.err);
    plugin.report(command);
    return said.ended;
  }
  const std::optional<KeptObject> object = said.ended.good() ? object_made_by(command) : std::nullopt;
  const Said plain = run_quietly(as_written, plugin.directory());
  write_all(STDERR_FILENO, plain.err);
  if (!plain.ended.good() || interrupted()) {
    write_all(STDOUT_FILENO, plain.out);
    return plain.ended;
  }
  if (object && put_back(*object)) {
    write_all(STDOUT_FILENO, said.out);
    plugin.report(command);
    return said.ended;
  }
  words.insert(words.begin() + long(std::min(command.compiler_words, words.size())), "-w");
  const Said quiet = run_quietly(words, plugin.directory());
  // What the command as written has compiled is gone where this fails.
  if (quiet.ended.good()) plugin.report(command);
  else report_plugin_fails(command);
  const Said& last = quiet.ended.good() ? quiet : run_quietly(as_written, plugin.directory());
  write_all(STDOUT_FILENO, last.out);
  return last.ended;
}

} // namespace andes::preprocessor
