// Shipment: sends the operations of a rank to the ranks that compare them: sends to the receiving
// rank, collectives to one rank of their communicator that all agree on, accesses and locks to the
// rank that owns the window. One parcel per rank holds all of it.
#pragma once
#include "monitor/exchange/wire.h"

namespace andes::monitor {

/// Sends or accesses of one channel, from one rank.
struct ArrivedChannel {
  std::int32_t rank; // the rank that sent them
  std::uint64_t key;
  bool unordered;
  std::uint32_t next; // number of operations that the sender has counted on the channel
  std::int32_t tag;
  std::vector<Operation> operations; // by number
};

struct ArrivedCollective {
  std::int32_t rank;
  CollectiveWire wire;      // its sites are indices of this rank's `Sites`
  std::uint32_t first_source; // of wire.sources: index in Arrivals::sources
};

struct ArrivedLock {
  std::int32_t rank;
  std::uint64_t window;
  bool exclusive;
  bool idle; // of MPI_Win_lock_all, which locks this rank's window without accessing it
  Call lock, unlock, blocked;
};

/// A call within a lock epoch that lasted long, also where it is the one that was `blocked`.
struct ArrivedCall {
  std::int32_t rank;
  std::uint64_t window;
  Call call;
};

struct Arrivals {
  std::vector<ArrivedChannel> sends, accesses; // by rank
  std::vector<ArrivedCollective> collectives;
  std::vector<std::uint32_t> sources; // sources of the neighbourhood collectives among them
  std::vector<ArrivedLock> locks;
  std::vector<ArrivedCall> within;
};

/// Whether the epoch is that of MPI_Win_lock_all, whatever it accesses.
bool is_of_all(const LockEpoch& epoch, const EventTables& tables);
/// Whether it is no epoch, but a call within one.
bool is_within(const LockEpoch& epoch, const EventTables& tables);

/// Parcels for all `ranks`; operations with processes of another world cannot be compared and are left out. Epochs of
/// MPI_Win_lock_all that access nothing go to the ranks that are `locked_alone`, which is by rank; empty: to none.
std::vector<Parcel> shipment_of(const Operations& operations, const EventTables& tables, const Sites& sites, int ranks,
                                const std::vector<std::uint64_t>& locked_alone);

/// Reads the parcels from all ranks and learns their sites; false: one of them is broken.
bool read_shipments(std::vector<Parcel>& parcels, Sites& sites, Arrivals& arrivals);

} // namespace andes::monitor
