#include "postproc/inspect/built_program.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <sys/stat.h>
#include <sys/xattr.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <iterator>
#include <set>

#include "monitor/interface/left_out.h"
#include "monitor/interface/probe.h"

namespace andes::postproc {
namespace {

// Tables of sites (preprocessor/edit.cc), and single ones (preprocessor/plugin/insert.cc).
constexpr std::string_view table_prefix = "andes_sites_", site_prefix = "andes_site.";

void count_sites(const ElfFile& file, const ElfSymbol& symbol, ProbesInside& probes) {
  const std::string bytes = file.bytes_at(symbol.address, symbol.size);
  for (std::size_t at = 0; at + sizeof(andes_site) <= bytes.size(); at += sizeof(andes_site)) {
    andes_site site;
    std::memcpy(&site, bytes.data() + at, sizeof site);
    if (site.version != ANDES_PROBE_VERSION) probes.other_version = site.version;
    ++(site.kind == ANDES_KIND_FUNCTION ? probes.functions
       : site.kind == ANDES_KIND_LOOP   ? probes.loops
                                        : probes.blocks);
  }
}

bool is_runtime_of_openmp(std::string_view soname) {
  return soname.starts_with("libgomp.so") || soname.starts_with("libomp.so") || soname.starts_with("libiomp5.so");
}

bool is_sanitizer(std::string_view soname) {
  return soname.starts_with("libasan.so") || soname.starts_with("libtsan.so") ||
         soname.find("clang_rt.asan") != std::string_view::npos;
}

/// MPI_Init and MPI_Init_thread, with Fortran's forms of them: mpi_init_, mpi_init__, MPI_INIT, mpi_init_f08_.
bool is_mpi_init(std::string_view name) {
  constexpr std::size_t longest = std::string_view("mpi_init_thread_f08_").size();
  if (name.size() > longest) return false;
  std::string lower(name);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
  while (lower.ends_with('_')) lower.pop_back();
  constexpr std::string_view f08 = "_f08";
  if (lower.ends_with(f08)) lower.resize(lower.size() - f08.size());
  return lower == "mpi_init" || lower == "mpi_init_thread";
}

/// Whether a library of the program's own starts MPI by a name that can be measured. MPI's bindings do so for others.
bool library_starts_mpi(const LinkedLibraries& libraries) {
  return std::any_of(libraries.found.begin(), libraries.found.end(), [](const LinkedLibrary& library) {
    if (library.soname.starts_with("libmpi")) return false;
    const auto file = ElfFile::open(library.path);
    bool starts = false;
    if (file)
      file->for_each_symbol([&starts](const ElfSymbol& symbol) {
        starts = starts || (!symbol.defined && is_mpi_init(symbol.name.substr(0, symbol.name.find('@'))));
      });
    return starts;
  });
}

/// Whether a function may be of the program's sources: other names that begin with '_' are of the compiler and the C
/// library, and so are C++'s standard library's, which headers put into each program.
bool may_be_own(std::string_view name) {
  if (name.starts_with("andes_") || name.ends_with(".cold")) return false;
  if (!name.starts_with('_')) return true;
  if (name.starts_with("__")) return name.find("_MOD_") != std::string_view::npos; // a module's procedure in Fortran
  if (!name.starts_with("_Z")) return false;
  // A mangled name: "Z" (local in a function), "N" (nested) and "K" (const) before the first part.
  const std::string_view first = name.substr(std::min(name.find_first_not_of("ZNK", 2), name.size()));
  constexpr std::string_view library[] = {
      "St",         "Sa",           "Sb",  "Ss",  "Si",   "So",   "Sd",
      "9__gnu_cxx", "10__cxxabiv1", "nwm", "nam", "dlPv", "daPv", "T"}; // new and delete; T: thunks
  return std::none_of(std::begin(library), std::end(library),
                      [&](std::string_view prefix) { return first.starts_with(prefix); });
}

void read_symbols(const ElfFile& file, BuiltProgram& program) {
  program.has_symbols = file.has_symbol_table();
  bool openmp = false, mpi_init = false, pmpi_init = false, own_init = false;
  std::set<std::uint64_t> functions; // by address: constructors have two names
  file.for_each_symbol([&](const ElfSymbol& symbol) {
    // The symbol table has its version behind it.
    if (symbol.name.starts_with("__cyg_profile_func_enter")) program.probes.hooks = true;
    const std::string_view name = symbol.name.substr(0, symbol.name.find('@'));
    if (!symbol.defined) {
      mpi_init = mpi_init || is_mpi_init(name);
      // In C alone: MPICH's pmpi_init_ of Fortran calls MPI_Init.
      pmpi_init = pmpi_init || name == "PMPI_Init" || name == "PMPI_Init_thread";
      return;
    }
    // In C alone: mpi_init may be a function of the program's own.
    own_init = own_init || name == "MPI_Init" || name == "MPI_Init_thread";
    openmp = openmp || symbol.name == "GOMP_parallel" || symbol.name == "__kmpc_fork_call";
    const bool is_site = symbol.name.starts_with(table_prefix) || symbol.name.starts_with(site_prefix);
    if (is_site && !program.foreign) count_sites(file, symbol, program.probes);
    if (symbol.function && symbol.size > 0 && program.has_symbols && may_be_own(name)) functions.insert(symbol.address);
  });
  program.functions = functions.size();
  program.pmpi_init = pmpi_init && !mpi_init && !library_starts_mpi(program.libraries);
  program.own_init = own_init;
  if (openmp) program.openmp.push_back("in the program");
}

void read_debug_information(const ElfFile& file, BuiltProgram& program) {
  Dwarf* const debug = dwarf_begin_elf(file.handle(), DWARF_C_READ, nullptr);
  if (!debug) return;
  Dwarf_CU* unit = nullptr;
  Dwarf_Die die;
  Dwarf_Half version;
  std::uint8_t type;
  while (dwarf_get_units(debug, unit, &unit, &version, &type, &die, nullptr) == 0) {
    if (type != DW_UT_compile) continue;
    Dwarf_Attribute attribute;
    program.debug_lines = program.debug_lines || dwarf_hasattr(&die, DW_AT_stmt_list);
    const char* producer =
        dwarf_attr_integrate(&die, DW_AT_producer, &attribute) ? dwarf_formstring(&attribute) : nullptr;
    if (producer && std::find(program.compilers.begin(), program.compilers.end(), producer) == program.compilers.end())
      program.compilers.emplace_back(producer);
  }
  dwarf_end(debug);
}

/// Whether the loader starts the file with the rights of somebody else: then it ignores LD_PRELOAD.
bool is_privileged(const std::string& path) {
  struct stat status;
  if (stat(path.c_str(), &status) != 0) return false;
  return (status.st_mode & (S_ISUID | S_ISGID)) || getxattr(path.c_str(), "security.capability", nullptr, 0) > 0;
}

} // namespace

std::optional<BuiltProgram> read_program(const std::string& path) {
  const auto file = ElfFile::open(path);
  if (!file || !file->is_linked() || file->size() < file->loaded_bytes()) return std::nullopt;
  BuiltProgram program;
  program.path = path;
  program.machine = machine_name(file->machine(), file->bits());
  program.foreign = file->machine() != own_program().machine() || file->bits() != own_program().bits();
  program.loader = file->interpreter();
  program.is_static = program.loader.empty() && file->needed().empty();
  program.privileged = is_privileged(path);
  program.libraries = linked_libraries(path);
  program.mpi = mpi_libraries(*file, program.libraries);
  for (const LinkedLibrary& library : program.libraries.found) {
    if (is_runtime_of_openmp(library.soname)) program.openmp.push_back(library.soname);
    if (is_sanitizer(library.soname)) program.sanitizer = library.soname;
  }
  read_symbols(*file, program);
  program.probes.notes = file->has_section(left_out_section);
  read_debug_information(*file, program);
  return program;
}

} // namespace andes::postproc
