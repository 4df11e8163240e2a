// Learned code: an address is met for the first time, and the loader is asked where it lies (sites/addresses.h keeps it).
//
// Invariant: no lock of ours is held while the loader is asked: its own may be held by a thread whose constructors
// come here, too.
#pragma once
#include "monitor/sites/addresses.h"

namespace andes {

/// Makes it known. Null: nothing is measured, or no memory. Takes the process's lock.
AddressSite* learn_function(std::uintptr_t address);
/// What a construct of OpenMP is known by: the function that the compiler made of it, or where the call of the
/// runtime returns to that begins or makes it.
struct ConstructCode {
  std::uintptr_t address;
  bool is_call;
};
/// A parallel region, a task. Null: as above.
AddressSite* find_parallel(ConstructCode code);
AddressSite* find_task(ConstructCode code);
/// For the calibration: a function with region_scratch.
AddressSite* learn_scratch(std::uintptr_t address);
AddressSite* learn_call(std::uintptr_t address, const andes_site* call);

/// Forgets the addresses of modules that are not loaded any more. Takes the process's lock.
void forget_unloaded();

} // namespace andes
