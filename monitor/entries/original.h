// Original: a function of the C library in whose place one of andes stands.
#pragma once
#include <dlfcn.h>

namespace andes::monitor {

struct Original {
  const char* name;
  void* function; // of the library behind this one; looked up before main, or at the first call
};

/// The function; null: no library has it. `version` of the symbol, where older forms have another layout of data; null:
/// there is one form.
inline void* look_up(Original& original, const char* version = nullptr) {
  void* function = __atomic_load_n(&original.function, __ATOMIC_RELAXED);
  if (function) return function;
  if (version) function = dlvsym(RTLD_NEXT, original.name, version);
  if (!function) function = dlsym(RTLD_NEXT, original.name);
  __atomic_store_n(&original.function, function, __ATOMIC_RELAXED);
  return function;
}

} // namespace andes::monitor
