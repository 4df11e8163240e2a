// Disturbances are compared as rates, cores that were busy or kept: a slower build is disturbed for longer, but not
// more at a time.
#include "postproc/analysis/gate_watch.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <utility>

#include "postproc/analysis/medians.h"

namespace andes::postproc {
namespace {

/// Cores that a disturbance took, on average over the command.
std::optional<double> cores_taken(const SeriesRun& run, FactName time) {
  const auto taken_ns = fact_number(run.profile, time), wall_ns = fact_number(run.profile, "command_wall_ns");
  return taken_ns && wall_ns && *wall_ns > 0 ? std::optional(*taken_ns / *wall_ns) : std::nullopt;
}

/// What a run's disturbances may be off by, in cores, since kernels count them in steps of 10 ms on each core. Of short
/// commands they tell nothing: their starts and ends, and what the machine does for a moment, are most of it.
double finest_cores(const std::vector<RunPair>& pairs) {
  constexpr double steps_ns = 5 * 10e6, shortest_ns = 0.5e9;
  std::vector<double> walls_ns;
  for (const RunPair& pair : pairs)
    for (const SeriesRun* run : {pair.base, pair.newer})
      walls_ns.push_back(fact_number(run->profile, "command_wall_ns").value_or(0));
  const double wall_ns = median(std::move(walls_ns));
  return wall_ns < shortest_ns ? std::numeric_limits<double>::infinity() : steps_ns / wall_ns;
}

/// By how many cores more the newer build's runs were disturbed; absent where not all pairs tell. Where these are too
/// few for the interval of a control, its ends are the least and the largest difference.
std::optional<Shift> more_cores_taken(const std::vector<RunPair>& pairs, FactName time) {
  std::vector<double> differences;
  for (const RunPair& pair : pairs) {
    const auto base = cores_taken(*pair.base, time), newer = cores_taken(*pair.newer, time);
    if (!base || !newer) return {};
    differences.push_back(*newer - *base);
  }
  if (differences.empty()) return {};
  Shift more = shift_of(differences, control_level);
  if (!more.low) more.low = *std::ranges::min_element(differences);
  if (!more.high) more.high = *std::ranges::max_element(differences);
  return more;
}

struct Disturbing {
  FactName time;
  const char* words;
};

} // namespace

double RunPair::log_ratio() const { return std::log(newer->summary.time_s / base->summary.time_s); }

GateControl same_build_control(const std::vector<RunPair>& pairs) {
  std::vector<double> log_ratios;
  for (std::size_t i = 0; i + 1 < pairs.size(); ++i) {
    if (pairs[i + 1].repeat != pairs[i].repeat + 1) continue;
    const bool newer_meet = pairs[i].repeat % 2 == 1; // base new, new base
    const SeriesRun& earlier = newer_meet ? *pairs[i].newer : *pairs[i].base;
    const SeriesRun& later = newer_meet ? *pairs[i + 1].newer : *pairs[i + 1].base;
    log_ratios.push_back(std::log(later.summary.time_s / earlier.summary.time_s));
  }
  GateControl control{"same_build", "the same build, twice in a row", log_ratios.size(), {}};
  if (!log_ratios.empty()) control.log_change = shift_of(log_ratios, control_level);
  return control;
}

bool has_failed(const GateControl& control, double tolerance) {
  const double bound = std::log1p(tolerance);
  return (control.log_change.low && *control.log_change.low > bound) ||
         (control.log_change.high && *control.log_change.high < -bound);
}

bool are_interleaved(const std::vector<RunPair>& pairs) {
  for (std::size_t i = 0; i + 1 < pairs.size(); ++i) {
    const auto started = [](const SeriesRun* run) { return fact_text(run->profile, "started"); };
    if (std::max(started(pairs[i].base), started(pairs[i].newer)) >
        std::min(started(pairs[i + 1].base), started(pairs[i + 1].newer)))
      return false;
  }
  return true;
}

std::string other_machine_text(const std::vector<RunPair>& pairs) {
  for (const RunPair& pair : pairs) {
    const std::vector<ProfileHost>&base = pair.base->profile.hosts, &newer = pair.newer->profile.hosts;
    if (base.empty() || newer.empty()) continue;
    if (base.front().cpu != newer.front().cpu)
      return fmt::format("the builds ran on different processors, {} and {}", base.front().cpu, newer.front().cpu);
    if (base.front().usable_cores && newer.front().usable_cores &&
        *base.front().usable_cores != *newer.front().usable_cores)
      return fmt::format("the builds ran on {} and {} usable cores", *base.front().usable_cores,
                         *newer.front().usable_cores);
  }
  return {};
}

std::vector<std::string> one_sided_disturbances(const std::vector<RunPair>& pairs, const Judgement& judgement,
                                                double tolerance) {
  if (pairs.empty()) return {};
  const bool slower = judgement.verdict == GateVerdict::regression;
  const double enough =
      std::max(finest_cores(pairs), 0.5 * (slower ? std::expm1(judgement.log_change.middle) : tolerance));
  std::vector<std::string> phrases;
  for (const Disturbing& one : {Disturbing{"steal_ns", "the hypervisor kept"},
                                Disturbing{"throttled_ns", "the quota of the control group took"},
                                Disturbing{"others_ns", "other processes took"}}) {
    const auto more = more_cores_taken(pairs, one.time);
    if (!more) continue;
    const bool is_slower = more->low && *more->low > 0 && more->middle >= enough;
    const bool is_faster = more->high && *more->high < 0 && -more->middle >= enough;
    if (slower ? is_slower : is_faster)
      phrases.push_back(fmt::format("{} {:.2g} cores more from the {} build than from the other", one.words,
                                    std::fabs(more->middle), slower ? "newer" : "older"));
  }
  return phrases;
}

std::string drift_text(const std::vector<RunPair>& pairs, double tolerance) {
  const std::size_t third = pairs.size() / 3;
  if (third < 3) return {};
  const auto mean_log = [&](std::size_t begin) {
    std::vector<double> logs;
    for (std::size_t i = begin; i < begin + third; ++i)
      logs.push_back(0.5 * std::log(pairs[i].base->summary.time_s * pairs[i].newer->summary.time_s));
    return median(std::move(logs));
  };
  const double drift = mean_log(pairs.size() - third) - mean_log(0);
  if (std::fabs(drift) <= std::log1p(tolerance)) return {};
  return fmt::format("both builds became {} by {:.1f} % in the course of the gate; pairs cancel that",
                     drift > 0 ? "slower" : "faster", std::fabs(percent_of_log(drift)));
}

} // namespace andes::postproc
