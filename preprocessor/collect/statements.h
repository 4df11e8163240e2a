// Questions about single statements, answered by their form. Uses Clang; only for preprocessor/collect.
#pragma once
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"

namespace andes::preprocessor {

/// Whether a statement is not evaluated, or only when the program ends or fails.
bool is_idle(const clang::Stmt* statement);

/// Whether a statement ends the program or throws: a call of a function that never returns, or of MPI_Abort, or a block
/// that ends in one and has nothing but expressions before it, which say what is wrong (docs/decisions/0314).
bool only_fails(const clang::Stmt* statement);

/// Whether a test compares two things, as that of a loop over a range does. `test` may be null.
bool compares(const clang::Expr* test);

/// Whether a branch makes an object when it is first wanted: `if (!p) p = new T;` with a p as lasting as the program.
bool makes_once(const clang::IfStmt& branch);

/// Whether a branch is taken in the first visit of a function at most: `if (first) { ...; first = 0; }` and the like,
/// with a static variable of `body`, which assigns nothing else to it; not where the branch may be left before its end.
bool runs_once(clang::IfStmt& branch, clang::Stmt* body, const clang::ASTContext& context);

/// Whether a statement, or the last one of a block, returns.
bool returns(const clang::Stmt* statement);

/// The statement of a body that has one; null: it has none, or several. `body` may be null.
const clang::Stmt* only_statement(const clang::Stmt* body);

/// Whether a body is one return statement with a value. `body` may be null.
bool returns_only(const clang::Stmt* body);

} // namespace andes::preprocessor
