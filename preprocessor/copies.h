// Which files of a translation unit are copied, and the text of each copy.
//
// A copy is found by its path alone: each directive that leads to a copied file is rewritten to name
// the copy. So these files are copied:
//   - files with probes,
//   - every file with a directive that leads to a copied one (even if the include guard then skips
//     it: two files under one #pragma once would be read twice),
//   - files that a copied file includes from its own directory, or by include_next: they would not
//     be found from the copy's directory.
// A #line in the first line of a copy gives its name for messages, __FILE__ and debug information;
// nothing else stands above the user's text, since the copy may be included anywhere.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "preprocessor/collect/collect.h"
#include "preprocessor/edit.h"

namespace andes::preprocessor {

/// Options of the command about a source's headers.
struct Forcing {
  std::vector<std::size_t> words; // indices in the command of the values of -include, in order
  bool replaceable = false;       // whether these words can be replaced for this source alone
  bool is_gcc = true;             // decides which precompiled headers the compiler accepts
  bool header_apart = false;      // the first is read from a precompiled one elsewhere (precompiled.h)
};

struct Copy {
  std::string path; // path of the copy
  std::string name; // the user's compiler's name for the original file
  std::string text;
  std::string link; // if not empty: the copy is a link to this one instead of a text
  bool system = false;
};

/// The files that replace one source.
struct Copies {
  std::vector<Copy> files; // the source first; empty: there are no probes
  std::string preamble;    // path of the header with all tables; its text is `tables` and `notes` below probe.h
  std::vector<SiteTable> tables;
  std::string notes; // for the preamble, of left_out.h
  std::map<std::size_t, std::string> words;      // forced headers: word of the command -> copy
  std::vector<Copy> originals; // files that are not copied, by their absolute path in a copy
  bool headers_have_probes = false;
  bool use_precompiled = false; // a precompiled header, which has been made with the same options
  std::string trouble; // why headers were left out
};

/// Copies of `source`, whose paths all begin with `directory`. `headers`: whether headers get probes.
Copies copies_of(const Source& source, const Decisions& decisions, const std::string& directory, const Forcing& forcing,
                 bool headers);

} // namespace andes::preprocessor
