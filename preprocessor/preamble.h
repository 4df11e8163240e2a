// The text above the user's first line in a copy.
#pragma once
#include <string>

#include "preprocessor/edit.h"

namespace andes::preprocessor {

/// The installed probe.h, found from where this program stands (ANDES_TO_HEADER, of the build).
std::string probe_header();

/// Lines for a file that the user compiles himself: includes probe.h, then the table and the notes of left_out.h.
std::string plain_preamble(const SiteTable& table, const std::string& notes);

/// A whole header for `andes cc`: probe.h, the tables and the notes as one system header, named as the
/// installed probe.h in debug information. Empty if probe.h cannot be read.
std::string system_preamble(const std::vector<SiteTable>& tables, const std::string& notes);

} // namespace andes::preprocessor
