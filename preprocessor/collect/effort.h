// The effort of a function or block as plain data: what work.h has counted in its text, with the functions that it
// calls by their numbers. Uses Clang; only for preprocessor/collect.
#pragma once
#include <map>
#include <utility>
#include <vector>

#include "preprocessor/collect/files.h"
#include "preprocessor/collect/work.h"
#include "preprocessor/pipeline.h"
#include "clang/AST/Decl.h"
#include "clang/Basic/SourceManager.h"

namespace andes::preprocessor {

/// Numbers of the functions of a source that have a body in it, by their canonical declarations.
using FunctionNumbers = std::map<const clang::FunctionDecl*, unsigned>;

/// Functions of one file to which there are pointers: what a call through a pointer to their type most likely means
/// (docs/decisions/0328).
using PointedAt = std::vector<std::pair<const clang::FunctionDecl*, unsigned>>;

/// Calls of functions of this source by number; others are not seen. `pointed_at`: of the same file.
Effort effort_of(const BodyWork& body, const FunctionNumbers& by_declaration, const PointedAt& pointed_at = {});

/// The same for what is expected of a call. What a template leaves open is taken for the only function of that name.
Expected expected_of(const BodyWork& body, const FunctionNumbers& by_declaration, const PointedAt& pointed_at,
                     const FileIndex& files, const clang::SourceManager& sources);

} // namespace andes::preprocessor
