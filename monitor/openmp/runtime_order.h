// What the runtime of OpenMP orders by means of its own, said to thread sanitizer, which knows those of the C library
// alone: what a thread did before it told of a thing comes before what another does after it has heard of that thing.
// In other builds there is nothing here.
#pragma once

#if defined(__SANITIZE_THREAD__)
extern "C" void __tsan_acquire(void* thing);
extern "C" void __tsan_release(void* thing);
#endif

namespace andes {

inline void runtime_tells([[maybe_unused]] const void* thing) {
#if defined(__SANITIZE_THREAD__)
  if (thing) __tsan_release(const_cast<void*>(thing));
#endif
}

inline void runtime_told([[maybe_unused]] const void* thing) {
#if defined(__SANITIZE_THREAD__)
  if (thing) __tsan_acquire(const_cast<void*>(thing));
#endif
}

} // namespace andes
