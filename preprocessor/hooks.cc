// Flags go right behind the compiler's name: any of the user's own (-g0, -g1,
// -fno-instrument-functions) come later and win. Without -g there would be no names: `-g` and not
// `-g1`, because only debug information of level 2 contains the module of a procedure and the
// procedure around an internal one (decision 248). Neither changes the code.
#include "preprocessor/hooks.h"

#include <algorithm>
#include <iterator>

#include <unistd.h>

#include <fmt/core.h>
#include <fmt/format.h>

#include "common/fortran_names.h"
#include "common/private_directory.h"
#include "common/write_all.h"
#include "preprocessor/compiler.h"
#include "preprocessor/fortran_module.h"

namespace andes::preprocessor {
namespace {

using std::string_view;

/// Whether rules exclude functions by their names; by default hooks include all.
bool excludes_functions(const Selection& selection) {
  return std::ranges::any_of(selection.rules, [](const SelectionRule& rule) { return !rule.of_file && !rule.include; });
}

/// Only the rules for procedures, for files that are not excluded. Fortran names ignore case, and
/// the compiler writes them in small letters.
Selection rules_for_procedures(Selection selection) {
  std::erase_if(selection.rules, [](const SelectionRule& rule) { return rule.of_file; });
  for (SelectionRule& rule : selection.rules)
    for (char& c : rule.pattern)
      if (c >= 'A' && c <= 'Z') c = char(c - 'A' + 'a');
  return selection;
}

/// Whether the compiler did not know the flag and ignored it with a warning.
bool warns_of_hooks(const std::string& said) {
  for (std::size_t at = said.find("-finstrument-functions"); at != std::string::npos;
       at = said.find("-finstrument-functions", at + 1)) {
    const std::size_t begin = said.rfind('\n', at) + 1; // npos + 1 is 0
    if (string_view(said).substr(begin, at - begin).find("warning") != string_view::npos) return true;
  }
  return false;
}

/// An item of GCC's lists, which are separated by commas.
std::string escaped(const std::string& item) {
  std::string out;
  for (const char c : item) {
    if (c == ',') out += '\\';
    out += c;
  }
  return out;
}

void add_list(std::vector<std::string>& flags, const char* kind, const std::vector<std::string>& items) {
  std::string list;
  for (const std::string& item : items) {
    if (!list.empty()) list += ',';
    list += escaped(item);
  }
  if (!list.empty()) flags.push_back(fmt::format("-finstrument-functions-exclude-{}-list={}", kind, list));
}

/// gfortran's own list of the procedures of `source`; empty if it gives none (another compiler, or
/// errors in the source). It writes the module files that the command itself writes.
std::optional<std::vector<Procedure>> ask_procedures(const CompilerCommand& command, const std::string& source) {
  const PrivateDirectory directory;
  if (directory.path().empty()) return std::nullopt;
  std::vector<std::string> words = without_outputs(command.words);
  std::erase_if(words, [&](const std::string& word) {
    return word != source && std::ranges::find(command.fortran, word) != command.fortran.end();
  });
  words.insert(words.end(), {"-w", "-fsyntax-only", "-fdump-fortran-original"});
  const std::string out = directory.path() + "/out", err = directory.path() + "/err";
  if (!run(words, out, err).good()) return std::nullopt;
  return read_procedures(read_file(out).value_or(""));
}

/// Whether the rules for files exclude the source; GCC's lists contain parts of names here, too.
bool is_left_out(const Selection& selection, const std::string& file) {
  Selection of_files;
  std::ranges::copy_if(selection.rules, std::back_inserter(of_files.rules), &SelectionRule::of_file);
  return choose(of_files, "", file) == Choice::exclude;
}

/// Applies the rules for Fortran functions, as far as GCC can exclude by parts of names. Returns
/// whether any procedure is left to instrument.
bool apply_rules(const CompilerCommand& command, const Selection& selection, const std::vector<std::string>& sources,
                 Hooks& hooks) {
  std::vector<Procedure> all;
  for (const std::string& source : sources) {
    const std::optional<std::vector<Procedure>> procedures = ask_procedures(command, source);
    if (!procedures) {
      hooks.remarks.push_back(fmt::format("{}: rules for functions do not apply: {} does not list its procedures",
                                          source, command.words[command.compiler_words - 1]));
      return true;
    }
    all.insert(all.end(), procedures->begin(), procedures->end());
  }
  if (wants_mangled_names(selection))
    hooks.remarks.push_back(
        fmt::format("{}: rules for mangled names do not apply to Fortran", fmt::join(sources, ", ")));
  std::vector<std::string> impossible;
  const std::vector<std::string> names = names_to_exclude(all, selection, impossible);
  add_list(hooks.flags, "function", names);
  if (!impossible.empty())
    hooks.remarks.push_back(fmt::format("{}: instrumented in spite of a rule: the compiler excludes by parts of names, "
                                        "and this name is part of another; exclude both, or rename one",
                                        fmt::join(impossible, ", ")));
  return names.size() < all.size();
}

/// Additional flags for C and C++ in a command with hooks: system headers are excluded. Rules for
/// functions cannot be applied, since their names are not known here: a remark says so.
void apply_to_c(const CompilerCommand& command, const Selection& selection, Hooks& hooks) {
  const Compiler compiler = ask_compiler(command, command.inputs[0].language);
  if (compiler.family == Compiler::Family::clang) hooks.flags.back() = "-finstrument-functions-after-inlining";
  std::vector<std::string> directories;
  if (compiler.family == Compiler::Family::gcc)
    for (const std::string& directory : compiler.directories) directories.push_back(directory + "/");
  add_list(hooks.flags, "file", directories);
  if (excludes_functions(selection))
    hooks.remarks.push_back(
        fmt::format("{}: rules for functions do not apply: the compiler's hooks do not know names of C and C++",
                    command.inputs[0].path));
}

} // namespace

std::vector<Procedure> read_procedures(string_view dump) {
  std::vector<Procedure> procedures;
  std::vector<std::string> scopes; // full names of the enclosing scopes, outermost first
  bool own_symbol = false;
  const auto add = [&](std::size_t depth, const std::string& own) {
    scopes.resize(std::min(scopes.size(), depth));
    const std::string outer = scopes.empty() ? "" : scopes.back() + "::";
    scopes.push_back(outer + written_name(own));
    procedures.push_back({scopes.back(), own});
  };
  while (!dump.empty()) {
    const std::size_t end = std::min(dump.find('\n'), dump.size());
    string_view line = dump.substr(0, end);
    dump.remove_prefix(std::min(end + 1, dump.size()));
    const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
    line.remove_prefix(indent);
    constexpr string_view begins = "procedure name = ", entry = "ENTRY ", symbol = "symtree: ";
    if (line.starts_with(begins)) {
      add(indent / 2, std::string(line.substr(begins.size())));
    } else if (line.starts_with(entry) && !scopes.empty()) {
      add(scopes.size() - 1, std::string(line.substr(entry.size())));
    } else if (line.starts_with(symbol)) {
      own_symbol = scopes.size() == 1 && line.find("symbol: '" + scopes.back() + "'") != string_view::npos;
    } else if (own_symbol && line.starts_with("attributes: (MODULE")) {
      procedures.pop_back(); // it has no code of its own
      own_symbol = false;
    }
  }
  return procedures;
}

std::vector<std::string> names_to_exclude(const std::vector<Procedure>& procedures, const Selection& selection,
                                          std::vector<std::string>& impossible) {
  const Selection rules = rules_for_procedures(selection);
  const auto is_excluded = [&](const Procedure& procedure) {
    return choose(rules, procedure.name, "") == Choice::exclude;
  };
  std::vector<std::string> names;
  for (const Procedure& procedure : procedures) {
    if (!is_excluded(procedure)) continue;
    const bool is_part = std::ranges::any_of(procedures, [&](const Procedure& other) {
      return !is_excluded(other) && other.own.find(procedure.own) != std::string::npos;
    });
    (is_part ? impossible : names).push_back(is_part ? procedure.name : procedure.own);
  }
  return names;
}

Hooks hooks_for(const CompilerCommand& command, const Selection& selection) {
  std::vector<std::string> sources = command.fortran, left_out;
  for (const CompilerCommand::Input& input : command.inputs) sources.push_back(input.path);
  const auto leaves_out = [&](const std::string& source) { return is_left_out(selection, source); };
  std::ranges::copy_if(sources, std::back_inserter(left_out), leaves_out);
  std::erase_if(sources, leaves_out);

  Hooks hooks{{"-g", "-finstrument-functions"}, {}};
  bool any = !sources.empty();
  if (any && !command.inputs.empty()) apply_to_c(command, selection, hooks);
  if (any && excludes_functions(selection) && !command.fortran.empty()) {
    std::vector<std::string> fortran = command.fortran;
    std::erase_if(fortran, leaves_out);
    any = apply_rules(command, selection, fortran, hooks) || fortran.size() < sources.size();
  }
  if (!any) return {};
  for (const std::string& file : left_out)
    for (const std::string& source : sources)
      if (source.find(file) != std::string::npos)
        hooks.remarks.push_back(fmt::format(
            "{}: left out together with {}, as that name is part of this one; compile them by separate commands",
            source, file));
  if (std::ranges::any_of(command.fortran, is_module_source)) left_out.push_back("/andes.f90");
  add_list(hooks.flags, "file", left_out);
  return hooks;
}

std::optional<Ended> run_with(const Hooks& hooks, const std::vector<std::string>& as_written,
                              const CompilerCommand& command, bool quiet) {
  if (hooks.flags.empty()) return std::nullopt;
  const PrivateDirectory directory;
  if (directory.path().empty()) return std::nullopt;
  std::vector<std::string> words = as_written;
  const auto place = words.begin() + long(std::min(command.compiler_words, words.size()));
  words.insert(place, hooks.flags.begin(), hooks.flags.end());
  const std::string out = directory.path() + "/out", err = directory.path() + "/err";
  const Ended ended = run(words, out, err);
  const std::string said = read_file(err).value_or("");
  if (interrupted()) return ended;
  if (!ended.good() || warns_of_hooks(said)) return std::nullopt;
  write_all(STDOUT_FILENO, read_file(out).value_or(""));
  if (!quiet) write_all(STDERR_FILENO, said);
  return ended;
}

} // namespace andes::preprocessor
