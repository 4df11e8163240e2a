// Estimates from the runs of the same size; a size that has not run yet has none.
#include "postproc/launch/progress.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "common/message.h"

namespace andes::postproc {
namespace {

/// Of all starts from `next` on; nothing as long as a size has not run.
std::optional<double> seconds_left(const SweepState& state, const Planned& next) {
  double left = 0;
  bool reached = false; // the place of `next` in its turn
  for (const Planned& planned : plan_turn(state.sizes, next.repeat, state.request.overhead)) {
    const auto runs = state.runs.find(planned.size);
    reached = reached || (planned.size == next.size && planned.monitored == next.monitored);
    if (runs != state.runs.end() && runs->second.refused) continue;
    const int turns = state.request.repeats.count - next.repeat + (reached ? 1 : 0);
    if (turns == 0) continue;
    if (runs == state.runs.end() || runs->second.wall_s[planned.monitored].empty()) return {};
    const std::vector<double>& seconds = runs->second.wall_s[planned.monitored];
    left += turns * std::accumulate(seconds.begin(), seconds.end(), 0.0) / static_cast<double>(seconds.size());
  }
  return left;
}

/// Its place among all starts.
std::size_t number_of(const SweepState& state, const Planned& next) {
  const std::vector<Planned> turn = plan_turn(state.sizes, next.repeat, state.request.overhead);
  const auto at = std::find_if(turn.begin(), turn.end(), [&next](const Planned& planned) {
    return planned.size == next.size && planned.monitored == next.monitored;
  });
  return turn.size() * static_cast<std::size_t>(next.repeat - 1) + static_cast<std::size_t>(at - turn.begin()) + 1;
}

} // namespace

std::string interval_text(const SweepState& state, const Size& size) {
  const Repeats& repeats = state.request.repeats;
  const auto runs = state.runs.find(size);
  if (runs == state.runs.end()) return {};
  const auto width = interval_width_percent(runs->second.times_s);
  if (!width) return {};
  return fmt::format("interval {:.2g} % of the median, {:.2g} % wanted", *width, repeats.width_percent);
}

void show_progress(const SweepState& state, const Planned& next, const Stopwatch& watch) {
  if (is_single(state)) return;
  if (state.request.repeats.automatic) {
    const std::string interval = interval_text(state, next.size);
    say("run {}: {}{}{}; {} of {} used", state.started + 1, describe(state, next), interval.empty() ? "" : "; ",
        interval, in_words(watch.seconds()), in_words(state.request.repeats.time_s));
    return;
  }
  const auto left = seconds_left(state, next);
  say("run {} of {}: {}{}", number_of(state, next), starts_asked(state), describe(state, next),
      left ? fmt::format("; about {} left", in_words(*left)) : "");
}

} // namespace andes::postproc
