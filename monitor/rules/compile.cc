// Compiles rule files to a program: each source is parsed and checked in turn, so that later files
// see the event types and causes of earlier ones.
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

std::string unlogged_type(const Program& program, std::string_view events) {
  for (std::size_t type = 0; type < program.schemas.size(); ++type) {
    const Schema& schema = program.schemas[type];
    if (schema.filled == Filled::setting && program.plan->read[type] && !program.plan->composed[type] &&
        events.find(schema.name) == std::string_view::npos) // no name is part of another
      return schema.name;
  }
  return "";
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
