// Waits read from run files, findings with their gains, the efficiency hierarchy, and how they
// look. All answers are computed by hand, from two programs:
//  - that of run_maker.h on four ranks: three wait 1 s in MPI_Bcast for rank 0; T = 3.25 s;
//  - a pipeline of three ranks that each compute for 1 s when they have received: rank 1 waits 1 s,
//    rank 2 2 s, for the same reason; T = 3 s.
#include "postproc/analysis/diagnosis.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <deque>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sqlite3.h>

#include "postproc/analysis/efficiency.h"
#include "postproc/analysis/repeated_findings.h"
#include "postproc/analysis/report.h"
#include "postproc/model/read_run.h"
#include "postproc/view/diagnosis_text.h"
#include "postproc/view/views.h"
#include "tests/postproc/run_maker.h"

using namespace andes;
using namespace andes::monitor;
using namespace andes::postproc;
using test::TemporaryDirectory;
using Names = std::vector<std::string>;

namespace {

/// A run file that is read again.
struct File {
  TemporaryDirectory directory;
  std::string name = directory / "a.andes";
  explicit File(const Run& run, std::size_t table_values = 20000) { test::write(run, name, table_values); }
  Profile profile() const { return read_run(name, Detail::tree); }
  Diagnosis diagnosis() const { return diagnosis_of(profile()); }
  void execute(const char* sql) const {
    sqlite3* database = nullptr;
    REQUIRE(sqlite3_open(name.c_str(), &database) == SQLITE_OK);
    CHECK(sqlite3_exec(database, sql, nullptr, nullptr, nullptr) == SQLITE_OK);
    sqlite3_close(database);
  }
};

Run late_broadcast(double wait_s = 1) {
  Run run = test::run_of({}, 4);
  test::measure_waits(run);
  test::add_waits(run, {.cause = "late_broadcast",
                        .callpath = test::path_broadcast,
                        .wait_s = {0, wait_s, wait_s, wait_s},
                        .peer_callpath = test::path_broadcast,
                        .peer_rank = 0,
                        .events = 3});
  return run;
}

enum PipelinePath { pipeline_root, pipeline_main, pipeline_receive, pipeline_send };

/// What one rank of a run does, in seconds.
struct RankTimes {
  double compute_s = 0, communication_s = 0, end_s = 0;
};

/// Ranks that compute in main and communicate in main > MPI_Recv.
Run run_of_times(const std::vector<RankTimes>& ranks, double time_s) {
  using namespace run_file;
  Run run;
  run.facts = {{"program", "pipeline"},
               {"ranks", static_cast<std::int64_t>(ranks.size())},
               {"wall_ns", std::llround(time_s * 1e9)},
               {"complete", std::int64_t{1}}};
  run.hosts = {{"node1", 4, "", 0}};
  run.regions = {{"(program)", "root", "", 0},
                 {"main", "function", "pipeline.c", 12},
                 {"MPI_Recv", "receive", "", 0},
                 {"MPI_Send", "send", "", 0}};
  run.callpaths = {{-1, 0}, {0, 1}, {1, 2}, {1, 3}};
  std::vector<double> wall, compute, communication, visits_of(ranks.size(), 1);
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    LocationRow l;
    l.rank = static_cast<std::int32_t>(r);
    l.compute_ns = std::llround(ranks[r].compute_s * 1e9);
    l.communication_ns = std::llround(ranks[r].communication_s * 1e9);
    l.wall_ns = l.end_ns = l.compute_ns + l.communication_ns;
    l.wait_at_end_ns = std::llround(ranks[r].end_s * 1e9);
    run.locations.push_back(l);
    wall.push_back(static_cast<double>(l.wall_ns));
    compute.push_back(static_cast<double>(l.compute_ns));
    communication.push_back(static_cast<double>(l.communication_ns));
  }
  for (const int path : {pipeline_root, pipeline_main}) {
    test::set_values(run, path, visits, visits_of);
    test::set_values(run, path, inclusive_ns, wall);
    test::set_values(run, path, computation_ns, compute);
    test::set_values(run, path, communication_ns, communication);
  }
  test::set_values(run, pipeline_main, exclusive_ns, compute);
  for (const int metric : {inclusive_ns, exclusive_ns, communication_ns})
    test::set_values(run, pipeline_receive, metric, communication);
  test::measure_waits(run);
  return run;
}

Run pipeline() {
  Run run = run_of_times({{1, 0, 2}, {1, 1, 1}, {1, 2, 0}}, 3);
  test::add_waits(run, {.cause = "late_sender",
                        .callpath = pipeline_receive,
                        .wait_s = {0, 1, 0},
                        .peer_callpath = pipeline_send,
                        .peer_rank = 0});
  test::add_waits(run, {.cause = "data_dependency",
                        .callpath = pipeline_receive,
                        .wait_s = {0, 0, 2},
                        .peer_callpath = pipeline_send,
                        .peer_rank = 1,
                        .origin_callpath = pipeline_send,
                        .origin_rank = 0});
  return run;
}

const Finding& found(const std::vector<Finding>& findings, const std::string& cause) {
  for (const Finding& f : findings)
    if (f.cause == cause) return f;
  FAIL("no finding " + cause);
  return findings.front();
}

std::string text_of(const File& file, int width = 200, double threshold_percent = 1) {
  return diagnosis_text({width, false, false}, file.profile(), file.diagnosis(), threshold_percent);
}

/// The text without the breaks of its lines.
std::string in_one_line(const std::string& text) {
  std::string flat;
  for (const char c : text)
    if (c != '\n' && (c != ' ' || !flat.ends_with(' '))) flat += c;
    else if (!flat.ends_with(' ')) flat += ' ';
  return flat;
}

std::size_t widest_line(const std::string& text) {
  std::size_t widest = 0, end = 0;
  for (std::size_t at = 0; (end = text.find('\n', at)) != text.npos; at = end + 1) widest = std::max(widest, end - at);
  return widest;
}

/// With a blank for each line break and the margin behind it.
std::string on_one_line(const std::string& text) {
  std::string line;
  for (const char c : text)
    if (c != '\n' && c != ' ') line += c;
    else if (!line.ends_with(' ')) line += ' ';
  return line;
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

} // namespace

TEST_CASE("a finding has its share of p x T, both sides, and the ranks that wait") {
  for (const std::size_t table_values : {20000u, 0u}) { // rows of values, columns of numbers
    const Diagnosis d = File(late_broadcast(), table_values).diagnosis();
    CHECK(d.why_no_waits.empty());
    CHECK(*d.idle_percent == Approx(100 * 3 / 13.0));
    REQUIRE(d.findings.size() == 1);
    const Finding& f = d.findings[0];
    CHECK(f.cause == "late_broadcast");
    CHECK(f.title == "Title of late_broadcast");
    CHECK(f.description == "Ranks wait.");
    CHECK(f.advice == "Change late_broadcast.");
    CHECK(f.path == Names{"main", "MPI_Bcast"});
    CHECK(f.place.file == "jacobi.c"); // of main, the innermost place that is known
    CHECK(f.place.line == 10);
    CHECK(f.severity_s == Approx(3));
    CHECK(f.percent == Approx(100 * 3 / 13.0));
    CHECK(*f.events == 3);
    CHECK_FALSE(f.error_s); // nothing was left out
    REQUIRE(f.ranks.size() == 3);
    CHECK(f.ranks[0].rank == 1);
    CHECK(f.ranks[2].wait_s == Approx(1));
    REQUIRE(f.peers.size() == 1);
    CHECK(f.peers[0].path == Names{"main", "MPI_Bcast"});
    CHECK(*f.peers[0].rank == 0);
    CHECK(f.peers[0].wait_s == Approx(3));
    CHECK(f.origins.empty());
  }
}

