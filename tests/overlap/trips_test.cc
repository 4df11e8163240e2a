// Which trips a calibration of transfer times makes, and what they say, with trips that are made up. Times in nanoseconds.
#include <catch2/catch.hpp>

#include <array>
#include <functional>
#include <vector>

#include "monitor/mpi/trips.h"

using namespace andes;
using namespace andes::monitor::mpi;

namespace {

/// What one trip takes: MPI_Isend, the way to and fro of an open trip, the receive of a silent one.
struct Taken {
  std::int64_t sending, all, receiving;
};

/// A calibration over a made-up network; the clock stands still between the trips.
struct Calibration {
  std::vector<std::size_t> bytes;
  std::vector<andes_message_time> times{bytes.size()};
  std::vector<int> open = std::vector<int>(bytes.size()), silent = open; // trips made, by size
  std::int64_t took_ns = 0;

  /// `network`: what the trip takes, by its size and the number of trips before it.
  void run(const std::function<Taken(std::size_t, int)>& network) {
    Trips trips(bytes.data(), static_cast<int>(bytes.size()), times.data(), 0);
    int before = 0;
    for (Trip trip; trips.next(took_ns, trip); ++before) {
      const auto size = static_cast<std::size_t>(trip.size);
      const Taken taken = network(size, before);
      TripTimes at = {took_ns, took_ns + taken.sending, took_ns + taken.sending, took_ns + taken.all};
      if (trip.silent) {
        at.back_ns = took_ns + static_cast<std::int64_t>(trip.silent_ns);
        at.end_ns = at.back_ns + taken.receiving;
      }
      ++(trip.silent ? silent : open)[size];
      took_ns = at.end_ns;
      trips.add(trip, at);
    }
  }
  void check(std::size_t size, double half_round_trip_ns, double processor_ns) const {
    CHECK(times[size].half_round_trip_ns == half_round_trip_ns);
    CHECK(times[size].processor_ns == processor_ns);
  }
};

constexpr Taken of_8 = {100, 1000, 50}, of_1024 = {200, 2000, 80}, lost_core = {100, 1'700'000, 1'700'000};

} // namespace

TEST_CASE("without disturbance all trips are made, and the shortest count") {
  Calibration one{{8, 32768}};
  one.run([](std::size_t size, int before) {
    if (size == 1) return Taken{3000, 20'000, 700};
    return before == 7 ? Taken{90, 900, 50} : before == 30 ? Taken{100, 1000, 40} : of_8;
  });
  one.check(0, 450, 90 + 40);
  one.check(1, 10'000, 3000 + 700);
  CHECK(one.open == std::vector<int>{24, 4});
  CHECK(one.silent == std::vector<int>{8, 2});
}

TEST_CASE("a first trip that lost its core is made again, and takes no trips from the others") {
  Calibration one{{8, 1024}};
  one.run([](std::size_t size, int before) { return before == 0 ? lost_core : size == 0 ? of_8 : of_1024; });
  one.check(0, 500, 150);
  one.check(1, 1000, 280);
  CHECK(one.open == std::vector<int>{25, 24});
  CHECK(one.silent == std::vector<int>{8, 8});
}

TEST_CASE("so is one of a larger size, by what the size before took") {
  Calibration one{{8, 1024}}; // at most 4 x 1,000 + 40 x 1,024
  bool disturbed = false;
  const auto first_takes = [&](std::int64_t all) {
    return [&disturbed, all](std::size_t size, int) {
      if (size == 0) return of_8;
      if (disturbed) return of_1024;
      disturbed = true;
      return Taken{200, all, 80};
    };
  };
  SECTION("longer than that") {
    one.run(first_takes(44'961));
    CHECK(one.open == std::vector<int>{24, 25});
  }
  SECTION("not longer: it counts, and the shortest are others") {
    one.run(first_takes(44'960));
    CHECK(one.open == std::vector<int>{24, 24});
  }
  one.check(1, 1000, 280);
}

TEST_CASE("a silent trip whose answer came late is made again") {
  Calibration one{{8}}; // the receive takes at most four round trips
  one.run([](std::size_t, int before) { return before == 24 ? Taken{100, 1000, 4001} : of_8; });
  one.check(0, 500, 150);
  CHECK(one.silent == std::vector<int>{9});
}

TEST_CASE("where every trip is too long nothing is known, after 5 ms") {
  Calibration one{{8, 1024}};
  one.run([](std::size_t, int) { return lost_core; });
  one.check(0, 0, 0);
  one.check(1, 0, 0);
  CHECK(one.open == std::vector<int>{3, 0});
}

TEST_CASE("after half a millisecond each size gets one trip of a kind") {
  Calibration one{{8, 131072, 524288}};
  one.run([](std::size_t size, int) {
    return size == 0 ? Taken{100, 400'000, 50} : size == 1 ? Taken{5000, 900'000, 100} : Taken{6000, 1'000'000, 200};
  });
  // Open at 0 and 0.4 ms, silent until 1.6; 0.9 and 1.8 ms; 4.3 ms, and from 5.3 ms on none.
  CHECK(one.open == std::vector<int>{2, 1, 1});
  CHECK(one.silent == std::vector<int>{1, 1, 0});
  one.check(1, 450'000, 5100);
  one.check(2, 0, 0);
}
