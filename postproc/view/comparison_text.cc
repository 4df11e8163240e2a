// Step 4 for people: before -> after.
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "postproc/view/advice.h"
#include "postproc/view/diagnosis_text.h"
#include "postproc/view/number.h"
#include "postproc/view/sampling_text.h"
#include "postproc/view/table.h"
#include "postproc/view/views.h"

namespace andes::postproc {
namespace {

using Align = TableColumn::Align;

std::string build_text(const ComparedBuild& build) {
  return fmt::format("build {}{}, {} run{}{}", build.hash.empty() ? "unknown" : build.hash,
                     build.started.empty() ? "" : ", last started " + build.started, build.files.size(),
                     build.files.size() == 1 ? "" : "s", build.unfinished.empty() ? "" : "; " + build.unfinished);
}

std::string change_text(const std::optional<Estimate>& before, const std::optional<Estimate>& after,
                        std::string (*written)(const Estimate&, int), int digits, const char* arrow) {
  const auto one = [&](const std::optional<Estimate>& e) { return e ? written(*e, digits) : std::string("-"); };
  return before || after ? fmt::format("{} {} {}", one(before), arrow, one(after)) : "";
}

/// Speedup and serial fraction; a table of their own, as both have intervals on both sides. None of runs that did
/// not come to their end.
std::string scaling_table(const Terminal& terminal, const Comparison& comparison, const char* arrow) {
  if (!comparison.before.unfinished.empty() || !comparison.after.unfinished.empty()) return {};
  Table table;
  table.columns = {
      {"ranks"}, {comparison.grid ? "threads" : ""}, {"speedup", Align::left}, {"serial fraction", Align::left}};
  for (const ComparedPoint& p : comparison.points)
    table.rows.push_back({std::to_string(p.ranks), comparison.grid ? std::to_string(p.threads) : "",
                          change_text(p.speedup_before, p.speedup_after, estimate_text, 3, arrow),
                          change_text(p.fraction_before, p.fraction_after, fixed_text, 4, arrow)});
  return table_text(terminal, table);
}

std::string signed_text(double value) { return fmt::format("{}{}", value > 0 ? "+" : "", significant(value)); }

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
    note += fmt::format("{}Muted in some of the runs, the rest of their time being their callers': "
                        "{}.",
                        note.empty() ? "" : " ", fmt::join(comparison.sampling.muted, ", "));
  return note.empty() ? note : wrapped(note, terminal.width, "  ", "  ");
}

const char* fate_of(const ComparedCause& cause) {
  constexpr double none_percent = 1;
  if (cause.after_percent < none_percent) return "gone";
  if (cause.before_percent < none_percent) return "new";
  return cause.realised_s > 0 ? "smaller" : "grew";
}

std::string causes_text(const Terminal& terminal, const Comparison& comparison) {
  if (!comparison.waits_measured) return {};
  constexpr std::size_t most = 10;
  const std::string head = "\n  Why ranks wait at " + place_text(comparison.ranks, comparison.threads, comparison.grid);
  if (comparison.causes.empty()) return head + ": no cause above 1 % of p x T, before or after.\n";
  Table table;
  table.columns = {{"before %"},
                   {"after %"},
                   {"predicted s"},
                   {"realised s"},
                   {"", Align::left},
                   {"cause", Align::left},
                   {"call path", Align::left, true}};
  for (const ComparedCause& c : comparison.causes) {
    if (table.rows.size() == most) break;
    const std::string predicted = gain_text(c.predicted);
    table.rows.push_back({fixed(c.before_percent, 1),
                          fixed(c.after_percent, 1),
                          predicted.substr(0, predicted.size() - 2),
                          significant(c.realised_s, 3),
                          {fate_of(c), c.realised_s > 0 ? Style::green : Style::red},
                          c.title.empty() ? c.cause : c.title,
                          joined_path(c.path)});
  }
  std::string text = head + " (per cent of p x T):\n" + table_text(terminal, table);
  if (comparison.causes.size() > most)
    text += fmt::format("  and {} that changed less (--json lists them)\n", comparison.causes.size() - most);
  text += wrapped("predicted: by the build before, what T would shrink by; realised: by how much "
                  "these waits became shorter, mean over ranks.",
                  terminal.width, "  ", "  ");
  const TimeSaved& saved = *comparison.saved;
  return text + wrapped(fmt::format("Of the {} s by which T became {}, waiting is {} s, computing {} "
                                    "s, communicating {} s.",
                                    significant(std::fabs(saved.total_s), 3),
                                    saved.total_s < 0 ? "longer (-)" : "shorter", significant(saved.idle_s, 3),
                                    significant(saved.compute_s, 3), significant(saved.communication_s, 3)),
                        terminal.width, "  ", "  ");
}

Style style_of(Change change) {
  if (change == Change::faster) return Style::green;
  return change == Change::slower ? Style::red : Style::plain;
}

} // namespace

std::string comparison_text(const Terminal& terminal, const Comparison& comparison) {
  const char* arrow = terminal.utf8 ? "\u2192" : "->";
  std::string text = '\n' + styled(terminal, Style::bold, "4 Did it help?") + '\n';
  text += fmt::format("  before: {}\n  after:  {}\n", build_text(comparison.before), build_text(comparison.after));
  Table points;
  points.columns = {
      {"ranks"},        {comparison.grid ? "threads" : ""}, {"time s", Align::left}, {"change %"}, {"", Align::left},
      {"", Align::left}};
  for (const ComparedPoint& p : comparison.points)
    points.rows.push_back({fmt::format("{}{}", p.ranks, p.oversubscribed ? "*" : ""),
                           comparison.grid ? std::to_string(p.threads) : "",
                           change_text(p.before_s, p.after_s, estimate_text, 4, arrow),
                           {fmt::format("{:+.1f}", p.change_percent.median), style_of(p.change)},
                           spread_text(p.change_percent, 3),
                           {name_of(p.change), style_of(p.change)}});
  text += table_text(terminal, points) + '\n' + scaling_table(terminal, comparison, arrow);
  text += fmt::format("\n  The most changed call paths at {} (exclusive time, mean over ranks):\n",
                      place_text(comparison.ranks, comparison.threads, comparison.grid));
  Table paths;
  paths.columns = {{"before s"},
                   {"", Align::left},
                   {"after s"},
                   {"", Align::left},
                   {"change s"},
                   {"", Align::left},
                   {"call path", Align::left, true}};
  for (const ComparedPath& p : comparison.paths)
    paths.rows.push_back({marked(significant(p.before_s.median), p.before_error_s), spread_text(p.before_s, 3),
                          marked(significant(p.after_s.median), p.after_error_s), spread_text(p.after_s, 3),
                          marked(signed_text(p.change_s.median), error_of_sum(p.before_error_s, p.after_error_s)),
                          spread_text(p.change_s, 3), joined_path(p.path) + (p.muted ? " (muted)" : "")});
  text += paths.rows.empty() ? "  none\n" : table_text(terminal, paths);
  text += estimates_notes(terminal, comparison) + causes_text(terminal, comparison);
  return text + wrapped(advice_helped(comparison), std::min(terminal.width, 100), terminal.utf8 ? "  \u2192 " : "  -> ",
                        "    ");
}

} // namespace andes::postproc
