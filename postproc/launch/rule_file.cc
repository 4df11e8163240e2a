#include "postproc/launch/rule_file.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "common/message.h"
#include "common/settings.h"
#include "monitor/rules/rules.h"

namespace andes::postproc {

void check_rule_file(const std::string& path, const std::string& events) {
  if (path.empty()) return;
  std::error_code error;
  std::ifstream file(path, std::ios::binary);
  if (!file || std::filesystem::is_directory(path, error))
    refuse(path, "the rules cannot be read", "give a readable file in the setting rules");
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  std::vector<monitor::rules::Source> sources = monitor::rules::shipped_rules();
  sources.push_back({path, text});
  const monitor::rules::Compiled compiled = monitor::rules::compile(sources);
  if (compiled.errors.empty()) {
    const auto missing = monitor::rules::unlogged_type(compiled.program, words_of(events));
    if (!missing) return;
    if (!missing->left_out_by.empty())
      refuse(path, fmt::format("its rules read {}, which setting events leaves out of the log", missing->type),
             fmt::format("take {} out of the setting", missing->left_out_by));
    refuse(path, fmt::format("its rules read {}, which are not in the log", missing->type),
           fmt::format("add --set events={}{}{}", events, events.empty() ? "" : ",", missing->type));
  }
  const monitor::rules::Diagnostic& first = compiled.errors.front();
  const std::size_t remedy = first.message.find("; ");
  Refusal refusal(fmt::format("{}:{}:{}", first.file, first.line, first.column), first.message.substr(0, remedy),
                  remedy == std::string::npos ? "correct the rule" : first.message.substr(remedy + 2));
  std::string text_at_fault = monitor::rules::text_of(first);
  std::replace(text_at_fault.begin(), text_at_fault.end(), '\t', ' '); // a column, as for the caret
  std::istringstream lines(text_at_fault);
  std::string line;
  std::getline(lines, line); // the message
  while (std::getline(lines, line)) refusal.excerpt += printable(line) + '\n';
  throw refusal;
}

} // namespace andes::postproc
