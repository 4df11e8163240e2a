// See requests.h. Open addressing with linear probing; removal moves later entries back, so there
// are no tombstones, and among equal entries the newest comes last. Tables grow by doubling, which
// never happens in programs without requests.
#include "monitor/mpi/requests.h"

#include <cstdlib>

#include "monitor/core/partitioned_tag.h"

namespace andes::monitor::mpi {

std::uint32_t request_count;
bool any_cancelled;
MPI_Request complete_request = MPI_REQUEST_NULL;
RequestTable request_tables[request_tables_of_threads];

namespace {

using Table = RequestTable;

Table& table_of(MPI_Request request) {
  return request_tables[threads ? handle_bits(request) * 0x9e3779b97f4a7c15u >> 60 : 0];
}

void put(Table& table, const Entry& entry) {
  std::uint32_t at = table.home(entry.request);
  while (table.entries[at].kept != Kept::none) at = (at + 1) & (table.capacity - 1);
  table.entries[at] = entry;
}

bool grow(Table& table) {
  const std::uint32_t wider = table.capacity ? 2 * table.capacity : 256, old = table.capacity;
  auto* fresh = static_cast<Entry*>(calloc(wider, sizeof(Entry)));
  if (!fresh) return false;
  Entry* before = table.entries;
  table.entries = fresh;
  table.capacity = wider;
  // Begins behind an empty slot (at most half are taken), so that equal entries keep their order.
  std::uint32_t first = 0;
  while (first < old && before[first].kept != Kept::none) first++;
  for (std::uint32_t i = 0; i < old; i++) {
    const Entry& entry = before[(first + i) & (old - 1)];
    if (entry.kept != Kept::none) put(table, entry);
  }
  free(before);
  return true;
}

// Slot of the request's newest entry for which `is` returns true, or `capacity`.
template <class Wanted> std::uint32_t look_up(const Table& table, MPI_Request request, Wanted is) {
  if (table.count == 0) return table.capacity;
  std::uint32_t newest = table.capacity;
  for (std::uint32_t at = table.home(request); table.entries[at].kept != Kept::none;
       at = (at + 1) & (table.capacity - 1))
    if (table.entries[at].request == request && is(table.entries[at])) newest = at;
  return newest;
}
std::uint32_t look_up(const Table& table, MPI_Request request) {
  return look_up(table, request, [](const Entry&) { return true; });
}

void remove(Table& table, std::uint32_t hole) {
  const std::uint32_t mask = table.capacity - 1;
  for (std::uint32_t at = (hole + 1) & mask; table.entries[at].kept != Kept::none; at = (at + 1) & mask)
    if (((at - table.home(table.entries[at].request)) & mask) >= ((at - hole) & mask)) {
      table.entries[hole] = table.entries[at];
      hole = at;
    }
  table.entries[hole].kept = Kept::none;
  table.count--;
  if (threads) __atomic_fetch_sub(&request_count, 1, __ATOMIC_RELAXED);
  else request_count--;
}

bool is_same(const Entry& one, const Entry& other) {
  if (one.kept != other.kept) return false;
  if (one.kept == Kept::persistent) return one.persistent == other.persistent;
  if (one.kept == Kept::both) return one.both == other.both;
  return one.ticket.library_ticks == other.ticket.library_ticks &&
         one.ticket.place.channel == other.ticket.place.channel && one.ticket.place.number == other.ticket.place.number;
}

constexpr std::uint32_t most_serials = 1u << 19; // short_of() is exact up to here

Kept kept_of(const Persistent& of) {
  switch (of.of) {
  case Persistent::Of::send: return Kept::send;
  case Persistent::Of::receive: return Kept::receive;
  case Persistent::Of::collective:
  default: return Kept::collective;
  }
}

LoggedCall init_of(const Persistent& of) {
  switch (of.of) {
  case Persistent::Of::send: return init_send;
  case Persistent::Of::receive: return init_receive;
  case Persistent::Of::collective:
  default: return init_collective;
  }
}

// The channel of its future starts, as far as it is known: an unknown source or tag is -1.
std::uint32_t channel_of_init(const Persistent& of) {
  if (of.of == Persistent::Of::collective) return of.channel;
  const bool sends = of.of == Persistent::Of::send;
  const int peer = sends ? of.peer : of.peer == MPI_ANY_SOURCE ? -1 : world_rank(of.comm, of.peer);
  if (of.comm->id == 0 || (peer < 0 && (sends || of.peer != MPI_ANY_SOURCE))) return 0;
  return channel_of(location_here(), *of.comm, peer, of.tag == MPI_ANY_TAG ? -1 : of.tag,
                    sends ? ChannelEnd::source : ChannelEnd::destination);
}

// Logs the call that makes a persistent request; returns the request's serial number, 0: not logged.
std::uint32_t log_init(const Visit& visit, const Persistent& of) {
  if (!visit || !of.comm || !events || !(events->logged_calls & init_of(of))) return 0;
  const std::uint32_t channel = channel_of_init(of);
  if (channel == 0) return 0;
  const std::uint32_t serial = __atomic_add_fetch(&events->requests, 1, __ATOMIC_RELAXED);
  if (serial >= most_serials) return 0;
  append(visit.location, record_of(visit, EventKind::request_init, 0, of.flow.sent), {channel, serial});
  return serial;
}

// The request's newest entry, which is removed if `goes` returns true; Kept::none: there is none.
template <class Goes> Entry found(MPI_Request request, Goes goes) {
  Table& table = table_of(request);
  Guard guard(table.lock);
  const std::uint32_t at = look_up(table, request);
  if (at == table.capacity) return {};
  const Entry entry = table.entries[at];
  if (goes(entry)) remove(table, at);
  return entry;
}

} // namespace

void keep(const Entry& entry) {
  if (entry.request == MPI_REQUEST_NULL) return;
  Table& table = table_of(entry.request);
  Guard guard(table.lock);
  const std::uint32_t kept = __atomic_load_n(&request_count, __ATOMIC_RELAXED);
  const bool room = kept < request_limit && (2 * (table.count + 1) <= table.capacity || grow(table));
  if (!room) {
    andes_say_once(said_requests,
                   "requests: more than %u are open, or no memory is left; bytes of further receives are not counted",
                   kept);
    if (events) count_up(events->lost);
    return;
  }
  put(table, entry);
  table.count++;
  if (threads) __atomic_fetch_add(&request_count, 1, __ATOMIC_RELAXED);
  else request_count++;
}

Entry find_request(MPI_Request request) {
  return found(request, [](const Entry&) { return false; });
}

Entry take_request_slowly(MPI_Request request) {
  return found(request, [](const Entry& entry) { return entry.kept != Kept::persistent; });
}

Entry withdraw_request(MPI_Request request) {
  return found(request, [](const Entry&) { return true; });
}

void known_complete(const Visit& visit, MPI_Request request, const MPI_Status* status) {
  Entry known;
  {
    Table& table = table_of(request);
    Guard guard(table.lock);
    const std::uint32_t at = look_up(table, request);
    if (at == table.capacity) return;
    Entry& entry = table.entries[at];
    known = entry;
    if (entry.kept == Kept::persistent && entry.persistent->active) {
      known.kept = kept_of(*entry.persistent);
      known.ticket = entry.persistent->ticket;
      entry.persistent->ticket = {};
    } else if (entry.kept == Kept::send || entry.kept == Kept::receive || entry.kept == Kept::collective) {
      entry.ticket = {};
    } else {
      return; // MPI_Isendrecv has two operations
    }
  }
  if (known.kept == Kept::receive) complete_receive(visit, known.ticket, status);
  else
    log_completion(visit, known.kept == Kept::send ? EventKind::send_completion : EventKind::collective_completion,
                   known.ticket);
}

void drop_request(const Entry& entry) {
  Table& table = table_of(entry.request);
  Guard guard(table.lock);
  const std::uint32_t at = look_up(table, entry.request, [&](const Entry& other) { return is_same(other, entry); });
  if (at != table.capacity) remove(table, at);
}

void keep_both(MPI_Request request, const Both& both) {
  Entry entry;
  entry.request = request;
  entry.both = static_cast<Both*>(malloc(sizeof(Both)));
  if (!entry.both) return;
  *entry.both = both;
  entry.kept = Kept::both;
  keep(entry);
}

void keep_persistent(const Visit& visit, MPI_Request request, const Persistent& persistent) {
  auto* own = static_cast<Persistent*>(malloc(sizeof(Persistent)));
  if (!own) return;
  *own = persistent;
  own->serial = log_init(visit, persistent);
  if (own->comm) hold(*own->comm);
  Entry entry;
  entry.request = request;
  entry.persistent = own;
  entry.kept = Kept::persistent;
  keep(entry);
}

std::uint32_t partitioned_channel(MPI_Comm comm, int peer, int tag, ChannelEnd end) {
  const Comm* known = comm_of(comm);
  const int world = world_rank(known, peer);
  std::uint64_t before = 0;
  if (!is_logged(known, world) || !count_partitioned(*known, world, tag, end, before)) return 0;
  return channel_of(location_here(), *known, world, partitioned_tag(tag, before), end);
}

void parts_ready(const Visit& visit, MPI_Request request, int parts) {
  const Entry entry = requests_kept() ? find_request(request) : Entry();
  if (entry.kept != Kept::persistent || entry.persistent->parts == 0) return;
  Persistent& of = *entry.persistent;
  // Several threads may make partitions ready; the one that makes the last one ready alone goes on.
  const std::uint64_t ready = __atomic_add_fetch(&of.ready, parts, __ATOMIC_ACQ_REL);
  if (ready % static_cast<std::uint64_t>(of.parts) != 0 || of.channel == 0) return;
  of.ticket = ticket_of(visit, log_next(visit, of.channel, EventKind::send, event_pending, of.flow.sent));
}

void part_arrived(const Visit& loop, MPI_Request request) {
  const Entry entry = requests_kept() ? find_request(request) : Entry();
  if (entry.kept != Kept::persistent || !entry.persistent->active || entry.persistent->channel == 0) return;
  const Place place = entry.persistent->ticket.place;
  if (place.channel != 0) log_beside(record_of(loop, EventKind::probe, 0, 0), place);
}

void start_persistent(const Visit& visit, Persistent& of) {
  Place place;
  of.active = true;
  of.ticket = {};
  switch (of.of) {
  case Persistent::Of::send:
    if (visit) message_sent(visit, of.flow.sent, of.peer);
    if (of.comm) place = log_send(visit, of.comm, of.peer, of.tag, event_pending, of.flow.sent);
    break;
  case Persistent::Of::collective:
    place = collective_at(visit, of.channel, of.kind, of.is_root, of.flow, event_pending);
    break;
  case Persistent::Of::receive:
    if (of.comm) of.ticket = post_receive(visit, of.comm, of.peer, of.tag);
    else if (of.channel != 0)
      of.ticket = ticket_of(visit, log_next(visit, of.channel, EventKind::receive, event_pending, 0));
    break;
  }
  if (of.of != Persistent::Of::receive) of.ticket = ticket_of(visit, place);
  if (of.serial != 0 && visit) log_beside(record_of(visit, EventKind::request, 0, of.serial), of.ticket.place);
}

void begin_requests(MPI_Comm comm) {
  MPI_Request one = MPI_REQUEST_NULL, other = MPI_REQUEST_NULL;
  int nothing = 0;
  // A send to MPI_PROC_NULL is complete at once. A library that returns the same handle twice shares it.
  PMPI_Isend(&nothing, 0, MPI_INT, MPI_PROC_NULL, 0, comm, &one);
  PMPI_Isend(&nothing, 0, MPI_INT, MPI_PROC_NULL, 0, comm, &other);
  complete_request = one == other ? one : MPI_REQUEST_NULL;
  PMPI_Wait(&one, MPI_STATUS_IGNORE);
  PMPI_Wait(&other, MPI_STATUS_IGNORE);
}

void log_open_requests() {
  if (!events) return;
  constexpr int most = 4096; // of a program that leaves more open the first tell enough
  int left = most;
  for (Table& table : request_tables) {
    Guard guard(table.lock);
    for (std::uint32_t i = 0; i < table.capacity && left > 0; i++, left--) {
      const Entry& entry = table.entries[i];
      const Persistent* persistent = entry.kept == Kept::persistent ? entry.persistent : nullptr;
      if (entry.kept == Kept::send || entry.kept == Kept::collective) log_open(entry.ticket.place);
      else if (entry.kept == Kept::receive) log_open_receive(entry.ticket);
      else if (entry.kept == Kept::both) log_open(entry.both->sent.place), log_open_receive(entry.both->received);
      else if (persistent && persistent->active && persistent->of == Persistent::Of::receive)
        log_open_receive(persistent->ticket);
      else if (persistent && persistent->active) log_open(persistent->ticket.place);
      else left++;
    }
  }
}

void forget_requests() {
  for (Table& table : request_tables) {
    Guard guard(table.lock);
    for (std::uint32_t i = 0; i < table.capacity; i++)
      if (table.entries[i].kept == Kept::persistent) free(table.entries[i].persistent);
      else if (table.entries[i].kept == Kept::both) free(table.entries[i].both);
    free(table.entries);
    table.entries = nullptr;
    table.capacity = table.count = 0;
  }
  __atomic_store_n(&request_count, 0, __ATOMIC_RELAXED);
}

} // namespace andes::monitor::mpi
