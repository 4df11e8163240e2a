// What a gate watches besides the change: whether the machine made the difference.
//
// Pairs cancel what disturbs both of their runs, and alternating orders what grows or shrinks steadily. What is left
// would be disturbances that fall on one build alone. They show in what must not differ (the same build run twice in
// a row, call paths that the change cannot have touched) and in what the kernel counts (disturbance.h).
#pragma once
#include <string>
#include <vector>

#include "postproc/analysis/gate_rule.h"
#include "postproc/analysis/series.h"

namespace andes::postproc {

/// Runs of both builds, one after the other.
struct RunPair {
  int repeat = 0;
  const SeriesRun *base = nullptr, *newer = nullptr; // of the builds given, which must outlive it
  double log_ratio() const;
};

/// Something that must not differ.
struct GateControl {
  std::string name, title; // in JSON, for people
  std::size_t pairs = 0;
  Shift log_change; // with an interval of 99.8 %
};

/// Error on either side of the interval of a control.
inline constexpr double control_level = 0.001;

/// Neighbouring runs of the same build: the later over the earlier one.
GateControl same_build_control(const std::vector<RunPair>& pairs);

/// Whether a control has surely changed by more than the tolerance, faster or slower.
bool has_failed(const GateControl& control, double tolerance);

/// Whether the runs were interleaved, as far as the times of their starts tell: no run of a pair began after one of the
/// next pair.
bool are_interleaved(const std::vector<RunPair>& pairs);

/// In words, if the builds ran on different processors or numbers of usable cores; empty: not as far as is known.
std::string other_machine_text(const std::vector<RunPair>& pairs);

/// Disturbances that fell on one build so much more than on the other that they may explain half of the judgement; a
/// phrase each.
std::vector<std::string> one_sided_disturbances(const std::vector<RunPair>& pairs, const Judgement& judgement,
                                                double tolerance);

/// A steady drift of the machine above the tolerance, in words; empty: none.
std::string drift_text(const std::vector<RunPair>& pairs, double tolerance);

} // namespace andes::postproc
