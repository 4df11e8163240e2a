// Columns: what the tables of results have. A table is one list of columns, declared in view/columns/ and nowhere
// else; its CSV table, its JSON objects and its table for people are made of that list here. Views choose rows and
// put tables together.
//
// Invariants:
//  - the order of a list is that of the JSON objects. CSV and the tables for people have some columns elsewhere, and
//    users know them there: such a column says behind which one it stands (csv_after, text_after);
//  - what was not measured is nothing: absent in JSON, an empty field in CSV.
#pragma once
#include <algorithm>
#include <concepts>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "postproc/analysis/paths.h"
#include "postproc/view/csv_line.h"
#include "postproc/view/json.h"
#include "postproc/view/sampling_text.h"
#include "postproc/view/table.h"

namespace andes::postproc::columns {

/// A count that was summed as a double: JSON has a whole number.
struct Whole {
  double count = 0;
};

/// Where words stand in their column.
inline constexpr auto left = TableColumn::Align::left;

/// A factor of efficiency, in per cent; coloured where a fifth and more is lost, empty when absent.
Cell efficiency_cell(const std::optional<double>& factor);

/// Both ends of a 95 % interval: KEY_low and KEY_high.
struct Ends {
  double low = 0, high = 0;
};

/// What a column has for a row, made of whatever the row holds; without content it is nothing.
struct Value {
  using Names = std::vector<std::string>; // of a call path: a list in JSON, joined by / in CSV
  Value() = default;
  Value(bool flag) : content(flag) {} // 1 and 0 in CSV
  Value(std::integral auto number) : content(static_cast<std::int64_t>(number)) {}
  Value(double number) : content(number) {}
  Value(Whole number) : content(number) {}
  Value(const char* text) : content(std::string(text)) {}
  Value(std::string text) : content(std::move(text)) {}
  Value(Names path) : content(std::move(path)) {}
  Value(const Estimate& estimate) : content(estimate) {}
  Value(const OverlapPercent& bounds) : content(bounds) {}
  Value(Ends ends) : content(ends) {}
  Value(Json json) : content(std::move(json)) {} // lists and null, which CSV does not have
  template <class T> Value(const std::optional<T>& known) {
    if (known) *this = Value(*known);
  }

