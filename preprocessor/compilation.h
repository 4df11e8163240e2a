// A compile command as andes cc has understood it, with what Clang read of its sources. It is read once and
// changes no more: each attempt to compile it (attempts.h) starts from the same.
#pragma once
#include <string>
#include <vector>

#include "preprocessor/collect/collect.h"
#include "preprocessor/command.h"
#include "preprocessor/compiler.h"
#include "preprocessor/options.h"
#include "preprocessor/selection.h"

namespace andes::preprocessor {

class Plugin;

/// A source of the command as Clang sees it, with its headers.
struct TranslationUnit {
  CompilerCommand::Input input;
  Source source;

  /// Whether Clang could read it; else Source::error says why not.
  bool readable() const { return source.error.empty(); }
};

struct Compilation {
  CompilerCommand command;
  std::vector<std::string> as_written; // the command, response files not read in
  Options options;
  Selection selection;
  std::vector<TranslationUnit> units; // one for each of the command's inputs, in their order
  Compiler compiler;                  // of C if there is a source of it; its defaults if no source is a file

  const Plugin* plugin = nullptr;     // for Fortran sources beside those; not owned

  bool is_gcc() const { return compiler.family == Compiler::Family::gcc; }
};

/// Reads the sources of `command` with Clang, as its compiler would.
Compilation read_compilation(CompilerCommand command, std::vector<std::string> as_written, Options options,
                             Selection selection);

} // namespace andes::preprocessor
