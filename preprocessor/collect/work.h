// An estimate of the work in a function's body, for the question whether a probe is worth its cost.
// Uses Clang; for collect*.cc alone.
#pragma once
#include <vector>

#include "clang/AST/Decl.h"
#include "clang/AST/Stmt.h"

namespace andes {

/// What one call of a function does, as far as its text tells.
struct BodyWork {
  unsigned operations = 0;                       // see work_of
  bool loops = false;                            // how often is not known
  bool counted = false;                          // loops whose rounds are known, and in `operations`
  bool unseen = false;                           // calls what has no body in the file
  bool marked_inline = false;                    // in the source: the keyword, always_inline, or
                                                 // defined in its class; never a lambda
  bool always_inline = false;                    // by the attribute
  bool mpi = false;                              // calls MPI, itself or in lambdas of its own
  bool constructs = false;                       // of OpenMP
  bool is_template = false;                      // itself, or a member of one
  bool is_virtual = false;
  bool scans = false;                            // has short loops that look for something
  unsigned size = 0;                             // as `operations`, but what is in loops once

  struct Place {
    const clang::FunctionDecl* callee; // canonical
    unsigned rounds;                   // how often it is called
    unsigned operations;               // see operations_on_values
  };
  std::vector<Place> places; // of calls
};

/// The work of `body`, with the initialisers of a constructor and what a destructor destroys.
///
/// An operation is an operator (arithmetic, comparison, logic, assignment), a memory access (*, [],
/// ->), a branch, a variable's initialisation, or a call. What is larger than a register counts
/// once for each 8 bytes copied or initialised. Nothing are: casts, constants, operands that are
/// not evaluated, debug checks that end in a noreturn function, throw expressions and handlers.
/// Both sides of a branch count. What a loop does whose rounds are known counts as often, up to 100 rounds;
/// memcpy and its kin of a constant size, up to 64 bytes, as the copy of a struct does.
/// In a template values of a dependent type are taken for numbers.
BodyWork work_of(const clang::FunctionDecl& function, clang::Stmt* body);

/// The work of one round of `loop`, a `for`: its test, its step and its body.
BodyWork work_of_round(clang::ASTContext& context, clang::Stmt* loop);

} // namespace andes
