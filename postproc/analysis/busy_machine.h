// Runs whose ranks and threads had to share their cores with other processes: times, waits and speedup are partly those
// of the others then, and no change of the program makes them better.
#pragma once
#include <optional>

#include "postproc/analysis/balance.h"
#include "postproc/analysis/warnings.h"

namespace andes::postproc {

struct TakenCores {
  double taken = 0, wanted = 0; // mean over the time of the command; of the ranks' threads, at most the usable cores
  std::optional<double> wait_percent; // of p x T, in which ranks were ready to run without a core; absent: not known
};

/// Waits for a core are worth a place in tables and advice from so many per cent of the time on.
inline constexpr double shown_core_wait_percent = 1;

/// Absent where others took less than a tenth of what the run wanted, left its threads alone (shorter waits for a core
/// than above, or fewer than five involuntary switches a second and core), or it is not known: facts missing, or
/// several hosts.
std::optional<TakenCores> cores_taken_by_others(const Profile& profile, const Summary& summary);

/// The warning `busy_machine`, with the sizes of such runs.
void add_busy_machine(const Build& build, std::vector<Warning>& warnings);

} // namespace andes::postproc
