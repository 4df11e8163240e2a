// Frames on the stack: the callers of a function, as the C library finds them too, and rules of made-up frames.
#include "monitor/system/frames.h"

#include <catch2/catch.hpp>
#include <execinfo.h>

#include <vector>

#include "monitor/system/functions.h"
#include "monitor/system/return_address.h"

using namespace andes::monitor;

#if defined(__x86_64__) || defined(__aarch64__)
namespace {

using Begin = FrameRule::Begin;
using Base = FrameRule::Base;

std::vector<std::uintptr_t> callers, expected;

[[gnu::noinline]] void note_callers() {
  const auto* own = static_cast<const std::uintptr_t*>(__builtin_frame_address(0));
  void* all[64];
  const int count = backtrace(all, 64);
  expected.clear();
  // From this function's caller on: before it may stand a sanitizer's form of backtrace(), too.
  int first = 0;
  while (first < count && reinterpret_cast<std::uintptr_t>(all[first]) != unsigned_address(own[1])) ++first;
  for (int i = first; i < count; ++i) expected.push_back(reinterpret_cast<std::uintptr_t>(all[i]));
  callers.clear();
  Frame frame = {unsigned_address(own[1]), reinterpret_cast<std::uintptr_t>(__builtin_dwarf_cfa()), own[0]};
  do callers.push_back(frame.address);
  while (step_out(frame, frame_rule(frame.address), UINTPTR_MAX));
  CHECK(frame_rule(frame.address).is_last);
}
[[gnu::noinline]] void with_base(int bytes) {
  volatile char* const room = static_cast<volatile char*>(__builtin_alloca(static_cast<std::size_t>(bytes)));
  room[0] = 1;
  note_callers();
  __asm__ volatile("" : : "m"(*room));
}
[[gnu::noinline]] void with_large_frame(int bytes) {
  volatile char room[100'000];
  room[0] = 1;
  with_base(bytes);
  __asm__ volatile("" : : "m"(room));
}

bool has_tables() {
  if (function_at(reinterpret_cast<std::uintptr_t>(note_callers)) != 0) return true;
  WARN("the C library does not tell where functions begin");
  return false;
}

} // namespace

TEST_CASE("the callers of a function are those that the C library finds") {
  if (!has_tables()) return;
  with_base(100);
  CHECK(callers == expected);
  with_large_frame(1000);
  CHECK(callers == expected);
}

TEST_CASE("a step leads up the stack, and not above its limit") {
  const std::uintptr_t words[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  const auto at = [&](int word) { return reinterpret_cast<std::uintptr_t>(words + word); };
  FrameRule rule = {.size = 24, .returns = -8, .base_at = -16, .begin = Begin::stack_pointer, .base = Base::kept};
  Frame frame = {100, at(0), 200};
  CHECK_FALSE(step_out(frame, rule, at(2)));
  CHECK(frame.address == 100);
  REQUIRE(step_out(frame, rule, at(3)));
  CHECK(frame.address == 2);
  CHECK(frame.stack == at(3));
  CHECK(frame.base == 1);

  rule.begin = Begin::base_pointer;
  CHECK_FALSE(step_out(frame, rule, at(8))); // a base pointer that points elsewhere
  frame.base = 0;
  CHECK_FALSE(step_out(frame, rule, at(8)));
  frame.base = at(4);
  rule.base = Base::lost;
  REQUIRE(step_out(frame, rule, at(8)));
  CHECK(frame.address == 6);
  CHECK(frame.base == 0);
}
#endif

#if defined(__x86_64__)
/// A function at whose second byte an instruction of call frame information is in force.
#define MADE_UP(name, instruction)                                                                                     \
  extern "C" void andes_test_##name();                                                                                 \
  __asm__(".pushsection .text\n.type andes_test_" #name ", @function\n"                                                \
          "andes_test_" #name ":\n.cfi_startproc\nnop\n" instruction "\nnop\nnop\n.cfi_endproc\n"                      \
          ".size andes_test_" #name ", .-andes_test_" #name "\n.popsection\n");
MADE_UP(plain, ".cfi_def_cfa_offset 32")
MADE_UP(base, ".cfi_def_cfa_offset 16\n.cfi_offset %rbp, -16\n.cfi_def_cfa_register %rbp")
MADE_UP(restored, ".cfi_offset %rbp, -16\n.cfi_remember_state\n.cfi_offset %rbp, -24\n.cfi_restore_state")
MADE_UP(put_back, ".cfi_offset %rbp, -16\n.cfi_restore %rbp")
MADE_UP(moved, ".cfi_register %rbp, %rax")
MADE_UP(far_return, ".cfi_def_cfa_offset 144\n.cfi_offset %rip, -136")
MADE_UP(expression, ".cfi_escape 0x0f, 2, 0x77, 16")
MADE_UP(by_rax, ".cfi_def_cfa %rax, 16")
MADE_UP(no_return, ".cfi_register %rip, %r11")
MADE_UP(last, ".cfi_undefined %rip")
MADE_UP(goes_on, ".cfi_undefined %rip\n.cfi_offset %rip, -8")
MADE_UP(returns_back, ".cfi_undefined %rip\n.cfi_restore %rip")
MADE_UP(same_return, ".cfi_same_value %rip")
MADE_UP(signal, ".cfi_signal_frame")
#define RULE(name) frame_rule(reinterpret_cast<std::uintptr_t>(andes_test_##name) + 2)

TEST_CASE("the rule of a frame is that of the instruction before the address") {
  if (!has_tables()) return;
  CHECK(frame_rule(reinterpret_cast<std::uintptr_t>(andes_test_plain) + 1) ==
        FrameRule{.size = 8, .returns = -8, .begin = Begin::stack_pointer});
  CHECK(RULE(plain) == FrameRule{.size = 32, .returns = -8, .begin = Begin::stack_pointer});
  CHECK(RULE(base) ==
        FrameRule{.size = 16, .returns = -8, .base_at = -16, .begin = Begin::base_pointer, .base = Base::kept});
  CHECK(RULE(restored).base_at == -16);
  CHECK(RULE(put_back).base == Base::unchanged);
  CHECK(RULE(moved).base == Base::lost);
  CHECK(RULE(far_return).returns == -136);
  CHECK(RULE(last).is_last);
  CHECK_FALSE(RULE(goes_on).is_last);
  CHECK_FALSE(RULE(returns_back).is_last);
}

TEST_CASE("a frame that is not described by the two pointers alone is not known") {
  if (!has_tables()) return;
  CHECK(RULE(expression).begin == Begin::unknown);
  CHECK(RULE(by_rax).begin == Begin::unknown);
  CHECK(RULE(no_return).begin == Begin::unknown);
  CHECK(RULE(same_return).begin == Begin::unknown);
  CHECK(RULE(signal).begin == Begin::unknown);
  int local = 0;
  CHECK(frame_rule(reinterpret_cast<std::uintptr_t>(&local)) == FrameRule{});
}
#endif
