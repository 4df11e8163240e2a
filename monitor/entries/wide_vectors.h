// What vector registers hold beyond 128 bits is the program's while a probe is in the monitor (probe.h; decision 166).
// Code without AVX leaves it alone, and the monitor is compiled so; functions of libraries that the monitor calls do
// not.
#pragma once
#include <cstdint>

#include "monitor/interface/probe.h"

#if defined(ANDES_ASSEMBLER) && defined(__AVX__)
#error "the monitor is to be compiled without AVX: what probes do not save would be lost"
#endif

namespace andes::monitor {

#ifdef ANDES_ASSEMBLER
inline constexpr unsigned wide_vectors_unknown = ~0U;
inline unsigned wide_vectors = wide_vectors_unknown; ///< what andes_find_wide_vectors() says

template <class Function>
[[gnu::noinline, gnu::cold]] auto with_wide_vectors_stored(Function& function, unsigned components) {
  struct Stored {
    andes_wide_vectors area;
    unsigned components;
    explicit Stored(unsigned those) : components(those) { ANDES_KEEP_WIDE_VECTORS(area, components); }
    Stored(const Stored&) = delete;
    Stored& operator=(const Stored&) = delete;
    ~Stored() { ANDES_PUT_BACK_WIDE_VECTORS(area, components); }
  } const stored(components);
  return function();
}

/// What `function` returns; after it the wide parts of vector registers are as before.
template <class Function>
[[gnu::always_inline]] inline auto keeping_wide_vectors(Function function) {
  unsigned components = __atomic_load_n(&wide_vectors, __ATOMIC_RELAXED);
  if (components == wide_vectors_unknown) {
    components = andes_find_wide_vectors();
    __atomic_store_n(&wide_vectors, components, __ATOMIC_RELAXED);
  }
  if (components == 0) return function();
  std::uint32_t in_use = components, upper = 0;
  if (components & 1U << 31) asm volatile("xgetbv" : "=a"(in_use), "=d"(upper) : "c"(1));
  if (in_use & components) return with_wide_vectors_stored(function, components);
  struct Cleared {
    ~Cleared() { asm volatile("vzeroupper" ::: "memory"); } // as they were
  } const cleared;
  return function();
}
#else
template <class Function>
[[gnu::always_inline]] inline auto keeping_wide_vectors(Function function) {
  return function();
}
#endif

} // namespace andes::monitor
