#include "postproc/launch/rule_file.h"

#include <fstream>
#include <iterator>

#include "monitor/rules/rules.h"
#include "postproc/launch/message.h"

namespace andes {

void check_rule_file(const std::string& path) {
  if (path.empty()) return;
  std::ifstream file(path, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (!file) refuse("{}: the rules cannot be read; name a file in the setting rules", path);
  std::vector<rules::Source> sources = rules::shipped_rules();
  sources.push_back({path, text});
  const rules::Compiled compiled = rules::compile(sources);
  if (!compiled.errors.empty()) refuse("{}", rules::text_of(compiled.errors.front()));
}

} // namespace andes
