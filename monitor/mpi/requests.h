// Open requests: the data that their completion must count and log. While a log is kept, every
// non-blocking operation has an entry; persistent requests always have one.
//
// Invariants:
//  - a program without such requests never takes a lock: `request_count` is read first;
//  - entries are a multiset: MPI may hand out a handle again before the call that completed it has
//    removed it here; a lookup gets the newest entry, which alone can be alive. MPI libraries share one handle
//    for all operations that are complete when their call returns (`complete_request`): it is never kept;
//  - with MPI_THREAD_MULTIPLE there are sixteen tables by hash, each with a lock of its own;
//  - bounded: beyond `request_limit` entries, completions are not logged and bytes of receives not
//    counted, and a message says so once.
#pragma once
#include <mpi.h>

#include "monitor/mpi/bytes.h"
#include "monitor/mpi/handle_bits.h"
#include "monitor/mpi/receives.h"

namespace andes::monitor::mpi {

enum class Kept : std::uint8_t {
  none,
  send,
  receive,
  collective,
  both,         // MPI_Isendrecv: Entry::both
  persistent,   // Entry::persistent
  communicator, // MPI_Comm_idup: Entry::duplicate
};

/// A persistent request: the operation of each start.
struct Persistent {
  enum class Of : std::uint8_t { send, receive, collective } of;
  bool active;           // started and not yet completed
  EventKind kind;        // of a collective
  bool is_root;
  Comm* comm;            // null: not logged, or partitioned
  int peer, tag;         // arguments of the call; of a send the peer is a rank of the world
  std::uint32_t channel; // of a collective, or of partitioned messages
  std::uint32_t serial;  // serial number of the request in the log; 0: its creation was not logged
  Flow flow;
  Ticket ticket;
  int parts = 0; // of a partitioned send: partitions
  std::uint64_t ready = 0; // made ready in all its starts: a thread may count one after the next start
};

/// The two operations of MPI_Isendrecv.
struct Both {
  Ticket sent, received;
};

struct Duplicate {
  std::uint64_t id;
#ifdef OPEN_MPI
  MPI_Comm made; // written at once, since the conversion of the handle to Fortran needs it
  void made_in(const MPI_Comm* comm) { made = *comm; }
  MPI_Comm comm() const { return made; }
#else
  const MPI_Comm* place; // where MPI will write it
  void made_in(const MPI_Comm* comm) { place = comm; }
  MPI_Comm comm() const { return *place; }
#endif
};

struct Entry {
  MPI_Request request = MPI_REQUEST_NULL;
  union {
    Ticket ticket = {};
    Both* both;
    Persistent* persistent;
    Duplicate duplicate;
  };
  Kept kept = Kept::none;
};

constexpr std::uint32_t request_limit = 1u << 20;
extern std::uint32_t request_count;  // entries of all tables
extern bool any_cancelled;           // a request was cancelled at some time
extern MPI_Request complete_request; // handle of sends that are complete at once; MPI_REQUEST_NULL: unknown

/// Open addressing with linear probing (requests.cc).
struct alignas(64) RequestTable {
  Entry* entries;
  std::uint32_t capacity; // a power of two, or 0
  std::uint32_t count;
  unsigned char lock;

