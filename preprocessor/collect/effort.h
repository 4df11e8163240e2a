// The effort of a function or block as plain data: what work.h has counted in its text, with the functions that it
// calls by their numbers. Uses Clang; only for preprocessor/collect.
#pragma once
#include <map>

#include "preprocessor/collect/files.h"
#include "preprocessor/collect/work.h"
#include "preprocessor/pipeline.h"
#include "clang/AST/Decl.h"
#include "clang/Basic/SourceManager.h"

namespace andes::preprocessor {

/// Numbers of the functions of a source that have a body in it, by their canonical declarations.
using FunctionNumbers = std::map<const clang::FunctionDecl*, unsigned>;

/// Calls of functions of this source by number; others are not seen.
Effort effort_of(const BodyWork& body, const FunctionNumbers& by_declaration);

/// The same for what is expected of a call. What a template leaves open is taken for the only function of that name.
Expected expected_of(const BodyWork& body, const FunctionNumbers& by_declaration, const FileIndex& files,
                     const clang::SourceManager& sources);

} // namespace andes::preprocessor
