// What to do first, for reports made by hand: 4 ranks, T = 10 s, whose only call path computes. Each test adds one loss to
// a report that has none, and then a larger one.
#include "postproc/view/advice_first.h"

#include <catch2/catch.hpp>

#include "postproc/view/advice.h"
#include "postproc/view/first_screen.h"
#include "postproc/view/what_if_text.h"

using namespace andes;
using namespace andes::postproc;
using Catch::Contains;
using Catch::EndsWith;
using Catch::StartsWith;

namespace {

Report without_losses() {
  Report report;
  report.scaling.points.resize(1);
  report.scaling.points[0].ranks = report.scaling.points[0].size = report.routine_ranks = report.routine_size = 4;
  report.shares.resize(1);
  report.shares[0].compute_percent = 100;
  report.shares[0].load_balance = 1;
  report.routines.resize(1);
  report.routines[0].path = {"main", "work"};
  report.routines[0].kind = "function";
  report.routines[0].own_percent = report.routines[0].non_communication_percent = 60;
  return report;
}

Finding late_sender(double percent) {
  Finding late;
  late.title = "Late sender";
  late.path = {"main", "MPI_Recv"};
  late.percent = percent;
  late.advice = "Send earlier.";
  return late;
}

/// 27 % of p x T in `term`, 8 s of it in main > work > sum.
Ledger growing(const char* term) {
  Ledger ledger;
  ledger.ranks = ledger.size = 4;
  ledger.cores = 4;
  ledger.terms = {{"idle_late_sender", "idle: Late sender", 11.2, 28, {11.2, 11.2}},
                  {term, "", 10.8, 27, {10.7, 10.9}}};
  LedgerPath main, sum;
  main.path = {"main"};
  main.computation_s = 2;
  sum.path = {"main", "work", "sum"};
  sum.file = "sum.c";
  sum.line = 7;
  sum.computation_s = 8;
  ledger.paths = {main, sum};
  return ledger;
}

} // namespace

TEST_CASE("First: nothing is lost", "[advice]") {
  CHECK(advice_first(without_losses()) ==
        "Nothing is lost that matters. The largest own time is that of main > work (60 %).");
}

TEST_CASE("a function of several call paths counts with all of them", "[advice]") {
  Report report = without_losses();
  report.routines[0].own_percent = 25;
  for (const char* solver : {"x_solve", "y_solve"}) {
    Routine invert;
    invert.path = {"main", solver, "invert"};
    invert.kind = "function";
    invert.own_percent = invert.non_communication_percent = 20;
    invert.own_error_percent = {.estimated = true, .below = 3, .above = 4};
    report.routines.push_back(invert);
  }
  CHECK(heaviest_own(report)->path.back() == "work");
  const HeaviestFunction function = heaviest_function(report);
  CHECK(function.heaviest->path == std::vector<std::string>{"main", "x_solve", "invert"});
  CHECK(function.own_percent == 40);
  CHECK(function.error.above == Approx(std::hypot(4, 4)));
  CHECK(advice_first(report) ==
        "Nothing is lost that matters. The largest own time is that of invert (40 % in 2 call paths).");
  CHECK_THAT(advice_effort(report),
             Contains("The function with the most time of its own is invert: ~40.0 % of p x T in 2 call "
                      "paths, most of it in main > x_solve > invert, with its calls of MPI but "
                      "without the functions it calls; no change there can gain more."));
  report.routines[2].line = 9; // another one of that name
  CHECK_THAT(advice_effort(report), Contains("The call path with the most time of its own is main > work: 25.0 %"));
}

TEST_CASE("First: time without names", "[advice]") {
  Report report = without_losses();
  report.ledgers = {growing("computation")};
  report.sampling.overflow_percent = 26;
  CHECK_THAT(advice_first(report), StartsWith("Find out why computation grows"));
  report.sampling.overflow_percent = 28;
  report.sampling.limits = {"tree_mb"};
  CHECK(advice_first(report) ==
        "Measure again with more room for the call tree (andes run --set: tree_mb): 28 % of p x "
        "T is in call paths without names.");
  report = without_losses();
  report.sampling.overflow_percent = 9;
  CHECK_THAT(advice_first(report), StartsWith("Nothing is lost that matters."));
}

