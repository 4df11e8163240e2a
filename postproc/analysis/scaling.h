// Scaling: speedup, efficiency, serial fraction with its trend, and the limit of speedup. Steps 1 and
// 2 of the ANDES method; formulas and sources in docs/metrics.md. What is written as ranks there is the size on
// the axis of the build: ranks, threads or cores.
//
// Invariants:
//  - all points share the base run, so comparisons of points are resampled jointly;
//  - oversubscribed points have times and speedups, but do not enter serial fraction, trend and
//    projection unless requested;
//  - in a weak sweep the work is taken to be in proportion to the size: speedup is the base's q T0 / T, its efficiency
//    T0 / T, and Amdahl's law, which is of a fixed problem, is not fitted;
//  - with a superlinear largest point, or one that is no faster than the base, there is no limit
//    and no projection: Amdahl's law holds for fractions between 0 and 1.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "postproc/analysis/series.h"

namespace andes::postproc {

/// Serial fraction of Karp and Flatt (CACM 33(5), 1990) from a speedup over q times the ranks:
/// (1/A - 1/q) / (1 - 1/q), q > 1.
double karp_flatt(double speedup, double q);

/// The program's serial fraction from the serial share of a base run of `base_ranks`, and back.
double fraction_of_program(double share_of_base, double base_ranks);
double share_of_base(double fraction_of_program, double base_ranks);

/// Amdahl's law: 1 / (f + (1 - f) / q).
double amdahl(double fraction, double q);

enum class Verdict { constant, rising, falling, undecided };
const char* name_of(Verdict verdict);

struct ScalingPoint {
  int ranks = 0, threads = 1;
  int size = 0; // on the axis
  std::size_t repeats = 0;
  bool oversubscribed = false;
  bool usable = true; // takes part in serial fraction, trend and projection
  Estimate time_s;
  Estimate speedup, efficiency;             // over the base
  std::optional<Estimate> relative_speedup; // over its own smallest run, with --sequential
  std::optional<Estimate> serial_fraction;  // of the program; absent at the base
  std::optional<Estimate> base_share;       // serial share of the base run; only for base_size > 1
};

/// Serial fraction against log2 of the size: slope is its growth per doubling of the ranks (threads, cores).
struct Trend {
  std::optional<Estimate> slope; // absent with fewer than two serial fractions
  Verdict verdict = Verdict::undecided;
  std::string why; // one sentence
};

struct Projection {
  int size = 0;
  Estimate speedup;             // over the base, like the points
  const char* model = "amdahl"; // or amdahl_trend
};

struct Scaling {
  Axis axis = Axis::ranks;
  int base_ranks = 0, base_threads = 1, base_size = 0;
  Estimate base_time_s;
  bool sequential_base = false;
  bool weak = false; // speedup is scaled and efficiency base time / time: no serial fraction, trend and projection
  std::vector<ScalingPoint> points;
  Trend trend;
  std::vector<Projection> projection;
  std::optional<Estimate> limit_speedup;   // 1/f, over one rank
  std::optional<Estimate> limit_over_base; // 1/f', over the base run; only for base_size > 1
  bool superlinear = false;                // serial fraction of the largest usable point <= 0
  bool slowdown = false;                   // the same >= 1: no faster than the base
};

/// Whether the limit of the speedup (there must be one) is at most 50 times the largest usable size. One beyond that
/// says no more than that hardly anything is serial: it follows from a small difference of times.
bool is_limit_in_sight(const Scaling& scaling);

/// Whether the serial fraction is below zero, and its interval or range too where there is one: the speedup is
/// superlinear, and not only within the spread of the repeats.
bool is_superlinear(const Estimate& serial_fraction);

/// Over the build's axis. `sequential`: times of the best sequential program as base, or null.
Scaling scaling_of(const Build& build, const Sample* sequential, bool oversubscribed_ok);

} // namespace andes::postproc
