// What vector registers hold beyond 128 bits, and x87 registers, are the program's while a probe is in the monitor
// (probe.h; decisions 166, 298). Code without AVX and long double leaves them alone, and the monitor is compiled so;
// functions of libraries that the monitor calls do not.
#pragma once
#include <cstdint>

#include "monitor/core/process.h"
#include "monitor/interface/probe.h"

#if defined(ANDES_ASSEMBLER) && defined(__AVX__)
#error "the monitor is to be compiled without AVX: what probes do not save would be lost"
#endif

namespace andes::monitor {

#ifdef ANDES_ASSEMBLER
inline constexpr unsigned wide_vectors_unknown = ~0U;
inline unsigned wide_vectors = wide_vectors_unknown; ///< what andes_find_wide_vectors() says

// Cleared, too, while they are stored: calibrations then find them as in most programs.
template <class Function>
[[gnu::noinline, gnu::cold]] std::uint64_t with_wide_vectors_stored(const Function& function, unsigned components) {
  andes_wide_vectors area ANDES_AS_IT_IS;
  const std::uint64_t begin_ticks = ticks_now(the_process.clock);
  ANDES_KEEP_WIDE_VECTORS(area, components);
  asm volatile("vzeroupper" ::: "memory");
  function(ticks_now(the_process.clock) - begin_ticks);
  const std::uint64_t end_ticks = ticks_now(the_process.clock);
  ANDES_PUT_BACK_WIDE_VECTORS(area, components);
  return ticks_now(the_process.clock) - end_ticks;
}

template <class Function> [[gnu::noinline, gnu::cold]] void with_x87_stored(Function function) {
  andes_x87 area ANDES_AS_IT_IS;
  ANDES_KEEP_X87(area);
  function();
  ANDES_PUT_BACK_X87(area);
}

/// Calls `function` with the ticks that it took to store the wide parts of vector registers, and returns those that it
/// took to load them again: 0 where they were not in use. Keeps x87 registers as well; their time is the visit's.
template <class Function>
[[gnu::always_inline]] inline std::uint64_t keeping_registers(Function function) {
  unsigned components = __atomic_load_n(&wide_vectors, __ATOMIC_RELAXED);
  if (components == wide_vectors_unknown) {
    components = andes_find_wide_vectors();
    __atomic_store_n(&wide_vectors, components, __ATOMIC_RELAXED);
  }
  std::uint32_t in_use = components | ANDES_X87_COMPONENT, upper = 0;
  if (components & ANDES_XGETBV_TELLS) asm volatile("xgetbv" : "=a"(in_use), "=d"(upper) : "c"(1));
  const auto call = [&](std::uint64_t ticks) {
    if ((in_use & ANDES_X87_COMPONENT) == 0 || !andes_is_x87_in_use()) return function(ticks);
    with_x87_stored([&] { function(ticks); });
  };
  if (components == 0) {
    call(0);
    return 0;
  }
  if (in_use & components) return with_wide_vectors_stored(call, components);
  call(0);
  asm volatile("vzeroupper" ::: "memory"); // as they were
  return 0;
}
#else
template <class Function>
[[gnu::always_inline]] inline std::uint64_t keeping_registers(Function function) {
  function(0);
  return 0;
}
#endif

} // namespace andes::monitor
