// Time of functions without a probe. It was measured as their callers' own; here it is divided as samples tell, or else
// by what the operations in the source let expect (docs/metrics.md, "Functions without a probe").
#pragma once
#include <map>
#include <string>
#include <vector>

#include "postproc/analysis/paths.h"
#include "postproc/analysis/tree.h"

namespace andes::postproc {

/// A place in the program's source.
struct NamedPlace {
  std::string name, file;
  int line = 0;
  friend auto operator<=>(const NamedPlace&, const NamedPlace&) = default;
};

/// Own time of each function with a probe, with that of the loops and blocks in it; per cent of what percentages of
/// call paths are of.
using OwnPercents = std::map<NamedPlace, double>;
OwnPercents own_percents(const Tree& tree);
OwnPercents own_percents(const std::vector<PathRow>& rows, std::size_t run);

/// A function without a probe, with its estimated time.
struct LeftOutTime {
  NamedPlace function;
  double percent = 0;
  bool unknown_work = false; // a caller also calls code whose work is unknown, such as libraries: not counted
  bool is_sampled = false; // samples tell most of it; else it is estimated from operations
  std::vector<std::string> callers; // with a probe, by what the function takes in them, heaviest first
};

/// Heaviest first.
std::vector<LeftOutTime> left_out_times(const Profile& profile, const OwnPercents& own);

/// Of the repeats of a point: medians, heaviest first. `rows`: the repeats side by side.
std::vector<LeftOutTime> left_out_times(const std::vector<Profile>& repeats, const std::vector<PathRow>& rows);

} // namespace andes::postproc
