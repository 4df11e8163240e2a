// Gains of a whole job, from its logs to the shortening of the run; and the same from one span and from several.
#include "monitor/exchange/gains.h"

#include "tests/exchange/fake_job.h"

using namespace andes;
using namespace andes::test;

namespace {

/// The gain of a cause's only finding.
FindingGain gain_of(const FakeJob& job, const std::vector<Waits>& waits, const std::string& cause) {
  CHECK(waits[0].gains.missing.empty());
  for (const FindingGain& gain : waits[0].gains.all)
    if (job.compiled.program.causes[gain.finding.cause].identifier == cause) return gain;
  FAIL("no gain of " + cause);
  return {};
}

double of(const FindingGain& gain, Cure cure) { return gain.gain_ns[static_cast<std::size_t>(cure)]; }

void end_all(FakeJob& job, const std::vector<std::int64_t>& ends) {
  for (int rank = 0; rank < job.size(); ++rank) job[rank].end_ns = ends[static_cast<std::size_t>(rank)];
}

/// Gains of ranks whose operations are written by hand.
Gains gains_of(const std::vector<ReplayedRank>& job, std::uint64_t in_span) {
  Gains gains;
  run_ranks(static_cast<int>(job.size()), [&](const andes_transport& transport) {
    AllToAll ranks(&transport, in_seconds(20));
    Gains own = find_gains(job[static_cast<std::size_t>(transport.rank)], ranks, in_span);
    if (transport.rank == 0) gains = std::move(own);
  });
  return gains;
}

} // namespace

TEST_CASE("sending earlier gains what the rank that is last then saves") {
  FakeJob job(2);
  job.send(0, 1, 0, {3000, 3010, "main/MPI_Send"});
  job.receive(1, 0, 0, {1000, 3020, "main/MPI_Recv"});
  end_all(job, {4000, 6000});
  const auto waits = job.find();
  const FindingGain gain = gain_of(job, waits, "late_sender");
  CHECK(of(gain, Cure::earlier) == 2000); // rank 1 then ends at 4000, as rank 0 does
  CHECK(of(gain, Cure::leave_out) == 2000); // rank 0 at 2000, rank 1 at 4000
  CHECK(of(gain, Cure::share) == 1000);
  for (const double error_ns : gain.error_ns) CHECK(error_ns == 0);
  CHECK(waits[1].gains.all.empty()); // they are rank 0's
}

TEST_CASE("a chain into a barrier: its origin's work is what counts") {
  FakeJob job(4);
  job.send(0, 1, 0, {2996, 2998, "main/late/MPI_Send"});
  job.receive(1, 0, 0, {0, 2998, "main/MPI_Recv"});
  const std::uint64_t enters[] = {3000, 3000, 0, 0};
  for (int rank = 0; rank < 4; ++rank)
    job.collective(rank, EventKind::barrier, {enters[rank], 3010, "main/MPI_Barrier"});
  end_all(job, {4000, 4000, 4000, 4000});
  const auto waits = job.find();
  const FindingGain sender = gain_of(job, waits, "late_sender"), barrier = gain_of(job, waits, "wait_at_barrier");
  CHECK(of(sender, Cure::earlier) == 0); // rank 0 still comes to the barrier at 3000
  CHECK(of(sender, Cure::share) == 2247); // three quarters of 2996
  CHECK(of(sender, Cure::leave_out) == 2996);
  CHECK(of(barrier, Cure::share) == 2249); // and of what the two do until they enter the barrier
}

TEST_CASE("a blocked send: the receive is posted in time") {
  FakeJob job(2);
  job.send(0, 1, 0, {1000, 5010, "main/MPI_Ssend"});
  job.receive(1, 0, 0, {5000, 5010, "main/MPI_Recv"});
  end_all(job, {9000, 6000});
  const FindingGain gain = gain_of(job, job.find(), "late_receiver");
  CHECK(of(gain, Cure::earlier) == 3000); // rank 0 saves 4000, rank 1 ends at 6000
}

