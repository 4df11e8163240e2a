// Runs made of processes that ended early; all numbers by hand.
#include "monitor/arena/arena_names.h"
#include "monitor/interface/ending_text.h"
#include "monitor/recover/recover.h"
#include "monitor/recover/recover_run.h"

#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <span>

#include "tests/recover/made_arena.h"

using namespace andes;
using namespace andes::monitor;
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
    if (run.regions[static_cast<std::size_t>(run.callpaths[i].region)].name == name)
      return static_cast<std::int32_t>(i);
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

/// A stretch of `arena`, in place; its number is that of MadeProcess::arena().
std::span<std::byte> stretch_of(std::vector<std::byte>& arena, int number) {
  ArenaHeader header;
  std::memcpy(static_cast<void*>(&header), arena.data(), sizeof header);
  return std::span(arena).subspan(header.stretches[number].offset, header.stretches[number].bytes);
}

/// How many damaged bytes of the stretch, of those in [begin, end), leave a run, which must hold nothing but numbers and
/// what the other rank has left. The bytes take three values in turn: a run has threads in the place of ranks.
int runs_of_damaged(const std::vector<std::byte>& whole, int stretch, std::size_t begin, std::size_t end,
                    std::size_t step) {
  const std::vector<std::byte> other = receiver({EndKind::signal, 15, 9 * second});
  int runs = 0;
  std::vector<std::byte> arena = whole;
  constexpr std::byte values[] = {std::byte{0}, std::byte{0x7f}, std::byte{0xff}};
  std::size_t next = 0;
  for (std::size_t at = begin; at < end; at += step) {
    const std::byte value = values[next++ % std::size(values)];
    arena = whole;
    stretch_of(arena, stretch)[at] = value;
    std::vector<std::unique_ptr<RecoveredProcess>> processes;
    try {
      processes.push_back(read_process(arena));
    } catch (const Refusal&) {
      continue;
    }
    processes.push_back(read_process(other));
    const Run run = recovered_run(jobs_of(std::move(processes)).front(), "");
    ++runs;
    for (const StatisticRow& row : run.statistics) {
      CAPTURE(at, int(value), row.metric);
      if (!std::isfinite(row.sum) || !std::isfinite(row.sd)) FAIL("no number");
    }
    CHECK(statistic(run, "MPI_Recv", run_file::bytes_received).sum == 800);
  }
  return runs;
}

} // namespace

TEST_CASE("ranks that were killed make a run: visits, bytes, waits, and how each ended") {
  const RecoveredJob job =
      job_of({receiver({EndKind::signal, 15, 9 * second}), sender({EndKind::signal, 11, 8 * second})});
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
  CHECK(ending_lines(run) ==
        std::vector<std::string>{"rank 0: killed by signal 11 (Segmentation fault) at 8.000 s in main/work (x.c:1)",
                                 "rank 1: ended by the launcher after rank 0 had failed (signal 15) at 9.000 s in "
                                 "main/MPI_Recv (x.c:1)",
                                 "rank 2: left no data"});
}

TEST_CASE("a rank that the launcher ended in MPI_Finalize ended then, not when it came there") {
  MadeProcess early(0, 3);
  andes_frame* main = early.enter("main", 1100);
  early.leave(main, 7 * second);
  early.process->end_ticks = early.location->last_ticks = 7 * second;
  early.location->in_use = false;
  const Run run = recovered_run(
      job_of({early.arena({EndKind::signal, 15, 9 * second}), receiver({EndKind::signal, 11, 8 * second})}), "");
  CHECK(std::get<std::int64_t>(run.facts.at("wall_ns")) == static_cast<std::int64_t>(8 * second - 1000));
  const std::vector<std::string> lines = ending_lines(run);
  REQUIRE(lines.size() == 3); // rank 2 left no data
  CHECK(lines[0] == "rank 1: killed by signal 11 (Segmentation fault) at 8.000 s in main/MPI_Recv (x.c:1)");
  CHECK(lines[1].starts_with("rank 0: ended by the launcher after rank 1 had failed (signal 15) at 9.000 s"));
}

