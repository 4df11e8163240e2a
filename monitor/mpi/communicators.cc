// See communicators.h. Handles are kept in a small hash map under a lock; each thread remembers the
// last communicator it used, which is valid as long as none has been freed since (`generation`).
#include "monitor/mpi/communicators.h"

#include <cstdlib>

#include "monitor/mpi/events.h"
#include "monitor/mpi/handle_bits.h"
#include "monitor/mpi/members.h"
#include "monitor/mpi/neighbours.h"
#include "monitor/mpi/requests.h"
#include "monitor/mpi/sessions.h"

namespace andes::monitor::mpi {

Comm world_comm, self_comm;
EventTables* events;

namespace {

constexpr unsigned buckets = 256;
constexpr std::uint32_t limit_counts = 1u << 20;
Comm* table[buckets];
Comm* departed;       // communicators freed while they were held
unsigned char lock;   // guards the table
unsigned char making; // guards the data below and members.h; held around MPI calls, whose delete callback takes `lock`
bool learnt; // the handle of complete requests; guarded by `making`
unsigned generation; // writers hold the lock; readers compare, and a stale read only costs a lookup
int keyval = MPI_KEYVAL_INVALID;

/// Number of communicators made with one parent and one set of members: open addressing.
struct Count {
  std::uint64_t key; // 0: free
  std::uint64_t made;
};
Count* counts;
std::uint32_t count_of_counts, counts_capacity;

struct Last {
  MPI_Comm comm;
  Comm* known;
  unsigned generation;
};
__thread Last last __attribute__((tls_model("initial-exec")));

unsigned bucket_of(MPI_Comm comm) {
  auto bits = handle_bits(comm);
  return static_cast<unsigned>((bits * 0x9e3779b97f4a7c15u) >> 56);
}

// Under the lock: frees `gone`, and departed communicators that are not held any more.
void give_back(Comm* gone) {
  gone->next = departed;
  departed = gone;
  for (Comm** link = &departed; Comm* comm = *link;)
    if (__atomic_load_n(&comm->holders, __ATOMIC_ACQUIRE) == 0) {
      *link = comm->next;
      free(comm);
    } else {
      link = &comm->next;
    }
}

// Under the lock.
Comm** link_of(MPI_Comm comm) {
  Comm** link = &table[bucket_of(comm)];
  while (*link && (*link)->handle != comm) link = &(*link)->next;
  return link;
}

// Under the lock.
void remove(MPI_Comm comm) {
  Comm** link = link_of(comm);
  Comm* gone = *link;
  if (!gone) return;
  *link = gone->next;
  if (events && gone->id != 0) events->communicators[gone->index].handle = 0;
  __atomic_add_fetch(&generation, 1, __ATOMIC_RELEASE);
  give_back(gone);
}

int freed(MPI_Comm comm, int, void*, void*) {
  Guard guard(lock);
  const Comm* known = *link_of(comm);
  if (known && !known->leaving) remove(comm);
  return MPI_SUCCESS;
}

Count* slot_of(std::uint64_t key) {
  std::uint32_t at = static_cast<std::uint32_t>(key >> 20) & (counts_capacity - 1);
  while (counts[at].key != 0 && counts[at].key != key) at = (at + 1) & (counts_capacity - 1);
  return &counts[at];
}

// Number of communicators made with this key before; false: there is no room to remember it.
bool count_made(std::uint64_t key, std::uint64_t& before) {
  if (2 * (count_of_counts + 1) > counts_capacity) {
    const std::uint32_t wider = counts_capacity ? 2 * counts_capacity : 64, old = counts_capacity;
    auto* fresh = wider <= limit_counts ? static_cast<Count*>(calloc(wider, sizeof(Count))) : nullptr;
    if (!fresh) return false;
    Count* was = counts;
    counts = fresh;
    counts_capacity = wider;
    for (std::uint32_t i = 0; i < old; i++)
      if (was[i].key) *slot_of(was[i].key) = was[i];
    free(was);
  }
  Count* count = slot_of(key);
  if (count->key == 0) {
    count->key = key;
    count_of_counts++;
  }
  before = count->made++;
  return true;
}

std::uint64_t new_id(std::uint64_t parent, std::uint64_t distinct, const Members& all) {
  const std::uint64_t key = event_hash(event_hash(parent, distinct), all.hash) | 1;
  std::uint64_t before = 0;
  return count_made(key, before) ? event_hash(key, before) | 1 : 0;
}

// All members of a communicator, and the members that calls on it name.
struct Membership {
  const Members *all = nullptr, *named = nullptr;
  int local_size = 0;
  bool inter = false;
};

Membership membership_of(MPI_Comm comm) {
  Membership found;
  MPI_Group group = MPI_GROUP_NULL;
  int inter = 0;
  PMPI_Comm_test_inter(comm, &inter);
  found.inter = inter;
  if (PMPI_Comm_group(comm, &group) != MPI_SUCCESS) return found;
  const Members* own = members_of(group);
  if (!own) return found;
  found.local_size = own->size;
  found.all = found.named = own;
  if (!found.inter) return found;
  found.named = PMPI_Comm_remote_group(comm, &group) == MPI_SUCCESS ? members_of(group) : nullptr;
  found.all = found.named ? joined(*own, *found.named) : nullptr;
  return found;
}

// Makes the record of `comm`; an older record of the same handle was freed without notice.
Comm* add(MPI_Comm comm, const Membership& members, std::uint64_t id) {
  auto* made = static_cast<Comm*>(calloc(1, sizeof(Comm)));
  if (!made) return nullptr;
  made->handle = comm;
  made->inter = members.inter;
  PMPI_Comm_rank(comm, &made->rank);
  PMPI_Comm_size(comm, &made->size);
  made->peers = made->size;
  if (made->inter) PMPI_Comm_remote_size(comm, &made->peers);
  made->id = members.all && !has_strangers(*members.all) ? id : 0;
  if (members.named && (made->id == 0 || !is_identity(*members.named))) made->world = members.named->world;
  if (events && made->id != 0) {
    const Members& all = *members.all;
    const Neighbours sources = made->inter ? Neighbours{} : sources_of(comm);
    const Communicator communicator = {
        made->id,
        static_cast<std::uint32_t>(all.size),
        static_cast<std::uint32_t>(place_of(all, own_rank)),
        static_cast<std::uint32_t>(members.local_size),
        is_identity(all) ? nullptr : all.world,
        sources.ranks,
        sources.count,
        handle_bits(comm),
        static_cast<std::uint32_t>(members.inter ? place_of(all, members.named->world[0]) : 0)};
    made->index = andes_communicator(&communicator);
    if (made->index == 0) made->id = 0;
  }
  Guard guard(lock);
  remove(comm);
  made->next = table[bucket_of(comm)];
  return table[bucket_of(comm)] = made;
}

// Sets an attribute, so that MPI calls us when the communicator is freed.
void attach(Comm& comm) {
  if (keyval == MPI_KEYVAL_INVALID) PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, freed, &keyval, nullptr);
  comm.attached = PMPI_Comm_set_attr(comm.handle, keyval, nullptr) == MPI_SUCCESS;
}

Comm* look_up(MPI_Comm comm) {
  Guard guard(lock);
  Comm* known = *link_of(comm);
  if (known) last = {comm, known, generation};
  return known;
}

// `making` is held.
void make(MPI_Comm comm, std::uint64_t parent, std::uint64_t distinct, bool known) {
  const Membership members = membership_of(comm);
  const std::uint64_t id = known && members.all ? new_id(parent, distinct, *members.all) : 0;
  if (Comm* fresh = add(comm, members, id)) attach(*fresh);
}

void made_of(std::uint64_t parent, std::uint64_t distinct, MPI_Comm comm, bool known = true) {
  if (!measuring || comm == MPI_COMM_NULL) return;
  Guard one_at_a_time(making);
  make(comm, parent, distinct, known);
}

} // namespace

