// SweepState: what a sweep knows, from the checked request to what is said at its end.
#pragma once
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "common/message.h"
#include "postproc/launch/file_names.h"
#include "postproc/launch/installation.h"
#include "postproc/launch/launcher.h"
#include "postproc/launch/naming.h"
#include "postproc/launch/overhead.h"
#include "postproc/launch/plan.h"
#include "postproc/launch/request.h"

namespace andes::postproc {

/// What is known of the runs of a size.
struct SizeRuns {
  std::vector<double> wall_s[2]; // of the command, in runs that went well: without and with the monitor
  std::vector<double> times_s;   // T of runs that went well: by the run file, or else of the command
  int failures = 0;              // since the last run that went well
  bool refused = false;          // there are not enough slots, or its program cannot be started
  std::vector<Pair> pairs;       // by repeat, with --overhead
};

struct SweepState {
  explicit SweepState(const Request& asked)
      : request(asked), command(read_command(asked.command)), sizes(sizes_of(asked.sizes)),
        names(sizes, asked.repeats) {}

  const Request& request;
  Installation installation = find_installation();
  Command command; // before substitution
  std::vector<Size> sizes;
  FileNames names;
  std::optional<RunDirectory> series;
  std::string directory, pattern; // of the one run file, without a series

  std::map<Size, SizeRuns> runs;
  std::map<std::string, Size> written; // path -> size of the plan
  std::vector<std::string> spawned;    // files of worlds that runs have spawned
  bool refused_all = false;            // the launcher starts nothing
  std::set<std::pair<int, int>> oversubscribed; // ranks and threads
  std::int64_t cores = 0; // of the last oversubscribed run
  bool bound = false;     // one of them had fewer cores than this host would give
  std::size_t started = 0; // commands
  bool time_is_up = false; // of --repeat auto
  int status = 0;         // of the first failure
  int missing = 0;        // successful runs without a run file
  int empty = 0;          // run files without a measurement
  int unreadable = 0;     // run files that could not be completed
};

/// Whether the sweep is one run.
inline bool is_single(const SweepState& state) {
  return state.sizes.size() == 1 && state.request.repeats.count == 1 && !state.request.overhead;
}

/// Of all starts that the request asks for; the largest number with --repeat auto.
inline std::size_t starts_asked(const SweepState& state) {
  return state.sizes.size() * static_cast<std::size_t>(state.request.repeats.count) * (state.request.overhead ? 2 : 1);
}

/// Does something to a run file; one file at fault does not end a night's sweep.
template <class Action> void tolerate(SweepState& state, Action action) {
  try {
    action();
  } catch (const Refusal& refusal) {
    say("{}", refusal.what());
    ++state.unreadable;
  }
}

/// Which run of the plan; a single run is named by its command.
std::string describe(const SweepState& state, const Planned& planned);

} // namespace andes::postproc
