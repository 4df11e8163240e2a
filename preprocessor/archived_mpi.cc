#include "preprocessor/archived_mpi.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <filesystem>
#include <map>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "common/message.h"
#include "monitor/interface/archived_mpi.h"
#include "preprocessor/file_symbols.h"
#include "preprocessor/own_libraries.h"
#include "preprocessor/process.h"

namespace andes::preprocessor {
namespace {

using Names = std::set<std::string>;

bool has_bytes(const std::string& path, std::string_view wanted) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat status;
  bool found = false;
  if (file >= 0 && fstat(file, &status) == 0 && status.st_size > 0) {
    void* const bytes = mmap(nullptr, std::size_t(status.st_size), PROT_READ, MAP_PRIVATE, file, 0);
    if (bytes != MAP_FAILED) {
      found = memmem(bytes, std::size_t(status.st_size), wanted.data(), wanted.size()) != nullptr;
      munmap(bytes, std::size_t(status.st_size));
    }
  }
  if (file >= 0) close(file);
  return found;
}

/// Whether the file has a name in it that begins with PMPI_, as programs have that link the library itself, and tools.
/// Asked of what each link has made: most can be let go at once.
bool names_profiling_mpi(const std::string& path) { return has_bytes(path, std::string_view("\0PMPI_", 6)); }

bool strips_symbols(const std::string& word) { return word == "-s" || word == "-Wl,-s" || word == "-Wl,--strip-all"; }

/// The program as the same link makes it with its symbols; empty: it has no MPI in it. The name of the communicator is
/// in every MPI library, and hardly in a program that has none in itself.
std::string with_symbols(std::vector<std::string> words, const std::string& program, const std::string& place) {
  if (!has_bytes(program, std::string_view("\0MPI_COMM_WORLD\0", 16))) return "";
  words = without_outputs(words);
  std::erase_if(words, strips_symbols);
  std::string path = place + "/with_symbols";
  words.insert(words.end(), {"-o", path});
  return run(words, "/dev/null", "/dev/null").good() ? path : "";
}

/// MPI_, and MPIX_ of extensions; in Fortran in small letters, too.
bool begins_as_mpi(std::string_view name) {
  constexpr std::string_view begins[] = {"MPI_", "mpi_", "MPIX_", "mpix_"};
  return std::ranges::any_of(begins, [name](std::string_view one) { return name.starts_with(one); });
}

/// MPI_Send and not MPI_SEND, which is a name of Fortran.
bool is_of_c(const std::string& name) {
  const std::size_t verb = name.find('_') + 1;
  return name[0] == 'M' && verb + 1 < name.size() && std::islower(static_cast<unsigned char>(name[verb + 1]));
}

/// Functions of MPI that the program has in itself: those with a profiling name, and those of the module mpi_f08, whose
/// profiling names are each library's own. In C both names are one function, unless a tool in the program stands before
/// MPI, which then stays there.
Names functions_of_mpi(const std::map<std::string, std::uint64_t>& defined) {
  Names names;
  for (const auto& [name, address] : defined) {
    if (!begins_as_mpi(name)) continue;
    const auto profiling = defined.find((name[0] == 'M' ? "P" : "p") + name);
    const bool has_profiling = profiling != defined.end() && (!is_of_c(name) || profiling->second == address);
    if (has_profiling || name.ends_with("_f08_") || name.ends_with("_f08_large_")) names.insert(name);
  }
  return names;
}

/// What a wrapper library takes of MPI, where it is there: the linker lets names go that nothing defines.
Names needed_by(const std::string& library) {
  Names names;
  for (const FileSymbol& symbol : symbols_of(library)) {
    const std::string_view name = std::string_view(symbol.name).substr(0, symbol.name.find('@'));
    // Names of functions, and of Open MPI's variables (ompi_).
    const bool is_of_mpi = begins_as_mpi(name) || (!name.empty() && begins_as_mpi(name.substr(1)));
    if (!symbol.defined && is_of_mpi) names.emplace(name);
  }
  return names;
}

struct Wrappers {
  std::string file; // its name
  Names needed;
};

constexpr const char* of_open_mpi = "ompi_mpi_comm_world";

/// Whether the program's MPI is of a family that wrapper libraries are built for. Others have other handles, also those
/// that packages bring for runs on one rank.
bool is_of_known_family(const std::map<std::string, std::uint64_t>& defined) {
  const auto of_mpich = defined.lower_bound("MPIR_");
  return defined.contains(of_open_mpi) || (of_mpich != defined.end() && of_mpich->first.starts_with("MPIR_"));
}

/// The wrapper library for the program's MPI; empty: none was built. Libraries of one family understand each other.
Wrappers wrappers_for(const std::map<std::string, std::uint64_t>& defined) {
  std::error_code none;
  std::set<std::filesystem::path> libraries;
  for (const auto& entry : std::filesystem::directory_iterator(own_library(""), none))
    if (entry.path().filename().string().ends_with("-archived.so")) libraries.insert(entry.path());
  for (const std::filesystem::path& library : libraries) {
    Names needed = needed_by(library);
    if (needed.contains(of_open_mpi) == defined.contains(of_open_mpi)) return {library.filename(), std::move(needed)};
  }
  return {};
}

/// A jump in front of one function, and its line of the table.
constexpr const char* jump_text = R"(
        .macro JUMP name
        .text
        .globl __wrap_\name
        .hidden __wrap_\name
        .type __wrap_\name, %function
        .p2align 4
__wrap_\name:
        .cfi_startproc
#ifdef __aarch64__
        bti c
        adrp x16, andes_slot_\name
        ldr x16, [x16, :lo12:andes_slot_\name]
        br x16
#else
        endbr64
        jmp *andes_slot_\name(%rip)
#endif
        .cfi_endproc
        .size __wrap_\name, . - __wrap_\name
        .data
        .p2align 3
andes_slot_\name:
        .quad __real_\name
        .section .rodata
andes_name_\name:
        .asciz "\name"
        .section .data.rel.ro, "aw"
        .quad andes_name_\name, andes_slot_\name, __real_\name
        .endm

