// Rescue: run files made from arenas, of a run that is still running (snapshots) or that has ended without
// having written its own.
//
// After a good end nothing is there and nothing is done. After a bad one the arenas of this host become a
// run file of the name that the run would have had, what its ranks came to is said in three lines at most,
// and the arenas go, unless other hosts have more. Those of processes that still live after the command has ended
// stay where they are, for `andes recover`.
#pragma once
#include <string>
#include <vector>

#include "monitor/recover/jobs.h"
#include "postproc/launch/annotate.h"

namespace andes {

/// Where the arenas of one run are.
struct JobPlace {
  std::string name;                // ANDES_JOB
  std::vector<std::string> places; // where the directory of its arenas may be
};

/// A name for a run that no other has on this host.
std::string new_job_name();

struct Rescued {
  std::vector<std::string> files; // written
  bool kept = false;              // arenas are still there, and it was said why
};

/// Deals with what the run has left, some seconds after its command at most. Says what is worth it; throws
/// nothing. `libraries`: the directory of the monitor's.
Rescued rescue(const JobPlace& job, const std::string& libraries);

/// Run files of a run while it runs: <name>.s1.andes, .s2.andes ... beside where its own will be.
class Snapshots {
public:
  /// `facts` go into each.
  Snapshots(std::string libraries, Facts facts);
  /// Makes the next from the arenas in the `directories`; says its name, or why there is none. Throws nothing.
  void make(const std::vector<std::string>& directories);

private:
  std::string libraries_;
  Facts facts_;
  int number_ = 0;
};

} // namespace andes
