// Figures are the main threads'. What a rank with one thread does not have is absent in JSON and for people; CSV has
// its single thread.
#include "postproc/view/columns/ranks.h"

#include "postproc/analysis/warnings.h"
#include "postproc/view/number.h"

namespace andes::postproc::columns {
namespace {

template <class Member> auto seconds(Member member) {
  return [member](const RankRow& r) -> Cell {
    const std::optional<double> time_s = r.*member;
    return time_s ? seconds_text(*time_s) : std::string();
  };
}

Cell thread_balance(const RankRow& r) {
  return {r.thread_load_balance ? fixed(*r.thread_load_balance, 2) : "",
          r.thread_load_balance.value_or(1) < acceptable_efficiency ? Style::yellow : Style::plain};
}

} // namespace

List<RankRow> ranks() {
  return List<RankRow>{
      {.key = "rank",
       .value = &RankRow::rank,
       .text = {.title = "rank", .cell = [](const RankRow& r) { return std::to_string(r.rank); }}},
      {.key = "wall_s",
       .value = &RankRow::wall_s,
       .text = {.title = "wall s", .cell = seconds(&RankRow::wall_s)},
       .text_after = "wait_at_end_s"},
      {.key = "compute_s",
       .value = &RankRow::compute_s,
       .text = {.title = "compute s", .cell = seconds(&RankRow::compute_s)}},
      {.key = "communication_s",
       .value = &RankRow::communication_s,
       .text = {.title = "comm. s", .cell = seconds(&RankRow::communication_s)}},
      {.key = "idle_s", .value = &RankRow::idle_s, .text = {.title = "idle s", .cell = seconds(&RankRow::idle_s)}},
      {.key = "idle_percent",
       .value = &RankRow::idle_percent,
       .text = {.title = "idle % of T", .cell = [](const RankRow& r) { return percent_text(r.idle_percent); }}},
      {.key = "tool_s", .value = &RankRow::tool_s, .text = {.title = "tool s", .cell = seconds(&RankRow::tool_s)}},
      {.key = "synchronisation_s",
       .value = &RankRow::synchronisation_s,
       .text = {.title = "sync. s", .cell = seconds(&RankRow::synchronisation_s)}},
      {.key = "wait_at_end_s",
       .value = &RankRow::wait_at_end_s,
       .text = {.title = "end wait s", .cell = seconds(&RankRow::wait_at_end_s)}},
      {.key = "io_s",
       .value = &RankRow::io_s,
       .text = {.title = "i/o s",
                .cell = [](const RankRow& r) { return r.io_s.value_or(0) > 0 ? seconds_text(*r.io_s) : ""; }}},
      {.key = "bytes_read", .value = &RankRow::bytes_read},
      {.key = "bytes_written", .value = &RankRow::bytes_written},
      {.key = "threads",
       .value = [](const RankRow& r) { return r.threads > 1 ? Value(r.threads) : Value(); },
       .text = {.title = "threads",
                .cell = [](const RankRow& r) { return r.threads > 1 ? std::to_string(r.threads) : ""; }},
       .csv_value = &RankRow::threads},
      {.key = "thread_load_balance",
       .value = &RankRow::thread_load_balance,
       .text = {.title = "thread bal.", .cell = thread_balance}},
      {.key = "serial_percent",
       .value = &RankRow::serial_percent,
       .text = {.title = "serial %", .cell = [](const RankRow& r) { return percent_text(r.serial_percent); }}},
  };
}

} // namespace andes::postproc::columns
