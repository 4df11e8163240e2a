// EventLog: the record of a location's messages and collectives. The exchange at the end finds out from
// it who waited for whom. One record for each call's part in an operation: a blocking
// send is one record, a non-blocking receive two (the call that started it, the call that completed it).
//
// Both sides of an operation give it the same name without talking to each other: by a channel (for messages
// communicator, source, destination and tag; for collectives the communicator; for one-sided
// epochs window, origin and target) and a number on it. The k-th send of a channel meets the k-th
// receive in posting order (MPI's rule of non-overtaking); collectives of a communicator are called
// in one order by all.
//
// Invariants:
//  - a location's log holds records of its own calls only, in no order of time: the record of a receive
//    from any source is written once its channel is known, which may be later. Where threads may meet,
//    log, channels and communicators are written under locks;
//  - an operation is numbered whether it is measured or not, so that both sides agree; where one record is missing
//    (MPI_Pcontrol(0), a freed request), the record of the other side, or of the completion, has no partner;
//  - memory is bounded: where it ends, the level of messages or of collectives rises by one, whichever fill more of it,
//    and of these operations only those stay whose hash of (channel key, number) has so many leading zero bits: about
//    1 in 2^level, and the same ones on both sides, whatever the level of either. A few collectives, in which all
//    ranks may have waited for long, are kept beside millions of messages;
//  - a channel whose order is not known (two threads at once, cancelled requests) is marked
//    `unordered`: its operations are counted, never guessed, and all its records in the log,
//    earlier ones too, must not be used. So are the channels of operations that setting `events` leaves out.
#pragma once
#include <cstdint>

#include "monitor/arena/arena.h"
#include "monitor/core/budget.h"
#include "monitor/core/intent.h"

