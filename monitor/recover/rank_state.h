// RankState: what a rank does at one moment, and how far it is in each of its communicators: what the search for
// deadlocks needs of it. Made from an arena, or by a test.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "monitor/finish/profile.h"
#include "monitor/interface/hang.h"
#include "monitor/recover/recovered.h"

namespace andes::monitor {

/// Members of a communicator, as ranks of the world.
struct Members {
  std::uint32_t size = 0;
  const std::int32_t* world = nullptr; // null: rank i is first + i. Belongs to the process that was read
  std::uint32_t first = 0; // in `world`
  int operator[](std::uint32_t rank) const {
    return rank >= size ? -1 : world ? world[first + rank] : static_cast<int>(first + rank);
  }
};

/// An operation that a thread waits for. Ranks are those of the world; -1: any.
struct WaitedOperation {
  enum class Kind {
    unknown,
    receive,
    probe,
    send,
    collective,
    creation,
    own_leader,   // of the group that joins another one, in the operation `number` of its communicator
    other_leader, // of the other group, by messages of `tag`
    group,
    post,
    complete,
    lock,
    flush
  } kind = Kind::unknown;
  std::uint64_t comm = 0; // id of the communicator or window
  Members members, sources;  // sources: of a neighbourhood collective, in `members`
  int peer = -1, tag = -1;   // of a collective: the root, -1: none; the number of its own channel, 0: none
  std::uint32_t number = 0;  // on its channel
  EventKind event = EventKind::none;
  std::string function; // of a request's collective: what started it; empty: not known
  int root = -1;        // of a request's collective, in its communicator; -1: none, or not known
};

/// What a thread does.
struct ThreadActivity {
  int thread = 0;
  HangState::What what = HangState::What::computes;
  bool idle = false;          // waits for other threads of its process
  bool any = false;           // one of the operations is enough
  bool usual = false;         // it polls, and has polled nearly as long before something came
  double since_s = 0;         // negative: not known, as it was killed without notice
  std::string function;       // of MPI; empty: not known, as the call tree was full
  std::string call, path, place; // as in HangState
  std::vector<WaitedOperation> operations;
};

/// Number of operations begun on a channel.
struct Progress {
  std::uint32_t begun = 0;
  bool unordered = false; // the number is not reliable
};

struct RankState {
  int rank = 0, size = 1;
  bool gone = false, finalizes = false; // can release nobody any more
  bool more_threads = false; // there may be threads that have not called MPI yet
  std::string ending;                   // of one that is gone
  std::vector<ThreadActivity> threads;     // of one that is neither
  using Name = std::tuple<std::uint64_t, int, int>; // communicator, other rank, tag
  std::map<Name, Progress> sends, receives;
  std::map<Name, Progress> starts, posts; // epochs of windows, as origin and as target; the tag is 0
  std::map<Name, Progress> completes;     // of those begun as origin: the number of completed ones
  std::map<std::pair<std::uint64_t, int>, Progress> collectives; // by communicator and number of an own channel
  /// Functions of the latest collectives that it has begun, by communicator, number of an own channel, and number on
  /// it: some of them, none where the log is a sample.
  std::map<std::tuple<std::uint64_t, int, std::uint32_t>, std::string> called;
  /// The other groups of all inter-communicators that it has made, those that it has freed, too.
  std::vector<Members> other_groups;
  bool lossy = false; // some operations found no room and have no number
  std::uint64_t progress = 0; // rises with each operation of the rank
};

/// What is known of the job as a whole.
struct JobState {
  bool lives = false; // so that a dead process is gone; else its state is that of the moment when the job was killed
  std::optional<double> ended_s; // so long ago it ended: for processes that were killed without notice
};

/// The state of a process whose visits have been closed (close_process), with its profile.
RankState rank_state(const RecoveredProcess& process, const Profile& profile, const JobState& job);

} // namespace andes::monitor
