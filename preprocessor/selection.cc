// Reading selections. Each word of a Score-P block is a rule of its own; file and
// function rules are separate lists, as in Score-P: a function is excluded if either list excludes it.
#include "preprocessor/selection.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>

#include <fmt/core.h>

#include "common/message.h"
#include "common/nearest.h"

namespace andes::preprocessor {
namespace {

bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)); }

/// The words of a line, up to its comment; a backslash and what follows it stay together. A comment
/// begins with a # at the start of a word, since f<'#'> is a name; in a Score-P block with any #.
std::vector<std::string> words_before_comment(const std::string& line, bool in_block) {
  std::vector<std::string> words;
  bool open = false; // the last word is not complete
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (is_space(line[i])) {
      open = false;
      continue;
    }
    if (line[i] == '#' && (in_block || !open)) break;
    if (!open) words.emplace_back();
    open = true;
    words.back() += line[i];
    if (line[i] == '\\' && i + 1 < line.size()) words.back() += line[++i];
  }
  return words;
}

[[noreturn]] void fail(const std::string& name, unsigned line, const std::string& fact, const std::string& remedy) {
  refuse(fmt::format("{}:{}", name, line), fact, remedy);
}

/// Reads line by line; a Score-P block lasts over lines, and so does its verb.
class Reader {
public:
  explicit Reader(const std::string& name) : name_(name) {}

  Selection read(std::string_view text) {
    std::istringstream stream{std::string(text)};
    for (std::string line; std::getline(stream, line);) {
      ++line_;
      const std::vector<std::string> words = words_before_comment(line, block_ != nullptr);
      if (words.empty()) continue;
      if (!block_ && !begins_block(words[0]) && !ends_block(words[0])) own_line(words);
      else
        for (const std::string& word : words) block_word(word, &word == &words[0]);
    }
    if (block_) fail(name_, opened_, "the block does not end", fmt::format("add {}", block_->end));
    return std::move(selection_);
  }

private:
  struct Block {
    const char *begin, *end;
    bool of_files;
  };
  static constexpr Block blocks_[] = {{"SCOREP_REGION_NAMES_BEGIN", "SCOREP_REGION_NAMES_END", false},
                                      {"SCOREP_FILE_NAMES_BEGIN", "SCOREP_FILE_NAMES_END", true}};

  static const Block* begins_block(const std::string& word) {
    const auto at = std::ranges::find(blocks_, word, &Block::begin);
    return at == std::end(blocks_) ? nullptr : at;
  }
  static const Block* ends_block(const std::string& word) {
    const auto at = std::ranges::find(blocks_, word, &Block::end);
    return at == std::end(blocks_) ? nullptr : at;
  }

  /// include|exclude [file|mangled] PATTERN: the pattern goes to the end of the line, since names
  /// such as "operator new" contain spaces.
  void own_line(const std::vector<std::string>& words) {
    const std::string& verb = words[0];
    if (verb == "INCLUDE" || verb == "EXCLUDE")
      fail(name_, line_, fmt::format("{} stands outside a block", verb),
           fmt::format("write {} PATTERN, or SCOREP_REGION_NAMES_BEGIN before it",
                       verb == "INCLUDE" ? "include" : "exclude"));
    if (verb != "include" && verb != "exclude")
      fail(name_, line_, fmt::format("'{}' is unknown", verb), "write include PATTERN or exclude PATTERN");
    if (words.size() == 1)
      fail(name_, line_, fmt::format("{} has no pattern", verb), "name a function, * and ? allowed");
    const bool of_file = words.size() > 2 && words[1] == "file";
    const bool mangled = words.size() > 2 && words[1] == "mangled";
    std::string pattern;
    for (std::size_t i = of_file || mangled ? 2 : 1; i < words.size(); ++i)
      pattern += (pattern.empty() ? "" : " ") + words[i];
    selection_.rules.push_back({verb == "include", of_file, pattern, mangled});
  }

  void block_word(const std::string& word, bool first) {
    if (const Block* begun = begins_block(word)) {
      if (block_) fail(name_, line_, fmt::format("a block begins inside that of line {}", opened_), "end it first");
      block_ = begun;
      opened_ = line_;
      verb_ = Verb::none;
    } else if (const Block* ended = ends_block(word)) {
      if (block_ != ended) fail(name_, line_, fmt::format("{} ends no block", word), "write the line that begins it");
      block_ = nullptr;
    } else if (!block_) {
      fail(name_, line_, fmt::format("'{}' follows the end of a block", word), "begin a new line");
    } else if (word == "INCLUDE" || word == "EXCLUDE") {
      verb_ = word == "INCLUDE" ? Verb::include : Verb::exclude;
      mangled_ = false;
    } else if (verb_ == Verb::none) {
      fail(name_, line_, fmt::format("'{}' follows no verb", word), "write INCLUDE or EXCLUDE before it");
    } else if (word == "MANGLED") {
      if (block_->of_files) fail(name_, line_, "MANGLED belongs to names of regions", "remove it here");
      mangled_ = true;
    } else {
      if (first) refuse_misspelt(word);
      selection_.rules.push_back({verb_ == Verb::include, block_->of_files, word, mangled_});
    }
  }

  /// A line may consist of further patterns, so a misspelt verb would look like one.
  void refuse_misspelt(const std::string& word) const {
    const std::string near = nearest(word, {"INCLUDE", "EXCLUDE"});
    if (!near.empty()) fail(name_, line_, fmt::format("'{}' is unknown", word), fmt::format("did you mean {}?", near));
  }

  enum class Verb { none, include, exclude };
  const std::string& name_;
  unsigned line_ = 0, opened_ = 0;
  const Block* block_ = nullptr;
  Verb verb_ = Verb::none;
  bool mangled_ = false;
  Selection selection_;
};

} // namespace

Selection parse_selection(std::string_view text, const std::string& name) { return Reader(name).read(text); }

Selection load_selection(const std::string& argument) {
  if (argument == "default") return {};
  if (argument == "all") return {{{true, false, "*"}}};
  errno = 0;
  std::ifstream file(argument, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file.is_open() || file.bad())
    refuse(argument, fmt::format("the selection cannot be read ({})", std::strerror(errno ? errno : EIO)),
           "name a file, all or default");
  return parse_selection(text, argument);
}

} // namespace andes::preprocessor
