#include "monitor/rules/tables.h"

namespace andes::monitor::rules {

std::int64_t intern(Strings& strings, std::string_view text) {
  const auto [entry, is_new] =
      strings.numbers.try_emplace(std::string(text), static_cast<std::int64_t>(strings.texts.size()));
  if (is_new) strings.texts.emplace_back(text);
  return entry->second;
}

std::size_t append(Table& table, std::size_t count) {
  const std::size_t first = table.rows;
  table.rows += count;
  for (Column& column : table.columns) {
    if (!column.used) continue;
    if (column.type == ValueType::real) column.reals.resize(table.rows);
    else column.integers.resize(table.rows, column.type == ValueType::call_stack ? none : 0);
  }
  if (!table.deleted.empty()) table.deleted.resize(table.rows, 0);
  return first;
}

void clear(Tables& tables) {
  for (Table& table : tables.tables) {
    table.rows = 0;
    table.deleted.clear();
    for (Column& column : table.columns) {
      column.integers.clear();
      column.reals.clear();
    }
  }
}

} // namespace andes::monitor::rules