TEST_CASE("the other side's rank is named unless the waits are surely not nearly all for it") {
  for (const double own_s : {0.05, 0.5}) { // what rank 1 waits itself, of 1 s
    Run run = test::run_of({}, 4);
    test::measure_waits(run);
    test::add_waits(run, {.cause = "late_sender",
                          .callpath = test::path_broadcast,
                          .wait_s = {0, own_s, 1 - own_s, 0},
                          .peer_callpath = test::path_broadcast,
                          .peer_rank = 1});
    const File file(run);
    const bool named = contains(text_of(file), "(jacobi.c:10), 1.00 s, most with rank 1\n");
    CHECK(named == (own_s < 0.1));
    CHECK(contains(text_of(file), "(jacobi.c:10), 1.00 s\n") == !named);
    CHECK(*file.diagnosis().findings.at(0).peers.at(0).rank == 1);
  }
}

TEST_CASE("waits of a thread beside the main one are no idle time of the rank, but can be cured") {
  // Rank 1 starts a thread that waits 0.6 s and computes 0.4 s, and waits for it outside MPI.
  Run run = run_of_times({{1, 0, 0}, {1, 0, 0}}, 1);
  LocationRow thread = run.locations[1];
  thread.thread = 1;
  thread.compute_ns = 400000000;
  thread.communication_ns = 600000000;
  run.locations.push_back(thread);
  for (Column& column : run.columns) {
    const bool waits = column.metric == run_file::communication_ns || column.metric == run_file::inclusive_ns;
    column.values.push_back(waits ? 6e8 : 0);
  }
  test::add_waits(run, {.cause = "late_sender",
                        .callpath = pipeline_receive,
                        .wait_s = {0, 0, 0.6},
                        .peer_callpath = pipeline_send,
                        .peer_rank = 0});
  const File file(run);
  const Diagnosis d = file.diagnosis();
  CHECK(*d.idle_percent == Approx(0).margin(1e-12));
  CHECK(d.findings.at(0).severity_s == Approx(0.6));
  CHECK(d.findings.at(0).gain.low_s == Approx(0).margin(1e-12)); // rank 0 saves nothing
  CHECK(d.findings.at(0).gain.high_s == Approx(0.3)); // 1 s less the mean of 1 s and 0.4 s
  CHECK(contains(text_of(file), "The ranks wait 0.0 % of p x T = 2 x 1.00 s in MPI calls.\n"
                                "Their other threads wait another 0.600 s, together 20.0 % of the time of all "
                                "threads.\n"));
  const auto json = nlohmann::json::parse(diagnosis_json({{file.profile(), d}}, 1));
  CHECK(json["findings"][0]["percent"].get<double>() == Approx(20)); // 0.6 s of 3 x 1 s
  CHECK(json["findings"][0]["percent_of"] == "the time of all threads");
  CHECK(json["other_threads_idle_s"].get<double>() == Approx(0.6));
}

TEST_CASE("waits of all threads together are no more than their time") {
  // Two ranks whose main threads compute for 1 s, and three threads beside each that wait in MPI for 0.9 s of it.
  Run run = run_of_times({{1, 0, 0}, {1, 0, 0}}, 1);
  const std::vector<LocationRow> mains = run.locations;
  run.locations.clear();
  for (const LocationRow& main : mains) {
    run.locations.push_back(main);
    LocationRow other = main;
    other.compute_ns = 100000000;
    other.communication_ns = 900000000;
    for (other.thread = 1; other.thread <= 3; ++other.thread) run.locations.push_back(other);
  }
  for (Column& column : run.columns) {
    const bool waits = column.metric == run_file::communication_ns || column.metric == run_file::inclusive_ns;
    const double other = waits ? 9e8 : 0;
    column.values = {column.values[0], other, other, other, column.values[1], other, other, other};
  }
  test::add_waits(run, {.cause = "late_sender",
                        .callpath = pipeline_receive,
                        .wait_s = {0, 0.9, 0.9, 0.9, 0, 0.9, 0.9, 0.9},
                        .peer_callpath = pipeline_send,
                        .peer_rank = 0});
  const File file(run);
  const Finding finding = file.diagnosis().findings.at(0);
  CHECK(finding.severity_s == Approx(5.4)); // 2.7 times p x T
  CHECK(finding.percent == Approx(100 * 5.4 / 8));
  CHECK(contains(text_of(file, 200), ": 67.5 % of the time of all threads (5.40 s"));
}

TEST_CASE("threads that never call MPI do not make waits smaller") {
  // The main thread of rank 1 waits 0.5 of 1 s; a thread beside it computes.
  Run run = run_of_times({{1, 0, 0}, {0.5, 0.5, 0}}, 1);
  LocationRow thread = run.locations[1];
  thread.thread = 1;
  thread.compute_ns = 1000000000;
  thread.communication_ns = 0;
  run.locations.push_back(thread);
  for (Column& column : run.columns) column.values.push_back(0);
  test::add_waits(run, {.cause = "late_sender",
                        .callpath = pipeline_receive,
                        .wait_s = {0, 0.5, 0},
                        .peer_callpath = pipeline_send,
                        .peer_rank = 0});
  const File file(run);
  CHECK(file.diagnosis().findings.at(0).percent == Approx(25)); // of 2 x 1 s, not of 3 s
  CHECK_FALSE(nlohmann::json::parse(diagnosis_json({{file.profile(), file.diagnosis()}}, 1))["findings"][0].contains(
      "percent_of"));
}

TEST_CASE("both ends of a gain are equally exact") {
  CHECK(gain_text({0.000238, 0.443}) == "0 to 0.443 s");
  CHECK(gain_text({0.4684, 0.51}) == "0.468 to 0.510 s");
  CHECK(gain_text({2.06, 12.34}) == "2.1 to 12.3 s");
  CHECK(gain_text({0.0304, 0.03041}) == "0.0304 s");
  CHECK(gain_text({0, 0}) == "0 s");
}

TEST_CASE("the gain of one late rank: nothing as it is, the mean of the waits if work is shared") {
  // Rank 0 does not wait, so T stays; 10 s of work shared by four ranks take 2.5 s instead of 3.25
  // s.
  const Finding f = File(late_broadcast()).diagnosis().findings.at(0);
  CHECK(f.gain.low_s == Approx(0).margin(1e-12));
  CHECK(f.gain.high_s == Approx(0.75));
}

TEST_CASE("the gain of a pipeline: the chain counts where it began, and what ends early may lose it") {
  const std::vector<Finding> findings = File(pipeline()).diagnosis().findings;
  REQUIRE(findings.size() == 3);
  // Without its waits and those that follow from them the ranks end after 1, 1 and 1 s.
  const Finding& sender = found(findings, "late_sender");
  CHECK(sender.gain.low_s == Approx(2));
  CHECK(sender.gain.high_s == Approx(2));
  // Rank 2 ends at 1 s, rank 1 at 2 s as before.
  const Finding& dependency = found(findings, "data_dependency");
  CHECK(dependency.gain.low_s == Approx(1));
  CHECK(dependency.gain.high_s == Approx(2));
  REQUIRE(dependency.origins.size() == 1);
  CHECK(*dependency.origins[0].rank == 0);
  CHECK(dependency.origins[0].path == Names{"main", "MPI_Send"});
  CHECK(*dependency.peers.at(0).rank == 1);
  const Finding& end = found(findings, wait_at_end);
  CHECK(end.severity_s == Approx(3));
  CHECK(end.percent == Approx(100 * 3 / 9.0));
  CHECK(end.gain.low_s == Approx(0).margin(1e-12));
  CHECK(end.gain.high_s == Approx(2));
  REQUIRE(end.ranks.size() == 2);
  CHECK(end.ranks[0].rank == 0);
  CHECK(end.ranks[0].wait_s == Approx(2));
  // The largest effect first, which is not the largest sum of waits.
  CHECK(&findings[0] == &sender);
  CHECK(&findings[1] == &dependency);
}

