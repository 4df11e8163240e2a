// Marks: the calls of andes.h and of the Fortran module: named regions with a begin and an end, phases whose
// steps are call paths of their own, values, on and off. Scopes (ANDES_REGION) are ordinary probes and do not
// use this.
//
// A named region lies within the region that is innermost when it begins, wherever the begin is called: it
// ends at its end call, or with that region at the latest. So it may begin in one function without a probe and
// end in another, and if an exception skips its end, it ends with its caller.
//
// A phase gives two visits: one of the phase and, below it, one of the step. So the phase is the sum of its
// steps, and its count of visits numbers them. Beyond a limit all further steps share one call path, "NAME
// (more)". There are two limits: the setting phase_limit in one call path, and half of the memory for call
// paths, since the rest of the program needs some, too.
//
// Invariant: an end without a matching begin changes nothing.
#pragma once
#include "monitor/core/process.h"

namespace andes::monitor {

/// These implement the functions of andes_monitor (probe.h) with the same names.
andes_site* named_site(const char* name, std::uintptr_t length, std::uint32_t kind);
andes_frame* enter_phase(andes_site* site, const std::int64_t* number, std::uintptr_t stack, std::uintptr_t caller,
                         andes_view* view);
void begin_mark(andes_site* site, const std::int64_t* number, std::uintptr_t stack, std::uintptr_t caller);
void end_mark(andes_site* site, std::uintptr_t stack, std::uintptr_t caller);
void attach_value(andes_site* site, double value);
void control_measuring(int level);
int is_measuring();

} // namespace andes::monitor
