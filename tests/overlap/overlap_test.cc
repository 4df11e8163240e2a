// Bounds of the overlap and expected transfer times, by hand.
#include <catch2/catch.hpp>

#include <array>

#include "monitor/exchange/overlap.h"

using namespace andes;
using namespace andes::monitor;

namespace {

/// Started by a call that returns at 100, completed by one entered at `wait_ns`.
Operation operation(std::int64_t wait_ns, double library_ns) {
  Operation op;
  op.start = {90, 100, 0, 0};
  op.end = {wait_ns, wait_ns + 10, 1, 0};
  op.library_ns = library_ns;
  op.flags = event_pending;
  op.completed = true;
  return op;
}

void check(const Overlap& overlap, double low_ns, double high_ns) {
  CHECK(overlap.low_ns == Approx(low_ns));
  CHECK(overlap.high_ns == Approx(high_ns));
}

} // namespace

// The call that starts it takes 10 inside MPI, and so does the one that completes it: at most 20 passed there.
TEST_CASE("what computation hides of a transfer of 1,000 ns") {
  check(overlap_of(operation(1600, 0), 1000), 980, 1000);  // computes 1,500: wholly, but for the calls
  check(overlap_of(operation(600, 0), 1000), 500, 500);    // computes 500: by half
  check(overlap_of(operation(100, 0), 1000), 0, 0);        // waits at once: not at all
  check(overlap_of(operation(95, 0), 1000), 0, 0);         // the same call
  check(overlap_of(operation(1600, 300), 1000), 680, 1000); // 300 inside MPI: perhaps not those
  check(overlap_of(operation(1600, 1200), 1000), 0, 300);  // computes 300, else inside MPI
  check(overlap_of(operation(800, 400), 1000), 300, 300);  // computes 300; at least 580, at most 300
  check(overlap_of(operation(600, 9000), 1000), 0, 0);     // never more inside MPI than there was
}

TEST_CASE("what the completing call takes may be the transfer itself") {
  Operation op = operation(1600, 0); // computes 1,500
  op.end.exit_ns = 1600 + 1400;      // progress inside MPI alone: nothing may have been hidden
  check(overlap_of(op, 1000), 0, 1000);
  op.end.exit_ns = 1600 + 290;
  check(overlap_of(op, 1000), 700, 1000);
}

TEST_CASE("nothing passes before the other side has begun") {
  Operation op = operation(1600, 0);
  check(overlap_of(op, 1000, 50), 980, 1000);  // it began before
  check(overlap_of(op, 1000, 1200), 400, 400); // 400 are left to compute, and 10 in the end
  check(overlap_of(op, 1000, 1700), 0, 0);     // while the completing call waits
  op.end.exit_ns = 1600 + 2000;                // waits for the other side, then 100 for the transfer
  check(overlap_of(op, 1000, 3500), 0, 0);
  check(overlap_of(operation(1600, 300), 1000, 1500), 100, 100); // of 300 inside MPI at most 100 after it began
}

TEST_CASE("an operation that is never seen to complete may hide all or nothing") {
  Operation op = operation(600, 0);
  op.completed = false;
  check(overlap_of(op, 1000), 0, 1000);
}

