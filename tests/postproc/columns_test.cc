// Tables of results: docs/json.md and docs/live.md have every column, docs/metrics.md says where each figure is defined,
// and CSV, JSON and text are made of one list as they say.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>

#include "postproc/analysis/tree.h"
#include "postproc/view/columns/callpaths.h"
#include "postproc/view/columns/changes.h"
#include "postproc/view/columns/checks.h"
#include "postproc/view/columns/comparison.h"
#include "postproc/view/columns/findings.h"
#include "postproc/view/columns/flat.h"
#include "postproc/view/columns/grid.h"
#include "postproc/view/columns/hybrid.h"
#include "postproc/view/columns/ledger.h"
#include "postproc/view/columns/left_out.h"
#include "postproc/view/columns/left_overs.h"
#include "postproc/view/columns/live.h"
#include "postproc/view/columns/locations.h"
#include "postproc/view/columns/models.h"
#include "postproc/view/columns/outliers.h"
#include "postproc/view/columns/overview.h"
#include "postproc/view/columns/phases.h"
#include "postproc/view/columns/points.h"
#include "postproc/view/columns/processor.h"
#include "postproc/view/columns/projection.h"
#include "postproc/view/columns/ranks.h"
#include "postproc/view/columns/routines.h"
#include "postproc/view/columns/serial_routines.h"
#include "postproc/view/columns/small_messages.h"
#include "postproc/view/columns/values.h"
#include "postproc/view/columns/what_if.h"

using namespace andes;
using namespace andes::postproc;
using namespace andes::postproc::columns;

