#include "postproc/launch/rule_file.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "monitor/rules/rules.h"
#include "common/message.h"

namespace andes {

void check_rule_file(const std::string& path) {
  if (path.empty()) return;
  std::error_code error;
  std::ifstream file(path, std::ios::binary);
  if (!file || std::filesystem::is_directory(path, error))
    refuse("{}: the rules cannot be read; name a file in the setting rules", path);
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  std::vector<rules::Source> sources = rules::shipped_rules();
  sources.push_back({path, text});
  const rules::Compiled compiled = rules::compile(sources);
  if (compiled.errors.empty()) return;
  std::string first = rules::text_of(compiled.errors.front());
  std::replace(first.begin(), first.end(), '\t', ' '); // a column, as for the caret
  std::istringstream lines(first);
  std::string line;
  std::getline(lines, line);
  Refusal refusal(line);
  while (std::getline(lines, line)) refusal.excerpt += printable(line) + '\n';
  throw refusal;
}

} // namespace andes
