// Regions of two builds of a program, matched: by kind, name and file, and where these do not agree by what they call,
// who calls them, how often, and where they stand in their file. What is matched by likeness says so (docs/metrics.md,
// "The same call path in another build").
//
// Invariants:
//  - each region has one partner at most; where two would do as well as each other, none is taken;
//  - times have no part in it: what became slower is found as surely as what did not;
//  - a name with a line in it (loops, lambdas) is never believed for its line alone.
#pragma once
#include <vector>

#include "postproc/analysis/build_tree.h"
#include "postproc/analysis/match.h"

namespace andes::postproc {

/// By region of the newer build.
std::vector<Match> match_regions(const BuildTree& older, const BuildTree& newer);

} // namespace andes::postproc
