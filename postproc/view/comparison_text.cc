// Step 4 for people: before -> after.
#include <fmt/format.h>

#include "postproc/view/advice.h"
#include "postproc/view/number.h"
#include "postproc/view/table.h"
#include "postproc/view/views.h"

namespace andes {
namespace {

using Align = TableColumn::Align;

std::string build_text(const ComparedBuild& build) {
  return fmt::format("build {}{}, {} run{}", build.hash.empty() ? "unknown" : build.hash,
                     build.started.empty() ? "" : ", last started " + build.started,
                     build.files.size(), build.files.size() == 1 ? "" : "s");
}

std::string median_text(const std::optional<Estimate>& estimate, int decimals) {
  return estimate ? fixed(estimate->median, decimals) : "-";
}

Style style_of(Change change) {
  if (change == Change::faster) return Style::green;
  return change == Change::slower ? Style::red : Style::plain;
}

} // namespace

std::string comparison_text(const Terminal& terminal, const Comparison& comparison) {
  const char* arrow = terminal.utf8 ? "\u2192" : "->";
  std::string text = '\n' + styled(terminal, Style::bold, "4 Did it help?") + '\n';
  text += fmt::format("  before: {}\n  after:  {}\n", build_text(comparison.before),
                      build_text(comparison.after));
  Table points;
  points.columns = {{"ranks"},         {"time s", Align::left},  {"change %"},
                    {"", Align::left}, {"speedup", Align::left}, {"serial fraction", Align::left},
                    {"", Align::left}};
  for (const ComparedPoint& p : comparison.points) {
    const bool fractions = p.fraction_before || p.fraction_after;
    points.rows.push_back(
        {fmt::format("{}{}", p.ranks, p.oversubscribed ? "*" : ""),
         fmt::format("{} {} {}", estimate_text(p.before_s), arrow, estimate_text(p.after_s)),
         {fmt::format("{:+.1f}", p.change_percent.median), style_of(p.change)},
         spread_text(p.change_percent, 3),
         fmt::format("{} {} {}", median_text(p.speedup_before, 2), arrow,
                     median_text(p.speedup_after, 2)),
         fractions ? fmt::format("{} {} {}", median_text(p.fraction_before, 4), arrow,
                                 median_text(p.fraction_after, 4))
                   : "",
         {name_of(p.change), style_of(p.change)}});
  }
  text += table_text(terminal, points);
  text += fmt::format("\n  The most changed call paths at {} rank{} (exclusive time, mean over "
                      "ranks):\n",
                      comparison.ranks, comparison.ranks == 1 ? "" : "s");
  Table paths;
  paths.columns = {{"before s"},
                   {"", Align::left},
                   {"after s"},
                   {"", Align::left},
                   {"change s"},
                   {"", Align::left},
                   {"call path", Align::left, true}};
  for (const ComparedPath& p : comparison.paths)
    paths.rows.push_back({significant(p.before_s.median), spread_text(p.before_s, 3),
                          significant(p.after_s.median), spread_text(p.after_s, 3),
                          fmt::format("{}{}", p.change_s.median > 0 ? "+" : "", significant(p.change_s.median)),
                          spread_text(p.change_s, 3), joined_path(p.path)});
  text += paths.rows.empty() ? "  none\n" : table_text(terminal, paths);
  return text + wrapped(advice_helped(comparison), std::min(terminal.width, 100),
                        terminal.utf8 ? "  \u2192 " : "  -> ", "    ");
}

} // namespace andes
