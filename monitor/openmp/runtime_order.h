// Runtime order: tells thread sanitizer about the OpenMP runtime's own synchronisation, since it knows only that of
// the C library. Work of a thread before runtime_tells(x) happens before work of another thread after
// runtime_told(x). In other builds these functions do nothing.
#pragma once

#if defined(__SANITIZE_THREAD__)
extern "C" void __tsan_acquire(void* thing);
extern "C" void __tsan_release(void* thing);
#endif

namespace andes::monitor {

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

} // namespace andes::monitor
