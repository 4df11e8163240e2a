// Reading and applying selections. A word of a Score-P block stands for a rule of its own; file and
// function rules are separate lists there, as in Score-P: a function is out if either says so.
#include "preprocessor/selection.h"

#include <fnmatch.h>

#include <cctype>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>

#include "postproc/launch/message.h"

namespace andes {
namespace {

/// A comment begins with a # at the start of a word: f<'#'> is a name.
std::vector<std::string> words_of(const std::string& line) {
  std::size_t end = line.find('#');
  while (end != std::string::npos && end > 0 &&
         !std::isspace(static_cast<unsigned char>(line[end - 1])))
    end = line.find('#', end + 1);
  std::istringstream stream(line.substr(0, end));
  return {std::istream_iterator<std::string>(stream), {}};
}

[[noreturn]] void fail(const std::string& name, unsigned line, const std::string& what) {
  refuse("{}:{}: {}", name, line, what);
}

} // namespace

Selection parse_selection(std::string_view text, const std::string& name) {
  enum class Block { none, files, regions };
  Selection selection;
  Block block = Block::none;
  bool have_verb = false, include = false; // of the Score-P block, over its lines
  unsigned number = 0, opened = 0;
  std::istringstream stream{std::string(text)};
  for (std::string line; std::getline(stream, line);) {
    ++number;
    const std::vector<std::string> words = words_of(line);
    if (words.empty()) continue;
    const std::string& first = words[0];
    if (first == "SCOREP_REGION_NAMES_BEGIN" || first == "SCOREP_FILE_NAMES_BEGIN") {
      if (block != Block::none)
        fail(name, number,
             fmt::format("a block begins inside that of line {}; end it first", opened));
      block = first == "SCOREP_FILE_NAMES_BEGIN" ? Block::files : Block::regions;
      opened = number;
      have_verb = false;
    } else if (first == "SCOREP_REGION_NAMES_END" || first == "SCOREP_FILE_NAMES_END") {
      if (block != (first == "SCOREP_FILE_NAMES_END" ? Block::files : Block::regions))
        fail(name, number, fmt::format("{} ends no block; write the line that begins it", first));
      block = Block::none;
    } else if (block == Block::none) {
      if ((first != "include" && first != "exclude"))
        fail(name, number,
             fmt::format("'{}' is unknown; write include PATTERN or exclude PATTERN", first));
      if (words.size() == 1)
        fail(name, number,
             fmt::format("{} has no pattern; name a function, * and ? allowed", first));
      // A pattern goes to the end of the line: names such as "operator new" have spaces.
      std::string pattern;
      for (std::size_t i = 1; i < words.size(); ++i) pattern += (i > 1 ? " " : "") + words[i];
      selection.rules.push_back({first == "include", false, pattern});
    } else {
      for (const std::string& word : words) {
        if (word == "INCLUDE" || word == "EXCLUDE") {
          have_verb = true;
          include = word == "INCLUDE";
        } else if (word == "MANGLED") {
          fail(name, number, "MANGLED names are not supported; write the name as in the source");
        } else if (!have_verb) {
          fail(name, number,
               fmt::format("'{}' follows no verb; write INCLUDE or EXCLUDE before it", word));
        } else {
          selection.rules.push_back({include, block == Block::files, word});
        }
      }
    }
  }
  if (block != Block::none)
    fail(name, opened,
         fmt::format("the block does not end; add {}",
                     block == Block::files ? "SCOREP_FILE_NAMES_END" : "SCOREP_REGION_NAMES_END"));
  return selection;
}

Selection load_selection(const std::string& argument) {
  if (argument == "default") return {};
  if (argument == "all") return {{{true, false, "*"}}};
  errno = 0;
  std::ifstream file(argument, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file.is_open() || file.bad())
    refuse("{}: the selection cannot be read ({}); name a file, all or default", argument,
           std::strerror(errno ? errno : EIO));
  return parse_selection(text, argument);
}

Choice choose(const Selection& selection, const std::string& function, const std::string& file) {
  const std::string plain =
      function.substr(0, function.find('(', function.find("operator()") == std::string::npos
                                                ? 0
                                                : function.find("operator()") + 10));
  Choice choice = Choice::open;
  bool by_file = true;
  for (const SelectionRule& rule : selection.rules) {
    const std::string& subject = rule.of_file                                  ? file
                                 : rule.pattern.find('(') != std::string::npos ? function
                                                                               : plain;
    if (fnmatch(rule.pattern.c_str(), subject.c_str(), 0) != 0) continue;
    if (rule.of_file)
      by_file = rule.include;
    else
      choice = rule.include ? Choice::include : Choice::exclude;
  }
  return by_file ? choice : Choice::exclude;
}

} // namespace andes
