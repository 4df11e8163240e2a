// Growth of the computation with the ranks: work that more ranks do in all than few do.
#pragma once
#include <optional>

#include "postproc/analysis/scaling.h"

namespace andes::postproc {

/// Growth of the computation summed over ranks and the threads of their teams, relative to the smallest usable point;
/// `explained` is the serial fraction that it alone would show: (g - 1) / (q - 1), as a program that does g times the
/// work, perfectly shared, has the speedup q / g.
struct Growth {
  int size = 0;
  Estimate factor;
  double explained = 0;
  double error = 0; // of the factor, from what was subtracted as the tool's time
};

/// At the largest usable point; absent with fewer than two usable points, and in a weak sweep, whose work grows.
std::optional<Growth> computation_growth(const Build& build, const Scaling& scaling);

/// Whether the growth is more than its uncertainty and matters at all.
bool is_significant(const Growth& growth);

} // namespace andes::postproc
