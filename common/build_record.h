// The record of a build: a line for each source that was compiled and for each program or shared library that was
// linked, appended by many processes at once. Each line is one write to a file that is open for appending, so lines of
// a parallel build do not mix.
#pragma once
#include <string_view>

namespace andes {

/// The first word of a line.
inline constexpr std::string_view record_instrumented = "instrumented"; // detail: PROBES/FUNCTIONS, or empty
inline constexpr std::string_view record_left = "left"; // detail: why
inline constexpr std::string_view record_linked = "linked"; // a program; no detail; the link may still fail
inline constexpr std::string_view record_library = "library"; // the same of a shared library
inline constexpr std::string_view record_asked = "asked"; // no detail; of a compiler without a source of the program

/// Appends "KIND\tPATH\tDETAIL\n" to the file `record`, with the working directory before a relative path. What cannot
/// be written is left out.
void append_record(const char* record, std::string_view kind, std::string_view path, std::string_view detail = {});

/// The same if nothing was appended before.
void begin_record(const char* record, std::string_view kind, std::string_view path);

} // namespace andes
