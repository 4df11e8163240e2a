// What is known beforehand of functions whose bodies stand in headers: which of them are a few
// instructions. Uses Clang; for collect*.cc alone.
#pragma once
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

namespace andes {

/// Whether `function`, which has a body here, does nothing but hand its parameters to memcpy, memmove, memset or memcmp.
bool is_memory_wrapper(const clang::FunctionDecl& function);

/// Words of 8 bytes that a call of one of these, or of such a wrapper, handles, where their number is constant and at
/// most 8, so that compilers make some instructions of it; else 0.
unsigned words_moved(const clang::CallExpr& call, const clang::ASTContext& context);

/// Whether a call of `function` is a matter of some instructions: sqrt, std::move, the subscript of
/// a std::vector, a compiler's builtin. Of all others nothing is known: false.
bool is_few_instructions(const clang::FunctionDecl& function);

/// What a call of a function of the maths library does, as operations of work_of; 0: it is none of them.
unsigned operations_of_maths(const clang::FunctionDecl& function);

/// At most so many operations, where an inline function of a library works on values of fixed size alone: numbers, and
/// classes that hold no memory of their own (Eigen::Matrix3d, not Eigen::MatrixXd). 0: of all others.
unsigned operations_on_values(const clang::FunctionDecl& function);

/// The same where only the name of a member is known, since its object depends on a template.
bool is_name_of_accessor(llvm::StringRef member);

} // namespace andes
