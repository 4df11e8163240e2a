// The directives with which a source begins: #include, #define, #undef, conditions, and the comments between them.
// Sources with the same ones, read in the same way, are in the same state behind them, so that they need to be read
// only once (reading_server.h). That also holds behind a common beginning of them.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace andes::preprocessor {

/// The leading directives of a source, up to the last inclusion among them, or the last end of a condition behind one.
struct Lead {
  std::string text; // the lines alone, each as it stands there, with its newline
  std::vector<std::pair<std::size_t, std::size_t>> lines; // of each: where it begins in `text`, and in the source
  std::size_t end = 0; // offset in the source of the line behind them; 0: there are none
};

/// Stops before whatever may continue on the next line, and before any other directive.
Lead lead_of(std::string_view source);

/// The longest common beginning of two Lead::text that ends as leading directives do. Empty: there is none.
std::string_view common_lead(std::string_view one, std::string_view other);

/// Where in the source the text behind `beginning` stands, with which its leading directives begin. Nothing if they do
/// not, or the source has other lines there.
std::optional<std::size_t> end_of(std::string_view beginning, const Lead& lead, std::string_view source);

/// What the leading directives include by quotes, as it is spelled. Nothing if that cannot be told: a macro stands
/// for a name, or files are named by a condition or further down.
std::optional<std::vector<std::string_view>> quoted_inclusions(std::string_view source, const Lead& lead);

/// Where in the source that byte of Lead::text stands.
std::size_t in_source(const Lead& lead, std::size_t offset);

} // namespace andes::preprocessor
