// The copies of all sources of a command for one attempt to compile it, written into the attempt's private
// directory. Which files are copied, copies.h says; what is in them hangs on the variant of the attempt alone.
#pragma once
#include <string>
#include <vector>

#include "preprocessor/compilation.h"
#include "preprocessor/copies.h"
#include "preprocessor/decide.h"

namespace andes::preprocessor {

/// How an attempt with copies differs from others.
struct CopyVariant {
  Care care = Care::normal;
  bool headers = true; // with probes in headers too
  bool quiet = false;  // without the compiler's messages: the command as written has given its own
};

/// What stands in the place of one source.
struct UnitCopies {
  Decisions decisions;
  Copies copies;
};

struct CopySet {
  CopyVariant variant;
  std::vector<UnitCopies> units; // one for each of the compilation's, in their order
  std::string trouble;           // why they could not be written; empty: they are, if there are any

  /// Whether there is something to compile.
  bool written() const;
  bool headers_have_probes() const;
};

/// Decides on probes and writes the copies to `directory`. Sources that Clang could not read have none, and
/// neither do those without a probe. `directory` is empty where none could be made.
CopySet write_copies(const Compilation& compilation, const CopyVariant& variant, const std::string& directory);

} // namespace andes::preprocessor
