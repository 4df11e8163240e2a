// The flat profile: functions, files, groups of MPI calls, and the calls between two functions.
#pragma once
#include <string>
#include <vector>

#include "postproc/analysis/flat.h"
#include "postproc/analysis/report.h"
#include "postproc/view/column.h"

namespace andes::postproc::columns {

/// What the columns must know of a run, or of the repeats of a point.
struct FlatKinds {
  double time_s = 0;                      // percentages are of it
  bool estimates = false, budget = false; // estimates are possible; rows can say that they are none
};

FlatKinds flat_kinds(const Profile& profile, const Tree& tree);

/// Of the functions of a report.
FlatKinds flat_kinds(const Report& report);

List<FlatRow> functions(const FlatKinds& kinds);
List<FlatRow> files(const FlatKinds& kinds);
List<FlatRow> groups(const FlatKinds& kinds);
List<CallsBetween> calls_between(const FlatKinds& kinds);

/// A function of a block of callers and callees, and what it is there: caller, function or callee.
struct CallLine {
  std::string function; // whose block it is
  const char* relation;
  CallsBetween between;
};

/// Callers, the function and its callees, of each of the functions.
std::vector<CallLine> lines_of(const std::vector<FunctionCalls>& calls);
List<CallLine> call_lines(const FlatKinds& kinds);

} // namespace andes::postproc::columns
