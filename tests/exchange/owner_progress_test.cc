// Calls on a window that wait for its owner to call MPI, by hand: times in nanoseconds, one clock.
#include "tests/exchange/fake_job.h"

using namespace andes;
using namespace andes::test;

namespace {

/// Rank 1 accesses the window of rank 0, which is in MPI from 50 to 60, from 1000 to 1050, and from 5000 on.
class OwnerJob : public FakeJob {
public:
  OwnerJob() : FakeJob(3), window(communicator(500, {0, 1, 2})) {
    for (int rank = 0; rank < 3; ++rank) {
      collective(rank, EventKind::barrier, {50, 60, "main/MPI_Barrier"});
      collective(rank, EventKind::fence, {6000, 6010, "main/MPI_Win_fence"});
    }
    meanwhile(1000, 1050);
    meanwhile(5000, 5010);
  }
  void meanwhile(std::uint64_t enter, std::uint64_t exit) {
    collective(0, EventKind::barrier, {enter, exit, "main/work/MPI_Barrier"}, 0, alone);
  }
  void lock(int origin, const At& lock_at, const At& unlock_at) {
    const std::uint32_t c = channel(origin, tag_lock), number = (*this)[origin].channels[c].next++;
    (*this)[origin].record(EventKind::lock, event_exclusive, c, number, lock_at);
    (*this)[origin].record(EventKind::unlock, 0, c, number, unlock_at);
  }
  void within(int origin, const At& at) {
    const std::uint32_t c = channel(origin, tag_within), number = (*this)[origin].channels[c].next++;
    (*this)[origin].record(EventKind::lock, 0, c, number, at);
  }
  /// Its waits: their cause and time, at which call, for whose call.
  std::vector<std::string> waits_of(int rank) {
    std::vector<std::string> texts;
    const auto all = find();
    for (const Wait& wait : all[static_cast<std::size_t>(rank)].all)
      texts.push_back(cause(wait) + " " + std::to_string(static_cast<int>(wait.wait_ns)) + " for " +
                      std::to_string(wait.peer_rank) +
                      (wait.peer_path == hash_of("main/work/MPI_Barrier") ? " in work" : ""));
    return texts;
  }

private:
  std::uint32_t channel(int origin, int tag) {
    return (*this)[origin].channel(key(500, origin, 0, tag), window, 0, tag, ChannelEnd::origin);
  }

  std::uint32_t window;
  std::uint32_t alone = communicator(600, {0});
};

using Texts = std::vector<std::string>;

} // namespace

TEST_CASE("a call on a window waits until the owner calls MPI") {
  OwnerJob job;
  job.lock(1, {200, 1010, "main/MPI_Win_lock"}, {1020, 1030, "main/MPI_Win_unlock"});
  job.within(1, {2000, 5005, "main/MPI_Win_flush"});
  CHECK(job.waits_of(1) == Texts{"late_progress 800 for 0 in work", "late_progress 3000 for 0 in work"});
}

TEST_CASE("it has not waited for the owner if it goes on for long after") {
  OwnerJob job;
  SECTION("a quarter of the wait") {
    job.within(1, {200, 1200, "main/MPI_Win_flush"});
    CHECK(job.waits_of(1) == Texts{"late_progress 800 for 0 in work"});
  }
  SECTION("more") {
    job.within(1, {200, 1201, "main/MPI_Win_flush"});
    CHECK(job.waits_of(1).empty());
  }
}

TEST_CASE("what the owner was in MPI for meanwhile is taken off") {
  OwnerJob job;
  job.meanwhile(500, 600);
  job.within(1, {200, 1010, "main/MPI_Win_flush"});
  CHECK(job.waits_of(1) == Texts{"late_progress 700 for 0 in work"});
}

TEST_CASE("calls of a function that end while the owner computes show that it needs no owner") {
  OwnerJob job;
  job.within(1, {200, 1010, "main/MPI_Win_flush"});
  job.within(1, {2000, 2100, "main/MPI_Fetch_and_op"}); // another function
  CHECK(job.waits_of(1) == Texts{"late_progress 800 for 0 in work"});
  job.within(1, {2200, 2300, "main/MPI_Win_flush"}); // as many as waited
  CHECK(job.waits_of(1).empty());
}

TEST_CASE("a rank that waits for a lock waits for its owner only since it is free") {
  OwnerJob job;
  job.lock(2, {55, 58, "main/MPI_Win_lock"}, {390, 400, "main/MPI_Win_unlock"});
  job.lock(1, {100, 1010, "main/MPI_Win_lock"}, {1020, 1030, "main/MPI_Win_unlock"});
  CHECK(job.waits_of(1) == Texts{"late_progress 600 for 0 in work"});
  OwnerJob later;
  later.lock(2, {55, 58, "main/MPI_Win_lock"}, {790, 800, "main/MPI_Win_unlock"});
  later.lock(1, {100, 1010, "main/MPI_Win_lock"}, {1020, 1030, "main/MPI_Win_unlock"});
  CHECK(later.waits_of(1) == Texts{"lock_contention 700 for 2"});
}

TEST_CASE("the own window needs nobody, and of a thinned log nothing is known") {
  OwnerJob job;
  job.within(0, {200, 1010, "main/MPI_Win_flush"});
  CHECK(job.waits_of(0).empty());
  job.within(1, {200, 1010, "main/MPI_Win_flush"});
  job[2].tables.level = 1;
  CHECK(job.waits_of(1).empty());
}
