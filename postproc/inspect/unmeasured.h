// Why the monitor cannot get into a program: what stands in the way of preloading a library.
#pragma once
#include <optional>

#include "postproc/inspect/built_program.h"
#include "postproc/inspect/start_trouble.h"

namespace andes::postproc {

/// Nothing: no obstacle is known.
std::optional<StartTrouble> unmeasured(const BuiltProgram& program);

/// Why no call of MPI is seen where the monitor does get in. Nothing: no reason is known.
std::optional<StartTrouble> unseen_mpi(const BuiltProgram& program);

} // namespace andes::postproc
