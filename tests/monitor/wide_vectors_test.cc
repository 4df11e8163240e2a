// Registers that neither probes nor their stubs keep, around what is called in the monitor.
#include <catch2/catch.hpp>

#include <vector>

#include "monitor/entries/wide_vectors.h"

#ifdef ANDES_ASSEMBLER
using namespace andes::monitor;

namespace {

volatile long double third = 3;
long double sum;

// Needs six x87 registers or so.
[[gnu::noinline]] void compute(std::uint64_t) {
  const long double a = third, b = a + 1, c = b + 1, d = c + 1, e = d + 1;
  sum = (a * b + c * d) * (b * c + d * e) + (a * c + b * e) * (c * e + a * d);
}

[[gnu::noinline, gnu::used]] void call_it() { keeping_registers(compute); }

/// Calls call_it() with that many x87 registers filled; what they hold after it, the last one first.
std::vector<long double> around_call(int full) {
  std::vector<long double> values(16);
  for (int i = 0; i < 8; ++i) values[std::size_t(i)] = i + 1;
  long double* at = values.data();
  int fill = full, take = full;
  asm volatile("lea -128(%%rsp), %%rsp\n\tmov %%rsp, %%rbx\n\tand $-16, %%rsp\n"
               "1:\tdec %[fill]\n\tjs 2f\n\tfldt (%[at])\n\tadd $16, %[at]\n\tjmp 1b\n"
               "2:\tcall *%[function]\n"
               "3:\tdec %[take]\n\tjs 4f\n\tfstpt (%[at])\n\tadd $16, %[at]\n\tjmp 3b\n"
               "4:\tmov %%rbx, %%rsp\n\tlea 128(%%rsp), %%rsp"
               : [fill] "+&a"(fill), [take] "+&r"(take), [at] "+&r"(at)
               : [function] "c"(&call_it)
               : "cc", "memory", "rbx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "st", "st(1)", "st(2)", "st(3)",
                 "st(4)", "st(5)", "st(6)", "st(7)", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7",
                 "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");
  return {values.begin() + full, values.begin() + 2 * full};
}

} // namespace

TEST_CASE("x87 registers are empty for what is called, and as before after it") {
  compute(0);
  const long double expected = sum;
  for (const int full : {0, 1, 4, 7, 8}) {
    sum = 0;
    std::vector<long double> found = around_call(full);
    CHECK(sum == expected);
    std::vector<long double> as_before;
    for (int i = full; i > 0; --i) as_before.push_back(i);
    CHECK(found == as_before);
  }
}

TEST_CASE("a pending exception of x87 stays pending") {
  const std::uint16_t all_trap = 0x0340, none_trap = 0x037f;
  std::uint16_t before = 0, after = 0;
  asm volatile("fldz\n\tfldcw %[trap]\n\tfldz\n\tfdivrp\n\tfnstsw %[before]"
               : [before] "=m"(before)
               : [trap] "m"(all_trap)
               : "st", "st(1)");
  keeping_registers(compute);
  asm volatile("fnstsw %[after]\n\tfnclex\n\tfldcw %[none]\n\tfstp %%st(0)"
               : [after] "=m"(after)
               : [none] "m"(none_trap));
  CHECK((before & 0x80) != 0);
  CHECK(after == before);
}
#endif
