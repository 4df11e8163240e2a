// What the kernel tells of a run from outside.
#include "postproc/launch/disturbance.h"

#include <sched.h>

#include <catch2/catch.hpp>

#include "postproc/launch/process.h"

using namespace andes::postproc;

TEST_CASE("times of all cores are sums of the first line of /proc/stat") {
  // user 10, nice 20, system 30, idle 1000, wait 1000, interrupts 4, soft 5, steal 7, guest (in user) 3: ticks of 10 ms.
  const auto times = host_times_in("cpu  10 20 30 1000 1000 4 5 7 3 0\ncpu0 1 1 1 1 1 1 1 1 1 1\n", 100);
  REQUIRE(times);
  CHECK(times->busy_ns == 690'000'000);
  CHECK(times->steal_ns == 70'000'000);
  CHECK_FALSE(host_times_in("", 100));
  CHECK_FALSE(host_times_in("cpu  10 20", 100));
  CHECK_FALSE(host_times_in("cpu0 10 20 30 1000 1000 4 5 7 3 0", 100));
}

TEST_CASE("throttling is in cpu.stat of either version of control groups") {
  CHECK(throttled_ns_in("usage_usec 5\nnr_periods 2\nnr_throttled 1\nthrottled_usec 1500\n") == 1'500'000);
  CHECK(throttled_ns_in("nr_periods 2\nnr_throttled 1\nthrottled_time 1500\n") == 1500);
  CHECK_FALSE(throttled_ns_in("usage_usec 5\n"));
  CHECK_FALSE(throttled_ns_in(""));
}

TEST_CASE("involuntary switches are those of the command and its descendants") {
  // Two loops that both want the only core they may use: each must be taken from it while it computes.
  cpu_set_t before, one;
  REQUIRE(sched_getaffinity(0, sizeof before, &before) == 0);
  CPU_ZERO(&one);
  for (int core = 0; core < CPU_SETSIZE && CPU_COUNT(&one) == 0; ++core)
    if (CPU_ISSET(core, &before)) CPU_SET(core, &one);
  REQUIRE(sched_setaffinity(0, sizeof one, &one) == 0);
  const char* loops = "loop() { i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done; }; loop & loop; wait";
  const Outcome outcome = run_process({{"sh", "-c", loops}, {"PATH=/usr/bin:/bin"}, false, false});
  CHECK(sched_setaffinity(0, sizeof before, &before) == 0);
  CHECK(outcome.status() == 0);
  REQUIRE(outcome.disturbance.involuntary_switches);
  CHECK(*outcome.disturbance.involuntary_switches >= 2);
  CHECK(outcome.disturbance.others_ns);
  CHECK(outcome.disturbance.steal_ns);
}