TEST_CASE("transfer times are linear between sizes") {
  const TransferTable table = {{8, 1000, 2000}, {100, 200, 1200}};
  CHECK(transfer_ns(table, 0) == 100);
  CHECK(transfer_ns(table, 8) == 100);
  CHECK(transfer_ns(table, 504).value() == Approx(150));
  CHECK(transfer_ns(table, 1500).value() == Approx(700));
  CHECK(transfer_ns(table, 4000).value() == Approx(2400)); // twice the largest
  CHECK(transfer_ns({{8}, {100}}, 4000) == 100);
  CHECK(transfer_ns({{8, 16}, {100, 0}}, 4000) == 0);
  const TransferTimes given = transfer_times(500, 2e9); // 2 bytes a nanosecond
  CHECK(transfer_ns(given.within_node, 0).value() == Approx(500));
  CHECK(transfer_ns(given.between_nodes, 1'000'000).value() == Approx(500'500));
  CHECK(std::string(given.source) == "setting");
}

TEST_CASE("a calibration that ended early knows nothing of longer messages") {
  CHECK_FALSE(transfer_ns({}, 4000));
  const TransferTable table = {{8, 1000}, {0, 0}, false};
  CHECK(transfer_ns(table, 1000) == 0);
  CHECK_FALSE(transfer_ns(table, 1001));
  Channel channels[2] = {};
  channels[1].peer = 1;
  EventTables tables;
  tables.channels = channels;
  tables.channel_count = 2;
  Operations own;
  own.sends.assign(3, operation(1600, 0));
  for (Operation& send : own.sends) send.channel = 1;
  own.sends[2].amount = short_of(1 << 20);
  const Overlaps found = overlaps_of(own, {}, tables, {table, table, "calibration"}, {}, 0, 1);
  CHECK(found.all.empty()); // nothing to hide in the other two
  CHECK(found.unknown == 2); // one, which stands for two
}

TEST_CASE("sums are by thread and call site of the start, and each message stands for 2^level") {
  Channel channels[3] = {};
  channels[1].peer = 1;
  channels[2].peer = 2;
  EventTables tables;
  tables.channels = channels;
  tables.channel_count = 3;
  TransferTimes transfers = transfer_times(1000, 1e9); // 1,000 ns and one a byte
  transfers.within_node = {{8}, {600}};

  Operations own;
  own.sends.assign(4, operation(1600, 0)); // computes 1,500
  own.sends[0].channel = 1; // to the same node: 600, all hidden
  own.sends[1].channel = 2; // to another one, 1,000 bytes: 2,000, of which 1,500
  own.sends[1].amount = short_of(1000);
  own.sends[2].channel = 2; // of another call path, 0 bytes: 1,000, all hidden
  own.sends[2].start.site = 5;
  own.sends[3].channel = 2; // a blocking send hides nothing and is none of these
  own.sends[3].flags = 0;
  Operation receive = operation(600, 0); // computes 500
  receive.start.thread = 3;
  std::vector<Message> messages(1);
  messages[0].receive = &receive;
  messages[0].send.amount = short_of(1000); // the receiver knows the bytes by the message only
  messages[0].source = 2;

  messages[0].send.start.enter_ns = 0;
  const auto sums = overlaps_of(own, messages, tables, transfers, {0, 0, 1}, 0, 2).all;
  REQUIRE(sums.size() == 3);
  CHECK(sums[0].thread == 0);
  CHECK(sums[0].site == 0);
  CHECK(sums[0].overlap.transfer_ns == Approx(4 * 2600));
  check(sums[0].overlap, 4 * (580 + 1500), 4 * 2100);
  CHECK(sums[1].site == 5);
  check(sums[1].overlap, 4 * 980, 4 * 1000);
  CHECK(sums[2].thread == 3);
  CHECK(sums[2].overlap.transfer_ns == Approx(4 * 2000));
  check(sums[2].overlap, 4 * 500, 4 * 500);
}

TEST_CASE("a small message takes no longer than a larger one, in all and of the processors") {
  std::array<andes_message_time, 4> times = {
      {{850'000, 300}, {2000, 900}, {3000, 500}, {0, 0}}}; // the first lost its core
  settle(times);
  CHECK(times[0].half_round_trip_ns == 2000);
  CHECK(times[0].processor_ns == 300);
  CHECK(times[1].half_round_trip_ns == 2000);
  CHECK(times[1].processor_ns == 500);
  CHECK(times[2].half_round_trip_ns == 3000);
  CHECK(times[2].processor_ns == 500);
  CHECK(times[3].half_round_trip_ns == 0); // not measured: it says nothing of the others
}