TEST_CASE("a chain that names another rank may have begun there: it counts in the upper end alone") {
  Run run = pipeline();
  run.waits[1].origin_rank = 2; // the row stands for waits of several origins
  const std::vector<Finding> findings = File(run).diagnosis().findings;
  const Finding& sender = found(findings, "late_sender");
  CHECK(sender.gain.low_s == Approx(0).margin(1e-12)); // rank 2 surely saves nothing, and is last
  CHECK(sender.gain.high_s == Approx(2));
}

TEST_CASE("the gain of uneven work up to the end is the mean of the waits") {
  Run run = run_of_times({{1, 0, 2}, {2, 0, 1}, {3, 0, 0}}, 3);
  run.facts["gains"] = "replayed";
  const std::vector<Finding> findings = File(run).diagnosis().findings;
  const Finding& end = found(findings, wait_at_end);
  CHECK(end.gain.cure == "share");
  CHECK(*end.gain.value_s == Approx(1)); // of 2, 1 and 0 s
  CHECK(end.advice.starts_with("Share the work evenly"));
}

TEST_CASE("of repeats to which different cures are suited the one is taken that suits the medians") {
  const auto repeat = [](double severity_s, double earlier_s, double share_s) {
    Finding f;
    f.cause = "late_sender";
    f.path = {"main", "MPI_Recv"};
    f.severity_s = severity_s;
    f.gains = {{earlier_s, earlier_s, earlier_s, "earlier"}, {share_s, share_s, share_s, "share"}};
    f.gain = best_of(f.cause, f.gains);
    Diagnosis diagnosis;
    diagnosis.findings = {f};
    return diagnosis;
  };
  // The longest waits are of the one repeat in which sending earlier gains a quarter of the other.
  const std::vector<Finding> merged = merged_findings({repeat(9, 0.3, 1), repeat(8, 0.1, 1.2), repeat(7, 0.2, 1.4)});
  REQUIRE(merged.size() == 1);
  CHECK(merged[0].severity_s == Approx(8));
  CHECK(merged[0].gain.cure == "share");
  CHECK(*merged[0].gain.value_s == Approx(1.2));
  REQUIRE(merged[0].gains.size() == 2);
  CHECK(*merged[0].gains[0].value_s == Approx(0.2));
}

TEST_CASE("a run that was replayed has a gain with a band for each cure, and the cure that suits the cause first") {
  Run run = pipeline();
  run.facts["gains"] = "replayed";
  const auto gain = [](int cause, const char* cure, double gain_s, double error_s) {
    return GainRow{cause, pipeline_receive, cure, gain_s * 1e9, error_s * 1e9};
  };
  run.gains = {gain(0, "earlier", 2, 0),   gain(0, "share", 1, 0), gain(0, "leave_out", 2, 0.5),
               gain(1, "earlier", 0.1, 0), gain(1, "share", 1, 0), gain(1, "leave_out", -0.5, 0)};
  const std::vector<Finding> findings = File(run).diagnosis().findings;
  const Finding& sender = found(findings, "late_sender");
  CHECK(sender.gain.cure == "earlier");
  CHECK(*sender.gain.value_s == Approx(2));
  CHECK(sender.gain.low_s == Approx(1.7)); // 15 %
  CHECK(sender.gain.high_s == Approx(2.3));
  REQUIRE(sender.gains.size() == 3);
  CHECK(sender.gains[2].low_s == Approx(1.5)); // what the replay leaves open
  CHECK(sender.gains[2].high_s == Approx(2.5));
  const Finding& dependency = found(findings, "data_dependency");
  CHECK(dependency.gain.cure == "share"); // sending earlier gains less than a quarter of it
  CHECK(*dependency.gain.value_s == Approx(1));
  CHECK(*dependency.gains[2].value_s == 0); // the cure would do harm
  const Finding& end = found(findings, wait_at_end);
  CHECK_FALSE(end.gain.value_s); // each computes 1 s: there is nothing to share
  CHECK(end.gain.high_s == Approx(2));
  CHECK(end.advice.starts_with("Look at what the last ranks have waited for before"));
  CHECK(gain_text(sender.gain) == "2.00 (1.70 to 2.30) s");
  const auto json = nlohmann::json::parse(diagnosis_json({{File(run).profile(), File(run).diagnosis()}}, 1));
  CHECK(
      json["findings"][0]["gain_s"] ==
      nlohmann::json({{"low", sender.gain.low_s}, {"high", sender.gain.high_s}, {"value", 2.0}, {"cure", "earlier"}}));
  CHECK(json["findings"][0]["gains"].size() == 3);
  CHECK(contains(on_one_line(text_of(File(run))),
                 "T would shrink by 2.00 (1.70 to 2.30) s if the late calls came in time what"));
  CHECK(contains(text_of(File(run)), "else     1.00 (0.85 to 1.15) s if the work before the late calls was shared"));
}

TEST_CASE("why a run was not replayed is said") {
  Run run = pipeline();
  run.facts["gains"] = "none";
  run.facts["gains_reason"] = "several threads of a rank call MPI";
  const File file(run);
  CHECK_FALSE(file.diagnosis().findings.at(0).gain.value_s);
  CHECK(contains(text_of(file),
                 "! Gains are bounds: several threads of a rank call MPI, so the run was not replayed.\n"));
}

TEST_CASE("what follows from a finding stands below it, whatever it gains") {
  Run run = pipeline();
  run.facts["gains"] = "replayed";
  run.gains = {{0, pipeline_receive, "earlier", 1e9, 0}, {1, pipeline_receive, "earlier", 2e9, 0}};
  run.waits[0].origin_callpath = pipeline_send; // of itself: rank 0 was late without waiting
  run.waits[0].origin_rank = 0;
  run.origins = {{0, pipeline_send, pipeline_main, 1e9, 3e9, 2}};
  const File file(run);
  const std::vector<Finding> findings = file.diagnosis().findings;
  REQUIRE(findings.size() == 3);
  CHECK(findings[0].cause == "late_sender");
  CHECK_FALSE(findings[0].follows);
  CHECK(findings[1].cause == "data_dependency");
  REQUIRE(findings[1].follows);
  CHECK(*findings[1].follows == FindingName{"late_sender", {"main", "MPI_Recv"}});
  REQUIRE(findings[1].origins.size() == 1);
  const WaitPeer& origin = findings[1].origins[0];
  CHECK(*origin.rank == 0);
  CHECK(*origin.cost_s == Approx(3));
  CHECK(origin.doing_path == Names{"main"});
  CHECK(origin.doing_s == Approx(1));
  const auto json = nlohmann::json::parse(diagnosis_json({{file.profile(), file.diagnosis()}}, 1));
  const auto& second = json["findings"][1];
  CHECK(second["origin_rank"] == 0);
  CHECK(second["origin_path"] == nlohmann::json({"main", "MPI_Send"}));
  CHECK(second["follows"] == nlohmann::json({{"cause", "late_sender"}, {"path", {"main", "MPI_Recv"}}}));
  CHECK(second["origins"][0]["doing"] == "computation");
  CHECK(second["origins"][0]["doing_path"] == nlohmann::json({"main"}));
  CHECK(second["origins"][0]["cost_s"] == 3.0);
  CHECK_FALSE(json["findings"][0].contains("follows"));
  CHECK(contains(text_of(file), "in time; follows from 1\n"));
  CHECK(contains(text_of(file), "The causes, largest effect on T first, what follows from a cause behind it (gains"));
  CHECK(contains(text_of(file),
                 "since    rank 0 in main > MPI_Send (pipeline.c:12), 2.00 s of these waits, 3.00 s in all, "
                 "after computing\n             in main (pipeline.c:12)\n"));
}