TEST_CASE("a send that blocks only where it is early is held up once the sender is earlier") {
  // Messages of one size: rank 0's second send comes after its receive was posted, and does not wait as it was.
  for (const bool synchronous : {true, false}) {
    FakeJob job(3);
    const std::string function = synchronous ? "main/MPI_Ssend" : "main/MPI_Send";
    job.send(2, 0, 0, {3000, 3010, "main/MPI_Send"});
    job.receive(0, 2, 0, {1000, 3010, "main/MPI_Recv"});
    job.send(0, 1, 0, {4000, 4010, function});
    job.receive(1, 0, 0, {3500, 4020, "main/MPI_Recv"});
    end_all(job, {5000, 3600, 3600});
    const FindingGain gain = gain_of(job, job.find(), "late_sender");
    (void)gain;
    const auto waits = job.find();
    double earlier_ns = 0;
    for (const FindingGain& one : waits[0].gains.all)
      if (one.finding.path == hash_of("main/MPI_Recv")) earlier_ns = of(one, Cure::earlier);
    // Rank 0 is 2000 earlier at 4000; a synchronous send waits until 3500 then. Rank 1's own wait is cured, too.
    CHECK(earlier_ns == (synchronous ? 500 : 1400));
  }
}

TEST_CASE("a send, and an access to a window, that wait for the other rank's next call: that comes in time") {
  for (const bool one_sided : {false, true}) {
    FakeJob job(2);
    const std::uint32_t window = job.communicator(500, {0, 1});
    if (one_sided) {
      job.epoch(0, 1, window, {100, 110, "main/MPI_Win_start"}, {1000, 5005, "main/MPI_Win_complete"},
                {0, 10, "main/MPI_Win_post"}, {5000, 5010, "main/MPI_Win_wait"});
    } else {
      job.send(0, 1, 0, {1000, 5005, "main/MPI_Send"});
      job.irecv(1, 0, 0, {0, 10, "main/MPI_Irecv"}, {5000, 5010, "main/MPI_Wait"});
    }
    end_all(job, {9000, 6000});
    const FindingGain gain = gain_of(job, job.find(), "late_progress");
    CHECK(of(gain, Cure::earlier) == 3000);   // rank 0 saves 4000, rank 1 ends at 6000
    CHECK(of(gain, Cure::leave_out) == 4000); // rank 1 saves them, too
    CHECK(of(gain, Cure::share) == 2000);
  }
}

TEST_CASE("a receive that waits for the sender's next call: that comes in time") {
  FakeJob job(2);
  job.isend(0, 1, 0, {0, 10, "main/MPI_Isend"}, {5000, 5010, "main/MPI_Wait"});
  job.receive(1, 0, 0, {1000, 5020, "main/MPI_Recv"});
  end_all(job, {6000, 9000});
  const FindingGain gain = gain_of(job, job.find(), "late_progress");
  CHECK(of(gain, Cure::earlier) == 3000); // rank 1 saves 4000, rank 0 ends at 6000
  CHECK(of(gain, Cure::leave_out) == 4000);
  CHECK(of(gain, Cure::share) == 2000);
}

TEST_CASE("a send that lost its core once does not make longer ones depend on the receiver") {
  for (const int held_up : {1, 2}) {
    FakeJob job(3);
    for (int tag = 1; tag <= held_up; ++tag) {
      const auto begin = static_cast<std::uint64_t>(tag) * 100;
      job.send(0, 1, tag, {begin, begin + 60, "main/MPI_Send"}); // until after the receive, 50 later
      job.receive(1, 0, tag, {begin + 50, begin + 70, "main/MPI_Recv"});
    }
    job.send(2, 0, 0, {3000, 3010, "main/MPI_Send"});
    job.receive(0, 2, 0, {1000, 3010, "main/MPI_Recv"});
    job.send(0, 1, 0, {4000, 4010, "main/MPI_Send"}, 100000);
    job.receive(1, 0, 0, {3500, 4020, "main/MPI_Recv"});
    end_all(job, {5000, 3600, 3600});
    const auto waits = job.find();
    double earlier_ns = 0;
    for (const FindingGain& one : waits[0].gains.all)
      if (one.finding.path == hash_of("main/MPI_Recv")) earlier_ns = of(one, Cure::earlier);
    CHECK(earlier_ns == (held_up == 2 ? 500 : 1400)); // as in the test of a send that blocks only where it is early
  }
}

