// Why ranks wait: `findings` of `andes diagnose` and of a report in JSON, and the table of a report. `andes diagnose`
// tells people each finding in sentences (diagnosis_text.cc).
#pragma once
#include "postproc/analysis/diagnosis.h"
#include "postproc/view/column.h"
#include "postproc/view/diagnosis_text.h"

namespace andes::postproc::columns {

/// Of findings, whose shares are of `whole`; their sides are lists of objects in JSON.
List<Finding> findings(const std::string& whole = WaitWhole::ranks);

/// Both ends of what T would shrink by, and the value with its cure where it is known.
Json gain_json(const Gain& gain);

template <class Row> Column<Row> gain_column(const char* key, const char* title, Gain Row::* gain) {
  return {.key = key,
          .value = [gain](const Row& row) { return gain_json(row.*gain); },
          .text = {.title = title, .cell = [gain](const Row& row) { return gain_range(row.*gain); }}};
}

} // namespace andes::postproc::columns
