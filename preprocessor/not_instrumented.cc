// A source has one such line, for the first reason that holds; lines about its marks come before it.
#include "preprocessor/not_instrumented.h"

#include <fmt/core.h>

#include "common/message.h"
#include "preprocessor/commands.h"
#include "preprocessor/decide_blocks.h"
#include "preprocessor/session.h"

namespace andes::preprocessor {
namespace {

/// Why headers of a source have no probes; empty where they can have them.
std::string why_no_headers(const Source& source, const Copies& copies, const CopyVariant& variant) {
  if (!source.headers_error.empty()) return fmt::format("Clang cannot read them ({})", source.headers_error);
  if (!copies.trouble.empty()) return copies.trouble;
  return variant.headers ? "" : "their copies do not compile";
}

} // namespace

namespace {

/// What the build's record holds of a source.
void note(const TranslationUnit& unit, const UnitCopies& copies, bool written, const std::string& why_none) {
  const std::string& path = unit.input.path;
  const auto& [decisions, files] = copies;
  if (!unit.readable()) return note_left(path, "Clang cannot read it");
  if (!written) return note_left(path, "its copy cannot be written");
  if (!why_none.empty()) return note_left(path, "its copy does not compile");
  if (files.files.empty()) return note_left(path, "no function needs a probe");
  std::size_t probes = 0, functions = 0;
  for (std::size_t i = 0; i < decisions.functions.size(); ++i) {
    if (unit.source.functions[i].in != 0) continue; // of a header
    ++functions;
    probes += decisions.functions[i].probe;
  }
  note_instrumented(path, probes, functions);
}

} // namespace

void report_missing_probes(const Compilation& compilation, const CopySet& copies, const std::string& why_none) {
  for (std::size_t i = 0; i < copies.units.size(); ++i) {
    const auto& [input, source] = compilation.units[i];
    note(compilation.units[i], copies.units[i], copies.trouble.empty(), why_none);
    const std::string no_headers = why_no_headers(source, copies.units[i].copies, copies.variant);
    for (const std::string& line : source.complaints) say("{}", line);
    for (const std::string& line : unheeded_blocks(source, copies.units[i].decisions)) say("{}", line);
    if (!source.error.empty())
      say("{}: not instrumented: Clang cannot read it ({}); compiled unchanged", input.path, source.error);
    else if (!why_none.empty()) say("{}: not instrumented: {}", input.path, why_none);
    else if (!no_headers.empty())
      say("{}: {}: {}", input.path,
          copies.units[i].copies.files.empty() ? "its headers are not instrumented"
                                               : "instrumented without its headers",
          no_headers);
  }
}

void report_hooks(const Compilation& compilation, bool copies_failed) {
  for (const auto& [input, source] : compilation.units) note_instrumented(input.path);
  for (const auto& [input, source] : compilation.units)
    say("{}: instrumented by the compiler's hooks: {}", input.path,
        !source.error.empty() ? fmt::format("Clang cannot read it ({})", source.error)
        : copies_failed       ? "its instrumented copy does not compile"
                              : "another source of the same command needs them");
}

} // namespace andes::preprocessor