TEST_CASE("First: computation grows, for a reason that is not counted or is", "[advice]") {
  Report report = without_losses();
  report.ledgers = {growing("computation")};
  CHECK(advice_first(report) == "Find out why computation grows, most of all in main > work > sum (sum.c:7): at 4 "
                                "ranks computation takes 27 % of p x T "
                                "more than at the base. Counters tell more instructions from slower ones: --set "
                                "counters=PAPI_TOT_INS,PAPI_TOT_CYC.");
  report.ledgers = {growing("instructions")};
  CHECK_THAT(advice_first(report), StartsWith("Share out what each rank repeats, most of all in main > work > sum"));
  report.ledgers = {growing("instructions_per_cycle")};
  CHECK_THAT(advice_first(report), StartsWith("Use memory less"));
  report.ledgers = {growing("frequency")};
  CHECK_THAT(advice_first(report), StartsWith("Expect less of more cores"));
  // With threads in no team: 10.8 s are 27 % of 40 s.
  report.ledgers[0].time_s = 8;
  report.ledgers[0].other_threads_s = 8;
  report.shares[0].communication_percent = 26;
  CHECK_THAT(advice_first(report), Contains("at 4 ranks computation takes 27 % of the time of all threads more"));
  report.shares[0].communication_percent = 28;
  CHECK_THAT(advice_first(report), StartsWith("Communicate less: MPI takes 28 % of p x T"));
}

TEST_CASE("First: work that is not shared out", "[advice]") {
  Report report = without_losses();
  report.scaling.base_size = 1;
  report.ledgers = {growing("computation")}; // 8 s more in sum
  report.ledgers[0].time_s = 8;
  report.ledgers[0].other_threads_s = 8;
  report.ledgers[0].whole_s = 4 * 8 + 8;
  Routine sum;
  sum.path = {"main", "work", "sum"};
  sum.own_percent = sum.non_communication_percent = 29; // 11.6 s of 40 s, where the base took 3.6 s: 3.2 times as much
  report.routines.push_back(sum);
  CHECK(advice_first(report) ==
        "Divide the work among the ranks, most of all in main > work > sum (sum.c:7): at 4 ranks "
        "each computes as long in it as at the base. What is computed more in all is 27 % of the time of all threads.");
  report.routines.back().own_percent = 30; // 12 s, the base 4 s: 3 times as much
  CHECK_THAT(advice_first(report), StartsWith("Find out why computation grows"));
  report.routines.back().own_percent = 22; // 8.8 s, the base 0.8 s: each of the ranks computes 2.75 times as long
  CHECK_THAT(advice_first(report), StartsWith("Find out why computation grows"));
  report.routines.back().own_percent = 29;
  report.scaling.weak = true; // there each rank is to do as much
  CHECK_THAT(advice_first(report), StartsWith("Find out why computation grows"));
}

TEST_CASE("First: growing computation that may be chance, or is the machine's", "[advice]") {
  Report report = without_losses();
  report.ledgers = {growing("computation")};
  report.ledgers[0].terms[1].repeats[1] = -0.1; // one repeat computed less than the base
  CHECK_THAT(advice_first(report), StartsWith("Nothing is lost"));
  report.ledgers = {growing("computation")};
  report.scaling.points[0].usable = false; // more ranks than cores
  CHECK_THAT(advice_first(report), StartsWith("Nothing is lost"));
  report.ledgers[0].core_wait_error_s = 0; // waits for a core are another term of the ledger: 27 % are surely computed
  report.ledgers[0].time_s = report.ledgers[0].whole_s = 40;
  report.shares[0].core_wait_percent = 3;
  CHECK_THAT(advice_first(report), StartsWith("Find out why computation grows"));
  report.scaling.points[0].usable = true;
  report.shares[0].core_wait_percent.reset();
  report.ledgers = {growing("computation")};
  report.ledgers[0].size = 2; // of another size than the call paths
  CHECK_THAT(advice_first(report), StartsWith("Nothing is lost"));
}

