// Cores: how many this process may use, for hints before anything has been measured. The run file
// has the monitor's own figure, summed over the hosts of the run; that one marks oversubscription.
#pragma once

namespace andes::postproc {

/// Cores of the affinity mask, limited by the quota of the control group (cpu.max of version 2,
/// cpu.cfs_quota_us of version 1), rounded up; at least 1.
int usable_cores();

} // namespace andes::postproc
