// Sections: 0, the stamp, .note.GNU-stack, .note.gnu.property, .shstrtab. Layout: header, contents, section table.
#include "preprocessor/stamp_object.h"

#include <bit>
#include <cstdint>
#include <cstring>
#include <elf.h>
#include <fstream>

#include "monitor/interface/build_stamp.h"

namespace andes::preprocessor {
namespace {

constexpr unsigned char byte_order = std::endian::native == std::endian::little ? ELFDATA2LSB : ELFDATA2MSB;

/// Branch protection: an object without code keeps to it, and linkers drop the mark where one object lacks it.
std::string property_note(unsigned machine) {
  const std::uint32_t property = machine == EM_X86_64 ? 0xc0000002 : machine == EM_AARCH64 ? 0xc0000000 : 0;
  if (property == 0) return "";
  constexpr std::uint32_t both = 3;
  const std::uint32_t words[] = {4, 16, NT_GNU_PROPERTY_TYPE_0, 0, property, 4, both, 0};
  std::string note(reinterpret_cast<const char*>(words), sizeof words);
  std::memcpy(&note[12], "GNU", 4);
  return note;
}

class Object {
public:
  Object() : sections_(1), names_(1, '\0'), bytes_(sizeof(Elf64_Ehdr), '\0') {}

  void add(const char* name, std::uint32_t type, std::uint64_t flags, std::uint64_t alignment,
           const std::string& content) {
    bytes_.resize((bytes_.size() + 7) / 8 * 8);
    Elf64_Shdr section{};
    section.sh_name = static_cast<Elf64_Word>(names_.size());
    section.sh_type = type;
    section.sh_flags = flags;
    section.sh_offset = bytes_.size();
    section.sh_addralign = alignment;
    names_ += name;
    names_ += '\0';
    const std::string& whole = type == SHT_STRTAB ? names_ : content;
    section.sh_size = whole.size();
    bytes_ += whole;
    sections_.push_back(section);
  }

  std::string finished(const ObjectKind& kind) {
    add(".shstrtab", SHT_STRTAB, 0, 1, "");
    bytes_.resize((bytes_.size() + 7) / 8 * 8);
    Elf64_Ehdr head{};
    std::memcpy(head.e_ident, ELFMAG, SELFMAG);
    head.e_ident[EI_CLASS] = ELFCLASS64;
    head.e_ident[EI_DATA] = byte_order;
    head.e_ident[EI_VERSION] = EV_CURRENT;
    head.e_ident[EI_OSABI] = kind.abi;
    head.e_type = ET_REL;
    head.e_machine = static_cast<Elf64_Half>(kind.machine);
    head.e_version = EV_CURRENT;
    head.e_flags = kind.flags;
    head.e_shoff = bytes_.size();
    head.e_ehsize = sizeof head;
    head.e_shentsize = sizeof sections_[0];
    head.e_shnum = static_cast<Elf64_Half>(sections_.size());
    head.e_shstrndx = static_cast<Elf64_Half>(sections_.size() - 1);
    std::memcpy(bytes_.data(), &head, sizeof head);
    bytes_.append(reinterpret_cast<const char*>(sections_.data()), sections_.size() * sizeof sections_[0]);
    return bytes_;
  }

private:
  std::vector<Elf64_Shdr> sections_;
  std::string names_, bytes_;
};

} // namespace

std::optional<ObjectKind> kind_of_object(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  Elf64_Ehdr head{};
  if (!file.read(reinterpret_cast<char*>(&head), sizeof head) || std::memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 ||
      head.e_ident[EI_CLASS] != ELFCLASS64 || head.e_ident[EI_DATA] != byte_order || head.e_type != ET_REL)
    return std::nullopt;
  return ObjectKind{head.e_machine, head.e_flags, head.e_ident[EI_OSABI]};
}

ObjectKind own_kind() {
  ObjectKind kind;
  std::ifstream file("/proc/self/exe", std::ios::binary);
  Elf64_Ehdr head{};
  if (file.read(reinterpret_cast<char*>(&head), sizeof head)) kind = {head.e_machine, head.e_flags, 0};
  return kind;
}

std::string stamp_object(const ObjectKind& kind, const std::string& text) {
  Object object;
  object.add(stamp_section, SHT_PROGBITS, 0, 1, text + '\0');
  object.add(".note.GNU-stack", SHT_PROGBITS, 0, 1, "");
  if (const std::string note = property_note(kind.machine); !note.empty())
    object.add(".note.gnu.property", SHT_NOTE, SHF_ALLOC, 8, note);
  return object.finished(kind);
}

} // namespace andes::preprocessor
