// What if: by how much the time would shrink if a routine were faster, balanced, parallel, or did not wait, as bounds
// (docs/metrics.md, "What if").
//
// For a change of computation let, for each rank i, s_i be what it saves itself, w_i all its waits, and v_i the part of
// them that goes with the work that the change takes away (late_work.h):
//     high = min over i of (s_i + w_i)      no rank ends before it has done its own work
//     low  = min over i of (s_i + v_i)      only waits for the routine itself become shorter
// and neither is more than what is taken from the work of all ranks together.
// Without waits the high bound is that of computation and of MPI as a whole, and v_i is zero.
//
// Invariants:
//  - changes are applied one after the other to what the ones before have left, so nothing is saved twice;
//  - where only some ranks have values the low bound holds for the others, too, by the least time of any rank.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "postproc/analysis/routine_change.h"
#include "postproc/analysis/scaling.h"

namespace andes::postproc {

struct Finding;

/// A bound of a gain, and from what it follows.
struct GainBound {
  double gain_s = 0; // negative: the run becomes longer
  enum class From {
    rank, // what `rank` saves, with the waits that the bound counts
    any, // the least time of any rank, as values of some are not kept
    replay, // the replay of a finding
    waits, // the waits of findings, without a replay
    work, // what is taken from the work of all ranks
    one // of several changes one alone
  } from = From::rank;
  int rank = -1; // with From::rank
};

/// Time and speedup at a number of ranks, with the change. At least and at most.
struct ChangedSize {
  int size = 0;
  bool projected = false;
  double time_low_s = 0, time_high_s = 0;
  std::optional<double> speedup_low, speedup_high; // over the base, as it was measured
};

struct Prediction {
  std::vector<std::string> changes;
  GainBound low, high;
  std::vector<ChangedSize> sizes; // the measured one first
};

struct WhatIf {
  int ranks = 0;
  double time_s = 0; // of the run from which all this is computed: the one with the median time
  std::vector<Prediction> candidates; // ten at most, largest gain first
  std::optional<Prediction> asked; // all changes that were asked for, together
};

struct WhatIfInput {
  const Profile* run = nullptr; // with Detail::tree
  const Profile* base = nullptr; // the same, of the base; null where there is no smaller run
  const std::vector<Finding>* findings = nullptr;
  const Scaling* scaling = nullptr; // null: no run came to its end, and there are no speedups
  std::vector<std::string> asked; // in the words of routine_change.h
};

/// Throws Refusal for changes that cannot be.
WhatIf what_if(const WhatIfInput& input);

} // namespace andes::postproc
