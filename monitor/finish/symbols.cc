#include "monitor/finish/symbols.h"

#include <fcntl.h>
#include <gelf.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>

#include "common/fortran_names.h"
#include "monitor/finish/debug_functions.h"

namespace andes::monitor {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto most_time = std::chrono::seconds(10);

/// An open ELF file.
struct ElfFile {
  int descriptor = -1;
  Elf* elf = nullptr;

  explicit ElfFile(const std::string& path) {
    descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return;
    elf = elf_begin(descriptor, ELF_C_READ_MMAP, nullptr);
    if (elf && elf_kind(elf) == ELF_K_ELF) return;
    elf_end(elf);
    elf = nullptr;
  }
  ~ElfFile() {
    elf_end(elf);
    if (descriptor >= 0) ::close(descriptor);
  }
  ElfFile(const ElfFile&) = delete;
  ElfFile& operator=(const ElfFile&) = delete;
  explicit operator bool() const { return elf != nullptr; }
};

/// The content of a section; empty if there is none.
std::string_view section(Elf* elf, const char* wanted) {
  std::size_t names = 0;
  if (elf_getshdrstrndx(elf, &names) != 0) return {};
  for (Elf_Scn* at = nullptr; (at = elf_nextscn(elf, at));) {
    GElf_Shdr header;
    if (!gelf_getshdr(at, &header) || header.sh_type == SHT_NOBITS) continue;
    const char* name = elf_strptr(elf, names, header.sh_name);
    if (!name || std::strcmp(name, wanted) != 0) continue;
    const Elf_Data* data = elf_rawdata(at, nullptr);
    if (data && data->d_buf) return {static_cast<const char*>(data->d_buf), data->d_size};
  }
  return {};
}

/// The possible paths of separate debug files for `path`.
std::vector<std::string> separate_files(Elf* elf, const std::string& path) {
  std::vector<std::string> files;
  const void* id = nullptr;
  const std::string_view note = section(elf, ".note.gnu.build-id");
  if (note.size() > 16) { // the header, and the name "GNU" with its zero
    id = note.data() + 16;
    std::string hex;
    for (std::size_t i = 0; i + 16 < note.size(); ++i) {
      char digits[3];
      std::snprintf(digits, sizeof digits, "%02x", static_cast<const unsigned char*>(id)[i]);
      hex += digits;
    }
    if (hex.size() > 2)
      files.push_back("/usr/lib/debug/.build-id/" + hex.substr(0, 2) + "/" + hex.substr(2) + ".debug");
  }
  const std::string_view link = section(elf, ".gnu_debuglink");
  if (const std::size_t end = link.find('\0'); end != 0 && end != std::string_view::npos) {
    const std::string name(link.substr(0, end)), folder = std::filesystem::path(path).parent_path();
    files.push_back(folder + "/" + name);
    files.push_back(folder + "/.debug/" + name);
    files.push_back("/usr/lib/debug" + folder + "/" + name);
  }
  std::erase(files, path);
  return files;
}

std::vector<char> build_id(Elf* elf) {
  const std::string_view note = section(elf, ".note.gnu.build-id");
  return {note.begin(), note.end()};
}

struct Symbol {
  std::uint64_t begin, bytes;
  const char* name;
};

/// Functions of the symbol table by address: of the full symbol table, else of the dynamic one.
std::vector<Symbol> symbols_in(Elf* elf) {
  std::vector<Symbol> symbols;
  for (const std::uint32_t type : {SHT_SYMTAB, SHT_DYNSYM}) {
    for (Elf_Scn* at = nullptr; (at = elf_nextscn(elf, at));) {
      GElf_Shdr header;
      if (!gelf_getshdr(at, &header) || header.sh_type != type || header.sh_entsize == 0) continue;
      Elf_Data* data = elf_getdata(at, nullptr);
      for (std::uint64_t i = 0; data && i < header.sh_size / header.sh_entsize; ++i) {
        GElf_Sym symbol;
        if (!gelf_getsym(data, static_cast<int>(i), &symbol) || symbol.st_shndx == SHN_UNDEF ||
            GELF_ST_TYPE(symbol.st_info) != STT_FUNC)
          continue;
        if (const char* name = elf_strptr(elf, header.sh_link, symbol.st_name))
          symbols.push_back({symbol.st_value, symbol.st_size, name});
      }
    }
    if (!symbols.empty()) break;
  }
  std::stable_sort(symbols.begin(), symbols.end(), [](const Symbol& a, const Symbol& b) { return a.begin < b.begin; });
  return symbols;
}

/// A file with code; only the parts that its addresses need are read.
class Module {
public:
  Module(const std::string& path, Clock::time_point deadline) : file_(path) {
    if (!file_) return;
    debug_.emplace(file_.elf, deadline);
    if (debug_->any()) return;
    const std::vector<char> id = build_id(file_.elf);
    for (const std::string& other : separate_files(file_.elf, path)) {
      auto apart = std::make_unique<ElfFile>(other);
      if (!*apart || build_id(apart->elf) != id) continue;
      debug_.emplace(apart->elf, deadline);
      apart_ = std::move(apart);
      if (debug_->any()) return;
    }
  }
  ~Module() { debug_.reset(); }
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;

