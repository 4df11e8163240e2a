#include "monitor/finish/elf_section.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <vector>

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

} // namespace

std::string section_of(const std::string& path, std::string_view wanted) {
  const File file(path.c_str());
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

} // namespace andes::monitor
