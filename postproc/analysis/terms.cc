// Values are weighted by their inverse, since the noise of times is relative to them. Of the terms that noise does not
// tell apart the one is taken that fits best for its price: how rarely algorithms have such a term.
//
// Rejected: the best fit alone, which was the planted term in 56 to 66 % of synthetic sweeps, as an odd term fits by
// chance. The simplest of all terms whose fits differ by less than four squared standard errors: it makes p^2 of
// p^2 log2(p) in a third of the sweeps. The smallest error at the largest size, and then the best fit: p^3 was found in
// 12 to 46 of 100, since its prediction rests on the second largest size, whose noise it multiplies. Several terms at
// once: more coefficients than five sizes bear. Eigen: a large dependency for least squares of three columns.
#include "postproc/analysis/terms.h"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <numeric>

#include "postproc/analysis/least_squares.h"

namespace andes::postproc {
namespace {

constexpr double least_noise = 0.002; // relative: clocks and rounding of published figures
constexpr double level = 0.002; // of the test that finds a term, for each of its two directions
constexpr double most_misses = 3; // standard errors by which a term may miss the largest size

struct Hypothesis {
  Term term;
  LinearFit fit;
  double left_out_error = 0; // relative
  double misses = 0; // the same in standard errors, for a noise of 1
};

std::vector<Equation> equations_of(const std::vector<SizedValue>& values, const Term* term) {
  std::vector<Equation> equations;
  for (const SizedValue& v : values) equations.push_back({{1, term ? term->at(v.size) : 0}, v.value, 1 / v.value});
  return equations;
}

/// Variance of what a fit of `equations` says at `at`, in units of the noise and of the value there.
double leverage(const std::vector<Equation>& equations, const Equation& at, std::size_t columns) {
  double ones = 0, mixed = 0, terms = 0; // the matrix of the normal equations
  for (const Equation& e : equations) {
    const double square = e.weight * e.weight;
    ones += square;
    mixed += square * e.columns[1];
    terms += square * e.columns[1] * e.columns[1];
  }
  const double scale = at.value * at.value;
  if (columns == 1) return 1 / ones / scale;
  const double term = at.columns[1], determinant = ones * terms - mixed * mixed;
  return determinant > 0 ? (terms - 2 * term * mixed + term * term * ones) / determinant / scale : 0;
}

/// Of all values, and the error of the last one as the others say it.
std::optional<Hypothesis> hypothesis(const std::vector<SizedValue>& values, const Term* term) {
  const std::size_t columns = term ? 2 : 1;
  std::vector<Equation> equations = equations_of(values, term);
  const Equation last = equations.back();
  // What grows may have a negative constant, as in p - 1: it is above zero at all sizes from the smallest on.
  const auto fit = term && term->numerator >= 0 ? linear_fit : non_negative_fit;
  const std::optional<LinearFit> whole = fit(equations, columns);
  equations.pop_back();
  const std::optional<LinearFit> smaller = fit(equations, columns);
  if (!whole || !smaller) return {};
  const double error = std::fabs(smaller->at(last.columns) / last.value - 1);
  const double spread = std::sqrt(1 + leverage(equations, last, columns));
  return Hypothesis{term ? *term : Term(), *whole, error, error / spread};
}

/// Relative standard error of the values by their repeats; 0: not known.
double noise_of_repeats(const std::vector<SizedValue>& values) {
  double squares = 0;
  for (const SizedValue& v : values) {
    if (v.relative_error <= 0) return 0;
    squares += v.relative_error * v.relative_error;
  }
  return std::sqrt(squares / static_cast<double>(values.size()));
}

double student(double degrees, double probability) {
  return boost::math::quantile(boost::math::students_t(degrees), probability);
}

double residual_degrees(const std::vector<SizedValue>& values) {
  return std::max(1.0, static_cast<double>(values.size()) - 2);
}

/// How much better a term must fit than p, p^2, p^3 and log2(p) to be taken for it: by how many times the square of the
/// noise. Algorithms have whole powers, square roots and a logarithm; surfaces of volumes have thirds; hardly anything
/// has other fractions, or fractions with logarithms.
double price_of(const Term& term) {
  const int power = term.numerator, logarithms = term.log_power;
  if (power < 0) return term.denominator == 1 ? 0 : 2;
  if (power == 0) return logarithms == 1 ? 0 : 1;
  if (term.denominator == 1 && logarithms == 0) return 0;
  const bool is_root = term.denominator == 2 && logarithms == 0 && term.exponent() < 2;
  const bool has_logarithm = term.denominator == 1 && logarithms == 1 && term.exponent() <= 2;
  if (is_root || has_logarithm) return 1;
  const bool is_surface = term.denominator == 3 && logarithms == 0 && term.exponent() < 1;
  return is_surface ? 4 : 8;
}

/// Of those that do not miss the largest size, or all miss it less than the others, the one that fits best for its
/// price: the most likely one, if prices say how often terms occur.
const Hypothesis* likeliest_of(const std::vector<Hypothesis>& all, double noise) {
  const double nearest = std::ranges::min_element(all, {}, &Hypothesis::misses)->misses;
  const double most_missed = std::max(most_misses * noise, nearest);
  const auto cost = [&](const Hypothesis& h) {
    const bool may_be = h.misses <= most_missed;
    return may_be ? h.fit.squares / (noise * noise) + price_of(h.term) : std::numeric_limits<double>::infinity();
  };
  return &*std::ranges::min_element(all, {}, cost);
}

} // namespace

double Term::at(double size) const { return std::pow(size, exponent()) * std::pow(std::log2(size), log_power); }

std::string text_of(const Term& term, const std::string& variable) {
  std::string text;
  if (term.numerator != 0) {
    text = variable;
    if (term.denominator != 1) text += fmt::format("^({}/{})", term.numerator, term.denominator);
    else if (term.numerator != 1) text += fmt::format("^{}", term.numerator);
  }
  if (term.log_power > 0) {
    text += fmt::format("{}log2({})", text.empty() ? "" : " ", variable);
    if (term.log_power > 1) text += fmt::format("^{}", term.log_power);
  }
  return text.empty() ? "1" : text;
}

const std::vector<Term>& all_terms() {
  static const std::vector<Term> terms = [] {
    std::vector<Term> all;
    for (const auto& [numerator, denominator] : std::vector<std::pair<int, int>>{{0, 1},
                                                                                 {1, 4},
                                                                                 {1, 3},
                                                                                 {1, 2},
                                                                                 {2, 3},
                                                                                 {3, 4},
                                                                                 {1, 1},
                                                                                 {5, 4},
                                                                                 {4, 3},
                                                                                 {3, 2},
                                                                                 {5, 3},
                                                                                 {7, 4},
                                                                                 {2, 1},
                                                                                 {9, 4},
                                                                                 {7, 3},
                                                                                 {5, 2},
                                                                                 {8, 3},
                                                                                 {11, 4},
                                                                                 {3, 1}})
      for (const int log_power : {0, 1, 2})
        if (numerator > 0 || log_power > 0) all.push_back({numerator, denominator, log_power});
    for (const auto& [numerator, denominator] : std::vector<std::pair<int, int>>{{-1, 2}, {-1, 1}, {-2, 1}})
      all.push_back({numerator, denominator, 0});
    return all;
  }();
  return terms;
}

SizedValue sized_value(double size, const std::vector<double>& sorted) {
  SizedValue v{size, median_of(sorted), 0};
  const auto n = static_cast<double>(sorted.size());
  if (sorted.size() < 2 || v.value <= 0) return v;
  const double mean = std::accumulate(sorted.begin(), sorted.end(), 0.0) / n;
  double squares = 0;
  for (const double value : sorted) squares += (value - mean) * (value - mean);
  // A median of normal values spreads sqrt(pi / 2) as much as their mean.
  v.relative_error = std::sqrt(std::acos(-1.0) / 2 * squares / (n - 1) / n) / v.value;
  return v;
}

const char* name_of(Course course) {
  constexpr const char* names[] = {"constant", "growing", "falling"};
  return names[static_cast<int>(course)];
}

double TermModel::at(double size) const {
  return constant + (course == Course::constant ? 0 : coefficient * term.at(size));
}

std::string TermModel::formula() const {
  if (course == Course::constant) return fmt::format("{:.2g}", constant);
  const std::string growing = fmt::format("{:.2g} {}", coefficient, text_of(term, variable));
  return constant == 0 ? growing : fmt::format("{:.2g} + {}", constant, growing);
}

std::optional<TermModel> term_model(const std::vector<SizedValue>& values) {
  if (values.size() < 3 || std::ranges::any_of(values, [](const SizedValue& v) { return v.value <= 0; })) return {};
  const auto n = static_cast<double>(values.size());
  const std::optional<Hypothesis> constant = hypothesis(values, nullptr);
  if (!constant) return {};
  std::vector<Hypothesis> all;
  for (const Term& term : all_terms())
    if (const std::optional<Hypothesis> h = hypothesis(values, &term); h && h->fit.coefficients[1] > 0)
      all.push_back(*h);

  TermModel model;
  model.constant = constant->fit.coefficients[0];
  model.left_out_error = constant->left_out_error;
  const double repeats = noise_of_repeats(values);
  model.noise = std::max({least_noise, repeats, std::sqrt(constant->fit.squares / (n - 1))});
  if (all.empty()) return model;

  const double degrees = residual_degrees(values);
  const auto closest = std::ranges::min_element(all, {}, [](const Hypothesis& h) { return h.fit.squares; });
  const double around = std::sqrt(closest->fit.squares / degrees);
  const double noise = std::max({least_noise, repeats, around});
  const Hypothesis* best = likeliest_of(all, noise);
  const double by_chance = student(repeats > around ? 30 : degrees, 1 - level);
  const double gained = constant->fit.squares - best->fit.squares;
  if (gained <= by_chance * by_chance * noise * noise) return model;
  model.course = best->term.numerator < 0 ? Course::falling : Course::growing;
  model.constant = best->fit.coefficients[0];
  model.coefficient = best->fit.coefficients[1];
  model.term = best->term;
  model.left_out_error = best->left_out_error;
  model.noise = noise;
  return model;
}

} // namespace andes::postproc
