// The text above the user's first line in a copy.
#pragma once
#include <string>

#include "preprocessor/edit.h"
#include "preprocessor/pipeline.h"

namespace andes::preprocessor {

/// The installed probe.h, found from where this program stands (ANDES_TO_HEADER, of the build).
std::string probe_header();

/// A line of C that has these statements of the assembler.
std::string in_c(const std::string& statements);

/// The notes of left_out.h as text of C; empty if there are none.
std::string left_out_notes(const std::vector<Function>& functions, const std::vector<Decision>& decisions);

/// Lines for a file that the user compiles himself: includes probe.h, then the table and the notes of left_out.h.
std::string plain_preamble(const SiteTable& table, const std::string& notes);

/// A whole header for `andes cc`: probe.h, the tables and the notes as one system header, named as the
/// installed probe.h in debug information. Empty if probe.h cannot be read.
std::string system_preamble(const std::vector<SiteTable>& tables, const std::string& notes);

} // namespace andes::preprocessor
