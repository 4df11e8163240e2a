// Exclusions: the functions of a run whose probes cost more than their information is worth, for `andes filter`.
//
// The information of a function is its inclusive time; its cost is its visits times the calibrated cost of a timed
// pair of probes (fact `probe_ns`), whatever the governor did with them later. So a function is left out if its
// visits take less time than the probes around them. Functions of the same name are treated together, since a line
// of a selection means all of them. Rejected: visits per second, a bound that has to be guessed for each program;
// exclusive time, which would leave out drivers that only call others.
//
// Never left out: main, functions that call MPI themselves in any of the runs, and functions so cheap that leaving them
// out would change nothing. Functions further above MPI are treated as others: if their visits take less time than
// probes, hardly any of them gets to a call (messages put into a buffer that is sent when it is full), and the calls
// stay below the function that makes them. While such a function is closed, what it calls can only be divided among
// its callers by windows; without its probe that is exact (docs/measurements/2026-11-budget.md, "Graph500 with a
// selection").
#pragma once
#include <string>
#include <vector>

#include "postproc/model/profile.h"

namespace andes::postproc {

/// Least cost of probes, in per cent of p x T, for a line; functions that the governor had to
/// sample or mute always get a line.
constexpr double least_saved_percent = 0.01;

struct Exclusion {
  std::string name, file; // of the function; the file of the first of several
  int line = 0;
  double visits = 0; // sum over ranks, in the run where the function costs most
  double visit_ns = 0; // inclusive time of a visit there, without probes
  double saved_percent = 0; // actual cost of its probes there, in per cent of p x T
  bool sampled = false, closed = false, muted = false; // in any run
};

struct Exclusions {
  std::vector<Exclusion>
      functions; // muted ones, closed ones by their visits, then sampled ones and others by what they cost
  double probe_ns = 0; // of a timed pair, the largest of the runs
  double saved_percent = 0; // of all, in the run where that is most
  bool any_function = false; // whether the runs have functions with probes at all
  std::size_t nameless = 0; // functions that would be left out if rules could name them
};

/// Of runs of one build, read with Detail::tree. A function is left out if its probes cost more
/// than `cost_percent` of its time in one of them. Throws Refusal: runs of different builds, or
/// one that does not say what a probe costs.
Exclusions exclusions_of(const std::vector<Profile>& runs, double cost_percent);

} // namespace andes::postproc
