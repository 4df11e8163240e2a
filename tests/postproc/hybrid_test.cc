// Hybrid efficiency by hand: every factor of the worked example of docs/metrics.md, and what is said where
// the parts cannot be told.
#include "postproc/analysis/hybrid.h"

#include <catch2/catch.hpp>

#include <nlohmann/json.hpp>

#include "postproc/analysis/efficiency.h"
#include "postproc/analysis/report.h"
#include "postproc/model/read_run.h"
#include "postproc/view/advice_parts.h"
#include "postproc/view/hybrid_text.h"
#include "postproc/view/views.h"
#include "tests/postproc/run_maker.h"

using namespace andes;
using namespace andes::monitor;
using namespace andes::postproc;
using test::TeamProcess;
using test::TemporaryDirectory;

namespace {

/// The example of docs/metrics.md: T = 10 s, two ranks with two threads.
const std::vector<TeamProcess> example = {
    {2, 1, 1, {{6, 0, 0, 0, 0}, {3, 2, 1, 0, 0}}},
    {1, 5, 0, {{3, 1, 0, 0, 0}, {2, 2, 0, 0, 0}}},
};

HybridResult result_of(const Run& run, Detail detail = Detail::totals, std::size_t table_values = 20000) {
  const TemporaryDirectory directory;
  test::write(run, directory / "a.andes", table_values);
  return hybrid_of(read_run(directory / "a.andes", detail));
}

Hybrid hybrid(const std::vector<TeamProcess>& processes, double time_s) {
  const HybridResult result = result_of(test::team_run(processes, time_s));
  REQUIRE(result.why_not.empty());
  REQUIRE(result.hybrid);
  return *result.hybrid;
}

Report report(const Run& run) {
  const TemporaryDirectory directory;
  test::write(run, directory / "a.andes");
  return report_of(read_series({directory / "a.andes"}, false, [](const Refusal&) { FAIL("the run was skipped"); }),
                   nullptr, false);
}

void check_products(const Hybrid& h) {
  CHECK(h.parallel == Approx(h.mpi.parallel * h.team.parallel));
  CHECK(h.mpi.parallel == Approx(h.mpi.load_balance * h.mpi.communication));
  CHECK(h.team.parallel == Approx(h.team.serial_regions * h.team.barriers * h.team.load_balance * h.team.scheduling *
                                  h.team.mpi_in_regions));
  if (h.mpi.transfer) CHECK(h.mpi.communication == Approx(*h.mpi.serialisation * *h.mpi.transfer));
}

} // namespace

TEST_CASE("a program of threads without MPI has no part of MPI: what it lacks is the time of andes") {
  Run run = test::team_run({{1, 0, 0, {{8, 0}, {4, 4}}}}, 10);
  run.facts.erase("mpi_library");
  const TemporaryDirectory directory;
  test::write(run, directory / "a.andes");
  const Profile profile = read_run(directory / "a.andes", Detail::totals);
  const HybridResult result = hybrid_of(profile);
  REQUIRE(result.hybrid);
  CHECK_FALSE(result.hybrid->has_mpi);
  const std::string text = hybrid_text({}, result, profile);
  CHECK(text.find("= program 90.0 x threads") != std::string::npos); // 1 s of 10 is not computed by the main thread
  CHECK(text.find("MPI") == std::string::npos);
  CHECK(report_text({}, report(run), true).find("= program %") != std::string::npos);
}

