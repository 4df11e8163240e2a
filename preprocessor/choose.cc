// Applying selections, and handing them to another program: the plug-in for GCC, which is told of rules by lines of one
// sign (+ or -), one letter (of what the pattern is) and the pattern.
#include <fnmatch.h>

#include <algorithm>
#include <filesystem>

#include "monitor/interface/selection_line.h"
#include "preprocessor/selection.h"

namespace andes::preprocessor {
namespace {

bool fits(const SelectionRule& rule, const std::string& subject) {
  return fnmatch(rule.pattern.c_str(), subject.c_str(), 0) == 0;
}

bool fits_name(const SelectionRule& rule, const std::string& name) {
  return fits(rule, rule.pattern.find('(') == std::string::npos ? without_parameters(name) : name);
}

bool fits_file(const SelectionRule& rule, const std::string& file) {
  if (fits(rule, file)) return true;
  std::error_code error;
  const std::filesystem::path full = std::filesystem::absolute(file, error);
  return !error && fits(rule, full.lexically_normal().string());
}

} // namespace

Choice choose(const Selection& selection, const std::vector<std::string>& names, const std::string& file,
              const std::vector<std::string>& mangled) {
  Choice choice = Choice::open;
  bool by_file = true;
  for (const SelectionRule& rule : selection.rules) {
    if (rule.of_file) {
      if (fits_file(rule, file)) by_file = rule.include;
      continue;
    }
    const auto one = [&](const std::string& name) { return rule.mangled ? fits(rule, name) : fits_name(rule, name); };
    if (std::ranges::any_of(rule.mangled ? mangled : names, one))
      choice = rule.include ? Choice::include : Choice::exclude;
  }
  return by_file ? choice : Choice::exclude;
}

Choice choose(const Selection& selection, const std::string& name, const std::string& file) {
  return choose(selection, std::vector{name}, file);
}

bool selects_nothing(const Selection& selection, const std::string& file) {
  bool no_name = false, no_file = false;
  for (const SelectionRule& rule : selection.rules) {
    const bool all = rule.pattern == "*" && !rule.mangled;
    if (!rule.of_file) no_name = !rule.include && (no_name || all);
    else if (rule.include) no_file = no_file && !file.empty() && !fits_file(rule, file);
    else no_file = no_file || all || (!file.empty() && fits_file(rule, file));
  }
  return no_name || no_file;
}

bool wants_mangled_names(const Selection& selection) {
  return std::ranges::any_of(selection.rules, &SelectionRule::mangled);
}

std::string lines_of(const Selection& selection) {
  std::string lines;
  for (const SelectionRule& rule : selection.rules) {
    lines += rule.include ? '+' : '-';
    lines += rule.of_file ? 'f' : rule.mangled ? 'm' : 'n';
    lines += rule.pattern + '\n';
  }
  return lines;
}

Selection selection_of(std::string_view lines) {
  Selection selection;
  while (!lines.empty()) {
    const std::size_t end = std::min(lines.find('\n'), lines.size());
    const std::string_view line = lines.substr(0, end);
    lines.remove_prefix(std::min(end + 1, lines.size()));
    if (line.size() > 2)
      selection.rules.push_back({line[0] == '+', line[1] == 'f', std::string(line.substr(2)), line[1] == 'm'});
  }
  return selection;
}

} // namespace andes::preprocessor
