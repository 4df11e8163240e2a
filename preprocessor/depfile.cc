// Wrapping follows libcpp's mkdeps.cc (72 columns) and Clang's DependencyFile.cpp (75 columns).
#include "preprocessor/depfile.h"

#include <algorithm>
#include <set>

namespace andes::preprocessor {
namespace {

/// Words of a logical line, escapes kept.
std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> words;
  bool inside = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == ' ' || c == '\t' || c == '\n') {
      inside = false;
      continue;
    }
    if (c == '\\' && i + 1 < line.size() && line[i + 1] == '\n') {
      ++i;
      inside = false;
      continue;
    }
    if (!inside) words.emplace_back();
    inside = true;
    words.back() += c;
    if (c == '\\' && i + 1 < line.size()) words.back() += line[++i];
  }
  return words;
}

/// A file name as both compilers write it into a rule.
std::string make_escaped(std::string_view path) {
  std::string out;
  for (const char c : path) {
    if (c == ' ' || c == '\t' || c == '#') out += '\\';
    if (c == '$') out += '$';
    out += c;
  }
  return out;
}

/// The end of the logical line that `text` begins with.
std::size_t end_of_line(std::string_view text) {
  std::size_t end = 0;
  do {
    end = text.find('\n', end);
    end = end == std::string_view::npos ? text.size() : end + 1;
  } while (end < text.size() && end > 1 && text[end - 2] == '\\');
  return end;
}

/// A word of a rule as the name of a file.
std::string make_unescaped(std::string_view word) {
  std::string out;
  for (std::size_t i = 0; i < word.size(); ++i) {
    const std::string_view pair = word.substr(i, 2);
    if (pair == "$$" || pair == "\\ " || pair == "\\\t" || pair == "\\#") ++i;
    out += word[i];
  }
  return out;
}

std::string wrapped(const std::vector<std::string>& targets, const std::vector<std::string>& files,
                    DependencyStyle style) {
  std::string out;
  std::size_t column = 0;
  const auto gcc = [&](const std::string& word) {
    if (column) {
      if (column + word.size() > 72) {
        out += " \\\n";
        column = 0;
      }
      out += ' ';
      ++column;
    }
    out += word;
    column += word.size();
  };
  if (style == DependencyStyle::gcc) {
    for (const std::string& target : targets) gcc(target);
    out += ':';
    ++column;
    for (const std::string& file : files) gcc(file);
    return out + '\n';
  }
  for (const std::string& target : targets) {
    if (column == 0) column = target.size();
    else if (column + target.size() + 2 > 75) {
      out += " \\\n  ";
      column = target.size() + 2;
    } else {
      out += ' ';
      column += target.size() + 1;
    }
    out += target;
  }
  out += ':';
  ++column;
  for (const std::string& file : files) {
    if (column + file.size() + 1 + 2 > 75) {
      out += " \\\n ";
      column = 2;
    }
    out += ' ' + file;
    column += file.size() + 1;
  }
  return out + '\n';
}

} // namespace

std::string fix_dependencies(std::string_view text, const std::map<std::string, std::string>& names,
                             DependencyStyle style) {
  std::map<std::string, std::string> escaped;
  for (const auto& [name, replacement] : names) escaped[make_escaped(name)] = make_escaped(replacement);
  std::set<std::string> phony; // targets of rules without files
  std::string out;
  while (!text.empty()) {
    const std::size_t end = end_of_line(text);
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end);

    std::vector<std::string> targets, files;
    bool behind_colon = false, touched = false;
    for (std::string word : words_of(line)) {
      const bool colon = !behind_colon && word.size() > 1 && word.back() == ':';
      if (colon) word.pop_back();
      const auto found = escaped.find(word);
      if (found != escaped.end()) {
        touched = true;
        word = found->second;
      }
      std::vector<std::string>& part = behind_colon ? files : targets;
      // Clang lists a file once; GCC lists it once for each path, which cannot be recognised here.
      if (!word.empty() && (style == DependencyStyle::gcc || !std::ranges::count(part, word))) part.push_back(word);
      behind_colon = behind_colon || colon || word == ":";
    }
    const bool phony_again = style == DependencyStyle::clang && touched && files.empty() && !targets.empty() &&
                             !phony.insert(targets[0]).second;
    if (!touched) out += line;
    else if (!targets.empty() && !phony_again) out += wrapped(targets, files, style);
    // Clang sets phony rules apart with an empty line before each.
    else if (style == DependencyStyle::clang && out.ends_with("\n\n")) out.pop_back();
  }
  return out;
}

std::vector<std::string> files_of_rule(std::string_view text) {
  const std::vector<std::string> words = words_of(text.substr(0, end_of_line(text)));
  std::vector<std::string> files;
  bool behind_colon = false;
  for (const std::string& word : words) {
    if (behind_colon) files.push_back(make_unescaped(word));
    behind_colon = behind_colon || word.ends_with(':');
  }
  return files;
}

} // namespace andes::preprocessor
