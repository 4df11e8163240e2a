// EventLog: what a location remembers of its messages and collectives, for the exchange at the end,
// which finds out who waited for whom. One record for each call's part in an operation: a blocking
// send is one record, a non-blocking receive two (the call that started it, the call that completed it).
//
// Both sides of an operation name it alike without talking to each other: by a channel (for messages
// communicator, source, destination and tag; for collectives the communicator; for one-sided
// epochs window, origin and target) and a number on it. The k-th send of a channel meets the k-th
// receive in posting order (MPI's rule of non-overtaking); collectives of a communicator are called
// in one order by all.
//
// Invariants:
//  - only its own thread writes a location's log; channels and communicators are the process's and
//    are written under a lock where threads may meet;
//  - memory is bounded: where it ends, `level` rises by one, and of all operations only those stay
//    whose hash of (channel key, number) has `level` leading zero bits: about 1 in 2^level, and the
//    same ones on both sides, whatever the level of either;
//  - a channel whose order is not known (two threads at once, cancelled or freed receives) is marked
//    `unordered`: its operations are counted, never guessed.
#pragma once
#include <cstdint>

#include "monitor/core/budget.h"

namespace andes {

enum class EventKind : std::uint8_t {
  none,
  // Messages.
  send,               // with event_pending: only started here
  send_completion,    // the call in which a started send was completed
  receive,            // with event_pending: only posted here
  receive_completion, // the call in which a posted receive was completed
  // Collectives, also non-blocking (event_pending) and on windows.
  barrier,
  n_to_n,
  one_to_n,
  n_to_one,
  scan,         // MPI_Scan, MPI_Exscan
  neighbour,    // neighbourhood collectives: no rule classifies them as N x N
  window_create,
  window_free,
  fence,
  collective_completion,
  // One-sided epochs: one record per pair of origin and target.
  post,     // at the target
  start,    // at the origin
  complete, // at the origin
  wait,     // at the target
  lock,     // at the origin, with event_exclusive
  unlock,   // at the origin; also MPI_Win_flush where it ended a wait
  access,   // the first one-sided operation of a lock epoch: it may be what waits for the lock
  // Requests that are made before they are started, and whose number the record before this one has.
  request_init, // MPI_Send_init, MPI_Recv_init: only where setting `events` wants simple events
  request,      // annex to the record before: `number` is the request's serial number
};

/// What else is known of a record; three bits.
enum EventFlag : std::uint8_t {
  event_pending = 1,   // completed by another call
  event_root = 2,      // of a collective: this rank is the root
  event_exclusive = 2, // of a lock
  event_empty = 4,     // takes part with no data: waits for nobody
  event_combined = 4,  // of a message: MPI_Sendrecv, which sends and receives at once
};

/// 24 bits that stand for a number up to 2^50: exact below 2^19, then within 2^-19 (2e-6).
constexpr std::uint32_t short_of(std::uint64_t number) {
  std::uint32_t shift = 0;
  while (number >> (19 + shift)) ++shift;
  return shift << 19 | static_cast<std::uint32_t>(number >> shift);
}
constexpr std::uint64_t long_of(std::uint32_t code) {
  return static_cast<std::uint64_t>(code & ((1u << 19) - 1)) << (code >> 19);
}

struct EventRecord {
  std::uint64_t enter_ticks : 56; // since Clock::start
  std::uint64_t kind : 5;         // EventKind
  std::uint64_t flags : 3;        // EventFlag
  float duration_ticks;           // of the call
  std::uint32_t node : 24;        // number in the location's tree
  std::uint32_t amount_high : 8;
  std::uint64_t channel : 24; // index
  std::uint64_t number : 24;  // on the channel, from 0, modulo 2^24
  std::uint64_t amount_low : 16;

  /// short_of() bytes; of a completion: of the ticks that the location spent inside MPI between the
  /// return of the call that started the operation and the entry of this one.
  std::uint32_t amount() const { return static_cast<std::uint32_t>(amount_high) << 16 | amount_low; }
  void set_amount(std::uint32_t code) {
    amount_high = code >> 16 & 0xff;
    amount_low = code & 0xffff;
  }
};
static_assert(sizeof(EventRecord) == 24);

inline constexpr std::uint32_t event_limit_node = 1u << 24, event_limit_channel = 1u << 24;

/// Which end of a channel this process is.
enum class ChannelEnd : std::uint8_t { member, source, destination, origin, target };

struct Channel {
  std::uint64_t key;  // the same in all processes that share the channel, different for all others
  std::uint32_t communicator; // index; of a window's channel: the window's own entry
  std::int32_t peer;  // world rank of the other end; -1: collectives
  std::int32_t tag;
  std::uint32_t next; // number of its next operation here
  ChannelEnd end;
  std::uint8_t unordered;
  std::uint16_t thread; // location that used it last
};

/// A communicator or window as all of its processes name it.
struct Communicator {
  std::uint64_t id;    // the same in all processes that belong to it
  std::uint32_t size;  // ranks of both groups of an inter-communicator
  std::uint32_t rank;  // own, in `world`
  std::uint32_t local_size; // of an inter-communicator the own group's; else size
  const std::int32_t* world; // ranks in MPI_COMM_WORLD, in the same order on all of its processes;
                             // null: rank i is i. -1: a process of another world
};

/// Log of one location.
struct EventLog {
  EventRecord* records = nullptr; // reserved for what the settings allow, touched as used
  std::uint32_t count = 0, limit = 0; // limit: what memory is paid for
  std::uint32_t level = 0;        // that the records here have been thinned to
};

/// What the locations of a process share.
struct EventTables {
  Channel* channels = nullptr;
  std::uint32_t channel_count = 0;
  Communicator* communicators = nullptr;
  std::uint32_t communicator_count = 0;
  Budget memory;           // what is left of setting log_mb
  std::uint32_t level = 0; // largest of the process; rises only
  std::uint64_t unordered = 0; // operations that were not logged for want of an order
  std::uint64_t outside = 0;   // messages to and from processes of another world
  std::uint64_t lost = 0;      // operations for which there was no room at all
};

/// Whether an operation stays at this level.
constexpr bool event_stays(std::uint64_t channel_key, std::uint32_t number, std::uint32_t level) {
  std::uint64_t x = channel_key ^ (number + 1) * 0x9e3779b97f4a7c15u; // splitmix64's finaliser
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  x ^= x >> 31;
  return level == 0 || x >> (64 - level) == 0;
}

} // namespace andes
