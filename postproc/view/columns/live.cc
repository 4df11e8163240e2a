// People see the shares of ranks in the last interval, where there is one, and beside them what they computed since the
// start. Whatever comes from the program is made printable for them.
#include "postproc/view/columns/live.h"

#include <fmt/format.h>

#include "postproc/analysis/warnings.h"
#include "postproc/view/name.h"
#include "postproc/view/number.h"
#include "postproc/view/top_text.h"

namespace andes::postproc::columns {
namespace {

constexpr double heavy_percent = 10; // worth bold letters
constexpr double long_in_mpi_ns = 10e9; // worth a colour

using Status = LiveRank::Status;

std::string path_text(const LivePath& path) { return printable(joined_path(path.names)); }

Column<LiveShare> share(const char* key, const char* title, double LiveShare::* part, int steps = always) {
  return {.key = key,
          .value = part,
          .text = {.title = title, .cell = [part](const LiveShare& s) { return fixed(s.*part, 1); }, .steps = steps}};
}

const LiveShare* if_known(const std::optional<LiveShare>& share) { return share ? &*share : nullptr; }

const LiveShare* last(const LiveRankRow& row) { return if_known(row.shares.last); }

const LiveShare* whole_run(const LiveRankRow& row) { return if_known(row.shares.whole); }

const char* word_of(Status status) {
  switch (status) {
  case Status::starting: return "starting";
  case Status::running: return "running";
  case Status::off: return "off";
  case Status::finalizing: return "finalizing";
  case Status::ended: break;
  }
  return "ended";
}

bool is_starting(const LiveRankRow& row) { return row.rank->status == Status::starting; }

Cell doing_now(const LiveRankRow& row) {
  const LiveRank& rank = *row.rank;
  const std::string where = rank.now ? path_text(*rank.now) : "";
  switch (rank.status) {
  case Status::starting: return {"(before the return of MPI_Init)", Style::dim};
  case Status::off: return {"(switched off) " + where, Style::dim};
  case Status::finalizing: return {"(in MPI_Finalize)", Style::dim};
  case Status::ended: return {printable(rank.ending), Style::red};
  case Status::running: break;
  }
  return {where, rank.now && rank.now->mpi ? Style::cyan : Style::plain};
}

Cell open_for(const LiveRankRow& row) {
  const LiveRank& rank = *row.rank;
  if (rank.status != Status::running || !rank.now || !rank.now_ns) return {};
  return {span_text(*rank.now_ns), rank.now->mpi && *rank.now_ns > long_in_mpi_ns ? Style::yellow : Style::plain};
}

/// For people, the shares of a rank.
List<LiveRankRow> shares_text(bool has_interval) {
  List<LiveShare> first = live_shares(), start = live_shares();
  first[1].text.steps = 3;
  first[2].text = start[1].text = start[2].text = start[3].text = {};
  first[3].text.steps = 3;
  start[0].text.title = "start";
  start[0].text.steps = 2;
  List<LiveRankRow> list = of_part<LiveRankRow>(first, has_interval ? last : whole_run);
  if (has_interval) append(list, of_part<LiveRankRow>(start, whole_run));
  return text_alone(list);
}

} // namespace

List<LiveShare> live_shares() {
  Column<LiveShare> io = share("io_percent", "i/o %", &LiveShare::io);
  io.text.cell = [](const LiveShare& s) { return s.io > 0 ? fixed(s.io, 1) : std::string(); };
  return List<LiveShare>{share("compute_percent", "compute %", &LiveShare::compute),
                         share("communication_percent", "MPI %", &LiveShare::communication),
                         share("tool_percent", "andes %", &LiveShare::tool), io};
}

std::string interval_title(const LiveView& view) { return fmt::format("last {:.1f} s", view.interval_s); }

List<LiveKinds> live_kinds(const LiveView& view, bool wide) {
  List<LiveKinds> list{{.text = {.title = view.ended > 0 ? "all ranks seen" : "all ranks",
                                 .cell = [](const LiveKinds& kinds) { return kinds.title; },
                                 .align = left,
                                 .gives_way = true}}};
  List<LiveShare> shares = live_shares();
  if (!wide) shares[2].text = {};
  append(list, of_part<LiveKinds>(shares, [](const LiveKinds& kinds) { return if_known(kinds.share); }));
  append(list, List<LiveKinds>{
                   {.text = {.title = wide ? "load balance" : "balance", .cell = [](const LiveKinds& kinds) -> Cell {
                               const bool uneven = kinds.balance.value_or(1) < acceptable_efficiency;
                               return {kinds.balance ? fixed(kinds.balance, 2) : "",
                                       uneven ? Style::yellow : Style::plain};
                             }}}});
  return text_alone(list);
}

List<LivePathRow> live_paths(const LiveView& view) {
  using P = const LivePathRow&;
  return List<LivePathRow>{
      {.key = "path",
       .value = [](P row) { return row.path->names; },
       .text = {.title = "call path",
                .cell = [](P row) -> Cell {
                  const bool heavy = row.last_percent.value_or(row.whole_percent) >= heavy_percent;
                  return {path_text(*row.path), row.path->mpi ? Style::cyan : heavy ? Style::bold : Style::plain};
                },
                .align = left,
                .gives_way = true,
                .least = 16}},
      {.key = "mpi", .value = [](P row) { return row.path->mpi; }},
      {.key = "percent",
       .value = &LivePathRow::whole_percent,
       .text = {.title = view.interval_s > 0 ? "start" : "% of p x T",
                .cell = [](P row) { return fixed(row.whole_percent, 1); }},
       .text_after = "last_percent"},
      {.key = "last_percent",
       .value = &LivePathRow::last_percent,
       .text = {.title = interval_title(view),
                .cell = [](P row) { return row.last_percent ? fixed(row.last_percent, 1) : ""; }}},
  };
}

List<LiveRankRow> live_ranks(const LiveView& view, const LiveBar& bar) {
  using R = const LiveRankRow&;
  const bool has_interval = view.interval_s > 0;
  List<LiveRankRow> list{
      {.key = "rank",
       .value = [](R row) { return is_starting(row) ? Value() : Value(row.rank->rank); },
       .text = {.title = "rank",
                .cell =
                    [](R row) {
                      return is_starting(row) ? fmt::format("pid {}", row.rank->process)
                                              : std::to_string(row.rank->rank);
                    }}},
      {.text = {.cell = [bar, has_interval](R row) -> Cell {
                  return {bar(has_interval ? row.shares.last : row.shares.whole), Style::green};
                },
                .align = left,
                .steps = 1}},
      {.key = "host", .value = [](R row) { return row.rank->host; }},
      {.key = "process", .value = [](R row) { return row.rank->process; }},
      {.key = "status", .value = [](R row) { return word_of(row.rank->status); }},
      {.key = "ending", .value = [](R row) { return known(row.rank->ending); }},
      {.key = "wall_s",
       .value = [](R row) { return row.rank->wall_ns > 0 ? Value(row.rank->wall_ns * 1e-9) : Value(); }},
  };
  append(list, without_text(of_part<LiveRankRow>(within("last", live_shares()), last)));
  append(list, without_text(of_part<LiveRankRow>(within("since_start", live_shares()), whole_run)));
  append(list, shares_text(has_interval));
  append(list,
         List<LiveRankRow>{
             {.key = "now_in",
              .value = [](R row) { return row.rank->now ? Value(row.rank->now->names) : Value(); },
              .text = {.title = "now in", .cell = doing_now, .align = left, .gives_way = true, .least = 12},
              .text_after = "open_for_s"},
             {.key = "in_mpi", .value = [](R row) { return row.rank->now ? Value(row.rank->now->mpi) : Value(); }},
             {.key = "open_for_s",
              .value =
                  [](R row) {
                    const LiveRank& rank = *row.rank;
                    return rank.now && rank.now_ns ? Value(*rank.now_ns * 1e-9) : Value();
                  },
              .text = {.title = "open for", .cell = open_for}},
         });
  return list;
}

} // namespace andes::postproc::columns
