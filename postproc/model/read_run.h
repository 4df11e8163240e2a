// Reading a run file. The file is never trusted: it may be another kind of file, truncated,
// damaged, or malicious; the result is a Profile that keeps its invariants, or one message.
#pragma once
#include <string>
#include <vector>

#include "common/refusal.h"
#include "postproc/model/profile.h"

namespace andes::postproc {

enum class Detail {
  totals, // facts, hosts, locations: enough for times and balances of a run
  tree    // regions, call paths and their statistics besides
};

/// Reads `file` without ever locking or changing it.
/// Throws Refusal when it cannot be read, is no run file, is of another format, cut off, damaged.
Profile read_run(const std::string& file, Detail detail);

/// Values of all metrics over some ranks: statistics like Profile::statistics, but over `ranks`
/// alone. `profile` must have been read from its file with Detail::tree; throws Refusal like
/// read_run, and when the run has no such rank, or not its values.
std::vector<Statistic> statistics_of_ranks(const Profile& profile, const std::vector<int>& ranks);

} // namespace andes::postproc