        .section .data.rel.ro, "aw"
        .p2align 3
        .globl andes_archived_mpi
        .type andes_archived_mpi, %object
        .size andes_archived_mpi, 24
andes_archived_mpi:
)";

std::string table_text(const Names& functions, const std::string& wrappers) {
  std::string text = jump_text;
  text += fmt::format("        .long {}, {}\n        .quad andes_archived_wrappers, andes_archived_calls\n"
                      "        .section .rodata\nandes_archived_wrappers:\n        .asciz \"{}\"\n"
                      "        .section .data.rel.ro, \"aw\"\nandes_archived_calls:\n",
                      archived_mpi_version, functions.size(), wrappers);
  for (const std::string& name : functions) text += "        JUMP " + name + "\n";
  return text + "        .section .note.GNU-stack, \"\", %progbits\n";
}

/// What the linker is told: the calls that go through a jump, and all that the wrappers call.
std::string linker_options(const Names& functions, const Names& needed) {
  std::string text = fmt::format("-u {}\n", archived_mpi_symbol);
  for (const std::string& name : functions) text += "--wrap=" + name + "\n";
  for (const std::string& name : needed) text += "-u " + name + "\n";
  return text;
}

/// Variables and functions are looked up by name, too (monitor/mpi/eager_limits.h).
std::string exported_names(const Names& needed) {
  std::string text = fmt::format("{{\n{};\nPMPI_*;\npmpi_*;\nMPIR_*;\nmca_*;\n", archived_mpi_symbol);
  for (const std::string& name : needed) text += name + ";\n";
  return text + "};\n";
}

/// Parts of the C library, which cannot be linked from archives beside the shared one.
bool is_of_c_library(const std::string& word) {
  constexpr const char* parts[] = {"-lc", "-lm", "-lmvec", "-lpthread", "-ldl", "-lrt", "-lresolv", "-lutil", "-lanl"};
  return std::ranges::find(parts, word) != std::end(parts);
}

bool is_static(const std::string& word) { return word == "-static" || word == "--static" || word == "-static-pie"; }

} // namespace

std::optional<std::vector<std::string>> link_for_archived_mpi(const std::vector<std::string>& words,
                                                              std::size_t compiler_words, const std::string& program,
                                                              const std::string& place) {
  const std::string looked_at =
      std::ranges::any_of(words, strips_symbols) ? with_symbols(words, program, place) : program;
  if (looked_at.empty() || !names_profiling_mpi(looked_at)) return std::nullopt;
  std::map<std::string, std::uint64_t> defined;
  for (const FileSymbol& symbol : symbols_of(looked_at))
    if (symbol.defined) defined.emplace(symbol.name, symbol.address);
  const Names functions = functions_of_mpi(defined);
  if (functions.empty() || !is_of_known_family(defined)) return std::nullopt;
  const Wrappers wrappers = wrappers_for(defined);
  if (wrappers.file.empty()) {
    say("{}: its MPI is linked from archives, and no wrapper library was built for it: MPI will not be measured; build "
        "andes with --mpi MPICC",
        program);
    return std::nullopt;
  }
  const std::string table = place + "/archived_mpi.S", options = place + "/archived_mpi.link",
                    exports = place + "/archived_mpi.list";
  if (!write_file(table, table_text(functions, wrappers.file)) ||
      !write_file(options, linker_options(functions, wrappers.needed)) ||
      !write_file(exports, exported_names(wrappers.needed)))
    return std::nullopt;
  // Before all archives, which are searched once, in order.
  std::vector<std::string> again(words.begin(), words.begin() + long(compiler_words));
  again.insert(again.end(), {table, "-Wl,@" + options, "-Wl,--dynamic-list=" + exports});
  const auto rest = words.begin() + long(compiler_words);
  if (!links_statically(words)) {
    again.insert(again.end(), rest, words.end());
    return again;
  }
  again.push_back("-Wl,-Bstatic");
  for (auto word = rest; word != words.end(); ++word) {
    if (is_of_c_library(*word)) again.insert(again.end(), {"-Wl,-Bdynamic", *word, "-Wl,-Bstatic"});
    else if (!is_static(*word)) again.push_back(*word);
  }
  again.push_back("-Wl,-Bdynamic"); // the compiler adds the C library behind all words
  return again;
}

bool links_statically(const std::vector<std::string>& words) { return std::ranges::any_of(words, is_static); }

} // namespace andes::preprocessor
