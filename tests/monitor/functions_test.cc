// Functions in memory and samples of them: of this program itself.
#include <catch2/catch.hpp>

#include <unistd.h>

#include <ctime>

#include "monitor/system/counter_samples.h"
#include "monitor/system/functions.h"

using namespace andes::monitor;

namespace {

std::uintptr_t address_of(void (*function)()) { return reinterpret_cast<std::uintptr_t>(function); }

std::uintptr_t returned_to;
[[gnu::noinline]] void note_return() { returned_to = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)); }
[[gnu::noinline]] void calls_directly() {
  note_return();
  __asm__ volatile("");
}
[[gnu::noinline]] void calls_by_pointer() {
  void (*volatile function)() = note_return;
  function();
  __asm__ volatile("");
}

volatile double value = 1;
// With as much on its stack as writing a number takes below Fortran's caller. Thread sanitizer would take most of the time,
// in its own functions.
[[gnu::noinline, gnu::no_sanitize("thread")]] void burn() {
  volatile char room[1500];
  room[0] = 1;
  value = room[0];
  for (int i = 0; i < 1'000'000; ++i) value = value * 1.0000001 + 1e-9;
}

#if defined(__x86_64__) || defined(__aarch64__)
TEST_CASE("a function is found by an address in it") {
  CHECK(function_at(address_of(burn)) == address_of(burn));
  CHECK(function_at(address_of(burn) + 1) == address_of(burn));
  CHECK(function_at(address_of(burn) - 1) != address_of(burn));
  int local = 0;
  CHECK(function_at(reinterpret_cast<std::uintptr_t>(&local)) == 0);
  CHECK(function_at(reinterpret_cast<std::uintptr_t>(&value)) == 0);
  CHECK(function_at(0) == 0);
}

TEST_CASE("a return address stands behind a call") {
  calls_directly();
  CHECK(function_at(returned_to - 1) == address_of(calls_directly));
  CHECK(follows_call(returned_to));
  CHECK(target_of_call(returned_to) == address_of(note_return));
  CHECK(target_of_jump(returned_to) == 0);
  calls_by_pointer();
  CHECK(function_at(returned_to - 1) == address_of(calls_by_pointer));
  CHECK(follows_call(returned_to));
  CHECK(target_of_call(returned_to) == 0);
}

#endif

#ifdef __x86_64__
TEST_CASE("samples are of the function that runs, and of what called it") {
  CounterSamples samples = {};
  if (!start_samples(samples, static_cast<std::int32_t>(gettid()), 100'000)) {
    WARN("the kernel takes no samples here");
    return;
  }
  int all = 0, of_burn = 0, with_caller = 0;
  for (int tries = 0; all < 20 && tries < 5000; ++tries) {
    burn();
    SampleReader reader(samples);
    for (CounterSample sample; reader.next(sample); ++all) {
      if (function_at(sample.counter) != address_of(burn)) continue;
      ++of_burn;
      REQUIRE(sample.words > 0);
      for (std::uint32_t i = 0; i < sample.words; ++i)
        if (function_at(sample.stack[i]) != 0 && follows_call(sample.stack[i]) &&
            target_of_call(sample.stack[i]) == address_of(burn)) {
          ++with_caller;
          break;
        }
    }
  }
  stop_samples(samples);
  CHECK(samples.ring == nullptr);
  CHECK(of_burn > all / 2);
  CHECK(with_caller == of_burn);
}
#endif

TEST_CASE("no sample is of a thread that does not exist") {
  CounterSamples samples = {};
  CHECK_FALSE(start_samples(samples, -5, 1'000'000));
  SampleReader reader(samples);
  CounterSample sample;
  CHECK_FALSE(reader.next(sample));
}

} // namespace
