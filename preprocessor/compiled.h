// What the real compiler makes of a source: the functions it defines, by its own debug information.
// For `andes instrument --explain`, which so names what Clang did not see: branches of #ifdef that
// only this compiler takes, nested functions, and whole files that Clang cannot read.
//
// Compared are places, since names are spelt differently by each compiler. -O0, as functions that are inlined without a
// body of their own are missed otherwise; full -g, as Clang's -g1 names no functions. Rejected: `nm` (no lines),
// plug-ins and -fdump-tree (GCC's alone, by version). It costs a compilation, so `andes cc` does not do it.
#pragma once
#include <string>
#include <vector>

#include "preprocessor/command.h"

namespace andes {

struct CompiledFunction {
  std::string name; // demangled, with parameters in C++
  std::string file; // full path
  unsigned line = 0;
};

struct Compiled {
  bool good = false;                       // false: the compiler refused the source
  std::vector<CompiledFunction> functions; // each place once, by file and line
};

/// Compiles `path` by `compiler` with `flags` to an object in a private directory, and reads which
/// functions it defines; those that the compiler makes by itself are not among them.
Compiled compile_and_list(const std::string& compiler, const std::vector<std::string>& flags,
                          const std::string& path);

} // namespace andes
