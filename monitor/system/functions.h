// Functions in memory, as the unwind tables of the loaded objects tell where they begin and end. Stripped programs have
// these tables, too. They are read in place, without a lock and without the C library's data of threads, so that the
// thread of the windows may ask. The caller sees to it that no object is unloaded meanwhile.
#pragma once
#include <cstdint>

namespace andes::monitor {

/// A function in the unwind tables; all 0: none is known.
struct DescribedFunction {
  std::uintptr_t begin, description; // its code, and its frame description entry
};

/// The function that holds the address.
DescribedFunction described_function(std::uintptr_t address);

/// Where the function begins that holds the address; 0: none is known. The parts into which compilers split a function
/// are functions of their own here.
std::uintptr_t function_at(std::uintptr_t address);

/// The path of the object that holds the address, as the loader knows it; "": the program itself, or none is known.
const char* object_at(std::uintptr_t address);

/// Whether the code right before this address is a call. False where no function is known.
bool follows_call(std::uintptr_t address);

/// What the call right before the address leads to; 0: there is none, or only the running program knows.
std::uintptr_t target_of_call(std::uintptr_t address);

/// The same of a jump.
std::uintptr_t target_of_jump(std::uintptr_t address);

} // namespace andes::monitor
