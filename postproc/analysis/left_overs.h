// Left-overs of a run with their call paths by name: operations that were not whole when the ranks came to MPI_Finalize
// (docs/metrics.md, "Left-overs").
#pragma once
#include "postproc/analysis/diagnosis.h"

namespace andes::postproc {

/// Operations of one kind and the same call paths; ranks and tag are those of the first.
struct NamedLeftOver {
  std::string kind; // run_file::left_...
  double events = 0;
  std::optional<int> rank, peer_rank, tag; // absent: any, or none
  std::optional<int> root, peer_root; // of collectives with different roots; absent: not known
  std::vector<std::string> path, peer_path;
  Place place, peer_place;
};

std::vector<NamedLeftOver> named_left_overs(const Profile& profile);

/// "2 sends that no receive took": how many there are of a kind.
std::string left_over_count(const std::string& kind, double events);

/// The same of a whole run, in one line; empty: nothing is left over.
std::string left_overs_summary(const Profile& profile);

} // namespace andes::postproc
