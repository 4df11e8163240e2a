// Times are the location's own, in the run file in nanoseconds. Parts of wall time are for people alone, and go with
// the synchronisation when lines are too long.
#include "postproc/view/columns/locations.h"

#include <algorithm>
#include <fmt/format.h>

#include "postproc/analysis/busy_machine.h"
#include "postproc/analysis/warnings.h"
#include "postproc/view/number.h"

namespace andes::postproc::columns {
namespace {

using Row = ShownLocation;

std::optional<double> seconds(const std::optional<double>& ns) { return ns ? std::optional(*ns * 1e-9) : std::nullopt; }

Cell text(const std::optional<double>& ns) { return ns ? seconds_text(*ns * 1e-9) : std::string(); }

/// A time of the location.
template <class Member> Column<Row> time(const char* key, const char* title, Member ns) {
  return {.key = key,
          .value = [ns](const Row& row) { return Value(seconds(row.location->*ns)); },
          .text = {.title = title, .cell = [ns](const Row& row) { return text(row.location->*ns); }}};
}

/// For people, its part of the wall time.
template <class Member> Column<Row> part(Member ns, int steps = always) {
  return {.text = {.title = "%",
                   .cell =
                       [ns](const Row& row) {
                         const std::optional<double> part_ns = row.location->*ns;
                         const double wall_ns = row.location->wall_ns;
                         return part_ns && wall_ns > 0 ? fixed(100 * *part_ns / wall_ns, 1) : std::string();
                       },
                   .steps = steps}};
}

/// The same time, for programs alone.
template <class Member> Column<Row> untold(const char* key, Member ns) {
  Column<Row> column = time(key, "", ns);
  column.text = {};
  return column;
}

/// Bytes, for programs alone.
Column<Row> bytes(const char* key, std::optional<double> Location::* count) {
  return {.key = key, .value = [count](const Row& row) {
            const std::optional<double> bytes = row.location->*count;
            return bytes ? Value(Whole{*bytes}) : Value();
          }};
}

bool is_main(const Row& row) { return row.location->thread == 0; }

std::string number(const Row& row) {
  return is_main(row) ? std::to_string(row.location->rank)
                      : fmt::format("{}.{}", row.location->rank, row.location->thread);
}

/// What the location has counted in all call paths; nothing of one whose values are not in the file.
List<Row> counters(const Profile& profile, const Tree& tree) {
  if (tree.event_totals.empty()) return {};
  const std::size_t events = profile.events.size();
  const auto total = [&tree, events](const Row& row, std::size_t event) {
    return tree.event_totals[row.number * events + event].value_or(0);
  };
  List<Row> list;
  for (std::size_t event = 0; event < events; ++event)
    append(list, List<Row>{{.key = profile.events[event],
                            .value =
                                [=](const Row& row) {
                                  return row.location->has_values ? Value(Whole{total(row, event)}) : Value();
                                },
                            .json_path = {"counters", profile.events[event]}}});
  if (const auto per = cycle_events(profile.events))
    append(list, List<Row>{{.key = "instructions_per_cycle", .value = [=](const Row& row) {
                              return row.location->has_values
                                         ? Value(per_cycle(total(row, per->instructions), total(row, per->cycles)))
                                         : Value();
                            }}});
  return list;
}

/// Of the rank: what its threads have done beside each other.
template <class Member> auto of_rank(Member member) {
  return [member](const Row& row) { return row.rank_threads ? Value(row.rank_threads->*member) : Value(); };
}

/// Least, mean and largest, in one unit.
std::string spread(const OverThreads& over) {
  const AlikeTimes times = alike_times({over.min, over.mean, over.max});
  const std::string unit = times.unit == std::string("s") ? "" : ' ' + std::string(times.unit);
  return fmt::format("{} {} {}{}", times.texts[0], times.texts[1], times.texts[2], unit);
}

std::string spread_above_zero(const std::optional<OverThreads>& over) {
  return over && over->max > 0 ? spread(*over) : std::string();
}

} // namespace

std::vector<ShownLocation> shown_locations(const Profile& profile, const Threads& threads,
                                           const std::vector<int>& chosen) {
  std::vector<ShownLocation> rows;
  std::size_t rank = 0;
  for (std::size_t i = 0; i < profile.locations.size(); ++i) {
    const Location& l = profile.locations[i];
    if (!chosen.empty() && std::find(chosen.begin(), chosen.end(), l.rank) == chosen.end()) continue;
    rows.push_back({&l, i, l.thread == 0 ? &threads.ranks[rank++] : nullptr});
  }
  return rows;
}

List<ShownLocation> locations(const Profile& profile, const Tree& tree) {
  const auto overlap = [&tree](const Row& row) {
    const auto found = tree.overlaps.find(row.location->rank);
    return is_main(row) && found != tree.overlaps.end() ? std::optional(found->second) : std::nullopt;
  };
  Column<Row> synchronisation = time("synchronisation_s", "sync. s", &Location::synchronisation_ns);
  synchronisation.text.steps = 0;
  Column<Row> io = time("io_s", "i/o s", &Location::io_ns);
  io.text.cell = [](const Row& row) {
    return row.location->io_ns.value_or(0) > 0 ? text(row.location->io_ns) : Cell();
  };
  List<Row> list{
      {.key = "rank",
       .value = [](const Row& row) { return is_main(row) ? Value(row.location->rank) : Value(); },
       .text = {.title = "rank", .cell = number}},
      {.key = "thread", .value = [](const Row& row) { return is_main(row) ? Value() : Value(row.location->thread); }},
      time("wall_s", "wall s", &Location::wall_ns),
      time("compute_s", "compute s", &Location::compute_ns),
      part(&Location::compute_ns, 0),
      time("communication_s", "comm. s", &Location::communication_ns),
      part(&Location::communication_ns, 0),
      time("idle_s", "idle s", &Location::idle_ns),
      part(&Location::idle_ns),
      io,
      bytes("bytes_read", &Location::bytes_read),
      bytes("bytes_written", &Location::bytes_written),
      {.text = {.title = "overlap %",
                .cell =
                    [overlap](const Row& row) {
                      const std::optional<OverlapPercent> bounds = overlap(row);
                      return bounds ? bounds_text(bounds->low, bounds->high) : std::string();
                    }}},
      time("tool_s", "tool s", &Location::tool_ns),
      synchronisation,
      {.key = "wait_at_end_s",
       .value = [](const Row& row) { return seconds(row.location->wait_at_end_ns); },
       .text = {.title = "end wait s",
                .cell = [](const Row& row) { return is_main(row) ? text(row.location->wait_at_end_ns) : Cell(); }}},
      untold("init_s", &Location::init_ns),
      {.key = "off_s",
       .value = [](const Row& row) { return seconds(row.location->off_ns); },
       .text = {.title = "off s",
                .cell =
                    [](const Row& row) {
                      return row.location->off_ns.value_or(0) > 0 ? text(row.location->off_ns) : Cell();
                    }}},
      {.text = {.title = "host",
                .cell =
                    [&profile](const Row& row) {
                      const std::optional<int> host = row.location->host;
                      return host && profile.hosts.size() > 1 ? profile.hosts[static_cast<std::size_t>(*host)].name
                                                              : std::string();
                    },
                .align = TableColumn::Align::left,
                .gives_way = true}},
      {.key = "core_wait_s",
       .value = [](const Row& row) { return seconds(row.location->core_wait_ns); },
       .text = {.title = "no core s",
                .cell =
                    [](const Row& row) {
                      const double wait_ns = row.location->core_wait_ns.value_or(0);
                      return wait_ns >= shown_core_wait_percent / 100 * row.location->wall_ns ? text(wait_ns) : Cell();
                    }}},
      {.key = "has_values", .value = [](const Row& row) { return row.location->has_values; }},
  };
  append(list, counters(profile, tree));
  append(list, List<Row>{{.key = "threads", // of this rank, the main one first; its others come behind it
                          .value =
                              [own = threads()](const Row& row) {
                                return is_main(row) ? Value(json_rows(own, std::vector{row})) : Value();
                              }},
                         {.key = "thread_load_balance", .value = of_rank(&RankThreads::load_balance)},
                         {.key = "serial_s", .value = of_rank(&RankThreads::serial_s)},
                         {.key = "serial_percent", .value = of_rank(&RankThreads::serial_percent)},
                         {.key = "overlap_percent", .value = overlap}});
  return list;
}

List<ShownLocation> threads() {
  Column<Row> synchronisation = untold("synchronisation_s", &Location::synchronisation_ns);
  synchronisation.json = false;
  return List<ShownLocation>{
      {.key = "rank", .value = [](const Row& row) { return row.location->rank; }, .json = false},
      {.key = "thread", .value = [](const Row& row) { return row.location->thread; }},
      untold("wall_s", &Location::wall_ns),
      untold("compute_s", &Location::compute_ns),
      untold("communication_s", &Location::communication_ns),
      untold("idle_s", &Location::idle_ns),
      untold("tool_s", &Location::tool_ns),
      synchronisation,
      untold("team_idle_s", &Location::team_idle_ns),
      untold("parallel_s", &Location::parallel_ns),
      untold("io_s", &Location::io_ns),
  };
}

List<RankThreads> rank_threads() {
  using R = const RankThreads&;
  return List<RankThreads>{
      {.text = {.title = "rank", .cell = [](R r) { return std::to_string(r.rank); }}},
      {.text = {.title = "threads", .cell = [](R r) { return std::to_string(r.count); }}},
      {.text = {.title = "bal.",
                .cell = [](R r) -> Cell {
                  return {r.load_balance ? fixed(*r.load_balance, 2) : "",
                          r.load_balance.value_or(1) < acceptable_efficiency ? Style::yellow : Style::plain};
                }}},
      {.text = {.title = "wall s", .cell = [](R r) { return spread(r.wall_s); }}},
      {.text = {.title = "compute s", .cell = [](R r) { return spread(r.compute_s); }}},
      {.text = {.title = "comm. s", .cell = [](R r) { return spread_above_zero(r.communication_s); }}},
      {.text = {.title = "idle s", .cell = [](R r) { return spread_above_zero(r.idle_s); }}},
      {.text = {.title = "serial s",
                .cell = [](R r) { return r.serial_s ? seconds_text(*r.serial_s) : std::string(); }}},
      {.text = {.title = "%",
                .cell = [](R r) { return r.serial_percent ? fixed(*r.serial_percent, 1) : std::string(); }}},
  };
}

} // namespace andes::postproc::columns
