// Balances and efficiencies that are not known are a dash or nothing for people, as they were asked for or not. Factors
// of efficiency that lose a fifth and more are coloured.
#include "postproc/view/columns/points.h"

#include <algorithm>
#include <fmt/format.h>

#include "postproc/analysis/busy_machine.h"
#include "postproc/view/columns/hybrid.h"
#include "postproc/view/fraction.h"
#include "postproc/view/number.h"

namespace andes::postproc::columns {
namespace {

Style style_of(const ScalingPoint& point) {
  if (!point.usable) return Style::dim;
  return point.efficiency.median < acceptable_efficiency ? Style::yellow : Style::plain;
}

List<Efficiency> efficiency() {
  return List<Efficiency>{
      {.key = "parallel_efficiency",
       .value = &Efficiency::parallel,
       .text = {.title = "parallel %", .cell = [](const Efficiency& e) { return efficiency_cell(e.parallel); }},
       .json_path = {"efficiency_hierarchy", "parallel"}},
      {.key = "load_balance_efficiency",
       .value = &Efficiency::load_balance,
       .text = {.title = "load balance %", .cell = [](const Efficiency& e) { return efficiency_cell(e.load_balance); }},
       .json_path = {"efficiency_hierarchy", "load_balance"}},
      {.key = "communication_efficiency",
       .value = &Efficiency::communication,
       .text = {.title = "communication %",
                .cell = [](const Efficiency& e) { return efficiency_cell(e.communication); }},
       .json_path = {"efficiency_hierarchy", "communication"}},
      {.key = "serialisation",
       .value = &Efficiency::serialisation,
       .text = {.title = "serialisation %",
                .cell = [](const Efficiency& e) { return efficiency_cell(e.serialisation); }},
       .json_path = {"efficiency_hierarchy", "serialisation"}},
      {.key = "transfer",
       .value = &Efficiency::transfer,
       .text = {.title = "transfer %", .cell = [](const Efficiency& e) { return efficiency_cell(e.transfer); }},
       .json_path = {"efficiency_hierarchy", "transfer"}},
  };
}

/// The same in a row of sizes.
List<SizeRow> efficiency_of_size() {
  return of_part<SizeRow>(efficiency(), [](const SizeRow& row) {
    const std::optional<Efficiency>& e = row.shares->efficiency;
    return e ? &*e : nullptr;
  });
}

List<SizeRow> hybrid_of_size(bool any) {
  List<SizeRow> list = of_part<SizeRow>(within("hybrid_efficiency", hybrid()), [](const SizeRow& row) {
    const std::optional<Hybrid>& h = row.shares->hybrid;
    return h ? &*h : nullptr;
  });
  for (Column<SizeRow>& column : list) column.csv = column.csv && any;
  return list;
}

template <class Member> auto of_point(Member member) {
  return [member](const SizeRow& row) { return Value(row.point->*member); };
}

template <class Member> auto of_shares(Member member) {
  return [member](const SizeRow& row) { return Value(row.shares->*member); };
}

/// A balance, people see "-" for none.
auto balance(std::optional<double> PointShares::* member) {
  return [member](const SizeRow& row) { return fixed(row.shares->*member, 2); };
}

template <class Member> auto share(Member member) {
  return [member](const SizeRow& row) { return percent_text(row.shares->*member); };
}

/// A share that people see where it is above zero.
auto if_any(std::optional<double> PointShares::* member) {
  return [member](const SizeRow& row) {
    const std::optional<double> value = row.shares->*member;
    return value.value_or(0) > 0 ? percent_text(value) : Cell();
  };
}

std::string size_title(Axis axis) { return fmt::format("{}s", unit_of(axis)); }

} // namespace

std::vector<SizeRow> size_rows(const std::vector<ScalingPoint>& points, const std::vector<PointShares>& shares) {
  std::vector<SizeRow> rows;
  for (std::size_t i = 0; i < points.size(); ++i) rows.push_back({&points[i], &shares[i]});
  return rows;
}

List<SizeRow> sizes(const Report& report) {
  const auto& shares = report.grid ? report.grid_shares : report.shares;
  const auto any = [&shares](auto test) { return std::any_of(shares.begin(), shares.end(), test); };
  const bool grid = report.grid.has_value(), whole_runs = report.unfinished.empty();
  const auto of_whole_runs = [whole_runs](Estimate ScalingPoint::* member) {
    return [=](const SizeRow& row) { return whole_runs ? Value(row.point->*member) : Value(); };
  };
  List<SizeRow> list{
      {.key = "ranks",
       .value = of_point(&ScalingPoint::ranks),
       .text = {.title = "ranks", .cell = [](const SizeRow& row) { return std::to_string(row.point->ranks); }}},
      {.key = "threads",
       .value = [grid](const SizeRow& row) { return grid ? Value(row.point->threads) : Value(); },
       .text = {.title = "threads",
                .cell = [grid](const SizeRow& row) { return grid ? std::to_string(row.point->threads) : ""; }},
       .csv = grid},
      {.key = "cores",
       .value = [grid](const SizeRow& row) { return grid ? Value(row.point->ranks * row.point->threads) : Value(); },
       .csv = false},
      {.key = "repeats", .value = of_point(&ScalingPoint::repeats)},
      {.key = "oversubscribed", .value = of_point(&ScalingPoint::oversubscribed)},
      {.key = "time_s", .value = of_point(&ScalingPoint::time_s), .fields = Fields::estimate},
      {.key = "speedup", .value = of_whole_runs(&ScalingPoint::speedup), .fields = Fields::estimate},
      {.key = "efficiency", .value = of_whole_runs(&ScalingPoint::efficiency), .fields = Fields::estimate},
      {.key = "relative_speedup", .value = of_point(&ScalingPoint::relative_speedup), .csv = false},
      {.key = "serial_fraction", .value = of_point(&ScalingPoint::serial_fraction), .fields = Fields::estimate},
      {.key = "serial_share_of_base", .value = of_point(&ScalingPoint::base_share), .csv = false},
      {.key = "load_balance",
       .value = of_shares(&PointShares::load_balance),
       .text = {.title = "load balance", .cell = balance(&PointShares::load_balance)}},
      {.key = "thread_load_balance",
       .value = of_shares(&PointShares::thread_load_balance),
       .text = {.title = "thread balance",
                .cell =
                    [](const SizeRow& row) {
                      return row.shares->thread_load_balance ? fixed(row.shares->thread_load_balance, 2)
                                                             : std::string();
                    }},
       .csv = any([](const PointShares& s) { return s.thread_load_balance.has_value(); })},
      {.key = "communication_balance",
       .value = of_shares(&PointShares::communication_balance),
       .text = {.title = "comm. balance", .cell = balance(&PointShares::communication_balance)}},
      {.key = "bytes_balance",
       .value = of_shares(&PointShares::bytes_balance),
       .text = {.title = "bytes balance", .cell = balance(&PointShares::bytes_balance)}},
      {.text = {.title = "compute %", .cell = share(&PointShares::compute_percent)}},
      {.key = "communication_percent",
       .value = of_shares(&PointShares::communication_percent),
       .text = {.title = "comm. %", .cell = share(&PointShares::communication_percent)}},
      {.key = "synchronisation_percent",
       .value = of_shares(&PointShares::synchronisation_percent),
       .text = {.title = "sync. %", .cell = share(&PointShares::synchronisation_percent)}},
      {.key = "idle_percent",
       .value = of_shares(&PointShares::idle_percent),
       .text = {.title = "idle %", .cell = share(&PointShares::idle_percent)}},
      {.key = "io_percent",
       .value = of_shares(&PointShares::io_percent),
       .text = {.title = "i/o %", .cell = if_any(&PointShares::io_percent)}},
      {.key = "core_wait_percent",
       .value = of_shares(&PointShares::core_wait_percent),
       .text = {.title = "no core %",
                .cell =
                    [](const SizeRow& row) {
                      const double percent = row.shares->core_wait_percent.value_or(0);
                      return percent >= shown_core_wait_percent ? fixed(percent, 1) : std::string();
                    }}},
      {.key = "io_balance",
       .value = of_shares(&PointShares::io_balance),
       .text = {.title = "i/o balance",
                .cell =
                    [](const SizeRow& row) {
                      return row.shares->io_balance ? fixed(row.shares->io_balance, 2) : std::string();
                    }}},
      {.key = "init_s",
       .value = of_shares(&PointShares::init_s),
       .text = {.title = "MPI_Init s",
                .cell =
                    [](const SizeRow& row) {
                      return row.shares->init_s ? seconds_text(*row.shares->init_s) : std::string();
                    }}},
      {.key = "bytes_read", .value = of_shares(&PointShares::bytes_read)},
      {.key = "bytes_written", .value = of_shares(&PointShares::bytes_written)},
  };
  append(list, without_text(efficiency_of_size()));
  append(list, without_text(hybrid_of_size(any([](const PointShares& s) { return s.hybrid.has_value(); }))));
  append(list, List<SizeRow>{{.key = "why_no_hybrid_efficiency",
                              .value = [](const SizeRow& row) { return known(row.shares->why_no_hybrid); },
                              .csv = false}});
  return list;
}

List<SizeRow> efficiencies() {
  List<SizeRow> list{
      {.text = {.title = "ranks", .cell = [](const SizeRow& row) { return std::to_string(row.point->ranks); }}}};
  append(list, efficiency_of_size());
  return list;
}

List<ScalingPoint> speedups(const Report& report, std::function<std::string(const ScalingPoint&)> bar) {
  using P = const ScalingPoint&;
  const bool grid = report.grid.has_value();
  return List<ScalingPoint>{
      {.text = {.title = size_title(report.scaling.axis),
                .cell = [](P p) -> Cell {
                  return {fmt::format("{}{}", p.size, p.oversubscribed ? "*" : ""), style_of(p)};
                }}},
      {.text = {.title = "ranks x threads",
                .cell = [grid](P p) { return grid ? fmt::format("{} x {}", p.ranks, p.threads) : ""; }}},
      {.text = {.title = "runs", .cell = [](P p) { return std::to_string(p.repeats); }}},
      {.text = {.title = "time s",
                .cell = [](P p) { return seconds_text(p.time_s.median); },
                .error = [](P p, ErrorColumn) { return seconds_spread(p.time_s); }}},
      {.text = {.title = "speedup",
                .cell = [](P p) -> Cell { return {fixed(p.speedup.median, 2), style_of(p)}; },
                .error = [](P p, ErrorColumn) { return spread_text(p.speedup, 3); }}},
      {.text = {.title = "efficiency %",
                .cell = [](P p) -> Cell { return {fixed(100 * p.efficiency.median, 1), style_of(p)}; }}},
      {.text = {.title = report.sequential ? "relative speedup" : "",
                .cell = [](P p) { return p.relative_speedup ? fixed(p.relative_speedup->median, 2) : std::string(); }}},
      {.text = {.title = "speedup, ideal", .cell = std::move(bar), .align = left}},
  };
}

List<ScalingPoint> serial_fractions(const Scaling& scaling) {
  using P = const ScalingPoint&;
  return List<ScalingPoint>{
      {.text = {.title = size_title(scaling.axis), .cell = [](P p) { return std::to_string(p.size); }}},
      {.text = {.title = "serial fraction",
                .cell = [](P p) { return fraction_text(p.serial_fraction); },
                .error = [](P p, ErrorColumn) { return fraction_spread(p.serial_fraction); }}},
      {.text = {.title = "serial share of the base run",
                .cell = [](P p) { return fraction_text(p.base_share); },
                .error = [](P p, ErrorColumn) { return fraction_spread(p.base_share); }}},
  };
}

} // namespace andes::postproc::columns
