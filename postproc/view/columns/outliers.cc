#include "postproc/view/columns/outliers.h"

namespace andes::postproc::columns {

List<Outlier> outliers() {
  return List<Outlier>{
      {.key = "file", .value = &Outlier::file},         {.key = "ranks", .value = &Outlier::ranks},
      {.key = "threads", .value = &Outlier::threads},   {.key = "time_s", .value = &Outlier::time_s},
      {.key = "median_s", .value = &Outlier::median_s}, {.key = "reasons", .value = &Outlier::reasons},
  };
}

} // namespace andes::postproc::columns
