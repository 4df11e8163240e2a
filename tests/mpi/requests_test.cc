// The table of open requests by itself: against lists of the C++ library over many random
// operations, at its bound, and with handles that fall into one place of the hash.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <random>

#include "fake_monitor.h"
#include "monitor/core/partitioned_tag.h"
#include "monitor/mpi/completion.h"
#include "monitor/mpi/request_looks.h"
#include "monitor/mpi/scratch.h"

using namespace andes::monitor;
using namespace andes::monitor::mpi;
using andes::monitor::EventKind;

namespace {

// A handle out of a number: a pointer or an integer, as the MPI library has it. Never null.
MPI_Request handle(std::uintptr_t number) { return (MPI_Request)(0x10000 + 16 * number); }

void keep_numbered(std::uintptr_t number, std::uint32_t operation) {
  keep_ticket(handle(number), Kept::receive, {0, {1, operation}});
}

} // namespace

TEST_CASE("a table of requests agrees with lists over random operations, the newest first") {
  for (const bool many : {false, true}) {
    fake::begin();
    threads = many;
    std::mt19937 random(4711);
    std::map<std::uintptr_t, std::vector<std::uint32_t>> model;
    std::uint32_t size = 0;
    for (std::uint32_t i = 0; i < 200000; i++) {
      const std::uintptr_t number = random() % 700;
      const unsigned choice = random() % 5;
      auto& list = model[number];
      if (choice < 2 && list.size() < 3) {
        keep_numbered(number, i);
        list.push_back(i);
        size++;
      } else if (choice < 3) {
        const Entry taken = take_request(handle(number));
        if ((taken.kept != Kept::none) != !list.empty()) FAIL("differs at " << i);
        if (!list.empty()) {
          if (taken.ticket.place.number != list.back()) FAIL("another one at " << i);
          list.pop_back();
          size--;
        }
      } else if (choice < 4 && !list.empty()) { // a certain one, not the newest
        Entry entry = find_request(handle(number));
        entry.ticket.place.number = list.front();
        drop_request(entry);
        list.erase(list.begin());
        size--;
      }
      const std::uintptr_t asked = random() % 700;
      const Entry found = find_request(handle(asked));
      if ((found.kept != Kept::none) != !model[asked].empty()) FAIL("differs at " << i);
      if (found.kept != Kept::none && found.ticket.place.number != model[asked].back()) FAIL("another one at " << i);
      if (request_count != size) FAIL("counts differ at " << i);
    }
    forget_requests();
    CHECK(request_count == 0);
    CHECK(find_request(handle(1)).kept == Kept::none);
  }
}

TEST_CASE("of a call that failed, what has become null is gone and what is pending stays") {
  for (const bool many : {false, true}) {
    fake::begin();
    threads = many;
    for (int call = 0; call < 4; call++) {
      MPI_Request requests[3] = {handle(1), handle(2), handle(3)};
      MPI_Status statuses[3], *given = statuses;
      for (MPI_Status& status : statuses) status.MPI_ERROR = MPI_ERR_PENDING;
      statuses[1].MPI_ERROR = MPI_ERR_TRUNCATE;
      int index = 0, flag = 1, indices[3];
      for (std::uintptr_t i = 1; i <= 3; i++) keep_numbered(i, (std::uint32_t)i);
      const auto fail = [&](auto&& complete) {
        requests[1] = MPI_REQUEST_NULL;
        complete.done({}, MPI_ERR_IN_STATUS);
      };
      if (call == 0) fail(WaitAll(3, requests, given));
      if (call == 1) fail(TestAll(3, requests, given, &flag));
      if (call == 2) fail(CompleteAny(3, requests, &index, given));
      if (call == 3) fail(CompleteSome(3, requests, &index, indices, given));
      CHECK(request_count == 2);
      CHECK(take_request(handle(1)).ticket.place.number == 1);
      CHECK(take_request(handle(2)).kept == Kept::none);
      CHECK(take_request(handle(3)).ticket.place.number == 3);
    }
    forget_requests();
  }
}

