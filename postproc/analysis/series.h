// Series: which runs of those given may be compared, and how they belong together: by build (hash
// of the executable), and within a build by size: number of ranks, and threads of a rank.
//
// Invariants:
//  - runs with equal numbers of ranks but different numbers of threads are not repeats of each other;
//  - a run that failed or is incomplete never represents its size; it is listed with the reason. If
//    no run reached its end, the newest is the only run of a build that gives the reason: its data
//    can be inspected, but no curve is fitted;
//  - worlds that another run spawned belong to that run, not to the series: they are only listed. Given
//    alone, they form a normal series;
//  - points are sorted by ranks and threads, builds by the start of their last run: the newest comes last;
//  - a series never depends on the order of its files.
#pragma once
#include <string>
#include <vector>

#include "common/refusal.h"
#include "postproc/analysis/balance.h"
#include "postproc/analysis/estimate.h"
#include "postproc/analysis/hybrid.h"
#include "postproc/analysis/sampling.h"
#include "postproc/model/profile.h"
#include "postproc/model/run_axes.h"

namespace andes::postproc {

/// A run of the series: facts without per-rank tables, and its summary.
struct SeriesRun {
  Profile profile; // locations dropped: a series of large runs must stay small
  Summary summary;
  ToolCost cost;
  HybridResult hybrid;
  int team_size = 1;
};

/// The quantity on the x axis of a scaling curve.
enum class Axis { ranks, threads, cores };

/// "4 ranks", "1 core".
std::string size_text(int size, Axis axis);

/// "1 rank", "1, 2, 4 ranks".
std::string sizes_text(const std::vector<int>& sizes, Axis axis);
const char* unit_of(Axis axis);

/// All usable runs of a build of the same size.
struct Point {
  int ranks = 0, threads = 1;
  int size = 0;                // on the axis of its build
  bool oversubscribed = false; // one of its runs is oversubscribed
  std::vector<SeriesRun> runs;
  Sample times_s;
};

struct Build {
  Axis axis = Axis::ranks;
  bool weak = false; // as its series
  std::string hash; // empty where it is not known
  std::string started;
  std::vector<Point> points;
  std::string unfinished; // why its only run is incomplete; empty: all runs are complete
};

/// Whether two hashes of executables are of one build. An empty hash is not known, so it is of no build.
inline bool is_same_build(const std::string& hash, const std::string& other) { return !hash.empty() && hash == other; }

/// How a given file is used.
struct RunUse {
  std::string file, why_not; // why_not is empty for a run that is used
  int ranks = 0, threads = 1;
  enum class Reason { used, failed, incomplete, snapshot, spawned, other_build } reason = Reason::used;
};

struct Series {
  std::string program;
  std::vector<RunAxis> axes; // of its runs; of the one that grows the value at the smallest number of ranks
  bool weak = false;         // the problem grows with the ranks
  std::vector<RunUse> runs;
  std::vector<Build> builds;
  std::vector<std::string> notes; // differences that --force has accepted
};

/// Which runs make one series.
struct Mixing {
  bool force = false; // all, of different programs or arguments, too
  bool weak =
      false;  // all runs of a program, if at each size all did the same: a weak sweep that was not started as one
};

/// Reads the totals of `files` (one at least) and groups them. Files that are no runs are skipped,
/// each with one call of `skipped`. Throws Refusal when none is a run, and, unless `force`, when
/// programs or arguments differ. Points and builds are resampled independently of each other, and
/// of another series if `stream` is larger than that one's by at least its number of builds.
Series read_series(const std::vector<std::string>& files, bool force, void (*skipped)(const Refusal&),
                   unsigned stream = 0);

/// The same, of several programs, or one with several arguments or values of axes: a series for each, by program and
/// values. Throws Refusal, with Mixing::weak, if runs of one size did different things.
std::vector<Series> read_all_series(const std::vector<std::string>& files, const Mixing& mixing,
                                    void (*skipped)(const Refusal&));

/// Throws Refusal unless the runs of `after` may be compared with those of `before`: the same
/// program and arguments.
void check_same_work(const Profile& before, const Profile& after);

/// The largest point that is not oversubscribed (or of all, if `any`); the largest of all when
/// there is none. Null without points.
const Point* largest_usable(const Build& build, bool any);

} // namespace andes::postproc
