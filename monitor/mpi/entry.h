// The path from an MPI call of the program to its wrapper. Part of libandes.so, which is preloaded
// into every process: nothing here runs before the first MPI call.
#pragma once
#include <cstdint>

extern "C" {
/// The address of the function of `slot`; fills the slot. Called by the stubs of jumps.S, from any
/// thread, at the first call of each function. Never null; keeps errno.
[[gnu::visibility("hidden")]] void* andes_mpi_resolve(std::uint32_t slot);
}
