// An estimate of the work in a function's body, to decide whether a probe is worth its cost.
// Uses Clang; only for preprocessor/collect.
#pragma once
#include <vector>

#include "preprocessor/pipeline.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Stmt.h"

namespace andes::preprocessor {

/// The work in one call of a function, estimated from its text.
struct BodyWork {
  unsigned operations = 0;                       // see work_of
  bool loops = false;                            // with an unknown number of iterations
  bool counted = false;                          // has loops with known iterations, which `operations` includes
  bool unseen = false; // calls functions without a body in the file, except through pointers
  bool marked_inline = false; // in the source: the keyword, always_inline, or
      // defined in its class; never a lambda
  bool always_inline = false; // by the attribute
  bool mpi = false; // calls MPI, itself or in lambdas of its own
  bool constructs = false; // of OpenMP
  bool is_template = false; // itself, or a member of one
  bool expression = false; // a template or lambda that only returns a value
  bool statement = false; // a template or lambda with one statement, an expression
  bool is_virtual = false;
  bool scans = false; // has short search loops
  unsigned size = 0; // like `operations`, but loop bodies count once
  double expected = 0; // like `operations`, but for any length of loops: see work_of

  bool long_loops = false; // has loops of unknown length that nothing inside ends: see loops.h

  struct Place {
    const clang::FunctionDecl* callee; // canonical
    unsigned rounds; // how often it is called
    unsigned operations; // see operations_on_values
    double expected; // how often it is called, as `BodyWork::expected`
    unsigned of_std; // see operations_of_std
  };
  std::vector<Place> places; // of calls

  struct OpenCall {
    const clang::FunctionDecl* callee; // canonical, the only one of its name; null: there are several
    double expected; // how often it is called, as `BodyWork::expected`
    unsigned of_std = 0; // see operations_of_std
  };
  std::vector<OpenCall> open_calls; // of functions that a template leaves open

  struct PointerCall {
    clang::QualType type; // of the functions that it may mean
    double expected; // how often it is called, as `BodyWork::expected`
  };
  std::vector<PointerCall> pointer_calls;

  struct Step { // as preprocessor::Step
    preprocessor::Step::Kind kind;
    std::size_t place; // of a call: its number in `places`
  };
  std::vector<Step> steps;
};

/// The work of `body`, with the initialisers of a constructor and what a destructor destroys.
///
/// An operation is an operator (arithmetic, comparison, logic, assignment), a memory access (*, [],
/// ->), a branch, a variable's initialisation, or a call. Values larger than a register count once for each
/// 8 bytes copied or initialised. These do not count: casts, constants, operands that are not evaluated,
/// debug checks that end in a noreturn function, throw expressions and handlers. Both sides of a branch
/// count. The body of a loop with known iterations counts once per iteration, up to 100; memcpy and similar
/// calls of a constant size, up to 64 bytes, count like the copy of a struct. In a template, values of a
/// dependent type count as numbers. `expected` counts the body of a loop once per iteration, too, if there are more,
/// and 8 times where the number of iterations is not known. A loop of unknown length in which the function calls itself
/// counts as one iteration in `operations`: all visits of such a recursion together have one iteration for each visit
/// but the first.
BodyWork work_of(const clang::FunctionDecl& function, clang::Stmt* body);

/// The work of one round of `loop`, a `for`: its test, its step and its body.
BodyWork work_of_round(clang::ASTContext& context, clang::Stmt* loop);

} // namespace andes::preprocessor
