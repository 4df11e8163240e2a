#include "monitor/finish/left_out.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <string_view>
#include <tuple>

namespace andes::monitor {
namespace {

/// A file that is read in parts. It is not mapped: whoever shortens it meanwhile would end the program.
class File {
public:
  explicit File(const char* path) : file_(::open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {}
  ~File() {
    if (file_ >= 0) ::close(file_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  /// Bytes [begin, begin + size); empty if they are not there, or too many.
  std::string part(std::uint64_t begin, std::uint64_t size) const {
    constexpr std::uint64_t most = std::uint64_t{1} << 26;
    if (file_ < 0 || size > most) return {};
    std::string bytes(size, 0);
    for (std::size_t filled = 0; filled < size;) {
      const ssize_t got = ::pread(file_, &bytes[filled], size - filled, static_cast<off_t>(begin + filled));
      if (got <= 0) return {};
      filled += static_cast<std::size_t>(got);
    }
    return bytes;
  }

private:
  int file_;
};

/// A section of an ELF file of this machine's word size; empty: there is none.
std::string section_of(const File& file, std::string_view wanted) {
  ElfW(Ehdr) head;
  const std::string first = file.part(0, sizeof head);
  if (first.size() < sizeof head || first.compare(0, SELFMAG, ELFMAG) != 0) return {};
  std::memcpy(&head, first.data(), sizeof head);
  constexpr unsigned char own_class = sizeof(void*) == 8 ? ELFCLASS64 : ELFCLASS32;
  if (head.e_ident[EI_CLASS] != own_class || head.e_shentsize != sizeof(ElfW(Shdr))) return {};
  const std::string table = file.part(head.e_shoff, std::uint64_t{head.e_shnum} * head.e_shentsize);
  std::vector<ElfW(Shdr)> sections(table.size() / sizeof(ElfW(Shdr)));
  if (sections.empty() || head.e_shstrndx >= sections.size()) return {};
  std::memcpy(sections.data(), table.data(), sections.size() * sizeof sections[0]);
  const std::string names = file.part(sections[head.e_shstrndx].sh_offset, sections[head.e_shstrndx].sh_size);
  for (const ElfW(Shdr) & section : sections) {
    if (section.sh_type == SHT_NOBITS || section.sh_name >= names.size()) continue;
    const std::string_view name = std::string_view(names).substr(section.sh_name);
    if (name.substr(0, name.find('\0')) == wanted) return file.part(section.sh_offset, section.sh_size);
  }
  return {};
}

/// What a visit of a function does in itself and in functions without a probe.
struct Contents {
  double total = 0; // operations
  bool unknown = false;
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
          found.push_back(*module->dlpi_name ? module->dlpi_name : "/proc/self/exe");
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
    const std::string section = section_of(File(module.c_str()), left_out_section);
    for (std::string_view rest = section; !rest.empty();)
      if (const std::string_view text = left_out::next(rest, '\0'); !text.empty()) notes.push_back(note_of(text));
  }
  return notes;
}

std::vector<LeftOutNote> notes_of_build(const std::string& executable, const std::string& hash) {
  constexpr std::size_t head_bytes = 16; // three words and the name "GNU"
  const std::string id = section_of(File(executable.c_str()), ".note.gnu.build-id");
  std::string digits;
  for (const char byte : id.substr(std::min(id.size(), head_bytes), hash.size() / 2)) {
    constexpr const char* hexadecimal = "0123456789abcdef";
    digits += hexadecimal[static_cast<unsigned char>(byte) / 16];
    digits += hexadecimal[static_cast<unsigned char>(byte) % 16];
  }
  return !hash.empty() && digits == hash ? notes_in({executable}) : std::vector<LeftOutNote>();
}

std::vector<LeftOutRow> resolved(const std::vector<LeftOutNote>& notes, const std::vector<RegionRow>& regions) {
  constexpr double least = 0.005;
  std::map<NotedFunction, std::int32_t> region_of;
  for (std::size_t i = 0; i < regions.size(); ++i)
    if (!is_mpi(regions[i]))
      region_of.emplace(NotedFunction{regions[i].name, regions[i].file, static_cast<unsigned>(regions[i].line)},
                        static_cast<std::int32_t>(i));
  Resolving resolving(notes);
  std::vector<LeftOutRow> rows;
  for (const LeftOutNote& note : notes) {
    const auto region = note.has_probe ? region_of.find(note.function) : region_of.end();
    if (region == region_of.end()) continue;
    const Contents contents = resolving.contents_of(note);
    if (!(contents.total > 0) || !std::isfinite(contents.total)) continue; // damaged
    for (const auto& [function, operations] : contents.parts)
      if (operations >= least * contents.total)
        rows.push_back({region->second, function, operations / contents.total, contents.unknown});
    region_of.erase(region); // a header's function may differ between sources: the first counts
  }
  std::sort(rows.begin(), rows.end(), [](const LeftOutRow& a, const LeftOutRow& b) {
    return std::tie(a.region, b.share, a.function) < std::tie(b.region, a.share, b.function);
  });
  return rows;
}

} // namespace andes::monitor
