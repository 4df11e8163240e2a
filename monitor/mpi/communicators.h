// Communicators as the wrappers see them: their ranks in MPI_COMM_WORLD, by which the rows and columns
// of the communication matrix are numbered, and an id that all members agree on without a message
// (docs/decisions/0090). MPI_COMM_WORLD costs one comparison; other communicators are known from the
// call that made them until MPI frees them (an attribute's delete callback). Each thread remembers the
// one it used last.
//
// Invariants:
//  - the id follows from the parent's id, the members in order and the number of communicators made
//    before with the same parent and members: all members make these in the same order;
//  - a communicator with processes of another world, or whose creation was not seen, has id 0:
//    operations on it are counted, not logged;
//  - arrays of ranks are shared by communicators of the same members and stay until the end.
#pragma once
#include <mpi.h>

#include <cstdint>

#include "monitor/mpi/visit.h"

namespace andes::monitor::mpi {

struct Comm {
  Comm* next;
  MPI_Comm handle;
  std::uint64_t id;     // 0: no id that other ranks share
  std::uint32_t index;  // in EventTables::communicators
  int rank, size;       // own group
  int peers;            // number of ranks that calls name: those of the remote group in an inter-communicator
  const int* world;     // world ranks of these peers; null: the same numbers as in MPI_COMM_WORLD
  std::uint32_t collectives; // channel of its collectives; 0: not used yet
  int last_root;         // of its collectives that have one, plus 1: as the log knows it; atomic; 0: none
  std::uint32_t persistent;  // number of persistent collectives made on it
  std::uint32_t windows;     // number of windows made on it
  std::uint32_t files;       // number of files opened on it
  std::uint32_t first_posting, last_posting; // receives without a number (receives.h); 0: none
  std::uint32_t known_postings; // number of these whose source and tag are known
  std::uint32_t holders; // persistent requests, open receives and calls that refer to it: atomic
  bool inter, attached, order_lost;
  bool leaving; // a call is freeing it
};

/// Between hold() and let_go() the record of a communicator is kept even if MPI frees it.
inline void hold(Comm& comm) { __atomic_add_fetch(&comm.holders, 1, __ATOMIC_RELAXED); }
inline void let_go(Comm& comm) { __atomic_sub_fetch(&comm.holders, 1, __ATOMIC_RELEASE); }

extern Comm world_comm, self_comm;
extern EventTables* events; // null: no log

/// The record of any communicator; null: memory is short.
Comm* find_comm(MPI_Comm comm);

inline Comm* comm_of(MPI_Comm comm) {
  if (__builtin_expect(comm == MPI_COMM_WORLD, 1)) return &world_comm;
  return comm == MPI_COMM_SELF ? &self_comm : find_comm(comm);
}

/// Rank in MPI_COMM_WORLD of `rank` in `comm` (of the remote group of an inter-communicator), or
/// negative: the process is not in this world, or there is none (MPI_PROC_NULL).
inline int world_rank(const Comm* comm, int rank) {
  if (rank < 0 || !comm) return -1;
  if (!comm->world) return comm->id == 0 || rank >= comm->peers ? -1 : rank;
  return rank < comm->peers ? comm->world[rank] : -1;
}
inline int world_rank(MPI_Comm comm, int rank) { return world_rank(comm_of(comm), rank); }

/// Communicators were made of another one: by all its ranks, in the order of its collectives, where `distinct` is 0,
/// also if `comm` is null; else by some, who agree on this further number (a tag).
void made(const Visit& visit, MPI_Comm parent, MPI_Comm comm, int distinct = 0);
/// An inter-communicator was made by all ranks of `local` and by those of another communicator.
void made_of_two(const Visit& visit, MPI_Comm local, MPI_Comm comm, int tag);
/// A communicator was made without a parent that all members know.
void made_by_groups(const Visit& visit, MPI_Comm comm, const char* tag);

/// How many partitioned requests of this end were made before, with this rank of the world and tag; false: there is no
/// room to remember it.
bool count_partitioned(const Comm& comm, int world, int tag, ChannelEnd end, std::uint64_t& before);

/// The id of the communicator that MPI_Comm_idup is making, which exists later.
std::uint64_t id_of_duplicate(MPI_Comm parent);
/// The duplicate exists now.
void made_duplicate(const Visit& visit, MPI_Comm comm, std::uint64_t id);

/// MPI_Comm_free, MPI_Comm_disconnect. Our attribute is deleted before the call, apart from the others: MPICH
/// loses the error of a program's callback if ours succeeds after it. A call that MPI makes itself, as in a
/// callback of an attribute (mpi4py has such), has no end here: then the communicator is forgotten.
class FreeComm {
public:
  FreeComm(const FreeComm&) = delete;
  FreeComm& operator=(const FreeComm&) = delete;
  ~FreeComm() {
    if (known_) abandon();
  }
  explicit FreeComm(const MPI_Comm* comm) {
    if (measuring && comm && *comm != MPI_COMM_NULL) begin(*comm);
  }
  void done(const Visit& visit, int result) {
    if (known_) end(visit, result == MPI_SUCCESS);
    known_ = nullptr;
  }

private:
  void begin(MPI_Comm comm);
  void end(const Visit& visit, bool freed);
  void abandon();
  Comm* known_ = nullptr;
};

void begin_communicators(); // before any other is known
void begin_world(); // in MPI_Init: MPI_COMM_WORLD and MPI_COMM_SELF
void forget_communicators(); // at the end: frees all tables

} // namespace andes::monitor::mpi
