// The ranks of a report, step 3: `rank_table` in JSON; in CSV a table where ranks have several threads. Times are
// medians over the repeats. The ranks of a single run have more columns, and their threads with them: locations.h.
#pragma once
#include "postproc/analysis/routines.h"
#include "postproc/view/column.h"

namespace andes::postproc::columns {

/// Of the report's rows of ranks.
List<RankRow> ranks();

} // namespace andes::postproc::columns
