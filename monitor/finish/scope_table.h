// Scopes of code: the functions of the source that code stands in, where the compiler has inlined functions into each
// other; as data that are sent to and from libandes-symbols.so, which finds them in debug information.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "monitor/exchange/parcel.h"

namespace andes::monitor {

/// The functions around an address, the innermost first, those of probes left out; empty: not known. All copies of one
/// function in a file have the same number.
using Scopes = std::vector<std::uint64_t>;

/// A function of the source: by its name where file and line are not known.
struct ScopePlace {
  std::string name, file;
  unsigned line = 0;
};

/// Of one file.
struct FileScopes {
  std::map<std::uint64_t, Scopes> around; // by address, in the address space of the file's ELF headers
  std::map<std::uint64_t, ScopePlace> places; // of all functions there
};

/// What is asked: about these addresses of a file, an answer within this time.
struct ScopeQuestion {
  std::string path;
  std::uint64_t most_ns = 0;
  std::vector<std::uint64_t> addresses;
};

Parcel packed(const ScopeQuestion& question);
Parcel packed(const FileScopes& scopes);
ScopeQuestion question_in(const Parcel& parcel);
/// Empty if the parcel is damaged.
FileScopes scopes_in(const Parcel& parcel);

} // namespace andes::monitor

extern "C" {
/// Exported by libandes-symbols.so. Finds the scopes of a packed question and passes them to `take`: all of them, or
/// none if the file has no debug information, or time or memory is short.
void andes_find_scopes(const char* bytes, std::size_t count,
                       void (*take)(void* into, const char* bytes, std::size_t count), void* into);
}
