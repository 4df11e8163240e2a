// Serial fractions as people read them. From 1 on they are no fractions: the program is no faster than its base
// (docs/metrics.md, "Serial fraction").
#pragma once
#include <optional>
#include <string>

#include "postproc/analysis/scaling.h"

namespace andes::postproc {

/// 0.0512, or "none"; nothing where it is absent.
std::string fraction_text(const std::optional<Estimate>& fraction);

/// What stands behind it: its interval or range; nothing behind "none".
std::string fraction_spread(const std::optional<Estimate>& fraction);

/// Both: "0.0512 [0.0500, 0.0530]".
std::string fraction_estimate_text(const Estimate& fraction, int decimals);

/// What "none" means, with how many times as long as the base each such size takes; empty: all have a fraction.
std::string why_no_fraction(const Scaling& scaling);

} // namespace andes::postproc
