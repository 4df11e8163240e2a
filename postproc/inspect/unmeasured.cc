#include "postproc/inspect/unmeasured.h"

#include <filesystem>

#include <fmt/format.h>

namespace andes::postproc {

std::optional<StartTrouble> unmeasured(const BuiltProgram& program) {
  if (program.is_static)
    return StartTrouble{"it is linked statically, so that no library can be preloaded and nothing of it can be seen",
                        program.mpi.empty() ? "link it without -static" : "link it by andes cc"};
  if (program.foreign)
    return StartTrouble{fmt::format("it was built for {}, the monitor for {}", program.machine,
                                    machine_name(own_program().machine(), own_program().bits())),
                        "build it for this machine"};
  std::error_code none;
  const std::string ours = own_program().interpreter();
  if (!program.loader.empty() && program.loader != ours && !std::filesystem::equivalent(program.loader, ours, none))
    return StartTrouble{
        fmt::format("its C library is another one (the loader {}), in which the monitor does not run", program.loader),
        "build it with the C library that andes was built with"};
  if (program.privileged)
    return StartTrouble{"it is set-user-ID, set-group-ID or has capabilities, so the loader ignores what is preloaded",
                        "measure a copy without these rights"};
  return std::nullopt;
}

std::optional<StartTrouble> unseen_mpi(const BuiltProgram& program) {
  if (!program.pmpi_init) return std::nullopt;
  if (program.own_init)
    return StartTrouble{"a tool in it defines MPI_Init and calls PMPI_Init, so the monitor does not see its ranks",
                        "link it without that tool"};
  return StartTrouble{"it starts MPI by PMPI_Init, the name for tools, so the monitor does not see its ranks",
                      "call MPI_Init and MPI_Finalize"};
}

} // namespace andes::postproc
