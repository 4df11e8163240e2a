// Several series: `overview`, a line for each, and the points of `axes`.
#pragma once
#include "postproc/analysis/overview.h"
#include "postproc/view/column.h"

namespace andes::postproc::columns {

/// `grid`: one of the series has several numbers of threads.
List<OverviewRow> overview(bool grid);

/// A line of an axis table, with the table.
struct AxisRow {
  const AxisTable* table;
  const AxisPoint* point;
};

List<AxisRow> axis_points();

std::vector<AxisRow> axis_rows(const AxisTable& table);

/// "N = 1000, B = 8", of the axis that grows with the ranks "N = 1000 x p".
std::string axes_text(const std::vector<RunAxis>& axes);

} // namespace andes::postproc::columns
