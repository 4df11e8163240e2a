// The bounds that stamps give for the difference of two clocks, by hand.
#include <catch2/catch.hpp>

#include "monitor/clock/global_clock.h"
#include "monitor/clock/offset.h"

using namespace andes;
using namespace andes::monitor;

TEST_CASE("a ping bounds the difference from both sides") {
  // The other clock is 1,000 ns ahead. Sent at 0, on its way for 300 ns, stamped at 1,300 there, on its
  // way back for 100 ns: at 400 here. Later stamps lie between 900 and 1,300 ns ahead, and the older
  // side is worth 0.1 % of 400 ns less.
  OffsetBounds bounds;
  narrow(bounds, {0, 400, 1300});
  CHECK(bounds.at_ns == 400);
  CHECK(bounds.low_ns == Approx(900));
  CHECK(bounds.high_ns == Approx(1300 + 0.4));
  CHECK(offset_ns(bounds) == Approx(1100.2));
  CHECK(half_width_ns(bounds) == Approx(200.2));
}

TEST_CASE("the narrowest side of each ping counts, and age widens it") {
  // 1,000 ns ahead. First ping: 300 ns there, 10 ns back; second, 1,000 ns later: 20 ns there, 500 back.
  OffsetBounds bounds;
  narrow(bounds, {0, 310, 1300});       // 990 .. 1300 + 0.31
  narrow(bounds, {1310, 1830, 2330});   // alone 500 .. 1020 + 0.52
  CHECK(bounds.at_ns == 1830);
  CHECK(bounds.low_ns == Approx(990 - 1.52)); // 0.1 % of the 1,520 ns since
  CHECK(bounds.high_ns == Approx(1020.52));
}

TEST_CASE("bounds hold while clocks drift, for any delays") {
  // The other clock is ahead by 5,000 ns at 0 and gains 0.09 % (less than the limit).
  auto remote = [](double own_ns) { return own_ns * 1.0009 + 5000; };
  OffsetBounds bounds;
  double now_ns = 0;
  const double delays_ns[] = {900, 20, 15, 3000, 70, 12, 400, 9, 30, 2500, 11, 13};
  for (int i = 0; i + 1 < 12; ++i) {
    const double stamped_ns = now_ns + delays_ns[i], received_ns = stamped_ns + delays_ns[i + 1];
    narrow(bounds, {now_ns, received_ns, remote(stamped_ns)});
    now_ns = received_ns;
    const double truth_ns = remote(now_ns) - now_ns;
    CHECK(bounds.low_ns <= truth_ns);
    CHECK(bounds.high_ns >= truth_ns);
    now_ns += 50;
  }
  // The shortest ways were 9 ns there and 11 ns back; drift may have made up to 25 ns of it since.
  CHECK(half_width_ns(bounds) < 25);
}

TEST_CASE("a clock that was set disproves older bounds") {
  OffsetBounds bounds;
  narrow(bounds, {0, 20, 1010});
  narrow(bounds, {100, 120, 9110}); // 8 us later than it should be
  CHECK(bounds.low_ns == Approx(8990));
  CHECK(bounds.high_ns == Approx(9010.02));
}

TEST_CASE("the global clock is a straight line through its points") {
  GlobalClock clock;
  clock.init = {1'000'000, 500, 10};
  clock.end = {3'000'000, 1'000'500, 30};
  CHECK(global_ns(clock, 1'000'000) == 500);
  CHECK(global_ns(clock, 2'000'000) == Approx(500'500));
  CHECK(global_ns(clock, 3'000'000) == 1'000'500);
  CHECK(global_ns(clock, 900'000) == Approx(-49'500)); // before the first point too
  CHECK(error_ns(clock, 1'000'000) == 10);
  CHECK(error_ns(clock, 1'500'000) == Approx(15));
  CHECK(error_ns(clock, 9'000'000) == 30);
}
