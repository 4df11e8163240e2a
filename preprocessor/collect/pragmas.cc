// The token after a pragma is the next one that the preprocessor returns, whatever #if, comments
// and other pragmas stand between: so the tokens themselves are watched.
#include "preprocessor/collect/pragmas.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <memory>

#include <fmt/core.h>

#include "clang/Basic/SourceManager.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"

namespace andes::preprocessor {
namespace {

using namespace clang;

/// Steps over continued lines.
std::size_t spliced(StringRef file, std::size_t at) {
  while (at < file.size() && file[at] == '\\') {
    const std::size_t next = file.find_first_not_of(" \t\r", at + 1);
    if (next == StringRef::npos || file[next] != '\n') break;
    at = next + 1;
  }
  return at;
}

/// The directive at `at` without comments and continued lines; `end` becomes the offset of its end.
std::string directive_text(StringRef file, std::size_t at, unsigned& end) {
  std::string text;
  bool in_string = false;
  for (at = spliced(file, at); at < file.size() && file[at] != '\n'; at = spliced(file, at)) {
    const char c = file[at];
    if (!in_string && file.substr(at).starts_with("/*")) {
      const std::size_t close = file.find("*/", at + 2);
      at = close == StringRef::npos ? file.size() : close + 2;
      text += ' ';
      continue;
    }
    if (!in_string && file.substr(at).starts_with("//")) {
      while (at < file.size() && file[at] != '\n') at = spliced(file, at + 1);
      break;
    }
    if (in_string && c == '\\' && at + 1 < file.size()) text += file[at++];
    if (c == '"') in_string = !in_string;
    text += file[at++];
  }
  end = unsigned(at);
  if (at > 0 && at < file.size() && file[at - 1] == '\r') --end;
  return text;
}

/// The text of _Pragma("...") at `at`; `end` becomes the offset behind it.
std::string operator_text(StringRef file, std::size_t at, unsigned& end) {
  std::string text;
  at = std::min(file.find('"', at), file.size());
  for (++at; at < file.size() && file[at] != '"'; ++at) {
    if (file[at] == '\\' && at + 1 < file.size()) ++at;
    text += file[at];
  }
  end = unsigned(std::min(file.find(')', at), file.size() - 1) + 1);
  return text;
}

/// Takes the next word, a string literal included, off `rest`.
StringRef next_word(StringRef& rest) {
  rest = rest.ltrim();
  std::size_t length = 0;
  if (rest.starts_with("\"")) {
    for (length = 1; length < rest.size() && rest[length] != '"'; ++length)
      if (rest[length] == '\\') ++length;
    length = std::min(length + 1, rest.size());
  } else {
    while (length < rest.size() && (std::isalnum(static_cast<unsigned char>(rest[length])) || rest[length] == '_'))
      ++length;
    if (length == 0 && !rest.empty()) length = 1;
  }
  const StringRef word = rest.take_front(length);
  rest = rest.drop_front(length);
  return word;
}

template <std::size_t n>
bool is_one_of(StringRef word, const std::array<StringRef, n>& words) {
  return std::ranges::find(words, word) != words.end();
}

/// OpenMP directives that must stay directly before a loop, or an expression. All others stand alone,
/// or before a block, which braces are.
bool is_of_loop(StringRef rest) {
  static constexpr std::array<StringRef, 11> words{"for",     "simd",        "distribute",   "taskloop",
                                                   "loop",    "tile",        "unroll",       "fuse",
                                                   "reverse", "interchange", "metadirective"};
  while (!rest.trim().empty()) {
    const StringRef word = next_word(rest);
    if (word == "atomic") return true;
    if (rest.ltrim().starts_with("(")) return word == "metadirective"; // clauses begin
    if (is_one_of(word, words)) return true;
  }
  return false;
}

/// Pragmas that apply to a scope, or to no place. All others are assumed to bind to the next
/// statement: between braces with it they keep their meaning.
bool is_of_scope(StringRef first, StringRef rest) {
  static constexpr std::array<StringRef, 4> first_words{"STDC", "float_control", "fenv_access", "fp_contract"};
  static constexpr std::array<StringRef, 2> second_words{"diagnostic", "fp"};
  if (is_one_of(first, first_words)) return true;
  if (first == "omp") return !is_of_loop(rest);
  return (first == "GCC" || first == "clang") && is_one_of(next_word(rest), second_words);
}

void read_mark(StringRef rest, Pragma& pragma) {
  constexpr const char* remedy = "write region \"name\" or phase \"name\"";
  const std::string text = rest.trim().str();
  const StringRef word = next_word(rest), literal = next_word(rest);
  const auto wrong = [&](const std::string& fact) {
    pragma.error = fmt::format("#pragma andes{}{}: {}; {}", text.empty() ? "" : " ", text, fact, remedy);
  };
  if (word != "region" && word != "phase") return wrong("no such mark");
  pragma.kind = word == "phase" ? Block::Kind::phase : Block::Kind::region;
  if (!literal.starts_with("\"") || literal.size() < 3 || !literal.ends_with("\""))
    return wrong("has no name in quotes");
  if (!rest.trim().empty()) return wrong("something follows the name");
  for (std::size_t i = 1; i + 1 < literal.size(); ++i) {
    if (literal[i] == '\\' && i + 2 < literal.size()) ++i;
    pragma.name += literal[i];
  }
}

} // namespace

void read_pragma(const std::string& text, Pragma& pragma) {
  StringRef rest = text;
  const StringRef first = next_word(rest);
  pragma.is_mark = first == "andes";
  if (pragma.is_mark) return read_mark(rest, pragma);
  pragma.binds = !is_of_scope(first, rest);
  pragma.device = first == "acc";
  pragma.openmp = first == "omp";
}

class Pragmas::Watcher : public PPCallbacks {
public:
  Watcher(Pragmas& pragmas, Preprocessor& preprocessor) : pragmas_(pragmas), preprocessor_(preprocessor) {}
  void PragmaDirective(SourceLocation place, PragmaIntroducerKind kind) override {
    pragmas_.add(preprocessor_, place, kind == PIK_HashPragma);
  }

private:
  Pragmas& pragmas_;
  Preprocessor& preprocessor_;
};

void Pragmas::watch(Preprocessor& preprocessor) {
  preprocessor.addPPCallbacks(std::make_unique<Watcher>(*this, preprocessor));
}

void Pragmas::add(Preprocessor& preprocessor, SourceLocation place, bool is_directive) {
  const SourceManager& sources = preprocessor.getSourceManager();
  if (sources.isInSystemHeader(place)) return;
  const auto [file, offset] = sources.getDecomposedExpansionLoc(place);
  const StringRef buffer = sources.getBufferData(file);
  Pragma pragma;
  pragma.place = place;
  pragma.begin = offset;
  pragma.is_directive = is_directive;
  if (is_directive) {
    const std::string text = directive_text(buffer, offset, pragma.end);
    const std::size_t word = text.find("pragma");
    if (word == std::string::npos) return;
    if (StringRef(text).drop_front(word + 6).trim() == "once") return; // most of all there are
    read_pragma(text.substr(word + 6), pragma);
  } else if (place.isFileID()) {
    read_pragma(operator_text(buffer, offset, pragma.end), pragma);
  } else { // out of a macro, at whose text other pragmas may stand
    const auto [spelled, at] = sources.getDecomposedSpellingLoc(place);
    read_pragma(operator_text(sources.getBufferData(spelled), at, pragma.end), pragma);
    pragma.end = pragma.begin;
  }
  open_.push_back(unsigned(all.size()));
  by_place_[place] = unsigned(all.size());
  all.push_back(std::move(pragma));
  if (watching_) return;
  watching_ = true;
  preprocessor.setTokenWatcher([this, &sources](const Token& read) { token(sources, read); });
}

void Pragmas::token(const SourceManager& sources, const Token& read) {
  if (open_.empty() || read.isAnnotation() || read.is(tok::eod)) return;
  const Place place = sources.getDecomposedExpansionLoc(read.getLocation());
  const Pragma& last = all[open_.back()]; // its own tokens are reported as well
  if (place.first == sources.getFileID(sources.getExpansionLoc(last.place)) && place.second >= last.begin &&
      place.second < std::max(last.end, last.begin + 1))
    return;
  for (const unsigned i : open_)
    if (sources.getFileID(sources.getExpansionLoc(all[i].place)) == place.first) before_[place].push_back(i);
  open_.clear();
}

std::vector<unsigned> Pragmas::before(Place token) const {
  const auto found = before_.find(token);
  return found == before_.end() ? std::vector<unsigned>() : found->second;
}

const Pragma* Pragmas::at(SourceLocation place) const {
  const auto found = by_place_.find(place);
  return found == by_place_.end() ? nullptr : &all[found->second];
}

} // namespace andes::preprocessor
