#include "monitor/exchange/simple_events.h"

namespace andes {
namespace {

using rules::EventType;
namespace message = rules::columns::function_call_blocking_send_operation;
namespace handling = rules::columns::function_call_request_handling;
namespace collective = rules::columns::function_call_collective_operation;

// All calls have the same first parameters, and all calls of messages the same ones.
constexpr bool same(std::uint32_t a, std::uint32_t b) { return a == b; }
static_assert(same(message::thread, handling::thread) && same(message::thread, collective::thread));
static_assert(same(message::bytes,
                   rules::columns::function_call_non_blocking_receive_operation::bytes));

class Adding {
public:
  Adding(rules::Tables& events, const rules::Program& program, int rank, const EventTables& tables,
         const Sites& sites)
      : events_(events), program_(program), rank_(rank), tables_(tables), sites_(sites) {}

  void add_messages(const std::vector<Operation>& operations, EventType blocking,
                    EventType non_blocking) {
    const bool receives = blocking == EventType::function_call_blocking_receive_operation;
    for (const Operation& operation : operations) {
      const std::int64_t request = request_of(operation);
      if (!is_start(operation.start)) {
        if (Row row = add(request ? non_blocking : blocking, operation.start)) {
          const Channel& channel = tables_.channels[operation.channel];
          row.set(message::source, receives ? channel.peer : rank_);
          row.set(message::dest, receives ? rank_ : channel.peer);
          row.set(message::tag, channel.tag);
          row.set(message::comm, channel.communicator);
          row.set(message::request, request);
          row.set(message::bytes, static_cast<std::int64_t>(long_of(operation.amount)));
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

  /// Of a request that was made before: the call that made it is another one.
  bool is_start(const Call& call) const {
    return call.site >= 0 &&
           (sites_[call.site].function == "MPI_Start" || sites_[call.site].function == "MPI_Startall");
  }
  std::int64_t request_of(const Operation& operation) {
    return operation.flags & event_pending ? ++last_request_ : 0;
  }
  void add_handling(const Operation& operation, std::int64_t request) {
    if (request == 0) return;
    if (is_start(operation.start)) add_handling(operation.start, request);
    if (operation.completed) add_handling(operation.end, request);
  }
  void add_handling(const Call& call, std::int64_t request) {
    if (Row row = add(EventType::function_call_request_handling, call))
      row.set(handling::request, request);
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
  const EventTables& tables_;
  const Sites& sites_;
  std::int64_t last_request_ = 0;
};

} // namespace

void add_simple_events(rules::Tables& events, const rules::Program& program,
                       const Operations& operations,
                       const std::vector<Participation>& participations, int rank,
                       const EventTables& tables, const Sites& sites) {
  bool wanted = false;
  for (const EventType type : {EventType::function_call_blocking_send_operation,
                               EventType::function_call_non_blocking_send_operation,
                               EventType::function_call_blocking_receive_operation,
                               EventType::function_call_non_blocking_receive_operation,
                               EventType::function_call_request_handling,
                               EventType::function_call_collective_operation})
    wanted = wanted || rules::reads(program, type);
  if (!wanted) return;
  Adding adding(events, program, rank, tables, sites);
  adding.add_messages(operations.sends, EventType::function_call_blocking_send_operation,
                      EventType::function_call_non_blocking_send_operation);
  adding.add_messages(operations.receives, EventType::function_call_blocking_receive_operation,
                      EventType::function_call_non_blocking_receive_operation);
  adding.add_collectives(participations);
}

} // namespace andes