TEST_CASE("of a call that failed with an error in a status, what the others say has succeeded counts") {
  // Of four receives the first has succeeded, the second has failed, the third is pending, and the last, in some cases a
  // persistent one, has failed.
  count_offset = offsetof(MPI_Status, MPI_TAG); // empty messages: MPI, which is not initialised, is not asked
  for (const bool many : {false, true})
    for (const bool persistent : {false, true})
      for (int call = 0; call < 3; call++) {
        fake::begin();
        fake::Thread thread(0);
        REQUIRE(comm_of(MPI_COMM_WORLD));
        threads = many;
        MPI_Request requests[4] = {handle(1), handle(2), handle(3), handle(4)};
        for (int i = 0; i < 3; i++)
          receive_started(thread.call(10u + 10u * (unsigned)i, 11u + 10u * (unsigned)i), requests[i], i + 1, 0,
                          MPI_COMM_WORLD);
        if (persistent) {
          receive_made({}, requests[3], 4, 0, MPI_COMM_WORLD);
          started(thread.call(50, 51), requests[3]);
        } else {
          receive_started(thread.call(50, 51), requests[3], 4, 0, MPI_COMM_WORLD);
        }
        MPI_Status* statuses = MPI_STATUSES_IGNORE;
        int flag = 1, done = 3, indices[] = {0, 1, 3};
        const auto fail = [&](auto&& complete, const std::vector<int>& told) { // by each status
          const int errors[] = {MPI_SUCCESS, MPI_ERR_TRUNCATE, MPI_ERR_PENDING, MPI_ERR_TRUNCATE};
          for (std::size_t i = 0; i < told.size(); i++) {
            statuses[i] = fake::status(told[i] + 1, 0);
            statuses[i].MPI_ERROR = errors[told[i]];
          }
          requests[0] = requests[1] = MPI_REQUEST_NULL;
          if (!persistent) requests[3] = MPI_REQUEST_NULL;
          complete.done(thread.call(100, 200), MPI_ERR_IN_STATUS);
        };
        if (call == 0) fail(WaitAll(4, requests, statuses), {0, 1, 2, 3});
        if (call == 1) fail(TestAll(4, requests, statuses, &flag), {0, 1, 2, 3});
        if (call == 2) fail(CompleteSome(4, requests, &done, indices, statuses), {0, 1, 3});
        CHECK(thread.traffic[1].messages_received == 1);
        const auto completions = fake::records(thread, EventKind::receive_completion);
        REQUIRE_FALSE(completions.empty());
        CHECK(completions[0].peer == 1);
        for (const fake::Numbered& one : completions) CHECK(one.peer != 3);
        CHECK(take_request(handle(1)).kept == Kept::none);
        CHECK(take_request(handle(2)).kept == Kept::none);
        CHECK(take_request(handle(3)).kept == Kept::receive);
        const Entry last = withdraw_request(handle(4));
        CHECK(last.kept == (persistent ? Kept::persistent : Kept::none));
        if (persistent) CHECK_FALSE(last.persistent->active);
        if (persistent) free(last.persistent);
        forget_requests();
      }
  count_offset = -1;
}

