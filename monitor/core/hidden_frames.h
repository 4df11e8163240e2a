// Hidden frames: functions whose regions are closed (windows.h) are on the program's stack without a visit. Functions
// called by them would seem to be called by their callers. This code finds the closed functions on the stack, so that
// call paths stay right: between the innermost open visit and the function that is entered, the stack is searched for
// return addresses of calls that are known to lead to closed functions. Such calls are known from visits while the
// functions were open. A result is kept with the return addresses that proved it; it holds as long as they stand at
// the same places.
//
// A closed loop or a function that was inlined has no return address of its own: such regions are found by the calls
// made in them. A call from a new place is known by its target, if another one has it that was seen. Old return
// addresses are told from others by the functions that their calls stand in.
//
// Invariants:
//  - only the stack between two frames of the running thread is read, and a bounded piece of it;
//  - memory is bounded; without room a result is searched for each time, or not found: then the call path begins at
//    the innermost open visit, as if the closed function were not there.
// Rejected: trusting an address without checking where its call is made, since old addresses lie on the stack, too;
// unwinding by tables, which takes microseconds and allocates.
#pragma once
#include <cstdint>

#include "monitor/core/location.h"

namespace andes::monitor {

struct Process;

/// A function that is entered below the innermost open visit.
struct Entered {
  std::uint32_t region, kind;
  std::uintptr_t stack, caller; // as for open_visit()
};

/// To be called before the slow path pushes a visit on the innermost one: keeps what the visit shows about its call.
void learn_call_site(Location& location, const Entered& entered);

struct Caller {
  std::uint32_t node;
  std::uint64_t search_ticks; // the cost of a search outside windows, for the governor to charge to the call path
};

/// The call path that really calls the entered function: the innermost open one, or a descendant of it through closed
/// regions. Makes call paths that are missing.
Caller find_caller(Process& process, Location& location, const Entered& entered);

/// The call path that find_caller() and what follows it have found before for the same call below closed functions that
/// still stand on the stack; 0: there is none. For callers on the thread's own stack, below the innermost open visit.
std::uint32_t known_call(const Process& process, const Location& location, const Entered& entered);

/// To be called where such a call path is used: charges what it took to find it.
void charge_known_call(const Process& process, Location& location, std::uint32_t node);

/// Keeps the fast path away from the call path that it could confuse with this one, since a closed function may stand
/// between.
void force_slow_path_beside(const Process& process, Location& location, std::uint32_t node);

/// The same for all call paths, after regions were closed or opened for good.
void update_forced_slow_paths(const Process& process, Location& location);

} // namespace andes::monitor
