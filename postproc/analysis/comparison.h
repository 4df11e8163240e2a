// Comparison: two builds of the same program, before and after a change (step 4 of the method).
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "postproc/analysis/diagnosis.h"
#include "postproc/analysis/points.h"
#include "postproc/analysis/sampling.h"
#include "postproc/analysis/scaling.h"

namespace andes::postproc {

/// The verdict from the interval (or range) of a change: undecided if it contains zero, or if there
/// are only single runs.
enum class Change { faster, slower, undecided };
const char* name_of(Change change);

struct ComparedPoint {
  int ranks = 0, threads = 1;
  bool oversubscribed = false;
  bool usable = true; // not oversubscribed, or oversubscription is accepted
  std::size_t runs_before = 0, runs_after = 0;
  Estimate before_s, after_s, change_percent; // of time: negative is faster
  Change change = Change::undecided;
  std::optional<Estimate> speedup_before, speedup_after;
  std::optional<Estimate> fraction_before, fraction_after;
};

/// Exclusive time of a call path, mean over ranks, at Comparison::ranks.
struct ComparedPath {
  std::vector<std::string> path;
  std::string kind, file;
  int line = 0;
  Estimate before_s, after_s, change_s;
  /// Of the medians, already in the intervals above.
  SamplingError before_error_s, after_error_s;
  bool muted = false; // in one of the runs: part of its time is its caller's
};

/// A cause in a call path, before and after: medians over the repeats at Comparison::ranks.
struct ComparedCause {
  std::string cause, title;
  std::vector<std::string> path;
  std::string kind;
  Place place;
  double before_percent = 0, after_percent = 0; // of causes_whole
  Gain predicted;                               // by the older build alone
  /// Decrease of its waits, mean over all p ranks: these parts and those of compute and
  /// communication add up to the change of T (docs/metrics.md, "Did it help?").
  double realised_s = 0;
};

/// The parts of a change of T, means over ranks; positive: shorter.
struct TimeSaved {
  double total_s = 0, idle_s = 0, compute_s = 0, communication_s = 0, io_s = 0;
};

struct ComparedBuild {
  std::string hash, started;
  std::vector<std::string> files;
  std::string unfinished; // why its only run is incomplete
};

struct Comparison {
  ComparedBuild before, after;
  std::vector<std::string> notes; // what differs beside the build and counts as its change; a phrase each
  std::vector<ComparedPoint> points; // sizes that both have
  bool grid = false;                 // they differ in their threads
  int ranks = 0, threads = 1;        // of the call paths: the largest usable that both have
  std::vector<ComparedPath> paths;   // the ten most changed
  /// Number of call paths whose times differ by less than their sampling errors: not listed.
  std::size_t within_errors = 0;
  Sampling sampling;                 // of all call paths, before and after
  bool waits_measured = false;       // in both builds
  std::string causes_whole = WaitWhole::ranks; // what their shares are of, as in WaitWhole
  std::vector<ComparedCause> causes; // with one per cent in one of them; the most changed first
  std::optional<TimeSaved> saved;    // where waits were measured
};

/// `size`: the size at which call paths and causes are compared. `sequential` and `oversubscribed_ok` as of scaling_of.
Comparison compare(const Build& before, const Build& after, const CommonSize& size, const Sample* sequential,
                   bool oversubscribed_ok);

} // namespace andes::postproc
