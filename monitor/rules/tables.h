// Tables: the events that rules are evaluated over, a table for each type, a column for each
// parameter. Columns, because a rule looks at few parameters of many events.
//
// Invariants:
//  - a column that no rule reads takes no memory: values set there are dropped;
//  - a deleted event keeps its row and is seen by no rule any more;
//  - strings are interned: equal strings have equal numbers within one Tables.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "monitor/rules/event_types.h"

namespace andes::monitor::rules {

/// Strings by number; number 0 is the empty string.
struct Strings {
  std::vector<std::string> texts{""};
  std::unordered_map<std::string, std::int64_t> numbers{{"", 0}};
};
std::int64_t intern(Strings& strings, std::string_view text);

struct Column {
  ValueType type = ValueType::integer;
  bool used = false;                  // whether a rule reads it
  std::vector<std::int64_t> integers; // for all types but real: values, string numbers, call stacks
  std::vector<double> reals;
};

struct Table {
  std::vector<Column> columns;
  std::size_t rows = 0;
  std::vector<std::uint8_t> deleted; // empty: no event is deleted
};

struct Tables {
  std::vector<Table> tables; // by type, as Program::schemas
  Strings strings;
};

inline Table& table_of(Tables& tables, EventType type) { return tables.tables[static_cast<std::size_t>(type)]; }

/// Adds `count` events whose numbers are 0, strings "" and call stacks `none`; returns the row of
/// the first. Cheapest for many at once.
std::size_t append(Table& table, std::size_t count = 1);

/// Sets an integer, the number of a string, or a call stack.
inline void set(Table& table, std::size_t row, std::uint32_t column, std::int64_t value) {
  Column& c = table.columns[column];
  if (c.used) c.integers[row] = value;
}
inline void set_real(Table& table, std::size_t row, std::uint32_t column, double value) {
  Column& c = table.columns[column];
  if (c.used) c.reals[row] = value;
}

/// Removes all events and keeps strings and memory, for the next batch.
void clear(Tables& tables);

} // namespace andes::monitor::rules
