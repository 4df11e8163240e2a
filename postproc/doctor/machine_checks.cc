#include "postproc/doctor/machine_checks.h"

#include <sys/utsname.h>

#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/refusal.h"
#include "postproc/inspect/elf_file.h"
#include "postproc/inspect/linked_libraries.h"
#include "postproc/launch/cores.h"

namespace fs = std::filesystem;

namespace andes::postproc {
namespace {

using Result = Check::Result;

std::string name_of_system() {
  std::ifstream file("/etc/os-release");
  for (std::string line; std::getline(file, line);) {
    constexpr std::string_view key = "PRETTY_NAME=";
    if (!line.starts_with(key)) continue;
    line.erase(0, key.size());
    std::erase(line, '"');
    return line;
  }
  return "";
}

void append(Checks& checks, Checks more) { checks.insert(checks.end(), more.begin(), more.end()); }

} // namespace

Machine this_machine() {
  Machine machine;
  utsname names;
  if (uname(&names) == 0) {
    machine.host = names.nodename;
    const std::string distribution = name_of_system();
    machine.system =
        fmt::format("{}{}{} {}", distribution, distribution.empty() ? "" : ", ", names.sysname, names.release);
  }
  machine.processor = machine_name(own_program().machine(), own_program().bits());
  machine.usable_cores = usable_cores();
  return machine;
}

Checks check_parts(const Installation& installation) {
  Checks checks;
  try {
    check_library(installation);
    checks.push_back({"monitor", Result::works, fmt::format("{} can be preloaded", installation.library)});
  } catch (const Refusal& refusal) {
    checks.push_back({"monitor", Result::fails, refusal.object + ": " + refusal.fact, refusal.remedy});
  }
  const std::string symbols = fs::path(installation.library).parent_path() / "libandes-symbols.so";
  const LinkedLibraries needed = linked_libraries(symbols);
  if (!fs::exists(symbols) || !needed.missing.empty())
    checks.push_back({"names", Result::limited,
                      needed.missing.empty() ? symbols + " is not there"
                                             : fmt::format("{} is not found", fmt::join(needed.missing, ", ")),
                      "install libdw (elfutils); until then call sites and functions of Fortran have no names"});
  else checks.push_back({"names", Result::works, "libdw is there: addresses get their functions and lines from DWARF"});
  if (!fs::exists(installation.preprocessor))
    checks.push_back({"probes", Result::limited, "andes was built without its preprocessor",
                      "build it with Clang 19 (ANDES_PREPROCESSOR=ON); calls of MPI are measured all the same"});
  else if (const LinkedLibraries clang = linked_libraries(installation.preprocessor); !clang.missing.empty())
    checks.push_back({"probes", Result::limited, fmt::format("{} is not found", fmt::join(clang.missing, ", ")),
                      "install the libraries of Clang 19; calls of MPI are measured all the same"});
  else checks.push_back({"probes", Result::works, "andes cc can insert them into C and C++"});
  return checks;
}

Checks machine_checks(const Installation& installation) {
  Checks checks = check_parts(installation);
  append(checks, check_compilers(installation));
  append(checks, check_mpi(installation));
  checks.push_back(check_counters());
  append(checks, check_system());
  return checks;
}

} // namespace andes::postproc
