// Memory of what is known about calls (hidden_frames.h). What is found with it, the tests of windows show.
#include "monitor/core/hidden_frames.h"

#include "tests/monitor/thread.h"

using namespace andes::monitor;
using namespace andes::test;

TEST_CASE("calls take their memory from the budget as they become known, and none of it where it has ended") {
  constexpr std::int64_t step_bytes = 4096;
  Thread thread({}, 1 << 20);
  thread.location.governor.budget = 0.01;
  thread.location.governor.may_close = true;
  const auto learn = [&](std::uintptr_t from, std::uintptr_t to) {
    for (std::uintptr_t call = from; call < to; ++call)
      learn_call_site(thread.location, {region_f, ANDES_KIND_FUNCTION, 0x1000, 0x400000 + 16 * call});
  };
  // 16 bytes each; those of two steps are part of the least memory of a tree.
  learn(0, 512);
  CHECK(thread.memory.left_bytes == 1 << 20);
  learn(0, 512); // known already
  CHECK(thread.memory.left_bytes == 1 << 20);
  learn(512, 513);
  CHECK(thread.memory.left_bytes == (1 << 20) - step_bytes);
  learn(513, 768);
  CHECK(thread.memory.left_bytes == (1 << 20) - step_bytes);
  thread.memory.left_bytes = step_bytes + 1;
  learn(768, 1024);
  CHECK(thread.memory.left_bytes == 1);
  learn(1024, 4096);
  CHECK(thread.memory.left_bytes == 1);
}
