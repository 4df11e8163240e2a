// Values of call paths in single ranks for a page: one byte each, within 3.5 %, so that a thousand ranks fit into a
// file that travels. What the exact values are `andes show --rank` says.
#pragma once
#include <string>

#include "postproc/model/read_location_values.h"
#include "postproc/view/json.h"

namespace andes::postproc {

struct RankCells {
  /// {"locations": [{"rank", "thread"}], "step", "folded", "planes": [{"metric", "callpaths": [id], "max_s": [...]}]}.
  /// `folded`: call paths without cells of their own; their values are in those of the nearest caller that has some.
  Json index;
  /// Of each plane, of each of its call paths, a level for each location: 0 is zero, and level k from 1 to 255
  /// max_s x step^(k - 255). Level 1 also stands for anything smaller.
  std::string levels;
};

/// At most `most_cells` in each plane: the call paths with most time have some, and their callers.
RankCells rank_cells(const Profile& profile, LocationValues values, std::size_t most_cells);

} // namespace andes::postproc
