// What several sentences of advice look up in a report.
#pragma once
#include <string>

#include "postproc/analysis/report.h"

namespace andes::postproc {

/// Of the point with this size; null: there is none.
const PointShares* shares_at(const Report& report, int size);

/// How much longer than the mean the rank with the most work computes, in per cent of T.
double uneven_percent(const PointShares& shares);

/// The deepest call path that still shows most of the imbalance: what is above it only inherits it.
const Routine* most_uneven(const Report& report);

/// The call of MPI with most communication, and the one with most input and output; null: there is none.
const Routine* heaviest_communication(const Report& report);
const Routine* heaviest_io(const Report& report);

/// The largest loss of the threads, where it matters; else empty.
std::string team_loss_text(const Report& report);

} // namespace andes::postproc
