// Of call paths of several builds: the names before, and why the one is taken for the other (analysis/match.h).
#pragma once
#include "postproc/analysis/match.h"
#include "postproc/view/column.h"

namespace andes::postproc::columns {

/// Of rows that have `was` and `guess`.
template <class Row> List<Row> guess_columns() {
  using R = const Row&;
  return List<Row>{
      {.key = "was", .value = [](R r) { return r.was.empty() ? Value() : Value(r.was); }},
      {.key = "guessed", .value = [](R r) { return r.guess.is_guess() ? Value(name_of(r.guess.by)) : Value(); }},
      {.key = "reason", .value = [](R r) { return known(r.guess.reason); }},
  };
}

} // namespace andes::postproc::columns