TEST_CASE("where a caller stands for the functions that it calls, the text says so") {
  Run run = pipeline();
  run.waits[0].origin_callpath = pipeline_send;
  run.waits[0].origin_rank = 0;
  run.origins = {{0, pipeline_send, pipeline_main, 1e9, 3e9, 2}};
  test::set_values(run, pipeline_main, run_file::exclusive_ns, {0.2e9, 0.1e9, 0.1e9});
  test::set_values(run, pipeline_main, run_file::computation_ns, {1e9, 0.5e9, 0.5e9}); // 1.6 of 2 s are its callees'
  CHECK(contains(in_one_line(text_of(File(run))), "after computing in what is called by main"));
  // Rank 0 is in main itself for 1.9 s longer than each of the others: that alone explains the waits.
  test::set_values(run, pipeline_main, run_file::exclusive_ns, {2e9, 0.1e9, 0.1e9});
  test::set_values(run, pipeline_main, run_file::computation_ns, {6e9, 4.1e9, 4.1e9});
  CHECK(contains(in_one_line(text_of(File(run))), "after computing in main"));
}

TEST_CASE("what made a rank late is named, not what computed most before it") {
  Run run = late_broadcast(1); // of setup rank 0 has 1 s more than the others, of sweep all have 2.25 s
  run.waits[0].origin_callpath = test::path_broadcast;
  run.waits[0].origin_rank = 0;
  run.origins = {{0, test::path_broadcast, test::path_sweep, 3e9, 3e9, 3}};
  CHECK(contains(in_one_line(text_of(File(run))), "3.00 s in all, after computing in main > setup"));
}

TEST_CASE("waits that began with several ranks are not all said to have begun with one of them") {
  Run run = pipeline(); // of the 2 s that rank 2 waits at most 1.5 began with rank 0
  run.waits[0].origin_callpath = pipeline_send;
  run.waits[0].origin_rank = 0;
  run.origins = {{0, pipeline_send, pipeline_main, 1e9, 1.5e9, 2}};
  CHECK(
      contains(in_one_line(text_of(File(run))),
               "since rank 0 and others in main > MPI_Send (pipeline.c:12), 2.00 s of these waits, 1.50 s in all with "
               "rank 0, after computing in main"));
}

TEST_CASE("what a wait in a parallel region loses may be waited for the team instead") {
  // Rank 0 receives for 0.3 s in the region and waits another 0.2 s for its thread, which computes for 0.7 s.
  const auto gain_of_wait = [](double barrier_s, bool is_replayed) {
    Run run = test::team_run({{0.1, 0, 0, {{0.2, barrier_s, 0, 0.3}, {0.7}}}, {0.1, 0, 0, {{0.7}, {0.7}}}}, 1);
    test::measure_waits(run);
    test::add_waits(run, {"late_sender", test::team_send, {0.3, 0, 0, 0}, test::team_send, 1});
    if (is_replayed) run.gains = {{0, test::team_send, "earlier", 0.3e9, 0}};
    return File(run).diagnosis().findings.at(0).gain;
  };
  CHECK(gain_of_wait(0, true).low_s == Approx(0.255)); // 15 % less
  CHECK(gain_of_wait(0.2, true).low_s == Approx(0.055));
  CHECK(*gain_of_wait(0.2, true).value_s == Approx(0.3));
  CHECK(gain_of_wait(0.2, true).high_s == Approx(0.345));
  CHECK(gain_of_wait(0.5, true).low_s == 0);
  CHECK(gain_of_wait(0.2, false).low_s == 0);
}

TEST_CASE("no gain exceeds what the slowest rank saves") {
  // Two of four ranks wait half a second each for something else.
  Run run = late_broadcast(0.5);
  test::add_waits(run, {.cause = "other", .callpath = test::path_broadcast, .wait_s = {0, 0.5, 0, 0.2}});
  const std::vector<Finding> findings = File(run).diagnosis().findings;
  CHECK(found(findings, "late_broadcast").gain.high_s == Approx(0.5)); // work alone would say 0.55
  CHECK(found(findings, "other").gain.high_s == Approx(0.5));
  CHECK(found(findings, "other").severity_s == Approx(0.7));
}

TEST_CASE("of ranks without values only bounds are known") {
  Run run = late_broadcast();
  test::keep_values_of(run, {0, 1});
  const Diagnosis d = File(run).diagnosis();
  CHECK(d.some_ranks);
  const Finding& f = d.findings.at(0);
  CHECK(f.severity_s == Approx(3)); // over all ranks nevertheless
  REQUIRE(f.ranks.size() == 1);
  CHECK(f.ranks[0].rank == 1);
  CHECK(f.gain.high_s == Approx(0.75));
  CHECK(contains(text_of(File(run)), "1: 1.00 s, values of other ranks are not kept"));
}

TEST_CASE("sampled waits carry their error") {
  Run run = late_broadcast(0.9);
  run.facts["log_level"] = std::int64_t{3};
  run.waits[0].variance_ns2 = 1e16; // a standard error of 0.1 s
  const File file(run);
  CHECK(*file.diagnosis().findings.at(0).error_s == Approx(0.196));
  CHECK(contains(text_of(file), "20.8 % of p x T (2.70 s +- 0.196 s in 3 waits)"));
  CHECK(contains(text_of(file), "! Sampled: the log kept 1 message in 8 and 1 collective in 8"));
}

TEST_CASE("the diagnosis as text") {
  const File file(late_broadcast());
  CHECK(text_of(file, 80) == "jacobi 2048\n"
                             "4 ranks; 3.25 s; started 2026-11-20T12:00:00Z; on node1; Open MPI v4.1.4\n"
                             "\n"
                             "The ranks wait 23.1 % of p x T = 4 x 3.25 s in MPI calls.\n"
                             "The causes, largest effect on T first:\n"
                             "\n"
                             " 1  Title of late_broadcast: 23.1 % of p x T (3.00 s in 3 waits); T would shrink\n"
                             "    by 0 to 0.750 s\n"
                             "    what     Ranks wait.\n"
                             "    where    main > MPI_Bcast (jacobi.c:10)\n"
                             "    for      main > MPI_Bcast (jacobi.c:10), 3.00 s, most with rank 0\n"
                             "    ranks    1: 1.00 s, 2: 1.00 s, 3: 1.00 s\n"
                             "    advice   Change late_broadcast.\n"
                             "\n"
                             "where: the call that waits; for: the call of the other rank that it waits for;\n"
                             "line numbers: of the calling functions; p x T: the time of all ranks together\n");
}

