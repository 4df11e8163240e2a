// Waits for the other rank's next call of MPI, by hand. Times in nanoseconds.
#include "monitor/exchange/progress.h"

#include <catch2/catch.hpp>

#include <deque>

using namespace andes::monitor;

namespace {

struct Times {
  std::int64_t enter, exit;
};

/// The messages of a rank.
struct Job {
  std::deque<Operation> receives; // they do not move
  std::vector<Message> all;

  /// A side whose `start` and `end` are alike is one blocking call.
  Message& add(Times send, Times send_end, Times receive, Times receive_end, std::uint64_t bytes = 1 << 20) {
    const auto side = [&](Times start, Times end) {
      Operation one;
      one.start.enter_ns = start.enter, one.start.exit_ns = start.exit;
      one.end.enter_ns = end.enter, one.end.exit_ns = end.exit;
      one.amount = short_of(bytes);
      one.completed = one.alone = true;
      return one;
    };
    receives.push_back(side(receive, receive_end));
    Message& message = all.emplace_back();
    message.send = side(send, send_end);
    message.receive = &receives.back();
    message.wait = &receives.back().end;
    return message;
  }
  /// The receive is posted at 100, the sender is in MPI_Send from 200 on, and the receiver waits for the message from 500 on.
  Message& sent_in_time(std::int64_t exit, std::uint64_t bytes = 1 << 20) {
    return add({200, exit}, {200, exit}, {100, 110}, {500, 520}, bytes);
  }
  /// Started at 100, received from 200 on; the sender completes it at 500.
  Message& received_in_time(std::int64_t exit) { return add({100, 110}, {500, 510}, {200, exit}, {200, exit}); }

  void find(std::uint64_t eager_bytes = 0, SendTimes own_sends = {}) {
    find_progress(all, std::move(own_sends), eager_bytes);
  }
  void check(std::size_t i, std::int64_t sender_ns, std::int64_t receiver_ns) const {
    CHECK(all[i].sender_waits_ns == sender_ns);
    CHECK(all[i].receiver_waits_ns == receiver_ns);
    CHECK(all[i].sender_needs == (sender_ns > 0));
    CHECK(all[i].receiver_needs == (receiver_ns > 0));
  }
};

} // namespace

TEST_CASE("a send whose receive was posted waits until the receiver waits for the message") {
  Job job;
  SECTION("it ends behind that") {
    job.sent_in_time(505);
    job.find();
    job.check(0, 500 - 200, 0);
  }
  SECTION("less what the receiver was in MPI for something else") {
    job.sent_in_time(505);
    job.receives[0].library_ns = 50;
    job.find();
    job.check(0, 500 - 200 - 50, 0);
  }
  SECTION("it ends before: the library needs nobody") {
    job.sent_in_time(499);
    job.find();
    job.check(0, 0, 0);
  }
  SECTION("what comes behind takes a quarter of the wait") {
    job.sent_in_time(500 + 75);
    job.find();
    job.check(0, 300, 0);
  }
  SECTION("or more: the transfer may have gone on all the time") {
    job.sent_in_time(500 + 76);
    job.find();
    job.check(0, 0, 0);
  }
  SECTION("the library sends messages of the size at once") {
    job.sent_in_time(505, 4096);
    job.find(4096);
    job.check(0, 0, 0);
    job.find(4095);
    job.check(0, 300, 0);
  }
  SECTION("it is a part of a message") {
    job.sent_in_time(505).is_part = true;
    job.find();
    job.check(0, 0, 0);
  }
}

TEST_CASE("a receive of a message that was started waits until the sender completes it") {
  Job job;
  SECTION("from its enter on") {
    job.received_in_time(505);
    job.find();
    job.check(0, 0, 500 - 200);
  }
  SECTION("or from the return of the call that started it") {
    job.add({100, 110}, {500, 510}, {50, 505}, {50, 505});
    job.find();
    job.check(0, 0, 500 - 110);
  }
  SECTION("not if it ends before") {
    job.received_in_time(499);
    job.find();
    job.check(0, 0, 0);
  }
}

TEST_CASE("messages of the size that mostly went on show that none has waited") {
  Job job;
  job.sent_in_time(505);
  job.sent_in_time(300);
  SECTION("as many went on as waited") {
    job.find();
    job.check(0, 300, 0);
  }
  SECTION("one more") {
    job.sent_in_time(300);
    job.find();
    job.check(0, 0, 0);
  }
  SECTION("of another size") {
    job.sent_in_time(300, 1 << 10);
    job.find();
    job.check(0, 300, 0);
  }
}

TEST_CASE("a call that completes several operations counts where two others have shown that the size waits") {
  Job job;
  job.sent_in_time(505).send.alone = false;
  const int shown = GENERATE(0, 1, 2);
  for (int i = 0; i < shown; ++i) job.sent_in_time(505);
  job.find();
  job.check(0, shown == 2 ? 300 : 0, 0);
}

TEST_CASE("calls that complete several operations show it where the other rank has sent nothing meanwhile") {
  // Each of three exchanges: the receiver computes for 100 us behind the sender's MPI_Waitall.
  Job job;
  const std::int64_t waits = GENERATE(100'000, 10'000); // the shorter ones may be chance
  for (std::int64_t at : {0, 1'000'000, 2'000'000})
    job.add({at + 100, at + 110}, {at + 200, at + 205 + waits}, {at, at + 10}, {at + 200 + waits, at + 210 + waits},
            800)
        .send.alone = false;
  const bool has_sent = GENERATE(false, true);
  SendTimes own_sends = {{1, 300}, {0, 50}, {0, 1'000'050}, {0, 2'000'050}}; // to another rank; before the calls
  if (has_sent) own_sends.emplace_back(0, 150'000 / 2), own_sends.emplace_back(0, 1'000'000 + 50'000);
  job.find(4096, own_sends);
  const std::int64_t found = waits == 100'000 && !has_sent ? waits : 0;
  for (std::size_t i = 0; i < job.all.size(); ++i) job.check(i, found, 0);
}
