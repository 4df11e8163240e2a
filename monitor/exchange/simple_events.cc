#include "monitor/exchange/simple_events.h"

#include <map>
#include <tuple>

#include "monitor/core/partitioned_tag.h"
#include "monitor/interface/probe.h"

namespace andes::monitor {
namespace {

using rules::EventType;
namespace message = rules::columns::function_call_blocking_send_operation;
namespace handling = rules::columns::function_call_request_handling;
namespace collective = rules::columns::function_call_collective_operation;
namespace one_sided = rules::columns::function_call_one_sided_operation;
namespace window = rules::columns::function_call_window_synchronisation;
namespace communicator = rules::columns::function_call_communicator_management;
namespace function = rules::columns::function_call;

// All call types have the same first parameters, and all message calls have the same parameters.
constexpr bool same(std::uint32_t a, std::uint32_t b) { return a == b; }
static_assert(same(message::thread, handling::thread) && same(message::thread, collective::thread));
static_assert(same(message::thread, one_sided::thread) && same(message::thread, window::thread) &&
              same(message::thread, communicator::thread) && same(message::thread, function::thread));
static_assert(same(message::bytes, rules::columns::function_call_non_blocking_receive_operation::bytes));

/// The word for a kind of region (enum andes_kind); "": it is not logged.
std::string_view word_of_kind(std::uint32_t kind) {
  switch (kind) {
  case ANDES_KIND_FUNCTION: return "FUNCTION";
  case ANDES_KIND_BLOCK: return "BLOCK";
  case ANDES_KIND_LOOP: return "LOOP";
  case ANDES_KIND_PHASE: return "PHASE";
  case ANDES_KIND_INSTANCE: return "STEP";
  case ANDES_KIND_PARALLEL: return "PARALLEL";
  case ANDES_KIND_WORKSHARE: return "WORKSHARE";
  case ANDES_KIND_TASK: return "TASK";
  case ANDES_KIND_CRITICAL: return "CRITICAL";
  case ANDES_KIND_BARRIER: return "BARRIER";
  case ANDES_KIND_LOCK: return "LOCK";
  default: return "";
  }
}

class Adding {
public:
  Adding(rules::Tables& events, const rules::Program& program, int rank, const RankLog& log, const Sites& sites)
      : events_(events), program_(program), rank_(rank), log_(log), tables_(*log.tables), sites_(sites),
        last_request_(tables_.requests) {}

  /// Reads the calls that have no part in an operation, those that made persistent requests among them, and which
  /// request each start belongs to.
  void read_calls(const LogLevels& levels) {
    for (std::size_t thread = 0; thread < log_.locations.size(); ++thread) {
      const EventLog* log = log_.locations[thread].log;
      for (std::uint32_t i = 0; log && i < log->count; ++i) {
        const EventRecord& record = log->records[i];
        const auto kind = EventKind(record.kind);
        if (kind < EventKind::request_init || kind == EventKind::probe || record.channel >= tables_.channel_count)
          continue;
        const Channel& channel = tables_.channels[record.channel];
        if (!event_stays(channel, static_cast<std::uint32_t>(record.number), levels)) continue;
        const Call call = call_of(log_, thread, record);
        switch (kind) {
        case EventKind::request_init: add_init(call, channel, record); break;
        case EventKind::request:
          if (!(record.flags & event_root)) requests_[{record.channel, record.number, call.enter_ns}] = record.amount();
          break;
        case EventKind::one_sided_call:
          if (Row row = add(EventType::function_call_one_sided_operation, call)) {
            row.set(one_sided::dest, channel.peer);
            row.set(one_sided::comm, channel.communicator);
            row.set(one_sided::bytes, static_cast<std::int64_t>(long_of(record.amount())));
          }
          break;
        case EventKind::window_call:
          if (Row row = add(EventType::function_call_window_synchronisation, call)) {
            row.set(window::dest, channel.peer);
            row.set(window::comm, channel.communicator);
          }
          break;
        case EventKind::communicator_call:
          if (Row row = add(EventType::function_call_communicator_management, call))
            row.set(communicator::comm, channel.communicator);
          break;
        default: break;
        }
      }
    }
  }

  void add_function_calls() {
    if (!rules::reads(program_, EventType::function_call)) return;
    for (std::size_t thread = 0; thread < log_.locations.size(); ++thread) {
      const EventLog* calls = log_.locations[thread].calls;
      for (std::uint32_t i = 0; calls && i < calls->count; ++i) {
        Row row = add(EventType::function_call, call_of(log_, thread, calls->records[i]));
        row.set(function::kind, rules::intern(events_.strings, word_of_kind(calls->records[i].amount())));
      }
    }
  }

  void add_messages(const std::vector<Operation>& operations, EventType blocking, EventType non_blocking) {
    const bool receives = blocking == EventType::function_call_blocking_receive_operation;
    for (const Operation& operation : operations) {
      const std::int64_t request = request_of(operation);
      if (!is_start(operation.start)) {
        if (Row row = add(request ? non_blocking : blocking, operation.start)) {
          set_message(row, tables_.channels[operation.channel], receives, request, operation.amount);
        }
      }
      add_handling(operation, request);
    }
  }

