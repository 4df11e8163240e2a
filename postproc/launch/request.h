// Request: what `andes run` is asked for, and what of it cannot be done.
#pragma once
#include <string>
#include <vector>

#include "postproc/settings/settings.h"

namespace andes {

struct Request {
  std::vector<std::string> command; // with {p}
  std::vector<int> ranks;           // empty: one rank count, not known beforehand
  int repeats = 1;
  bool overhead = false;        // a run without the monitor beside each
  std::string label;            // empty: none
  std::string output;           // name of the one run file; empty: runs/<program>-<nnn>
  std::string output_by = "-o"; // who named it, for messages
  Settings settings;
};

/// Throws Refusal for what contradicts itself: {p} and --ranks, -o and several runs.
void check_request(const Request& request);

} // namespace andes