TEST_CASE("loops that look at the status of several requests complete them") {
  // Three receives, the second of which is not complete.
  for (const int call : {0, 1, 2}) {
    fake::begin();
    fake::Thread thread(0);
    Comm* const world = comm_of(MPI_COMM_WORLD);
    MPI_Request requests[] = {handle(1), handle(2), handle(3)};
    for (int i = 0; i < 3; i++)
      receive_started(thread.call(10u + 10u * (unsigned)i, 11u + 10u * (unsigned)i), requests[i], i + 1, 0,
                      MPI_COMM_WORLD);
    CHECK(world);
    polling = {};
    polling.waited = true;
    const Visit loop = thread.call(100, 200);
    MPI_Status *ignored = MPI_STATUSES_IGNORE, *one = MPI_STATUS_IGNORE;
    int flag = 1, index = 2, indices[] = {0, 2}, count = 2;
    std::vector<int> complete;
    const auto look = [&](auto&& poll, MPI_Status*& statuses) { // which the poll has replaced
      CHECK_FALSE(poll.missed());
      CHECK(poll.found());
      for (std::size_t i = 0; i < complete.size(); i++) statuses[i] = fake::status(complete[i] + 1, 0);
      poll.done(loop, MPI_SUCCESS);
    };
    if (call == 0) complete = {2}, look(StatusOfAny(3, requests, &index, &flag, one), one);
    if (call == 1) complete = {0, 1, 2}, look(StatusOfAll(3, requests, &flag, ignored), ignored);
    if (call == 2) complete = {0, 2}, look(StatusOfSome(3, requests, &count, indices, ignored), ignored);
    const auto completions = [&] { return fake::records(thread, EventKind::receive_completion); };
    REQUIRE(completions().size() == complete.size());
    for (std::size_t i = 0; i < complete.size(); i++) {
      CHECK(completions()[i].enter_ticks == 100);
      CHECK(completions()[i].peer == complete[i] + 1);
    }
    for (int i = 0; i < 3; i++) { // what MPI_Wait finds
      const bool is_complete = std::find(complete.begin(), complete.end(), i) != complete.end();
      CHECK((take_request(handle((std::uintptr_t)i + 1)).ticket.place.channel == 0) == is_complete);
    }
    flag = count = 0;
    CHECK(StatusOfAny(3, requests, &index, &flag, one).missed());
    CHECK(StatusOfSome(3, requests, &count, indices, ignored).missed());
    forget_requests();
  }
}

TEST_CASE("loops over MPI_Parrived are logged under the number of their receive while that is open") {
  fake::begin();
  fake::Thread thread(0);
  MPI_Request request = handle(1);
  int flag = 0;
  const auto poll = [&](std::uint64_t begin_ticks, std::uint64_t end_ticks) {
    polling = {};
    polling.begin_ticks = begin_ticks; // of polls in vain
    PartArrived one(request, &flag);
    CHECK(one.missed() == !flag);
    if (!one.found()) return;
    polling.waited = true;
    one.done(thread.call(begin_ticks, end_ticks), MPI_SUCCESS);
  };
  partitioned_receive(request, 3, 7, MPI_COMM_WORLD);
  const std::int32_t tag = partitioned_tag(7, 0);
  started(thread.call(10, 20), request);
  complete_receive(thread.call(30, 40), find_request(request).persistent->ticket, nullptr);
  started(thread.call(50, 60), request);
  poll(100, 200); // in vain
  flag = 1;
  poll(0, 200); // found at once
  poll(300, 400);
  poll(500, 600);
  CHECK(fake::records(thread, EventKind::probe) == std::vector<fake::Numbered>{{300, 1, 3, tag}, {500, 1, 3, tag}});
  find_request(request).persistent->active = false;
  poll(700, 800);
  CHECK(fake::records(thread, EventKind::probe).size() == 2);
  forget_requests();
}

TEST_CASE("a persistent send keeps what each start sends, until it is freed") {
  fake::begin();
  send_made({}, handle(5), 100, MPI_DOUBLE, 3, 7, MPI_COMM_WORLD);
  const Entry entry = take_request(handle(5));
  REQUIRE(entry.kept == Kept::persistent);
  CHECK(entry.persistent->peer == 3);
  CHECK(entry.persistent->tag == 7);
  CHECK(entry.persistent->flow.sent == 800);
  CHECK(request_count == 1);
}

