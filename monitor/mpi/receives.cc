// See receives.h.
#include "monitor/mpi/receives.h"

#include <sys/mman.h>

#include "monitor/mpi/status.h"

namespace andes::monitor::mpi {

std::uint64_t probed_comm;

namespace {

enum class State : std::uint8_t {
  searching, // its source or tag is not known
  known,     // source and tag are known; those of an earlier receive are not
  placed,    // has its number and is not in the communicator's list any more
};

/// A record that is written once its operation has a number.
struct Held {
  Record record;
  andes_location_data* location; // location of the call
};

struct Posting {
  Held held[4]; // at most: a probe, its posting, its request's number, its completion
  std::uint8_t held_count;
  Call call;
  Comm* comm;
  int source, tag; // the source is a rank of the world; or wildcards
  Place place;
  std::uint32_t next, previous;
  State state;
  bool open; // another call refers to it
};

constexpr int any_source = -1, any_tag = -1;

Posting* postings; // [0] is not used
std::uint32_t posting_count, free_posting;
unsigned char lock;

std::uint32_t new_posting() {
  if (free_posting != 0) {
    const std::uint32_t taken = free_posting;
    free_posting = postings[taken].next;
    postings[taken] = {};
    return taken;
  }
  if (!postings) {
    void* memory = mmap(nullptr, posting_limit * sizeof(Posting), PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return 0;
    postings = static_cast<Posting*>(memory);
    posting_count = 1;
  }
  return posting_count < posting_limit ? posting_count++ : 0;
}

void give_back(std::uint32_t posting) {
  postings[posting].state = State::placed;
  postings[posting].next = free_posting;
  free_posting = posting;
}

void unlink(Comm& comm, std::uint32_t at) {
  Posting& posting = postings[at];
  std::uint32_t& before = posting.previous ? postings[posting.previous].next : comm.first_posting;
  __atomic_store_n(&before, posting.next, __ATOMIC_RELAXED);
  (posting.next ? postings[posting.next].previous : comm.last_posting) = posting.previous;
  if (posting.state == State::known) comm.known_postings--;
  let_go(comm);
}

/// Holds the communicator while some of its postings are removed.
struct Holding {
  explicit Holding(Comm& comm) : comm_(comm) { hold(comm); }
  ~Holding() { let_go(comm_); }
  Comm& comm_;
};

bool may_meet(const Posting& posting, int source, int tag) {
  return posting.state == State::searching &&
         (posting.source == any_source || source == any_source || posting.source == source) &&
         (posting.tag == any_tag || tag == any_tag || posting.tag == tag);
}

bool is_blocked(const Comm& comm, int source, int tag, std::uint32_t before = 0) {
  for (std::uint32_t i = comm.first_posting; i != before; i = postings[i].next)
    if (may_meet(postings[i], source, tag)) return true;
  return false;
}

// From here on the numbers of the communicator's receives are not reliable.
void lose_order(Comm& comm) {
  const Holding holding(comm);
  comm.order_lost = true;
  for (std::uint32_t i; (i = comm.first_posting) != 0;) {
    unlink(comm, i);
    postings[i].state = State::placed;
    postings[i].place = {};
    count_up(events->unordered);
    if (!postings[i].open) give_back(i);
  }
  const std::uint32_t count = __atomic_load_n(&events->channel_count, __ATOMIC_ACQUIRE);
  for (std::uint32_t i = 1; i < count; i++) {
    Channel& channel = events->channels[i];
    if (channel.communicator == comm.index && channel.end == ChannelEnd::destination) channel.unordered = order_unknown;
  }
}

// Records of calls that were not measured are all zero.
void write(const Record& record, Place place) {
  if (record.time != 0) append(location_here(), record, place);
}

void note(Posting& posting, const Record& record) {
  if (record.time != 0) posting.held[posting.held_count++] = {record, location_here()};
}

Place place_now(const Comm& comm, int source, int tag, const Call& call) {
  if (!is_logged(&comm, source)) return {};
  return next_place(channel_of(location_here(), comm, source, tag, ChannelEnd::destination), call);
}

// Numbers all receives that can be numbered, beginning with the oldest.
void settle(Comm& comm) {
  const Holding holding(comm);
  std::uint32_t left = comm.known_postings;
  for (std::uint32_t i = comm.first_posting, next; i != 0 && left != 0; i = next) {
    Posting& posting = postings[i];
    next = posting.next;
    if (posting.state == State::searching) {
      if (posting.source == any_source && posting.tag == any_tag) return;
      continue;
    }
    left--;
    if (!is_blocked(comm, posting.source, posting.tag, i)) {
      unlink(comm, i);
      posting.state = State::placed;
      posting.place = place_now(comm, posting.source, posting.tag, posting.call);
      for (int k = 0; k < posting.held_count; k++)
        append(posting.held[k].location, posting.held[k].record, posting.place);
      if (!posting.open) give_back(i);
    }
  }
}

// Puts a receive at the end of the communicator's list; 0: the order is lost.
std::uint32_t enlist(const Visit& visit, Comm& comm, int source, int tag, bool open) {
  const std::uint32_t made = new_posting();
  if (made == 0) {
    lose_order(comm);
    return 0;
  }
  Posting& posting = postings[made];
  posting.call = call_of(visit);
  posting.comm = &comm;
  hold(comm);
  posting.source = source;
  posting.tag = tag;
  posting.open = open;
  posting.state = source == any_source || tag == any_tag ? State::searching : State::known;
  posting.previous = comm.last_posting;
  std::uint32_t& after_last = comm.last_posting ? postings[comm.last_posting].next : comm.first_posting;
  __atomic_store_n(&after_last, made, __ATOMIC_RELAXED); // other threads read whether there is one
  comm.last_posting = made;
  if (posting.state == State::known) comm.known_postings++;
  return made;
}

bool unknown_order(const Comm* comm) {
  if (!events || !comm) return true;
  if (comm->id != 0 && !comm->order_lost) return false;
  count_up(comm->id == 0 ? events->outside : events->unordered);
  return true;
}

bool has_postings(const Comm& comm) { return __atomic_load_n(&comm.first_posting, __ATOMIC_RELAXED) != 0; }

// The place of a receive whose message is known. If an earlier receive is still open, the place
// follows later: then the result is a posting, which holds `record`.
Place place_known(const Visit& visit, Comm& comm, int source, int tag, const Record& record, bool open) {
  if (__builtin_expect(has_postings(comm), 0)) {
    Guard guard(lock);
    if (is_blocked(comm, source, tag)) {
      const std::uint32_t posting = enlist(visit, comm, source, tag, open);
      if (posting == 0) return {};
      note(postings[posting], record);
      return {posted, posting};
    }
  }
  const Place place = place_now(comm, source, tag, call_of(visit));
  write(record, place);
  return place;
}

/// The message that MPI_Probe found last, of communicator probed_comm.
struct Probed {
  int source, tag; // the source is a rank of the world
  Record record;
} last_probe;

// With threads there is never one (probed()), and no thread writes.
void forget_probe() {
  if (probed_comm != 0) probed_comm = 0;
}

// A receive with these arguments gets `place`: if it receives the probed message, the probe's wait belongs to it.
[[gnu::noinline]] void take_probed(Place place, const Comm& comm, int source, int tag) {
  if (probed_comm == comm.id && last_probe.source == source && last_probe.tag == tag)
    log_beside(last_probe.record, place);
  probed_comm = 0;
}

} // namespace

void log_beside(const Record& record, Place place) {
  if (place.channel != posted) {
    append(location_here(), record, place);
    return;
  }
  Guard guard(lock);
  Posting& posting = postings[place.number];
  if (posting.state == State::placed) append(location_here(), record, posting.place);
  else note(posting, record);
}

Ticket post_receive(const Visit& visit, Comm* comm, int source, int tag) {
  if (unknown_order(comm)) return {};
  const bool wild = source == MPI_ANY_SOURCE || tag == MPI_ANY_TAG;
  const int from = source == MPI_ANY_SOURCE ? any_source : world_rank(comm, source);
  const Record record = visit ? record_of(visit, EventKind::receive, event_pending, 0) : Record{};
  if (!wild) {
    const Place place = place_known(visit, *comm, from, tag, record, true);
    if (__builtin_expect(probed_comm != 0, 0)) take_probed(place, *comm, from, tag);
    return ticket_of(visit, place);
  }
  forget_probe();
  Guard guard(lock);
  const std::uint32_t posting = enlist(visit, *comm, from, tag == MPI_ANY_TAG ? any_tag : tag, true);
  if (posting == 0) return {};
  note(postings[posting], record);
  return ticket_of(visit, {posted, posting});
}

void log_received(const Visit& visit, Comm* comm, const MPI_Status* status, unsigned flags) {
  if (unknown_order(comm)) return;
  const std::int64_t bytes = visit ? arrived_bytes(status) : 0;
  const int source = world_rank(comm, status->MPI_SOURCE);
  const Place place = place_known(
      visit, *comm, source, status->MPI_TAG,
      visit ? record_of(visit, EventKind::receive, flags, bytes > 0 ? static_cast<std::uint64_t>(bytes) : 0) : Record{},
      false);
  if (__builtin_expect(probed_comm != 0, 0)) take_probed(place, *comm, source, status->MPI_TAG);
}

Ticket probe_matched(const Visit& visit, Comm* comm, const MPI_Status* status, const Visit& wait) {
  if (unknown_order(comm)) return {};
  forget_probe();
  const Record record = wait ? record_of(wait, EventKind::probe, 0, 0) : Record{};
  return ticket_of(visit,
                   place_known(visit, *comm, world_rank(comm, status->MPI_SOURCE), status->MPI_TAG, record, true));
}

void probed(const Visit& visit, const Comm* comm, const MPI_Status* status) {
  if (!events || threads || !comm) return;
  probed_comm = visit ? comm->id : 0;
  if (!visit) return;
  last_probe.source = world_rank(comm, status->MPI_SOURCE);
  last_probe.tag = status->MPI_TAG;
  last_probe.record = record_of(visit, EventKind::probe, 0, 0);
}

void receive_matched(const Visit& visit, Ticket& ticket, std::uint64_t bytes, bool pending) {
  if (ticket.place.channel == 0) return;
  Record record = {};
  if (visit) {
    record = record_of(visit, EventKind::receive, pending ? event_pending : 0, bytes);
    ticket.library_ticks = visit.location->library_ticks;
  }
  if (ticket.place.channel != posted) {
    write(record, ticket.place);
    return;
  }
  Guard guard(lock);
  Posting& posting = postings[ticket.place.number];
  if (posting.state == State::placed) {
    write(record, posting.place);
    const std::uint32_t old = ticket.place.number;
    ticket.place = posting.place;
    give_back(old);
    return;
  }
  note(posting, record);
  posting.open = pending;
}

Posted find_posted(const Ticket& ticket) {
  Guard guard(lock);
  const Posting& posting = postings[ticket.place.number];
  if (posting.state == State::placed) return {posting.place};
  return {{}, posting.state == State::searching, posting.comm->index, posting.source, posting.tag};
}

void complete_posted(const Visit& visit, const Ticket& ticket, const MPI_Status* status, unsigned flags) {
  const bool logged = visit && is_measured(ticket);
  Record record = {};
  if (logged) record = completion_of(visit, EventKind::receive_completion, ticket, flags);
  Guard guard(lock);
  Posting& posting = postings[ticket.place.number];
  posting.open = false;
  if (posting.state == State::placed) {
    if (logged) append(visit.location, record, posting.place);
    give_back(ticket.place.number);
    return;
  }
  note(posting, record);
  if (posting.state != State::searching) return;
  if (!status) { // it has failed: its message is not known
    lose_order(*posting.comm);
    return;
  }
  posting.source = world_rank(posting.comm, status->MPI_SOURCE);
  posting.tag = status->MPI_TAG;
  posting.state = State::known;
  posting.comm->known_postings++;
  settle(*posting.comm);
}

void cancelled_receive(const Ticket& ticket) {
  if (ticket.place.channel == 0) return;
  if (ticket.place.channel != posted) {
    events->channels[ticket.place.channel].unordered = order_unknown;
    return;
  }
  Guard guard(lock);
  const std::uint32_t at = ticket.place.number;
  Posting& posting = postings[at];
  if (posting.state == State::placed) {
    if (posting.place.channel) events->channels[posting.place.channel].unordered = order_unknown;
  } else { // it got no message, and no receive behind it that might have got one was numbered
    Comm& comm = *posting.comm;
    const Holding holding(comm);
    unlink(comm, at);
    give_back(at);
    settle(comm);
    return;
  }
  give_back(at);
}

void forget_receive(const Ticket& ticket) {
  if (ticket.place.channel != posted) return; // its number is fixed: it will receive
  Guard guard(lock);
  Posting& posting = postings[ticket.place.number];
  posting.open = false;
  if (posting.state == State::placed) give_back(ticket.place.number);
  else if (posting.state == State::searching) lose_order(*posting.comm);
}

void log_open_receive(const Ticket& ticket) {
  if (ticket.place.channel != posted) return log_open(ticket.place);
  Guard guard(lock);
  const Posting& posting = postings[ticket.place.number];
  if (posting.state == State::placed) return log_open(posting.place);
  if (posting.state != State::searching || posting.held_count == 0) return;
  // Its message is not known: the call that posted it stands on a channel for any rank or any tag.
  constexpr std::uint64_t kind_bits = std::uint64_t{event_kind_mask} << event_kind_shift;
  Record record = posting.held[0].record;
  record.time = (record.time & ~kind_bits) | static_cast<std::uint64_t>(EventKind::left_open) << event_kind_shift;
  andes_location_data* location = posting.held[0].location;
  const std::uint32_t channel =
      channel_of(location, *posting.comm, posting.source, posting.tag, ChannelEnd::destination);
  append(location, record, next_place(channel, posting.call));
}

void forget_postings() {
  forget_probe();
  if (!events || !postings) return;
  for (std::uint32_t i = 1; i < posting_count; i++)
    if (postings[i].comm && postings[i].state != State::placed) events->unordered++;
  munmap(postings, posting_limit * sizeof(Posting));
  postings = nullptr;
  free_posting = posting_count = 0;
}

} // namespace andes::monitor::mpi
