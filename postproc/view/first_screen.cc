// Each answer is a label with a few lines behind it, of at most 80 characters however wide the terminal is. Where there
// are many sizes the first, the largest, and some between are shown (decision 262).
#include "postproc/view/first_screen.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "postproc/model/source_version.h"
#include "postproc/view/advice.h"
#include "postproc/view/advice_first.h"
#include "postproc/view/columns/projection.h"
#include "postproc/view/ledger_text.h"
#include "postproc/view/name.h"
#include "postproc/view/number.h"

namespace andes::postproc {
namespace {

constexpr int screen_width = 80, row_label_width = 8;
constexpr std::size_t most_sizes = 6;

std::string head(const Terminal& terminal, const Report& report) {
  std::size_t used = 0;
  for (const RunUse& run : report.runs) used += run.why_not.empty();
  std::vector<std::string> facts{
      report.unfinished.empty()
          ? fmt::format("{} of {} run{} used", used, report.runs.size(), report.runs.size() == 1 ? "" : "s")
          : fmt::format("none of {} run{} finished", report.runs.size(), report.runs.size() == 1 ? "" : "s")};
  if (!report.started.empty()) facts.push_back("last started " + report.started);
  if (!report.hosts.empty()) facts.push_back(report.hosts);
  if (!report.mpi_library.empty()) facts.push_back(short_library(report.mpi_library));
  if (!report.build.empty()) facts.push_back("build " + report.build);
  if (const std::string sources = text_of_sources(report.stamp); !sources.empty()) facts.push_back(sources);
  return styled(terminal, Style::bold, report.command) + '\n' +
         wrapped(fmt::format("{}", fmt::join(facts, "; ")), terminal.width, "", "");
}

/// An answer behind its label; what is more than `most_lines` is cut at a word.
std::string answer(const Terminal& terminal, const char* label, const std::string& text, int most_lines) {
  const std::string margin(row_label_width, ' ');
  std::string lines = wrapped(text, std::min(terminal.width, screen_width) - 4, margin, margin);
  std::size_t end = 0;
  for (int line = 0; line < most_lines && end != lines.npos; ++line) end = lines.find('\n', line == 0 ? 0 : end + 1);
  if (end != lines.npos && end + 1 < lines.size()) lines.replace(end, lines.npos, " ...\n");
  return styled(terminal, Style::bold, label) + lines.substr(std::string_view(label).size());
}

/// The sizes that are shown: the first and the last ones, and evenly some between.
std::vector<const ScalingPoint*> shown_sizes(const std::vector<ScalingPoint>& points) {
  std::vector<const ScalingPoint*> shown;
  const std::size_t count = std::min(points.size(), most_sizes);
  for (std::size_t i = 0; i < count; ++i)
    shown.push_back(&points[count == 1 ? 0 : i * (points.size() - 1) / (count - 1)]);
  return shown;
}

Style style_of(double efficiency) {
  constexpr double poor = 0.5;
  return efficiency >= acceptable_efficiency ? Style::green : efficiency >= poor ? Style::yellow : Style::red;
}

/// A line for each size: its time, speedup, and efficiency with a bar.
std::string speeds(const Terminal& terminal, const Report& report) {
  constexpr int bar_width = 24;
  const std::vector<const ScalingPoint*> sizes = shown_sizes(report.scaling.points);
  std::vector<std::string> names;
  int width = 0;
  for (const ScalingPoint* p : sizes) {
    names.push_back(size_text(p->size, report.scaling.axis) + (p->oversubscribed ? "*" : ""));
    width = std::max(width, width_of(names.back()));
  }
  std::string text;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const ScalingPoint& p = *sizes[i];
    const double efficiency = p.efficiency.median;
    text += styled(terminal, Style::bold, fmt::format("{:<{}}", i == 0 ? "Speed" : "", row_label_width)) +
            fmt::format("{:<{}}  {:>8}  {:>5} x  {:>4} %  ", names[i], width, time_text(p.time_s.median),
                        significant(p.speedup.median, 3), efficiency < 0.005 ? "<1" : fixed(100 * efficiency, 0)) +
            styled(terminal, style_of(efficiency), bar_text(terminal, cells_of(efficiency, 1, bar_width))) + '\n';
  }
  return text;
}

} // namespace