namespace andes::monitor {

enum class EventKind : std::uint8_t {
  none,
  // Messages.
  send, // with event_pending: this call only started it
  send_completion, // the call in which a started send was completed; a polling loop as one call (decision 241)
  receive, // with event_pending: this call only posted it
  receive_completion, // the call in which a posted receive was completed, likewise
  // Collectives, also non-blocking (event_pending), on windows and on files, and those that make communicators.
  barrier,
  n_to_n,
  one_to_n,
  n_to_one,
  scan, // MPI_Scan, MPI_Exscan
  neighbour, // neighbourhood collectives
  window_create,
  window_free,
  fence,
  file, // a call of all ranks of a file: whether they wait for each other in it is found at the end
  communicator_create, // likewise, of all ranks of the communicator that one or several are made of
  collective_completion,
  // One-sided epochs: one record per pair of origin and target.
  post, // at the target
  start, // at the origin
  complete, // at the origin
  wait, // at the target
  lock, // at the origin, with event_exclusive
  unlock, // at the origin; also MPI_Win_flush where it ended a wait
  access, // the first one-sided operation of a lock epoch: it may be the call that waits for the lock
  // Persistent requests, where setting `events` names the calls that make them.
  request_init, // MPI_Send_init and the like; `number` is the request's serial number
  request, // stands beside the record of its start; `amount` is the request's serial number. With event_root, always
  // logged: beside a collective whose root is not that of the communicator's collective before; `amount` is the root
  probe, // waits for a message that another call receives: MPI_Mprobe, MPI_Probe; or, after the start of a partitioned
  // receive, a loop over MPI_Parrived, which waits for a part of it
  // Calls for rules alone, where setting `events` names them; `number` only tells them apart.
  one_sided_call, // MPI_Put and the like; of a channel to the rank that is accessed
  window_call, // synchronisation of a window; of a channel to a rank, or to -1
  communicator_call, // makes or frees the communicator or window of the channel
  left_open, // at the end: no call has completed the operation. Of a receive from any rank or with any tag: alone, on a
  // channel of peer or tag -1, with the call that posted it
  function_call, // in a log of function calls: a visit of a region that is no MPI function; of no channel.
  // `amount` is the region's kind
  count // of kinds
};
/// Where an EventRecord has its kind and its flags, as wrappers write both with the time in one store.
inline constexpr int event_kind_shift = 56, event_kind_bits = 5, event_flags_shift = event_kind_shift + event_kind_bits;
inline constexpr unsigned event_kind_mask = (1u << event_kind_bits) - 1;
inline constexpr std::uint64_t event_ticks_mask = (std::uint64_t{1} << event_kind_shift) - 1;
static_assert(static_cast<unsigned>(EventKind::count) <= 1u << event_kind_bits);

/// Further facts about a record; three bits.
enum EventFlag : std::uint8_t {
  event_pending = 1, // another call completes it
  event_root = 2, // of a collective: this rank is its root
  event_exclusive = 2, // of a lock
  event_alone = 2, // of a completion: the call completes nothing else
  event_empty = 4, // takes part with no data: waits for nobody
  event_combined = 4, // of a message: MPI_Sendrecv, which sends and receives at once
};

/// A number up to 2^50 in 24 bits: exact below 2^19, above it with a relative error of at most 2^-18 (4e-6).
constexpr std::uint32_t short_of(std::uint64_t number) {
  if (number >> 19 == 0) return static_cast<std::uint32_t>(number);
  const int shift = 64 - __builtin_clzll(number) - 19;
  if (shift > 31) return 0xffffff;
  return static_cast<std::uint32_t>(shift) << 19 | static_cast<std::uint32_t>(number >> shift);
}
inline constexpr std::uint32_t largest_short = (1u << 24) - 1;
constexpr std::uint64_t long_of(std::uint32_t code) {
  return static_cast<std::uint64_t>(code & ((1u << 19) - 1)) << (code >> 19);
}

/// Bits for calls that are logged only where setting `events` names their simple event.
enum LoggedCall : std::uint8_t {
  init_send = 1,
  init_receive = 2,
  init_collective = 4,
  one_sided_calls = 8,
  window_calls = 16,
  communicator_calls = 32,
  function_calls = 64 // visits of functions of the program, and of parts of OpenMP; in a log of their own
};

/// Bits for operations that setting `events` leaves out of the log.
enum LeftOut : std::uint8_t {
  without_messages = 1,
  without_collectives = 2,
  without_access_epochs = 4,
  without_locks = 8
};

/// Of the number of an operation on its channel, what records hold.
inline constexpr std::uint32_t operation_number_mask = 0xffffff;

struct EventRecord {
  std::uint64_t enter_ticks : event_kind_shift; // since Clock::start
  std::uint64_t kind : event_kind_bits; // EventKind
  std::uint64_t flags : 64 - event_flags_shift; // EventFlag
  float duration_ticks; // of the call
  std::uint32_t node : 24; // number in the location's tree
  std::uint32_t amount_high : 8;
  std::uint64_t channel : 24; // index
  std::uint64_t number : 24; // on the channel, from 0, modulo 2^24
  std::uint64_t amount_low : 16;

