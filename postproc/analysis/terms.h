// Terms: how a quantity grows with the size, in the normal form of Extra-P with one term beside the constant
// (Calotoiu et al., doi 10.1145/2503210.2503277),
//
//     f(p) = c0 + c p^i log2(p)^j
//
// Invariants:
//  - constant unless the data say otherwise: the term must explain more than chance and noise do;
//  - a term that misses the largest size, as the smaller ones say it, is out; of the others the likeliest is taken, by
//    its fit and by how often algorithms have it; the error at the largest size is kept;
//  - c is above zero; terms that fall (i < 0) describe quantities that shrink. c0 may be negative where a term grows,
//    as in p - 1, and the model is above zero at the sizes that were measured.
// Thresholds in docs/metrics.md, "Models"; how many sizes are needed stands in few_points.h.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "postproc/analysis/estimate.h"

namespace andes::postproc {

/// p^(numerator / denominator) log2(p)^log_power.
struct Term {
  int numerator = 0, denominator = 1, log_power = 0;
  double exponent() const { return static_cast<double>(numerator) / denominator; }
  double at(double size) const;
  bool operator==(const Term&) const = default;
};

/// "p^(1/2) log2(p)", "p^-1"; of the constant "1".
std::string text_of(const Term& term, const std::string& variable = "p");

/// All that are tried; the constant is none of them.
const std::vector<Term>& all_terms();

/// Repeats of a quantity at a size: their median, and its relative standard error; 0: not known.
struct SizedValue {
  double size = 0, value = 0, relative_error = 0;
};

SizedValue sized_value(double size, const std::vector<double>& sorted_repeats);

enum class Course { constant, growing, falling };
const char* name_of(Course course);

struct TermModel {
  Course course = Course::constant;
  double constant = 0, coefficient = 0;
  Term term; // of a constant model: the default
  double left_out_error = 0; // of the largest size as the smaller ones say it, relative
  double noise = 0; // relative standard error of a value around the model
  std::string variable = "p"; // what the size is
  double at(double size) const;
  /// "0.5 + 0.02 p log2(p)"; numbers with two significant digits.
  std::string formula() const;
};

/// Needs at least three sizes and values above zero; absent otherwise. Whether so few are enough to say it is the
/// caller's to judge (few_points.h).
std::optional<TermModel> term_model(const std::vector<SizedValue>& values);

} // namespace andes::postproc
