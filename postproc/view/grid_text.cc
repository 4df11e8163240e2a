// Tables with ranks down and threads across, in which what was not run is an empty field, and those of columns/grid.h.
#include "postproc/view/grid_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "postproc/view/columns/grid.h"
#include "postproc/view/number.h"
#include "postproc/view/table.h"

namespace andes::postproc {
namespace {

const ScalingPoint* point_at(const Grid& grid, int ranks, int threads) {
  for (const ScalingPoint& p : grid.all.points)
    if (p.ranks == ranks && p.threads == threads) return &p;
  return nullptr;
}

template <class Text> std::string matrix(const Terminal& terminal, const Grid& grid, Text text) {
  Table table;
  table.columns = {{"ranks \\ threads"}};
  for (const int threads : grid.threads) table.columns.push_back({std::to_string(threads)});
  for (const int ranks : grid.ranks) {
    std::vector<Cell> row{std::to_string(ranks)};
    for (const int threads : grid.threads) {
      const ScalingPoint* p = point_at(grid, ranks, threads);
      row.emplace_back(p ? text(*p) : std::string(), p && !p->usable ? Style::dim : Style::plain);
    }
    table.rows.push_back(std::move(row));
  }
  return table_text(terminal, table);
}

std::string splits_table(const Terminal& terminal, const Grid& grid) {
  std::vector<Split> splits;
  for (const CoreSplits& cores : grid.splits)
    if (cores.splits.size() >= 2) splits.insert(splits.end(), cores.splits.begin(), cores.splits.end());
  return splits.empty() ? "" : table_text(terminal, text_table(columns::splits(), splits));
}

} // namespace

std::string grid_text(const Terminal& terminal, const Grid& grid) {
  const auto star = [](const ScalingPoint& p) { return p.oversubscribed ? "*" : ""; };
  std::string text =
      "\n  Time in s by ranks and threads of a rank:\n" + matrix(terminal, grid, [&](const ScalingPoint& p) {
        const std::string spread = seconds_spread(p.time_s);
        return fmt::format("{}{}{}{}", seconds_text(p.time_s.median), spread.empty() ? "" : " ", spread, star(p));
      });
  text += "\n  Efficiency in per cent of the base, over cores:\n" +
          matrix(terminal, grid, [&](const ScalingPoint& p) { return fixed(100 * p.efficiency.median, 1) + star(p); });
  if (const std::string splits = splits_table(terminal, grid); !splits.empty())
    text += "\n  Splits of the same number of cores:\n" + splits;
  std::vector<GridLine> lines = grid.over_ranks;
  lines.insert(lines.end(), grid.over_threads.begin(), grid.over_threads.end());
  if (!lines.empty())
    text += "\n  Scaling over ranks at fixed threads, over threads at fixed ranks (at the largest):\n" +
            table_text(terminal, text_table(columns::lines(), lines));
  return text;
}

std::string advice_grid(const Grid& grid) {
  const CoreSplits* most = nullptr; // the largest number of cores with a choice
  for (const CoreSplits& cores : grid.splits)
    if (cores.splits.size() >= 2) most = &cores;
  if (!most)
    return "No number of cores was run in two usable splits, so the best split is not known. Choose ranks and threads "
           "with the same product, such as --ranks 1,2,4 --threads 1,2,4.";
  const Split& best = most->splits.front();
  std::vector<std::string> slower, undecided;
  for (const Split& split : most->splits) {
    const std::string name = fmt::format("{} x {}", split.ranks, split.threads);
    if (split.verdict == Split::Verdict::slower)
      slower.push_back(fmt::format("{} takes {:.1f} % longer", name, split.slower_percent.median));
    if (split.verdict == Split::Verdict::undecided)
      undecided.push_back(fmt::format("{} ({:+.1f} %)", name, split.slower_percent.median));
  }
  std::string text = fmt::format("On {} cores {} rank{} x {} thread{} run{} best: {}", most->cores, best.ranks,
                                 best.ranks == 1 ? "" : "s", best.threads, best.threads == 1 ? "" : "s",
                                 best.ranks == 1 ? "s" : "", in_seconds(best.time_s.median));
  if (!slower.empty()) text += fmt::format("; {}", fmt::join(slower, ", "));
  if (!undecided.empty()) text += fmt::format("; not significantly different: {}", fmt::join(undecided, ", "));
  return text + '.';
}

} // namespace andes::postproc
