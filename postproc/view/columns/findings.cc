// For people the effect stands first. Programs get all other sides, and the heaviest one in columns of its own.
#include "postproc/view/columns/findings.h"

#include "postproc/view/name.h"
#include "postproc/view/number.h"

namespace andes::postproc::columns {
namespace {

List<Place> place(const std::string& prefix = {}) {
  return List<Place>{{.key = prefix + "file", .value = [](const Place& p) { return known(p.file); }},
                     {.key = prefix + "line", .value = [](const Place& p) { return known_line(p.line); }}};
}

/// Null where the line is not known: then programs get no file either.
const Place* known_place(const WaitPeer& side) { return side.place.line > 0 ? &side.place : nullptr; }

const WaitPeer* heaviest(const std::vector<WaitPeer>& sides) { return sides.empty() ? nullptr : &sides.front(); }

const WaitPeer* peer(const Finding& f) { return heaviest(f.peers); }

const WaitPeer* origin(const Finding& f) { return heaviest(f.origins); }

using Side = const WaitPeer&;

Value doing(Side side) {
  if (side.doing_path.empty()) return {};
  return std::string(side.doing_io ? "input_output" : "computation");
}
Value doing_path(Side side) { return side.doing_path.empty() ? Value() : Value(side.doing_path); }
Value doing_s(Side side) { return side.doing_path.empty() ? Value() : Value(side.doing_s); }

/// What is known of origins beside what is known of peers.
List<WaitPeer> origin_columns() {
  List<WaitPeer> list{{.key = "cost_s", .value = &WaitPeer::cost_s},
                      {.key = "doing", .value = doing},
                      {.key = "doing_path", .value = doing_path},
                      {.key = "doing_s", .value = doing_s}};
  return list;
}

List<WaitPeer> sides() {
  using S = const WaitPeer&;
  List<WaitPeer> list{{.key = "path", .value = [](S side) { return side.path.empty() ? Value() : Value(side.path); }}};
  append(list, of_part<WaitPeer>(place(), known_place));
  append(list, List<WaitPeer>{{.key = "rank", .value = &WaitPeer::rank},
                              {.key = "wait_s", .value = &WaitPeer::wait_s},
                              {.key = "events", .value = &WaitPeer::events}});
  return list;
}

Value sides_json(const std::vector<WaitPeer>& list) { return list.empty() ? Value() : Value(json_rows(sides(), list)); }

Value origins_json(const std::vector<WaitPeer>& list) {
  List<WaitPeer> columns = sides();
  append(columns, origin_columns());
  return list.empty() ? Value() : Value(json_rows(columns, list));
}

Value gains_json(const std::vector<Gain>& gains) {
  Json list = Json::array();
  for (const Gain& gain : gains) list.push_back(gain_json(gain));
  return gains.empty() ? Value() : Value(list);
}

Value follows_json(const std::optional<FindingName>& name) {
  return name ? Value(Json{{"cause", name->cause}, {"path", name->path}}) : Value();
}

Value ranks_json(const Finding& f) {
  Json list = Json::array();
  for (const WaitingRank& r : f.ranks) list.push_back({{"rank", r.rank}, {"wait_s", r.wait_s}});
  return list;
}

} // namespace

Json gain_json(const Gain& gain) {
  Json json{{"low", gain.low_s}, {"high", gain.high_s}};
  if (gain.value_s) json.update({{"value", *gain.value_s}, {"cure", gain.cure}});
  return json;
}

List<Finding> findings(const std::string& whole) {
  using F = const Finding&;
  Column<Finding> gain = gain_column("gain_s", "gain s", &Finding::gain);
  gain.text.align = left;
  List<Finding> list{
      {.key = "cause",
       .value = &Finding::cause,
       .text = {.title = "cause", .cell = title_of, .align = left},
       .text_after = "gain_s"},
      {.key = "title", .value = [](F f) { return known(f.title); }},
      {.key = "description", .value = [](F f) { return known(f.description); }},
      {.key = "severity_s", .value = &Finding::severity_s},
      {.key = "error_s", .value = &Finding::error_s},
      {.key = "percent",
       .value = &Finding::percent,
       .text = {.title = "% of " + whole, .cell = [](F f) { return fixed(f.percent, 1); }}},
      {.key = "percent_of", .value = [](F f) { return f.whole == WaitWhole::ranks ? Value() : Value(f.whole); }},
      gain,
      {.key = "gains", .value = [](F f) { return gains_json(f.gains); }},
      {.key = "follows", .value = [](F f) { return follows_json(f.follows); }},
      {.key = "events", .value = &Finding::events},
      {.key = "path",
       .value = &Finding::path,
       .text = {.title = "call path",
                .cell = [](F f) -> Cell {
                  return {joined_path(f.path), is_mpi_kind(f.kind) ? Style::cyan : Style::plain};
                },
                .align = left,
                .gives_way = true}},
      {.key = "kind", .value = &Finding::kind},
      {.text = {.cell = [](F f) { return source_text(f.path, f.place); }, .align = left}},
  };
  append(list, of_part<Finding>(place(), [](F f) { return &f.place; }));
  append(list,
         List<Finding>{{.key = "peer_path", .value = [](F f) { return peer(f) ? peer(f)->path : Value::Names(); }}});
  append(list, of_part<Finding>(of_part<WaitPeer>(place("peer_"), known_place), peer));
  append(list, List<Finding>{
                   {.key = "peer_rank", .value = [](F f) { return peer(f) ? Value(peer(f)->rank) : Value(); }},
                   {.key = "peers", .value = [](F f) { return sides_json(f.peers); }},
                   {.key = "origin",
                    .value = [](F f) { return origin(f) ? Value(origin(f)->path) : Value(); },
                    .json_path = {"origin", "path"}},
                   {.key = "origin",
                    .value = [](F f) { return origin(f) ? Value(origin(f)->rank) : Value(); },
                    .json_path = {"origin", "rank"}},
                   {.key = "origin_path", .value = [](F f) { return origin(f) ? Value(origin(f)->path) : Value(); }},
                   {.key = "origin_rank", .value = [](F f) { return origin(f) ? Value(origin(f)->rank) : Value(); }},
                   {.key = "origins", .value = [](F f) { return origins_json(f.origins); }},
                   {.key = "ranks", .value = ranks_json},
                   {.key = "advice", .value = &Finding::advice},
               });
  return list;
}

} // namespace andes::postproc::columns
