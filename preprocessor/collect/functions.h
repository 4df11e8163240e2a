// The functions of a translation unit as plain data. Uses Clang; only for preprocessor/collect.
#pragma once
#include "preprocessor/collect/files.h"
#include "preprocessor/collect/pragmas.h"
#include "preprocessor/pipeline.h"
#include "clang/AST/ASTContext.h"

namespace andes::preprocessor {

/// The functions in the files that are looked at, by file and in the order of its text, with the
/// obstacles to a probe and their calls of each other; and the blocks in them.
Regions regions_of(clang::ASTContext& context, const FileIndex& files, const Pragmas& pragmas, bool mangled);

} // namespace andes::preprocessor
