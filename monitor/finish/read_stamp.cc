#include "monitor/finish/read_stamp.h"

#include <set>

#include "monitor/finish/elf_section.h"

namespace andes::monitor {
namespace {

/// The flags of all objects: each set of them once, separated by semicolons.
std::string joined_flags(std::string_view section) {
  constexpr std::size_t most = 4; // sets that are named
  std::set<std::string_view> sets;
  while (!section.empty()) {
    const std::string_view text = section.substr(0, section.find('\0'));
    section.remove_prefix(text.size() < section.size() ? text.size() + 1 : section.size());
    if (!text.empty()) sets.insert(text);
  }
  std::string joined;
  std::size_t named = 0;
  for (const std::string_view one : sets) {
    if (named++ == most) break;
    joined.append(joined.empty() ? "" : "; ").append(one);
  }
  if (sets.size() > most) joined += "; and " + std::to_string(sets.size() - most) + " more";
  return joined;
}

} // namespace

BuildStamp stamp_in(const std::vector<std::string>& files) {
  for (const std::string& file : files) {
    const std::string section = section_of(file, stamp_section);
    if (section.empty()) continue;
    BuildStamp stamp = stamp_of(section);
    if (std::string flags = joined_flags(section_of(file, flags_section)); !flags.empty()) stamp.flags = flags;
    return stamp;
  }
  return {};
}

} // namespace andes::monitor
