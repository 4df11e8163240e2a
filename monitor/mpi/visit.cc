// The slow way into a visit of an MPI call: the innermost open frame may be an MPI call itself, and
// then the MPI library calls on its own behalf. Defined once for all wrappers; it takes the place of
// probe.h's definition, which is weak.
#define andes_enter_slow andes_enter_slow_of_programs
#include "monitor/mpi/visit.h"
#undef andes_enter_slow

extern "C" __attribute__((visibility("hidden"), noinline, cold)) andes_frame*
andes_enter_slow(andes_site* site, std::uintptr_t stack, std::uintptr_t caller) {
  if (andes::mpi::inside(stack)) return nullptr;
  return andes_find_monitor()->enter(site, stack, caller, &andes_here);
}
