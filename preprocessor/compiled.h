// The functions that the real compiler defines for a source, from its debug information. For `andes
// instrument --explain`, which lists with it the functions that Clang did not see: branches of #ifdef that
// only this compiler takes, nested functions, and whole files that Clang cannot read.
//
// Places are compared, since each compiler spells names differently. -O0, since functions that are inlined everywhere
// would be missing otherwise; full -g, since Clang's -g1 names no functions. Rejected: `nm` (no lines),
// plug-ins and -fdump-tree (GCC's alone, by version). It costs a compilation, so `andes cc` does not do it.
#pragma once
#include <string>
#include <vector>

#include "preprocessor/command.h"

namespace andes::preprocessor {

struct CompiledFunction {
  std::string name; // demangled, with parameters in C++
  std::string file; // full path
  unsigned line = 0;
};

struct Compiled {
  bool good = false;                       // false: the compiler refused the source
  std::vector<CompiledFunction> functions; // each place once, by file and line
};

/// The functions that an object with debug information defines. Exported by andes_debug_info.so.
extern "C" void andes_compiled_functions(const std::string& object, std::vector<CompiledFunction>& functions);

/// Compiles `path` by `compiler` with `flags` to an object in a private directory, and reads which
/// functions it defines; without functions that the compiler generates.
Compiled compile_and_list(const std::string& compiler, const std::vector<std::string>& flags, const std::string& path);

} // namespace andes::preprocessor
