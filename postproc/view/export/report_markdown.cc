// Markdown for a merge request: the sizes as a table, and the first screen of the report, for each series.
#include <fmt/format.h>

#include "postproc/view/export/export.h"
#include "postproc/view/export/markdown.h"
#include "postproc/view/first_screen.h"
#include "postproc/view/number.h"

namespace andes::postproc {
namespace {

constexpr Terminal wide_page = {.width = 100, .colour = false, .utf8 = true};

std::string sizes_table(const Report& report) {
  const std::vector<ScalingPoint>& points = report.grid ? report.grid->all.points : report.scaling.points;
  Table table;
  for (const char* title : {"ranks", "threads", "runs", "time s", "speedup", "efficiency"})
    table.columns.push_back({title});
  for (const ScalingPoint& point : points)
    table.rows.push_back({std::to_string(point.ranks), report.grid ? std::to_string(point.threads) : std::string(),
                          std::to_string(point.repeats), estimate_text(point.time_s), estimate_text(point.speedup),
                          estimate_text(point.efficiency) + (point.oversubscribed ? " (oversubscribed)" : "")});
  return markdown_table(table);
}

std::string report_text_of(const Report& report) {
  return fmt::format("### {}\n\n{}\n{}", markdown_text(report.command), sizes_table(report),
                     markdown_block(first_screen(wide_page, report, true)));
}

std::string markdown(const Terminal&, const Reports& results) {
  std::string text;
  for (const Report& report : results.reports) text += (text.empty() ? "" : "\n") + report_text_of(report);
  return text;
}

} // namespace

const Export report_markdown =
    Format<Reports>{{"markdown", "Print the sizes and the first screen as Markdown, for a merge request"}, markdown};

} // namespace andes::postproc
