#include "postproc/doctor/program_checks.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "monitor/interface/probe.h"
#include "postproc/doctor/wrapper_libraries.h"
#include "postproc/inspect/command_output.h"
#include "postproc/inspect/start_trouble.h"
#include "postproc/inspect/unmeasured.h"
#include "postproc/view/number.h"

namespace fs = std::filesystem;

namespace andes::postproc {
namespace {

using Result = Check::Result;

Check check_start(const BuiltProgram& program) {
  if (const auto trouble = start_trouble(program.path)) return {"start", Result::fails, trouble->fact, trouble->remedy};
  if (program.is_static) return {"start", Result::works, "it is linked statically and needs no library"};
  return {"start", Result::works,
          program.libraries.known
              ? fmt::format("all {} libraries that it needs are there", program.libraries.found.size())
              : "it is executable"};
}

Check check_monitor(const BuiltProgram& program) {
  if (const auto trouble = unmeasured(program)) return {"monitor", Result::fails, trouble->fact, trouble->remedy};
  if (!program.sanitizer.empty())
    return {"monitor", Result::limited,
            fmt::format("{} wants to be the first library, and the monitor is", program.sanitizer),
            "set ASAN_OPTIONS=verify_asan_link_order=0"};
  return {"monitor", Result::works, "it can be preloaded"};
}

std::string described(const MpiLibrary& mpi) {
  return mpi.soname.empty() ? fmt::format("{} in the program itself", name_of(mpi.family))
                            : fmt::format("{} ({})", name_of(mpi.family), mpi.path);
}

Check check_mpi_of(const BuiltProgram& program, const Installation& installation) {
  if (program.mpi.empty())
    return {"MPI", Result::works,
            "it is linked with none; one that it opens while it runs, as Python and Julia do, is recognised then"};
  if (program.mpi.size() > 1)
    return {"MPI", Result::fails,
            fmt::format("{} and {}: two MPI libraries in one process, MPI is not measured", described(program.mpi[0]),
                        described(program.mpi[1])),
            "link one of them only"};
  if (const auto trouble = unseen_mpi(program)) return {"MPI", Result::fails, trouble->fact, trouble->remedy};
  const MpiLibrary& mpi = program.mpi.front();
  if (is_hidden(mpi))
    return {"MPI", Result::fails, described(mpi) + ", linked from archives: nothing of MPI can be seen",
            how_to_link(mpi)};
  if (mpi.led_to_monitor)
    return {"MPI", Result::works, described(mpi) + ", linked by andes cc: all calls are measured"};
  const auto wrappers = wrapper_libraries(fs::path(installation.library).parent_path());
  const bool measured = std::any_of(wrappers.begin(), wrappers.end(),
                                    [&](const WrapperLibrary& wrapper) { return wrapper.soname == mpi.soname; });
  if (!measured)
    return {"MPI", Result::fails, fmt::format("{}: no wrapper library was built for {}", described(mpi), mpi.soname),
            "build andes with --mpi MPICC"};
  return {"MPI", Result::works, described(mpi) + ": all calls are measured"};
}

/// Of the program and the mpirun in PATH.
Checks check_launcher_of(const BuiltProgram& program) {
  if (program.mpi.size() != 1 || program.mpi[0].family == MpiFamily::unknown) return {};
  const std::string mpirun = find_executable("mpirun");
  if (mpirun.empty()) return {};
  const MpiFamily starts = family_in_text(output_of({mpirun, "--version"}).text);
  if (starts == MpiFamily::unknown) return {};
  if (starts == program.mpi[0].family) return {{"mpirun", Result::works, fmt::format("{} is of the same MPI", mpirun)}};
  return {{"mpirun", Result::limited,
           fmt::format("{} starts programs of {}: each rank would be alone", mpirun, name_of(starts)),
           "start it with " + mpirun_of(program.mpi[0].family)}};
}

Check check_probes(const BuiltProgram& program) {
  const ProbesInside& probes = program.probes;
  const std::size_t all = probes.functions + probes.loops + probes.blocks;
  if (probes.other_version)
    return {"probes", Result::fails,
            fmt::format("they are of version {} of the interface, this andes measures {}", *probes.other_version,
                        ANDES_PROBE_VERSION),
            "build the program again with this andes cc"};
  if (all > 0) {
    std::string text = counted(probes.functions, "function");
    // Those that were inlined everywhere have probes and are no longer in the file.
    if (program.functions >= probes.functions && program.functions > 0)
      text += fmt::format(" of about {} in the file", program.functions);
    if (probes.loops > 0) text += ", " + counted(probes.loops, "loop");
    if (probes.blocks > 0) text += ", " + counted(probes.blocks, "marked block");
    if (probes.hooks) text += ", and functions with the compiler's hooks";
    return {"probes", Result::works, text};
  }
  if (probes.hooks) return {"probes", Result::works, "the compiler's hooks, in functions that have them"};
  if (probes.notes && !program.has_symbols)
    return {"probes", Result::works, "it was built with andes cc; its symbols are stripped, so they cannot be counted"};
  return {"probes", Result::limited, "none: calls of MPI are measured, its functions are not",
          "build it with andes cc before the compiler, or run it with --set call_sites=yes"};
}

Check check_lines(const BuiltProgram& program) {
  if (program.debug_lines) return {"lines", Result::works, "DWARF has its functions and lines"};
  return {"lines", Result::limited, "no DWARF: call sites and hooks have neither functions nor lines",
          "compile it with -g; probes of andes cc need no DWARF"};
}

Check check_openmp(const BuiltProgram& program) {
  if (program.openmp.empty()) return {"OpenMP", Result::works, "it is linked with no runtime of OpenMP"};
  const std::string names = fmt::format("{}", fmt::join(program.openmp, ", "));
  const bool shared = std::any_of(program.openmp.begin(), program.openmp.end(),
                                  [](const std::string& name) { return name.find(".so") != std::string::npos; });
  if (shared) return {"OpenMP", Result::works, names + ": parallel regions and waits of threads are measured"};
  return {"OpenMP", Result::limited, "its runtime is linked statically: regions and waits of threads are not seen",
          "link the shared runtime"};
}

} // namespace

Checks program_checks(const BuiltProgram& program, const Installation& installation) {
  Checks checks{check_start(program), check_monitor(program), check_mpi_of(program, installation)};
  for (Check& check : check_launcher_of(program)) checks.push_back(std::move(check));
  for (Check check : {check_probes(program), check_lines(program), check_openmp(program)})
    checks.push_back(std::move(check));
  return checks;
}

} // namespace andes::postproc