Comm* find_comm(MPI_Comm comm) {
  if (!measuring || comm == MPI_COMM_NULL) return nullptr;
  if (last.comm == comm && last.known && last.generation == __atomic_load_n(&generation, __ATOMIC_ACQUIRE))
    return last.known;
  if (Comm* known = look_up(comm)) return known;
  Guard one_at_a_time(making);
  if (Comm* known = look_up(comm)) return known; // another thread has added it
  make(comm, 0, 0, false);
  return look_up(comm);
}

namespace {

// In the order of the collectives of a communicator all of whose ranks make the new one.
void log_creation(const Visit& visit, Comm* known) {
  if (const std::uint32_t channel = collectives_of(known))
    log_next(visit, channel, EventKind::communicator_create, 0, 0);
}

void log_made(const Visit& visit, MPI_Comm comm) {
  if (!is_wanted(communicator_calls) || comm == MPI_COMM_NULL) return;
  if (const Comm* known = comm_of(comm)) log_call(visit, *known, -1, EventKind::communicator_call, 0);
}

} // namespace

void made(const Visit& visit, MPI_Comm parent, MPI_Comm comm, int distinct) {
  if (!measuring) return;
  Comm* known = comm_of(parent);
  if (distinct == 0) log_creation(visit, known);
  made_of(known ? known->id : 0, static_cast<std::uint32_t>(distinct), comm, known && known->id != 0);
  log_made(visit, comm);
}

namespace {

// Without MPI_Init the first communicator made of a group is the first one of all.
void learn_requests(MPI_Comm comm) {
  if (!measuring || comm == MPI_COMM_NULL) return;
  Guard one_at_a_time(making);
  if (!learnt) begin_requests(comm);
  learnt = true;
}

} // namespace