TEST_CASE("call paths below a long one that waits begin with its last name in common") {
  Run run = test::run_of({}, 4);
  int parent = test::path_main;
  const auto call = [&](int caller, const char* name, const char* kind) {
    run.regions.push_back({name, kind, "deep.c", static_cast<int>(run.regions.size())});
    run.callpaths.push_back({caller, static_cast<int>(run.regions.size()) - 1});
    return static_cast<int>(run.callpaths.size()) - 1;
  };
  for (const char* name : {"cycle", "level", "smooth"}) parent = call(parent, name, "function");
  const int receive = call(parent, "MPI_Recv", "receive");
  const int send = call(call(parent, "post", "function"), "MPI_Send", "send");
  test::measure_waits(run);
  const auto wait_for = [&](int rank, double wait_s) {
    test::add_waits(run, {.cause = "late_sender",
                          .callpath = receive,
                          .wait_s = {0, wait_s, 0, 0},
                          .peer_callpath = send,
                          .peer_rank = rank});
  };
  wait_for(2, 0.8);
  wait_for(3, 0.2);
  const std::string text = text_of(File(run), 200);
  CHECK(contains(text, "    where    main > cycle > level > smooth > MPI_Recv (deep.c:"));
  // Both sends are of one call path: 0.8 + 0.2 s.
  CHECK(contains(text, "    for      .. > smooth > post > MPI_Send (deep.c:"));
  CHECK(contains(text, "), 1.00 s\n")); // less than nine tenths for rank 2
  CHECK(contains(text, "; ..: as in where;"));
  wait_for(2, 1.2);
  CHECK(contains(text_of(File(run), 200), "), 2.20 s, most with rank 2\n")); // 2 s of it
  wait_for(3, 0.1);
  CHECK(contains(text_of(File(run), 200), "), 2.30 s\n"));
}

TEST_CASE("what is left out of call paths is explained where a line ends behind the mark") {
  Run run = test::run_of({}, 4);
  int path = test::path_main;
  for (const char* name : {"cycle", "level", "smooth", "MPI_Recv"}) {
    run.regions.push_back({name, "function", "deep.c", 1});
    run.callpaths.push_back({path, static_cast<int>(run.regions.size()) - 1});
    path = static_cast<int>(run.callpaths.size()) - 1;
  }
  test::measure_waits(run);
  for (const auto& [callpath, wait_s] : {std::pair<int, double>{test::path_broadcast, 0.9}, {path, 0.1}})
    test::add_waits(run, {.cause = "late_sender",
                          .callpath = path,
                          .wait_s = {0, wait_s, 0, 0},
                          .peer_callpath = callpath,
                          .peer_rank = -1});
  const std::string text = text_of(File(run), 56);
  CHECK(contains(text, "    for      main > MPI_Bcast (jacobi.c:10), 0.900 s; ..\n"));
  std::string words;
  for (const char c : text) words += c == '\n' ? ' ' : c;
  CHECK(contains(words, "; ..: as in where;"));
}

TEST_CASE("what a cause is, and what to do about it, is told once") {
  Run run = late_broadcast();
  test::add_waits(run, {.cause = "late_broadcast", .callpath = test::path_work, .wait_s = {0, 0.2, 0.2, 0}});
  const std::string text = text_of(File(run), 80);
  const auto second = text.find(" 2  Title of late_broadcast: 3.1 %");
  REQUIRE(second != text.npos);
  CHECK(contains(text.substr(0, second), "    what     Ranks wait.\n"));
  CHECK(contains(text.substr(0, second), "    advice   Change late_broadcast.\n"));
  CHECK_FALSE(contains(text.substr(second), "    what "));
  CHECK(contains(text.substr(second), "    advice   see 1 above\n"));
}

TEST_CASE("findings below the threshold are summed up in one line") {
  Run run = late_broadcast(0.9);
  for (const char* cause : {"small", "smaller"})
    test::add_waits(run,
                    {.cause = cause, .callpath = test::path_broadcast, .wait_s = {0, 0.026, 0, 0}}); // 0.2 % of 13 s
  const File file(run);
  CHECK(contains(text_of(file), "\n2 findings below 1 % of p x T, 0.4 % together (--all shows them)\n"));
  CHECK_FALSE(contains(text_of(file), "Title of small:"));
  CHECK(contains(text_of(file, 200, 0), "Title of small: 0.2 % of p x T"));
  CHECK_FALSE(contains(text_of(file, 200, 0), "below"));
  CHECK(contains(text_of(file, 200, 0), "first (gains overlap: they do not add up):\n"));
  CHECK(widest_line(text_of(file, 80, 0)) <= 80);
  CHECK(contains(text_of(file, 200, 50), "No cause above 50 % of p x T.\n3 findings below 50 %"));
}

TEST_CASE("what the findings do not cover has a line each, only where there is any") {
  Run run = late_broadcast();
  CHECK_FALSE(contains(text_of(File(run)), "clocks of the ranks"));
  run.facts["clock_offset_error_ns"] = std::int64_t{850};
  const std::string plain = text_of(File(run));
  CHECK(contains(plain, "clocks of the ranks within 0.850 us"));
  CHECK_FALSE(contains(plain, "!"));
  run.facts["wait_unclassified_ns"] = std::int64_t{13000000};
  run.facts["messages_unmatched"] = std::int64_t{1};
  run.facts["events_unordered"] = std::int64_t{2};
  run.facts["events_outside"] = std::int64_t{5};
  run.facts["events_lost"] = std::int64_t{3};
  run.facts["clock_violations"] = std::int64_t{4};
  CHECK(
      text_of(File(run)).substr(plain.size()) ==
      "! Unclassified: 0.0130 s of waiting, 0.10 % of p x T, in waits shorter than twice the error of the clocks\n"
      "  (0.850 us).\n"
      "! 1 operation has only one side in the log, as measuring was off for the other or it could not be kept: no\n"
      "  wait of theirs is classified.\n"
      "! 2 operations of threads that share a channel, or of cancelled requests: their order is "
      "not "
      "known, so they\n  are not classified.\n"
      "! 5 calls with processes of another world (MPI_Comm_spawn, MPI_Comm_connect ...), which has a run file of its\n"
      "  own or none: waits for these are not known, and count as communication.\n"
      "! 3 operations were not logged for lack of memory.\n"
      "! 4 messages arrived before they were sent, by the clocks of their ranks: waits may be wrong by this\n"
      "  difference.\n");
}

TEST_CASE("what setting events left out of the log, and calls of functions without room in it, are said") {
  Run run = late_broadcast();
  const std::string plain = text_of(File(run));
  run.facts["events_left_out"] = "messages and locks";
  run.facts["function_calls_lost"] = std::int64_t{1000};
  CHECK(
      text_of(File(run)).substr(plain.size()) ==
      "! Setting events left messages and locks out of the log: no wait there is classified.\n"
      "! The log of function calls was full (setting log_mb): up to 1000 calls of a rank, its last ones, are missing\n"
      "  for the rules.\n");
}

TEST_CASE("that ranks take turns on the cores is said where times are") {
  Run run = late_broadcast();
  run.facts["oversubscribed"] = std::int64_t{1};
  CHECK(contains(text_of(File(run)), "more ranks x threads than usable cores"));
  CHECK_FALSE(contains(text_of(File(run), 100, 90), "more ranks x threads than usable cores")); // no cause is shown
}

