// Edits the text of one file of a translation unit: probes behind opening braces, and the tables of
// sites they refer to. Text in, text out.
//
// Invariants: for a compiler that honours #line, every token of the user keeps its file, its line
// and its column; the text between edits is untouched, byte for byte.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "preprocessor/pipeline.h"

namespace andes::preprocessor {

/// `text` as the inside of a C string literal.
std::string c_escaped(std::string_view text);

/// A record of a table: the data of a probe's region.
struct Site {
  std::string name, file;
  unsigned line = 0;
  const char* kind = "ANDES_KIND_FUNCTION"; // enum andes_kind of probe.h
};

/// The table of the sites of one file: a weak, hidden array (a static one may not be used by C
/// inline functions). Its name is a hash of its text, so that tables that share a name are the same
/// and may be merged: those of a header in all sources that include it, say. Empty without sites. With
/// `by_call` there is a function NAME_at(SITE), too: inside OpenMP constructs no variable may be named.
struct SiteTable {
  std::string name, text;
};
SiteTable table_of(const std::vector<Site>& sites, bool by_call = false);

/// A change of a text: bytes [begin, end) become `text`.
struct Edit {
  std::size_t begin = 0, end = 0;
  std::string text;
  /// Line of `end` as diagnostics give it: the text that follows on its line goes to a line of its
  /// own below a #line, padded to its old column. 0: it stays where it is.
  unsigned line = 0;
};

/// The edits that put a probe into each function of file `in` that shall have one, braces with a
/// probe around each block, and take its marks out; and the sites.
struct Probes {
  std::vector<Edit> edits;
  SiteTable table;
};
Probes probes_of(unsigned in, const Regions& regions, const Decisions& decisions);

/// The text with `edits`, which do not overlap, made; those at one place in the order given. A byte
/// order mark is removed.
std::string edit(std::string_view source, std::vector<Edit> edits);

/// `text` below whole lines (or none) that stand above the user's first: `path` is the file's name.
std::string below_preamble(const std::string& preamble, const std::string& path, const std::string& text);

} // namespace andes::preprocessor
