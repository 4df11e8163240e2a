// What `andes top` shows of a running job (docs/live.md): times by kind, the heaviest call paths and the ranks. For
// programs the times by kind are two objects, of the last interval and since the start, of the job and of each rank.
#pragma once
#include <functional>

#include "postproc/analysis/live.h"
#include "postproc/view/column.h"

namespace andes::postproc::columns {

/// Parts of a time, in per cent.
List<LiveShare> live_shares();

/// For people: a line of times by kind.
struct LiveKinds {
  std::string title;
  std::optional<LiveShare> share;
  std::optional<double> balance;
};

/// Of the lines of `view`; narrower without the tool's share.
List<LiveKinds> live_kinds(const LiveView& view, bool wide);

/// Of the view's call paths.
List<LivePathRow> live_paths(const LiveView& view);

/// Draws shares.
using LiveBar = std::function<std::string(const std::optional<LiveShare>&)>;

/// Of the view's ranks, which becomes narrower in four steps; the second leaves out the bar.
List<LiveRankRow> live_ranks(const LiveView& view, const LiveBar& bar = {});
inline constexpr int live_rank_steps = 4;

/// What the percentages of the last interval are called.
std::string interval_title(const LiveView& view);

} // namespace andes::postproc::columns
