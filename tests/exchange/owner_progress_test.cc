// Calls on a window that wait for its owner to call MPI, by hand: times in microseconds, one clock.
#include <cmath>

#include "tests/exchange/fake_job.h"

using namespace andes;
using namespace andes::test;

namespace {

At in_us(const At& at) { return {1000 * at.enter, 1000 * at.exit, at.path}; }

/// Rank 1 accesses the window of rank 0, which is in MPI from 50 to 60, from 1000 to 1050, and from 5000 on.
class OwnerJob : public FakeJob {
public:
  OwnerJob() : FakeJob(3), window(communicator(500, {0, 1, 2})) {
    for (int rank = 0; rank < 3; ++rank) {
      collective(rank, EventKind::barrier, in_us({50, 60, "main/MPI_Barrier"}));
      collective(rank, EventKind::fence, in_us({6000, 6010, "main/MPI_Win_fence"}));
    }
    meanwhile(1000, 1050);
    meanwhile(5000, 5010);
  }
  void meanwhile(std::uint64_t enter, std::uint64_t exit, const std::string& path = "main/work/MPI_Barrier") {
    collective(0, EventKind::barrier, in_us({enter, exit, path}), 0, alone);
  }
  void lock(int origin, const At& lock_at, const At& unlock_at, const std::vector<At>& accesses = {}) {
    const std::uint32_t c = channel(origin, tag_lock), number = (*this)[origin].channels[c].next++;
    (*this)[origin].record(EventKind::lock, event_exclusive, c, number, in_us(lock_at));
    for (const At& at : accesses) (*this)[origin].record(EventKind::access, 0, c, number, in_us(at));
    (*this)[origin].record(EventKind::unlock, 0, c, number, in_us(unlock_at));
  }
  void within(int origin, const At& at) {
    const std::uint32_t c = channel(origin, tag_within), number = (*this)[origin].channels[c].next++;
    (*this)[origin].record(EventKind::lock, 0, c, number, in_us(at));
  }
  /// Its waits: their cause and time, at which call, for whose call.
  std::vector<std::string> waits_of(int rank) {
    std::vector<std::string> texts;
    const auto all = find();
    for (const Wait& wait : all[static_cast<std::size_t>(rank)].all)
      texts.push_back(cause(wait) + " " + std::to_string(std::lround(wait.wait_ns / 1000)) + " for " +
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

TEST_CASE("it has waited until the owner's next call at most") {
  OwnerJob job;
  SECTION("which comes soon after another one") {
    job.meanwhile(150, 250);
    job.within(1, {200, 1010, "main/MPI_Win_flush"}); // 50 + 10 in MPI, 750 outside
    CHECK(job.waits_of(1) == Texts{"late_progress 750 for 0 in work"});
  }
  SECTION("but not if it lasts over several") {
    job.meanwhile(500, 600);
    job.within(1, {200, 1010, "main/MPI_Win_flush"});
    CHECK(job.waits_of(1).empty());
  }
  SECTION("nor if it went on for long while the owner was in MPI") {
    job.meanwhile(150, 400);
    job.within(1, {200, 1010, "main/MPI_Win_flush"}); // 200 + 10 in MPI, 600 outside
    CHECK(job.waits_of(1).empty());
  }
}

TEST_CASE("a call over many of the owner's needs none of them") {
  OwnerJob job;
  for (const std::uint64_t at : {2000, 3000, 4000}) job.meanwhile(at, at + 10);
  job.within(1, {200, 5100, "main/MPI_Win_flush"}); // the last one is near its end
  CHECK(job.waits_of(1).empty());
  job.within(2, {1200, 2005, "main/MPI_Win_flush"}); // as if it had waited: 1 of 2
  CHECK(job.waits_of(2).empty());
  job.within(2, {2200, 3005, "main/MPI_Win_flush"}); // 2 of 3
  CHECK(job.waits_of(2) == Texts{"late_progress 800 for 0 in work", "late_progress 800 for 0 in work"});
}

TEST_CASE("calls of a function that end while the owner computes show that it needs no owner") {
  OwnerJob job;
  job.within(1, {200, 1010, "main/MPI_Win_flush"});
  job.within(1, {2000, 2100, "main/MPI_Fetch_and_op"}); // another function
  CHECK(job.waits_of(1) == Texts{"late_progress 800 for 0 in work"});
  job.within(1, {2200, 2300, "main/MPI_Win_flush"}); // as many as waited
  CHECK(job.waits_of(1).empty());
}

TEST_CASE("calls of several targets may go on for others of them") {
  OwnerJob job;
  job.within(1, {200, 1010, "main/MPI_Win_flush_all"});
  job.within(1, {2000, 5900, "main/MPI_Win_flush_all"});
  CHECK(job.waits_of(1) == Texts{"late_progress 800 for 0 in work"});
  job.within(1, {1100, 1200, "main/MPI_Win_flush_all"}); // had something to do here, and needed no owner
  CHECK(job.waits_of(1).empty());
}

TEST_CASE("calls that end before a polling loop of the owner show nothing") {
  const auto flushes = [](const std::string& next) {
    OwnerJob job;
    job.meanwhile(3000, 3010, next);
    job.within(1, {200, 1010, "main/MPI_Win_flush"});
    job.within(1, {2000, 2100, "main/MPI_Win_flush"}); // a poll in vain may have served it
    return job.waits_of(1);
  };
  CHECK(flushes("main/work/MPI_Test") == Texts{"late_progress 800 for 0 in work"});
  CHECK(flushes("main/work/MPI_Wait").empty());
}

TEST_CASE("calls of less than 20 us show how it is, but are not told") {
  OwnerJob job;
  job.lock(1, {981, 1000, "main/MPI_Win_lock"}, {1001, 1002, "main/MPI_Win_unlock"});
  CHECK(job.waits_of(1).empty());
  job.lock(1, {200, 1010, "main/MPI_Win_lock"}, {1020, 1030, "main/MPI_Win_unlock"});
  CHECK(job.waits_of(1) == Texts{"late_progress 800 for 0 in work"});
  for (const std::uint64_t at : {2000, 3000})
    job.lock(1, {at, at + 1, "main/MPI_Win_lock"}, {at + 2, at + 3, "main/MPI_Win_unlock"});
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

TEST_CASE("a lock that is granted later is waited for in another call") {
  const auto waits = [](std::uint64_t free) { // from when rank 1 could have the lock
    OwnerJob job;
    const At flush = {100, 1010, "main/MPI_Win_flush"};
    job.lock(2, {55, 58, "main/MPI_Win_lock"}, {free - 10, free, "main/MPI_Win_unlock"});
    job.lock(1, {70, 75, "main/MPI_Win_lock"}, {1020, 1030, "main/MPI_Win_unlock"}, {flush});
    job.within(1, flush);
    return job.waits_of(1);
  };
  CHECK(waits(400) == Texts{"late_progress 600 for 0 in work"});
  CHECK(waits(700) == Texts{"lock_contention 600 for 2"});
}

TEST_CASE("the lock of a window that is not accessed is not asked for") {
  OwnerJob job;
  const std::uint32_t all = job[1].channel(777, 1, -1, tag_lock_all, ChannelEnd::origin);
  job[1].record(EventKind::lock, 0, all, 0, in_us({100, 1010, "main/MPI_Win_lock_all"}));
  job[1].record(EventKind::unlock, 0, all, 0, in_us({1020, 1030, "main/MPI_Win_unlock_all"}));
  job.lock(2, {55, 58, "main/MPI_Win_lock"}, {390, 400, "main/MPI_Win_unlock"});
  CHECK(job.waits_of(1) == Texts{"lock_contention 300 for 2"});
}

TEST_CASE("the own window needs nobody, and of a log that lacks calls nothing is known") {
  OwnerJob own;
  own.within(0, {200, 1010, "main/MPI_Win_flush"});
  CHECK(own.waits_of(0).empty());
  OwnerJob job;
  job.within(1, {200, 1010, "main/MPI_Win_flush"});
  CHECK(job.waits_of(1) == Texts{"late_progress 800 for 0 in work"});
  SECTION("thinned in some rank") { job[2].tables.levels = {1, 0}; }
  SECTION("no room for some") { job[0].tables.lost = 1; }
  SECTION("of unknown order") { job[0].tables.unordered = 1; }
  SECTION("by the setting") { job[0].tables.left_out = without_messages; }
  CHECK(job.waits_of(1).empty());
}
