// Operations: converts the records of a rank's log to operations, each with the call that starts it
// and the call that blocks for it. Records of one operation may lie in the logs of two
// threads; they are brought together by channel and number.
//
// Invariants: only operations that are kept at `level`, on channels whose order is known; each list
// is sorted by channel, then by number, and equal numbers (they wrap) by time.
#pragma once
#include "monitor/exchange/rank_log.h"

namespace andes::monitor {

/// A call in global time.
struct Call {
  std::int64_t enter_ns = 0, exit_ns = 0;
  std::int32_t site = -1; // index of a list of call sites
  std::int32_t thread = 0;
};

struct Operation {
  Call start, end;             // end: the call that completes it; for a blocking operation the same call
  double library_ns = 0;       // of a message: time inside MPI between the two calls
  std::uint32_t amount = 0;    // short_of(bytes)
  std::uint32_t channel = 0;   // index in EventTables
  std::uint32_t number = 0;    // on it
  EventKind kind = EventKind::none; // of its first record
  std::uint8_t flags = 0;      // EventFlag
  bool completed = false;
  bool alone = false; // of a message: the call that completes it completes nothing else
  bool open = false; // at the end of the run its request had not been completed
  std::int32_t root = -1; // of a collective: number in the communicator, as this rank names it; -1: not known, or none
};

/// A receive from any rank, or with any tag, whose request had not been completed at the end of the run.
struct OpenReceive {
  Call start;
  std::uint32_t channel = 0; // peer and tag -1: any
};

/// A lock epoch: from MPI_Win_lock (start) to MPI_Win_unlock (end). MPI_Win_lock_all has one of all targets, on a
/// channel of tag_lock_all, and one of each target that is accessed. On channels of tag_within it is a call within such
/// an epoch, alone.
struct LockEpoch {
  Operation operation;
  Call blocked; // the longest of lock, first access and unlock: if one of them waited, it is this one
};

/// A call that waited for a message before the call that received it: MPI_Mprobe, MPI_Probe; for parts of a partitioned
/// message loops over MPI_Parrived.
struct Probe {
  std::size_t receive; // index in Operations::receives
  Call call;
};

struct Operations {
  std::vector<Operation> sends, receives, collectives;
  std::vector<Operation> accesses; // of origins: MPI_Win_start to MPI_Win_complete
  std::vector<Operation> exposures; // of targets: MPI_Win_post to MPI_Win_wait
  std::vector<LockEpoch> locks;
  std::vector<Probe> probes; // by receive; of partitioned ones there may be several, by time
  std::vector<OpenReceive> open_receives;
  std::uint64_t unordered = 0; // logged operations on channels whose order was lost later
};

/// Whether the record is the first one of an operation of a channel.
bool starts_operation(EventKind kind);

/// The call of a record in the log of location `thread`.
Call call_of(const RankLog& log, std::size_t thread, const EventRecord& record);

Operations operations_of(const RankLog& log, const LogLevels& levels);

} // namespace andes::monitor
