#include "tests/rules/events.h"

#include <catch2/catch.hpp>

namespace andes::monitor::rules {
namespace {

std::size_t type_named(const Program& program, const std::string& name) {
  for (std::size_t i = 0; i < program.schemas.size(); ++i)
    if (program.schemas[i].name == name) return i;
  FAIL("no event type " + name);
  return 0;
}

std::uint32_t column_named(const Schema& schema, const std::string& name) {
  for (std::size_t i = 0; i < schema.parameters.size(); ++i)
    if (schema.parameters[i].name == name) return static_cast<std::uint32_t>(i);
  FAIL("no parameter " + name + " of " + schema.name);
  return 0;
}

} // namespace

Trial trial(const std::vector<Source>& sources) {
  const Compiled compiled = compile(sources);
  std::string errors;
  for (const Diagnostic& error : compiled.errors) errors += text_of(error);
  REQUIRE(errors == "");
  return {compiled.program, make_tables(compiled.program), {}, {}};
}

Trial trial(const std::string& text) { return trial(std::vector<Source>{{"test.rules", text}}); }

std::size_t add(Trial& trial, const std::string& type, const std::vector<Given>& parameters) {
  const std::size_t number = type_named(trial.program, type);
  Table& table = trial.tables.tables[number];
  const std::size_t row = append(table);
  for (const Given& given : parameters) {
    const std::uint32_t column = column_named(trial.program.schemas[number], given.name);
    if (const auto* i = std::get_if<std::int64_t>(&given.value))
      set(table, row, column, *i);
    else if (const auto* d = std::get_if<double>(&given.value))
      set_real(table, row, column, *d);
    else
      set(table, row, column, intern(trial.tables.strings, std::get<std::string>(given.value)));
  }
  return row;
}

void run(Trial& trial, const Limits& limits) {
  trial.seen.clear();
  trial.outcome = evaluate(trial.program, trial.tables,
                           {[&](std::span<const Observation> all) {
                              trial.seen.insert(trial.seen.end(), all.begin(), all.end());
                            },
                            [](std::int64_t stack) { return "main > " + std::to_string(stack); }},
                           limits);
}

std::vector<std::string> seen_lines(const Trial& trial) {
  std::vector<std::string> lines;
  for (const Observation& o : trial.seen)
    lines.push_back(trial.program.causes[o.cause].identifier + " " +
                    std::to_string(static_cast<std::int64_t>(o.impact_ns)) + " at rank " +
                    std::to_string(o.rank) + " for rank " + std::to_string(o.peer_rank));
  return lines;
}

std::int64_t integer(const Trial& trial, const std::string& type, const std::string& parameter,
                     std::size_t row) {
  const std::size_t number = type_named(trial.program, type);
  const Column& column =
      trial.tables.tables[number].columns[column_named(trial.program.schemas[number], parameter)];
  REQUIRE(column.used);
  REQUIRE(row < column.integers.size());
  return column.integers[row];
}

std::string text(const Trial& trial, const std::string& type, const std::string& parameter,
                 std::size_t row) {
  return trial.tables.strings.texts[static_cast<std::size_t>(integer(trial, type, parameter, row))];
}

std::size_t rows(const Trial& trial, const std::string& type) {
  const Table& table = trial.tables.tables[type_named(trial.program, type)];
  std::size_t there = 0;
  for (std::size_t row = 0; row < table.rows; ++row)
    there += table.deleted.empty() || !table.deleted[row];
  return there;
}

std::string errors_of(const std::string& text) {
  std::string all;
  for (const Diagnostic& error : compile({{"test.rules", text}}).errors) all += text_of(error);
  return all;
}

} // namespace andes::monitor::rules
