// Edits the text of a source: a preamble with the table of sites, and a probe behind the opening
// brace of each chosen function. Text in, text out.
//
// Invariants: for a compiler that honours #line, every token of the user keeps its file, its line
// and its column; the text between probes is untouched, byte for byte.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "preprocessor/pipeline.h"

namespace andes {

/// `text` as the inside of a C string literal.
std::string c_escaped(std::string_view text);

/// The table of sites of the functions with a probe, in order: a weak, hidden array (a static one
/// may not be used by C inline functions). Its name is a hash of its text, so that tables that
/// share a name are the same and may be merged. Empty without probes.
struct Table {
  std::string name, text;
};
Table table_of(const std::vector<Function>& functions, const std::vector<Decision>& decisions);

/// The instrumented copy. `preamble` is what stands above the user's first line (whole lines, or
/// empty); `path` is the file as the user gave it.
std::string edit(std::string_view source, const std::string& path,
                 const std::vector<Function>& functions, const std::vector<Decision>& decisions,
                 const std::string& preamble, const std::string& table);

} // namespace andes
