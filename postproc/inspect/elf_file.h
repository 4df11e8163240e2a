// An ELF file (a program, a library), read by libelf: what the commands ask of it. Nothing of it is executed, and
// nothing in it is trusted: what is damaged is absent.
#pragma once
#include <gelf.h>

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace andes::postproc {

struct ElfSymbol {
  std::string_view name; // valid while the file is open
  bool defined = false, function = false;
  std::uint64_t address = 0, size = 0;
};

class ElfFile {
public:
  /// Nothing: the file cannot be read, or is no ELF file.
  static std::optional<ElfFile> open(const std::string& path);

  Elf* handle() const { return elf_.get(); }
  unsigned machine() const { return header_.e_machine; } // EM_...
  int bits() const { return header_.e_ident[EI_CLASS] == ELFCLASS32 ? 32 : 64; }
  bool big_endian() const { return header_.e_ident[EI_DATA] == ELFDATA2MSB; }
  /// Programs, also position-independent ones, and shared libraries; no object files.
  bool is_linked() const { return header_.e_type == ET_EXEC || header_.e_type == ET_DYN; }
  /// How long the file must be for all that the kernel loads of it.
  std::uint64_t loaded_bytes() const;
  std::uint64_t size() const;
  /// The dynamic loader that the program asks for; empty: it is static, or a library.
  std::string interpreter() const;
  /// Libraries that it names itself (DT_NEEDED).
  const std::vector<std::string>& needed() const { return needed_; }
  const std::string& soname() const { return soname_; }
  bool has_section(std::string_view name) const;
  /// Whether the symbols of the linker are there, not those of the dynamic loader alone.
  bool has_symbol_table() const;
  void for_each_symbol(const std::function<void(const ElfSymbol&)>& look) const;
  /// Whether it defines one of these symbols.
  bool defines(std::initializer_list<std::string_view> symbols) const;
  /// Bytes that the file gives this address; empty where it has none.
  std::string bytes_at(std::uint64_t address, std::uint64_t size) const;

private:
  ElfFile() = default;
  void read_dynamic();
  void for_each_section(const std::function<void(Elf_Scn*, const GElf_Shdr&)>& look) const;

  struct Close {
    void operator()(const int* file) const;
    void operator()(Elf* elf) const { elf_end(elf); }
  };
  std::unique_ptr<const int, Close> file_;
  std::unique_ptr<Elf, Close> elf_;
  GElf_Ehdr header_{};
  std::vector<std::string> needed_;
  std::string soname_;
};

/// The processor as people name it: "x86-64", "AArch64".
std::string machine_name(unsigned machine, int bits);

/// Of the file that this process runs.
const ElfFile& own_program();

} // namespace andes::postproc
