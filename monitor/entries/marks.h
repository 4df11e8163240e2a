// Marks: what the program says of itself through andes.h and the Fortran module: regions by name with a begin
// and an end, phases whose steps are call paths of their own, values, on and off. Scopes (ANDES_REGION) are
// probes like any other and do not come by here.
//
// A region that is begun lies within the innermost one that is open, wherever the begin stands: it ends by its
// end, or with that region at the latest. So it may be begun in one function without a probe and ended in
// another, and an exception that leaves it open leaves it no longer than it does its caller.
//
// A phase is two visits: of the phase, and, below it, of the step. So the phase is the sum of its steps, and its
// count of visits numbers them. Beyond the limits all steps together are one more, "NAME (more)": beyond the
// setting phase_limit in one call path; beyond half of the memory for call paths, since what the program does
// elsewhere wants some, too.
//
// Invariant: an end that fits nothing changes nothing.
#pragma once
#include "monitor/core/process.h"

namespace andes {

/// Functions of andes_monitor (probe.h) of the same names.
andes_site* named_site(const char* name, std::uintptr_t length, std::uint32_t kind);
andes_frame* enter_phase(andes_site* site, const std::int64_t* number, std::uintptr_t stack,
                         std::uintptr_t caller, andes_view* view);
void begin_mark(andes_site* site, const std::int64_t* number, std::uintptr_t stack, std::uintptr_t caller);
void end_mark(andes_site* site, std::uintptr_t stack, std::uintptr_t caller);
void attach_value(andes_site* site, double value);
void control_measuring(int level);
int is_measuring();

} // namespace andes
