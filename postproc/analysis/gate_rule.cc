// How many pairs: the test statistic is nearly normal, with 3 / pi of the mean's efficiency for normal noise, and more
// for noise with outliers; z^2 / 2 more for small numbers (Guenther, doi 10.1080/00031305.1981.10479363). Wild pairs
// count by Noether's approximation (doi 10.1080/01621459.1987.10478478), which asks for 19 pairs where all agree, less
// what makes that the first pairs.
#include "postproc/analysis/gate_rule.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "postproc/analysis/medians.h"
#include "postproc/analysis/ranks.h"

namespace andes::postproc {
namespace {

/// Of two values at least.
double spread_of(const std::vector<double>& values) {
  constexpr double normal_factor = 1 / 0.9538725524; // median distance of two normal values, in standard deviations
  std::vector<double> distances;
  for (std::size_t i = 0; i < values.size(); ++i)
    for (std::size_t j = i + 1; j < values.size(); ++j) distances.push_back(std::fabs(values[i] - values[j]));
  return normal_factor * median(std::move(distances));
}

/// Of the level, after n of `asked` pairs.
double spent_after(std::size_t n, std::size_t asked, double level) {
  const double part = std::min(1.0, static_cast<double>(n) / static_cast<double>(asked));
  return level * part * part;
}

/// As a log-ratio: from the tolerance to the slow-down that is to be found.
double excess_of(const GateRule& rule) {
  return std::log((1 + rule.tolerance + planned_excess) / (1 + rule.tolerance));
}

/// Quantiles of the normal distribution for a number of pairs.
struct Quantiles {
  explicit Quantiles(double level)
      : error(-normal_quantile(last_part * level)), both(error + normal_quantile(planned_power)) {}
  static constexpr double last_part = 0.6; // of the level is left for the last look, nearly
  double error, both; // `both`: of error and power
};

std::size_t whole_pairs(double pairs) {
  if (!(pairs < most_pairs)) return most_pairs;
  const auto whole = std::max(fewest_pairs, static_cast<std::size_t>(std::ceil(pairs)));
  return whole + whole % 2;
}

/// Part of the means of two log-ratios that are nearer to their middle than `distance`.
double agreement(const std::vector<double>& values, double middle, double distance) {
  std::size_t near = 0, all = 0;
  for (std::size_t i = 0; i < values.size(); ++i)
    for (std::size_t j = i + 1; j < values.size(); ++j, ++all)
      near += std::fabs(0.5 * (values[i] + values[j]) - middle) < distance;
  return static_cast<double>(near) / static_cast<double>(all);
}

std::size_t pairs_asked(const std::vector<double>& values, double spread, const GateRule& rule) {
  const double middle = shift_of(values, rule.level).middle;
  return std::max(pairs_for_spread(spread, rule),
                  pairs_for_agreement(agreement(values, middle, excess_of(rule)), rule));
}

/// Even, so that both orders of a pair are equally frequent at each look.
std::size_t look_after(std::size_t n, std::size_t asked) {
  constexpr std::size_t looks_after_the_first = 4;
  std::size_t step = std::max<std::size_t>(4, (asked - first_pairs) / looks_after_the_first);
  step += step % 2;
  return std::min(asked, n + step);
}

GateVerdict verdict_of(const Shift& log_change, double log_tolerance) {
  if (log_change.low && *log_change.low > log_tolerance) return GateVerdict::regression;
  if (log_change.high && *log_change.high < log_tolerance) return GateVerdict::no_regression;
  return GateVerdict::undecided;
}

} // namespace

const char* name_of(GateVerdict verdict) {
  constexpr const char* names[] = {"no_regression", "regression", "undecided", "not_run"};
  return names[static_cast<int>(verdict)];
}

std::size_t pairs_for_spread(double spread, const GateRule& rule) {
  constexpr double efficiency = 3 / std::numbers::pi; // of the signed-rank test
  constexpr double safety = 1.2; // of the variance: the spread of few pairs is often too small
  const Quantiles z(rule.level);
  const double variance = safety * spread * spread / (excess_of(rule) * excess_of(rule));
  return whole_pairs(z.both * z.both * variance / efficiency + z.error * z.error / 2);
}

std::size_t pairs_for_agreement(double part, const GateRule& rule) {
  const double z = Quantiles(rule.level).both;
  return whole_pairs(first_pairs + 4.0 / 3 * z * z * (1 / (part * part) - 1));
}

Judgement judge(const std::vector<double>& log_ratios, const GateRule& rule, bool is_complete) {
  Judgement judgement;
  const double log_tolerance = std::log1p(rule.tolerance);
  double spent = 0;
  for (std::size_t look = first_pairs;;) {
    const bool is_last = log_ratios.size() < look;
    if (is_last && !is_complete) {
      judgement.next_look = look;
      return judgement;
    }
    const std::size_t n = std::min(look, log_ratios.size());
    if (n == 0) return judgement;
    const std::vector<double> seen(log_ratios.begin(), log_ratios.begin() + static_cast<std::ptrdiff_t>(n));
    if (n >= 2) judgement.spread = spread_of(seen);
    if (n >= first_pairs) judgement.asked = std::max(judgement.asked, pairs_asked(seen, judgement.spread, rule));
    const double allowed = is_last ? rule.level : spent_after(n, judgement.asked, rule.level);
    judgement.pairs = n;
    judgement.log_change = shift_of(seen, std::max(0.0, allowed - spent));
    judgement.verdict = verdict_of(judgement.log_change, log_tolerance);
    spent = std::max(spent, allowed);
    if (judgement.verdict != GateVerdict::undecided || is_last || n >= judgement.asked) return judgement;
    look = look_after(n, judgement.asked);
  }
}

double percent_of_log(double log_ratio) { return 100 * std::expm1(log_ratio); }

} // namespace andes::postproc