TEST_CASE("what was left over at the end is told with ranks, tag and place") {
  Run run = late_broadcast();
  run.facts["messages_unmatched"] = std::int64_t{3};
  run.left_overs = {{run_file::left_send, test::path_broadcast, 0, -1, 1, 7, 2},
                    {run_file::left_receive, test::path_broadcast, 3, -1, 2, 5, 1},
                    {run_file::left_request, test::path_broadcast, 3, -1, -1, -1, 1},
                    {run_file::left_order, test::path_broadcast, 0, test::path_work, 1, -1, 1},
                    {run_file::left_root, test::path_broadcast, 0, test::path_broadcast, 1, -1, 1},
                    {run_file::left_root, test::path_broadcast, 0, test::path_work, 1, -1, 1, 2, 3},
                    {run_file::left_missing, test::path_broadcast, 0, -1, 2, -1, 1},
                    {"news", -1, -1, -1, -1, -1, 4}};
  const std::string text = text_of(File(run), 200);
  const std::string call = "main > MPI_Bcast (jacobi.c:10)";
  for (const std::string& line :
       {"2 sends that no receive took, the first from rank 0 to rank 1 with tag 7: " + call,
        "1 receive that no send met, of rank 3 from rank 2 with tag 5: " + call,
        "1 request that no call completed, of rank 3: " + call,
        "1 collective in different order: rank 0 called " + call + " where rank 1 called main > ",
        "1 collective with different roots: rank 0 called " + call + ", rank 1 called " + call + ".",
        "1 collective with different roots: rank 0 called " + call +
            " with root 2, rank 1 called main > work (jacobi.c:5) with root 3",
        "1 collective that not all ranks called: rank 0 called " + call + ", rank 2 did not",
        std::string("4 of news")}) {
    INFO(line);
    CHECK(contains(in_one_line(text), "! Left over at the end: " + line));
  }
  CHECK_FALSE(contains(text, "only one side in the log"));
  const auto json = nlohmann::json::parse(diagnosis_json({{File(run).profile(), File(run).diagnosis()}}, 1));
  REQUIRE(json["left_overs"].size() == 8);
  CHECK(json["left_overs"][0]["kind"] == "send");
  CHECK(json["left_overs"][0]["tag"] == 7);
  CHECK(json["left_overs"][0]["line"] == 10);
  CHECK(json["left_overs"][3]["peer_rank"] == 1);
  CHECK_FALSE(json["left_overs"][4].contains("root"));
  CHECK(json["left_overs"][5]["root"] == 2);
  CHECK(json["left_overs"][5]["peer_root"] == 3);
  CHECK_FALSE(json["left_overs"][2].contains("tag"));
  const File damaged(run);
  damaged.execute("UPDATE left_over SET callpath = 99 WHERE kind = 'send'");
  CHECK_THROWS_AS(damaged.profile(), Refusal);
  const File before_roots(run);
  before_roots.execute("ALTER TABLE left_over DROP COLUMN root; ALTER TABLE left_over DROP COLUMN peer_root");
  CHECK(before_roots.profile().left_overs.size() == 8);
  CHECK_FALSE(before_roots.profile().left_overs[5].root);
  const File older(run);
  older.execute("DROP TABLE left_over");
  CHECK(older.profile().left_overs.empty());
}

TEST_CASE("runs without wait states say why, runs without waits that there is no cause") {
  Run run = test::run_of({}, 4);
  CHECK(contains(text_of(File(run)), "! Wait states were not measured: the run has no data about them.\n"));
  CHECK_FALSE(contains(text_of(File(run)), "No cause")); // nobody looked
  run.facts["wait_states"] = "none";
  run.facts["wait_states_reason"] = "a rank died";
  const File file(run);
  CHECK(contains(text_of(file), "! Wait states were not measured: a rank died.\n"));
  CHECK_FALSE(file.diagnosis().idle_percent);
  run = test::run_of({}, 4);
  test::measure_waits(run);
  CHECK(contains(text_of(File(run)), "The ranks wait 0.0 % of p x T = 4 x 3.25 s in MPI calls.\n"
                                     "No cause above 1 % of p x T.\n"));
  CHECK(contains(text_of(File(run), 200, 0), "No rank waited for another.\n"));
}

TEST_CASE("the diagnosis as JSON") {
  const File file(pipeline());
  const auto one = nlohmann::json::parse(diagnosis_json({{file.profile(), file.diagnosis()}}, 1));
  CHECK(one["schema"] == 1);
  CHECK_FALSE(one.contains("runs"));
  const auto& f = one["findings"][1];
  CHECK(f["cause"] == "data_dependency");
  CHECK(f["severity_s"] == 2.0);
  CHECK(f["percent"].get<double>() == Approx(100 * 2 / 9.0));
  CHECK(f["gain_s"] == nlohmann::json({{"low", 1.0}, {"high", 2.0}}));
  CHECK(f["path"] == nlohmann::json({"main", "MPI_Recv"}));
  CHECK(f["peer_path"] == nlohmann::json({"main", "MPI_Send"}));
  CHECK(f["peer_rank"] == 1);
  CHECK(f["origin"] == nlohmann::json({{"path", {"main", "MPI_Send"}}, {"rank", 0}}));
  CHECK(f["ranks"] == nlohmann::json::array({{{"rank", 2}, {"wait_s", 2.0}}}));
  CHECK(f["advice"] == "Change data_dependency.");
  CHECK_FALSE(f.contains("error_s"));
  const auto& end = one["findings"][2];
  CHECK(end["cause"] == "wait_at_end");
  CHECK(end["path"] == nlohmann::json({"(program)"}));
  CHECK(end["peer_path"] == nlohmann::json::array());
  const DiagnosedRun run{file.profile(), file.diagnosis()};
  const auto two = nlohmann::json::parse(diagnosis_json({run, run}, 1));
  CHECK(two["schema"] == 1);
  CHECK_FALSE(two.contains("findings"));
  REQUIRE(two["runs"].size() == 2);
  CHECK(two["runs"][1]["findings"] == one["findings"]);
}

TEST_CASE("repeats: medians, and zero where a repeat lacks the finding") {
  std::vector<Diagnosis> repeats;
  for (const double wait_s : {0.8, 0.2, 0.6}) repeats.push_back(File(late_broadcast(wait_s)).diagnosis());
  const std::vector<Finding> all = merged_findings(repeats);
  REQUIRE(all.size() == 1);
  CHECK(all[0].severity_s == Approx(1.8));
  CHECK(all[0].percent == Approx(100 * 1.8 / 13));
  CHECK(all[0].ranks.at(0).wait_s == Approx(0.8)); // of the heaviest repeat
  Run none = test::run_of({}, 4);
  test::measure_waits(none);
  for (int i = 0; i < 4; ++i) repeats.push_back(File(none).diagnosis());
  CHECK(merged_findings(repeats).empty()); // 0, 0, 0, 0, 0.6, 1.8, 2.4
}