TEST_CASE("a rank that was killed in MPI_Finalize has not finished") {
  MadeProcess early(0, 2), late(1, 2);
  early.leave(early.enter("main", 1100), 7 * second);
  early.process->end_ticks = early.location->last_ticks = 7 * second;
  early.location->in_use = false;
  late.enter("main", 1100);
  const auto ends = [&](std::uint64_t died_ticks) {
    RecoveredJob job =
        job_of({early.arena({EndKind::finalizing, 0, 7 * second}), late.arena({EndKind::signal, 15, 9 * second})});
    job[0]->died_ticks = died_ticks;
    return ending_lines(recovered_run(job, ""));
  };
  CHECK(ends(8 * second) ==
        std::vector<std::string>{
            "rank 0: killed without notice (SIGKILL, _exit, exec or no stack left) in MPI_Finalize at 8.000 s",
            "rank 1: ended by the launcher after rank 0 had failed (signal 15) at 9.000 s in main (x.c:1)"});
  CHECK(ends(0).front().starts_with(
      "rank 0: killed without notice (SIGKILL, _exit, exec or no stack left) in MPI_Finalize, last seen at 7.000 s"));
}

TEST_CASE("a run of MPI sessions is whole where all ranks reached their end") {
  const auto ended = [](int rank) {
    MadeProcess made(rank, 2);
    made.process->mpi.sessions = true;
    made.process->clock_sync.world = 0; // the ranks have never met
    made.leave(made.enter("main", 1100), 7 * second);
    made.process->end_ticks = made.location->last_ticks = 7 * second;
    made.location->in_use = false;
    return made.arena({EndKind::sessions_over, 0, 7 * second});
  };
  const Run whole = recovered_run(job_of({ended(0), ended(1)}), "");
  CHECK(std::get<std::int64_t>(whole.facts.at("sessions")) == 1);
  CHECK(std::get<std::int64_t>(whole.facts.at("complete")) == 1);
  CHECK(std::get<std::string>(whole.facts.at("wait_states")) == "measured");
  CHECK(whole.endings.empty());
  const Run part = recovered_run(job_of({ended(1)}), "");
  CHECK(ending_lines(part) ==
        std::vector<std::string>{"rank 1: finished at 7.000 s",
                                 "rank 0: left no data: it opened no MPI session, or ran on another host"});
}

TEST_CASE("two worlds whose ranks never met are told apart by the time of their begin") {
  const auto begun = [](int rank, std::int64_t start_ns) {
    MadeProcess made(rank, 2);
    made.process->clock_sync.world = 0;
    made.process->clock.start.realtime_ns = start_ns;
    auto read = read_process(made.arena());
    return read;
  };
  std::vector<std::unique_ptr<RecoveredProcess>> processes;
  processes.push_back(begun(0, 20));
  processes.push_back(begun(0, 10));
  processes.push_back(begun(1, 11));
  processes.push_back(begun(1, 21));
  const std::vector<RecoveredJob> jobs = jobs_of(std::move(processes));
  REQUIRE(jobs.size() == 2);
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t rank = 0; rank < 2; ++rank)
      CHECK(jobs[i][rank]->process.clock.start.realtime_ns == static_cast<std::int64_t>(10 * (i + 1) + rank));
}

TEST_CASE("a world without an identifier takes no ranks of the next one in the place of its missing ones") {
  const auto begun = [](int rank, std::int64_t start, std::uint64_t end = 0) {
    auto read = read_process(MadeProcess(rank, 2).arena());
    read->process.clock_sync.world = 0;
    read->process.clock.start = {static_cast<std::uint64_t>(start), start, start};
    if (end != 0) read->ending = {EndKind::sessions_over, 0, end};
    return read;
  };
  const auto starts = [](auto... read) {
    std::vector<std::unique_ptr<RecoveredProcess>> processes;
    (processes.push_back(std::move(read)), ...);
    std::vector<std::vector<std::int64_t>> found; // of each job, by rank
    for (const RecoveredJob& job : jobs_of(std::move(processes))) {
      found.emplace_back();
      for (const auto& process : job) found.back().push_back(process->process.clock.start.realtime_ns);
    }
    return found;
  };
  using Starts = std::vector<std::vector<std::int64_t>>;
  // When a rank begins anew, so do all that begin later.
  CHECK(starts(begun(0, 10), begun(0, 20), begun(1, 21)) == Starts{{10}, {20, 21}});
  CHECK(starts(begun(0, 10), begun(0, 20), begun(1, 21), begun(1, 31), begun(0, 32)) ==
        Starts{{10}, {20, 21}, {32, 31}});
  // So does one that begins when all before have ended.
  CHECK(starts(begun(0, 10, 15), begun(1, 20), begun(0, 21)) == Starts{{10}, {21, 20}});
  CHECK(starts(begun(0, 10, 25), begun(1, 20)) == Starts{{10, 20}});
  CHECK(starts(begun(0, 10), begun(1, 20)) == Starts{{10, 20}}); // the end is not known
  auto there = begun(0, 10, 15);
  there->boot_id = "yet another boot"; // clocks of two hosts cannot be compared
  CHECK(starts(std::move(there), begun(1, 20)) == Starts{{10, 20}});
}