  /// short_of() bytes; in the record of a completion, short_of() the ticks that the location spent
  /// inside MPI between the return of the call that started the operation and the entry of this call.
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

/// The kinds of epochs are numbered separately, and calls for rules alone have channels of their own. Of tag_lock_all,
/// which is of no peer, are MPI_Win_lock_all and MPI_Win_unlock_all by themselves, whatever is accessed between them.
/// Of tag_within are the calls within lock epochs that lasted long enough to have waited: a record of kind `lock` each.
enum EpochTag : std::int32_t { tag_exposure, tag_lock, tag_call, tag_lock_all, tag_within };

/// Why the operations of a channel are not logged.
enum Unordered : std::uint8_t {
  order_unknown = 1,
  left_out_of_log = 2 // setting `events`; they are not counted either
};

struct Channel {
  std::uint64_t key; // the same in all processes that share the channel, different for all others
  std::uint64_t last_exit_ticks; // of the previous operation's call; MPI_THREAD_MULTIPLE only
  std::uint32_t communicator; // index; of a window's or file's channel: its own entry
  std::int32_t peer; // world rank of the other end; -1: collectives
  std::int32_t tag; // of a persistent collective's own channel: the number of its MPI_..._init; of a channel of a
      // window's epochs: EpochTag
  std::uint32_t next; // number of its next operation here; records hold it modulo 2^24
  std::uint32_t thread; // location that used it last; MPI_THREAD_MULTIPLE only
  ChannelEnd end;
  std::uint8_t unordered; // enum Unordered; 0: the order is known
  unsigned char lock; // guards `next` and the members that go with it
};

/// A communicator, window or file, by the name that all of its processes give it.
struct Communicator {
  std::uint64_t id; // the same in all processes that belong to it
  std::uint32_t size; // ranks of both groups of an inter-communicator
  std::uint32_t rank; // own, in `world`
  std::uint32_t local_size; // of the own group in an inter-communicator; else size
  const std::int32_t* world; // ranks in MPI_COMM_WORLD, in the same order on all of its processes;
      // null: rank i is i. -1: a process of another world. Kept by andes_keep()
  const std::int32_t* sources = nullptr; // its ranks that send to this one in neighbourhood collectives; kept
  std::uint32_t source_count = 0; // 0: there are none, or they are not known
  std::uint64_t handle = 0; // of the communicator, window or file; 0: it was freed
  std::uint32_t named = 0; // in `world`, the first of the ranks that calls name: of the remote group in an
      // inter-communicator
};

/// A channel by its name, as this process sees it: the key of the table of channels.
struct ChannelName {
  std::uint32_t communicator;
  std::int32_t peer, tag;
  ChannelEnd end;
};

inline constexpr std::uint32_t most_level = 63; // of a shift
/// What another process or a file says, as a level.
constexpr std::uint32_t possible_level(std::uint64_t said) {
  return said < most_level ? static_cast<std::uint32_t>(said) : most_level;
}

/// How many operations one that was kept at this level stands for.
constexpr double kept_one_in(std::uint32_t level) { return static_cast<double>(std::uint64_t{1} << level); }

/// How far records have been thinned: of the operations 1 in 2^level is kept.
struct LogLevels {
  std::uint32_t messages = 0; // and other operations of two ranks, and calls for rules
  std::uint32_t collectives = 0;

