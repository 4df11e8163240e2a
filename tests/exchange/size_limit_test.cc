// From which size on messages are held up, by hand.
#include <catch2/catch.hpp>

#include "monitor/exchange/size_limit.h"

using namespace andes::monitor;

namespace {

struct Seen {
  std::uint64_t bytes;
  int held_up, went_on;
};

SizeLimit limit_of(std::initializer_list<Seen> all) {
  SizeLimit limit;
  for (const Seen& of : all) {
    for (int i = 0; i < of.held_up; ++i) limit.add(of.bytes, true);
    for (int i = 0; i < of.went_on; ++i) limit.add(of.bytes, false);
  }
  limit.find();
  return limit;
}

constexpr std::uint64_t kib = 1 << 10, mib = 1 << 20;

} // namespace

TEST_CASE("without a message, and with one that may have been held up by something else, there is no limit") {
  CHECK_FALSE(limit_of({}).holds_up(UINT64_MAX));
  CHECK_FALSE(limit_of({{mib, 1, 0}}).holds_up(UINT64_MAX));
  CHECK_FALSE(limit_of({{mib, 3, 2}}).holds_up(UINT64_MAX)); // one more than went on
}

TEST_CASE("the limit is a power of two") {
  const SizeLimit limit = limit_of({{1000, 2, 0}}); // in the class from 512 to 1,023
  CHECK_FALSE(limit.holds_up(0));
  CHECK_FALSE(limit.holds_up(511));
  CHECK(limit.holds_up(512));
  CHECK(limit.holds_up(UINT64_MAX));
  CHECK(limit_of({{0, 2, 0}}).holds_up(0));
}

TEST_CASE("what is held up at two sizes counts together") {
  CHECK_FALSE(limit_of({{mib, 1, 0}, {kib, 1, 0}}).holds_up(kib - 1));
  CHECK(limit_of({{mib, 1, 0}, {kib, 1, 0}}).holds_up(kib));
}

TEST_CASE("the limit comes down only where that adds two") {
  CHECK_FALSE(limit_of({{mib, 3, 0}, {kib, 1, 0}}).holds_up(mib - 1));
  CHECK(limit_of({{mib, 3, 0}, {kib, 2, 0}}).holds_up(kib));
  // Between the two sizes five went on: 3 - 5 + 6 is one more than 3, 3 - 5 + 7 two.
  CHECK_FALSE(limit_of({{mib, 3, 0}, {32 * kib, 0, 5}, {kib, 6, 0}}).holds_up(kib));
  CHECK(limit_of({{mib, 3, 0}, {32 * kib, 0, 5}, {kib, 7, 0}}).holds_up(kib));
}

TEST_CASE("a size lets go if more messages of it went on than were held up") {
  const SizeLimit limit = limit_of({{mib, 5, 0}, {64 * kib, 1, 2}, {kib, 2, 2}});
  CHECK(limit.lets_go(64 * kib));
  CHECK_FALSE(limit.lets_go(kib)); // as many
  CHECK_FALSE(limit.lets_go(mib));
  CHECK_FALSE(limit.lets_go(7)); // not seen
}
