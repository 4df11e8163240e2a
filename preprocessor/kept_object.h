// The object of a command, kept while the command as written is run for its messages, which makes the same file anew.
// Compiling the copies once more would make it again, and takes as long as each of the other two.
#pragma once
#include <optional>
#include <string>

#include "preprocessor/command.h"

namespace andes::preprocessor {

struct KeptObject {
  std::string path, bytes;
};

/// Whether the command compiles one source, to an object or further, and makes no files of it beside but a dependency
/// file.
bool compiles_one_source(const CompilerCommand& command);

/// Whether that is all, and an object.
bool makes_one_object(const CompilerCommand& command);

/// What the command has made, if that is one object, without files that belong to it (debug information, profiles).
std::optional<KeptObject> object_made_by(const CompilerCommand& command);

/// Puts it in its place again. False: the place cannot be written.
bool put_back(const KeptObject& object);

} // namespace andes::preprocessor
