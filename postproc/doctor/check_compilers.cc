// Compilers and MPI: what is in PATH, and whether it fits together.
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>

#include "postproc/doctor/machine_checks.h"
#include "postproc/doctor/wrapper_libraries.h"
#include "postproc/inspect/command_output.h"
#include "postproc/inspect/start_trouble.h"

namespace fs = std::filesystem;

namespace andes::postproc {
namespace {

using Result = Check::Result;

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

/// Open MPI's wrappers tell their version by an option of their own; those of MPICH's family with the compiler's.
MpiFamily family_of_compiler(const std::string& mpicc) {
  const CommandOutput open_mpi = output_of({mpicc, "--showme:version"});
  if (open_mpi.status == 0) return family_in_text(open_mpi.text);
  return family_in_text(output_of({mpicc, "-v"}).text);
}

Check check_wrapper(const WrapperLibrary& wrapper) {
  const std::string subject = "MPI " + wrapper.soname;
  if (wrapper.mpi_path.empty())
    return {subject, Result::limited,
            fmt::format("{} is built for it, but the library is not found", fs::path(wrapper.path).filename().string()),
            "load its module, or add its directory to LD_LIBRARY_PATH; without it nothing is lost for other MPIs"};
  return {
      subject, Result::works,
      fmt::format("{}: all calls of programs linked with {} are measured", name_of(wrapper.family), wrapper.mpi_path)};
}

/// Whether programs of the compiler in PATH can be started by the launcher in PATH, and are measured.
Check check_launcher(const std::vector<WrapperLibrary>& wrappers) {
  const std::string mpicc = find_executable("mpicc"), mpirun = find_executable("mpirun");
  if (mpicc.empty() && mpirun.empty())
    return {"mpirun", Result::limited, "neither mpicc nor mpirun is in PATH", "load the module of an MPI library"};
  if (mpicc.empty() || mpirun.empty())
    return {"mpirun", Result::limited, fmt::format("{} is not in PATH", mpicc.empty() ? "mpicc" : "mpirun"),
            "load the module of the MPI library as a whole, with its development files"};
  const MpiFamily builds = family_of_compiler(mpicc), starts = family_in_text(output_of({mpirun, "--version"}).text);
  if (builds != MpiFamily::unknown && starts != MpiFamily::unknown && builds != starts)
    return {"mpirun", Result::fails,
            fmt::format("{} builds programs of {}, but {} starts those of {}: each rank would be alone", mpicc,
                        name_of(builds), mpirun, name_of(starts)),
            "put both commands of one MPI library first in PATH"};
  const bool measured = std::any_of(wrappers.begin(), wrappers.end(), [&](const WrapperLibrary& wrapper) {
    return wrapper.family == builds || builds == MpiFamily::unknown;
  });
  if (!measured)
    return {"mpirun", Result::fails,
            fmt::format("andes was built without wrappers for {} of {}", name_of(builds), mpicc),
            fmt::format("build andes with --mpi {}", mpicc)};
  if (starts == MpiFamily::open_mpi && geteuid() == 0 && !std::getenv("OMPI_ALLOW_RUN_AS_ROOT"))
    return {"mpirun", Result::limited, fmt::format("{} is Open MPI's, which refuses to run as root", mpirun),
            "add --allow-run-as-root behind mpirun, or run as another user"};
  return {"mpirun", Result::works, fmt::format("{} and {} are both of {}", mpicc, mpirun, name_of(starts))};
}

/// The module for Python, of the interpreter in PATH.
Check check_python(const Installation& installation) {
  const std::string python = find_executable("python3");
  const std::string module = fs::path(installation.library).parent_path() / "python";
  if (python.empty())
    return {"Python", Result::limited, "python3 is not in PATH",
            "install it, if programs in Python are to be measured"};
  if (output_of({python, "-c", "import andes._native"}).status == 0)
    return {"Python", Result::works, fmt::format("{} has the module andes: python3 -m andes SCRIPT", python)};
  const std::string fact =
      fmt::format("{} does not find the module andes; calls of MPI are measured all the same", python);
  return {"Python", Result::limited, fact,
          fs::exists(module) ? fmt::format("export PYTHONPATH={}", module) : "install the module with this andes"};
}

} // namespace

Checks check_compilers(const Installation& installation) {
  Checks checks;
  for (const auto& [name, language] :
       {std::pair("cc", "C"), std::pair("c++", "C++"), std::pair("gfortran", "Fortran")}) {
    const std::string path = find_executable(name);
    if (path.empty())
      checks.push_back({std::string("compiler ") + name, Result::limited, fmt::format("{} is not in PATH", name),
                        fmt::format("install a compiler of {}, if programs in it are to be built here", language)});
    else
      checks.push_back(
          {std::string("compiler ") + name, Result::works, first_line(output_of({path, "--version"}).text)});
  }
  checks.push_back(check_python(installation));
  return checks;
}

Checks check_mpi(const Installation& installation) {
  Checks checks;
  const auto wrappers = wrapper_libraries(fs::path(installation.library).parent_path());
  if (wrappers.empty())
    checks.push_back({"MPI", Result::fails, "this andes was built without any MPI: its calls are not measured",
                      "build andes where mpicc is in PATH, or with --mpi MPICC"});
  for (const WrapperLibrary& wrapper : wrappers) checks.push_back(check_wrapper(wrapper));
  checks.push_back(check_launcher(wrappers));
  return checks;
}

} // namespace andes::postproc
