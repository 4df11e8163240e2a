// Efficiency: where parallel efficiency is lost, as factors (POP Centre of Excellence; formulas and
// the definition that is used in docs/metrics.md, "Efficiency hierarchy").
//
// Invariants: parallel = load_balance x communication, and communication = serialisation x transfer
// where these two are known: where waits were measured, and the time in MPI-IO of all ranks is
// kept.
#pragma once
#include <optional>

#include "postproc/model/profile.h"

namespace andes::postproc {

struct Efficiency {
  double parallel = 0;                 // sum of compute / (p T)
  double load_balance = 0;             // mean / maximum of compute over ranks
  double communication = 0;            // largest compute of a rank / T
  std::optional<double> serialisation; // largest compute of a rank / T of an ideal network
  std::optional<double> transfer;      // T of an ideal network / T
};

/// Of the main threads; absent without any compute time.
std::optional<Efficiency> efficiency_of(const Profile& profile);

/// The definition in words, for people: it is one of several in use.
inline constexpr const char* efficiency_definition =
    "parallel = load balance x communication (sum of compute / (p x T)); load balance = mean / max "
    "compute; communication = max compute / T = serialisation x transfer; transfer = T_ideal / T, "
    "serialisation = max compute / T_ideal, T_ideal = largest wall time of a rank minus its time in MPI that is "
    "neither waiting nor MPI-IO";

} // namespace andes::postproc