std::string speed_answer(const Report& report) {
  const Scaling& scaling = report.scaling;
  const auto last = std::ranges::find_if(scaling.points.rbegin(), scaling.points.rend(), &ScalingPoint::usable);
  if (last == scaling.points.rend()) return "not known: all runs are oversubscribed";
  const std::string time = fmt::format("{} on {}", time_text(last->time_s.median), size_text(last->size, scaling.axis));
  if (last->size == scaling.base_size) return time;
  const double speedup = last->speedup.median, percent = 100 * last->efficiency.median;
  const std::string compared = scaling.weak  ? fmt::format("a scaled speedup of {} over", significant(speedup, 3))
                               : speedup < 1 ? fmt::format("{} times as long as on", significant(1 / speedup, 3))
                                             : fmt::format("{} x as fast as", significant(speedup, 3));
  return fmt::format("{}: {} {}, an efficiency of {} %", time, compared, size_text(scaling.base_size, scaling.axis),
                     percent < 10 ? significant(percent, 2) : fixed(percent, 0));
}

std::string limit_answer(const Report& report) {
  const Scaling& scaling = report.scaling;
  const auto next = std::find_if(scaling.projection.begin(), scaling.projection.end(), columns::is_amdahl);
  if (!scaling.limit_speedup || next == scaling.projection.end()) return advice_how_far(report);
  if (!is_limit_in_sight(scaling))
    return fmt::format("none in sight of these sizes; {} would reach {} x (Amdahl's law)",
                       size_text(next->size, scaling.axis), significant(next->speedup.median, 2));
  std::string text = fmt::format("never more than {} x as fast as one {}; {} would reach {} x (Amdahl's law)",
                                 significant(scaling.limit_speedup->median, 2), unit_of(scaling.axis),
                                 size_text(next->size, scaling.axis), significant(next->speedup.median, 2));
  const std::vector<SerialRoutine>& serial = report.serial_routines.routines;
  if (serial.empty() || !serial.front().is_limit) return text;
  const bool is_most =
      serial.front().fraction > std::max(listed_fraction(report.serial_routines), report.serial_routines.fraction) / 2;
  return text + fmt::format("; {} of what is serial is in {}", is_most ? "most" : "the largest part",
                            joined_path(serial.front().path));
}

std::string loss_answer(const Report& report) {
  const Ledger* ledger = shown_ledger(report);
  if (!ledger) return "not known: it needs runs of two sizes";
  const std::string what = ledger_sentence(report);
  const std::string place = place_text(ledger->ranks, ledger->threads, report.grid.has_value()) +
                            (ledger->oversubscribed ? " (oversubscribed)" : "");
  constexpr double least_percent = 0.5; // less would read "0 %"
  if (what.empty() && ledger->other_threads_s > 0)
    return fmt::format("not known at {}: where the program's own threads wait for each other counts as computation",
                       place);
  if (what.empty()) return fmt::format("nothing at {}", place);
  constexpr double large_percent = 5;
  if (ledger->percent < least_percent)
    return ledger->terms.empty() || ledger->terms.front().percent < large_percent
               ? fmt::format("next to nothing at {}", place)
               : fmt::format("next to nothing in sum at {}: {}, and nearly as much won elsewhere", place, what);
  return fmt::format("at {} {} % of {}: {}", place, fixed(ledger->percent, 0), whole_of_shares(*ledger), what);
}

std::string first_screen(const Terminal& terminal, const Report& report, bool full) {
  std::string text = head(terminal, report);
  if (!report.unfinished.empty()) return text;
  text += '\n' + speeds(terminal, report) + answer(terminal, "Limit", limit_answer(report), 3) +
          answer(terminal, "Lost", loss_answer(report), 3) + answer(terminal, "First", advice_first(report), 5);
  if (const std::size_t more = report.warnings.size(); more > 0)
    text += answer(terminal, "Beware",
                   (more > 1 ? fmt::format("({} more below) ", more - 1) : "") + report.warnings.front().text, 2);
  if (!full) text += answer(terminal, "More", "andes report --full: all tables; --explain WORD: what a word means", 1);
  return text;
}

} // namespace andes::postproc
