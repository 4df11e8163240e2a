// What the exports of a call tree share.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "postproc/view/formats.h"

namespace andes::postproc {

/// Throws Refusal for what a format of call paths cannot hold: sums by function (--flat, --function).
void require_call_paths(const ShownRun& run, const char* format);

/// Seconds as whole nanoseconds, none below zero: what a damaged run says stays within bounds.
std::int64_t whole_ns(double seconds);

/// Own times of the tree's rows in one thread, in whole nanoseconds, so that callees always fit into their callers.
struct LocationTimes {
  int rank = 0, thread = 0;
  std::vector<std::int64_t> own_ns, inclusive_ns; // by row
};

/// Of the locations of the chosen ranks whose values the run has, in their order. Throws Refusal for steps of phases,
/// which are sums over all ranks.
std::vector<LocationTimes> times_by_location(const ShownRun& run, const char* format);

/// Call paths of an export stand in the order of the tree: a caller, then its callees.
std::vector<std::size_t> rows_in_order(const Tree& tree);

} // namespace andes::postproc
