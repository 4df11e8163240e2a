// Grid: runs of a build with several numbers of ranks and of threads. Which split of the cores runs best, and how
// the program scales over ranks at fixed threads, over threads at fixed ranks, and over cores. Each of these is a
// line with one axis, which all of scaling.h can take. A fit over both sizes at once was rejected: three parameters
// from few points, and no answer to which split to take.
//
// Invariants:
//  - cores are ranks x threads; splits are compared at the same number of cores only;
//  - oversubscribed points are shown, but are no best split unless asked for;
//  - scaling over cores takes the best split of each number of cores: the others are in the grid alone.
#pragma once
#include <vector>

#include "postproc/analysis/scaling.h"

namespace andes::postproc {

/// A split of a number of cores beside the best one. Slower: by how much its time is more, in per cent.
struct Split {
  int ranks = 0, threads = 0;
  Estimate time_s, slower_percent;
  enum class Verdict { best, slower, undecided } verdict = Verdict::undecided;
};
const char* name_of(Split::Verdict verdict);

/// All usable splits of a number of cores, the fastest first.
struct CoreSplits {
  int cores = 0;
  std::vector<Split> splits;
};

/// The points with the same number of threads (over ranks) or of ranks (over threads).
struct GridLine {
  int fixed = 0;
  Scaling scaling;
};

struct Grid {
  std::vector<int> ranks, threads; // sorted
  Scaling all;                     // every point over cores, sorted by cores and time; its trend means nothing
  std::vector<CoreSplits> splits;
  std::vector<GridLine> over_ranks, over_threads; // of two usable points at least
};

/// Whether the points of a build differ in their threads.
bool is_grid(const Build& build);

/// The build over cores, with all its points: by cores, the fastest first.
Build by_cores(const Build& build);

/// The same with one point for each number of cores: the best split, or the fastest where none is usable.
Build over_cores(const Build& build, bool oversubscribed_ok);

/// `sequential` and `oversubscribed_ok` as of scaling_of.
Grid grid_of(const Build& build, const Sample* sequential, bool oversubscribed_ok);

} // namespace andes::postproc
