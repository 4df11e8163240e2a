#include "monitor/exchange/event_tables.h"

#include <algorithm>

#include "monitor/core/partitioned_tag.h"
#include "monitor/rules/overtaken.h"

namespace andes::monitor {
namespace {

using rules::EventType;

const char* word_of(EventKind kind) {
  switch (kind) {
  case EventKind::barrier: return "BARRIER";
  case EventKind::n_to_n: return "N_TO_N";
  case EventKind::one_to_n: return "ONE_TO_N";
  case EventKind::n_to_one: return "N_TO_ONE";
  case EventKind::scan: return "SCAN";
  case EventKind::neighbour: return "NEIGHBOUR";
  case EventKind::window_create: return "WINDOW_CREATE";
  case EventKind::window_free: return "WINDOW_FREE";
  case EventKind::fence: return "FENCE";
  case EventKind::file: return "FILE";
  case EventKind::communicator_create: return "COMMUNICATOR_CREATE";
  default: return "";
  }
}

/// One row of a table, set by column names.
struct Row {
  rules::Table& table;
  std::size_t row;

  void set(std::uint32_t column, std::int64_t value) { rules::set(table, row, column, value); }
};

/// The columns that describe a call.
struct CallColumns {
  std::uint32_t enter, exit, stack;
};

class Filling {
public:
  Filling(rules::Tables& tables, int rank, const EventTables& log, const Sites& sites)
      : tables_(tables), rank_(rank), log_(log), sites_(sites) {
    names_.resize(sites.size(), -1);
    words_.resize(static_cast<std::size_t>(EventKind::count), -1);
  }

  void fill(const std::vector<Message>& messages) {
    namespace c = rules::columns::point_to_point_operation_group;
    rules::Table& table = rules::table_of(tables_, EventType::point_to_point_operation_group);
    const auto is_complete = [](const Message& message) { return message.receive->completed; };
    Row row = append(table, std::count_if(messages.begin(), messages.end(), is_complete));
    for (const Message& message : messages) {
      if (!is_complete(message)) continue;
      const Operation &send = message.send, &receive = *message.receive;
      const Call& wait = *message.wait;
      const Channel& channel = log_.channels[receive.channel];
      set_call(row, {c::start_time, c::finish_time, c::call_stack}, wait);
      set_call(row, {c::send_start_time, c::send_finish_time, c::send_call_stack}, send.start);
      set_call(row, {c::send_wait_start_time, c::send_wait_finish_time, c::send_wait_call_stack}, send.end);
      set_call(row, {c::receive_start_time, c::receive_finish_time, c::receive_call_stack}, receive.start);
      set_call(row, {c::receive_wait_start_time, c::receive_wait_finish_time, c::receive_wait_call_stack}, wait);
      row.set(c::send_function_name, name(send.start.site));
      row.set(c::send_wait_function_name, name(send.end.site));
      row.set(c::receive_function_name, name(receive.start.site));
      row.set(c::receive_wait_function_name, name(wait.site));
      for (const std::uint32_t column : {c::rank, c::dest, c::receive_rank}) row.set(column, rank_);
      for (const std::uint32_t column : {c::peer_rank, c::source, c::send_rank}) row.set(column, message.source);
      row.set(c::thread, wait.thread);
      row.set(c::receive_thread, wait.thread);
      row.set(c::send_thread, send.end.thread);
      row.set(c::peer_call_stack, stack(send.start.site));
      row.set(c::tag, program_tag(channel.tag));
      row.set(c::comm, channel.communicator);
      row.set(c::bytes, message.is_part ? 0 : static_cast<std::int64_t>(long_of(send.amount)));
      row.set(c::channel, receive.channel);
      row.set(c::number, receive.number);
      row.set(c::send_wait_alone, send.alone);
      row.set(c::send_progress_wait, message.sender_waits_ns);
      row.set(c::receive_progress_wait, message.receiver_waits_ns);
      row.set(c::sender_waiting, message.sender_waiting);
      row.set(c::origin_rank, message.origin_rank);
      row.set(c::origin_call_stack,
              message.origin_rank < 0 ? rules::none : static_cast<std::int64_t>(message.origin_path));
      ++row.row;
    }
    rules::fill_overtaking(table);
  }

