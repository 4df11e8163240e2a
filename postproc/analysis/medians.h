// Medians over repeats of what is measured once in each.
#pragma once
#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "postproc/analysis/estimate.h"

namespace andes::postproc {

/// Of values in any order, at least one.
inline double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return median_of(values);
}

/// Of a number that each row has.
template <class Row, class Member>
double median_over(const std::vector<Row>& rows, Member Row::* member) {
  std::vector<double> values;
  for (const Row& row : rows) values.push_back(row.*member);
  return median(std::move(values));
}

/// Of those that have it; absent where none has.
template <class Row>
std::optional<double> median_over(const std::vector<Row>& rows, std::optional<double> Row::* member) {
  std::vector<double> values;
  for (const Row& row : rows)
    if (row.*member) values.push_back(*(row.*member));
  if (values.empty()) return {};
  return median(std::move(values));
}

} // namespace andes::postproc
