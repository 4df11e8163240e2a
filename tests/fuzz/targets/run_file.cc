// Run files: valid ones, edited row by row through SQLite so that they stay databases but hold nonsense
// (cycles, sizes, infinities, wrong types, missing tables, views in their place), then byte by byte. What
// the reader accepts goes through every analysis and every view; what these say must be fit to be shown.
#include "tests/fuzz/targets/edits.h"

#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <sqlite3.h>

#include "monitor/interface/run_file.h"
#include "postproc/analysis/comparison.h"
#include "postproc/analysis/phases.h"
#include "postproc/analysis/report.h"
#include "postproc/launch/annotate.h"
#include "common/message.h"
#include "postproc/model/read_run.h"
#include "common/printable.h"
#include "postproc/view/views.h"
#include "preprocessor/selection.h"
#include "tests/postproc/run_maker.h"

namespace {

using namespace andes;
using namespace andes::monitor;
using namespace andes::postproc;
using namespace andes::preprocessor;
using fuzz::Input;

struct Close {
  void operator()(sqlite3* db) const { sqlite3_close(db); }
  void operator()(void* bytes) const { sqlite3_free(bytes); }
};
using Db = std::unique_ptr<sqlite3, Close>;

void execute(sqlite3* db, const std::string& sql) {
  sqlite3_exec(db, sql.c_str(), nullptr, nullptr, nullptr); // what cannot be done is no edit
}

Db opened(const std::string& bytes) {
  sqlite3* raw = nullptr;
  sqlite3_open(":memory:", &raw);
  auto* copy = static_cast<unsigned char*>(sqlite3_malloc64(bytes.size()));
  std::memcpy(copy, bytes.data(), bytes.size());
  const auto size = static_cast<sqlite3_int64>(bytes.size());
  sqlite3_deserialize(raw, "main", copy, size, size,
                      SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE);
  return Db(raw);
}

std::string bytes_of(sqlite3* db) {
  sqlite3_int64 size = 0;
  const std::unique_ptr<unsigned char, Close> bytes(sqlite3_serialize(db, "main", &size, 0));
  return {reinterpret_cast<const char*>(bytes.get()), static_cast<std::size_t>(size)};
}

/// Written as the monitor writes it, then with a schema that admits everything.
std::string made(const fuzz::ScratchFile& file, const Run& run, std::size_t table_values) {
  std::filesystem::remove(file.path());
  test::write(run, file.path(), table_values);
  std::ifstream stream(file.path(), std::ios::binary);
  const Db db = opened({std::istreambuf_iterator<char>(stream), {}});
  execute(db.get(), "PRAGMA writable_schema=ON;"
                    "UPDATE sqlite_schema SET sql = replace(sql, ' NOT NULL', '');");
  return bytes_of(db.get());
}

Run with_waits(int ranks) {
  Run run = test::run_of({}, ranks);
  test::measure_waits(run);
  test::add_waits(run, {"late_broadcast", test::path_broadcast, {0, 0.5, 0.5, 0.25}, test::path_setup, 0,
                        test::path_work, 0, 3, 1e15});
  for (const char* metric : {"transfer_ns", "overlap_low_ns", "overlap_high_ns"})
    test::set_values(run, test::path_broadcast, test::metric_of(run, metric), {1e6, 2e6, 3e6, 4e6});
  run.regions[3].kind = "io";
  run.messages = {{0, 1, 4, 800}};
  run.snapshots = {{0, 1, 5}};
  return run;
}

Run sampled(int ranks) {
  Run run = test::run_of({}, ranks);
  run.facts["budget_percent"] = 3.0;
  run.facts["probe_ns"] = 20.0;
  run.facts["sampled_probe_ns"] = 3.0;
  for (const char* metric : {"sampled_visits", "timed_visits", "variance_ns2", "below_ns2", "above_ns2", "muted"})
    test::set_values(run, test::path_sweep, test::metric_of(run, metric), {1e6, 1e3, 1e6, 1e3});
  return run;
}

/// Phases with steps and values that the program attached, in a run that did not come to its end.
Run with_steps(int ranks) {
  Run run = test::run_of({}, ranks);
  run.regions.push_back({"phase", "phase", "jacobi.c", 20});
  run.regions.push_back({"step", "instance", "", 0});
  const auto region = [&](std::size_t from_last) { return static_cast<std::int32_t>(run.regions.size() - from_last); };
  run.callpaths.push_back({test::path_main, region(2)});
  const auto phase = static_cast<std::int32_t>(run.callpaths.size() - 1);
  run.callpaths.push_back({phase, 5}); // sweep in it
  for (const int path : {phase, phase + 1})
    for (const int metric : {run_file::visits, run_file::inclusive_ns, run_file::exclusive_ns})
      test::set_values(run, path, metric, {3e6, 2e6, 1e6, 4e6});
  for (const std::int64_t number : {1, 2}) {
    const auto step = static_cast<std::int32_t>(run.steps.size());
    run.steps.push_back({-1, phase, region(1), number});
    run.steps.push_back({step, phase + 1, 5, {}});
    for (const int at : {step, step + 1})
      for (const int metric : {run_file::visits, run_file::inclusive_ns, run_file::exclusive_ns})
        run.step_statistics.push_back({at, metric, 4e6, 1e6, 2e6, 1e6, 5e5, 0, 3});
    run.attached.push_back({phase, step, "residual", 1, 2, 1, 3, 1, 2, 2});
  }
  run.attached.push_back({phase, -1, "residual", 1, 4, 2, 6, 1, 2, 2});
  run.attached.push_back({test::path_work, -1, "cells", 0, 0, 3, 0, 0, 0, 0});
  run.facts["complete"] = std::int64_t{0};
  run.facts["recovered"] = std::int64_t{1};
  run.facts["job_ranks"] = std::int64_t{ranks + 1};
  run.facts["lost_values"] = std::int64_t{1};
  run.endings = {{0, run_file::end_signal, 11, 9, false, phase}, {1, run_file::end_abort, 3, 8, false, -1},
                 {2, run_file::end_killed, 0, 7, true, 0},       {3, run_file::end_finalize, 0, 9, false, -1},
                 {4, run_file::end_missing, 0, 0, true, -1}};
  run.snapshots = {{0, 1, 5}, {3, 1, 6}};
  return run;
}

/// Teams of OpenMP in two processes, with instructions and cycles, and an event that was not counted.
Run with_teams() {
  const test::TeamThread busy{2, 0.5, 0.25, 0.25, 0.25}, idle{1, 2.25, 0, 0, 0};
  Run run = test::team_run({{1, 0.25, 0.25, {busy, idle}}, {1, 0.5, 0, {busy, busy, idle}}}, 5);
  run.facts["counters"] = R"(["PAPI_TOT_INS","PAPI_TOT_CYC"])";
  run.facts["counters_missing"] = R"([{"event":"PAPI_L3_TCM","reason":"no such event"},{"event":"PAPI_TOT_CYC","ranks":1}])";
  run.facts["busy_threads"] = std::int64_t{5};
  run.facts["threads_started"] = std::int64_t{3};
  run.facts["openmp"] = "libgomp";
  for (const char* event : {"PAPI_TOT_INS", "PAPI_TOT_CYC"}) {
    const int metric = test::metric_of(run, event, "");
    for (const int path : {test::team_root, test::team_main, test::team_step, test::team_barrier, test::team_thread})
      test::set_values(run, path, metric, {5e9, 4e9, 3e9, 2e9, 1e9});
  }
  return run;
}

/// What a real program has left, from its rows (tests/fuzz/runs).
std::string recorded() {
  std::ifstream stream(FUZZ_RUNS "/hybrid.sql");
  const std::string rows{std::istreambuf_iterator<char>(stream), {}};
  fuzz::require(!rows.empty(), "there is a recorded run", FUZZ_RUNS);
  std::string schema = run_file::schema;
  for (std::size_t at; (at = schema.find(" NOT NULL")) != std::string::npos;) schema.erase(at, 9);
  sqlite3* raw = nullptr;
  sqlite3_open(":memory:", &raw);
  const Db db(raw);
  execute(raw, fmt::format("PRAGMA application_id={};PRAGMA user_version={};", std::int32_t{run_file::application_id},
                           std::int32_t{run_file::format}));
  execute(raw, schema + rows);
  return bytes_of(raw);
}

const std::vector<std::string>& seeds(const fuzz::ScratchFile& file) {
  static const std::vector<std::string> all = [&] {
    Run telling = with_waits(4), failed = test::run_of({}, 4);
    telling.facts["columns"] = "telling";
    test::keep_values_of(telling, {0, 3});
    failed.facts["exit_status"] = std::int64_t{1};
    failed.facts["ranks_started"] = std::int64_t{8};
    failed.facts["complete"] = std::int64_t{0};
    return std::vector<std::string>{made(file, with_waits(4), 20000), made(file, with_waits(4), 0),
                                    made(file, telling, 0), made(file, sampled(4), 20000),
                                    made(file, failed, 20000),        made(file, with_steps(4), 20000),
                                    made(file, with_teams(), 20000),  made(file, with_teams(), 0),
                                    recorded()};
  }();
  return all;
}

const std::map<std::string, std::vector<std::string>>& columns() {
  static const std::map<std::string, std::vector<std::string>> all = [] {
    std::map<std::string, std::vector<std::string>> names;
    sqlite3* raw = nullptr;
    sqlite3_open(":memory:", &raw);
    const Db db(raw);
    execute(raw, run_file::schema);
    sqlite3_stmt* rows = nullptr;
    sqlite3_prepare_v2(raw, "SELECT m.name, p.name FROM sqlite_schema m, pragma_table_info(m.name) p"
                            " WHERE m.type = 'table' ORDER BY m.name, p.cid", -1, &rows, nullptr);
    while (sqlite3_step(rows) == SQLITE_ROW)
      names[reinterpret_cast<const char*>(sqlite3_column_text(rows, 0))].emplace_back(
          reinterpret_cast<const char*>(sqlite3_column_text(rows, 1)));
    sqlite3_finalize(rows);
    return names;
  }();
  return all;
}

/// A value as SQL.
std::string value(Input& input) {
  constexpr const char* telling[] = {
      "NULL", "0", "-1", "1", "2", "3", "4", "5", "100", "2147483647", "2147483648", "-2147483648",
      "9223372036854775807", "-9223372036854775808", "1e308", "-1e308", "1e-320", "9e999", "-9e999",
      "0.5", "-0.0", "1000000000", "''", "'x'", "'1'", "x'00'", "zeroblob(100)", "'[1,2'", "'[\"a\",\"b\"]'",
      "'measured'", "'none'", "'telling'", "'all'", "'io'", "'root'", "'function'", "'send'", "'tool'",
      "'overflow'", "'phase'", "'call-site'", "'synchronisation'", "'(program)'", "'(andes)'",
      "'instance'", "'parallel'", "'workshare'", "'task'", "'critical'", "'barrier'", "'lock'", "'apart'",
      "'signal'", "'abort'", "'killed'", "'missing'", "'running'", "'[{}]'", "'[1]'", "'[[]]'", "'{\"a\":1}'",
      "'[{\"event\":1,\"ranks\":9e99}]'", "'[\"PAPI_TOT_CYC\",\"PAPI_TOT_CYC\",\"visits\"]'", "'PAPI_TOT_INS'",
      "'inclusive_ns'", "'idle_ns'", "'wait:x'", "'ranks'", "'wall_ns'", "'threads'", "'budget_percent'",
      "'a'||char(27)||'[2Jb'", "'a'||char(10)||'b'", "'a'||char(0)||'b'", "'\xe2\x80\xaex'",
      "CAST(x'ff9bfe' AS TEXT)", "char(0x9b)||'31m'", "'=cmd()'", "'+1'", "'-1'", "'@x'",
      "'\"a\",b'", "'{} {0} %s'", "printf('%.*c', 5000, 'x')", "'2026-11-20T12:00:00Z'",
      "(SELECT max(id) FROM callpath)"};
  switch (input.ConsumeIntegralInRange(0, 5)) {
  case 0: return std::to_string(input.ConsumeIntegral<std::int64_t>());
  case 1: return fmt::format("{}", input.ConsumeIntegralInRange(-2, 20));
  case 2: return fmt::format("{:.17e}", input.ConsumeFloatingPointInRange(-1e12, 1e12));
  default: return input.PickValueInArray(telling);
  }
}

template <class List> auto one_of(Input& input, const List& list) {
  return std::next(list.begin(), input.ConsumeIntegralInRange<std::ptrdiff_t>(
                                     0, static_cast<std::ptrdiff_t>(list.size()) - 1));
}

/// Pages that SQLite takes for others: a page in the place of another, or below itself.
void edit_pages(std::string& bytes, Input& input) {
  constexpr std::size_t page = 4096;
  const std::size_t pages = bytes.size() / page;
  if (pages < 2) return;
  const auto at = input.ConsumeIntegralInRange<std::size_t>(1, pages - 1), other = input.ConsumeIntegralInRange<std::size_t>(1, pages - 1);
  if (input.ConsumeBool()) {
    std::memcpy(bytes.data() + at * page, bytes.data() + other * page, page);
    return;
  }
  // Of a table's tree, with as many children as one likes, all of them the same.
  const auto children = input.ConsumeIntegralInRange<unsigned>(0, 100);
  std::string made = {5, 0, 0, 0, static_cast<char>(children)};
  const auto number = [](std::size_t value, int width) {
    std::string text;
    for (int byte = width - 1; byte >= 0; --byte) text += static_cast<char>(value >> 8 * byte);
    return text;
  };
  made += number(page - 5 * children, 2) + '\0' + number(other + 1, 4);
  for (unsigned i = 1; i <= children; ++i) made += number(page - 5 * i, 2);
  made.resize(page - 5 * children);
  for (unsigned i = 0; i < children; ++i) made += number(other + 1, 4) + static_cast<char>(children - i);
  bytes.replace(at * page, page, made);
}

void edit(sqlite3* db, Input& input) {
  const auto& [table, names] = *one_of(input, columns());
  const std::string column = *one_of(input, names), &key = names.front();
  const int row = input.ConsumeIntegralInRange(0, 30);
  const std::string where =
      fmt::format(" WHERE {0} = (SELECT {0} FROM {1} LIMIT 1 OFFSET {2})", key, table, row);
  switch (input.ConsumeIntegralInRange(0, 15)) {
  case 0: execute(db, "DELETE FROM " + table + where); break;
  case 1: execute(db, "DROP TABLE " + table); break;
  case 2: execute(db, fmt::format("ALTER TABLE {} RENAME COLUMN {} TO other", table, column)); break;
  case 3:
    execute(db, fmt::format("ALTER TABLE {0} RENAME TO kept; CREATE VIEW {0} AS SELECT * FROM kept", table));
    break;
  case 4:
    execute(db, fmt::format("ALTER TABLE {0} DROP COLUMN {1}; ALTER TABLE {0} ADD COLUMN {1} AS ({2})", table,
                            column, value(input)));
    break;
  case 5: execute(db, fmt::format("PRAGMA user_version={}", input.ConsumeIntegralInRange(1, 4))); break;
  case 6: execute(db, fmt::format("UPDATE {} SET {} = {}", table, column, value(input))); break;
  case 7: {
    std::string values;
    for (const std::string& each : names) values += (values.empty() ? "" : ", ") + value(input), (void)each;
    execute(db, fmt::format("INSERT OR REPLACE INTO {} VALUES({})", table, values));
    break;
  }
  case 8:
    execute(db, fmt::format("INSERT OR REPLACE INTO fact VALUES('{}', {})",
                            input.PickValueInArray({"ranks", "ranks_started", "exit_status", "signal",
                                "complete", "oversubscribed", "usable_cores", "threads", "wall_ns", "columns",
                                "dropped_paths", "dropped_ranks", "budget_percent", "probe_ns", "wait_states",
                                "sampled_probe_ns", "tool_error_ns", "tree_bytes", "log_level", "log_level_collectives", "repeat",
                                "overhead_percent", "overhead_low", "overhead_high", "clock_error_ppm",
                                "messages_matched", "messages_unmatched", "events_lost", "started",
                                "wait_unclassified_ns", "clock_violations", "arguments", "program",
                                "executable_hash", "transfer_source", "measured_from", "incomplete",
                                "counters", "counters_missing", "busy_threads", "threads_started", "openmp",
                                "recovered", "job_ranks", "snapshot", "lost_call_paths", "lost_records",
                                "lost_threads", "lost_values", "clock_unknown", "label", "command"}),
                            value(input)));
    break;
  default: execute(db, fmt::format("UPDATE {} SET {} = {}{}", table, column, value(input), where)); break;
  }
}

/// Nothing that a terminal obeys, but the newlines between lines.
void check_text(const std::string& text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    fuzz::require(printable(line) == line, "fit for a terminal", line);
    at = end + 1;
  }
}

