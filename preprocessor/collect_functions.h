// The functions of a translation unit as plain data. Uses Clang; for collect*.cc alone.
#pragma once
#include <vector>

#include "preprocessor/collect_files.h"
#include "preprocessor/pipeline.h"
#include "clang/AST/ASTContext.h"

namespace andes {

/// Every function definition in the files that are looked at, by file and in the order of its text,
/// with what stands against a probe and with its calls to the others.
std::vector<Function> functions_of(clang::ASTContext& context, const FileIndex& files,
                                   bool mangled);

} // namespace andes