TEST_CASE("repeats: shares are of the same whole where threads beside the main ones wait in one of them") {
  // Two ranks and a thread beside rank 1, T = 1 s: in one repeat rank 1 waits 0.5 s, in the other it and its thread 0.6 s.
  const auto repeat = [](double main_s, double thread_s = 0) {
    Run run = run_of_times({{1, 0, 0}, {1 - main_s, main_s, 0}}, 1);
    LocationRow thread = run.locations[1];
    thread.thread = 1;
    thread.communication_ns = std::llround(thread_s * 1e9);
    thread.compute_ns = 1000000000 - thread.communication_ns;
    run.locations.push_back(thread);
    for (Column& column : run.columns) {
      const bool waits = column.metric == run_file::communication_ns || column.metric == run_file::inclusive_ns;
      column.values.push_back(waits ? thread_s * 1e9 : 0);
    }
    test::add_waits(run, {.cause = "late_sender",
                          .callpath = pipeline_receive,
                          .wait_s = {0, main_s, thread_s},
                          .peer_callpath = pipeline_send,
                          .peer_rank = 0});
    return run;
  };
  const auto merged = [](const std::vector<Run>& runs) {
    std::deque<File> files;
    std::vector<Profile> profiles;
    for (const Run& run : runs) profiles.push_back(files.emplace_back(run).profile());
    return merged_findings(diagnoses_of(profiles)).at(0);
  };
  const Finding mains = merged({repeat(0.5), repeat(0.5)}), both = merged({repeat(0.5), repeat(0.6, 0.6)});
  CHECK(mains.percent == Approx(25)); // 0.5 s of 2 x 1 s
  CHECK(mains.whole == WaitWhole::ranks);
  CHECK(both.severity_s == Approx(0.85));
  CHECK(both.percent == Approx(100 * (0.5 + 1.2) / 2 / 3)); // of 3 x 1 s in both
  CHECK(both.whole == WaitWhole::threads);
}

TEST_CASE("the efficiency hierarchy") {
  // Compute 3 and 2 s, T = 4 s; rank 0 waits 0.5 s of its 1 s in MPI, rank 1 1 s of its 2 s.
  Run run = run_of_times({{3, 1, 0}, {2, 2, 0}}, 4);
  test::add_waits(run, {.cause = "late_sender", .callpath = pipeline_receive, .wait_s = {0.5, 1}});
  const Efficiency e = *efficiency_of(File(run).profile());
  CHECK(e.parallel == Approx(5 / 8.0));
  CHECK(e.load_balance == Approx(2.5 / 3));
  CHECK(e.communication == Approx(3 / 4.0));
  CHECK(*e.transfer == Approx(3.5 / 4)); // max(4 - 0.5, 4 - 1)
  CHECK(*e.serialisation == Approx(3 / 3.5));
  CHECK(e.parallel == Approx(e.load_balance * *e.serialisation * *e.transfer));
  SECTION("MPI-IO is no transfer") {
    for (const std::size_t table_values : {20000u, 0u}) {
      Run io = run;
      io.locations[0].communication_ns -= 250'000'000;
      io.locations[0].io_ns = 250'000'000;
      const Efficiency with_io = *efficiency_of(File(io, table_values).profile());
      CHECK(*with_io.transfer == Approx(3.75 / 4)); // rank 0 transfers for 0.25 s only
      CHECK(*with_io.serialisation == Approx(3 / 3.75));
    }
  }
  SECTION("without measured waits the inner factors are not known") {
    const Efficiency plain = *efficiency_of(File(test::run_of({}, 4)).profile());
    CHECK(plain.load_balance == Approx(2.5 / 3.25));
    CHECK(plain.communication == Approx(1));
    CHECK_FALSE(plain.transfer);
    CHECK_FALSE(plain.serialisation);
  }
}

TEST_CASE("idle and overlap in the views of a run") {
  Run run = late_broadcast(0.75);
  const auto set = [&run](const char* metric, std::vector<double> values) {
    test::set_values(run, test::path_broadcast, test::metric_of(run, metric), std::move(values));
  };
  set("transfer_ns", {1e8, 1e8, 2e8, 0});
  set("overlap_low_ns", {0, 2e7, 1e8, 0});
  set("overlap_high_ns", {5e7, 5e7, 2e8, 0});
  set("a metric of later times", {1, 2, 3, 4}); // passed over
  const File file(run);
  const Profile profile = file.profile();
  Tree tree = tree_of(profile, profile.statistics);
  REQUIRE(has_overlap(tree));
  tree.overlaps = overlaps_of_ranks(profile);
  const auto json = nlohmann::json::parse(show_json(profile, tree, {}));
  const auto& broadcast = json["callpaths"][test::path_broadcast];
  CHECK(broadcast["idle_s"] == 2.25);
  CHECK(broadcast["communication_s"] == 0.75);
  CHECK(broadcast["inclusive_s"] == 3.0);
  CHECK(broadcast["transfer_s"].get<double>() == Approx(0.4));
  CHECK(broadcast["overlap_percent"]["low"].get<double>() == Approx(30));
  CHECK(broadcast["overlap_percent"]["high"].get<double>() == Approx(75));
  CHECK(json["callpaths"][test::path_main]["idle_s"] == 2.25);
  CHECK_FALSE(json["callpaths"][test::path_main].contains("overlap_percent")); // its own: none
  CHECK(json["ranks"][1]["idle_s"] == 0.75);
  CHECK(json["ranks"][1]["communication_s"] == 0.25);
  CHECK(json["ranks"][1]["overlap_percent"]["low"].get<double>() == Approx(20));
  CHECK_FALSE(json["ranks"][3].contains("overlap_percent"));
  const std::string text = show_text({120, false, false}, profile, tree, {}, {});
  CHECK(contains(text, "`-main         100.0       4     13.0        0    3.25   3.25  0.77    0.750    2.25"
                       "     30..75  3.20 kB\n"));
  CHECK(contains(text, "   2    3.25       2.25   69.2    0.250  7.7   0.750  23.1    50..100"));
  CHECK(contains(text, "\n%: of p x T; incl."));
  const Tree chosen = tree_of(profile, statistics_of_ranks(profile, {1}), {1});
  CHECK(contains(show_text({120, false, false}, profile, chosen, {1}, {}), "\n%: of T; incl."));
  const std::string narrow = show_text({80, false, false}, profile, tree, {}, {});
  CHECK(widest_line(narrow) <= 80);
}

TEST_CASE("a run with non-blocking messages but no times of transfers says that overlap is unknown") {
  const std::string unknown = "Overlap of non-blocking operations with computation: not known";
  const auto shown = [](const Run& run) {
    const File file(run);
    const Profile profile = file.profile();
    return show_text({300, false, false}, profile, tree_of(profile, profile.statistics), {}, {});
  };
  Run run = test::run_of({}, 4);
  test::measure_waits(run);
  CHECK_FALSE(contains(shown(run), unknown)); // no such messages
  CHECK_FALSE(contains(shown(run), "idle (waiting)")); // and no waits
  RegionRow& region =
      run.regions.at(static_cast<std::size_t>(run.callpaths.at(std::size_t{test::path_broadcast}).region));
  region.name = "MPI_Isend";
  region.kind = "send";
  CHECK(contains(shown(run), "nothing to hide, as each message was complete when the call that started it returned."));
  for (const FactName doubt :
       {FactName("transfers_unknown"), FactName("log_level"), FactName("events_lost"), FactName("events_unordered"),
        FactName("events_outside"), FactName("messages_unmatched")}) {
    run.facts[doubt] = std::int64_t{1};
    CHECK(contains(shown(run), unknown));
    CHECK_FALSE(contains(shown(run), "nothing to hide"));
    run.facts.erase(doubt);
  }
  const auto shown_of_older = [](const Run& older_run) {
    const File file(older_run);
    file.execute("DROP TABLE left_over"); // monitors count transfers_unknown since they write it
    const Profile profile = file.profile();
    return show_text({300, false, false}, profile, tree_of(profile, profile.statistics), {}, {});
  };
  CHECK(contains(shown_of_older(run), unknown));
  CHECK_FALSE(contains(shown_of_older(run), "nothing to hide"));
  run.facts["transfer_source"] = "calibration";
  CHECK_FALSE(contains(shown(run), unknown));
  CHECK(contains(shown(run), "nothing to hide, as the measured transfers"));
  CHECK(contains(shown_of_older(run), unknown));
  CHECK_FALSE(contains(shown_of_older(run), "nothing to hide"));
  run.facts["transfers_unknown"] = std::int64_t{5}; // it was not shown of all
  CHECK_FALSE(contains(shown(run), "nothing to hide"));
  CHECK(contains(shown(run), unknown));
  run.facts.erase("transfer_source");
  for (const char* metric : {"transfer_ns", "overlap_low_ns", "overlap_high_ns"})
    test::set_values(run, test::path_broadcast, test::metric_of(run, metric), {1, 1, 1, 1});
  CHECK_FALSE(contains(shown(run), unknown));
  CHECK(contains(shown(run), "Overlap: without 5 non-blocking messages, whose transfer times could not be measured"));
}

