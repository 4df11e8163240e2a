// Return addresses as they lie on the stack. Where code for AArch64 is compiled with pointer authentication, as some
// distributions' compilers do by default (-mbranch-protection), and the processor has it, a function signs its return
// address before it stores it: the upper bits hold a code. __builtin_return_address() gives the address without it.
#pragma once
#include <cstdint>

namespace andes::monitor {

/// The address that a word of the stack holds, if it is a return address.
[[gnu::always_inline]] inline std::uintptr_t unsigned_address(std::uintptr_t stored) {
#if defined(__aarch64__)
  // xpaclri, which works on x30 alone. Older processors take it for a no-operation, older assemblers know the number.
  register std::uintptr_t address __asm__("x30") = stored;
  __asm__("hint #7" : "+r"(address));
  return address;
#else
  return stored;
#endif
}

} // namespace andes::monitor