TEST_CASE("the worked example, factor by factor") {
  for (const Detail detail : {Detail::totals, Detail::tree})
    for (const std::size_t table_values : {std::size_t{20000}, std::size_t{0}}) {
      const HybridResult result = result_of(test::team_run(example, 10), detail, table_values);
      REQUIRE(result.hybrid);
      const Hybrid& h = *result.hybrid;
      CHECK(h.parallel == Approx(17 / 40.0));
      CHECK(h.mpi.parallel == Approx(13 / 20.0));
      CHECK(h.mpi.load_balance == Approx(6.5 / 8));
      CHECK(h.mpi.communication == Approx(8 / 10.0));
      // Without transfers rank 0 takes 9 s and rank 1 takes 5 s.
      CHECK(*h.mpi.transfer == Approx(9 / 10.0));
      CHECK(*h.mpi.serialisation == Approx(8 / 9.0));
      CHECK(h.team.parallel == Approx(17 / 26.0));
      CHECK(h.team.serial_regions == Approx(23 / 26.0));
      CHECK(h.team.barriers == Approx(21 / 23.0));
      CHECK(h.team.load_balance == Approx(18 / 21.0));
      CHECK(h.team.scheduling == Approx(17 / 18.0));
      CHECK(h.team.mpi_in_regions == 1);
      CHECK(h.serial_s == Approx(3));
      CHECK(h.useful_s == Approx(17));
      CHECK(h.threads == 4);
      check_products(h);
    }
}

TEST_CASE("one thread in each process is the hierarchy of MPI") {
  const std::vector<TeamProcess> single = {{2, 2, 0, {{6, 0, 0, 0, 0}}}, {1, 5, 0, {{4, 0, 0, 0, 0}}}};
  CHECK_FALSE(result_of(test::team_run(single, 10)).hybrid);
  // The same with teams that lose nothing: the part of MPI is what efficiency.h says of one thread.
  const TemporaryDirectory directory;
  test::write(test::team_run(single, 10), directory / "a.andes");
  const Efficiency e = *efficiency_of(read_run(directory / "a.andes", Detail::totals));
  const std::vector<TeamProcess> teams = {{0, 2, 0, {{8, 0, 0, 0, 0}, {8, 0, 0, 0, 0}}},
                                          {0, 5, 0, {{5, 0, 0, 0, 0}, {5, 0, 0, 0, 0}}}};
  const Hybrid h = hybrid(teams, 10);
  CHECK(h.mpi.parallel == Approx(e.parallel));
  CHECK(h.mpi.load_balance == Approx(e.load_balance));
  CHECK(h.mpi.communication == Approx(e.communication));
  CHECK(*h.mpi.transfer == Approx(*e.transfer));
  CHECK(h.team.parallel == Approx(1));
}

TEST_CASE("MPI that threads of a team call is lost by the threads, and stands apart") {
  // 10 s of region; thread 1 is in MPI for 4 s of it, 1 s of which it waits.
  const Hybrid h = hybrid({{0, 0, 0, {{10, 0, 0, 0, 0}, {6, 0, 0, 3, 1}}}}, 10);
  CHECK(h.mpi.parallel == Approx(1));
  CHECK(h.team.parallel == Approx(16 / 20.0));
  CHECK(h.team.mpi_in_regions == Approx(16 / 20.0));
  CHECK(h.team.load_balance == Approx(1));
  check_products(h);
  // The main thread's own: its process goes on computing, so it is no loss of MPI.
  const Hybrid own = hybrid({{0, 0, 0, {{6, 0, 0, 4, 0}, {10, 0, 0, 0, 0}}}}, 10);
  CHECK(own.mpi.parallel == Approx(1));
  CHECK(own.team.mpi_in_regions == Approx(16 / 20.0));
}

TEST_CASE("teams of different sizes weigh as many threads as they have") {
  // Rank 0 has three threads and no MPI, rank 1 has one and waits half of the time.
  const Hybrid h =
      hybrid({{0, 0, 0, {{4, 0, 0, 0, 0}, {4, 0, 0, 0, 0}, {4, 0, 0, 0, 0}}}, {0, 2, 0, {{2, 0, 0, 0, 0}}}}, 4);
  CHECK(h.threads_min == 1);
  CHECK(h.threads_max == 3);
  CHECK(h.mpi.parallel == Approx((3 * 4 + 2) / 16.0));
  CHECK(h.parallel == Approx(14 / 16.0));
  check_products(h);
}

TEST_CASE("threads in no team are said, and not mixed in") {
  Run run = test::team_run(example, 10);
  run.locations[1].parallel_ns = 0; // of the first rank: as a thread of its own
  run.locations[1].team_idle_ns = run.locations[1].apart_ns = 0;
  const HybridResult result = result_of(run);
  REQUIRE(result.hybrid);
  CHECK(result.hybrid->threads_apart == 1);
  CHECK(result.hybrid->apart_compute_s == Approx(3));
  CHECK(result.hybrid->threads == 3);
}

