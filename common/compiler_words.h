// The words of compiler commands: names of compilers, endings of sources, options that take a value, and what a command
// asks for as a whole. Read by `andes cc`, and by all that only has to know whether a command is one for `andes cc`.
//
// Needs libc alone and allocates nothing: it is also used in the child of a vfork (preprocessor/intercept).
#pragma once
#include <cstddef>
#include <string_view>

namespace andes {

/// Whether a program of this name compiles C, C++ or Fortran: compilers and MPI wrappers, with a version, an MPI
/// library's name or this machine's triple (gcc, mpicc.openmpi, clang++-19, x86_64-linux-gnu-gfortran-12).
bool is_compiler(std::string_view path);

/// Whether a triple, as a compiler calls what it compiles for (x86_64-linux-gnu), is of this machine's processor.
bool is_of_this_machine(std::string_view triple);

/// Whether it stands before a compiler's name: ccache and similar.
bool is_compiler_launcher(std::string_view path);

/// A kind of source, by the name of its file.
enum class SourceKind { none, c, cxx, fortran };
SourceKind source_kind(std::string_view path);

/// Whether a file of this name is a source that has gone through the preprocessor (a.i, a.ii).
bool is_preprocessed(std::string_view path);

/// Whether the option's value is the next word.
bool takes_next_word(std::string_view option);

/// Options with which the compiler compiles nothing: it answers, preprocesses or only checks.
bool is_question(std::string_view option);

/// Whether `path`, compiled in `directory`, is a test of autoconf, CMake, meson or similar: what it finds must be what
/// it finds without andes. libtool reads the symbols in an object.
bool is_configure_test(std::string_view path, std::string_view directory);

/// What a command is, in one look.
struct CompilerRequest {
  bool compiles = false; // it may compile a source: one that can have probes, or is told with those that have none
  bool links = false; // it links a program
  bool links_library = false; // it links a shared library
  bool precompiles = false; // it makes a header that GCC finds by another name than the header's: DIR/NAME.gch
  std::string_view output{}; // of -o; empty without
};

/// The request of the command `words` (the compiler first, or a launcher and the compiler), which runs in `directory`.
CompilerRequest request_of(const char* const* words, std::string_view directory);

} // namespace andes