void check_csv(const std::string& text) {
  check_text(text);
  for (std::size_t at = 0; at < text.size(); ++at) // a cell begins here, or a line
    if (at == 0 || text[at - 1] == ',' || text[at - 1] == '\n') {
      const std::size_t cell = at + (text[at] == '"');
      const bool sign = text[cell] == '-' || text[cell] == '+';
      const bool number = sign && (std::isdigit(static_cast<unsigned char>(text[cell + 1])) ||
                                   text.compare(cell + 1, 3, "inf") == 0 || text.compare(cell + 1, 3, "nan") == 0);
      fuzz::require(text[cell] != '=' && text[cell] != '@' && (!sign || number), "no formula",
                    std::string_view(text).substr(at, 40));
    }
}

void check_json(const std::string& text) {
  fuzz::require(!nlohmann::json::parse(text, nullptr, false).is_discarded(), "a JSON document", text);
  check_text(text);
}

template <class View> void attempt(View view) {
  try {
    view();
  } catch (const Refusal&) {
  }
}

void show(const std::string& file) {
  const Profile profile = read_run(file, Detail::tree);
  const auto views = [&](const std::vector<Statistic>& statistics, const std::vector<int>& ranks) {
    Tree tree = tree_of(profile, statistics, ranks);
    if (has_overlap(tree)) tree.overlaps = overlaps_of_ranks(profile);
    for (const double cut : {0.0, 1.0}) check_text(show_text({80, false, true}, profile, tree, ranks, {cut, cut > 0}));
    check_text(threads_csv(profile, ranks));
    show_text({60, true, false}, profile, tree, ranks, {});
    check_json(show_json(profile, tree, ranks));
    check_csv(show_csv(profile, tree));
  };
  views(profile.statistics, {});
  if (!profile.steps.empty()) {
    const Profile apart = with_steps_apart(profile);
    const Tree tree = tree_of(apart, apart.statistics, {});
    check_text(show_text({80, false, true}, apart, tree, {}, {}));
    check_json(show_json(apart, tree, {}));
    check_csv(show_csv(apart, tree));
  }
  attempt([&] {
    const std::vector<int> some = {0, 3};
    views(statistics_of_ranks(profile, some), some);
  });
  attempt([&] {
    const Diagnosis diagnosis = diagnosis_of(profile);
    check_text(diagnosis_text({100, false, true}, profile, diagnosis, 0));
    check_json(diagnosis_json({{profile, diagnosis}}, 1));
  });
  attempt([&] {
    const Exclusions exclusions = exclusions_of({profile}, 100);
    const std::string text = selection_text({profile}, exclusions, 100, "");
    check_text(text);
    parse_selection(text, "written.sel");
  });
}

