// Built-in knowledge about functions with bodies in headers: which of them are a few instructions.
// Uses Clang; only for preprocessor/collect.
#pragma once
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"

namespace andes::preprocessor {

/// Whether `function` is in std, or in a class or namespace of it (std::thread::join, std::this_thread::sleep_for):
/// isInStdNamespace() asks for the innermost scope alone.
bool is_of_std(const clang::FunctionDecl& function);

/// Whether `function`, which has a body here, only passes its parameters to memcpy, memmove, memset or memcmp.
bool is_memory_wrapper(const clang::FunctionDecl& function);

/// Words of 8 bytes that a call of one of these, or of such a wrapper, handles, where their number is constant and at
/// most 8, so that compilers make some instructions of it; else 0.
unsigned words_moved(const clang::CallExpr& call, const clang::ASTContext& context);

/// Whether a call of `function` takes a few instructions: sqrt, std::move, the subscript of a
/// std::vector, a compiler's builtin. False for unknown functions.
bool is_few_instructions(const clang::FunctionDecl& function);

/// Work in a call of the maths library, as operations of work_of; 0: it is another function.
unsigned operations_of_maths(const clang::FunctionDecl& function);

/// Upper bound of the operations of a library's inline function that works only on values of fixed size: numbers, and
/// classes that own no memory (Eigen::Matrix3d, not Eigen::MatrixXd). 0 for all others.
unsigned operations_on_values(const clang::FunctionDecl& function);

/// The same if only the name of a member is known, since its object depends on a template.
bool is_name_of_accessor(llvm::StringRef member);

/// A function object of the C++ library that is one operation for numbers.
bool is_name_of_functor(llvm::StringRef record);

/// The work of a function of the C++ library that hardly grows with what a container holds: adding or removing a plain
/// value at an end, looking a key up, bisecting. 0: it is another function.
unsigned operations_of_std(const clang::FunctionDecl& function);

/// The same where a template leaves open which of the functions is called.
unsigned operations_of_std(const clang::OverloadExpr& callee, unsigned arguments);

} // namespace andes::preprocessor
