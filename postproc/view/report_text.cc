// The report for people: a screen with the answers (first_screen.h), then four titled steps, each a table, what is
// remarkable, and advice. What few readers need each time is for --full: definitions, the efficiency hierarchy, ranks.
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <span>

#include "common/printable.h"
#include "postproc/view/advice.h"
#include "postproc/view/columns/findings.h"
#include "postproc/view/columns/points.h"
#include "postproc/view/columns/projection.h"
#include "postproc/view/columns/ranks.h"
#include "postproc/view/columns/routines.h"
#include "postproc/view/diagnosis_text.h"
#include "postproc/view/first_screen.h"
#include "postproc/view/flat_text.h"
#include "postproc/view/fraction.h"
#include "postproc/view/grid_text.h"
#include "postproc/view/hybrid_text.h"
#include "postproc/view/ledger_text.h"
#include "postproc/view/left_out_text.h"
#include "postproc/view/models_text.h"
#include "postproc/view/noise_view.h"
#include "postproc/view/number.h"
#include "postproc/view/processor_text.h"
#include "postproc/view/sampling_text.h"
#include "postproc/view/small_messages_text.h"
#include "postproc/view/table.h"
#include "postproc/view/views.h"
#include "postproc/view/what_if_text.h"

namespace andes::postproc {
namespace {

std::string title(const Terminal& terminal, const char* text) {
  return '\n' + styled(terminal, Style::bold, text) + '\n';
}

std::string remark(const Terminal& terminal, const std::string& text) {
  return wrapped(text, terminal.width, styled(terminal, Style::yellow, "  ! "), "    ");
}

std::string sentence(const Terminal& terminal, const std::string& text) {
  return wrapped(text, std::min(terminal.width, 100), terminal.utf8 ? "  \u2192 " : "  -> ", "    ");
}

/// A time and its bounds, in one unit.
std::string seconds_text(const Estimate& time_s) {
  const AlikeTimes times =
      alike_times({time_s.median, time_s.low.value_or(time_s.median), time_s.high.value_or(time_s.median)});
  const std::string time = fmt::format("{} {}", times.texts[0], times.unit), low = time_s.low ? times.texts[1] : "-",
                    high = time_s.high ? times.texts[2] : "-";
  if (time_s.kind == Estimate::Kind::point) return time;
  if (time_s.kind == Estimate::Kind::range) return fmt::format("{} ({}..{})", time, low, high);
  return fmt::format("{} [{}, {}]", time, low, high);
}

/// The size that call paths and ranks are reported of.
std::string routine_place(const Report& report) {
  return place_text(report.routine_ranks, report.routine_threads, report.grid.has_value());
}

/// What the measurement has cost.
std::string cost_text(const Terminal& terminal, const Report& report) {
  std::vector<std::string> overhead;
  for (const Overhead& o : report.overhead)
    overhead.push_back(fmt::format("{} % {}{}at {}", fixed(o.percent.median, 1), fixed_spread(o.percent, 1),
                                   o.percent.kind == Estimate::Kind::point ? "" : " ",
                                   place_text(o.ranks, o.threads, report.grid.has_value())));
  std::string text = overhead.empty()
                         ? "\nIntrusion of the measurement: not measured (andes run --overhead measures it)\n"
                         : fmt::format("\nIntrusion of the measurement: {}\n", fmt::join(overhead, ", "));
  if (report.unfinished.empty()) text += wrapped(noise_sentence(report.noise), terminal.width, "", "  ");
  return text + tool_cost_text(terminal, report.cost, " at " + routine_place(report));
}

std::string bar(const Terminal& terminal, double speedup, double ideal, double most) {
  constexpr int width = 32;
  return bar_text(terminal, cells_of(speedup, most, width), cells_of(ideal, most, width));
}

/// Steps 1 and 2 of runs of which none came to its end.
std::string nothing_to_fit(const Terminal& terminal, const Report& report) {
  const bool is = report.unfinished.rfind("incomplete", 0) == 0;
  std::string text =
      title(terminal, "1 Where are we?") +
      remark(terminal, fmt::format("{}{} {}{}", report.shown, report.runs.size() > 1 ? ", the newest," : "",
                                   is ? "is " : "", report.unfinished));
  for (const std::string& ending : report.endings) text += remark(terminal, ending);
  for (const Warning& w : report.warnings) text += remark(terminal, w.text);
  return text +
         sentence(
             terminal,
             "No run finished, so there is no speedup to report. Step 3 shows what the ranks did until they ended.") +
         title(terminal, "2 How far can it go?") + sentence(terminal, "No projection: it needs runs that finished.");
}

std::string weak_text(const Report& report) {
  std::string axis;
  for (const RunAxis& a : report.axes)
    if (a.grows) axis = fmt::format(" ({} = {} at the smallest number of ranks)", a.name, printable(a.value));
  return fmt::format(
      "Weak sweep: the problem grows with the {}s{}. Speedup is scaled, efficiency is the base's time / time.",
      unit_of(report.scaling.axis), axis);
}

std::string where_are_we(const Terminal& terminal, const Report& report) {
  const Scaling& scaling = report.scaling;
  std::string text = title(terminal, "1 Where are we?");
  if (report.sequential)
    text += fmt::format("  Base: the sequential program '{}', {}, {} run{} ({}).\n", report.sequential->command,
                        seconds_text(report.sequential->time_s), report.sequential->repeats,
                        report.sequential->repeats == 1 ? "" : "s", report.sequential->file);
  else
    text +=
        fmt::format("  Base: {}, {}.\n", place_text(scaling.base_ranks, scaling.base_threads, report.grid.has_value()),
                    seconds_text(scaling.base_time_s));
  if (scaling.weak) text += wrapped(weak_text(report), terminal.width, "  ", "  ");
  if (report.grid) text += "  By number of cores, each in its best split into ranks and threads:\n";
  double most = 1;
  for (const ScalingPoint& p : scaling.points)
    most = std::max({most, p.speedup.median, static_cast<double>(p.size) / scaling.base_size});
  const auto bar_of = [&](const ScalingPoint& p) {
    return bar(terminal, p.speedup.median, static_cast<double>(p.size) / scaling.base_size, most);
  };
  text += table_text(terminal, text_table(columns::speedups(report, bar_of), scaling.points));
  if (report.grid) text += grid_text(terminal, *report.grid);
  const auto& all = report.grid ? report.grid->all.points : scaling.points;
  const bool oversubscribed =
      std::any_of(all.begin(), all.end(), [](const ScalingPoint& p) { return p.oversubscribed; });
  text += wrapped(fmt::format("[low, high]: 95 % interval of the median; low..high: range of fewer "
                              "than 6 runs{}",
                              oversubscribed ? "; *: oversubscribed" : ""),
                  terminal.width, "  ", "  ");
  for (const Warning& w : report.warnings) text += remark(terminal, w.text);
  for (const std::string& outlier : outlier_sentences(report.noise)) text += remark(terminal, outlier);
  // Without MPI there is one rank at each size, and nothing to split.
  if (report.grid && !report.mpi_library.empty()) text += sentence(terminal, advice_grid(*report.grid));
  return text + sentence(terminal, advice_where(report));
}

std::string fractions_table(const Terminal& terminal, const Scaling& scaling) {
  std::vector<ScalingPoint> points = scaling.points;
  std::erase_if(points, [](const ScalingPoint& p) { return !p.serial_fraction; });
  return points.empty() ? "" : table_text(terminal, text_table(columns::serial_fractions(scaling), points));
}

std::string projection_table(const Terminal& terminal, const Scaling& scaling) {
  std::vector<Projection> rows = scaling.projection;
  std::erase_if(rows, [](const Projection& p) { return !columns::is_amdahl(p); });
  return table_text(terminal, text_table(columns::projections(scaling), rows));
}

std::string how_far(const Terminal& terminal, const Report& report) {
  const Scaling& scaling = report.scaling;
  std::string text = title(terminal, "2 How far can it go?");
  text += fractions_table(terminal, scaling);
  if (const std::string none = why_no_fraction(scaling); !none.empty())
    text += wrapped(none, terminal.width, "  ", "  ");
  if (scaling.trend.slope && !scaling.slowdown)
    text += wrapped(fmt::format("Trend: {} per doubling of the {}s: {}{}.", fixed_text(*scaling.trend.slope, 4),
                                unit_of(scaling.axis), name_of(scaling.trend.verdict),
                                scaling.trend.why.empty() ? "" : "; " + scaling.trend.why),
                    terminal.width, "  ", "  ");
  if (!scaling.projection.empty()) {
    text += "  Projection to larger sizes by Amdahl's law (an estimate):\n" + projection_table(terminal, scaling);
    text += fmt::format("  Largest speedup: {} over one {}", estimate_text(*scaling.limit_speedup, 3),
                        unit_of(scaling.axis));
    text += scaling.limit_over_base
                ? fmt::format(", {} over the base of {}.\n", estimate_text(*scaling.limit_over_base, 3),
                              size_text(scaling.base_size, scaling.axis))
                : ".\n";
  }
  text += models_text(terminal, report.models);
  return text + sentence(terminal, advice_how_far(report));
}

std::string heaviest_call_paths(const Terminal& terminal, const Report& report, bool full) {
  const std::size_t most = full ? 15 : 8;
  constexpr columns::Narrowing narrowings[] = {{1, ErrorColumn::half}, {2, ErrorColumn::half}, {3, ErrorColumn::half}};
  const columns::List<Routine> list = columns::routines(report);
  const std::span rows(report.routines.data(), std::min(most, report.routines.size()));
  columns::Narrowing narrowing;
  Table table = text_table(list, rows);
  const bool overlap = std::any_of(report.routines.begin(), report.routines.end(),
                                   [](const Routine& r) { return r.overlap_percent.has_value(); });
  if (report.sampling.has_estimates() || report.why_no_waits.empty()) {
    for (const columns::Narrowing& next : narrowings) {
      if (fits(terminal, table)) break;
      narrowing = next;
      table = text_table(list, rows, narrowing);
    }
  }
  const char* marks =
      narrowing.errors == ErrorColumn::interval ? "[low, high]: 95 % interval" : "+-: half of the 95 % interval";
  std::string text = table_text(terminal, table);
  if (report.routines.size() > most)
    text += fmt::format("  and {} lighter ones (--json or --csv lists them)\n", report.routines.size() - most);
  if (const std::string titles = columns::titles_left_out(list, rows, narrowing); !titles.empty())
    text += wrapped("no room for: " + titles + " (a wider terminal or --csv has them)", terminal.width, "  ", "  ");
  if (overlap && full)
    text += wrapped(
        "overlap: the part of the transfer time of non-blocking operations that computation hides, at least..at most",
        terminal.width, "  ", "  ");
  return text + sampling_notes(terminal, report.sampling, {marks, "muted"}, "  ");
}

std::string ranks_table(const Terminal& terminal, const Report& report) {
  constexpr std::size_t all_up_to = 32, at_either_end = 8;
  std::vector<RankRow> rows = report.rank_rows;
  std::string note;
  if (rows.size() > all_up_to) {
    std::stable_sort(rows.begin(), rows.end(),
                     [](const RankRow& a, const RankRow& b) { return a.compute_s > b.compute_s; });
    note = fmt::format("  of {2} ranks, the {0} that compute most and the {1} that compute least (--json lists all)\n",
                       at_either_end, at_either_end, rows.size());
    rows.erase(rows.begin() + at_either_end, rows.end() - at_either_end);
  }
  std::string text = table_text(terminal, text_table(columns::ranks(), rows)) + note;
  if (!has_threads(report)) return text;
  return text + wrapped("figures of the main threads; thread bal.: mean / max of compute over the rank's threads; "
                        "serial: outside parallel regions, of the main thread's wall time (andes show --threads shows "
                        "each thread)",
                        terminal.width, "  ", "  ");
}

/// Parallel efficiency in the part of MPI and that of threads; nothing without teams.
std::string hybrid_efficiency_text(const Terminal& terminal, const Report& report) {
  const auto& points = report.grid ? report.grid->all.points : report.scaling.points;
  const auto& shares = report.grid ? report.grid_shares : report.shares;
  std::vector<columns::HybridSize> sizes;
  std::string why_not;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (why_not.empty()) why_not = shares[i].why_no_hybrid;
    columns::HybridSize size{points[i].ranks, points[i].threads, points[i].time_s.median, {}, true};
    if (shares[i].hybrid) {
      size.hybrid = *shares[i].hybrid;
    } else if (shares[i].efficiency && shares[i].why_no_hybrid.empty()) { // one thread in each process
      const Efficiency& e = *shares[i].efficiency;
      size.hybrid.parallel = e.parallel;
      size.hybrid.mpi = {e.parallel, e.load_balance, e.communication, e.serialisation, e.transfer};
      size.has_teams = false;
    } else {
      continue;
    }
    sizes.push_back(size);
  }
  const std::string tables = hybrid_tables(terminal, sizes);
  if (tables.empty() && why_not.empty()) return {};
  return (tables.empty() ? "\n" : "\n  Hybrid efficiency (100 % is ideal, 80 % is acceptable):\n" + tables) +
         hybrid_notes(terminal, sizes, why_not);
}

/// Parallel efficiency in factors, with the definition that is used.
std::string efficiency_text(const Terminal& terminal, const Report& report) {
  if (const std::string hybrid = hybrid_efficiency_text(terminal, report); !hybrid.empty()) return hybrid;
  std::vector<columns::SizeRow> rows = columns::size_rows(report.scaling.points, report.shares);
  std::erase_if(rows, [](const columns::SizeRow& row) { return !row.shares->efficiency; });
  if (rows.empty()) return {};
  const bool factors = std::any_of(rows.begin(), rows.end(), [](const columns::SizeRow& row) {
    return row.shares->efficiency->transfer.has_value();
  });
  return "\n  Efficiency hierarchy (100 % is ideal, 80 % is acceptable):\n" +
         table_text(terminal, text_table(columns::efficiencies(), rows)) +
         wrapped(std::string(efficiency_definition) +
                     (factors ? "" : "; serialisation and transfer need measured waits"),
                 terminal.width, "  ", "  ");
}

std::string waits_text(const Terminal& terminal, const Report& report, bool full) {
  const std::size_t most = full ? 10 : 5;
  constexpr double threshold_percent = 1;
  std::string text;
  if (!report.why_no_waits.empty())
    text = wrapped("Wait states were not measured: " + report.why_no_waits + ".", terminal.width, "\n  ", "  ");
  std::vector<Finding> findings = report.findings;
  const std::size_t shown = split_findings(findings, threshold_percent);
  findings.resize(shown);
  if (findings.empty())
    return report.why_no_waits.empty() ? "\n  Why ranks wait: no cause above 1 % of p x T.\n" : text;
  text += wrapped("Why ranks wait (" + order_text(findings) + "; gain: by how much T would shrink):", terminal.width,
                  "\n  ", "  ") +
          table_text(terminal, text_table(columns::findings(findings.front().whole),
                                          std::span(findings.data(), std::min(shown, most))));
  if (shown > most) text += fmt::format("  and {} more (--json lists them)\n", shown - most);
  return text;
}

/// What percentages are of.
std::string denominators(const Report& report) {
  const std::string& of_waits = report.findings.empty() ? WaitWhole::ranks : report.findings.front().whole;
  return has_threads(report) ? fmt::format("percentages of call paths are of the time of all threads (p x T and the "
                                           "wall times of the other threads), {}all other percentages of p x T",
                                           of_waits == WaitWhole::ranks ? "" : "those of waits of " + of_waits + ", ")
                             : "all percentages of p x T";
}

std::string effort(const Terminal& terminal, const Report& report, bool full) {
  std::string text = title(terminal, "3 Where to put the effort?");
  text += wrapped(fmt::format("At {}, {} run{} (medians); {}.", routine_place(report), report.routine_repeats,
                              report.routine_repeats == 1 ? "" : "s", denominators(report)),
                  terminal.width, "  ", "  ");
  text += ledger_text(terminal, report, full);
  const std::vector<columns::SizeRow> sizes = columns::size_rows(report.scaling.points, report.shares);
  text += "\n  Shares by size:\n" + table_text(terminal, text_table(columns::sizes(report), sizes));
  if (full) text += efficiency_text(terminal, report);
  if (full || report.processor.why_not.empty())
    text += processor_text(terminal, report.processor, report.grid.has_value());
  text += "\n  Heaviest call paths:\n" + heaviest_call_paths(terminal, report, full) +
          left_out_text(terminal, report.left_out, 2) + waits_text(terminal, report, full) +
          small_messages_text(terminal, report.small_messages, 2) +
          serial_routines_text(terminal, report.serial_routines) + what_if_text(terminal, report.what_if);
  if (full)
    text += "\n  Functions (all call paths together, recursion counted once; longest exclusive time first):\n" +
            report_functions(terminal, report);
  if (full) text += "\n  Ranks:\n" + ranks_table(terminal, report);
  return text + sentence(terminal, advice_effort(report));
}

} // namespace

std::string report_text(const Terminal& terminal, const Report& report, bool full) {
  std::string text = first_screen(terminal, report, full);
  if (full) text += cost_text(terminal, report);
  text += report.unfinished.empty() ? where_are_we(terminal, report) + how_far(terminal, report)
                                    : nothing_to_fit(terminal, report);
  text += effort(terminal, report, full);
  if (report.comparison) return text + comparison_text(terminal, *report.comparison);
  text += title(terminal, "4 Did it help?");
  return text + sentence(terminal, !report.unfinished.empty() ? "Nothing to compare: it needs two runs that finished."
                                   : report.builds > 1 ? "The previous build was not run at any of these numbers of "
                                                         "ranks: run it at the same numbers to compare."
                                                       : "All runs are of one build. Change the program, build it and "
                                                         "run it again: this step then compares the builds.");
}

} // namespace andes::postproc
