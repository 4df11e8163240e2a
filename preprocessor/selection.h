// Selection: what the user wants to see, read from a file of lines `include PATTERN` and
// `exclude PATTERN`, or from Score-P filter blocks. docs/instrumentation.md explains both.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace andes {

struct SelectionRule {
  bool include = false;
  bool of_file = false; // the pattern is for file names, else for function names
  std::string pattern;  // shell wildcards * ? [...]
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

/// What a selection says of a function.
enum class Choice {
  exclude,
  open,    // no rule names it: worth its probe or not, decide says
  include, // named, so it gets a probe whatever its size
};

/// The choice for a function of this name in this file. Patterns with '(' are matched against the
/// whole name, others against the name without its parameter list. Rules for files exclude, or take
/// that back; they name no function.
Choice choose(const Selection& selection, const std::string& function, const std::string& file);

} // namespace andes