  void fill(const std::vector<Participation>& participations) {
    namespace c = rules::columns::collective_operation_group;
    rules::Table& table = rules::table_of(tables_, EventType::collective_operation_group);
    const auto is_complete = [](const Participation& one) { return one.operation->completed; };
    Row row = append(table, std::count_if(participations.begin(), participations.end(), is_complete));
    for (const Participation& participation : participations) {
      if (!is_complete(participation)) continue;
      const Operation& own = *participation.operation;
      const CollectiveResult& all = participation.result;
      row.set(c::operation, word(own.kind));
      row.set(c::function_name, name(own.start.site));
      set_call(row, {c::start_time, c::finish_time, c::call_stack}, own.end);
      row.set(c::rank, rank_);
      row.set(c::thread, own.end.thread);
      row.set(c::comm, log_.channels[own.channel].communicator);
      row.set(c::number, own.number);
      row.set(c::bytes, static_cast<std::int64_t>(long_of(own.amount)));
      row.set(c::empty, (own.flags & event_empty) != 0);
      row.set(c::ranks, all.members);
      row.set(c::earliest_start_time, all.earliest_ns);
      row.set(c::earliest_rank, all.earliest_rank);
      row.set(c::earliest_finish_time, all.earliest_exit_ns);
      row.set(c::latest_start_time, all.latest_ns);
      row.set(c::latest_rank, all.latest_rank);
      row.set(c::latest_call_stack, stack(static_cast<std::int32_t>(all.latest_site)));
      row.set(c::root, all.root_rank);
      row.set(c::is_root, all.root_rank == rank_);
      row.set(c::root_start_time, all.root_ns);
      row.set(c::root_call_stack, stack(static_cast<std::int32_t>(all.root_site)));
      row.set(c::latest_other_start_time, all.other_ns);
      row.set(c::latest_other_rank, all.other_rank);
      row.set(c::latest_other_call_stack, stack(static_cast<std::int32_t>(all.other_site)));
      ++row.row;
    }
  }

  void fill(const std::vector<AccessEpoch>& epochs) {
    namespace c = rules::columns::access_epoch_group;
    rules::Table& table = rules::table_of(tables_, EventType::access_epoch_group);
    const auto is_complete = [](const AccessEpoch& epoch) {
      return epoch.access.completed && epoch.exposure->completed;
    };
    Row row = append(table, std::count_if(epochs.begin(), epochs.end(), is_complete));
    for (const AccessEpoch& epoch : epochs) {
      if (!is_complete(epoch)) continue;
      const Operation &access = epoch.access, &exposure = *epoch.exposure;
      set_call(row, {c::start_time, c::finish_time, c::call_stack}, exposure.end);
      set_call(row, {c::post_start_time, c::post_finish_time, c::post_call_stack}, exposure.start);
      set_call(row, {c::wait_start_time, c::wait_finish_time, c::wait_call_stack}, exposure.end);
      set_call(row, {c::start_start_time, c::start_finish_time, c::start_call_stack}, access.start);
      set_call(row, {c::complete_start_time, c::complete_finish_time, c::complete_call_stack}, access.end);
      row.set(c::rank, rank_);
      row.set(c::target_rank, rank_);
      row.set(c::thread, exposure.end.thread);
      row.set(c::target_thread, exposure.end.thread);
      row.set(c::accessing_rank, epoch.origin);
      row.set(c::accessing_thread, access.end.thread);
      row.set(c::comm, log_.channels[exposure.channel].communicator);
      row.set(c::latest_complete_start_time, epoch.latest_complete_ns);
      row.set(c::latest_complete_rank, epoch.latest_complete_rank);
      ++row.row;
    }
  }