  std::variant<std::monostate, bool, std::int64_t, double, Whole, std::string, Names, Estimate, OverlapPercent, Ends,
               Json>
      content;
};

/// Fields of a column in CSV: one, an estimate's four (KEY, KEY_low, KEY_high, KEY_kind), or KEY_low and KEY_high.
enum class Fields { one, estimate, ends };

/// How often a table may become narrower before it leaves a column out: columns with 0 steps go first, then those with
/// 1 ..., those with `always` stay. Tables of a pipe are 100 characters wide.
inline constexpr int always = 99;

/// What the legend below a table says of a column. Columns that hold the same share a part of it.
struct LegendPart {
  std::string holds = {}; // empty: the title says enough
  std::string note = {};  // behind the column's name, in parentheses
};

/// What people see of a column.
template <class Row> struct TextPart {
  std::string title = {};
  std::function<Cell(const Row&)> cell = nullptr; // none: people do not see the column
  /// The text of a column beside it, of the error.
  std::function<std::string(const Row&, ErrorColumn)> error = nullptr;
  TableColumn::Align align = TableColumn::Align::right;
  bool gives_way = false; // as in TableColumn, and so is `least`
  int least = TableColumn().least;
  int steps = always; // narrowing steps that leave it in the table
  LegendPart legend = {};
};

/// A column of a table. `value` may be a member of the row, or any function of it.
template <class Row> struct Column {
  std::string key = {}; // in CSV and JSON, the same as far as it can be
  /// What it holds, in words for docs/json.md and, where the column has no others, for the legend. Empty: a section of
  /// docs/metrics.md defines it.
  std::string means = {};
  std::function<Value(const Row&)> value = nullptr; // none: people alone see the column
  TextPart<Row> text = {};
  Fields fields = Fields::one;
  bool json = true, csv = true; // whether they have it
  std::vector<std::string> json_path = {}; // where JSON has it inside other objects, or by another key
  std::function<Value(const Row&)> csv_value = nullptr; // where CSV says something else
  std::string csv_after = {}, text_after = {}; // key of the column before it, where the order is another one
};

/// Written as `List<Row>{...}`: GCC 12 crashes on a return of the braces alone.
template <class Row> using List = std::vector<Column<Row>>;

/// How a table for people becomes narrower.
struct Narrowing {
  int step = 0; // 0: the widest
  ErrorColumn errors = ErrorColumn::interval;
  const char* error_title = "+-"; // of errors that are no intervals
};

/// Nothing, where a text is empty.
Value known(const std::string& text);

/// Nothing, where a line is not known.
Value known_line(int line);

/// Ends of the interval around an estimated time or percentage, and whether it may be believed; nothing where it is
/// exact.
Value ends_of(double value, const SamplingError& error);
Value reliable(const SamplingError& error);

/// An end of the interval of visits; nothing where all were counted.
Value end_of_visits(double end, bool estimated);

/// Whether a run or a point can say which times are estimated: then CSV has the columns of estimates.
bool knows_estimates(const Sampling& sampling, const ToolCost& cost);

/// One column's part in the titles and in a line of CSV, and in a JSON object.
void add_titles(csv::Line& line, const std::string& key, Fields fields);
void add_fields(csv::Line& line, const Value& value, Fields fields);
void add_json(Json& object, const std::string& key, const std::vector<std::string>& path, const Value& value);

/// A legend of titles and parts.
std::string legend_text(const std::vector<std::pair<std::string, LegendPart>>& parts);

/// Adds a list's columns behind those of another.
template <class Row> void append(List<Row>& list, List<Row> more) {
  for (Column<Row>& column : more) list.push_back(std::move(column));
}

/// A function of a part of a row as one of the row. `part_of(row)` points to the part, or is null where there is none.
template <class Row, class PartOf, class Part, class Result, class... More>
std::function<Result(const Row&, More...)> of_row(const std::function<Result(const Part&, More...)>& function,
                                                  PartOf part_of) {
  if (!function) return {};
  return [function, part_of](const Row& row, More... more) {
    const Part* part = part_of(row);
    return part ? function(*part, more...) : Result();
  };
}

/// Columns of a part of a row as those of the row; `part_of` as above.
template <class Row, class Part, class PartOf> List<Row> of_part(const List<Part>& list, PartOf part_of) {
  List<Row> result;
  for (const Column<Part>& c : list) {
    const TextPart<Part>& text = c.text;
    result.push_back({.key = c.key,
                      .means = c.means,
                      .value = of_row<Row>(c.value, part_of),
                      .text = {.title = text.title,
                               .cell = of_row<Row>(text.cell, part_of),
                               .error = of_row<Row>(text.error, part_of),
                               .align = text.align,
                               .gives_way = text.gives_way,
                               .least = text.least,
                               .steps = text.steps,
                               .legend = text.legend},
                      .fields = c.fields,
                      .json = c.json,
                      .csv = c.csv,
                      .json_path = c.json_path,
                      .csv_value = of_row<Row>(c.csv_value, part_of),
                      .csv_after = c.csv_after,
                      .text_after = c.text_after});
  }
  return result;
}

/// The same columns, for programs alone.
template <class Row> List<Row> without_text(List<Row> list) {
  for (Column<Row>& column : list) column.text = {};
  return list;
}

/// The same columns, for people alone.
template <class Row> List<Row> text_alone(List<Row> list) {
  for (Column<Row>& column : list) column.value = nullptr;
  return list;
}

/// The same columns; in JSON they stand in the object `name`.
template <class Row> List<Row> within(const char* name, List<Row> list) {
  for (Column<Row>& column : list) {
    if (column.json_path.empty()) column.json_path = {column.key};
    column.json_path.insert(column.json_path.begin(), name);
  }
  return list;
}

/// The columns that `is_shown`, those with another place behind the ones they name in `after`, be these shown or not.
template <class Row, class Shown>
std::vector<const Column<Row>*> in_order(const List<Row>& list, Shown is_shown, std::string Column<Row>::* after) {
  std::vector<const Column<Row>*> order;
  for (const Column<Row>& column : list)
    if ((column.*after).empty()) order.push_back(&column);
  for (const Column<Row>& column : list) {
    if ((column.*after).empty()) continue;
    auto at = order.begin();
    while (at != order.end() && (*at)->key != column.*after) ++at;
    order.insert(at == order.end() ? at : at + 1, &column);
  }
  std::erase_if(order, [&](const Column<Row>* column) { return !is_shown(*column); });
  return order;
}

/// Whether a row is estimated, by the error of its inclusive time. `csv`: the run can have estimates; `budget`: it can
/// say that a row is none.
template <class Row> Column<Row> estimated_column(SamplingError Row::* inclusive, bool csv, bool budget) {
  return {.key = "estimated",
          .value =
              [=](const Row& row) {
                const bool estimated = (row.*inclusive).estimated;
                return budget || estimated ? Value(estimated) : Value();
              },
          .csv = csv,
          .csv_value = [=](const Row& row) { return (row.*inclusive).estimated; }};
}

/// What tables have behind their estimates: the ends of the interval of visits, whether the row may be believed, by the
/// error of its own time, and whether it was muted.
template <class Row> List<Row> columns_behind_estimates(SamplingError Row::* own, bool csv) {
  return List<Row>{
      {.key = "visits_low",
       .value = [](const Row& row) { return end_of_visits(row.visits - row.visits_below, row.visits_above > 0); },
       .csv = false},
      {.key = "visits_high",
       .value = [](const Row& row) { return end_of_visits(row.visits + row.visits_above, row.visits_above > 0); },
       .csv = false},
      {.key = "reliable", .value = [=](const Row& row) { return reliable(row.*own); }, .csv = csv},
      {.key = "muted",
       .value = [](const Row& row) { return row.muted ? Value(true) : Value(); },
       .csv = csv,
       .csv_value = &Row::muted},
  };
}

/// A CSV table with its titles.
template <class Row, class Rows> std::string csv_table(const List<Row>& list, const Rows& rows) {
  const auto columns = in_order(list, [](const Column<Row>& c) { return c.csv && c.value; }, &Column<Row>::csv_after);
  std::string text;
  {
    csv::Line titles(text);
    for (const Column<Row>* column : columns) add_titles(titles, column->key, column->fields);
  }
  for (const Row& row : rows) {
    csv::Line line(text);
    for (const Column<Row>* column : columns)
      add_fields(line, (column->csv_value ? column->csv_value : column->value)(row), column->fields);
  }
  return text;
}

/// Adds a row's columns to a JSON object.
template <class Row> void add_columns(Json& object, const List<Row>& list, const Row& row) {
  for (const Column<Row>& column : list)
    if (column.json && column.value) add_json(object, column.key, column.json_path, column.value(row));
}

/// A JSON object for each row.
template <class Row, class Rows> Json json_rows(const List<Row>& list, const Rows& rows) {
  Json objects = Json::array();
  for (const Row& row : rows) {
    objects.push_back(Json::object());
    add_columns(objects.back(), list, row);
  }
  return objects;
}

/// The columns that people see.
template <class Row>
std::vector<const Column<Row>*> text_columns(const List<Row>& list, const Narrowing& narrowing) {
  return in_order(
      list, [&](const Column<Row>& c) { return c.text.cell && narrowing.step <= c.text.steps; },
      &Column<Row>::text_after);
}

/// Titles of the columns with text that are in the table, but not in the narrower one; of one without a title its key.
template <class Row, class Rows>
std::string titles_left_out(const List<Row>& list, const Rows& rows, const Narrowing& narrowing) {
  std::string titles;
  for (const Column<Row>* column : text_columns(list, {})) {
    const bool any =
        std::any_of(rows.begin(), rows.end(), [&](const Row& row) { return !column->text.cell(row).text.empty(); });
    const std::string& title = column->text.title.empty() ? column->key : column->text.title;
    if (narrowing.step > column->text.steps && any) titles += (titles.empty() ? "" : ", ") + title;
  }
  return titles;
}

/// A table for people.
template <class Row, class Rows>
Table text_table(const List<Row>& list, const Rows& rows, const Narrowing& narrowing = {}) {
  const auto columns = text_columns(list, narrowing);
  const bool intervals = narrowing.errors == ErrorColumn::interval;
  Table table;
  for (const Column<Row>* column : columns) {
    const TextPart<Row>& text = column->text;
    table.columns.push_back({text.title, text.align, text.gives_way, text.least});
    if (text.error)
      table.columns.push_back(
          {intervals ? "" : narrowing.error_title, intervals ? TableColumn::Align::left : TableColumn::Align::right});
  }
  for (const Row& row : rows) {
    std::vector<Cell>& cells = table.rows.emplace_back();
    for (const Column<Row>* column : columns) {
      cells.push_back(column->text.cell(row));
      if (column->text.error) cells.emplace_back(column->text.error(row, narrowing.errors));
    }
  }
  return table;
}

/// Its legend: `mean, max: of ...; bytes: ...`, in the order of the columns.
template <class Row> std::string legend_of(const List<Row>& list, const Narrowing& narrowing = {}) {
  std::vector<std::pair<std::string, LegendPart>> parts;
  for (const Column<Row>* column : text_columns(list, narrowing)) {
    LegendPart part = column->text.legend;
    if (part.holds.empty()) part.holds = column->means;
    parts.emplace_back(column->text.title, part);
  }
  return legend_text(parts);
}

} // namespace andes::postproc::columns
