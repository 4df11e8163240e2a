// Tables with ranks down and threads across; what was not run is an empty field.
#include "postproc/view/grid_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "postproc/view/number.h"
#include "postproc/view/table.h"

namespace andes::postproc {
namespace {

using Align = TableColumn::Align;

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
  Table table;
  table.columns = {{"cores"},    {"ranks x threads"}, {"time s"},       {"", Align::left},
                   {"slower %"}, {"", Align::left},   {"", Align::left}};
  for (const CoreSplits& cores : grid.splits) {
    if (cores.splits.size() < 2) continue;
    for (const Split& split : cores.splits) {
      const bool best = split.verdict == Split::Verdict::best;
      table.rows.push_back({best ? std::to_string(cores.cores) : "",
                            fmt::format("{} x {}", split.ranks, split.threads),
                            significant(split.time_s.median),
                            spread_text(split.time_s),
                            best ? "" : fixed(split.slower_percent.median, 1),
                            best ? "" : fixed_spread(split.slower_percent, 1),
                            {name_of(split.verdict), best ? Style::green : Style::plain}});
    }
  }
  return table.rows.empty() ? "" : table_text(terminal, table);
}

void add_lines(const std::vector<GridLine>& lines, const char* fixed_unit, Table& table) {
  for (const GridLine& line : lines) {
    const ScalingPoint* last = nullptr;
    std::vector<std::string> sizes;
    for (const ScalingPoint& p : line.scaling.points) {
      if (!p.usable) continue;
      sizes.push_back(std::to_string(p.size));
      last = &p;
    }
    table.rows.push_back({fmt::format("{} {}{}", line.fixed, fixed_unit, line.fixed == 1 ? "" : "s"),
                          fmt::format("{}s {}", unit_of(line.scaling.axis), fmt::join(sizes, ", ")),
                          fixed(last->speedup.median, 2), spread_text(last->speedup, 3),
                          fixed(100 * last->efficiency.median, 1),
                          last->serial_fraction ? fixed(last->serial_fraction->median, 4) : "",
                          last->serial_fraction ? fixed_spread(*last->serial_fraction, 4) : "",
                          line.scaling.trend.slope ? name_of(line.scaling.trend.verdict) : ""});
  }
}

} // namespace

std::string grid_text(const Terminal& terminal, const Grid& grid) {
  const auto star = [](const ScalingPoint& p) { return p.oversubscribed ? "*" : ""; };
  std::string text =
      "\n  Time in s by ranks and threads of a rank:\n" + matrix(terminal, grid, [&](const ScalingPoint& p) {
        const std::string spread = spread_text(p.time_s);
        return fmt::format("{}{}{}{}", significant(p.time_s.median), spread.empty() ? "" : " ", spread, star(p));
      });
  text += "\n  Efficiency in per cent of the base, over cores:\n" +
          matrix(terminal, grid, [&](const ScalingPoint& p) { return fixed(100 * p.efficiency.median, 1) + star(p); });
  if (const std::string splits = splits_table(terminal, grid); !splits.empty())
    text += "\n  Splits of the same number of cores:\n" + splits;
  Table lines;
  lines.columns = {{"at", Align::left}, {"over", Align::left}, {"speedup"},       {"", Align::left},
                   {"efficiency %"},    {"serial fraction"},   {"", Align::left}, {"trend", Align::left}};
  add_lines(grid.over_ranks, "thread", lines);
  add_lines(grid.over_threads, "rank", lines);
  if (!lines.rows.empty())
    text += "\n  Scaling over ranks at fixed threads, over threads at fixed ranks (at the largest):\n" +
            table_text(terminal, lines);
  return text;
}

std::string advice_grid(const Grid& grid) {
  const CoreSplits* most = nullptr; // the largest number of cores with a choice
  for (const CoreSplits& cores : grid.splits)
    if (cores.splits.size() >= 2) most = &cores;
  if (!most)
    return "No number of cores was run in two usable splits: which is best cannot be told. Choose ranks and threads "
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
  std::string text = fmt::format("On {} cores {} rank{} x {} thread{} run{} best: {} s", most->cores, best.ranks,
                                 best.ranks == 1 ? "" : "s", best.threads, best.threads == 1 ? "" : "s",
                                 best.ranks == 1 ? "s" : "", significant(best.time_s.median));
  if (!slower.empty()) text += fmt::format("; {}", fmt::join(slower, ", "));
  if (!undecided.empty()) text += fmt::format("; not told apart from it: {}", fmt::join(undecided, ", "));
  return text + '.';
}

} // namespace andes::postproc
