#include "preprocessor/plugin/report.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include <fmt/core.h>

#include "preprocessor/decide_blocks.h"
#include "preprocessor/plugin/request.h"
#include "preprocessor/rows.h"

namespace andes::preprocessor::plugin {

void answer(const Regions& regions, const std::string& path, const Decisions& decisions, bool explain) {
  std::string text;
  for (const std::string& line : regions.complaints) text += fmt::format("say {}\n", line);
  for (const std::string& line : unheeded_blocks(regions, decisions, "!$andes")) text += fmt::format("say {}\n", line);
  if (explain)
    for (const Explanation& row : rows_of(regions, path, decisions))
      text += fmt::format("row {}\t{}\t{}\n", row.name, row.place, row.decision);
  const auto probes = std::ranges::count_if(decisions.functions, &Decision::probe);
  text += fmt::format("all {}\t{}\t{}\n", probes, decisions.functions.size(), path);
  const char* const request = std::getenv(request_variable);
  if (!request) return;
  std::ofstream file(std::string(request) + answer_suffix, std::ios::app);
  file << text;
}

} // namespace andes::preprocessor::plugin
