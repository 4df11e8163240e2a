// Dependent code: what can be said of types and calls that depend on the parameters of a template. Uses Clang; only for
// preprocessor/collect.
#pragma once
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"

namespace andes::preprocessor {

/// A type that depends on a template and is more than a parameter itself: it may be a container. `auto` is no such
/// type: what makes its value is judged by itself.
bool is_unknown_type(clang::QualType type);

/// The type of a variable, or for `auto` that of the object of which it is a copy.
clang::QualType type_of_value(const clang::VarDecl& variable);

/// The function that a call which a template leaves open can mean; null if there are several, or it is no function.
const clang::FunctionDecl* only_function_of(const clang::OverloadExpr& overload);

/// The member of a class template of the program that a call in another template means, whatever the arguments:
/// `a(i, j)` and `a.at(i)` where `a` is a `Matrix<T>`, or a parameter of the template whose default is one. Null if
/// there are several such members, or if it is another call. Specialisations are taken for what their template is.
const clang::FunctionDecl* member_of_template(const clang::CallExpr& expression);

/// The only operator that is declared for an operation between values that all depend on a template; null: there are
/// several, or it is another call.
const clang::FunctionDecl* operator_of_values(const clang::CallExpr& expression);

/// A call of a function object of the library for numbers, such as std::hash<T>{}(key) and std::less<T>{}(a, b).
bool is_dependent_functor(const clang::CallExpr& expression);

/// An operator that a template leaves open, but not as one of numbers: std::cout << value.
bool is_open_operator(llvm::ArrayRef<const clang::Expr*> operands);

/// A call that a template leaves open: operators of its values, and members such as size().
bool is_dependent_accessor(const clang::CallExpr& expression);

} // namespace andes::preprocessor