  SourcePlace place_of(const CodeAddress& address) {
    if (!file_) return bare_place(address);
    SourcePlace place = address.is_call ? debug_->call(address.offset - 1) : debug_->function(address.offset);
    if (place.name.empty()) take_symbol_at(address.offset - (address.is_call ? 1 : 0), place);
    if (place.name.empty()) place.name = bare_place(address).name;
    return place;
  }

  FileScopes scopes_of(std::vector<std::uint64_t> addresses) {
    return debug_ && debug_->any() ? debug_->scopes(std::move(addresses)) : FileScopes{};
  }

private:
  void take_symbol_at(std::uint64_t offset, SourcePlace& place) {
    if (!symbols_) {
      symbols_ = symbols_in(file_.elf);
      if (apart_)
        if (std::vector<Symbol> more = symbols_in(apart_->elf); more.size() > symbols_->size())
          symbols_ = std::move(more);
    }
    auto next = std::upper_bound(symbols_->begin(), symbols_->end(), offset,
                                 [](std::uint64_t at, const Symbol& s) { return at < s.begin; });
    if (next == symbols_->begin()) return;
    const Symbol& symbol = *--next;
    if (symbol.bytes != 0 && offset >= symbol.begin + symbol.bytes) return;
    place.name = name_of_symbol(symbol.name);
    place.is_written = !is_made_by_gfortran(symbol);
  }

  /// Also `main` of a Fortran program, which calls MAIN__.
  bool is_made_by_gfortran(const Symbol& symbol) const {
    const std::string name = symbol.name, of_module = "_MOD_";
    if (const std::size_t at = name.find(of_module); at != std::string::npos)
      return andes::is_made_by_gfortran(name.substr(at + of_module.size()));
    if (name != "main") return name.starts_with("master.") && andes::is_made_by_gfortran(name);
    return std::any_of(symbols_->begin(), symbols_->end(),
                       [](const Symbol& one) { return std::strcmp(one.name, "MAIN__") == 0; });
  }

  ElfFile file_;
  std::unique_ptr<ElfFile> apart_;
  std::optional<DebugFunctions> debug_;
  std::optional<std::vector<Symbol>> symbols_;
};

} // namespace

void find_names(Names& names) {
  elf_version(EV_CURRENT);
  const auto deadline = Clock::now() + most_time;
  std::optional<Module> module;
  const std::string* path = nullptr;
  for (auto& [address, place] : names) { // addresses of one module stand together
    if (!path || *path != address.module) {
      module.emplace(address.module, deadline);
      path = &address.module;
    }
    place = module->place_of(address);
  }
}

FileScopes find_scopes(const ScopeQuestion& question) {
  elf_version(EV_CURRENT);
  Module module(question.path, Clock::now() + std::chrono::nanoseconds(question.most_ns));
  return module.scopes_of(question.addresses);
}

} // namespace andes::monitor

extern "C" __attribute__((visibility("default"))) void andes_find_names(const char* bytes, std::size_t count,
                                                                        void (*take)(void* into, const char* bytes,
                                                                                     std::size_t count),
                                                                        void* into) try {
  andes::monitor::Names names;
  andes::monitor::unpack(andes::monitor::Parcel(bytes, count), names);
  andes::monitor::find_names(names);
  const andes::monitor::Parcel found = andes::monitor::packed(names);
  take(into, found.data(), found.size());
} catch (const std::exception&) {
  return; // memory is short: addresses keep their numbers
}

extern "C" __attribute__((visibility("default"))) void andes_find_scopes(const char* bytes, std::size_t count,
                                                                         void (*take)(void* into, const char* bytes,
                                                                                      std::size_t count),
                                                                         void* into) try {
  using namespace andes::monitor;
  const Parcel found = packed(find_scopes(question_in(Parcel(bytes, count))));
  take(into, found.data(), found.size());
} catch (const std::exception&) {
  return; // memory is short: nothing is known
}
