// Names of addresses of code: what goes from rank to rank, and to and from libandes-symbols.so, which finds
// them.
#pragma once
#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "monitor/exchange/parcel.h"

namespace andes {

/// An address in a file, as its ELF headers count.
struct CodeAddress {
  std::string module; // path; empty: in no file
  std::uint64_t offset = 0;
  bool is_call = false; // where a call returns to; else where a function begins
  auto operator<=>(const CodeAddress&) const = default;
};

struct SourcePlace {
  std::string name; // as in docs/instrumentation.md, "Names"; empty: not found
  std::string file; // as it was given to the compiler; empty: not known
  std::int32_t line = 0; // of the function, or of the call
  bool is_written = true; // by the user; else the compiler has put it around or between what he wrote
};

using Names = std::map<CodeAddress, SourcePlace>;

Parcel packed(const Names& names);

/// Adds what is in the parcel, as far as it is whole.
void unpack(const Parcel& parcel, Names& names);

/// What is said of an address whose module tells nothing: `libfoo.so+0x1234`.
SourcePlace bare_place(const CodeAddress& address);

} // namespace andes

extern "C" {
/// Exported by libandes-symbols.so. Fills in the packed names and hands them to `take`, unless memory is
/// short.
void andes_find_names(const char* bytes, std::size_t count,
                      void (*take)(void* into, const char* bytes, std::size_t count), void* into);
}
