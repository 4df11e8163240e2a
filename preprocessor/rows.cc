#include "preprocessor/rows.h"

#include <ranges>

#include <fmt/core.h>

namespace andes::preprocessor {

std::string in_words(const Decision& decision) {
  return decision.probe ? "instrumented" : "left out: " + decision.reason;
}

std::string in_words(const std::vector<LeftOutShare>& shares, const std::vector<Function>& functions) {
  constexpr std::size_t most = 2;
  std::string text;
  bool unknown = false;
  for (const LeftOutShare& share : shares | std::views::take(most)) {
    text +=
        fmt::format("{}{:.0f} % of {}", text.empty() ? "; about " : ", ", 100 * share.share, functions[share.in].name);
    unknown |= share.unknown_work;
  }
  if (shares.size() > most) text += fmt::format(" and of {} more", shares.size() - most);
  return text + (unknown ? ", not counting libraries" : "");
}

std::string place_of(const std::string& file, unsigned line, const std::string& path) {
  return file == path ? std::to_string(line) : fmt::format("{}:{}", file, line);
}

std::vector<Explanation> rows_of(const Regions& regions, const std::string& path, const Decisions& decisions) {
  std::vector<Explanation> rows;
  const std::vector<std::vector<LeftOutShare>> shares = left_out_shares(regions.functions, decisions.functions);
  const auto place = [&](const auto& region) {
    return region.in == 0 ? std::to_string(region.line) : place_of(region.file, region.line, path);
  };
  for (unsigned i = 0; i < regions.functions.size(); ++i) {
    rows.push_back({regions.functions[i].name, place(regions.functions[i]),
                    in_words(decisions.functions[i]) + in_words(shares[i], regions.functions)});
    for (std::size_t b = 0; b < regions.blocks.size(); ++b)
      if (regions.blocks[b].function == i && (decisions.blocks[b].probe || !decisions.blocks[b].reason.empty()))
        rows.push_back({regions.blocks[b].name, place(regions.blocks[b]), in_words(decisions.blocks[b])});
  }
  return rows;
}

} // namespace andes::preprocessor
