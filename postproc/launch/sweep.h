// Sweep: the runs of one `andes run`, from the checked request to the annotated run files.
//
//   request -> plan (rank counts interleaved) -> for each: start, wait, find the file, annotate
//           -> intrusion over the pairs -> what was written and what to type next
//
// Everything that can be refused is refused before the first run. From then on nothing stops a
// sweep but Ctrl-C, a command that cannot be started, and a launcher that will start nothing; what
// has been written stays.
#pragma once
#include <string>
#include <vector>

#include "postproc/settings/settings.h"

namespace andes {

struct Request {
  std::vector<std::string> command; // with {p}
  std::vector<int> ranks;           // empty: one rank count, not known beforehand
  int repeats = 1;
  bool overhead = false; // a run without the monitor beside each
  std::string label;     // empty: none
  std::string output;    // -o; empty: runs/<program>-<nnn>
  Settings settings;
};

/// One start of the command.
struct Planned {
  int ranks = 0; // 0: not known
  int repeat = 1;
  bool monitored = true;
};

/// Repeat 1 of all rank counts, then repeat 2 of all, ...; with `overhead` each as a pair, whose
/// order alternates from repeat to repeat.
std::vector<Planned> plan_runs(const std::vector<int>& ranks, int repeats, bool overhead);

/// "2 min 10 s", "45 s", "3 h 5 min".
std::string in_words(double seconds);

/// Runs it all. Returns the exit status: of the first command that failed (128 + signal), 1 if all
/// went well but a run file is missing or could not be completed, else 0. Throws Refusal for a bad request.
int run_sweep(const Request& request);

} // namespace andes
