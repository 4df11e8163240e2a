// See event_log.h. All of it is off the hot path: a location comes here when its cache lacks a
// channel, and when its log is full.
#include "monitor/core/event_log.h"

#include <string.h>

#include "monitor/system/memory.h"

namespace andes::monitor {
namespace {

constexpr std::uint32_t records_at_once = 2048; // 48 KiB
constexpr std::uint32_t first_slots = 256;
constexpr std::uint32_t most_communicators = 1u << 20;
// Memory that a channel touches: itself and, at worst, four slots.
constexpr std::int64_t channel_bytes = sizeof(Channel) + 4 * sizeof(std::uint32_t);

std::uint32_t* find_slot(const EventTables& tables, const ChannelName& name) {
  const std::uint64_t hash = event_hash(communicator_and_end(name), peer_and_tag(name));
  auto at = static_cast<std::uint32_t>(hash) & tables.slot_mask;
  for (std::uint32_t index; (index = tables.slots[at]) != 0; at = (at + 1) & tables.slot_mask) {
    const Channel& channel = tables.channels[index];
    if (channel.communicator == name.communicator && channel.peer == name.peer && channel.tag == name.tag &&
        channel.end == name.end)
      break;
  }
  return &tables.slots[at];
}

void grow_slots(EventTables& tables) {
  memset(tables.slots, 0, (tables.slot_mask + 1) * sizeof *tables.slots);
  tables.slot_mask = 2 * tables.slot_mask + 1;
  for (std::uint32_t i = 1; i < tables.channel_count; ++i) {
    const Channel& channel = tables.channels[i];
    *find_slot(tables, {channel.communicator, channel.peer, channel.tag, channel.end}) = i;
  }
}

// The largest number of records that the settings allow.
std::uint32_t most_records(const EventTables& tables) {
  const std::uint64_t most = tables.log_bytes / sizeof(EventRecord) + records_at_once;
  return most < UINT32_MAX ? static_cast<std::uint32_t>(most) : UINT32_MAX;
}

bool start_log(const EventTables& tables, EventLog& log) {
  if (log.records) return true;
  log.records = reserve_array<EventRecord>(most_records(tables));
  if (!log.records) return false;
  log.backed = backed_array(log.records, most_records(tables));
  return true;
}

bool is_left_out(const EventTables& tables, const ChannelName& name) {
  switch (name.end) {
  case ChannelEnd::source:
  case ChannelEnd::destination: return tables.left_out & without_messages;
  case ChannelEnd::member: return tables.left_out & without_collectives;
  case ChannelEnd::origin:
  case ChannelEnd::target:
    return (name.tag == tag_exposure && (tables.left_out & without_access_epochs)) ||
           ((name.tag == tag_lock || name.tag == tag_lock_all || name.tag == tag_within) &&
            (tables.left_out & without_locks));
  }
  return false;
}

// More room for records, if the budget has it.
bool extend(const EventTables& tables, EventLog& log, Budget& memory) {
  if (log.limit >= most_records(tables) - records_at_once || !memory.take(records_at_once * sizeof(EventRecord)))
    return false;
  ensure_backed(log.backed, log.records + log.limit + records_at_once);
  populate(log.records + log.limit, records_at_once * sizeof(EventRecord));
  log.limit += records_at_once;
  return true;
}

} // namespace

void event_tables_start(EventTables& tables, std::uint64_t log_bytes, std::uint64_t start_ticks,
                        std::uint8_t logged_calls, std::uint8_t left_out) {
  tables.start_ticks = start_ticks;
  tables.logged_calls = logged_calls;
  tables.left_out = left_out;
  if (log_bytes == 0) return;
  const std::uint64_t table_bytes = log_bytes / 4;
  tables.memory.left_bytes = static_cast<std::int64_t>(log_bytes - table_bytes);
  tables.table_memory.left_bytes = static_cast<std::int64_t>(table_bytes);
  if (logged_calls & function_calls) {
    tables.call_memory.left_bytes = tables.memory.left_bytes / 2;
    tables.memory.left_bytes -= tables.call_memory.left_bytes;
  }
  const std::uint64_t channels = table_bytes / channel_bytes + 2;
  tables.channel_limit = channels < event_limit_channel ? static_cast<std::uint32_t>(channels) : event_limit_channel;
  tables.slot_limit = 2 * power_of_two(tables.channel_limit);
  tables.communicator_limit = most_communicators;
  tables.channels = reserve_array<Channel>(tables.channel_limit);
  if (tables.slot_limit < first_slots) tables.slot_limit = first_slots;
  tables.slots = reserve_array<std::uint32_t>(tables.slot_limit);
  tables.communicators = reserve_array<Communicator>(tables.communicator_limit);
  if (!tables.channels || !tables.slots || !tables.communicators) return;
  tables.slot_mask = first_slots - 1;
  tables.backed_channels = backed_array(tables.channels, tables.channel_limit);
  tables.backed_communicators = backed_array(tables.communicators, tables.communicator_limit);
  ensure_backed(tables.backed_channels, tables.channels + 1);
  tables.channels[0].unordered = order_unknown;
  tables.channel_count = 1;
  tables.log_bytes = log_bytes;
}

std::uint32_t find_channel(EventTables& tables, const ChannelName& name, std::uint64_t key) {
  std::uint32_t* slot = find_slot(tables, name);
  if (*slot != 0) return *slot;
  if (tables.channel_count == tables.channel_limit || !tables.table_memory.take(channel_bytes)) {
    // After a channel found no room, no later one is made: its numbers would not begin with its first
    // operation.
    tables.channel_limit = tables.channel_count;
    return 0;
  }
  const std::uint32_t made = tables.channel_count;
  Channel& channel = tables.channels[made];
  ensure_backed(tables.backed_channels, &channel + 1);
  channel.key = key;
  channel.communicator = name.communicator;
  channel.peer = name.peer;
  channel.tag = name.tag;
  channel.end = name.end;
  if (is_left_out(tables, name)) channel.unordered = left_out_of_log;
  __atomic_store_n(&tables.channel_count, made + 1, __ATOMIC_RELEASE);
  *slot = made;
  if (2 * tables.channel_count > tables.slot_mask && 2 * tables.slot_mask + 2 <= tables.slot_limit) grow_slots(tables);
  return made;
}

void cache_channel(EventLog& log, const ChannelName& name, std::uint32_t channel) {
  if (!log.cache) log.cache = reserve_array<CachedChannel>(cached_channels);
  if (!log.cache) return;
  const std::uint32_t first = communicator_and_end(name);
  const std::uint64_t second = peer_and_tag(name);
  log.cache[cache_slot(first, second)] = {second, first, channel};
}

std::uint32_t add_communicator(EventTables& tables, const Communicator& communicator) {
  if (tables.communicator_count == tables.communicator_limit || !tables.table_memory.take(sizeof(Communicator)))
    return 0;
  const std::uint32_t made = tables.communicator_count;
  ensure_backed(tables.backed_communicators, &tables.communicators[made] + 1);
  tables.communicators[made] = communicator;
  __atomic_store_n(&tables.communicator_count, made + 1, __ATOMIC_RELEASE);
  return made;
}

void thin_log(const EventTables& tables, EventLog& log, const LogLevels& levels) {
  std::uint32_t kept = 0;
  for (std::uint32_t i = 0; i < log.count; ++i) {
    const EventRecord& record = log.records[i];
    if (event_stays(tables.channels[record.channel], record.number, levels)) log.records[kept++] = record;
  }
  log.count = kept;
  log.levels = levels;
}

namespace {

// The next levels of a log without room: the process's, or one more for what most records are of.
LogLevels next_levels(const EventTables& tables, const EventLog& log) {
  LogLevels next = log.levels;
  next.raise(tables.levels);
  if (next != log.levels) return next;
  std::uint32_t of_collectives = 0;
  for (std::uint32_t i = 0; i < log.count; ++i)
    of_collectives += tables.channels[log.records[i].channel].end == ChannelEnd::member;
  (of_collectives > log.count / 2 ? next.collectives : next.messages)++;
  return next;
}

} // namespace

void log_function_call(EventTables& tables, EventLog& calls, const EventRecord& record) {
  if (calls.count == calls.limit && (!start_log(tables, calls) || !extend(tables, calls, tables.call_memory))) {
    __atomic_fetch_add(&tables.lost_calls, 1, __ATOMIC_RELAXED); // by all threads; a count
    return;
  }
  calls.records[calls.count] = record;
  __atomic_store_n(&calls.count, calls.count + 1, __ATOMIC_RELEASE); // a reader of the arena sees only complete records
}

bool make_room(EventTables& tables, EventLog& log) {
  if (!start_log(tables, log)) return false;
  if (extend(tables, log, tables.memory)) return true;
  if (log.limit == 0) return false;
  // Each level drops about half of the operations that it is for, by the hash; one that happens to drop none is
  // followed by the next.
  while (log.count == log.limit && log.levels.messages < most_level && log.levels.collectives < most_level)
    thin_log(tables, log, next_levels(tables, log));
  tables.levels.raise(log.levels);
  return log.count < log.limit;
}

} // namespace andes::monitor
