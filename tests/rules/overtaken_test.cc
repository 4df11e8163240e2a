// Messages that are received in another order than they are sent in.
#include <catch2/catch.hpp>

#include <random>

#include "monitor/rules/overtaken.h"
#include "tests/rules/events.h"

using namespace andes::monitor;
using namespace andes::monitor::rules;

namespace {

Trial messages_trial() {
  return trial("rule event e type point_to_point_operation_group where e.overtaking_source >= 0\n"
               "create performance observation name = \"x\" rank = e.number peer_rank = "
               "e.overtaking_source\n"
               "instance = e.overtaking_send_start_time thread = "
               "e.overtaking_receive_wait_start_time impact = 1;");
}

/// A message waited for from `begin` to `end`.
void message(Trial& t, int number, int source, int sent, int begin, int end, int thread = 0) {
  add(t, "point_to_point_operation_group",
      {{"number", number},
       {"source", source},
       {"send_start_time", sent},
       {"receive_wait_start_time", begin},
       {"receive_wait_finish_time", end},
       {"thread", thread}});
}

std::vector<std::string> found(Trial& t) {
  fill_overtaking(table_of(t.tables, EventType::point_to_point_operation_group));
  run(t);
  std::vector<std::string> lines;
  for (const Observation& o : t.seen)
    lines.push_back(std::to_string(o.rank) + " by " + std::to_string(o.peer_rank) + " sent " +
                    std::to_string(o.instance_ns) + " waited for " + std::to_string(o.thread));
  return lines;
}
using Lines = std::vector<std::string>;

} // namespace

TEST_CASE("A message that lay ready while another was waited for overtakes it") {
  Trial t = messages_trial();
  message(t, 0, 4, 200, 0, 210);
  message(t, 1, 5, 50, 220, 230);
  CHECK(found(t) == Lines{"0 by 5 sent 50 waited for 220"});
}

TEST_CASE("The next one that was asked for counts, not the earliest sent") {
  Trial t = messages_trial();
  message(t, 0, 4, 200, 0, 210);
  message(t, 1, 5, 90, 220, 221);
  message(t, 2, 6, 10, 230, 231);
  CHECK(found(t) == Lines{"0 by 5 sent 90 waited for 220"});
}

TEST_CASE("A message sent at about the same time, or in the last tenth of the wait, does not overtake") {
  Trial t = messages_trial();
  message(t, 0, 4, 200, 0, 210);
  message(t, 1, 5, 199, 220, 221);
  message(t, 2, 6, 180, 230, 231); // where the last tenth begins
  CHECK(found(t).empty());
  message(t, 3, 7, 179, 240, 241);
  CHECK(found(t) == Lines{"0 by 7 sent 179 waited for 240"});
}

TEST_CASE("Messages of one call, of another thread, of an earlier wait, or not waited for: nothing") {
  Trial t = messages_trial();
  message(t, 0, 4, 200, 100, 210);
  message(t, 1, 5, 50, 100, 210);    // the same MPI_Waitall
  message(t, 2, 6, 10, 220, 230, 1); // another thread
  message(t, 3, 7, 20, 90, 95);      // earlier
  message(t, 4, 8, 300, 310, 320);   // there already
  message(t, 5, 9, 290, 330, 340);   // sent before 4, for which nobody waited
  CHECK(found(t).empty());
}

TEST_CASE("It finds what comparing all messages finds") {
  Trial t = messages_trial();
  std::mt19937 random(3);
  const auto number = [&](int below) { return static_cast<int>(random() % static_cast<unsigned>(below)); };
  struct Message {
    int source, sent, begin, end, thread;
  };
  std::vector<Message> all;
  for (int i = 0; i < 600; ++i) {
    const int begin = 10 * number(400); // some share their call
    all.push_back({i, begin - 300 + number(500), begin, begin + 250, number(3)});
    message(t, i, i, all.back().sent, begin, all.back().end, all.back().thread);
  }
  Lines expected;
  for (int i = 0; i < 600; ++i) {
    const Message& e = all[static_cast<std::size_t>(i)];
    const int wait = std::min(e.sent, e.end) - e.begin;
    if (wait <= 0) continue;
    int nearest = 1 << 30;
    for (const Message& m : all)
      if (m.thread == e.thread && m.begin > e.begin && m.sent < e.begin + wait - wait / 10)
        nearest = std::min(nearest, m.begin);
    if (nearest < 1 << 30) expected.push_back(std::to_string(i) + " waited for " + std::to_string(nearest));
  }
  Lines lines;
  for (const std::string& line : found(t))
    lines.push_back(line.substr(0, line.find(' ')) + line.substr(line.find(" waited")));
  CHECK(lines.size() > 50);
  CHECK(lines == expected);
}
