// The ledger of lost time: `ledger`, `ledger_origins` and `ledger_paths` in JSON. People see the terms of all sizes
// beside each other, and the origins and call paths of the largest usable one.
#pragma once
#include <functional>

#include "postproc/analysis/ledger.h"
#include "postproc/view/column.h"

namespace andes::postproc::columns {

/// Draws a number of seconds.
using BarOf = std::function<std::string(double)>;

/// `decimals`: of seconds in text.
List<LedgerTerm> ledger_terms();
List<LedgerOrigin> ledger_origins(int decimals, const BarOf& bar_of);
List<LedgerPath> ledger_paths(int decimals);

/// A term at all sizes: what people see. Without a value: no such term there.
struct TermRow {
  std::string title;
  std::vector<std::optional<double>> seconds; // by ledger
  double percent = 0;                         // at the size that the rows are sorted by
  bool is_sum = false;                        // of all others
};
/// `shown`: the size with percentages and bars.
List<TermRow> term_rows(const std::vector<Ledger>& ledgers, std::size_t shown, bool grid, int decimals,
                        const BarOf& bar_of);

} // namespace andes::postproc::columns
