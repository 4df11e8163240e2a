// The pragmas of a translation unit with the token that each of them stands before: the marks
// `#pragma andes region "name"` and `#pragma andes phase "name"`, and those of other tools, which
// must stay directly before their loop (docs/decisions/0117). Uses Clang; only for preprocessor/collect.
#pragma once
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "preprocessor/pipeline.h"
#include "clang/Basic/SourceLocation.h"

namespace clang {
class Preprocessor;
class SourceManager;
class Token;
} // namespace clang

namespace andes::preprocessor {

/// A pragma as it stands in a file that is no system header.
struct Pragma {
  clang::SourceLocation place; // of its # or _Pragma
  unsigned begin = 0, end = 0; // offsets in its file: of the #, and of the newline that ends it
  bool is_directive = true;    // a line of its own; else _Pragma("...")
  bool binds = false;          // must stay before the statement that follows
  bool device = false;         // that statement runs on a device (OpenACC)
  bool openmp = false;
  bool is_mark = false;        // of andes
  Block::Kind kind = Block::Kind::region; // of a mark
  std::string name;                       // of a mark's region
  std::string error;                      // of a mark: what is wrong with it
};

/// Reads the words behind #pragma.
void read_pragma(const std::string& text, Pragma& pragma);

/// Watches a preprocessor. The pragmas are complete when the file has been read.
class Pragmas {
public:
  using Place = std::pair<clang::FileID, unsigned>; // a token in its file, by offset

  /// Notes the pragmas that `preprocessor` meets; both must live until the file has been read.
  void watch(clang::Preprocessor& preprocessor);

  /// The pragmas that stand before this token, with nothing between but comments, in their order.
  std::vector<unsigned> before(Place token) const;

  /// The pragma whose # or _Pragma stands there; none if there is none, or it is in a system header.
  const Pragma* at(clang::SourceLocation place) const;

  std::vector<Pragma> all;

private:
  class Watcher;
  void add(clang::Preprocessor& preprocessor, clang::SourceLocation place, bool is_directive);
  void token(const clang::SourceManager& sources, const clang::Token& token);

  std::vector<unsigned> open_; // pragmas whose next token has not come yet
  std::map<Place, std::vector<unsigned>> before_;
  std::map<clang::SourceLocation, unsigned> by_place_; // of its # or _Pragma
  bool watching_ = false; // tokens are watched from the first pragma on
};

} // namespace andes::preprocessor
