// Markdown for a merge request: did the change help, at which sizes, in which call paths.
#include <fmt/format.h>

#include "postproc/view/advice.h"
#include "postproc/view/columns/comparison.h"
#include "postproc/view/export/export.h"
#include "postproc/view/export/markdown.h"
#include "postproc/view/number.h"

namespace andes::postproc {
namespace {

std::string build_text(const char* title, const ComparedBuild& build) {
  return fmt::format(
      "- {}: build {}{}, {} run{}{}\n", title, build.hash.empty() ? "unknown" : markdown_text(build.hash),
      build.started.empty() ? "" : ", last started " + markdown_text(build.started), build.files.size(),
      build.files.size() == 1 ? "" : "s", build.unfinished.empty() ? "" : "; " + markdown_text(build.unfinished));
}

std::string markdown(const Terminal&, const Diff& diff) {
  const Comparison& comparison = diff.comparison;
  std::string text = "### Did it help?\n\n" + markdown_text(advice_helped(comparison)) + "\n\n" +
                     build_text("before", comparison.before) + build_text("after", comparison.after) + '\n' +
                     markdown_table(text_table(columns::compared_points(comparison, "\u2192"), comparison.points));
  if (!comparison.paths.empty())
    text += fmt::format("\nThe most changed call paths at {} (exclusive time, mean over ranks):\n\n{}",
                        place_text(comparison.ranks, comparison.threads, comparison.grid),
                        markdown_table(text_table(columns::compared_paths(comparison), comparison.paths)));
  if (!comparison.causes.empty())
    text += fmt::format("\nWhy ranks wait (per cent of p x T):\n\n{}",
                        markdown_table(text_table(columns::compared_causes(comparison), comparison.causes)));
  return text;
}

} // namespace

const Export diff_markdown =
    Format<Diff>{{"markdown", "Print the comparison as Markdown, for a merge request"}, markdown};

} // namespace andes::postproc
