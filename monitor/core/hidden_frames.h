// Hidden frames: functions whose regions are closed (windows.h) are on the program's stack without a visit. What they
// call would seem to be called by their callers. Here it is found out who is really there, so that call paths stay
// what they are: between the innermost open visit and the function that is entered, the stack is searched for return
// addresses of calls that are known to lead to closed functions. Such calls are known from visits of the times when
// these were open. What was found once is kept with the return addresses that proved it; as long as they stand where
// they stood, it holds.
//
// A closed loop or a function that was inlined has no return address of its own, and that of a call from a new place is
// not known yet: such regions are known by the calls made in them.
//
// Invariants:
//  - only the stack between two frames of the running thread is read, and a bounded piece of it;
//  - memory is bounded; what finds no place is looked for each time, or not found: then the call path begins at the
//    innermost open visit, as if the closed function were not there.
// Rejected: believing an address without asking where its call is made, since old addresses lie on the stack, too;
// unwinding by tables, which takes microseconds and allocates.
#pragma once
#include <cstdint>

#include "monitor/core/location.h"

namespace andes {

struct Process;

/// A function that is entered below the innermost open visit.
struct Entered {
  std::uint32_t region, kind;
  std::uintptr_t stack, caller; // as for open_visit()
};

/// A visit by the slow path is about to be pushed on the innermost one: what it tells of calls is kept.
void learn_call_site(Location& location, const Entered& entered);

/// The call path that really calls what is entered: the innermost open one, or one below it whose regions between are
/// closed. Makes call paths that are missing.
std::uint32_t find_caller(Process& process, Location& location, const Entered& entered);

/// After regions were closed or opened for good: call paths that the fast path would take for others, since a closed
/// function may stand between, are kept from it.
void keep_apart_hidden(const Process& process, Location& location);

} // namespace andes
