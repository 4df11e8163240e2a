// Each source with copies has a directory of its own: 0, 1, ... Copies find their headers by path alone.
#include "preprocessor/copy_set.h"

#include <algorithm>
#include <filesystem>

#include <fmt/core.h>

#include "monitor/interface/build_stamp.h"
#include "preprocessor/build_stamp.h"
#include "preprocessor/decide_blocks.h"
#include "preprocessor/object_note.h"
#include "preprocessor/preamble.h"
#include "preprocessor/process.h"

namespace andes::preprocessor {
namespace {

bool has_files(const UnitCopies& unit) { return !unit.copies.files.empty(); }

bool write_copy(const Copy& copy) {
  if (copy.link.empty()) return write_file(copy.path, copy.text);
  std::error_code error;
  std::filesystem::create_hard_link(copy.link, copy.path, error);
  return !error;
}

/// Writes the copies of one source; why that failed, if it did.
std::string write_unit(const Copies& copies, const std::string& flags, const std::string& directory) {
  const std::string header = system_preamble(copies.tables, copies.notes + in_c(object_note(flags_section, flags)));
  if (header.empty()) return fmt::format("{} cannot be read; install andes anew", probe_header());
  std::error_code error;
  std::filesystem::create_directories(std::filesystem::path(copies.files[0].path).parent_path() / "headers", error);
  if (!error && write_file(copies.preamble, header) && std::ranges::all_of(copies.files, write_copy)) return "";
  return fmt::format("its copy cannot be written to {}; make room there, or set TMPDIR", directory);
}

} // namespace

bool CopySet::written() const { return trouble.empty() && std::ranges::any_of(units, has_files); }

bool CopySet::headers_have_probes() const {
  return std::ranges::any_of(units, [](const UnitCopies& unit) { return unit.copies.headers_have_probes; });
}

CopySet write_copies(const Compilation& compilation, const CopyVariant& variant, const std::string& directory) {
  CopySet set{variant, std::vector<UnitCopies>(compilation.units.size()), ""};
  if (directory.empty()) {
    set.trouble = "no directory for its copy could be made; set TMPDIR to one that can be written";
    return set;
  }
  const Forcing forcing{forced_words(compilation.command), compilation.units.size() == 1, compilation.is_gcc(),
                        compilation.command.header_apart};
  std::size_t number = 0; // of the source among those with copies
  for (std::size_t i = 0; i < set.units.size() && set.trouble.empty(); ++i) {
    const TranslationUnit& unit = compilation.units[i];
    if (!unit.readable()) continue;
    auto& [decisions, copies] = set.units[i];
    decisions = decide_all(unit.source, compilation.selection, compilation.options, variant.care);
    copies = copies_of(unit.source, decisions, fmt::format("{}/{}", directory, number), forcing, variant.headers);
    if (copies.files.empty()) continue;
    ++number;
    set.trouble = write_unit(copies, telling_flags(compilation.command.words), directory);
  }
  return set;
}

} // namespace andes::preprocessor