  void fill(const std::vector<LockWait>& waits) {
    namespace c = rules::columns::lock_operation_group;
    rules::Table& table = rules::table_of(tables_, EventType::lock_operation_group);
    Row row = append(table, static_cast<std::ptrdiff_t>(waits.size()));
    for (const LockWait& wait : waits) {
      const ArrivedLock& epoch = *wait.epoch;
      set_call(row, {c::start_time, c::finish_time, c::call_stack}, epoch.blocked);
      set_call(row, {c::blocked_start_time, c::blocked_finish_time, c::blocked_call_stack}, epoch.blocked);
      set_call(row, {c::lock_start_time, c::lock_finish_time, c::lock_call_stack}, epoch.lock);
      set_call(row, {c::unlock_start_time, c::unlock_finish_time, c::unlock_call_stack}, epoch.unlock);
      row.set(c::rank, epoch.rank);
      row.set(c::thread, epoch.blocked.thread);
      row.set(c::target_rank, rank_);
      row.set(c::comm, window(epoch.window));
      row.set(c::exclusive, epoch.exclusive);
      row.set(c::held_until_time, wait.holder ? wait.holder->unlock.exit_ns : 0);
      row.set(c::holder_rank, wait.holder ? wait.holder->rank : rules::none);
      row.set(c::holder_call_stack, wait.holder ? stack(wait.holder->unlock.site) : rules::none);
      ++row.row;
    }
  }

  void fill(const std::vector<OwnerWait>& waits) {
    namespace c = rules::columns::window_progress_group;
    rules::Table& table = rules::table_of(tables_, EventType::window_progress_group);
    Row row = append(table, static_cast<std::ptrdiff_t>(waits.size()));
    for (const OwnerWait& wait : waits) {
      set_call(row, {c::start_time, c::finish_time, c::call_stack}, wait.call);
      row.set(c::function_name, name(wait.call.site));
      row.set(c::rank, wait.rank);
      row.set(c::thread, wait.call.thread);
      row.set(c::target_rank, rank_);
      row.set(c::comm, window(wait.window));
      row.set(c::target_start_time, wait.late.enter_ns);
      row.set(c::target_call_stack, stack(wait.late.site));
      row.set(c::progress_wait, wait.wait_ns);
      ++row.row;
    }
  }

private:
  static Row append(rules::Table& table, std::ptrdiff_t count) {
    return {table, rules::append(table, static_cast<std::size_t>(count))};
  }
  std::int64_t stack(std::int32_t site) const {
    return site < 0 ? rules::none : static_cast<std::int64_t>(sites_[site].path);
  }
  std::int64_t name(std::int32_t site) {
    if (site < 0) return 0;
    std::int64_t& number = names_[static_cast<std::size_t>(site)];
    if (number < 0) number = rules::intern(tables_.strings, sites_[site].function);
    return number;
  }
  std::int64_t word(EventKind kind) {
    std::int64_t& number = words_[static_cast<std::size_t>(kind)];
    if (number < 0) number = rules::intern(tables_.strings, word_of(kind));
    return number;
  }
  void set_call(Row& row, const CallColumns& columns, const Call& call) const {
    row.set(columns.enter, call.enter_ns);
    row.set(columns.exit, call.exit_ns);
    row.set(columns.stack, stack(call.site));
  }
  std::int64_t window(std::uint64_t id) const {
    for (std::uint32_t i = 0; i < log_.communicator_count; ++i)
      if (log_.communicators[i].id == id) return i;
    return rules::none;
  }

  rules::Tables& tables_;
  int rank_;
  const EventTables& log_;
  const Sites& sites_;
  std::vector<std::int64_t> names_; // of sites, as strings of the tables; -1: not yet
  std::vector<std::int64_t> words_; // of kinds, likewise
};

} // namespace

rules::Tables event_tables(const rules::Program& program, const Compared& compared, int rank, const EventTables& tables,
                           const Sites& sites) {
  rules::Tables filled = rules::make_tables(program);
  Filling filling(filled, rank, tables, sites);
  if (rules::reads(program, EventType::point_to_point_operation_group)) filling.fill(compared.messages.all);
  if (rules::reads(program, EventType::collective_operation_group)) filling.fill(compared.collectives.all);
  if (rules::reads(program, EventType::access_epoch_group)) filling.fill(compared.epochs.all);
  if (rules::reads(program, EventType::lock_operation_group)) filling.fill(compared.locks);
  if (rules::reads(program, EventType::window_progress_group)) filling.fill(compared.owner_waits);
  return filled;
}

} // namespace andes::monitor
