#include "monitor/finish/left_out.h"

#include <link.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string_view>
#include <tuple>

#include "monitor/finish/elf_section.h"

namespace andes::monitor {
namespace {

/// What a visit of a function does in itself and in functions without a probe.
struct Contents {
  double total = 0; // operations
  bool unknown = false, waits = false;
  std::map<NotedFunction, double> parts;
};

/// Follows calls of functions of other sources.
class Resolving {
public:
  explicit Resolving(const std::vector<LeftOutNote>& notes) {
    for (const LeftOutNote& note : notes)
      if (!note.has_probe) by_linked_.emplace(note.linked, &note);
  }

  Contents contents_of(const LeftOutNote& note) {
    Contents contents;
    contents.total = note.operations;
    add(note, 1, contents);
    return contents;
  }

private:
  void add(const LeftOutNote& note, double times, Contents& contents) {
    constexpr std::size_t deepest = 16; // calls of other sources; beyond them, as in a recursion, nothing is added
    contents.unknown |= note.unknown;
    for (const LeftOutNote::Part& part : note.parts) {
      contents.parts[part.function] += times * part.operations;
      contents.total += times * part.operations;
    }
    if (open_.size() == deepest) return;
    open_.push_back(&note);
    for (const LeftOutNote::FarCall& call : note.far_calls) {
      contents.waits |= call.linked == waiting_call;
      const auto found = by_linked_.find(call.linked);
      if (found == by_linked_.end() || std::find(open_.begin(), open_.end(), found->second) != open_.end()) continue;
      const LeftOutNote& callee = *found->second;
      contents.parts[callee.function] += times * call.times * callee.operations;
      contents.total += times * call.times * callee.operations;
      add(callee, times * call.times, contents);
    }
    open_.pop_back();
  }

  std::map<std::string_view, const LeftOutNote*> by_linked_; // without a probe
  std::vector<const LeftOutNote*> open_;
};

} // namespace

std::vector<std::string> modules_with_sites(const Process& process) {
  std::vector<std::uintptr_t> sites;
  for (std::uint32_t i = first_free_region; i < process.registry.count; ++i)
    for_each_site(process.windows.sites, process.registry.regions[i],
                  [&](const andes_site& site) { sites.push_back(reinterpret_cast<std::uintptr_t>(&site)); });
  std::sort(sites.begin(), sites.end());
  struct Search {
    const std::vector<std::uintptr_t>& sites;
    std::vector<std::string> found;
  } search{sites, {}};
  dl_iterate_phdr(
      [](dl_phdr_info* module, std::size_t, void* into) {
        auto& [all, found] = *static_cast<Search*>(into);
        for (int i = 0; i < module->dlpi_phnum; ++i) {
          const ElfW(Phdr)& segment = module->dlpi_phdr[i];
          if (segment.p_type != PT_LOAD) continue;
          const std::uintptr_t begin = module->dlpi_addr + segment.p_vaddr;
          const auto site = std::lower_bound(all.begin(), all.end(), begin);
          if (site == all.end() || *site >= begin + segment.p_memsz) continue;
          found.push_back(*module->dlpi_name ? module->dlpi_name : own_program);
          return 0;
        }
        return 0;
      },
      &search);
  return search.found;
}

std::vector<LeftOutNote> notes_in(const std::vector<std::string>& modules) {
  std::vector<LeftOutNote> notes;
  for (const std::string& module : modules) {
    const std::string section = section_of(module, left_out_section);
    for (std::string_view rest = section; !rest.empty();)
      if (const std::string_view text = left_out::next(rest, '\0'); !text.empty()) notes.push_back(note_of(text));
  }
  return notes;
}

bool is_of_build(const std::string& executable, const std::string& hash) {
  constexpr std::size_t head_bytes = 16; // three words and the name "GNU"
  const std::string id = section_of(executable, ".note.gnu.build-id");
  std::string digits;
  for (const char byte : id.substr(std::min(id.size(), head_bytes), hash.size() / 2)) {
    constexpr const char* hexadecimal = "0123456789abcdef";
    digits += hexadecimal[static_cast<unsigned char>(byte) / 16];
    digits += hexadecimal[static_cast<unsigned char>(byte) % 16];
  }
  return !hash.empty() && digits == hash;
}

std::vector<LeftOutNote> notes_of_build(const std::string& executable, const std::string& hash) {
  return is_of_build(executable, hash) ? notes_in({executable}) : std::vector<LeftOutNote>();
}

NotedFunction function_of(const RegionRow& region) {
  return {region.name, region.file, static_cast<unsigned>(region.line)};
}

void sort_rows(std::vector<LeftOutRow>& rows) {
  std::sort(rows.begin(), rows.end(), [](const LeftOutRow& a, const LeftOutRow& b) {
    return std::tie(a.region, b.share, a.function) < std::tie(b.region, a.share, b.function);
  });
}

std::vector<NotedFunction> without_probe(const std::vector<LeftOutNote>& notes) {
  std::set<NotedFunction> functions;
  for (const LeftOutNote& note : notes) {
    if (!note.has_probe) functions.insert(note.function);
    for (const LeftOutNote::Part& part : note.parts) functions.insert(part.function);
  }
  for (const LeftOutNote& note : notes)
    if (note.has_probe) functions.erase(note.function);
  return {functions.begin(), functions.end()};
}

std::vector<LeftOutRow> resolved(const std::vector<LeftOutNote>& notes, const std::vector<RegionRow>& regions) {
  std::map<NotedFunction, std::int32_t> region_of;
  for (std::size_t i = 0; i < regions.size(); ++i)
    if (!is_mpi(regions[i])) region_of.emplace(function_of(regions[i]), static_cast<std::int32_t>(i));
  Resolving resolving(notes);
  std::vector<LeftOutRow> rows;
  for (const LeftOutNote& note : notes) {
    const auto region = note.has_probe ? region_of.find(note.function) : region_of.end();
    if (region == region_of.end()) continue;
    const Contents contents = resolving.contents_of(note);
    if (contents.waits || !(contents.total > 0) || !std::isfinite(contents.total)) continue; // or damaged
    for (const auto& [function, operations] : contents.parts)
      if (operations >= least_share * contents.total)
        rows.push_back({region->second, function, operations / contents.total, contents.unknown});
    region_of.erase(region); // a header's function may differ between sources: the first counts
  }
  sort_rows(rows);
  return rows;
}

} // namespace andes::monitor
