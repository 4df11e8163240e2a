// Path models: the term by which the own time of each call path grows with a size: of the job, or of the problem.
#pragma once
#include <string>
#include <vector>

#include "postproc/analysis/few_points.h"
#include "postproc/analysis/series.h"
#include "postproc/analysis/terms.h"

namespace andes::postproc {

/// Own time of a call path (MPI calls are call paths of their own).
struct PathModel {
  std::vector<std::string> path;
  std::string kind;
  TermModel model;
  double percent = 0;           // of the sum of all call paths' values, at the largest size
  double projected_percent = 0; // of the sum that the models say, at a projected size
};

/// Runs of one size, and the size.
struct PlacedPoint {
  double size = 0;
  const Point* point = nullptr;
};

/// Heaviest first at `projected_size`; with one per cent there or at the largest size. `points` are sorted by size;
/// `claim` says how many sizes a call path needs. Sums over ranks, or their mean.
std::vector<PathModel> path_models(const std::vector<PlacedPoint>& points, Claim claim, bool mean,
                                   double projected_size);

} // namespace andes::postproc
