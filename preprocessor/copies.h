// Which files of a translation unit are copied, and the text of each copy.
//
// A copy is found by its path alone: each directive that leads to a copied file is rewritten to name
// the copy. So copied are
//   - files with probes,
//   - every file with a directive that leads to a copied one (also one that finds it guarded: two
//     files under one #pragma once would be read twice),
//   - what a copied file includes from its own directory, or by include_next: from where the copy
//     stands it would not be found.
// The name of a copy, for messages, __FILE__ and debug information, is given by a #line in its first
// line; nothing else stands above the user's text, for it may be included anywhere.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "preprocessor/collect/collect.h"
#include "preprocessor/edit.h"

namespace andes {

/// What the command says of a source's headers beyond its text.
struct Forcing {
  std::vector<std::size_t> words; // in the command, of the values of -include; in order
  bool replaceable = false;       // whether these words can be replaced for this source alone
  bool is_gcc = true;             // which precompiled headers the compiler takes
};

struct Copy {
  std::string path; // where it stands
  std::string name; // as the user's compiler names the file it stands for
  std::string text;
  std::string link; // the copy that this is another name of, instead of a text
  bool system = false;
};

/// What stands in the place of one source.
struct Copies {
  std::vector<Copy> files; // the source first; empty: nothing has a probe
  std::string preamble;    // path of the header with all tables; its text is `tables` below probe.h
  std::vector<SiteTable> tables;
  std::map<std::size_t, std::string> words;      // forced headers: word of the command -> copy
  std::vector<Copy> originals; // files that are not copied, by the absolute path in a copy
  bool headers_have_probes = false;
  std::string trouble; // why headers were left out
};

/// Copies of `source`, whose paths all begin with `directory`. `headers`: with the probes in them.
Copies copies_of(const Source& source, const Decisions& decisions, const std::string& directory,
                 const Forcing& forcing, bool headers);

} // namespace andes
