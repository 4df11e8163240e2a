// Runs made of processes that ended early; all numbers by hand.
#include "monitor/recover/recover_run.h"
#include "tests/recover/made_arena.h"

using namespace andes;
using namespace andes::test;

namespace {

RecoveredJob job_of(const std::vector<std::vector<std::byte>>& arenas) {
  std::vector<std::unique_ptr<RecoveredProcess>> processes;
  for (const auto& bytes : arenas) processes.push_back(read_process(bytes));
  std::vector<RecoveredJob> jobs = jobs_of(std::move(processes));
  REQUIRE(jobs.size() == 1);
  return std::move(jobs.front());
}

std::int32_t path_named(const Run& run, const std::string& name) {
  for (std::size_t i = 0; i < run.callpaths.size(); ++i)
    if (run.regions[static_cast<std::size_t>(run.callpaths[i].region)].name == name) return static_cast<std::int32_t>(i);
  return -1;
}

StatisticRow statistic(const Run& run, const std::string& name, int metric) {
  for (const StatisticRow& row : run.statistics)
    if (row.callpath == path_named(run, name) && row.metric == metric) return row;
  return {};
}

/// Rank 0 sends 800 bytes at 5 s, after rank 1 has been waiting since 2 s; a second message follows.
std::vector<std::byte> sender(Ending ending) {
  MadeProcess made(0, 3);
  made.enter("main", 1100);
  made.message(EventKind::send, "MPI_Send", 1, 5 * second, 5 * second + 1000, 800);
  made.enter("work", 6 * second);
  return made.arena(ending);
}
std::vector<std::byte> receiver(Ending ending) {
  MadeProcess made(1, 3);
  made.enter("main", 1100);
  made.message(EventKind::receive, "MPI_Recv", 0, 2 * second, 5 * second + 2000, 800);
  made.enter("MPI_Recv", 6 * second, ANDES_KIND_RECEIVE);
  return made.arena(ending);
}

} // namespace

TEST_CASE("ranks that were killed make a run: visits, bytes, waits, and how each ended") {
  const RecoveredJob job = job_of({receiver({EndKind::signal, 15, 9 * second}), sender({EndKind::signal, 11, 8 * second})});
  const Run run = recovered_run(job, "");
  CHECK(std::get<std::int64_t>(run.facts.at("complete")) == 0);
  CHECK(std::get<std::int64_t>(run.facts.at("job_ranks")) == 3);
  CHECK(std::get<std::int64_t>(run.facts.at("ranks")) == 2);
  CHECK(std::get<std::int64_t>(run.facts.at("wall_ns")) == static_cast<std::int64_t>(9 * second - 1000));
  CHECK(statistic(run, "MPI_Send", run_file::bytes_sent).sum == 800);
  CHECK(statistic(run, "MPI_Recv", run_file::bytes_received).sum == 800);
  CHECK(statistic(run, "MPI_Recv", run_file::visits).sum == 2); // one of them never came back
  CHECK(statistic(run, "MPI_Recv", run_file::inclusive_ns).sum == Approx(3e9 + 2000 + 3e9));
  CHECK(statistic(run, "work", run_file::inclusive_ns).sum == Approx(2e9));
  CHECK(std::get<std::string>(run.facts.at("wait_states")) == "measured");
  CHECK(std::get<std::int64_t>(run.facts.at("messages_matched")) == 1);
  REQUIRE(run.waits.size() == 1);
  CHECK(run.causes[static_cast<std::size_t>(run.waits[0].cause)].name == "late_sender");
  CHECK(run.waits[0].wait_ns == Approx(3e9));
  for (const LocationRow& row : run.locations) CHECK_FALSE(row.wait_at_end_ns);
  CHECK(ending_lines(run) == std::vector<std::string>{
                                 "rank 0: killed by signal 11 (Segmentation fault) at 8.000 s in main/work",
                                 "rank 1: killed by signal 15 (Terminated) at 9.000 s in main/MPI_Recv",
                                 "rank 2: nothing is left of it"});
}

TEST_CASE("ranks that all came to their end make a complete run") {
  std::vector<std::vector<std::byte>> arenas;
  for (int rank = 0; rank < 2; ++rank) {
    MadeProcess made(rank, 2);
    made.enter("main", 1100);
    made.visit("work", 2000, 3000);
    close_frames(*made.location, 9000);
    made.process->clock.end = {9000, 9000, 5'000'008'000};
    made.process->end_ticks = 9000;
    made.process->global_clock.end = {9000, 8000, 0};
    made.process->global_clock.synchronised = true;
    arenas.push_back(made.arena({EndKind::given_up, 0, 9500}));
  }
  const Run run = recovered_run(job_of(arenas), "");
  CHECK(std::get<std::int64_t>(run.facts.at("complete")) == 1);
  CHECK(run.endings.empty());
  CHECK(statistic(run, "work", run_file::visits).sum == 2);
  CHECK(statistic(run, "main", run_file::inclusive_ns).sum == Approx(2 * 7900));
}

TEST_CASE("worlds are told apart") {
  std::vector<std::unique_ptr<RecoveredProcess>> processes;
  for (const std::uint64_t world : {1, 2})
    for (int rank = 0; rank < 2; ++rank) {
      MadeProcess made(rank, 2);
      made.process->clock_sync.world = world;
      processes.push_back(read_process(made.arena()));
    }
  MadeProcess helper;
  processes.push_back(read_process(helper.arena()));
  const std::vector<RecoveredJob> jobs = jobs_of(std::move(processes));
  CHECK(jobs.size() == 3);
}