  constexpr bool operator==(const LogLevels&) const = default;
  constexpr bool any() const { return (messages | collectives) != 0; }
  constexpr std::uint32_t of(const Channel& channel) const {
    return channel.end == ChannelEnd::member ? collectives : messages;
  }
  /// Makes each the larger one of both.
  constexpr void raise(const LogLevels& to) {
    if (messages < to.messages) messages = to.messages;
    if (collectives < to.collectives) collectives = to.collectives;
  }
};

/// Cache entry for a channel that a location has used: finding it again takes a few ns.
struct CachedChannel {
  std::uint64_t peer_and_tag;
  std::uint32_t communicator_and_end; // never 0
  std::uint32_t channel;
};
inline constexpr std::uint32_t cached_channels = 256;

constexpr std::uint32_t communicator_and_end(const ChannelName& name) {
  return name.communicator << 3 | (static_cast<std::uint32_t>(name.end) + 1);
}
constexpr std::uint64_t peer_and_tag(const ChannelName& name) {
  return static_cast<std::uint64_t>(static_cast<std::uint32_t>(name.peer)) << 32 | static_cast<std::uint32_t>(name.tag);
}
/// Index of the channel's slot in a location's cache.
constexpr std::uint32_t cache_slot(std::uint32_t communicator_and_end, std::uint64_t peer_and_tag) {
  // Neighbouring tags, and the two ends of one tag, must not share a slot.
  return static_cast<std::uint32_t>((peer_and_tag * 0x9e3779b97f4a7c15u + communicator_and_end * 0xd6e8feb86659fd93u) >>
                                    56);
}

/// Log of one location.
struct EventLog {
  EventRecord* records = nullptr; // reserved for what the settings allow, touched as used
  std::uint32_t count = 0, limit = 0; // limit: records for which memory is taken from the budget
  LogLevels levels = {}; // to which the records here have been thinned
  unsigned char lock = 0; // MPI_THREAD_MULTIPLE only
  CachedChannel* cache = nullptr; // cached_channels
  Backed backed = never_backed; // of the records
};

/// Tables that all locations of a process share.
struct EventTables {
  Channel* channels = nullptr; // [0] stands for "no channel" and is unordered
  std::uint32_t channel_count = 0, channel_limit = 0;
  std::uint32_t* slots = nullptr; // open addressing: ChannelName -> channel
  std::uint32_t slot_mask = 0, slot_limit = 0;
  Communicator* communicators = nullptr; // [0] is MPI_COMM_WORLD, [1] MPI_COMM_SELF
  std::uint32_t communicator_count = 0, communicator_limit = 0;
  std::uint64_t log_bytes = 0; // from setting log_mb; 0: no log
  std::uint64_t start_ticks = 0; // Clock::start
  MpiConstants constants = {};
  std::uint8_t logged_calls = 0; // LoggedCall bits: calls that are logged
  std::uint8_t left_out = 0; // LeftOut bits: operations that are not
  std::uint64_t lost_calls = 0; // of functions: the ones after the memory for them had ended
  std::uint32_t requests = 0; // serial numbers given to them, from 1
  Backed backed_channels = never_backed, backed_communicators = never_backed;
  Budget memory, table_memory; // the rest of log_mb: for records; for channels and communicators
  Budget call_memory = {0}; // likewise: for records of function calls, which take half of the memory for records
  LogLevels levels = {}; // largest of the process; they rise only
  std::uint64_t unordered = 0; // operations that were not logged because their order is not known
  std::uint64_t outside = 0; // messages to and from processes of another world
  std::uint64_t lost = 0; // operations for which there was no room at all
};

/// Whether the records of an operation are kept at this level: the same for all processes that share the channel.
constexpr bool event_stays(std::uint64_t channel_key, std::uint32_t number, std::uint32_t level) {
  std::uint64_t x = channel_key ^ (number + 1) * 0x9e3779b97f4a7c15u; // splitmix64's finaliser
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  x ^= x >> 31;
  return level == 0 || x >> (64 - level) == 0;
}

constexpr bool event_stays(const Channel& channel, std::uint32_t number, const LogLevels& levels) {
  return event_stays(channel.key, number, levels.of(channel));
}

/// Mixes `word` into a hash; all processes get the same result. The bits of the hash are spread first: identifiers
/// are mixed with small numbers and with equal identifiers, and two of them must not cancel each other.
constexpr std::uint64_t event_hash(std::uint64_t hash, std::uint64_t word) {
  hash = ((hash + 0x9e3779b97f4a7c15u) * 0xff51afd7ed558ccdu ^ word) * 0x9e3779b97f4a7c15u;
  hash = (hash ^ hash >> 32) * 0xd6e8feb86659fd93u;
  return hash ^ hash >> 29;
}

/// Reserves the tables. There is no log where `log_bytes` is 0 or memory is missing. `logged_calls`, `left_out`:
/// LoggedCall and LeftOut bits.
void event_tables_start(EventTables& tables, std::uint64_t log_bytes, std::uint64_t start_ticks,
                        std::uint8_t logged_calls = 0, std::uint8_t left_out = 0);

/// The channel of this name; a new one is made with `key`. 0: no room; the operation is counted as lost.
std::uint32_t find_channel(EventTables& tables, const ChannelName& name, std::uint64_t key);

void cache_channel(EventLog& log, const ChannelName& name, std::uint32_t channel);

/// Index of a new communicator; 0: no room.
std::uint32_t add_communicator(EventTables& tables, const Communicator& communicator);

/// Makes room for a record in a full log: takes memory or, if none is left, thins messages or collectives by half.
/// False: there is no room for a single record.
bool make_room(EventTables& tables, EventLog& log);

/// Adds the record of a function call. Where the memory for these ends, later calls are counted and not logged: the
/// first ones are complete, and the log of operations is not thinned for them.
void log_function_call(EventTables& tables, EventLog& calls, const EventRecord& record);

/// Drops the records of operations that are not kept at these levels (event_stays).
void thin_log(const EventTables& tables, EventLog& log, const LogLevels& levels);

} // namespace andes::monitor