TEST_CASE("where the parts cannot be told the reason is said") {
  Run opened = test::team_run({{4, 0, 0, {{1, 0, 0, 0, 0}, {5, 0, 0, 0, 0}}}}, 10);
  CHECK(result_of(opened).why_not == "a thread of rank 0 other than its main thread opened parallel regions");
  // With locks, the values of all ranks are needed; without any, those of the locations do.
  Run few = test::team_run(example, 10);
  test::keep_values_of(few, {1});
  CHECK(result_of(few).why_not.find("the call paths of rank 0 are not kept") == 0);
  std::vector<TeamProcess> no_locks = example;
  no_locks[0].threads[1] = {4, 2, 0, 0, 0};
  Run without = test::team_run(no_locks, 10);
  test::keep_values_of(without, {1});
  CHECK(result_of(without).hybrid);
  // Runs of before know nothing of teams.
  Run before = test::team_run(example, 10);
  for (LocationRow& l : before.locations) l.team_idle_ns = l.apart_ns = l.parallel_ns = std::nullopt;
  CHECK_FALSE(result_of(before).hybrid);
  CHECK(result_of(before).why_not.empty());
}

TEST_CASE("to wait for other threads is nobody's work", "[hybrid]") {
  // Of 20 s of two threads 14 pass at locks, 2 in the region's own code, 2 in main's.
  const Report waits = report(test::team_run({{2, 0, 0, {{1, 0, 7, 0, 0}, {1, 0, 7, 0, 0}}}}, 10));
  const Routine* heaviest = heaviest_own(waits);
  REQUIRE(heaviest);
  CHECK(heaviest->kind != "lock");
  CHECK(own_work_percent(*heaviest) == Approx(10));
  for (const Routine& routine : waits.routines)
    if (routine.kind == "lock") CHECK(own_work_percent(routine) == 0);
}

TEST_CASE("the report names the largest loss of the threads and where it is") {
  const Report r = report(test::team_run(example, 10));
  // Of 40 s of all threads MPI takes 14, serial regions 3, barriers 2, balance 3 and locks 1.
  REQUIRE(r.team_losses);
  const std::vector<TeamLoss>& losses = r.team_losses->losses;
  REQUIRE(losses.size() == 5);
  CHECK(losses[0].factor == TeamFactor::serial_regions);
  CHECK(losses[0].percent == Approx(100 * 3 / 40.0));
  CHECK(losses[1].factor == TeamFactor::load_balance);
  CHECK(losses[1].percent == Approx(100 * 3 / 40.0));
  CHECK(losses[2].factor == TeamFactor::barriers);
  CHECK(losses[2].percent == Approx(100 * 2 / 40.0));
  CHECK(losses[3].factor == TeamFactor::scheduling);
  CHECK(losses[3].percent == Approx(100 * 1 / 40.0));
  CHECK(losses[4].percent == 0);
  const std::vector<std::string> main{"main"}, step{"main", "step"};
  CHECK(losses[0].place->path == main);
  CHECK(losses[0].place->line == 10);
  for (const std::size_t i : {1, 2, 3}) CHECK(losses[i].place->path == step);
  CHECK_FALSE(losses[4].place);
  const std::string text = report_text({}, r, true);
  CHECK(text.find("7.5 % of cores x T is lost in serial regions") != std::string::npos);
  const auto json = nlohmann::json::parse(report_json(r));
  CHECK(json["team_losses"]["losses"][1]["factor"] == "load_balance");
  CHECK(json["team_losses"]["losses"][1]["path"] == step);
  // MPI of a thread in a region, more than anything else: the call is named.
  const Report inside = report(test::team_run({{0, 0, 0, {{10, 0, 0, 0, 0}, {6, 0, 0, 3, 1}}}}, 10));
  CHECK(inside.team_losses->losses[0].factor == TeamFactor::mpi_in_regions);
  CHECK(inside.team_losses->losses[0].percent == Approx(100 * 4 / 20.0));
  CHECK(inside.team_losses->losses[0].place->path.back() == "MPI_Send");
}