TEST_CASE("the advice of a report does not take waiting for work") {
  // Of 10 s rank 0 computes 9 s alone while the others wait 7 s and communicate for 2 s.
  Run run = test::run_of({.serial_s = 9, .parallel_s = 4}, 4);
  test::measure_waits(run);
  test::add_waits(run, {.cause = "late_broadcast", .callpath = test::path_broadcast, .wait_s = {0, 7, 7, 7}});
  const File file(run);
  const Report r = report_of(read_series({file.name}, false, [](const Refusal&) {}), nullptr, false);
  const std::string text = report_text({1000, false, false}, r, true);
  std::string joined;
  for (const char c : text) // sentences are broken at 100 columns
    if (c != '\n' && !(c == ' ' && !joined.empty() && joined.back() == ' ')) joined += c;
    else if (joined.empty() || joined.back() != ' ') joined += ' ';
  CHECK(contains(joined, "The ranks wait 52.5 % of p x T."));
  CHECK(contains(joined, "Communication takes 15.0 % of p x T, waiting for other ranks not "
                         "included, most of it in main > MPI_Bcast (15.0 %)."));
  CHECK(contains(joined, "The call path with the most time of its own is main > setup: 22.5 % of p x "
                         "T, with its calls of MPI but without the functions it calls and without waiting."));
}

TEST_CASE("a report names the causes, and a comparison what became of them") {
  // Serial work from 1 s to 0.2 s: T from 3.25 s to 2.65 s; waits from 3 s to 0.6 s over four
  // ranks.
  TemporaryDirectory directory;
  Names names;
  const auto add = [&](const test::Program& program, double wait_s) {
    Run run = test::run_of(program, 4);
    test::measure_waits(run);
    test::add_waits(
        run, {.cause = "late_broadcast", .callpath = test::path_broadcast, .wait_s = {0, wait_s, wait_s, wait_s}});
    names.push_back(directory / fmt::format("{}.andes", names.size()));
    test::write(run, names.back());
  };
  add({.hash = "a", .started = "2026-11-20T12:00:00Z"}, 1);
  add({.serial_s = 0.2, .parallel_s = 9.8, .hash = "b", .started = "2026-11-21T12:00:00Z"}, 0.2);
  const Series series = read_series(names, false, [](const Refusal&) {});
  const Report r = report_of(series, nullptr, false);
  REQUIRE(r.findings.size() == 1);
  CHECK(r.findings[0].percent == Approx(100 * 0.6 / 10.6));
  CHECK(*r.shares[0].idle_percent == Approx(100 * 0.6 / 10.6));
  CHECK(r.shares[0].communication_percent == Approx(0).margin(1e-9));
  CHECK(*r.shares[0].efficiency->transfer == Approx(1));
  REQUIRE(r.routines[0].path == Names{"main"});
  CHECK(*r.routines[0].idle_percent == Approx(100 * 0.6 / 10.6));
  CHECK(r.routines[0].non_communication_percent == Approx(100 * 10 / 10.6));
  REQUIRE(r.routines[0].causes.size() == 1);
  CHECK(r.routines[0].causes[0].percent == Approx(100 * 0.6 / 10.6));
  CHECK(*r.rank_rows[1].idle_percent == Approx(100 * 0.2 / 2.65));
  REQUIRE(r.comparison);
  const Comparison& c = *r.comparison;
  REQUIRE(c.causes.size() == 1);
  CHECK(c.causes[0].before_percent == Approx(100 * 3 / 13.0));
  CHECK(c.causes[0].after_percent == Approx(100 * 0.6 / 10.6));
  CHECK(c.causes[0].predicted.high_s == Approx(0.75));
  CHECK(c.causes[0].realised_s == Approx(0.6)); // (3 - 0.6) / 4
  REQUIRE(c.saved);
  CHECK(c.saved->total_s == Approx(0.6));
  CHECK(c.saved->idle_s == Approx(0.6));
  CHECK(c.saved->compute_s == Approx(0).margin(1e-9));
  CHECK(contains(report_text({60, false, false}, r, true),
                 "\n  [low, high]: 95 % interval of the median; low..high: range\n  of fewer than 6"));
  const std::string text = report_text({120, false, false}, r, true);
  CHECK(contains(text, "         5.7  0 to 0.150  Title of late_broadcast  main > MPI_Bcast  jacobi.c:10\n"));
  CHECK(contains(text, "      23.1      5.7   0 to 0.750       0.600  smaller  Title of late_broadcast  main > "
                       "MPI_Bcast\n"));
  CHECK(contains(text, "Of the 0.600 s by which T became shorter, waiting is 0.600 s, computing "));
  Report faster = r; // what is told of the cause is no gain of T: computing may have become shorter as well
  faster.comparison->points.front().change = Change::faster;
  CHECK(
      contains(report_text({500, false, false}, faster, true), "these waits are shorter by 0.600 s, mean over ranks."));
  const auto json = nlohmann::json::parse(report_json(r));
  CHECK(json["waits"]["findings"][0]["cause"] == "late_broadcast");
  CHECK(json["routines"][0]["causes"][0]["cause"] == "late_broadcast");
  CHECK(json["points"][0]["efficiency_hierarchy"]["transfer"].get<double>() == Approx(1));
  CHECK(json["comparison"]["causes"][0]["realised_gain_s"].get<double>() == Approx(0.6));
  CHECK(json["comparison"]["causes"][0]["predicted_gain_s"]["high"].get<double>() == Approx(0.75));
  CHECK(json["comparison"]["saved_s"]["idle"].get<double>() == Approx(0.6));
}

TEST_CASE("runs of the format before are read, without causes") {
  const File file(test::run_of({}, 4));
  file.execute("DROP TABLE cause; DROP TABLE wait; PRAGMA user_version = 2;");
  CHECK(file.profile().wall_s == Approx(3.25));
  CHECK(file.diagnosis().findings.empty());
}

TEST_CASE("waits that point nowhere are damage") {
  for (const char* change : {"cause = 1", "callpath = 6", "peer_callpath = 6", "peer_rank = -1", "origin_callpath = -7",
                             "wait_ns = 'much'"}) {
    const File file(late_broadcast());
    file.execute(fmt::format("UPDATE wait SET {}", change).c_str());
    CHECK_THROWS_AS(file.profile(), Refusal);
  }
  const File file(late_broadcast());
  file.execute("UPDATE wait SET peer_rank = NULL, peer_callpath = NULL");
  CHECK(file.diagnosis().findings.at(0).peers.empty());
}
