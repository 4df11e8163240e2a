// An object file with nothing but the stamp of a build. It is written here, not assembled: a process less for each
// link, and nothing of it hangs on the compiler. Marks that linkers take from objects (no stack that is executable,
// branch protection) are in it, so that it changes none of the program's.
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace andes::preprocessor {

/// What an object must have in common with those that it is linked with.
struct ObjectKind {
  unsigned machine = 0, flags = 0; // e_machine, e_flags
  unsigned char abi = 0; // EI_OSABI
};

/// The kind of an object file; nothing if it is none of 64 bits in this machine's byte order.
std::optional<ObjectKind> kind_of_object(const std::string& path);

/// This machine's own.
ObjectKind own_kind();

/// The bytes of the object.
std::string stamp_object(const ObjectKind& kind, const std::string& text);

} // namespace andes::preprocessor
