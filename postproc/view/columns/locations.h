// The ranks of a run and their threads: `ranks` in JSON, with `team` and `threads` in it; the table of ranks that
// people see below the tree; the threads in CSV. A location is a thread; the main one stands for its rank.
#pragma once
#include "postproc/analysis/threads.h"
#include "postproc/analysis/tree.h"
#include "postproc/view/column.h"

namespace andes::postproc::columns {

/// A location with what is known of its rank's threads together: null but for main threads.
struct ShownLocation {
  const Location* location = nullptr;
  std::size_t number = 0; // in Profile::locations
  const RankThreads* rank_threads = nullptr;
};

/// Locations of the chosen ranks, of all if there are none. `threads` as of the same ranks.
std::vector<ShownLocation> shown_locations(const Profile& profile, const Threads& threads,
                                           const std::vector<int>& chosen);

/// Main threads stand for ranks. Profile and tree must outlive the list.
List<ShownLocation> locations(const Profile& profile, const Tree& tree);

/// Every thread of a rank, its main one included, in the columns that add up.
List<ShownLocation> threads();

/// For people: the threads of a rank together.
List<RankThreads> rank_threads();

} // namespace andes::postproc::columns
