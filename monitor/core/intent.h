// Intent: what a call of MPI that may block waits for. It stands in the arena before the call, so that whoever looks at
// a hanging or killed job from outside sees who waits for whom (monitor/recover/blocked.h).
//
// Invariants:
//  - an intent belongs to the visit that entered at `enter_ticks`, which is written last, with release: a reader that
//    finds the same time in the innermost open frame has all of the intent. So a return need not clear it, and a call
//    that has none hides that of the call before;
//  - only the location's own thread writes it; it holds the call's arguments as they are: objects and data types as
//    handles (Communicator::handle, KnownType), ranks and tags with the library's own wildcards (MpiConstants);
//  - it names more than nobody only where the call may wait for other ranks;
//  - a loop over calls that ask whether something has come (monitor/mpi/polling.h) has an intent once it has lasted a
//    while: what these calls ask for, with PollReport::first_ticks as `enter_ticks`. Any other intent replaces it.
#pragma once
#include <cstdint>

namespace andes::monitor {

enum class IntentKind : std::uint8_t {
  none,
  receive, // `peer` is the source
  send, // `peer` is the destination
  exchange, // MPI_Sendrecv: the send, and the receive in `source`, `receive_tag`, `receive_count`, `receive_type`
  probe, // `peer` is the source
  collective, // numbered on its communicator or window; `peer` is the root
  creation, // collective on `object`, which may take no number there: MPI_Comm_dup, MPI_Win_create, MPI_File_open ...
  group, // of some members of `object`: MPI_Comm_create_group
  wait_all, // for all of the operations in `list`
  wait_any, // for one of them
  start, // MPI_Win_start, MPI_Win_complete: waits for MPI_Win_post of the targets
  exposure, // MPI_Win_wait: for MPI_Win_complete of the origins
  lock, // MPI_Win_lock and calls that may wait for the lock; `peer` is the target, -1: all
  join, // MPI_Intercomm_create: collective on `object`, whose rank `peer` is the leader. To the leader rank `source` of
  // the communicator `type` is the other one, by messages of tag `tag`
  poll_all, // a loop over polls: ends with all of the operations in `list`
  poll_any, // with one of them
};

/// What a request in the list of a wait stands for.
enum class WaitedKind : std::uint8_t {
  unknown, // may complete at any time
  send, // number `number` on `channel`
  receive, // likewise
  collective, // likewise
  // Receives without a number, on the communicator of index `channel`:
  from_any, // with tag `number`
  with_any_tag, // from world rank `number`
  from_any_with_any, // tag
  // Messages that are looked for: on the channel of their receives, or as for receives without a number.
  probe,
  probe_from_any,
  probe_with_any_tag,
  probe_from_any_with_any,
  exposure, // MPI_Win_test, on the window of index `channel`
};

struct Waited {
  std::uint32_t channel, number;
};

inline constexpr std::uint32_t most_waited = 1024; // requests of one call that are listed
inline constexpr std::uint32_t spare_waited = 2; // what one more request takes, while it is compared with those

struct Intent {
  std::uint64_t enter_ticks;
  std::uint64_t object; // handle of the communicator, window or file
  std::int32_t peer, tag; // rank in the communicator
  std::int64_t count; // elements of a message
  std::uint64_t type; // their data type, or the communicator of the leaders, as a handle
  IntentKind kind;
  std::uint8_t event; // of a collective: EventKind
  std::uint32_t listed; // entries of the list
  std::uint32_t more; // requests of the call beyond those that are listed
  std::int32_t source, receive_tag; // of an exchange; `source` also of a join
  std::int64_t receive_count;
  std::uint64_t receive_type;
  Waited list[most_waited + spare_waited];
  WaitedKind of[most_waited + spare_waited];
};

/// A long polling loop of a thread, as the thread has seen it last. All times in ticks.
struct PollReport {
  std::uint64_t first_ticks; // entry of its first poll; 0: there is no such loop
  std::uint64_t seen_ticks; // the latest look: the loop has gone on until then
  std::uint64_t span_ticks; // time in which `busy_ticks` was counted, less what the thread waited for a core
  std::uint64_t busy_ticks; // time between polls in which the thread had a core
  std::uint64_t longest_ticks; // of the thread's earlier loops that have ended
  std::uint32_t place; // of the latest poll's node
};

/// One of MPI's own data types.
struct KnownType {
  std::uint64_t handle;
  std::uint32_t bytes;
};
inline constexpr std::uint32_t most_known_types = 48;

/// The library's constants, by which arguments of calls are read.
struct MpiConstants {
  std::int32_t any_source, any_tag, proc_null;
  std::int32_t multiple; // 1: MPI_THREAD_MULTIPLE, so that threads which the monitor has not met yet may call MPI
  std::uint32_t type_count;
  KnownType types[most_known_types];
};

} // namespace andes::monitor
