// The callers of sampled code, among addresses that calls before have left on the stack.
#include "monitor/system/sampled_callers.h"

#include <catch2/catch.hpp>
#include <execinfo.h>

#include <vector>

#include "monitor/system/functions.h"
#include "monitor/system/return_address.h"

using namespace andes::monitor;

#if defined(__x86_64__) || defined(__aarch64__)
namespace {

std::uintptr_t left; // behind a call that has returned
CounterSample sample;
std::vector<std::uintptr_t> expected;

[[gnu::noinline]] void leave_address() {
  left = unsigned_address(reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)));
}
[[gnu::noinline]] void call_before() {
  void (*volatile const by_address)() = leave_address; // no tool can tell whom this has called
  by_address();
  __asm__ volatile("");
}

/// A sample of the caller, where it goes on.
[[gnu::noinline, gnu::no_sanitize("address")]] void take_sample() {
  const auto* own = static_cast<const std::uintptr_t*>(__builtin_frame_address(0));
  const auto* stack = static_cast<const std::uintptr_t*>(__builtin_dwarf_cfa());
  sample = {.counter = unsigned_address(own[1]),
            .base_pointer = own[0],
            .stack_pointer = reinterpret_cast<std::uintptr_t>(stack),
            .words = 64,
            .stack = {}};
  for (std::uint32_t i = 0; i < sample.words; ++i) sample.stack[i] = stack[i];
  void* all[64];
  const int count = backtrace(all, 64);
  int first = 0;
  while (first < count && reinterpret_cast<std::uintptr_t>(all[first]) != sample.counter) ++first;
  expected.clear();
  for (int i = first + 1; i < count; ++i) expected.push_back(reinterpret_cast<std::uintptr_t>(all[i]));
}

/// Has room for so many words on the stack, of which each is the address that was left.
[[gnu::noinline]] void among_left_addresses(std::size_t words) {
  auto* const room = static_cast<volatile std::uintptr_t*>(__builtin_alloca(words * sizeof left));
  for (std::size_t i = 0; i < words; ++i) room[i] = left;
  take_sample();
  __asm__ volatile("" : : "m"(*room));
}

} // namespace

TEST_CASE("a sample's callers are those whose calls go on, not what lies between on the stack") {
  call_before();
  if (function_at(left) == 0) {
    WARN("the C library does not tell where functions begin");
    return;
  }
  among_left_addresses(20);
  REQUIRE_FALSE(expected.empty());
  SampledCallers callers(sample);
  CHECK(callers.next() == expected[0]);

  sample.base_pointer = 0; // by which that frame is to be found
  SampledCallers searched(sample);
  std::uintptr_t found = searched.next();
  while (found != 0 && found != left) found = searched.next();
  CHECK(found == left);
}

TEST_CASE("a sample's callers end where the copy of the stack does") {
  call_before();
  among_left_addresses(100); // which all of the copy has
  CHECK(SampledCallers(sample).next() == 0);
}
#endif
