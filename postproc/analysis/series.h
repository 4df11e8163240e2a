// Series: which runs of those given may be compared, and how they belong together: by build (hash
// of the executable), and within a build by size: number of ranks, and threads of a rank.
//
// Invariants:
//  - runs with as many ranks but other numbers of threads are no repeats of each other;
//  - a run that failed or is incomplete never stands for its size; it is listed with
//    the reason why it is left out. If no run came to its end, the newest stands alone, as the only
//    run of a build that says why: what it holds can be looked at, but nothing be fitted over it;
//  - worlds that another run spawned are of that run, not of the series: they are listed. Given alone, they
//    are a series like others;
//  - points are sorted by ranks and threads, builds by the start of their last run: the newest comes last;
//  - a series never depends on the order of its files.
#pragma once
#include <string>
#include <vector>

#include "postproc/analysis/balance.h"
#include "postproc/analysis/estimate.h"
#include "postproc/analysis/hybrid.h"
#include "common/refusal.h"
#include "postproc/model/profile.h"

namespace andes {

/// A run of the series: facts without per-rank tables, and its summary.
struct SeriesRun {
  Profile profile; // locations dropped: a series of large runs must stay small
  Summary summary;
  HybridResult hybrid;
  int team_size = 1;
};

/// What a scaling curve runs over.
enum class Axis { ranks, threads, cores };

/// "4 ranks", "1 core".
std::string size_text(int size, Axis axis);
const char* unit_of(Axis axis);

/// All usable runs of a build of the same size.
struct Point {
  int ranks = 0, threads = 1;
  int size = 0;                // on the axis of its build
  bool oversubscribed = false; // one of its runs is
  std::vector<SeriesRun> runs;
  Sample times_s;
};

struct Build {
  Axis axis = Axis::ranks;
  std::string hash; // empty where it is not known
  std::string started;
  std::vector<Point> points;
  std::string unfinished; // why its only run is not a whole one; empty: all of them are
};

/// What became of a file that was given.
struct RunUse {
  std::string file, why_not; // why_not is empty for a run that is used
  int ranks = 0, threads = 1;
  enum class Reason { used, failed, incomplete, snapshot, spawned, other_build } reason = Reason::used;
};

struct Series {
  std::vector<RunUse> runs;
  std::vector<Build> builds;
  std::vector<std::string> notes; // differences that --force let pass
};

/// Reads the totals of `files` (one at least) and groups them. Files that are no runs are skipped,
/// each with one call of `skipped`. Throws Refusal when none is a run, and, unless `force`, when
/// programs or arguments differ. Points and builds are resampled independently of each other, and
/// of another series if `stream` is larger than that one's by at least its number of builds.
Series read_series(const std::vector<std::string>& files, bool force,
                   void (*skipped)(const Refusal&), unsigned stream = 0);

/// Throws Refusal unless the runs of `after` may be compared with those of `before`: the same
/// program and arguments.
void check_same_work(const Profile& before, const Profile& after);

/// The largest point that is not oversubscribed (or of all, if `any`); the largest of all when
/// there is none. Null without points.
const Point* largest_usable(const Build& build, bool any);

} // namespace andes
