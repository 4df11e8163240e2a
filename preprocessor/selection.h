// Selection: the regions that the user wants, read from a file of lines `include PATTERN` and
// `exclude PATTERN` (of functions, of files, of mangled names), or from Score-P filter blocks.
// docs/instrumentation.md explains both, decision 63 how they combine with the default.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace andes::preprocessor {

struct SelectionRule {
  bool include = false;
  bool of_file = false; // the pattern is for file names, else for function names
  std::string pattern;  // shell wildcards * ? [...] [!...], \ before a literal character
  bool mangled = false; // for linker names
};

/// Rules in the order of the file: the last one that matches decides.
struct Selection {
  std::vector<SelectionRule> rules;
};

/// Reads the text of a selection file; `name` is for messages. Throws Refusal.
Selection parse_selection(std::string_view text, const std::string& name);

/// The selection of `--select`: "all", which includes everything by name, "default", which has no
/// rule, or a file. Throws Refusal.
Selection load_selection(const std::string& argument);

/// A selection's choice for a function.
enum class Choice {
  exclude,
  open,    // no rule names it: decide() judges whether a probe is worthwhile
  include, // named, so it gets a probe whatever its size
};

/// The choice for a region with these names in this file: for a function its name in call trees and the
/// name with parameters, for a loop its own name and its function's. Patterns with '(' are matched against
/// whole names, others against names without their parameter list; those for mangled names against
/// `mangled`. Rules for files only exclude, or take an exclusion back; they name no function; they are matched
/// against the name as given and against the full path.
Choice choose(const Selection& selection, const std::vector<std::string>& names, const std::string& file,
              const std::vector<std::string>& mangled = {});

/// The same for a region of one name.
Choice choose(const Selection& selection, const std::string& name, const std::string& file);

/// Whether no function of this file can be chosen, whatever its name; of no file at all if `file` is
/// empty.
bool selects_nothing(const Selection& selection, const std::string& file = "");

/// Whether a rule asks for mangled names.
bool wants_mangled_names(const Selection& selection);

/// The rules for another program of andes, a line each; no pattern has an end of line in it.
std::string lines_of(const Selection& selection);

/// The reverse.
Selection selection_of(std::string_view lines);

} // namespace andes::preprocessor
