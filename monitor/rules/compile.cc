// Compiles rule files to a program: each source is parsed and checked in turn, so that later files
// see the event types and causes of earlier ones.
#include <algorithm>
#include <new>

#include "monitor/rules/plan.h"

namespace andes::monitor::rules {
namespace {

/// If a rule reads overtaking_*, fill_overtaking() needs further columns.
void need_columns_of_overtaking(const std::vector<Schema>& schemas, Plan& plan) {
  namespace message = columns::point_to_point_operation_group;
  constexpr auto type = static_cast<std::size_t>(EventType::point_to_point_operation_group);
  if (schemas.size() <= type || schemas[type].name != registered_schemas()[type].name) return;
  std::vector<std::uint8_t>& used = plan.used[type];
  if (!used[message::overtaking_source] && !used[message::overtaking_send_start_time] &&
      !used[message::overtaking_receive_wait_start_time])
    return;
  for (const std::uint32_t column :
       {message::thread, message::source, message::send_start_time, message::receive_wait_start_time,
        message::receive_wait_finish_time, message::overtaking_source})
    used[column] = 1;
}

/// Types of events that are made of the operations that a word of setting `events` leaves out.
struct LeftOutTypes {
  std::string_view word;
  std::vector<std::string_view> types;
};
const LeftOutTypes left_out_types[] = {
    {"-point_to_point_operation_group",
     {"point_to_point_operation_group", "function_call_blocking_send_operation",
      "function_call_non_blocking_send_operation", "function_call_blocking_receive_operation",
      "function_call_non_blocking_receive_operation"}},
    {"-collective_operation_group", {"collective_operation_group", "function_call_collective_operation"}},
    {"-access_epoch_group", {"access_epoch_group"}},
    {"-lock_operation_group", {"lock_operation_group", "window_progress_group"}},
};

template <class Words> bool lists(const Words& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

} // namespace

Compiled compile(const std::vector<Source>& sources, const std::vector<Schema>& schemas) noexcept {
  Compiled compiled;
  try {
    Program& program = compiled.program;
    program.schemas = schemas;
    auto plan = std::make_shared<Plan>();
    for (const Schema& schema : schemas) plan->used.emplace_back(schema.parameters.size(), 0);
    plan->read.assign(schemas.size(), 0);
    plan->composed.assign(schemas.size(), 0);
    for (const Source& source : sources) {
      plan->first_of_last_source = plan->rules.size();
      const Errors errors{&source, &compiled.errors};
      check(parsed(errors), errors, schemas.size(), program, *plan);
    }
    need_columns_of_overtaking(schemas, *plan);
    program.plan = std::move(plan);
  } catch (const std::bad_alloc&) {
    compiled.errors.assign(1, {"rules", 1, 1, "out of memory; leave out rule files", ""});
  }
  return compiled;
}

std::optional<Unlogged> unlogged_type(const Program& program, const std::vector<std::string>& events) {
  const Plan& plan = *program.plan;
  for (std::size_t rule = plan.first_of_last_source; rule < plan.rules.size(); ++rule)
    for (const std::uint32_t type : plan.rules[rule].types) {
      const Schema& schema = program.schemas[type];
      if (plan.composed[type]) continue;
      if (schema.filled == Filled::setting && !lists(events, schema.name)) return Unlogged{schema.name, ""};
      for (const LeftOutTypes& left_out : left_out_types)
        if (lists(events, left_out.word) && lists(left_out.types, schema.name))
          return Unlogged{schema.name, std::string(left_out.word)};
    }
  return {};
}

bool reads(const Program& program, EventType type) { return program.plan->read[static_cast<std::size_t>(type)]; }

Tables make_tables(const Program& program) {
  Tables tables;
  tables.strings = program.plan->strings;
  for (std::size_t type = 0; type < program.schemas.size(); ++type) {
    Table table;
    for (std::size_t c = 0; c < program.schemas[type].parameters.size(); ++c)
      table.columns.push_back({program.schemas[type].parameters[c].type, program.plan->used[type][c] != 0, {}, {}});
    tables.tables.push_back(std::move(table));
  }
  return tables;
}

} // namespace andes::monitor::rules
