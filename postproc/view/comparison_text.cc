// Step 4 for people: before -> after.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <span>

#include "postproc/view/advice.h"
#include "postproc/view/columns/comparison.h"
#include "postproc/view/number.h"
#include "postproc/view/views.h"

namespace andes::postproc {
namespace {

std::string build_text(const ComparedBuild& build) {
  return fmt::format("build {}{}, {} run{}{}", build.hash.empty() ? "unknown" : build.hash,
                     build.started.empty() ? "" : ", last started " + build.started, build.files.size(),
                     build.files.size() == 1 ? "" : "s", build.unfinished.empty() ? "" : "; " + build.unfinished);
}

/// None of runs that did not come to their end.
std::string scaling_table(const Terminal& terminal, const Comparison& comparison, const char* arrow) {
  if (!comparison.before.unfinished.empty() || !comparison.after.unfinished.empty()) return {};
  return table_text(terminal, text_table(columns::compared_scaling(comparison, arrow), comparison.points));
}

/// What the marks of estimated times mean, and what was left out for their sake.
std::string estimates_notes(const Terminal& terminal, const Comparison& comparison) {
  SamplingError any;
  for (const ComparedPath& p : comparison.paths)
    any = error_of_sum(any, error_of_sum(p.before_error_s, p.after_error_s));
  std::string note;
  if (any.estimated) note = "~: estimated from the visits that were timed; the intervals hold that error too.";
  if (!any.reliable) note += " ?: not reliable, too uneven or too seldom timed for its interval.";
  if (comparison.within_errors > 0)
    note +=
        fmt::format("{}Not listed: {}.", note.empty() ? "" : " ",
                    comparison.within_errors == 1 ? "1 call path with estimated times, which changes by less than its "
                                                    "error"
                                                  : fmt::format("{} call paths with estimated times, which change by "
                                                                "less than their errors",
                                                                comparison.within_errors));
  if (!comparison.sampling.muted.empty())
    note += fmt::format("{}Muted in some runs, so that part of their time is counted in their callers: {}.",
                        note.empty() ? "" : " ", fmt::join(comparison.sampling.muted, ", "));
  return note.empty() ? note : wrapped(note, terminal.width, "  ", "  ");
}

std::string causes_text(const Terminal& terminal, const Comparison& comparison) {
  if (!comparison.waits_measured) return {};
  constexpr std::size_t most = 10;
  const std::string head = "\n  Why ranks wait at " + place_text(comparison.ranks, comparison.threads, comparison.grid);
  if (comparison.causes.empty())
    return head + ": no cause above 1 % of " + comparison.causes_whole + ", before or after.\n";
  const std::span rows(comparison.causes.data(), std::min(most, comparison.causes.size()));
  std::string text = head + " (per cent of " + comparison.causes_whole + "):\n" +
                     table_text(terminal, text_table(columns::compared_causes(comparison), rows));
  if (comparison.causes.size() > most)
    text += fmt::format("  and {} that changed less (--json lists them)\n", comparison.causes.size() - most);
  text += wrapped(
      "predicted: by how much the earlier build said that T would shrink; measured: by how much these waits became "
      "shorter, mean over ranks.",
      terminal.width, "  ", "  ");
  const TimeSaved& saved = *comparison.saved;
  return text + wrapped(fmt::format("Of the {} by which T became {}, waiting is {}, computing {}, "
                                    "communicating {}, input and output {}.",
                                    in_seconds(std::fabs(saved.total_s)), saved.total_s < 0 ? "longer (-)" : "shorter",
                                    in_seconds(saved.idle_s), in_seconds(saved.compute_s),
                                    in_seconds(saved.communication_s), in_seconds(saved.io_s)),
                        terminal.width, "  ", "  ");
}

} // namespace

std::string comparison_text(const Terminal& terminal, const Comparison& comparison) {
  const char* arrow = terminal.utf8 ? "\u2192" : "->";
  std::string text = '\n' + styled(terminal, Style::bold, "4 Did it help?") + '\n';
  text += fmt::format("  before: {}\n  after:  {}\n", build_text(comparison.before), build_text(comparison.after));
  for (const std::string& note : comparison.notes) text += wrapped("Beware: " + note + ".", terminal.width, "  ", "  ");
  text += table_text(terminal, text_table(columns::compared_points(comparison, arrow), comparison.points)) + '\n' +
          scaling_table(terminal, comparison, arrow);
  text += fmt::format("\n  The most changed call paths at {} (exclusive time, mean over ranks):\n",
                      place_text(comparison.ranks, comparison.threads, comparison.grid));
  text += comparison.paths.empty()
              ? "  none\n"
              : table_text(terminal, text_table(columns::compared_paths(comparison), comparison.paths));
  text += estimates_notes(terminal, comparison) + causes_text(terminal, comparison);
  return text + wrapped(advice_helped(comparison), std::min(terminal.width, 100), terminal.utf8 ? "  \u2192 " : "  -> ",
                        "    ");
}

} // namespace andes::postproc
