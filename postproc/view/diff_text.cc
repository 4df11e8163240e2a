#include <algorithm>
#include <fmt/format.h>

#include "postproc/analysis/series.h"
#include "postproc/view/columns/changes.h"
#include "postproc/view/diff_summary.h"
#include "postproc/view/views.h"

namespace andes::postproc {
namespace {

std::string build_line(const char* title, const ComparedBuild& build, const char* which = "") {
  return fmt::format("  {} build {}{}{}, {} run{}\n", title, build.hash.empty() ? "unknown" : build.hash, which,
                     build.started.empty() ? "" : ", last started " + build.started, build.files.size(),
                     build.files.size() == 1 ? "" : "s");
}

} // namespace

std::string diff_text(const Terminal& terminal, const Diff& diff) {
  const Changes& changes = diff.changes;
  const std::string step = comparison_text(terminal, diff.comparison);
  const std::optional<DiffSummary> summary = summary_of(diff);
  if (!summary) return step;
  const int width = std::min(terminal.width, 100);
  const bool same = is_same_build(diff.comparison.before.hash, diff.comparison.after.hash);
  std::string text = styled(terminal, Style::bold, wrapped(summary->head, width, "", ""));
  text += build_line("before:", diff.comparison.before) +
          build_line("after: ", diff.comparison.after, same ? " (the same)" : "");
  for (const std::string& note : diff.comparison.notes) text += wrapped("Beware: " + note + ".", width, "  ", "  ");
  const auto verdict = [&](const ChangeFigures& figures) { return verdict_text(figures, changes.margin_percent); };
  if (changes.sizes.size() > 1) {
    text += table_text(terminal, columns::text_table(columns::size_changes(verdict, diff.comparison.grid,
                                                                           terminal.utf8 ? "\u2192" : "->"),
                                                     changes.sizes));
    if (!summary->of_sizes.empty()) text += wrapped(summary->of_sizes, width, "  ", "  ");
  }
  text += wrapped(summary->terms, width, "  ", "  ");
  if (!summary->paths.empty())
    text += table_text(terminal,
                       columns::text_table(columns::path_changes(summary->before_s, what_changed), summary->paths));
  if (summary->more_paths > 0)
    text += fmt::format("  and {} that changed less (--json lists them)\n", summary->more_paths);
  for (const std::string& line : {summary->rest, summary->identity})
    if (!line.empty()) text += wrapped(line, width, "  ", "  ");
  text += promises_text(terminal, diff.promises);
  return diff.full ? text + step : text;
}

std::string diff_json(const Diff& diff) {
  Json json{{"schema", 1}};
  json.update(comparison_object(diff.comparison));
  const Changes& changes = diff.changes;
  const auto no_text = [](const auto&) { return std::string(); };
  json["margin_percent"] = changes.margin_percent;
  json["false_discovery_rate"] = false_discovery_rate;
  json["tested"] = changes.tested;
  json["sizes"] = Json::array();
  for (const SizeChanges& size : changes.sizes) {
    Json object = Json::object();
    columns::add_columns(object, columns::size_changes(no_text, diff.comparison.grid, ""), size);
    object["terms"] = columns::json_rows(columns::term_changes(), size.terms);
    object["callpaths"] = Json::array();
    for (const PathChange& path : size.paths) {
      Json one = Json::object();
      columns::add_columns(one, columns::path_changes(1, no_text), path);
      one["terms"] = columns::json_rows(columns::term_changes(), path.terms);
      if (path.computation)
        one["computation"] = {{"instructions_s", path.computation->instructions_s},
                              {"instructions_per_cycle_s", path.computation->per_cycle_s},
                              {"frequency_s", path.computation->frequency_s}};
      object["callpaths"].push_back(std::move(one));
    }
    json["sizes"].push_back(std::move(object));
  }
  if (!diff.promises.all.empty()) json["predictions"] = promises_json(diff.promises, diff.comparison.grid);
  json["identity"] = {{"callpaths", changes.callpaths},
                      {"matched", changes.matched},
                      {"unlike", columns::json_rows(columns::unlike_paths(), changes.unlike)}};
  return document(json);
}

} // namespace andes::postproc
