// Runtimes: finds which OpenMP library of this process a call was meant for. There may be several (Python packages
// bring their own, opened with RTLD_LOCAL), and as libandes.so is preloaded, the calls of all modules arrive here.
// So the real functions are kept per calling module.
//
// Invariants: the monitor holds no lock while it asks the loader; an entry is written once and the count last,
// so that readers need no lock; unloaded modules are forgotten and their entries are not used again.
#pragma once
#include <cstdint>

namespace andes::monitor {

enum Gomp : std::uint32_t {
#define GOMP(name) of_##name,
#include "monitor/openmp/gomp_functions.def"
#undef GOMP
  gomp_functions
};

/// The function that `caller` would have called without us; null: there is none.
struct RealFunction {
  void* address;
  bool measured; // by gomp.cc: the runtime is a libgomp. Other runtimes have an interface for tools, or
                 // cannot be measured
};
RealFunction real_function(Gomp function, std::uintptr_t caller);

/// To be called after a dlclose.
void forget_unloaded_runtimes();

} // namespace andes::monitor