  void add_collectives(const std::vector<Participation>& participations) {
    for (const Participation& participation : participations) {
      const Operation& operation = *participation.operation;
      const std::int64_t request = request_of(operation);
      if (!is_start(operation.start)) {
        if (Row row = add(EventType::function_call_collective_operation, operation.start)) {
          row.set(collective::root, participation.result.root_rank);
          row.set(collective::comm, tables_.channels[operation.channel].communicator);
          row.set(collective::request, request);
          row.set(collective::bytes, static_cast<std::int64_t>(long_of(operation.amount)));
        }
      }
      add_handling(operation, request);
    }
  }

private:
  struct Row {
    rules::Table* table = nullptr; // null: no rule reads it
    std::size_t row = 0;

    explicit operator bool() const { return table; }
    void set(std::uint32_t column, std::int64_t value) { rules::set(*table, row, column, value); }
  };

  void add_init(const Call& call, const Channel& channel, const EventRecord& record) {
    const auto request = static_cast<std::int64_t>(record.number);
    if (channel.end == ChannelEnd::member) {
      if (Row row = add(EventType::function_call_collective_operation, call)) {
        row.set(collective::root, rules::none); // only the starts know the root
        row.set(collective::comm, channel.communicator);
        row.set(collective::request, request);
        row.set(collective::bytes, static_cast<std::int64_t>(long_of(record.amount())));
      }
      return;
    }
    const bool receives = channel.end == ChannelEnd::destination;
    if (Row row = add(receives ? EventType::function_call_non_blocking_receive_operation
                               : EventType::function_call_non_blocking_send_operation,
                      call))
      set_message(row, channel, receives, request, record.amount());
  }
  void set_message(Row& row, const Channel& channel, bool receives, std::int64_t request, std::uint32_t amount) {
    row.set(message::source, receives ? channel.peer : rank_);
    row.set(message::dest, receives ? rank_ : channel.peer);
    row.set(message::tag, program_tag(channel.tag));
    row.set(message::comm, channel.communicator);
    row.set(message::request, request);
    row.set(message::bytes, static_cast<std::int64_t>(long_of(amount)));
  }
  /// Whether the call only starts a request that an earlier call has made.
  bool is_start(const Call& call) const {
    return call.site >= 0 &&
           (sites_[call.site].function == "MPI_Start" || sites_[call.site].function == "MPI_Startall");
  }
  std::int64_t request_of(const Operation& operation) {
    if (!(operation.flags & event_pending)) return 0;
    const auto known = requests_.find({operation.channel, operation.number, operation.start.enter_ns});
    return known != requests_.end() ? known->second : ++last_request_;
  }
  void add_handling(const Operation& operation, std::int64_t request) {
    if (request == 0) return;
    if (is_start(operation.start)) add_handling(operation.start, request);
    if (operation.completed) add_handling(operation.end, request);
  }
  void add_handling(const Call& call, std::int64_t request) {
    if (Row row = add(EventType::function_call_request_handling, call)) row.set(handling::request, request);
  }
  Row add(EventType type, const Call& call) {
    if (!rules::reads(program_, type)) return {};
    Row row{&rules::table_of(events_, type), 0};
    row.row = rules::append(*row.table);
    row.set(message::start_time, call.enter_ns);
    row.set(message::finish_time, call.exit_ns);
    if (call.site >= 0) {
      row.set(message::function_name, rules::intern(events_.strings, sites_[call.site].function));
      row.set(message::call_stack, static_cast<std::int64_t>(sites_[call.site].path));
    }
    row.set(message::rank, rank_);
    row.set(message::thread, call.thread);
    return row;
  }

  rules::Tables& events_;
  const rules::Program& program_;
  int rank_;
  const RankLog& log_;
  const EventTables& tables_;
  const Sites& sites_;
  std::int64_t last_request_; // persistent requests come first
  /// The persistent request of a start, by channel, number and enter of the start.
  std::map<std::tuple<std::uint64_t, std::uint64_t, std::int64_t>, std::int64_t> requests_;
};

} // namespace

void add_simple_events(rules::Tables& events, const rules::Program& program, const RankLog& log,
                       const LogLevels& levels, const Operations& operations,
                       const std::vector<Participation>& participations, int rank, const Sites& sites) {
  bool wanted = false;
  for (const EventType type :
       {EventType::function_call_blocking_send_operation, EventType::function_call_non_blocking_send_operation,
        EventType::function_call_blocking_receive_operation, EventType::function_call_non_blocking_receive_operation,
        EventType::function_call_request_handling, EventType::function_call_collective_operation,
        EventType::function_call_one_sided_operation, EventType::function_call_window_synchronisation,
        EventType::function_call_communicator_management, EventType::function_call})
    wanted = wanted || rules::reads(program, type);
  if (!wanted) return;
  Adding adding(events, program, rank, log, sites);
  adding.read_calls(levels);
  adding.add_function_calls();
  adding.add_messages(operations.sends, EventType::function_call_blocking_send_operation,
                      EventType::function_call_non_blocking_send_operation);
  adding.add_messages(operations.receives, EventType::function_call_blocking_receive_operation,
                      EventType::function_call_non_blocking_receive_operation);
  adding.add_collectives(participations);
}

} // namespace andes::monitor