TEST_CASE("what other operations have shown to need the other rank is held up once its rank is earlier") {
  for (const bool one_sided : {false, true})
    for (const bool shown : {false, true}) {
      FakeJob job(3);
      const std::uint32_t first = job.communicator(500, {0, 1}), second = job.communicator(501, {0, 1}),
                          third = job.communicator(502, {0, 1});
      const auto from_0_to_1 = [&](std::uint32_t window, std::uint64_t begin, std::uint64_t end, std::uint64_t post,
                                   std::uint64_t wait, std::uint64_t wait_end) {
        if (one_sided) {
          job.epoch(0, 1, window, {begin - 5, begin - 4, "main/MPI_Win_start"}, {begin, end, "main/MPI_Win_complete"},
                    {post, post + 5, "main/MPI_Win_post"}, {wait, wait_end, "main/MPI_Win_wait"});
        } else {
          job.send(0, 1, static_cast<int>(window), {begin, end, "main/MPI_Send"});
          job.irecv(1, 0, static_cast<int>(window), {post, post + 5, "main/MPI_Irecv"},
                    {wait, wait_end, "main/MPI_Wait"});
        }
      };
      from_0_to_1(first, 100, shown ? 205 : 110, 50, 200, 210);
      from_0_to_1(third, 300, shown ? 405 : 310, 250, 400, 410);
      job.send(2, 0, 0, {3000, 3010, "main/MPI_Send"});
      job.receive(0, 2, 0, {1000, 3010, "main/MPI_Recv"});
      from_0_to_1(second, 4000, 4010, 500, 3500, 4020); // after the other rank: it did not wait
      end_all(job, {5000, 4100, 3100});
      // Rank 0 is 2000 earlier at 4000, and waits until 3500 then, or goes on; rank 1 ends at 3600.
      CHECK(of(gain_of(job, job.find(), "late_sender"), Cure::earlier) == (shown ? 500 : 1400));
    }
}

TEST_CASE("there are no gains where operations are missing, or of another thread") {
  FakeJob job(2);
  job.send(0, 1, 0, {3000, 3010, "main/MPI_Send"});
  job.receive(1, 0, 0, {1000, 3020, "main/MPI_Recv"}, 1);
  end_all(job, {4000, 6000});
  CHECK(job.find()[0].gains.missing == "several threads of a rank call MPI");
  job[0].tables.lost = 1;
  CHECK(job.find()[0].gains.missing == "the log does not have all operations");
}

TEST_CASE("spans of the run, replayed at the same time, give the gains of the whole") {
  // Three ranks in a ring: in each round rank 0 computes longer, and once in 50 rounds rank 1 does. Rank 2 is waited
  // for by none, and an all-reduction comes once in 100 rounds.
  constexpr std::size_t size = 3;
  std::vector<ReplayedRank> job(size);
  std::int64_t now_ns = 0;
  for (int round = 0; round < 400; ++round, now_ns += 1000) {
    const std::int64_t send_ns[] = {now_ns + 700, now_ns + (round % 50 == 0 ? 900 : 400), now_ns + 300};
    for (std::int32_t to = 0; to < 3; ++to) {
      const std::int32_t from = (to + 2) % 3;
      const std::int64_t enter_ns = send_ns[to] + 5, exit_ns = now_ns + 950;
      job[static_cast<std::size_t>(to)].log.dependencies.push_back({send_ns[from], enter_ns, exit_ns, from, to});
      if (send_ns[from] > enter_ns)
        job[static_cast<std::size_t>(to)].waits.push_back(
            {{1, 0}, {from, 0, 5}, {enter_ns, exit_ns, to, 0}, static_cast<double>(send_ns[from] - enter_ns)});
      if (round % 100 == 99)
        job[static_cast<std::size_t>(to)].log.parts.push_back(
            {static_cast<std::uint64_t>(round), now_ns + 960, now_ns + 960, now_ns + 990, now_ns + 960, to, 1, 1});
    }
  }
  for (ReplayedRank& rank : job) rank.begin_ns = 0, rank.end_ns = now_ns;
  const Gains whole = gains_of(job, 1'000'000), parts = gains_of(job, 300);
  REQUIRE(whole.all.size() == 1);
  REQUIRE(parts.all.size() == 1);
  CHECK(of(whole.all[0], Cure::leave_out) > 40000);
  for (std::size_t cure = 0; cure < cure_count; ++cure) {
    const FindingGain &one = whole.all[0], &several = parts.all[0];
    CHECK(one.error_ns[cure] == 0);
    CHECK(std::abs(one.gain_ns[cure] - several.gain_ns[cure]) <= several.error_ns[cure] + 1e-6);
    CHECK(several.error_ns[cure] < 2000); // about what ranks differ by at the bounds of the spans
  }
}
