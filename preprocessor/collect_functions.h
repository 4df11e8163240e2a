// The functions of the main file as plain data. Uses Clang; for collect*.cc alone.
#pragma once
#include <vector>

#include "preprocessor/pipeline.h"
#include "clang/AST/ASTContext.h"

namespace andes {

/// Every function definition of the main file, in the order of the file, with what stands against
/// a probe and with its calls to the others.
std::vector<Function> functions_of(clang::ASTContext& context);

} // namespace andes