TEST_CASE("First: a call path that the base does not have has not grown", "[advice]") {
  // 8 s in sum are 20 % of 40 s: all of it is more than at the base.
  Report report = without_losses();
  report.ledgers = {growing("computation")};
  report.ledgers[0].time_s = 10;
  report.ledgers[0].whole_s = 40;
  report.routines.resize(2);
  report.routines[1].path = {"main", "work", "sum"};
  report.routines[1].kind = "function";
  report.routines[1].own_percent = report.routines[1].non_communication_percent = 20;
  CHECK(
      advice_first(report) ==
      "See whether work that the base does not have is needed, most of all in main > work > sum (sum.c:7): at 4 ranks "
      "computation takes 27 % of p x T more than at the base.");
  report.routines[1].own_percent = report.routines[1].non_communication_percent = 25; // 2 s at the base
  CHECK_THAT(advice_first(report), StartsWith("Find out why computation grows"));
}

TEST_CASE("First: a gain of work that is shared is not told of a call that comes earlier", "[advice]") {
  Report report = without_losses();
  Finding late = late_sender(20);
  late.gain = {3, 5, 4, "share"};
  report.findings = {late};
  const std::string shared =
      "Late sender in main > MPI_Recv: if the work before the late calls was shared by all ranks "
      "T would shrink by 4.00 (3.00 to 5.00) s. ";
  CHECK(advice_first(report) == shared + "Send earlier.");
  report.findings[0].gains = {{0.4, 0.6, 0.5, "earlier"}, late.gain};
  CHECK(advice_first(report) == shared + "Share this work among the ranks, or do without it: in time alone, the late "
                                         "calls would gain 0.500 (0.400 to 0.600) s.");
  report.findings[0].cause = "wait_at_barrier"; // its advice is to balance the work
  CHECK(advice_first(report) == shared + "Send earlier.");
  report.findings[0].cause = late.cause;
  report.findings[0].gain.cure = "earlier";
  CHECK_THAT(advice_first(report), StartsWith("Late sender in main > MPI_Recv: without this wait T would shrink by"));
}

TEST_CASE("First: what waits for a core explain is nothing of the program's", "[advice]") {
  Report report = without_losses();
  report.ledgers = {growing("computation")}; // 27 %
  report.shares[0].communication_percent = 28;
  report.shares[0].core_wait_percent = 13; // 15 % of communication and 14 % of computation are beyond it
  CHECK_THAT(advice_first(report), StartsWith("Communicate less: MPI takes 28 % of p x T"));
  report.shares[0].core_wait_percent = 15;
  CHECK(advice_first(report) ==
        "Measure again with a core for each rank: they waited 15 % of p x T for one, the largest of all losses.");
  report.routine_threads = 2;
  CHECK_THAT(advice_first(report),
             StartsWith("Measure again with a core for each thread: main threads waited 15 % of p x T for one"));
  report.routine_threads = 1;
  Finding late;
  late.title = "Late sender";
  late.path = {"main", "MPI_Recv"};
  late.percent = 3;
  report.findings = {late};
  CHECK_THAT(advice_first(report), StartsWith("Measure again"));
  report.findings[0].percent = 16;
  CHECK_THAT(advice_first(report), StartsWith("Late sender in main > MPI_Recv"));
}

TEST_CASE("First: computation that the ledger has without waits for a core counts by what is certain", "[advice]") {
  Report report = without_losses();
  report.ledgers = {growing("computation")}; // 27 %
  report.ledgers[0].whole_s = 40;
  report.ledgers[0].core_wait_error_s = 2; // 5 %
  report.shares[0].core_wait_percent = 21;
  CHECK_THAT(advice_first(report), StartsWith("Find out why computation grows"));
  report.ledgers[0].core_wait_error_s = 3;
  CHECK_THAT(advice_first(report), StartsWith("Measure again"));
}

