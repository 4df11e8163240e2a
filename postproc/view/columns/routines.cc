// Percentages are inclusive, except own_percent. People see first what is largest; the call path, which gives way to
// numbers, stands at the end of their lines.
#include "postproc/view/columns/routines.h"

#include "postproc/view/diagnosis_text.h"
#include "postproc/view/name.h"
#include "postproc/view/number.h"

namespace andes::postproc::columns {
namespace {

Cell routine_balance(const Routine& r) {
  const bool uneven = r.load_balance && *r.load_balance < acceptable_efficiency;
  return {marked(fixed(r.load_balance, 2), r.inclusive_error_percent), uneven ? Style::yellow : Style::plain};
}

/// The name of a call site says where it is.
std::string routine_place(const Routine& r) {
  return r.kind == "call-site" ? std::string() : source_text(r.file, r.line);
}

Value causes(const Routine& r) {
  if (r.causes.empty()) return {};
  Json list = Json::array();
  for (const RoutineCause& c : r.causes) list.push_back({{"cause", c.cause}, {"percent", c.percent}});
  return list;
}

/// A number of visits that only estimated call paths tell.
auto if_estimated(double Routine::* visits) {
  return [visits](const Routine& r) { return r.inclusive_error_percent.estimated ? Value(Whole{r.*visits}) : Value(); };
}

} // namespace

List<Routine> routines(const Report& report) {
  const bool estimates = knows_estimates(report.sampling, report.cost), budget = report.cost.budget_percent.has_value();
  List<Routine> list{
      {.key = "path",
       .value = &Routine::path,
       .text = {.title = "call path",
                .cell = [](const Routine& r) -> Cell {
                  return {joined_path(r.path) + (r.muted ? " (muted)" : ""),
                          is_mpi_kind(r.kind) ? Style::cyan : Style::plain};
                },
                .align = left,
                .gives_way = true},
       .text_after = "synchronisation_percent"},
      {.key = "kind", .value = &Routine::kind},
      {.key = "file", .value = [](const Routine& r) { return known(r.file); }},
      {.key = "line",
       .value = [](const Routine& r) { return known_line(r.line); },
       .text = {.cell = routine_place, .align = left},
       .text_after = "path"},
      {.key = "ranks", .value = &Routine::ranks},
      {.key = "threads",
       .value = [&report](const Routine&) { return report.grid ? Value(report.routine_threads) : Value(); },
       .csv = false},
      {.key = "percent_of_total",
       .value = &Routine::percent_of_total,
       .text = {
           .title = "total %",
           .cell = [](const Routine& r) { return marked(fixed(r.percent_of_total, 1), r.inclusive_error_percent); },
           .error =
               [](const Routine& r, ErrorColumn column) {
                 return percent_error_text(r.percent_of_total, r.inclusive_error_percent, column);
               }}},
      {.key = "own_percent",
       .value = &Routine::own_percent,
       .text = {
           .title = "own %",
           .cell = [](const Routine& r) { return marked(fixed(r.own_percent, 1), r.own_error_percent); },
           .error = [](const Routine& r,
                       ErrorColumn column) { return percent_error_text(r.own_percent, r.own_error_percent, column); }}},
      {.key = "load_balance", .value = &Routine::load_balance, .text = {.title = "load bal.", .cell = routine_balance}},
      {.key = "communication_balance",
       .value = &Routine::communication_balance,
       .text = {.title = "comm. bal.",
                .cell = [](const Routine& r) { return fixed(r.communication_balance, 2); },
                .steps = 2}},
      {.key = "communication_percent",
       .value = &Routine::communication_percent,
       .text = {.title = "comm. %", .cell = [](const Routine& r) { return percent_text(r.communication_percent); }}},
      {.key = "idle_percent",
       .value = &Routine::idle_percent,
       .text = {.title = "idle %", .cell = [](const Routine& r) { return percent_text(r.idle_percent); }}},
      {.key = "io_percent",
       .value = &Routine::io_percent,
       .text = {.title = "i/o %",
                .cell =
                    [](const Routine& r) {
                      return r.io_percent.value_or(0) > 0 ? percent_text(r.io_percent) : Cell();
                    }},
       .csv_after = "synchronisation_percent"},
      {.key = "overlap_percent",
       .value = &Routine::overlap_percent,
       .text = {.title = "overlap %",
                .cell =
                    [](const Routine& r) {
                      return r.overlap_percent ? bounds_text(r.overlap_percent->low, r.overlap_percent->high)
                                               : std::string();
                    }},
       .csv = false},
      {.key = "causes", .value = causes, .csv = false},
      {.key = "non_communication_percent", // the total less communication: the first that finds no room
       .value = &Routine::non_communication_percent,
       .text = {.title = "other %",
                .cell =
                    [](const Routine& r) {
                      return marked(fixed(r.non_communication_percent, 1), r.inclusive_error_percent);
                    },
                .steps = 1}},
      {.key = "synchronisation_percent",
       .value = &Routine::synchronisation_percent,
       .text = {.title = "sync. %", .cell = [](const Routine& r) { return percent_text(r.synchronisation_percent); }}},
      estimated_column(&Routine::inclusive_error_percent, estimates, budget),
      {.key = "percent_of_total",
       .value = [](const Routine& r) { return ends_of(r.percent_of_total, r.inclusive_error_percent); },
       .fields = Fields::ends,
       .csv = estimates},
      {.key = "own_percent",
       .value = [](const Routine& r) { return ends_of(r.own_percent, r.own_error_percent); },
       .fields = Fields::ends,
       .csv = estimates},
      {.key = "visits", .value = if_estimated(&Routine::visits), .csv = false},
      {.key = "sampled_visits", .value = if_estimated(&Routine::sampled_visits), .csv = false},
      {.key = "timed_visits", .value = if_estimated(&Routine::timed_visits), .csv = false},
  };
  append(list, columns_behind_estimates(&Routine::own_error_percent, estimates));
  return list;
}

} // namespace andes::postproc::columns
