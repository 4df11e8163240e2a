// Rescue: makes run files from arenas, of a run that is still running (snapshots) or that has ended
// without writing its own.
//
// After a good end there are no arenas and nothing is done. After a bad end the arenas of this host become a run
// file of the name that the run would have had, the ends of its ranks are reported in at most three lines, and
// the arenas are removed unless other hosts have more. Arenas of processes that still run after the end of the
// command stay, for `andes recover`.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "monitor/recover/jobs.h"
#include "monitor/recover/recover.h"
#include "postproc/launch/annotate.h"

namespace andes::postproc {

/// Where the arenas of one run are.
struct JobPlace {
  std::string name;                // ANDES_JOB
  std::vector<std::string> places; // where the directory of its arenas may be
};

/// A name for a run that no other has on this host.
std::string new_job_name();

struct Rescued {
  std::vector<std::string> files; // written
  bool kept = false;              // arenas still exist, and the reason was reported
  bool as_usual = false;          // all of it is of MPI sessions alone, and complete: nothing went wrong
  int signal = 0;                 // that ended the first rank to fail, as recorded by it; 0: none
};

/// Handles the arenas that the run has left, within some seconds after the end of its command. Reports
/// what the user must know; throws nothing. `libraries`: the directory of the monitor's libraries.
/// `deaths`, `stop`: see RecoverRequest.
Rescued rescue(const JobPlace& job, const std::string& libraries, const std::map<std::string, monitor::Death>& deaths,
               const std::optional<monitor::Stop>& stop);

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

} // namespace andes::postproc
