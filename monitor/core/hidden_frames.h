// Hidden frames: functions whose regions are closed (windows.h) are on the program's stack without a visit. Functions
// called by them would seem to be called by their callers. This code finds the closed functions on the stack, so that
// call paths stay right: between the innermost open visit and the function that is entered, calls are looked for that
// are known to lead to closed functions (closed_callers.h). Such calls are known from visits while the functions were
// open. A result is kept with the return addresses that proved it; it holds as long as they stand at the same places.
//
// A closed loop or a function that was inlined has no return address of its own: such regions are found by the calls
// made in them, and by the code that the probes of others stand in (known_inlines.h). A call from a new place is known
// by the function that it leads to, if another call was seen to.
//
// Invariants:
//  - only the stack between two frames of the running thread is read, and a bounded piece of it;
//  - what is only likely to be a closed caller is none: the call path begins below what is certain, and nothing is
//    learnt from it;
//  - memory is bounded; without room a result is searched for each time, or not found: then the call path begins at
//    the innermost open visit, as if the closed function were not there.
// Rejected: trusting an address on the stack that no table leads to, since old addresses lie there, too; unwinding by
// the compiler's library, which takes microseconds and allocates.
#pragma once
#include <cstdint>

#include "monitor/core/known_frames.h"
#include "monitor/core/location.h"

namespace andes::monitor {

struct Process;

/// To be called before the slow path pushes a visit on the innermost one: keeps what the visit shows about its call.
/// `is_callers`: the call is made by the innermost one, as far as can be known.
void learn_call_site(const Process& process, Location& location, const Entered& entered, bool is_callers = true);

struct Caller {
  std::uint32_t node;
  std::uint64_t search_ticks = 0; // the cost of a search outside windows, for the governor to charge to the call path
  bool doubtful = false; // a closed function may stand between, but nothing proves it
  bool in_recursion = false; // direct recursion of the innermost open visit makes the call: a closed function, which
      // may make the same call when the recursion has returned, may stand further out
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
/// between; and from this one, if a closed recursive function may stand between it and its parent.
void force_slow_path_beside(const Process& process, Location& location, std::uint32_t node);

/// The same for all call paths, after regions were closed or opened for good.
void update_forced_slow_paths(const Process& process, Location& location);

} // namespace andes::monitor
