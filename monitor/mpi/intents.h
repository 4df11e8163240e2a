// Intents of calls that may block (monitor/core/intent.h), for the table's action `intent`: each function writes that
// of the innermost visit, just before the call. They are stores of what is in registers: they take about a nanosecond.
#pragma once
#include "monitor/core/intent.h"
#include "monitor/mpi/completion.h"
#include "monitor/mpi/files.h"
#include "monitor/mpi/handle_bits.h"
#include "monitor/mpi/windows.h"

namespace andes::monitor::mpi {

inline Intent& intent_of(andes_location* here) { return static_cast<andes_location_data*>(here->data)->intent; }

/// The intent is whole from here on.
inline void declare(Intent& intent, const andes_location* here) {
  __atomic_store_n(&intent.enter_ticks, here->top->enter_ticks, __ATOMIC_RELEASE);
}

template <class Count>
[[gnu::always_inline]] inline void message(andes_location* here, IntentKind kind, Count count, MPI_Datatype type,
                                           int peer, int tag, MPI_Comm comm) {
  Intent& intent = intent_of(here);
  intent.kind = kind;
  intent.object = handle_bits(comm);
  intent.peer = peer;
  intent.tag = tag;
  intent.count = static_cast<std::int64_t>(count);
  intent.type = handle_bits(type);
  declare(intent, here);
}

template <class Count>
[[gnu::always_inline]] inline void receives(andes_location* here, Count count, MPI_Datatype type, int source, int tag,
                                            MPI_Comm comm) {
  message(here, IntentKind::receive, count, type, source, tag, comm);
}

template <class Count>
[[gnu::always_inline]] inline void sends(andes_location* here, Count count, MPI_Datatype type, int dest, int tag,
                                         MPI_Comm comm) {
  message(here, IntentKind::send, count, type, dest, tag, comm);
}

template <class Count>
[[gnu::always_inline]] inline void exchanges(andes_location* here, Count sendcount, MPI_Datatype sendtype, int dest,
                                             int sendtag, Count recvcount, MPI_Datatype recvtype, int source,
                                             int recvtag, MPI_Comm comm) {
  Intent& intent = intent_of(here);
  intent.source = source;
  intent.receive_tag = recvtag;
  intent.receive_count = static_cast<std::int64_t>(recvcount);
  intent.receive_type = handle_bits(recvtype);
  message(here, IntentKind::exchange, sendcount, sendtype, dest, sendtag, comm);
}

inline void probes(andes_location* here, int source, int tag, MPI_Comm comm) {
  message(here, IntentKind::probe, 0, MPI_BYTE, source, tag, comm);
}

/// Of all ranks of a communicator, window or file.
template <class Object>
[[gnu::always_inline]] inline void gathers(andes_location* here, IntentKind kind, EventKind event, int root,
                                           Object object) {
  Intent& intent = intent_of(here);
  intent.kind = kind;
  intent.event = static_cast<std::uint8_t>(event);
  intent.object = handle_bits(object);
  intent.peer = root;
  declare(intent, here);
}

[[gnu::always_inline]] inline void takes_part(andes_location* here, EventKind event, int root, MPI_Comm comm) {
  gathers(here, IntentKind::collective, event, root, comm);
}
inline void fences(andes_location* here, MPI_Win win) {
  gathers(here, IntentKind::collective, EventKind::fence, no_root, win);
}
inline void frees(andes_location* here, const MPI_Win* win) {
  if (win) gathers(here, IntentKind::collective, EventKind::window_free, no_root, *win);
}
[[gnu::always_inline]] inline void takes_part_in(andes_location* here, MPI_File file) {
  gathers(here, IntentKind::collective, EventKind::file, no_root, file);
}
inline void closes(andes_location* here, FilePlace file) { takes_part_in(here, file.get()); }
inline void creates(andes_location* here, MPI_Comm comm) {
  gathers(here, IntentKind::creation, EventKind::none, no_root, comm);
}
inline void joins(andes_location* here, MPI_Comm local, int leader, MPI_Comm peers, int other_leader, int tag) {
  Intent& intent = intent_of(here);
  intent.tag = tag;
  intent.type = handle_bits(peers);
  intent.source = other_leader;
  gathers(here, IntentKind::join, EventKind::none, leader, local);
}
inline void creates_by_group(andes_location* here, MPI_Comm comm) {
  gathers(here, IntentKind::group, EventKind::none, no_root, comm);
}
inline void starts(andes_location* here, MPI_Win win) {
  gathers(here, IntentKind::start, EventKind::none, no_root, win);
}
inline void awaits_origins(andes_location* here, MPI_Win win) {
  gathers(here, IntentKind::exposure, EventKind::none, no_root, win);
}
/// `target`: -1 for all.
inline void locks(andes_location* here, int target, MPI_Win win) {
  gathers(here, IntentKind::lock, EventKind::none, target, win);
}

// ---- requests ----------------------------------------------------------------------------------

/// Lists what is rare: persistent requests, receives without a number, MPI_Isendrecv.
void list_slowly(Intent& intent, const Entry& entry, std::uint32_t room);

/// Adds the operations of a request to a list that has room for `room`.
[[gnu::always_inline]] inline void list(Intent& intent, const Entry& entry, std::uint32_t room = most_waited) {
  static_assert(static_cast<int>(Kept::send) == static_cast<int>(WaitedKind::send) &&
                static_cast<int>(Kept::receive) == static_cast<int>(WaitedKind::receive) &&
                static_cast<int>(Kept::collective) == static_cast<int>(WaitedKind::collective));
  const std::uint32_t at = intent.listed;
  if (__builtin_expect(at == room, 0)) {
    ++intent.more;
    return;
  }
  if (__builtin_expect(entry.kept > Kept::collective || entry.ticket.place.channel == posted, 0))
    return list_slowly(intent, entry, room);
  intent.list[at] = {entry.ticket.place.channel, entry.ticket.place.number};
  intent.of[at] = static_cast<WaitedKind>(entry.kept);
  intent.listed = at + 1;
}

inline Intent& begin_list(andes_location* here, IntentKind kind) {
  Intent& intent = intent_of(here);
  intent.kind = kind;
  intent.listed = intent.more = 0;
  return intent;
}

inline void waits_for(andes_location* here, const CompleteOne& one) {
  if (!one.entry()) return;
  Intent& intent = begin_list(here, IntentKind::wait_all);
  list(intent, *one.entry());
  declare(intent, here);
}

inline void waits_for(andes_location* here, WaitAll& all) {
  if (all.count() == 0) return;
  Intent& intent = begin_list(here, IntentKind::wait_all);
  for (int i = 0; i < all.count(); i++)
    if (all.entry(i).kept != Kept::none) list(intent, all.entry(i));
  declare(intent, here);
}

/// Of MPI_Waitany and MPI_Waitsome. Requests that are not listed may complete at any time.
inline void waits_for_some(andes_location* here, Requests& requests) {
  if (!requests.any()) return;
  Intent& intent = begin_list(here, IntentKind::wait_any);
  for (int i = 0; i < requests.count(); i++) {
    if (!requests.is_open(i)) continue;
    if (__builtin_expect(intent.listed == most_waited, 0)) ++intent.more; // not looked up
    else if (const Entry* entry = requests.look(i)) list(intent, *entry);
    else list(intent, {});
  }
  declare(intent, here);
}
inline void waits_for(andes_location* here, CompleteAny& any) { waits_for_some(here, any.requests()); }
inline void waits_for(andes_location* here, CompleteSome& some) { waits_for_some(here, some.requests()); }

} // namespace andes::monitor::mpi
