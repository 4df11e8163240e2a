// Paired runs: two builds run in turns, in pairs whose order alternates (base new, new base, ...), until the rule of
// the gate has seen enough of each size or the time is used. Every run is measured and kept as by `andes run`, in the
// directories base and new of the series.
#pragma once
#include <string>

#include "postproc/analysis/gate_rule.h"
#include "postproc/launch/request.h"

namespace andes::postproc {

inline constexpr const char* exe_word = "{exe}";

struct PairedRequest {
  Request request; // its command has {exe}
  std::string base, newer; // what stands for {exe}
  double tolerance = 0.03, budget_s = 600;
  std::string directory; // of the series; empty: runs/<program>-<nnn>-gate
};

struct PairedRuns {
  std::string base_directory, new_directory;
  std::string trouble; // why pairs are missing; empty: none are
  int stopped_by = 0; // the signal, or 0
};

/// Runs them; says before which pair it is, and once it can how many the noise asks for. Throws Refusal for a bad
/// request, before anything runs.
PairedRuns run_pairs(const PairedRequest& request);

/// The command of one side. Throws Refusal if there is no {exe} in it.
std::vector<std::string> command_with(const std::vector<std::string>& command, const std::string& exe);

} // namespace andes::postproc
