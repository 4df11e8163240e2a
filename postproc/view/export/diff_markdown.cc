// Markdown for a merge request: did the change help, at which sizes, in which call paths, and as much as was promised?
#include <fmt/format.h>

#include "postproc/analysis/series.h"
#include "postproc/view/advice.h"
#include "postproc/view/columns/changes.h"
#include "postproc/view/columns/comparison.h"
#include "postproc/view/columns/promises.h"
#include "postproc/view/diff_summary.h"
#include "postproc/view/export/export.h"
#include "postproc/view/export/markdown.h"
#include "postproc/view/number.h"
#include "postproc/view/what_if_text.h"

namespace andes::postproc {
namespace {

std::string build_text(const char* title, const ComparedBuild& build, const char* which = "") {
  return fmt::format(
      "- {}: build {}{}{}, {} run{}{}\n", title, build.hash.empty() ? "unknown" : markdown_text(build.hash), which,
      build.started.empty() ? "" : ", last started " + markdown_text(build.started), build.files.size(),
      build.files.size() == 1 ? "" : "s", build.unfinished.empty() ? "" : "; " + markdown_text(build.unfinished));
}

std::string builds_text(const Comparison& comparison) {
  std::string notes;
  for (const std::string& note : comparison.notes) notes += "Beware: " + markdown_text(note) + ".\n\n";
  const bool same = is_same_build(comparison.before.hash, comparison.after.hash);
  return build_text("before", comparison.before) + build_text("after", comparison.after, same ? " (the same)" : "") +
         '\n' + notes;
}

std::string paragraph(const std::string& text) { return text.empty() ? text : '\n' + markdown_text(text) + '\n'; }

/// Of runs that did not finish there are times alone.
std::string unfinished(const Comparison& comparison) {
  return "### Did it help?\n\n" + markdown_text(advice_helped(comparison)) + "\n\n" + builds_text(comparison) +
         markdown_table(text_table(columns::compared_points(comparison, "\u2192"), comparison.points));
}

std::string markdown(const Terminal&, const Diff& diff) {
  const Comparison& comparison = diff.comparison;
  const std::optional<DiffSummary> summary = summary_of(diff);
  if (!summary) return unfinished(comparison);
  const auto verdict = [&](const ChangeFigures& figures) { return verdict_text(figures, diff.changes.margin_percent); };
  const std::string place = place_text(diff.promises.ranks, diff.promises.threads, comparison.grid);
  std::string text =
      "### Did it help?\n\n" + markdown_text(summary->head) + "\n\n" + builds_text(comparison) +
      markdown_table(text_table(columns::size_changes(verdict, comparison.grid, "\u2192"), diff.changes.sizes)) +
      paragraph(summary->of_sizes) + paragraph(summary->terms);
  if (!summary->paths.empty())
    text += "\nCall paths that changed:\n\n" +
            markdown_table(text_table(columns::path_changes(summary->before_s, what_changed), summary->paths));
  if (summary->more_paths > 0) text += fmt::format("\nand {} that changed less\n", summary->more_paths);
  text += paragraph(summary->rest) + paragraph(summary->identity);
  if (const ShownPromises shown = shown_promises(diff.promises); !shown.rows.empty()) {
    text += fmt::format("\nWhat the earlier build promised, and what was realised of it (of T, at {}):\n\n{}", place,
                        markdown_table(text_table(columns::promises(), shown.rows)));
    if (!shown.more.empty()) text += '\n' + shown.more + ".\n";
    text += paragraph(words_of_changes);
  }
  return text;
}

} // namespace

const Export diff_markdown =
    Format<Diff>{{"markdown", "Print the comparison as Markdown, for a merge request"}, markdown};

} // namespace andes::postproc
