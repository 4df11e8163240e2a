// Programs that are built for each number of ranks, as those of the NAS Parallel Benchmarks: their executables differ,
// though one sweep has started them as one program (`mpirun -n {p} bin/lu.W.{p}`; decision 319).
#pragma once
#include <map>
#include <string>

#include "postproc/analysis/series.h"

namespace andes::postproc {

/// Builds in which the newest executables of each size are one, the newest before them another, and so on. The hash of
/// each is that of its smallest size. `by_hash`: those of one program, an executable each.
std::map<std::string, Build> joined_by_age(std::map<std::string, Build> by_hash);

} // namespace andes::postproc
