// Calls of MPI in the source. Uses Clang; only for preprocessor/collect.
#pragma once
#include "clang/AST/Decl.h"
#include "clang/AST/Stmt.h"

namespace andes::preprocessor {

/// Whether a function is MPI's: of its C functions and their profiling names, or of C++ libraries that stand for them
/// (namespaces MPI and mpi).
bool is_of_mpi(const clang::FunctionDecl& function);

/// Whether it ends the program: MPI_Abort. It is not declared as a function that never returns.
bool is_abort_of_mpi(const clang::FunctionDecl& function);

/// Whether `body`, that of `function`, calls MPI, but to end the program, itself or in lambdas of its own; so may the
/// initialisers of a constructor.
bool calls_mpi(const clang::FunctionDecl& function, clang::Stmt* body);

} // namespace andes::preprocessor
