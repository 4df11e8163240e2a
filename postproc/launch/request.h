// Request: the request to `andes run`, and the check for contradictions in it.
#pragma once
#include <string>
#include <vector>

#include "common/settings.h"
#include "postproc/launch/plan.h"
#include "postproc/launch/repeats.h"

namespace andes::postproc {

struct Request {
  std::vector<std::string> command; // with {p}, {t} and the names of axes
  SizeLists sizes;
  Repeats repeats;
  bool overhead = false;        // a run without the monitor beside each
  double hang_after_s = 0;      // say why the program hangs after so many seconds without progress; 0: never
  std::string label;            // empty: none
  std::string output;           // name of the one run file; empty: runs/<program>-<nnn>
  std::string output_by = "-o"; // who named it, for messages
  Settings settings;
};

/// Throws Refusal for what contradicts itself: placeholders and --ranks, --threads, --vary; OMP_NUM_THREADS and
/// --threads; names of --weak and --zip that are no axes; -o and several runs.
void check_request(const Request& request);

} // namespace andes::postproc