TEST_CASE("First: input and output", "[advice]") {
  Report report = without_losses();
  report.shares[0].io_percent = 30;
  report.shares[0].bytes_read = 0;
  report.shares[0].bytes_written = 4e6;
  Routine write;
  write.path = {"main", "save", "MPI_File_write_at"};
  write.kind = "io";
  write.io_percent = 30;
  report.routines.push_back(write);
  CHECK(
      advice_first(report) ==
      "Write less, or in larger and collective calls, most of all in main > save > MPI_File_write_at: input and output "
      "takes 30 % of p x T (0 B are read and 4.00 MB written).");
  report.shares[0].bytes_read = 5e6;
  CHECK_THAT(advice_first(report), StartsWith("Read less"));
  const auto first_with = [&](const char* name) {
    report.routines.back().path.back() = name;
    return advice_first(report);
  };
  for (const char* name : {"MPI_File_open", "MPI_File_delete", "open", "openat", "fopen"})
    CHECK_THAT(first_with(name), StartsWith("Open fewer files, or keep them open, most of all in main > save > "));
  for (const char* name : {"MPI_File_sync", "fsync"})
    CHECK_THAT(first_with(name), StartsWith("Flush files less often"));
  for (const char* name : {"MPI_File_close", "close", "fclose"}) // what is buffered is written
    CHECK_THAT(first_with(name), StartsWith("Write less, or in larger and collective calls, most of all in main > "));
  CHECK_THAT(first_with("MPI_File_set_view"), StartsWith("Change sizes, views and properties of files less often"));
  report.shares[0].bytes_written = 0;
  CHECK_THAT(first_with("fclose"), StartsWith("Open fewer files, or keep them open"));
}

TEST_CASE("First: calls of MPI that move no data", "[advice]") {
  Report report = without_losses();
  report.shares[0].communication_percent = 40;
  Routine call;
  call.path = {"main", "MPI_Allreduce"};
  call.kind = "exchange";
  call.communication_percent = 40;
  report.routines.push_back(call);
  const auto first_with = [&](const char* name, const char* kind = "management") {
    report.routines.back().path.back() = name;
    report.routines.back().kind = kind;
    return advice_first(report);
  };
  CHECK(first_with("MPI_Comm_spawn") ==
        "Set up less, most of all in main > MPI_Comm_spawn: MPI takes 40 % of p x T, waiting left out. Start the "
        "processes once, in one call, and keep them.");
  CHECK_THAT(first_with("MPI_Comm_spawn_multiple"), EndsWith("Start the processes once, in one call, and keep them."));
  CHECK_THAT(first_with("MPI_Comm_accept"), EndsWith("Connect once, and keep the connection."));
  for (const char* name : {"MPI_Session_init", "MPI_Session_finalize"})
    CHECK_THAT(first_with(name), EndsWith("Open a session once, and keep it."));
  CHECK(first_with("MPI_Finalize") ==
        "Spend less on starting and ending MPI, most of all in main > MPI_Finalize: MPI takes 40 % of p x T, waiting "
        "left out. This takes longer with more ranks and nodes, and the program cannot shorten it: use fewer ranks, or "
        "longer runs.");
  for (const char* name : {"MPI_Comm_create_group", "MPI_Comm_dup_with_info", "MPI_Comm_idup", "MPI_Comm_split",
                           "MPI_Comm_free", "MPIX_Comm_shrink", "MPI_Cart_create", "MPI_Intercomm_merge"})
    CHECK_THAT(first_with(name), EndsWith("Make communicators once, and keep them."));
  for (const char* name : {"MPI_Win_create", "MPI_Win_allocate_shared", "MPI_Win_free"})
    CHECK_THAT(first_with(name), EndsWith("Make windows once, and keep them."));
  for (const char* name : {"MPI_Buffer_detach", "MPI_Comm_iflush_buffer", "MPI_Session_iflush_buffer"})
    CHECK_THAT(first_with(name), EndsWith("flush or detach the buffer less often."));
  for (const char* name : {"MPI_Request_free", "MPI_Comm_set_errhandler", "MPI_Comm_call_errhandler",
                           "MPI_Comm_set_info", "MPI_Win_get_errhandler", "MPI_Win_set_info", "MPIX_Comm_agree"})
    CHECK_THAT(first_with(name), EndsWith("Call it less often."));
  CHECK_THAT(first_with("MPI_Win_fence", "synchronisation"), StartsWith("Communicate less") && EndsWith("less often."));
  CHECK_THAT(first_with("MPI_Allreduce", "exchange"), EndsWith("less often, with less data, or compute meanwhile."));
}

