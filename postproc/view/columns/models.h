// Models of step 2 (`models` in JSON): how call paths grow, and forecasts.
#pragma once
#include "postproc/analysis/models.h"
#include "postproc/view/column.h"

namespace andes::postproc::columns {

/// Shares at the largest size and at the projected one, which stand in the titles.
List<PathModel> path_models(double last, double projected);
List<Forecast> forecasts(const Models& models);
List<ScaledPoint> scaled_points(const Models& models);
List<Isoefficiency> isoefficiency(const Models& models);

/// The model itself: of T, and in the columns of call paths.
List<TermModel> term_model();

} // namespace andes::postproc::columns
