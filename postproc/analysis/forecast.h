// Forecast: the time of a run at a size that was not measured, from those that were. Three models that fail in
// different ways are asked, each through the largest size; the forecast is their geometric mean, and where they differ
// its interval is wide. Formulas, and how often the interval holds on published sweeps, in docs/metrics.md, "Models".
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "postproc/analysis/terms.h"

namespace andes::postproc {

/// What a model says, in the unit of the values.
struct ModelTime {
  const char* model;
  double time = 0;
};

struct Forecast {
  double size = 0, time = 0, low = 0, high = 0; // 90 % interval
};

/// `times`: T by size, ascending, at least two; the work is the same at all sizes.
std::vector<ModelTime> model_times(const std::vector<SizedValue>& times, double size);

/// Absent with fewer sizes than a forecast needs (few_points.h).
std::optional<Forecast> forecast(const std::vector<SizedValue>& times, double size);

/// The size to measure next: the smallest of 2, 4 and 8 times the largest one at which two of Amdahl's law, contention
/// and coherency, and the term of p x T differ by more than a tenth and than noise explains.
struct NextSize {
  int size = 0;
  ModelTime faster, slower; // what they say there
};
std::optional<NextSize> next_size(const std::vector<SizedValue>& times);

} // namespace andes::postproc
