// The notes give muted functions as lines that are meant to be copied into a selection file; where they are many,
// `andes filter` writes it.
#include "postproc/view/sampling_text.h"

#include <algorithm>
#include <fmt/format.h>

#include "monitor/interface/selection_line.h"
#include "postproc/view/number.h"

namespace andes::postproc {
namespace {

std::string muted_notes(const Terminal& terminal, const Sampling& sampling, const std::string& mark,
                        const std::string& margin) {
  constexpr std::size_t most_lines = 8;
  std::string lines;
  std::size_t named = 0;
  for (const std::string& name : sampling.muted)
    if (is_selectable(name) && ++named <= most_lines) lines += fmt::format("{}  {}\n", margin, selection_line(name));
  const std::size_t nameless = sampling.muted.size() - named;
  if (named > most_lines) lines += fmt::format("{}  and {} more\n", margin, named - most_lines);
  const auto note = [&](const std::string& text) { return wrapped(text, terminal.width, margin, margin); };
  const std::string meaning =
      mark + ": called too often even to be sampled; later visits were not counted, and their time is in the caller's.";
  std::string text =
      lines.empty() ? note(meaning)
                    : note(meaning + " The selection that leaves out what was muted:") + lines +
                          note(fmt::format("{} and build with andes cc --select FILE: their probes then cost nothing.",
                                           named > most_lines ? "Write it by andes filter RUN -o FILE"
                                                              : "Put these lines into a file"));
  if (nameless > 0)
    text += note(fmt::format("{} without a name for a selection; build with -g, and do not strip.",
                             counted(nameless, "muted function")));
  return text;
}

} // namespace

std::string marked(std::string text, const SamplingError& error) {
  if (!error.estimated || text.empty() || text == "-") return text;
  if (!error.reliable && text.find_first_not_of("0.") == text.npos) return "?"; // none of its visits was timed
  return fmt::format("{}{}", error.reliable ? '~' : '?', text);
}

std::string visits_text(double visits, double above, const SamplingError& time_error, bool muted) {
  if (muted) return ">=" + count_text(visits);
  return above > 0 ? marked(about_count_text(visits), time_error) : count_text(visits);
}

std::string time_error_text(double value, const SamplingError& error, ErrorColumn column) {
  if (column == ErrorColumn::none || !has_interval(error)) return {};
  if (column == ErrorColumn::interval)
    return fmt::format("[{}, {}]", significant(lower_end(value, error)), significant(upper_end(value, error)));
  const double half = std::max(error.below, error.above);
  if (half >= 10 * value) return half > 0 ? ">999" : "0.0";
  return fixed(100 * half / value, 1);
}

std::string percent_error_text(double value, const SamplingError& error, ErrorColumn column) {
  if (!has_interval(error)) return {};
  if (column == ErrorColumn::interval)
    return fmt::format("[{}, {}]", fixed(lower_end(value, error), 1), fixed(upper_end(value, error), 1));
  return fixed(std::max(error.below, error.above), 1);
}

std::string sampling_notes(const Terminal& terminal, const Sampling& sampling, const TableMarks& marks,
                           const std::string& margin) {
  std::string text;
  if (sampling.by_probes > 0)
    text +=
        wrapped(fmt::format("~: {} with visits as short as the probes that time them, which hide part of the time; {}.",
                            counted(sampling.by_probes, "call path"), marks.errors),
                terminal.width, margin, margin);
  if (sampling.sampled > 0) {
    std::string note = fmt::format("~: estimated from the visits that were timed; {}.", marks.errors);
    note += fmt::format(" {} of {} {} sampled", sampling.sampled, counted(sampling.callpaths, "call path"),
                        sampling.sampled == 1 ? "was" : "were");
    const std::size_t doubted = sampling.unreliable + sampling.unreliable_muted;
    note += doubted == 0
                ? "."
                : fmt::format("; not reliable (?), too uneven or too seldom timed for an interval: {}.", doubted);
    text += wrapped(note, terminal.width, margin, margin);
  }
  if (!sampling.muted.empty()) text += muted_notes(terminal, sampling, marks.muted, margin);
  if (sampling.overflow_visits > 0)
    text += wrapped(fmt::format("(more call paths): the call tree hit a limit; {} visits, {} % of "
                                "p x T, are summed there without names; raise {} (andes run --set).",
                                count_text(sampling.overflow_visits), fixed(sampling.overflow_percent, 1),
                                sampling.settings_to_raise()),
                    terminal.width, margin, margin);
  return text;
}

std::string tool_cost_text(const Terminal& terminal, const ToolCost& cost, const std::string& where) {
  if (!cost.budget_percent) return {};
  std::string text = fmt::format("Time of the tool{}: {} % of {}", where, fixed(cost.tool_percent, 2), whole_of(cost));
  if (cost.error_percent) text += fmt::format(" +-{} %", fixed(*cost.error_percent, 2));
  constexpr double least_shown = 0.005;
  if (cost.thread_percent.value_or(0) >= least_shown)
    text += fmt::format(", and {} % by its own threads", fixed(*cost.thread_percent, 2));
  text += *cost.budget_percent > 0 ? fmt::format(", budget {} %", *cost.budget_percent)
                                   : std::string(", no budget: every visit is timed");
  if (cost.tree_bytes) text += fmt::format("; call trees of up to {} a rank", bytes_text(*cost.tree_bytes));
  return wrapped(text, terminal.width, "", "");
}

} // namespace andes::postproc