void made_of_two(const Visit& visit, MPI_Comm local, MPI_Comm comm, int tag) {
  if (!measuring) return;
  log_creation(visit, comm_of(local));
  made_of(3, static_cast<std::uint32_t>(tag), comm);
  log_made(visit, comm);
}

void made_by_groups(const Visit& visit, MPI_Comm comm, const char* tag) {
  std::uint64_t hash = 5;
  for (const char* c = tag; c && *c; c++) hash = event_hash(hash, static_cast<unsigned char>(*c));
  made_of(4, hash, comm);
  learn_requests(comm);
  log_made(visit, comm);
}

bool count_partitioned(const Comm& comm, int world, int tag, ChannelEnd end, std::uint64_t& before) {
  const std::uint64_t peer =
      static_cast<std::uint64_t>(static_cast<std::uint32_t>(world)) << 32 | static_cast<std::uint32_t>(tag);
  Guard one_at_a_time(making);
  return count_made(event_hash(event_hash(comm.id, 6 + static_cast<std::uint64_t>(end)), peer) | 1, before);
}

std::uint64_t id_of_duplicate(MPI_Comm parent) {
  const Comm* known = measuring ? comm_of(parent) : nullptr;
  if (!known || known->id == 0) return 0;
  Guard one_at_a_time(making);
  const Membership members = membership_of(parent);
  return members.all ? new_id(known->id, 0, *members.all) : 0;
}

void made_duplicate(const Visit& visit, MPI_Comm comm, std::uint64_t id) {
  if (!measuring || comm == MPI_COMM_NULL) return;
  {
    Guard one_at_a_time(making);
    if (Comm* fresh = add(comm, membership_of(comm), id)) attach(*fresh);
  }
  log_made(visit, comm);
}

void FreeComm::begin(MPI_Comm comm) {
  {
    Guard guard(lock);
    known_ = *link_of(comm);
    if (!known_) return;
    known_->leaving = true;
    hold(*known_);
  }
  if (known_->attached) PMPI_Comm_delete_attr(comm, keyval);
}

void FreeComm::end(const Visit& visit, bool freed) {
  if (freed && is_wanted(communicator_calls)) log_call(visit, *known_, -1, EventKind::communicator_call, 0);
  if (!freed && known_->attached) attach(*known_);
  Guard guard(lock);
  known_->leaving = false;
  // Else the handle belongs to another communicator already.
  if (freed && *link_of(known_->handle) == known_) remove(known_->handle);
  let_go(*known_);
}

void FreeComm::abandon() {
  Guard guard(lock);
  known_->leaving = false;
  if (*link_of(known_->handle) == known_) remove(known_->handle);
  let_go(*known_);
}

void begin_communicators() {
  events = andes_events();
  if (!events) return;
  events->constants = {MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_PROC_NULL, threads ? 1 : 0, 0, {}};
  if (events->communicator_count != 0) return; // a later session
  // All ranks have number 0, which stands for no room elsewhere, whether or not there is MPI_COMM_WORLD.
  const Communicator world = {1, static_cast<std::uint32_t>(world_size), static_cast<std::uint32_t>(own_rank),
                              static_cast<std::uint32_t>(world_size), nullptr};
  andes_communicator(&world);
}

void begin_world() {
  learnt = true; // as MPI_COMM_SELF is there
  world_comm = {};
  world_comm.handle = MPI_COMM_WORLD;
  world_comm.id = 1;
  world_comm.rank = own_rank;
  world_comm.size = world_comm.peers = world_size;
  self_comm = {};
  self_comm.handle = MPI_COMM_SELF;
  self_comm.id = 2;
  self_comm.size = self_comm.peers = 1;
  self_comm.world = &own_rank;
  if (!events) return;
  auto* own_world = static_cast<int*>(andes_keep(sizeof own_rank));
  if (own_world) *own_world = own_rank;
  if (events->communicator_count > 0) events->communicators[0].handle = handle_bits(MPI_COMM_WORLD);
  Communicator self = {2, 1, 0, 1, own_world};
  self.handle = handle_bits(MPI_COMM_SELF);
  self_comm.index = andes_communicator(&self);
}

void forget_communicators() {
  const bool in_doubt = __atomic_load_n(&handles_in_doubt, __ATOMIC_RELAXED);
  learnt = false; // without the lock: no other thread may call MPI now
  __atomic_add_fetch(&generation, 1, __ATOMIC_RELEASE); // a later session may get the same handles
  for (unsigned i = 0; i < buckets; i++)
    while (Comm* known = table[i]) {
      if (in_doubt || !known->attached || PMPI_Comm_delete_attr(known->handle, keyval) != MPI_SUCCESS ||
          table[i] == known) {
        Guard guard(lock);
        if (table[i] != known) continue;
        table[i] = known->next;
        free(known);
      }
    }
  while (Comm* comm = departed) {
    departed = comm->next;
    free(comm);
  }
  if (keyval != MPI_KEYVAL_INVALID) PMPI_Comm_free_keyval(&keyval);
}

} // namespace andes::monitor::mpi