TEST_CASE("arenas of MPI sessions are kept where ranks may have run on other hosts") {
  const std::string folder = std::filesystem::temp_directory_path() / ("andes-kept-" + std::to_string(getpid()));
  const auto recovered = [&](const std::vector<int>& ranks, bool sessions) {
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder + "/arenas");
    for (const int rank : ranks) {
      MadeProcess made(rank, 2);
      made.process->mpi.sessions = sessions;
      made.process->clock_sync.world = sessions ? 0 : 77;
      made.process->global_clock.nodes = 1; // which nobody has counted
      made.enter("main", 1100);
      const std::vector<std::byte> bytes = made.arena({EndKind::exit, 0, 7 * second});
      std::ofstream(folder + "/arenas/" + std::to_string(rank) + arena_ending, std::ios::binary)
          .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    }
    RecoverRequest request;
    request.directories = {folder + "/arenas"};
    request.out = folder + "/run.andes";
    request.keep_parts = true;
    const Recovery recovery = recover(request);
    REQUIRE(recovery.files.size() == 1);
    return recovery.files.front();
  };
  const auto kept = [&] { return std::filesystem::exists(folder + "/arenas"); };
  const RecoveredFile part = recovered({1}, true);
  CHECK(kept());
  REQUIRE_FALSE(part.lines.empty());
  CHECK(part.lines.front() ==
        "ranks without data may have run on other hosts: what is here is kept in " + folder +
            "/arenas; copy the directories of that name here from the other hosts, then andes recover " + folder +
            "/arenas COPY... makes one run file of all, or remove them");
  CHECK(part.job_hosts == part.hosts); // nobody knows more
  for (const bool whole : {true, false}) { // all ranks of sessions; a part of others, which were on this host alone
    const RecoveredFile file = recovered(whole ? std::vector<int>{0, 1} : std::vector<int>{1}, whole);
    CHECK_FALSE(kept());
    for (const std::string& line : file.lines) CHECK(line.find("COPY") == std::string::npos);
  }
  std::filesystem::remove_all(folder);
}

