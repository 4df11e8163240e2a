#include "postproc/inspect/elf_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include <fmt/format.h>

#include "common/refusal.h"

namespace andes::postproc {

void ElfFile::Close::operator()(const int* file) const {
  ::close(*file);
  delete file;
}

std::optional<ElfFile> ElfFile::open(const std::string& path) {
  elf_version(EV_CURRENT);
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return std::nullopt;
  ElfFile result;
  result.file_.reset(new int(file));
  result.elf_.reset(elf_begin(file, ELF_C_READ, nullptr));
  if (!result.elf_ || elf_kind(result.elf_.get()) != ELF_K_ELF || !gelf_getehdr(result.elf_.get(), &result.header_))
    return std::nullopt;
  result.read_dynamic();
  return result;
}

std::uint64_t ElfFile::loaded_bytes() const {
  std::uint64_t end = header_.e_phoff + std::uint64_t{header_.e_phnum} * header_.e_phentsize;
  for (int i = 0; i < header_.e_phnum; ++i) {
    GElf_Phdr segment;
    if (gelf_getphdr(elf_.get(), i, &segment) && segment.p_type == PT_LOAD)
      end = std::max(end, segment.p_offset + segment.p_filesz);
  }
  return end;
}

std::uint64_t ElfFile::size() const {
  struct stat status;
  return fstat(*file_, &status) == 0 ? static_cast<std::uint64_t>(status.st_size) : 0;
}

std::string ElfFile::interpreter() const {
  std::size_t count = 0;
  elf_getphdrnum(elf_.get(), &count);
  for (std::size_t i = 0; i < count; ++i) {
    GElf_Phdr segment;
    if (!gelf_getphdr(elf_.get(), static_cast<int>(i), &segment) || segment.p_type != PT_INTERP) continue;
    const Elf_Data* data =
        elf_getdata_rawchunk(elf_.get(), static_cast<std::int64_t>(segment.p_offset), segment.p_filesz, ELF_T_BYTE);
    if (!data || !data->d_buf) continue;
    const std::string_view text(static_cast<const char*>(data->d_buf), data->d_size);
    return std::string(text.substr(0, text.find('\0')));
  }
  return "";
}

void ElfFile::for_each_section(const std::function<void(Elf_Scn*, const GElf_Shdr&)>& look) const {
  for (Elf_Scn* section = elf_nextscn(elf_.get(), nullptr); section; section = elf_nextscn(elf_.get(), section)) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header)) look(section, header);
  }
}

void ElfFile::read_dynamic() {
  for_each_section([this](Elf_Scn* section, const GElf_Shdr& header) {
    if (header.sh_type != SHT_DYNAMIC || header.sh_entsize == 0) return;
    Elf_Data* data = elf_getdata(section, nullptr);
    for (std::uint64_t i = 0; data && i < header.sh_size / header.sh_entsize; ++i) {
      GElf_Dyn entry;
      if (!gelf_getdyn(data, static_cast<int>(i), &entry) || entry.d_tag == DT_NULL) break;
      if (entry.d_tag != DT_NEEDED && entry.d_tag != DT_SONAME) continue;
      const char* name = elf_strptr(elf_.get(), header.sh_link, entry.d_un.d_val);
      if (!name) continue;
      if (entry.d_tag == DT_NEEDED) needed_.emplace_back(name);
      else soname_ = name;
    }
  });
}

bool ElfFile::has_section(std::string_view name) const {
  std::size_t names = 0;
  if (elf_getshdrstrndx(elf_.get(), &names) != 0) return false;
  bool found = false;
  for_each_section([&](Elf_Scn*, const GElf_Shdr& header) {
    const char* text = elf_strptr(elf_.get(), names, header.sh_name);
    found = found || (text && name == text);
  });
  return found;
}

bool ElfFile::has_symbol_table() const {
  bool found = false;
  for_each_section([&](Elf_Scn*, const GElf_Shdr& header) { found = found || header.sh_type == SHT_SYMTAB; });
  return found;
}

void ElfFile::for_each_symbol(const std::function<void(const ElfSymbol&)>& look) const {
  const unsigned wanted = has_symbol_table() ? SHT_SYMTAB : SHT_DYNSYM; // the first holds the second
  for_each_section([&](Elf_Scn* section, const GElf_Shdr& header) {
    if (header.sh_type != wanted || header.sh_entsize == 0) return;
    Elf_Data* data = elf_getdata(section, nullptr);
    for (std::uint64_t i = 0; data && i < header.sh_size / header.sh_entsize; ++i) {
      GElf_Sym symbol;
      if (!gelf_getsym(data, static_cast<int>(i), &symbol)) break;
      const char* name = elf_strptr(elf_.get(), header.sh_link, symbol.st_name);
      if (!name) continue;
      const int type = GELF_ST_TYPE(symbol.st_info);
      look({name, symbol.st_shndx != SHN_UNDEF, type == STT_FUNC || type == STT_GNU_IFUNC, symbol.st_value,
            symbol.st_size});
    }
  });
}

bool ElfFile::defines(std::initializer_list<std::string_view> symbols) const {
  bool found = false;
  for_each_symbol([&](const ElfSymbol& one) {
    found = found || (one.defined && std::find(symbols.begin(), symbols.end(), one.name) != symbols.end());
  });
  return found;
}

std::string ElfFile::bytes_at(std::uint64_t address, std::uint64_t size) const {
  std::string bytes;
  for_each_section([&](Elf_Scn* section, const GElf_Shdr& header) {
    if (!bytes.empty() || header.sh_type != SHT_PROGBITS || !(header.sh_flags & SHF_ALLOC)) return;
    if (address < header.sh_addr || size > header.sh_size || address - header.sh_addr > header.sh_size - size) return;
    const Elf_Data* data = elf_getdata(section, nullptr);
    if (data && data->d_buf && data->d_size >= address - header.sh_addr + size)
      bytes.assign(static_cast<const char*>(data->d_buf) + (address - header.sh_addr), size);
  });
  return bytes;
}

std::string machine_name(unsigned machine, int bits) {
  switch (machine) {
  case EM_X86_64: return bits == 64 ? "x86-64" : "x86-64 (x32)";
  case EM_386: return "i386";
  case EM_AARCH64: return "AArch64";
  case EM_ARM: return "ARM";
  case EM_PPC64: return "POWER";
  case EM_RISCV: return bits == 64 ? "RISC-V 64" : "RISC-V 32";
  case EM_S390: return "s390x";
  case EM_LOONGARCH: return "LoongArch";
  default: return fmt::format("another processor (ELF machine {})", machine);
  }
}

const ElfFile& own_program() {
  static const std::optional<ElfFile> file = ElfFile::open("/proc/self/exe");
  if (!file) refuse("/proc/self/exe", "cannot be read", "andes needs a mounted /proc");
  return *file;
}

} // namespace andes::postproc
