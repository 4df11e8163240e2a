// Procedures as the user writes them: module::procedure, module.submodule::procedure, host::internal.
#pragma once
#include "preprocessor/plugin/gcc.h"

namespace andes::preprocessor::plugin {

/// The name in call trees.
std::string name_of(tree function);

/// Whether it is code of the user, not of the compiler: `main` around a main program, the common code of a procedure
/// with ENTRY statements, copying and finalising of types, parts of OpenMP constructs.
bool is_users(tree function);

} // namespace andes::preprocessor::plugin
