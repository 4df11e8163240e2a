// Questions to libandes-symbols.so, the only part that needs libdw: it is opened when something is asked.
#pragma once
#include <optional>
#include <string>

#include "monitor/exchange/parcel.h"

namespace andes::monitor {

/// An entry of libandes-symbols.so: passes its answer to `take`, unless memory is short.
using SymbolQuestion = void(const char* bytes, std::size_t count,
                            void (*take)(void* into, const char* bytes, std::size_t count), void* into);

/// The directory of this library, in which the other one lies; empty: not known.
std::string own_directory();

/// The answer of the entry of that name; nothing where the library cannot be used: `trouble` then says why.
std::optional<Parcel> ask_symbols(const std::string& libraries, const char* entry, const Parcel& question,
                                  std::string& trouble);

} // namespace andes::monitor