TEST_CASE("First: the largest loss", "[advice]") {
  Report report = without_losses();
  report.ledgers = {growing("computation")};
  report.shares[0].communication_percent = 26;
  CHECK_THAT(advice_first(report), StartsWith("Find out why computation grows"));
  report.shares[0].communication_percent = 28;
  CHECK_THAT(advice_first(report), StartsWith("Communicate less: MPI takes 28 % of p x T"));
  report.shares[0].load_balance = 0.75; // 100 x (1 / 0.75 - 1) = 33 %
  CHECK_THAT(advice_first(report), StartsWith("Share the work evenly: the rank with most of it computes 33 % of T"));
  Finding late = late_sender(10);
  report.findings = {late};
  CHECK_THAT(advice_first(report), StartsWith("Late sender in main > MPI_Recv")); // which says where it is uneven
  report.shares[0].io_percent = 40;
  CHECK_THAT(advice_first(report), StartsWith("Write less"));
}

TEST_CASE("First: for whom the ranks wait") {
  Report report = without_losses();
  report.routine_ranks = 8;
  Finding late = late_sender(10);
  const auto first_with = [&](OriginKind kind, std::vector<std::string> path, std::vector<int> ranks) {
    late.begin = WaitBegin{kind, std::move(path), {"a.c", 7}, std::move(ranks)};
    report.findings = {late};
    return advice_first(report);
  };
  CHECK_THAT(
      first_with(OriginKind::serial, {"main", "setup"}, {0}),
      StartsWith("Late sender in main > MPI_Recv, for rank 0, which alone computes in main > setup (a.c:7): without "
                 "this wait T would shrink by "));
  CHECK_THAT(first_with(OriginKind::imbalance, {"main", "work"}, {3}),
             StartsWith("Late sender in main > MPI_Recv, for rank 3, which computes longer in main > work (a.c:7): "));
  CHECK_THAT(
      first_with(OriginKind::imbalance, {"main", "work"}, {3, 1}),
      StartsWith("Late sender in main > MPI_Recv, for ranks 3, 1, which compute longer in main > work (a.c:7): "));
  CHECK_THAT(first_with(OriginKind::imbalance, {"main", "work"}, {3, 1, 2, 0}),
             StartsWith("Late sender in main > MPI_Recv, for 4 ranks, which compute longer in main > work (a.c:7): "));
  report.routine_ranks = 4; // all of them
  CHECK_THAT(first_with(OriginKind::imbalance, {"main", "work"}, {3, 1, 2, 0}),
             StartsWith("Late sender in main > MPI_Recv, for one rank after the other, which then computes longer in "
                        "main > work (a.c:7): "));
  CHECK_THAT(first_with(OriginKind::input_output, {"main", "save", "MPI_File_write"}, {0}),
             StartsWith("Late sender in main > MPI_Recv, for rank 0, busy with input or output in main > save > "
                        "MPI_File_write (a.c:7): "));
  CHECK_THAT(first_with(OriginKind::late_messages, {"main", "MPI_Send"}, {0}),
             StartsWith("Late sender in main > MPI_Recv, for rank 0, late in main > MPI_Send (a.c:7): "));
  CHECK_THAT(first_with(OriginKind::late_messages, {"main", "update", "MPI_Win_unlock"}, {1, 0}),
             StartsWith("Late sender in main > MPI_Recv, for ranks 1, 0, which hold the lock until main > update > "
                        "MPI_Win_unlock (a.c:7): "));
  CHECK_THAT(first_with(OriginKind::late_messages, {"main", "MPI_Recv"}, {0}),
             StartsWith("Late sender in main > MPI_Recv, for rank 0: "));
}

