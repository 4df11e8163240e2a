// What is said and noted after the last run.
#include "postproc/launch/conclusion.h"

#include <algorithm>

#include <fmt/ranges.h>

#include "monitor/interface/run_file.h"
#include "postproc/launch/annotate.h"
#include "postproc/launch/cores.h"
#include "postproc/launch/process.h"
#include "postproc/launch/progress.h"
#include "postproc/launch/shell_quoted.h"

namespace andes::postproc {
namespace {

/// As they are numbered; the first has no number.
std::vector<std::string> by_number(std::vector<std::string> files) {
  std::sort(files.begin(), files.end(), [](const std::string& a, const std::string& b) {
    return a.size() != b.size() ? a.size() < b.size() : a < b;
  });
  return files;
}

/// "p = 2, 4", or with threads "p x t = 2 x 4, 4 x 2".
std::string oversubscribed_sizes(const SweepState& state) {
  std::vector<std::string> sizes;
  for (const auto& [ranks, threads] : state.oversubscribed)
    sizes.push_back(threads ? fmt::format("{} x {}", ranks, threads) : std::to_string(ranks));
  return fmt::format("{} = {}", state.request.sizes.threads.empty() ? "p" : "p x t", fmt::join(sizes, ", "));
}

/// Which sizes have not reached the interval that --repeat auto was to reach.
void conclude_repeats(const SweepState& state) {
  const Repeats& repeats = state.request.repeats;
  std::size_t wide = 0;
  const Size* first = nullptr;
  for (const Size& size : state.sizes) {
    const auto runs = state.runs.find(size);
    if (runs == state.runs.end() || runs->second.refused) continue;
    const auto width = interval_width_percent(runs->second.times_s);
    if (width && *width <= repeats.width_percent) continue;
    if (wide++ == 0) first = &size;
  }
  if (!first) return;
  const std::string interval = interval_text(state, *first), size = describe(*first);
  const std::vector<double>& times = state.runs.at(*first).times_s;
  say("{}{}{} after {} repeat{}{}{}", size, size.empty() ? "" : ": ",
      interval.empty() ? "no interval of the median yet" : interval, times.size(), times.size() == 1 ? "" : "s",
      wide > 1 ? fmt::format(", and {} other size{}", wide - 1, wide == 2 ? "" : "s") : "",
      state.time_is_up
          ? fmt::format("; the time of {} is used: give more with --repeat auto:TIME", in_words(repeats.time_s))
          : "");
}

} // namespace

void conclude_overhead(SweepState& state) {
  for (const auto& [size, runs] : state.runs) {
    std::vector<Pair> whole;
    for (const Pair& pair : runs.pairs)
      if (pair.with_ns > 0 && pair.without_ns > 0) whole.push_back(pair);
    if (whole.empty()) continue;
    const Intrusion overhead = overhead_of(whole);
    const std::string where = size == Size{} ? "" : " at " + describe(size);
    if (overhead.low)
      say("overhead{}: {:.2f} % [{:.2f}, {:.2f}] of the command's wall time (median of {} pairs "
          "with and without the monitor; {})",
          where, overhead.percent, *overhead.low, *overhead.high, overhead.pairs,
          overhead.interval ? "interval of at least 95 %" : "range: use six pairs for an interval");
    else
      say("overhead{}: {:.2f} % of the command's wall time (one pair with and without the monitor; use six for an "
          "interval)",
          where, overhead.percent);
    Facts facts;
    facts["overhead_percent"] = overhead.percent;
    if (overhead.low) {
      facts["overhead_low"] = *overhead.low;
      facts["overhead_high"] = *overhead.high;
    }
    for (const auto& [path, size_of_run] : state.written)
      if (size_of_run == size) tolerate(state, [&, &file = path] { annotate(file, facts); });
  }
}

void conclude(const SweepState& state) {
  if (value_of(state.request.settings, "monitor") == "off")
    say("the monitor is off, so nothing was measured; remove the setting monitor to measure");
  if (!state.oversubscribed.empty()) {
    say("{}: more ranks x threads than the {} usable core{}; these runs are marked oversubscribed, and andes report "
        "leaves them out of the serial fraction (unless --oversubscribed-ok)",
        oversubscribed_sizes(state), state.cores, state.cores == 1 ? "" : "s");
    if (state.bound)
      say("the ranks were bound to fewer cores than the {} of this host, by the launcher, by OMP_PLACES or by the "
          "program itself; give each thread its own core (Open MPI: --map-by slot:pe=N for N threads a rank, {{t}} in "
          "a sweep over --threads; or --bind-to none)",
          usable_cores());
  }
  if (state.request.repeats.automatic) conclude_repeats(state);
  if (state.missing > 1) say("{} runs wrote no run file", state.missing);
  if (const int number = stop_signal())
    say("stopped by signal {}: {} of {}{} runs done", number, state.written.size(),
        state.request.repeats.automatic ? "up to " : "", starts_asked(state));
  const std::size_t spawned = state.spawned.size();
  if (!is_single(state) && spawned > 0)
    say("{} run file{} of worlds that these runs spawned, named *{}*", spawned, spawned == 1 ? "" : "s",
        run_file::spawned_mark);
  else if (spawned > 0)
    say("wrote {}: the world{} that the run spawned", fmt::join(by_number(state.spawned), ", "),
        spawned == 1 ? "" : "s");
  if (state.written.size() == static_cast<std::size_t>(state.empty)) return;
  const std::string first = state.written.begin()->first;
  if (state.series && !is_single(state)) {
    say("{} run file{} in {}", state.written.size(), state.written.size() == 1 ? "" : "s", state.series->directory);
    say("next: andes report {}", shell_quoted(state.series->directory));
  } else {
    say("wrote {}", first);
    say("next: andes show {}", shell_quoted(first));
  }
}

} // namespace andes::postproc