TEST_CASE("where rules want it, the making of persistent requests is logged, and at each start which it is") {
  fake::begin();
  fake::tables.logged_calls = andes::monitor::init_receive;
  fake::Thread thread(0);
  receive_made(thread.call(10, 20), handle(1), MPI_ANY_SOURCE, 7, MPI_COMM_WORLD);
  receive_made(thread.call(30, 40), handle(2), 3, 7, MPI_COMM_WORLD);
  send_made(thread.call(50, 60), handle(3), 1, MPI_INT, 3, 7, MPI_COMM_WORLD); // nobody wants it
  CHECK(fake::records(thread, EventKind::request_init) == std::vector<fake::Numbered>{{10, 1, -1, 7}, {30, 2, 3, 7}});
  started(thread.call(70, 80), handle(1));
  started(thread.call(90, 100), handle(2)); // has no number before the first knows its source
  started(thread.call(110, 120), handle(3));
  CHECK(fake::records(thread, EventKind::request).empty());
  const MPI_Status status = fake::status(3, 7);
  complete_receive(thread.call(130, 140), find_request(handle(1)).persistent->ticket, &status);
  CHECK(fake::records(thread, EventKind::request) == std::vector<fake::Numbered>{{70, 0, 3, 7}, {90, 1, 3, 7}});
  std::vector<std::uint64_t> requests;
  for (std::uint32_t i = 0; i < thread.data.log.count; i++)
    if (thread.data.log.records[i].kind == static_cast<std::uint64_t>(EventKind::request))
      requests.push_back(thread.data.log.records[i].amount());
  CHECK(requests == std::vector<std::uint64_t>{1, 2});
}

TEST_CASE("the null request and requests with nobody are not kept") {
  fake::begin();
  keep_ticket(MPI_REQUEST_NULL, Kept::receive, {});
  receive_started({}, handle(1), MPI_PROC_NULL, 0, MPI_COMM_WORLD);
  receive_made({}, handle(2), MPI_PROC_NULL, 0, MPI_COMM_WORLD);
  CHECK_FALSE(requests_kept());
}

TEST_CASE("the table is bounded and says when it is full") {
  fake::begin();
  fake::said = 0;
  for (std::uint32_t i = 0; i < request_limit + 10; i++) keep_numbered(i, i);
  CHECK(request_count == request_limit);
  CHECK(fake::said == 10); // "once" is the monitor's part
  CHECK(fake::tables.lost == 10);
  CHECK(find_request(handle(request_limit - 1)).kept == Kept::receive);
  CHECK(find_request(handle(request_limit + 1)).kept == Kept::none);
  forget_requests();
}

TEST_CASE("scratch memory of few requests is on the stack, that of many is the same block again") {
  const void* first;
  {
    Scratch<MPI_Request> few(64);
    CHECK((char*)few.get() >= (char*)&few);
    CHECK((char*)few.get() < (char*)(&few + 1));
    Scratch<MPI_Request> many(1000);
    first = many.get();
    REQUIRE(first);
    for (int i = 0; i < 1000; i++) many.get()[i] = handle((std::uintptr_t)i);
  }
  Scratch<double> again(50000);
  CHECK((const void*)again.get() == first);
}

TEST_CASE("calls at once have blocks of their own, of any size") {
  Scratch<double> outer(1000);
  {
    Scratch<double> inner(1000);
    REQUIRE(outer.get());
    REQUIRE(inner.get());
    outer.get()[999] = 1;
    for (int i = 0; i < 1000; i++) inner.get()[i] = 2;
    CHECK(outer.get()[999] == 1);
  }
  Scratch<double> huge((int)(block_bytes / sizeof(double)) + 1); // more than a block holds
  REQUIRE(huge.get());
  CHECK(huge.get() != outer.get());
  huge.get()[block_bytes / sizeof(double)] = 3;
  Scratch<double> next(1000); // the block of `inner`, untouched by the allocated one
  CHECK(outer.get()[999] == 1);
}