  std::uint32_t home(MPI_Request request) const {
    return static_cast<std::uint32_t>(handle_bits(request) * 0x9e3779b97f4a7c15u >> 28) & (capacity - 1);
  }
};
constexpr std::uint32_t request_tables_of_threads = 16;
extern RequestTable request_tables[request_tables_of_threads]; // without threads only the first is used

void keep(const Entry& entry);
/// The newest entry of a request; Kept::none: there is none.
Entry find_request(MPI_Request request);
/// The same, and removes the entry unless the request is persistent.
Entry take_request_slowly(MPI_Request request);
[[gnu::always_inline]] inline Entry take_request(MPI_Request request) {
  // Fast path: most entries stand at their hash position, and no entry behind them must move back.
  RequestTable& table = request_tables[0];
  if (__builtin_expect(!threads && table.count != 0, 1)) {
    const std::uint32_t at = table.home(request);
    Entry& entry = table.entries[at];
    const Entry& next = table.entries[(at + 1) & (table.capacity - 1)];
    if (__builtin_expect(entry.request == request && entry.kept != Kept::none && entry.kept < Kept::persistent &&
                             next.kept == Kept::none,
                         1)) {
      const Entry found = entry;
      entry.kept = Kept::none;
      table.count--;
      request_count--;
      return found;
    }
  }
  return take_request_slowly(request);
}
/// The operation of the request is complete, which this call or a loop over it has found: logs it, so that the call
/// that completes the request does not.
void known_complete(const Visit& visit, MPI_Request request, const MPI_Status* status);
/// Removes an entry returned by find_request.
void drop_request(const Entry& entry);
/// find_request and drop_request in one step, persistent requests too: for handles that MPI may reuse after
/// MPI_Request_free.
Entry withdraw_request(MPI_Request request);
void begin_requests(MPI_Comm comm); // learns complete_request, by calls that send nothing
void log_open_requests(); // at the end: records which operations no call has completed
void forget_requests(); // at the end

inline bool requests_kept() { return __atomic_load_n(&request_count, __ATOMIC_RELAXED) != 0; }

[[gnu::always_inline]] inline void keep_ticket(MPI_Request request, Kept kept, const Ticket& ticket) {
  RequestTable& table = request_tables[0];
  if (__builtin_expect(!threads && 2 * (table.count + 1) <= table.capacity && request_count < request_limit &&
                           request != MPI_REQUEST_NULL,
                       1)) {
    Entry& home = table.entries[table.home(request)];
    if (__builtin_expect(home.kept == Kept::none, 1)) {
      home.request = request;
      home.ticket.library_ticks = ticket.library_ticks;
      home.ticket.place.channel = ticket.place.channel;
      home.ticket.place.number = ticket.place.number;
      home.kept = kept;
      table.count++;
      request_count++;
      return;
    }
  }
  Entry entry;
  entry.request = request;
  entry.ticket = ticket;
  entry.kept = kept;
  keep(entry);
}

void keep_both(MPI_Request request, const Both& both);

/// A non-blocking send.
template <class Count>
[[gnu::always_inline]] inline void send_started(const Visit& visit, MPI_Request request, Count count, MPI_Datatype type,
                                                int dest, int tag, MPI_Comm comm, unsigned flags = 0) {
  if (!measuring || dest == MPI_PROC_NULL) return;
  const bool pending = request != complete_request;
  const Place place = sent_to(visit, count, type, dest, tag, comm, flags | (pending ? event_pending : 0));
  if (place.channel != 0 && pending && visit) keep_ticket(request, Kept::send, ticket_of(visit, place));
}

[[gnu::always_inline]] inline void receive_started(const Visit& visit, MPI_Request request, int source, int tag,
                                                   MPI_Comm comm) {
  if (!measuring || source == MPI_PROC_NULL) return;
  Comm* known = comm_of(comm);
  if (__builtin_expect(is_settled(known) && source >= 0 && tag >= 0, 1)) {
    const Place place = log_settled(visit, *known, source, tag, event_pending, 0);
    keep_ticket(request, Kept::receive, ticket_of(visit, place));
  } else {
    keep_ticket(request, Kept::receive, post_receive(visit, known, source, tag));
  }
}

/// MPI_Isendrecv.
template <class Count>
void exchange_started(const Visit& visit, MPI_Request request, Count count, MPI_Datatype type, int dest, int sendtag,
                      int source, int receivetag, MPI_Comm comm) {
  if (source == MPI_PROC_NULL) return send_started(visit, request, count, type, dest, sendtag, comm, event_combined);
  if (dest == MPI_PROC_NULL) return receive_started(visit, request, source, receivetag, comm);
  if (!measuring) return;
  const Place place = sent_to(visit, count, type, dest, sendtag, comm, event_pending | event_combined);
  const Ticket sent = place.channel != 0 ? ticket_of(visit, place) : Ticket();
  keep_both(request, {sent, post_receive(visit, comm_of(comm), source, receivetag)});
}

inline void collective_started(const Visit& visit, MPI_Request request, EventKind kind, int root, MPI_Comm comm,
                               const Flow& flow) {
  if (!measuring) return;
  Comm* known = comm_of(comm);
  const bool pending = request != complete_request;
  const Place place =
      collective_at(visit, collectives_of(known), kind, is_root_of(known, root), flow, pending ? event_pending : 0);
  log_root(visit, known, root, place);
  if (place.channel != 0 && pending && visit) keep_ticket(request, Kept::collective, ticket_of(visit, place));
}

void keep_persistent(const Visit& visit, MPI_Request request, const Persistent& persistent);

inline void receive_made(const Visit& visit, MPI_Request request, int source, int tag, MPI_Comm comm) {
  if (measuring && source != MPI_PROC_NULL)
    keep_persistent(
        visit, request,
        {Persistent::Of::receive, false, EventKind::receive, false, comm_of(comm), source, tag, 0, 0, {}, {}});
}
template <class Count>
void send_made(const Visit& visit, MPI_Request request, Count count, MPI_Datatype type, int dest, int tag,
               MPI_Comm comm) {
  if (!measuring || dest == MPI_PROC_NULL) return;
  Comm* known = comm_of(comm);
  keep_persistent(visit, request,
                  {Persistent::Of::send,
                   false,
                   EventKind::send,
                   false,
                   known,
                   world_rank(known, dest),
                   tag,
                   0,
                   0,
                   {bytes(count, type), 0},
                   {}});
}
inline void collective_made(const Visit& visit, MPI_Request request, EventKind kind, int root, MPI_Comm comm,
                            const Flow& flow) {
  if (!measuring) return;
  Comm* known = comm_of(comm);
  keep_persistent(visit, request,
                  {Persistent::Of::collective,
                   false,
                   kind,
                   is_root_of(known, root),
                   known,
                   -1,
                   0,
                   persistent_channel(known),
                   0,
                   flow,
                   {}});
}

/// The channel of a partitioned request (monitor/core/partitioned_tag.h); 0: it is not logged.
std::uint32_t partitioned_channel(MPI_Comm comm, int peer, int tag, ChannelEnd end);

/// A partitioned message is sent by the call that makes its last partition ready.
template <class Count>
void partitioned_send(MPI_Request request, int partitions, Count count, MPI_Datatype type, int dest, int tag,
                      MPI_Comm comm) {
  if (measuring && dest != MPI_PROC_NULL)
    keep_persistent({}, request,
                    {Persistent::Of::send,
                     false,
                     EventKind::send,
                     false,
                     nullptr,
                     world_rank(comm, dest),
                     tag,
                     partitioned_channel(comm, dest, tag, ChannelEnd::source),
                     0,
                     {bytes(partitions * count, type), 0},
                     {},
                     partitions});
}
inline void partitioned_receive(MPI_Request request, int source, int tag, MPI_Comm comm) {
  if (measuring && source != MPI_PROC_NULL)
    keep_persistent({}, request,
                    {Persistent::Of::receive,
                     false,
                     EventKind::receive,
                     false,
                     nullptr,
                     source,
                     tag,
                     partitioned_channel(comm, source, tag, ChannelEnd::destination),
                     0,
                     {},
                     {}});
}
/// MPI_Pready and its kin.
void parts_ready(const Visit& visit, MPI_Request request, int parts);
/// A loop over MPI_Parrived has waited for a partition of the request's receive, and found it.
void part_arrived(const Visit& loop, MPI_Request request);

void start_persistent(const Visit& visit, Persistent& persistent);

inline void started(const Visit& visit, MPI_Request request) {
  if (!requests_kept()) return;
  const Entry entry = find_request(request);
  if (entry.kept == Kept::persistent) start_persistent(visit, *entry.persistent);
}

inline void started_all(const Visit& visit, int count, const MPI_Request* requests) {
  for (int i = 0; i < count && requests_kept(); i++) started(visit, requests[i]);
}

/// MPI_Comm_idup: the communicator exists when its request is complete.
inline void duplicating(MPI_Comm parent, MPI_Comm* comm, MPI_Request request) {
  if (!measuring) return;
  Entry entry;
  entry.request = request;
  entry.duplicate.id = id_of_duplicate(parent);
  entry.duplicate.made_in(comm);
  entry.kept = Kept::communicator;
  keep(entry);
}

inline void cancelled() { any_cancelled = true; }

} // namespace andes::monitor::mpi
