// What `andes build` hands on to all processes of a build, through the environment. The library that catches the
// compilers (preprocessor/intercept) reads it in each of them; in the processes that a caught compiler starts, nothing
// of it is left.
#pragma once

namespace andes {

/// The library itself, as it stands in LD_PRELOAD.
inline constexpr const char* build_library_variable = "ANDES_BUILD_LIBRARY";
/// The program that compiles with probes in the place of a caught compiler: andes-preprocess.
inline constexpr const char* build_program_variable = "ANDES_BUILD_PROGRAM";
/// The file to which everyone appends what became of a source: common/build_record.h.
inline constexpr const char* build_record_variable = "ANDES_BUILD_RECORD";
/// The socket of the build's server of readings (preprocessor/reading_server.h).
inline constexpr const char* build_reader_variable = "ANDES_BUILD_READER";
/// Set below a CMake that configures: compilers are only asked questions there.
inline constexpr const char* build_asking_variable = "ANDES_BUILD_ASKING";
/// For build_program alone: the file of the compiler that was caught. The words of its command are the program's own.
inline constexpr const char* build_compiler_variable = "ANDES_BUILD_COMPILER";

} // namespace andes