void report(const std::vector<std::string>& files, bool force) {
  const Series series = read_series(files, force, [](const Refusal&) {});
  const Report result = report_of(series, nullptr, force);
  check_text(report_text({100, false, true}, result, true));
  check_json(report_json(result));
  check_csv(report_csv(result));
}

void diff(const std::string& before, const std::string& after) {
  const Series a = read_series({before}, true, [](const Refusal&) {});
  const Series b = read_series({after}, true, [](const Refusal&) {}, 1);
  const auto common = read_common_size(a.builds.back(), b.builds.back(), true);
  if (!common) return;
  const Comparison comparison = compare(a.builds.back(), b.builds.back(), *common, nullptr, true);
  check_text(comparison_text({100, false, true}, comparison));
  check_json(comparison_json(comparison));
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fuzz::ScratchFile file("a.andes"), one("one.andes"), four("four.andes");
  static const bool there = [] {
    test::write(test::run_of({}, 1), one.path());
    test::write(with_waits(4), four.path());
    return true;
  }();
  (void)there;
  static const bool recorded_is_shown = (file.write(recorded()), show(file.path()), true); // it is read as it is
  (void)recorded_is_shown;
  Input input(data, size);
  const int what = input.ConsumeIntegralInRange(0, 9);
  std::string bytes = *one_of(input, seeds(file));
  {
    const Db db = opened(bytes);
    execute(db.get(), "PRAGMA journal_mode=OFF; BEGIN");
    for (int edits = input.ConsumeIntegralInRange(0, 12); edits > 0; --edits) edit(db.get(), input);
    execute(db.get(), "COMMIT");
    bytes = bytes_of(db.get());
  }
  for (int edits = input.ConsumeIntegralInRange(-3, 2); edits > 0; --edits) edit_pages(bytes, input);
  for (int edits = input.ConsumeIntegralInRange(-3, 6); edits > 0; --edits) fuzz::edit(bytes, input);
  file.write(bytes);
  attempt([&] {
    switch (what) {
    case 0: report({one.path(), file.path()}, false); break;
    case 1: report({one.path(), file.path(), four.path()}, true); break;
    case 2: diff(four.path(), file.path()); break;
    case 3: diff(file.path(), four.path()); break;
    case 4:
      read_written(file.path());
      annotate(file.path(), {{"repeat", std::int64_t{2}}, {"exit_status", std::int64_t{1}}});
      [[fallthrough]];
    default: show(file.path());
    }
  });
  return 0;
}
