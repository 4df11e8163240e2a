// The table of open requests by itself: against a multiset of the C++ library over many random
// operations, at its bound, and with handles that fall into one place of the hash.
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
#include <cstdarg>
#include <map>
#include <random>

#include "monitor/mpi/requests.h"
#include "monitor/mpi/scratch.h"

namespace {
int said; // messages of the table
}

// What the table needs of the monitor.
extern "C" void andes_say_once(int, const char*, ...) { said++; }
extern "C" std::uint32_t andes_traffic_new(andes_location_data*, andes_node*) { return 0; }
extern "C" bool andes_peers_new(andes_location_data*) { return false; }
namespace andes::mpi {
bool threads = true;
int translate(MPI_Comm, int rank) { return rank; }
} // namespace andes::mpi

using namespace andes::mpi;

namespace {
// A handle out of a number: a pointer or an integer, as the MPI library has it. Never null.
MPI_Request handle(std::uintptr_t number) { return (MPI_Request)(0x10000 + 16 * number); }
} // namespace

TEST_CASE("a table of requests agrees with a multimap over random operations") {
  std::mt19937 random(4711);
  std::multimap<std::uintptr_t, Kept> model;
  for (int i = 0; i < 200000; i++) {
    const std::uintptr_t number = random() % 700;
    const unsigned choice = random() % 5;
    if (choice < 2 && model.count(number) < 3) {
      const Kept kept = number % 2 ? Kept::receive : Kept::persistent_receive;
      keep({handle(number), kept, -1, {}});
      model.emplace(number, kept);
    } else if (choice < 4) {
      drop_request(handle(number));
      if (auto entry = model.find(number); entry != model.end()) model.erase(entry);
    }
    const std::uintptr_t asked = random() % 700;
    const auto expected = model.find(asked);
    const Kept found = find_request(handle(asked)).kept;
    if (found != (expected == model.end() ? Kept::none : expected->second))
      FAIL("differs at " << i);
    if (request_count != model.size()) FAIL("counts differ at " << i);
  }
  forget_requests();
  CHECK(request_count == 0);
  CHECK(find_request(handle(1)).kept == Kept::none);
}

TEST_CASE("a persistent send keeps what each start sends") {
  keep({handle(5), Kept::persistent_send, 3, {800, 0}});
  const Entry entry = find_request(handle(5));
  CHECK(entry.kept == Kept::persistent_send);
  CHECK(entry.world == 3);
  CHECK(entry.flow.sent == 800);
  forget_requests();
}

TEST_CASE("the null request and requests with nobody are not kept") {
  keep({MPI_REQUEST_NULL, Kept::receive, -1, {}});
  pending_receive(handle(1), MPI_PROC_NULL);
  persistent_receive(handle(2), MPI_PROC_NULL);
  CHECK_FALSE(requests_kept());
}

TEST_CASE("the table is bounded and says when it is full") {
  said = 0;
  for (std::uint32_t i = 0; i < request_limit + 10; i++) keep({handle(i), Kept::receive, -1, {}});
  CHECK(request_count == request_limit);
  CHECK(said == 10); // "once" is the monitor's part
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
