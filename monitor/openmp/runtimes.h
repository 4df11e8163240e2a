// Runtimes: which of the OpenMP libraries in this process a call of ours was meant for. There may be several of
// them (packages of Python bring their own, opened with RTLD_LOCAL), and as libandes.so is preloaded, calls of all
// of their users come here. So the real functions are kept by the module that calls.
//
// Invariants: found without any lock of ours while the loader is asked; what was found is written once and its
// count last, so that readers need no lock; modules that are gone are forgotten, their place is not used again.
#pragma once
#include <cstdint>

namespace andes {

enum Gomp : std::uint32_t {
#define GOMP(name) of_##name,
#include "monitor/openmp/gomp_functions.def"
#undef GOMP
  gomp_functions
};

/// The function that `caller` would have called without us; null: there is none.
struct RealFunction {
  void* address;
  bool measured; // by gomp.cc: a libgomp. Others have an interface for tools, or cannot be measured
};
RealFunction real_function(Gomp function, std::uintptr_t caller);

/// After a dlclose.
void forget_unloaded_runtimes();

} // namespace andes
