// Learned code: an address that is met for the first time is looked up with the loader; sites/addresses.h keeps the
// result.
//
// Invariant: the monitor holds no lock while it asks the loader: a thread that holds the loader's lock may run
// constructors that come here, too.
#pragma once
#include "monitor/sites/addresses.h"

namespace andes::monitor {

/// Makes a site for the function at the address. Null: nothing is measured, or no memory. Takes process_lock.
AddressSite* learn_function(std::uintptr_t address);
/// Identifies an OpenMP construct: by the function that the compiler made of it, or by the return address of
/// the runtime call that begins or creates it.
struct ConstructCode {
  std::uintptr_t address;
  bool is_call;
};
/// The site of a parallel region; of a task. Null: as above.
AddressSite* find_parallel(ConstructCode code);
AddressSite* find_task(ConstructCode code);
/// For the calibration: a site with region_scratch.
AddressSite* learn_scratch(std::uintptr_t address);
AddressSite* learn_call(std::uintptr_t address, const andes_site* call);

/// Forgets the addresses of modules that are not loaded any more. Takes process_lock.
void forget_unloaded();

} // namespace andes::monitor
