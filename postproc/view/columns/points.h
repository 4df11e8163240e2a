// The sizes of a report: times and speedups (step 1), serial fractions (step 2), shares and efficiencies (step 3).
// For programs they are one table, `points` and `grid.points` in JSON and the first of its CSV; people see one for
// each step, as there is more of it than a line holds. What only some reports have is a column of CSV where any size
// has it.
#pragma once
#include <functional>

#include "postproc/analysis/report.h"
#include "postproc/view/column.h"

namespace andes::postproc::columns {

/// A size with its shares; both live in the report.
struct SizeRow {
  const ScalingPoint* point = nullptr;
  const PointShares* shares = nullptr;
};
std::vector<SizeRow> size_rows(const std::vector<ScalingPoint>& points, const std::vector<PointShares>& shares);

/// Of sizes, for programs; for people their shares, step 3.
List<SizeRow> sizes(const Report& report);

/// For people: times and speedups, step 1. `bar` draws the speedup of a point.
List<ScalingPoint> speedups(const Report& report, std::function<std::string(const ScalingPoint&)> bar);

/// For people: serial fractions, step 2.
List<ScalingPoint> serial_fractions(const Scaling& scaling);

/// For people: parallel efficiency of MPI in factors.
List<SizeRow> efficiencies();

} // namespace andes::postproc::columns
