#include "postproc/view/columns/message_sizes.h"

#include <fmt/format.h>

namespace andes::postproc::columns {
namespace {

/// Powers of two, as classes of sizes begin with.
std::string power_text(double bytes) {
  constexpr const char* units[] = {"B", "KiB", "MiB", "GiB"};
  int unit = 0;
  while (bytes >= 1024 && unit < 3) bytes /= 1024, ++unit;
  return fmt::format("{} {}", bytes, units[unit]);
}

} // namespace

std::string protocol_text(Protocol protocol) {
  switch (protocol) {
  case Protocol::eager: return "eager";
  case Protocol::rendezvous: return "rendezvous";
  case Protocol::either: return "either";
  case Protocol::unknown: break;
  }
  return {};
}

Value sizes_value(const SizeCounts& sizes) {
  if (sizes.empty()) return {};
  Json list = Json::array();
  for (const SizeCount& count : sizes) {
    Json& one = list.emplace_back(Json{{"at_least", count_json(count.at_least)}});
    if (count.below) one["below"] = count_json(*count.below);
    one["messages"] = count_json(count.messages);
    set(one, "protocol", protocol_text(count.protocol));
  }
  return list;
}

std::string size_text(const SizeCount& count) {
  if (!count.below) return power_text(count.at_least) + " ..";
  if (*count.below == count.at_least + 1) return power_text(count.at_least);
  return power_text(count.at_least) + " .. " + power_text(*count.below);
}

std::string group_title(const std::string& kind) {
  if (kind == "exchange") return "all to all";
  if (kind == "source") return "one to all";
  if (kind == "destination") return "all to one";
  return kind == "io" ? "i/o" : kind;
}

} // namespace andes::postproc::columns