namespace {

std::string read(const std::filesystem::path& file) {
  std::ifstream stream(file);
  REQUIRE(stream);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// Keys of a list that the page does not have, as `key` or in a JSON example as "key"; and names of columns to stand
/// behind that the list does not have.
template <class Row> std::string not_in(const std::string& page, const List<Row>& list) {
  std::string missing;
  const auto require = [&](const std::string& key) {
    if (page.find('`' + key + '`') == page.npos && page.find('"' + key + '"') == page.npos) missing += key + ' ';
  };
  for (const Column<Row>& column : list) {
    for (const std::string& after : {column.csv_after, column.text_after})
      if (std::none_of(list.begin(), list.end(), [&](const Column<Row>& other) { return other.key == after; }) &&
          !after.empty())
        missing += "behind " + after + ' ';
    const bool ends = column.fields == Fields::ends;
    if (!column.value) continue;
    if (column.csv && !ends) require(column.key);
    if (column.json && column.json_path.empty()) require(column.key);
    for (const std::string& name : column.json_path) require(name);
  }
  return missing;
}

/// A report that has all columns there are.
Report report_of_everything() {
  Report report;
  report.grid.emplace();
  report.cost.budget_percent = 1;
  PointShares shares;
  shares.thread_load_balance = 1;
  shares.hybrid.emplace();
  report.grid_shares = {shares};
  return report;
}

/// Calls `use` with the columns of every table.
template <class Use> void for_every_list(Use use) {
  const Report report = report_of_everything();
  Profile profile;
  profile.facts["budget_percent"] = 1.0;
  Tree tree;
  tree.rows.emplace_back().overlap_percent.emplace();
  Comparison comparison;
  comparison.grid = true;
  use(sizes(report));
  use(routines(report));
  use(ranks());
  use(processor_points(true));
  use(ledger_terms());
  use(ledger_origins(0, {}));
  use(ledger_paths(0));
  use(processor_paths());
  use(hybrid());
  use(callpaths(profile, tree));
  use(left_out());
  use(locations(profile, tree));
  use(threads());
  use(values(profile));
  use(endings(profile));
  use(trend());
  use(projections(report.scaling));
  use(splits());
  use(term_model());
  use(path_models(8, 32));
  use(forecasts(report.models));
  use(scaled_points(report.models));
  use(isoefficiency(report.models));
  use(lines());
  use(findings());
  use(functions({1, true, true}));
  use(files({1, true, true}));
  use(groups({1, true, true}));
  use(call_lines({1, true, true}));
  use(phases(profile));
  use(left_overs());
  use(steps(profile, "time step"));
  use(compared_points(comparison));
  use(compared_paths(comparison));
  use(compared_causes(comparison));
  use(checks());
  use(overview(true));
  use(axis_points());
  use(outliers());
  use(serial_routines());
  use(small_messages());
  use(what_if(report.what_if));
  use(size_changes([](const ChangeFigures&) { return std::string(); }, true, ">"));
  use(term_changes());
  use(path_changes(1, [](const PathChange&) { return std::string(); }));
  use(unlike_paths());
}

/// Columns that say what a row is of, lists, and texts: no figures.
bool is_place(const std::string& key) {
  static const std::set<std::string> places = {
      "advice",       "callers",    "callpath",   "cause",       "causes",
      "command",      "after_rank", "axes",       "axis",        "base_ranks",
      "base_threads", "tag",        "text",       "description", "detail",
      "fact",         "file",       "has_values", "how",         "id",
      "kind",         "label",      "last_event", "line",        "max_rank",
      "max_step",     "min_rank",   "min_step",   "more",        "name",
      "number",       "origin",     "origins",    "others",      "parent",
      "path",         "peer_file",  "peer_line",  "peer_path",   "peer_rank",
      "peers",        "points",     "peer_root",  "program",     "rank",
      "ranks",        "root",       "reasons",    "remedy",      "result",
      "steps",        "subject",    "thread",     "threads",     "title",
      "value",        "weak",       "function",   "relation",    "changes",
      "low_from",     "high_from",  "is_limit",   "sizes",       "why_no_hybrid_efficiency",
      "guessed",      "new",        "reason",     "term",        "vanished",
      "was"};
  return places.contains(key);
}

/// The section, or the other page, of each column in the table at the end of docs/metrics.md.
std::map<std::string, std::string> sections_of_columns(const std::string& page) {
  std::map<std::string, std::string> sections;
  std::istringstream lines(page.substr(page.find("\n## Columns\n")));
  for (std::string line; std::getline(lines, line);) {
    const std::size_t between = line.find(" | ");
    if (!line.starts_with("| `") || between == line.npos) continue;
    const std::string section = line.substr(between + 3, line.rfind(" |") - between - 3);
    for (std::size_t at = 2; (at = line.find('`', at)) < between;) {
      const std::size_t end = line.find('`', at + 1);
      sections[line.substr(at + 1, end - at - 1)] = section;
      at = end + 1;
    }
  }
  return sections;
}

struct Thing {
  std::string name;
  std::optional<double> time_s;
  Estimate speedup;
  bool muted = false;
};

List<Thing> things() {
  return List<Thing>{
      {.key = "name",
       .value = &Thing::name,
       .text = {.title = "thing", .cell = [](const Thing& t) { return t.name; }},
       .text_after = "time_s"},
      {.key = "time_s",
       .value = &Thing::time_s,
       .text = {
           .title = "s",
           .cell = [](const Thing& t) { return t.time_s ? "some" : ""; },
           .error = [](const Thing&, ErrorColumn errors) { return errors == ErrorColumn::half ? "half" : "both"; }}},
      {.key = "speedup", .value = &Thing::speedup, .fields = Fields::estimate, .json_path = {"over", "base"}},
      {.key = "muted",
       .value = [](const Thing& t) { return t.muted ? Value(true) : Value(); },
       .text = {.title = "muted", .cell = [](const Thing&) { return "no"; }, .steps = 0},
       .csv_value = &Thing::muted,
       .csv_after = "name"},
  };
}

const std::vector<Thing> two_things = {{"a", 0.5, {2, 1, 3, Estimate::Kind::interval}, true},
                                       {"=b", {}, {4, {}, {}}, false}};

} // namespace

TEST_CASE("docs/json.md has every column") {
  const std::string page = read(ANDES_JSON_PAGE);
  for_every_list([&](const auto& list) { CHECK(not_in(page, list) == ""); });
  CHECK(not_in(page, List<Thing>{{.key = "no such key", .value = &Thing::name}}) == "no such key no such key ");
}

TEST_CASE("docs/metrics.md says of every figure in a column where it is defined") {
  const std::filesystem::path docs = std::filesystem::path(ANDES_JSON_PAGE).parent_path();
  const std::string page = read(docs / "metrics.md");
  const std::map<std::string, std::string> sections = sections_of_columns(page);
  std::set<std::string> missing, figures;
  for_every_list([&](const auto& list) {
    for (const auto& column : list) {
      if (!column.value || is_place(column.key)) continue;
      if (!column.means.empty()) continue; // in docs/json.md
      figures.insert(column.key);
      if (!sections.contains(column.key)) missing.insert(column.key);
    }
  });
  CHECK(missing == std::set<std::string>());
  for (const auto& [key, section] : sections) {
    INFO(key << ": " << section);
    CHECK(figures.contains(key));
    if (section.ends_with(".md")) CHECK(read(docs / section).find('`' + key + '`') != std::string::npos);
    else CHECK(page.find("\n## " + section + '\n') != page.npos);
  }
}

TEST_CASE("docs/live.md has every column") {
  const std::string page = read(std::filesystem::path(ANDES_JSON_PAGE).replace_filename("live.md"));
  CHECK(not_in(page, live_shares()) == "");
  CHECK(not_in(page, live_paths({})) == "");
  CHECK(not_in(page, live_ranks({})) == "");
}

TEST_CASE("columns for people name only columns that are there") {
  CHECK(not_in("", mpi_parts(true)) == "");
  CHECK(not_in("", team_parts(true)) == "");
  CHECK(not_in("", compared_scaling({}, "->")) == "");
  CHECK(not_in("", live_kinds({}, true)) == "");
  CHECK(not_in("", List<Thing>{{.text_after = "no such key"}}) == "behind no such key ");
}

TEST_CASE("a list of columns makes CSV: what was not measured is an empty field, an estimate four") {
  CHECK(csv_table(things(), two_things) == "name,muted,time_s,speedup,speedup_low,speedup_high,speedup_kind\n"
                                           "a,1,0.5,2,1,3,interval\n"
                                           "'=b,0,,4,,,\n");
}

TEST_CASE("a list of columns makes JSON: in its own order, what was not measured is absent") {
  const Json rows = json_rows(things(), two_things);
  CHECK(rows[0].dump() == R"({"name":"a","time_s":0.5,)"
                          R"("over":{"base":{"median":2.0,"low":1.0,"high":3.0,"kind":"interval"}},"muted":true})");
  CHECK(rows[1].dump() == R"({"name":"=b","over":{"base":{"median":4.0}}})");
}

TEST_CASE("columns can stand within an object of JSON, or be for people alone") {
  const List<Thing> inner = within("thing", things());
  CHECK(json_rows(inner, two_things)[1].dump() == R"({"thing":{"name":"=b","over":{"base":{"median":4.0}}}})");
  CHECK(text_table(inner, two_things).columns.size() == text_table(things(), two_things).columns.size());
  CHECK(json_rows(text_alone(things()), two_things)[0].dump() == "{}");
  CHECK(csv_table(text_alone(things()), two_things) == "\n\n\n");
  CHECK(text_table(text_alone(things()), two_things).rows[0][2].text == "a");
}

TEST_CASE("people see a size of one thread in the table of MPI with its factors alone") {
  std::vector<HybridSize> sizes(2);
  sizes[0].has_teams = false;
  sizes[0].hybrid.parallel = sizes[0].hybrid.mpi.parallel = 0.5;
  sizes[1].hybrid.team.parallel = 0.75;
  const Table table = text_table(mpi_parts(true), sizes);
  CHECK(table.columns[4].title == "x threads %");
  CHECK(table.rows[0][3].text == "50.0");
  CHECK(table.rows[0][4].text == "");
  CHECK(table.rows[1][4].text == "75.0");
  CHECK(text_table(team_parts(false), sizes).columns.size() + 1 == text_table(team_parts(true), sizes).columns.size());
}

TEST_CASE("people see a line for each projected size, programs one for each model") {
  Scaling scaling;
  scaling.base_size = 1;
  scaling.trend.verdict = Verdict::rising;
  scaling.projection = {{8, {4, {}, {}}}, {8, {2, {}, {}}, "amdahl_trend"}, {16, {5, {}, {}}}};
  const List<Projection> list = projections(scaling);
  CHECK(json_rows(list, scaling.projection).size() == 3);
  const Table table = text_table(list, scaling.projection);
  CHECK(table.columns[1].title == "speedup at most");
  CHECK(table.rows[0][1].text == "4.00");
  CHECK(table.rows[0][4].text == "2.00");
  CHECK(table.rows[2][4].text == "");
}

TEST_CASE("a line of the grid names its fixed size, and people see its largest usable point") {
  GridLine line{2, {}};
  line.scaling.axis = Axis::threads;
  line.scaling.points.resize(3);
  for (std::size_t i = 0; i < 3; ++i)
    line.scaling.points[i].size = 1 << i, line.scaling.points[i].speedup.median = 1 + 0.5 * i;
  line.scaling.points[2].usable = false;
  const std::vector<GridLine> rows = {line};
  const Json json = json_rows(columns::lines(), rows)[0];
  CHECK(json["ranks"] == 2);
  CHECK(json["points"].size() == 3);
  CHECK(json["points"][2]["threads"] == 4);
  const Table table = text_table(columns::lines(), rows);
  CHECK(table.rows[0][0].text == "2 ranks");
  CHECK(table.rows[0][1].text == "threads 1, 2");
  CHECK(table.rows[0][2].text == "1.50");
}

TEST_CASE("a list of columns makes a table for people, which becomes narrower") {
  const auto titles = [](const Table& table) {
    std::string text;
    for (const TableColumn& column : table.columns) text += column.title + '|';
    return text;
  };
  const Table wide = text_table(things(), two_things),
              narrow = text_table(things(), two_things, {1, ErrorColumn::half});
  CHECK(titles(wide) == "s||thing|muted|");
  CHECK(titles(narrow) == "s|+-|thing|");
  CHECK(wide.rows[0][1].text == "both");
  CHECK(narrow.rows[0][1].text == "half");
  CHECK(narrow.rows[1][0].text == "");
  List<Thing> list = things();
  CHECK(titles_left_out(list, two_things, {1, ErrorColumn::half}) == "muted");
  for (Column<Thing>& column : list)
    if (column.key == "muted") column.text.title.clear(); // like the lines of functions
  CHECK(titles_left_out(list, two_things, {1, ErrorColumn::half}) == "muted");
}

TEST_CASE("a legend says what columns hold, those that hold the same in one part, of the columns that are shown") {
  List<Thing> list = things();
  list[0].text.legend = {"as the user wrote it"};
  list[1].text.legend = {"sums", "less waits"};
  list[3].text.legend = {"sums"};
  list[3].text.title = "muted %";
  CHECK(legend_of(list) == "s (less waits), muted: sums; thing: as the user wrote it");
  CHECK(legend_of(list, {1, ErrorColumn::half}) == "s (less waits): sums; thing: as the user wrote it");
  CHECK(legend_of(things()) == "");
  list[1].means = "not this", list[3].means = "whether it is", list[3].text.legend = {};
  CHECK(legend_of(list) == "s (less waits): sums; thing: as the user wrote it; muted: whether it is");
  list[3].text.legend = {"sums"};
  CHECK(legend_of(of_part<Thing>(list, [](const Thing& t) { return &t; })) == legend_of(list));
}

TEST_CASE("the legend of the call tree explains every column; a number of visits needs no words") {
  Tree tree;
  tree.rows.emplace_back().overlap_percent.emplace();
  tree.rows[0].idle_s = 1;
  const Profile profile;
  for (const Column<TreeRow>& column : callpaths(profile, tree))
    if (column.text.cell && column.text.title != "visits") {
      INFO(column.text.title);
      CHECK(column.text.legend.holds + column.means != "");
    }
  const std::string legend = legend_of(callpaths(profile, tree, "T"));
  CHECK(legend.starts_with(
      "%: of T; incl., excl., comm. (without waiting), idle (waiting): sums over ranks; mean, max: "));
  tree.rows[0].idle_s = 0;
  tree.rows[0].overlap_percent.reset();
  CHECK(legend_of(callpaths(profile, tree), {5}) ==
        "%: of p x T; incl., excl., comm.: sums over ranks; max: of the inclusive time over ranks; "
        "bal.: mean / max of the time outside MPI");
}

TEST_CASE("call paths of a profile that has none make empty tables") {
  const Profile profile;
  Tree tree = tree_of(profile, {});
  CHECK(json_rows(callpaths(profile, tree), tree.rows).empty());
  CHECK(csv_table(callpaths(profile, tree), tree.rows).starts_with("id,parent,path,"));
  CHECK(text_table(callpaths(profile, tree), tree.rows).rows.empty());
  tree.rows.emplace_back(); // a row of no call path that the profile knows
  CHECK(json_rows(callpaths(profile, tree), tree.rows)[0]["path"].empty());
  CHECK(csv_table(callpaths(profile, tree), tree.rows).find("\n0,,,") != std::string::npos);
  CHECK(text_table(callpaths(profile, tree), tree.rows).rows[0][0].text == "");
}

TEST_CASE("a column keeps its place where the one before it is left out") {
  List<Thing> list = things();
  list[1].text.steps = 0;
  const Table narrow = text_table(list, two_things, {1, ErrorColumn::none});
  REQUIRE(narrow.columns.size() == 1);
  list[3].text.steps = always;
  CHECK(text_table(list, two_things, {1, ErrorColumn::none}).columns[0].title == "thing");
}

TEST_CASE("columns of a part of a row are empty where the row lacks the part") {
  struct Box {
    std::optional<Thing> thing;
  };
  const List<Box> list = of_part<Box>(things(), [](const Box& box) { return box.thing ? &*box.thing : nullptr; });
  const std::vector<Box> boxes = {{}, {two_things[0]}};
  CHECK(json_rows(list, boxes)[0].dump() == "{}");
  CHECK(csv_table(list, boxes).find(",,,,,,\na,1,0.5") != std::string::npos);
  CHECK(text_table(list, boxes).rows[0][2].text == "");
}
