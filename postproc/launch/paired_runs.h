// Paired runs: two builds run in turns, in pairs whose order alternates (base new, new base, ...), until the rule of
// the gate has seen enough of each size or the time is used. Every run is measured and kept as by `andes run`, in the
// directories base and new of the series.
//
// In the place of the older build's runs there may be those of a kept series (baselines.h): then only the newer one
// runs, as often as the rule wants and the series has runs. Or there is nothing to compare with, and it runs as often
// as is asked for.
#pragma once
#include <string>

#include "postproc/analysis/gate_rule.h"
#include "postproc/launch/request.h"

namespace andes::postproc {

inline constexpr const char* exe_word = "{exe}";

/// T of a run of a kept series.
struct KeptTime {
  int ranks = 0, threads = 0, repeat = 0; // threads: 0 without --threads
  double time_s = 0;
};

struct PairedRequest {
  Request request; // its command has {exe}
  std::string base, newer; // what stands for {exe}; base is empty if the older build does not run
  std::vector<KeptTime> kept; // its runs then
  int alone = 0; // so many runs of each size without anything to compare with; 0: pairs
  double tolerance = 0.03, budget_s = 600;
  bool oversubscribed_ok = false; // else one pair of more ranks than cores shows that the others would not decide
  std::string directory; // of the series; empty: runs/<program>-<nnn>-gate
};

struct PairedRuns {
  std::string program; // of the newer build's command
  std::string base_directory, new_directory; // the former is empty if the older build did not run
  std::string trouble; // why pairs are missing; empty: none are
  int stopped_by = 0; // the signal, or 0
};

/// Runs them; says before which pair it is, and once it can how many the noise asks for. Throws Refusal for a bad
/// request, before anything runs.
PairedRuns run_pairs(const PairedRequest& request);

/// The command of one side. Throws Refusal if there is no {exe} in it.
std::vector<std::string> command_with(const std::vector<std::string>& command, const std::string& exe);

} // namespace andes::postproc