TEST_CASE("what a rising serial fraction comes from") {
  Report report = without_losses();
  report.scaling.limit_speedup = Estimate{3, {}, {}, {}};
  report.scaling.trend.verdict = Verdict::rising;
  report.scaling.points[0].serial_fraction = Estimate{0.3, {}, {}, {}};
  CHECK_THAT(advice_how_far(report), Contains("Look for communication and synchronisation in step 3."));
  report.growth = Growth{4, {}, 0.1, 0};
  CHECK_THAT(advice_how_far(report), Contains("Look for communication and synchronisation in step 3."));
  report.growth->explained = 0.2;
  CHECK_THAT(advice_how_far(report), Contains("Look for computation that grows with their number in step 3."));
}

TEST_CASE("the cause that others follow from is not said to have the largest effect where one of these has") {
  Report report = without_losses();
  report.shares[0].idle_percent = 30;
  Finding late, barrier;
  late.path = {"main", "MPI_Recv"};
  late.percent = 10;
  late.gain = {1, 1, 1, "earlier"};
  barrier = late;
  barrier.gain = {2, 2, 2, "earlier"};
  report.findings = {late, barrier};
  CHECK_THAT(advice_effort(report), Contains("The cause to begin with, from which a larger one follows, is "));
  report.findings[1].gain = {0.5, 0.5, 0.5, "earlier"};
  CHECK_THAT(advice_effort(report), Contains("The cause with the largest effect on T is "));
}

TEST_CASE("a weak sweep's speedup is said to be scaled: its T does not shrink") {
  Report report;
  report.scaling.weak = true;
  report.scaling.base_size = 1;
  report.scaling.points.resize(2);
  report.scaling.points[0].size = 1;
  report.scaling.points[1].size = 2;
  for (ScalingPoint& point : report.scaling.points) point.usable = true;
  report.scaling.points[1].time_s.median = 10;
  report.scaling.points[1].speedup.median = 1.6; // 2 x 8 / 10
  report.scaling.points[1].efficiency.median = 0.8;
  CHECK(speed_answer(report) == "10.0 s on 2 ranks: a scaled speedup of 1.60 over 1 rank, an efficiency of 80 %");
}

TEST_CASE("most of a serial fraction is more than half of all that is listed") {
  Report report;
  report.scaling.limit_speedup = Estimate{5, {}, {}, {}};
  report.scaling.points.resize(1);
  report.scaling.points[0].size = 2;
  report.scaling.points[0].usable = true;
  Projection next;
  next.size = 4;
  report.scaling.projection = {next};
  report.serial_routines.base_size = 1;
  report.serial_routines.size = 2;
  report.serial_routines.fraction = 0.2;
  SerialRoutine first, second;
  first.path = {"main", "setup"};
  first.fraction = 0.15;
  first.limit_speedup = 1 / 0.15;
  first.is_limit = true;
  second = first;
  second.path = {"main", "save"};
  second.fraction = 0.04;
  report.serial_routines.routines = {first, second};
  CHECK_THAT(limit_answer(report), EndsWith("; most of what is serial is in main > setup"));
  CHECK_THAT(serial_routines_text({}, report.serial_routines), !Contains("add up"));
  // 0.15 of 0.35, as the rest of the program takes less time than at the base: 0.2 - 0.35.
  report.serial_routines.routines[1].fraction = 0.2;
  CHECK_THAT(limit_answer(report), EndsWith("; the largest part of what is serial is in main > setup"));
  CHECK_THAT(
      serial_routines_text({}, report.serial_routines),
      Contains("These add up to 0.350: all else is -0.150, as it takes less of the ranks' time than at 1 rank."));
}