TEST_CASE("ranks that ended in the same way are told in one line, the likely cause first") {
  namespace file = run_file;
  const std::string in_work = "main/work", in_call = "main/MPI_Recv";
  // A launcher takes the others along: it is told after the rank that left first.
  CHECK(ending_lines({{0, file::end_signal, 15, 3.2e9, in_call},
                      {1, file::end_exit, 0, 3.1e9, in_work},
                      {2, file::end_signal, 15, 3.3e9, in_work},
                      {3, file::end_signal, 6, 3.15e9, in_call}}) ==
        std::vector<std::string>{"rank 1: left without MPI_Finalize at 3.100 s in main/work",
                                 "rank 3: killed by signal 6 (Aborted) at 3.150 s in main/MPI_Recv",
                                 "ranks 0,2: ended by the launcher after rank 1 had failed (signal 15) at "
                                 "3.200..3.300 s"});
  const auto seen = [](int rank, double time_ns, const std::string& path) {
    RankEnd end = {rank, file::end_killed, 0, time_ns, path};
    end.last_event = true;
    return end;
  };
  CHECK(ending_lines({seen(0, 3e9, in_call), seen(1, 2e9, in_work)}) ==
        std::vector<std::string>{
            "ranks 0-1: killed without notice (SIGKILL, _exit, exec or no stack left), last seen at 2.000..3.000 s"});
  CHECK(ending_lines({{0, file::end_signal, 6, 3e9, in_call}, {1, file::end_signal, 6, 2e9, in_work}}) ==
        std::vector<std::string>{
            "ranks 0-1: killed by signal 6 (Aborted) at 2.000..3.000 s (rank 1 first, in main/work)"});
  CHECK(ending_lines({{0, file::end_abort, 7, 2e9, in_work}, {1, file::end_abort, 7, 2e9, in_work}}) ==
        std::vector<std::string>{"ranks 0-1: called MPI_Abort(7) at 2.000 s in main/work"});
  // A signal before the first failure is not the launcher's answer to it; a rank without a record is.
  CHECK(ending_lines({{0, file::end_signal, 15, 2e9, in_call},
                      {1, file::end_signal, 11, 3e9, in_work},
                      seen(2, 3.1e9, in_call)}) ==
        std::vector<std::string>{
            "rank 1: killed by signal 11 (Segmentation fault) at 3.000 s in main/work",
            "rank 0: killed by signal 15 (Terminated) at 2.000 s in main/MPI_Recv",
            "rank 2: ended by the launcher after rank 1 had failed (SIGKILL, _exit, exec or no stack "
            "left), last seen at 3.100 s in main/MPI_Recv"});
  // The one without a record was first, if signals came to the others after its last event.
  CHECK(ending_lines({{0, file::end_signal, 15, 3e9, in_call}, seen(1, 2.9e9, in_work)}) ==
        std::vector<std::string>{
            "rank 1: killed without notice (SIGKILL, _exit, exec or no stack left), last seen at 2.900 s in "
            "main/work",
            "rank 0: ended by the launcher after rank 1 had failed (signal 15) at 3.000 s in "
            "main/MPI_Recv"});
  CHECK(
      ending_lines({{0, file::end_error, 6, 3e9, in_call, "MPI_Send: MPI_ERR_RANK: invalid rank", "x.c:12"}}) ==
      std::vector<std::string>{"rank 0: ended by an error of MPI in MPI_Send: MPI_ERR_RANK: invalid rank at 3.000 s in "
                               "main/MPI_Recv (x.c:12)"});
  // Where ranks are is what a snapshot tells.
  CHECK(ending_lines({{0, file::end_running, 0, 2e9, in_call}, {1, file::end_running, 0, 2e9, in_work}}).size() == 2);
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

TEST_CASE("a damaged byte leaves numbers in the run, and what other ranks have left") {
  MadeProcess made(0, 3);
  made.enter("main", 1100);
  andes_frame* const work = made.enter("work", 2 * second);
  const std::uint32_t sampled = made.location->tree.number(made.location->tree.node_at(work->place));
  made.leave(work, 3 * second);
  REQUIRE(make_sampled(made.location->tree, sampled, 1));
  SampleRecord& record = made.location->tree.records[made.location->tree.node(sampled).record];
  record.visits = 1; // before they were sampled, it was seen once
  for (const std::uint64_t ticks : {1000, 1010, 990, 1005, 1000, 995, 1020, 1000, 1000}) add(record.sample, ticks, 4);
  made.message(EventKind::send, "MPI_Send", 1, 5 * second, 5 * second + 1000, 800);
  const std::vector<std::byte> whole = made.arena({EndKind::signal, 11, 8 * second});
  const Tree& tree = made.location->tree;
  SECTION("of a thread") {
    const Intent& intent = made.location->intent;
    const auto place_of = [&](const void* at) {
      return static_cast<std::size_t>(static_cast<const char*>(at) -
                                      reinterpret_cast<const char*>(made.location.get()));
    };
    const std::size_t list = place_of(intent.list), behind = place_of(&intent + 1); // the list: most bytes, all alike
    CHECK(runs_of_damaged(whole, 1, 0, list, 1) + runs_of_damaged(whole, 1, behind, sizeof(Location), 1) > 500);
    CHECK(runs_of_damaged(whole, 1, list, behind, 20) > 50);
  }
  SECTION("of its nodes") { CHECK(runs_of_damaged(whole, 3, 0, tree.node_count * sizeof(andes_node), 1) > 100); }
  SECTION("of their accounts") { CHECK(runs_of_damaged(whole, 4, 0, tree.node_count * sizeof(NodeAccount), 1) > 100); }
  SECTION("of sampled times") {
    const std::size_t begin = sizeof(SampleRecord); // of the first that is used
    CHECK(runs_of_damaged(whole, 5, begin, begin + offsetof(Sample, histogram), 1) > 100);
  }
}

TEST_CASE("where times of death are known they tell which rank was killed first, and whether the whole job was ended") {
  namespace file = run_file;
  const std::string mpich = "MPICH Version: 4.0.2";
  const auto end = [](int rank, const char* how, int signal, double s, bool last_event = false) {
    RankEnd one = {rank, how, signal, s * 1e9, "main"};
    one.last_event = last_event;
    return one;
  };
  SECTION("one rank was killed, the launcher ended the others by both signals") {
    CHECK(ending_lines(
              {end(0, file::end_signal, 15, 3.042), end(1, file::end_killed, 0, 3), end(2, file::end_killed, 0, 3.043)},
              mpich) ==
          std::vector<std::string>{
              "rank 1: killed without notice (SIGKILL, _exit, exec or no stack left) at 3.000 s in main",
              "rank 0: ended by the launcher after rank 1 had failed (signal 15) at 3.042 s in main",
              "rank 2: ended by the launcher after rank 1 had failed (SIGKILL, _exit, exec or no stack left) "
              "at 3.043 s in main"});
  }
  SECTION("clocks of ranks do not tell which of two was killed a few milliseconds before") {
    const std::vector<RankEnd> ends = {end(0, file::end_killed, 0, 3.5), end(1, file::end_killed, 0, 3.015),
                                       end(2, file::end_killed, 0, 3)};
    CHECK_FALSE(order_of_ends(ends, false).first);
  }
  SECTION("one rank was killed, and its death may have been seen late") {
    const std::vector<RankEnd> ends = {end(0, file::end_signal, 15, 3), end(1, file::end_killed, 0, 3.001),
                                       end(2, file::end_signal, 15, 3)};
    const EndOrder unknown = order_of_ends(ends, silence_tells(mpich));
    CHECK_FALSE(unknown.first);
    CHECK_FALSE(unknown.from_outside);
    REQUIRE(order_of_ends(ends, silence_tells("Open MPI v4.1.4")).first);
    CHECK(order_of_ends(ends, silence_tells("Open MPI v4.1.4")).first->rank == 1);
  }
  SECTION("andes run was stopped: ranks that left no record ended for that reason") {
    CHECK(ending_lines({end(0, file::end_signal, 15, 3), end(1, file::end_stopped, 15, 3.001)}, mpich) ==
          std::vector<std::string>{
              "rank 0: ended from outside, alone or with the whole job (signal 15) at 3.000 s in main",
              "rank 1: ended with the whole job, as andes run was stopped (signal 15) at 3.001 s in main"});
    // One that was killed long before is still the first.
    const std::vector<RankEnd> ends = {end(0, file::end_stopped, 2, 9), end(1, file::end_killed, 0, 3)};
    REQUIRE(order_of_ends(ends, false).first);
    CHECK(order_of_ends(ends, false).first->rank == 1);
    CHECK(ending_lines(ends, mpich).back() ==
          "rank 0: ended with the whole job, as andes run was stopped (signal 2) at 9.000 s in main");
  }
  SECTION("all were ended by signals") {
    CHECK(
        order_of_ends(std::vector<RankEnd>{end(0, file::end_signal, 15, 3), end(1, file::end_signal, 15, 3.001)}, true)
            .from_outside);
  }
  SECTION("of one rank it is not known when it ended: nobody is blamed") {
    const std::vector<RankEnd> ends = {end(0, file::end_killed, 0, 3), end(1, file::end_killed, 0, 3.001),
                                       end(2, file::end_missing, 0, 0)};
    CHECK_FALSE(order_of_ends(ends, false).first);
  }
  SECTION("two ranks died at once: nobody is blamed") {
    const auto ends = {end(0, file::end_killed, 0, 3), end(1, file::end_killed, 0, 3),
                       end(2, file::end_killed, 0, 3.1)};
    CHECK_FALSE(order_of_ends(std::vector<RankEnd>(ends), false).first);
  }
  SECTION("an error of another rank that came after the kill") {
    const std::vector<RankEnd> ends = {end(0, file::end_error, 0, 3.03), end(1, file::end_killed, 0, 3)};
    REQUIRE(order_of_ends(ends, true).first);
    CHECK(order_of_ends(ends, true).first->rank == 1);
  }
  SECTION("a rank whose time of death is not known is blamed only where launchers give time to record a signal") {
    const std::vector<RankEnd> ends = {end(0, file::end_signal, 15, 3), end(1, file::end_killed, 0, 2.9, true)};
    CHECK(order_of_ends(ends, silence_tells("Open MPI v4.1.4")).first);
    CHECK_FALSE(order_of_ends(ends, silence_tells(mpich)).first);
    CHECK_FALSE(order_of_ends(ends, silence_tells(mpich)).from_outside);
  }
}
