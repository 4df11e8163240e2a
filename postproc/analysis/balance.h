// Summary: the results of one run as a whole: its time, balances and percentages. Each with its formula
// in docs/metrics.md; percentages are of p x T, balances mean / maximum over all p ranks.
#pragma once
#include <optional>

#include "postproc/analysis/efficiency.h"
#include "postproc/model/profile.h"

namespace andes::postproc {

struct Summary {
  double time_s = 0;    // T
  double compute_s = 0; // sum over ranks
  std::optional<double> load_balance, communication_balance, bytes_balance;
  std::optional<double> thread_load_balance; // over all threads; absent where every rank has one
  double compute_percent = 0, communication_percent = 0, synchronisation_percent = 0;
  double tool_percent = 0;
  std::optional<double> idle_percent, wait_at_end_percent;
  std::optional<double> io_percent, io_balance; // absent: part of communication (files of before); nothing of it
  std::optional<double>
      core_wait_percent; // ready to run without a core, whatever else that time counts as; absent: not known
  std::optional<double> init_s; // of MPI_Init, of the rank where it took longest; absent: not known
  std::optional<double> bytes_read, bytes_written; // sums over ranks; absent: not known
  std::optional<Efficiency> efficiency;
};

/// A rank's figures are its main thread's (thread 0).
Summary summary_of(const Profile& profile);

/// mean / maximum; absent when the maximum is zero.
std::optional<double> balance_of(double mean, double max);

} // namespace andes::postproc
