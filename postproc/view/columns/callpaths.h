// The call paths of a run: `callpaths` in JSON, the first table of its CSV, the tree that people see. Inclusive and
// exclusive are sums over ranks; people see the overlap and the bytes of a call path with its callees, programs its
// own.
#pragma once
#include "postproc/analysis/tree.h"
#include "postproc/view/column.h"

namespace andes::postproc::columns {

/// Of the rows of `tree`; for people without the call path itself, which a view draws as a tree, and with what
/// percentages are of, in words. Profile and tree must outlive the list.
List<TreeRow> callpaths(const Profile& profile, const Tree& tree, const std::string& whole = "p x T");

/// Of the same rows what was counted of the events from `first` to before `end`, and instructions per cycle where
/// they are known: for people a table of its own.
List<TreeRow> counts(const Profile& profile, std::size_t first, std::size_t end);

} // namespace andes::postproc::columns
