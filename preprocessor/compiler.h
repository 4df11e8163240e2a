// Asks the real compiler (or a wrapper such as mpicc) for the facts that Clang needs to read a file
// like that compiler. Answers are kept in the user's temporary directory.
#pragma once
#include <string>
#include <vector>

#include "preprocessor/command.h"

namespace andes::preprocessor {

struct Compiler {
  enum class Family { gcc, clang, other };
  Family family = Family::gcc;
  int version = 0;                      // major
  std::string name; // as it names itself, with its version: "gcc version 12.2.0 (Debian 12.2.0-14)"
  std::string target; // triple; empty: unknown
  std::string standard; // its default, as -std takes it; empty: unknown
  std::vector<std::string> directories; // of #include <...>, in order
  std::vector<std::string> own; // those of them that hold its own builtin headers
  std::vector<std::string> macros; // NAME=VALUE that a wrapper adds
  bool debugs = false; // it makes debug information without being told: a wrapper says so
  bool asked = false; // false: nothing was learned, defaults of Clang apply
  bool remembered = false; // the answer is from an earlier command
};

/// Identifies a version of a program: its path, size and time.
std::string identity_of(const std::string& program);

/// The compiler of `command` for one language. `fresh`: do not use a remembered answer.
Compiler ask_compiler(const CompilerCommand& command, Language language, bool fresh = false);

/// Whether what the command compiles will have no debug information, and nobody has said that it shall not.
bool lacks_debug_information(const CompilerCommand& command, const Compiler& compiler);

/// Parses the output of `COMPILER -E -v -dM`; for ask_compiler and its tests.
Compiler read_answer(const std::string& out, const std::string& err);

} // namespace andes::preprocessor
