// handle_bits: a handle of MPI as a number, to hash it and to find it again. Handles are pointers in Open MPI and
// integers in MPICH.
#pragma once
#include <cstdint>
#include <type_traits>

namespace andes::monitor::mpi {

/// The handle's value, the same for the same handle in one process.
template <class Handle> std::uint64_t handle_bits(Handle handle) {
  if constexpr (std::is_pointer_v<Handle>) return reinterpret_cast<std::uintptr_t>(handle);
  else return static_cast<std::uintptr_t>(handle);
}

} // namespace andes::monitor::mpi
