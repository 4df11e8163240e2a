// Checks of this machine: what of andes works here, before anything is measured.
#pragma once
#include <string>

#include "postproc/inspect/check.h"
#include "postproc/launch/installation.h"

namespace andes::postproc {

struct Machine {
  std::string host, system, processor; // "Debian GNU/Linux 12 (bookworm), Linux 6.1.0"; "x86-64"
  int usable_cores = 1;
};

Machine this_machine();

/// All of them, in the order in which a user meets them.
Checks machine_checks(const Installation& installation);

// Each by itself.
Checks check_parts(const Installation& installation);
Checks check_compilers(const Installation& installation);
Checks check_mpi(const Installation& installation);
Check check_counters();
Checks check_system();

} // namespace andes::postproc
