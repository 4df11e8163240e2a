// Promises: what the older build's runs said that changes would gain (what_if.h), and what became of it in the newer
// build. docs/metrics.md, "Promised and realised"; decision 261.
//
// Core time is charged to what it begins with: to a call path its own computation, and the waits of all ranks that go
// back to it. So what a change realised adds up, over all call paths, to the change of T.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "postproc/analysis/estimate.h"
#include "postproc/analysis/points.h"
#include "postproc/analysis/what_if.h"

namespace andes::postproc {

/// `not_realised`: surely less than a tenth of what was promised at most, or than what counts of T.
/// `cannot_be_told`: it may be that, or a gain.
enum class Kept { as_promised, more, less, not_realised, cannot_be_told };
const char* name_of(Kept kept);

struct Promise {
  Prediction prediction; // by the older build alone
  bool asked = false;
  Estimate realised_s; // by which T became shorter where the change concerns the program
  Kept kept = Kept::cannot_be_told;
};

struct Promises {
  int ranks = 0, threads = 1;
  double time_s = 0; // T of the older build's run that made them
  std::vector<Promise> all; // what was asked for, then the candidates, largest promise first
};

/// No promises where one of the builds has no finished run; of a build and itself those that were asked for.
/// `asked`: changes like those of WhatIfInput, which are taken together. Throws Refusal for impossible changes.
Promises promises_of(const Build& before, const Build& after, const CommonSize& size,
                     const std::vector<std::string>& asked, bool oversubscribed_ok);

} // namespace andes::postproc