TEST_CASE("the report has the balance of each rank's threads and of all threads") {
  const Report r = report(test::team_run(example, 10));
  // Compute: 2 + 6 and 3; 1 + 3 and 2.
  REQUIRE(r.rank_rows.size() == 2);
  CHECK(r.rank_rows[0].threads == 2);
  CHECK(*r.rank_rows[0].thread_load_balance == Approx(5.5 / 8));
  CHECK(*r.rank_rows[0].serial_percent == Approx(40)); // MPI included: 2 + 1 + 1 of 10 s
  CHECK(*r.rank_rows[1].thread_load_balance == Approx(3 / 4.0));
  CHECK(*r.rank_rows[1].serial_percent == Approx(60));
  CHECK(*r.shares[0].thread_load_balance == Approx(17 / 4.0 / 8));
  const auto json = nlohmann::json::parse(report_json(r));
  CHECK(json["rank_table"]["rows"][1]["thread_load_balance"].get<double>() == Approx(0.75));
  CHECK(json["points"][0]["thread_load_balance"].get<double>() == Approx(17 / 32.0));
  const std::string csv = report_csv(r), text = report_text({}, r, true);
  CHECK(csv.find("\n\nrank,wall_s,") != std::string::npos);
  CHECK(csv.find(",2,0.6875,40") != std::string::npos);
  CHECK(text.find("thread bal.") != std::string::npos);
  CHECK(text.find("of the time of all threads (p x T") != std::string::npos);
  // Without threads none of it.
  const Report alone = report(test::team_run({{10, 0, 0, {{0, 0, 0, 0, 0}}}}, 10));
  CHECK_FALSE(alone.shares[0].thread_load_balance);
  CHECK(report_csv(alone).find("thread") == std::string::npos);
  CHECK(report_text({}, alone, true).find("thread bal") == std::string::npos);
}

TEST_CASE("a loss at barriers is told apart from the one of uneven work, which waits there too") {
  // Of 40 s of all threads barriers lose 2 and balance 3: with barriers first, the other is named beside it.
  Report r = report(test::team_run(example, 10));
  REQUIRE(r.team_losses);
  std::vector<TeamLoss>& losses = r.team_losses->losses;
  std::swap(losses[0], losses[2]);
  CHECK(team_loss_text(r).find("5.0 % of cores x T is lost at barriers: ") != std::string::npos);
  CHECK(team_loss_text(r).find("(besides 7.5 % in which they wait there for a thread that has more work over the whole "
                               "run)") != std::string::npos);
  losses[1].percent = 0; // even work: all waiting at barriers is this loss
  CHECK(team_loss_text(r).find("besides") == std::string::npos);
}

TEST_CASE("where tasks are late, what to do is said of tasks, not of the schedule of a loop") {
  // In main two regions with a barrier each, of which the first has tasks below it.
  std::vector<PathRow> rows = {
      {-1, "main", "function", "", 0, {{}}},        {0, "parallel", "parallel", "a.c", 5, {{}}},
      {1, "barrier", "barrier", "", 0, {{}}},       {2, "task", "task", "a.c", 7, {{}}},
      {0, "parallel for", "parallel", "", 9, {{}}}, {4, "barrier", "barrier", "", 0, {{}}}};
  Hybrid hybrid;
  hybrid.mpi.parallel = 1;
  hybrid.team = {0.5, 1, 0.5, 1, 1, 1}; // barriers lose half
  Report r = report(test::team_run(example, 10));
  const auto text_with = [&](double first_percent) {
    rows[2].runs[0].exclusive_percent = first_percent;
    rows[5].runs[0].exclusive_percent = 20;
    r.team_losses->losses = team_losses(hybrid, rows);
    REQUIRE(r.team_losses->losses.front().factor == TeamFactor::barriers);
    return team_loss_text(r);
  };
  CHECK(text_with(30).find("Divide the tasks that take longest, and start them first") != std::string::npos);
  CHECK(text_with(30).find("schedule") == std::string::npos);
  CHECK(text_with(10).find("Try schedule(dynamic)") != std::string::npos);
}
