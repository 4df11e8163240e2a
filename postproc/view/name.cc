// A name is read once from the left, with the arguments of each template by recursion. Nothing here knows the grammar
// of C++: what does not look like a template (operator<, unbalanced brackets) stays as it is.
#include "postproc/view/name.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "postproc/view/terminal.h"

namespace andes::postproc {
namespace {

constexpr auto npos = std::string_view::npos;
constexpr int deepest = 64; // brackets in brackets; names come from files

bool is_of_identifier(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' ||
         static_cast<unsigned char>(c) >= 0x80;
}

/// The bracket that closes the one at `open`; npos: none, or too deep.
std::size_t closing(std::string_view text, std::size_t open) {
  std::string wanted;
  for (std::size_t at = open; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '<') wanted += '>';
    else if (c == '(') wanted += ')';
    else if (c == '[') wanted += ']';
    else if (c == '{') wanted += '}';
    else if (c == '>' && at > 0 && text[at - 1] == '-') continue; // ->
    else if (c == '>' || c == ')' || c == ']' || c == '}') {
      if (wanted.empty() || wanted.back() != c) return npos;
      wanted.pop_back();
      if (wanted.empty()) return at;
    }
    if (wanted.size() > deepest) return npos;
  }
  return npos;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

/// Arguments of a template, without the brackets around them.
std::vector<std::string_view> arguments(std::string_view inside) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < inside.size(); ++at) {
    const char c = inside[at];
    if (c == '<' || c == '(' || c == '[' || c == '{') {
      const std::size_t end = closing(inside, at);
      if (end != npos) at = end;
    } else if (c == ',') {
      parts.push_back(trimmed(inside.substr(begin, at - begin)));
      begin = at + 1;
    }
  }
  parts.push_back(trimmed(inside.substr(begin)));
  return parts;
}

/// Whether this argument of a template of the standard library is one that its users leave out.
bool is_default(std::string_view argument) {
  constexpr std::array defaults{"allocator", "char_traits", "less", "hash", "equal_to", "default_delete"};
  return std::any_of(defaults.begin(), defaults.end(),
                     [&](const char* name) { return argument.starts_with(fmt::format("std::{}<", name)); });
}

/// Whether the templates of this name have arguments that may be left out. Functions (std::sort) have none.
bool has_defaults(std::string_view name) {
  constexpr std::array names{
      "vector",    "deque",    "list",          "forward_list",       "set",           "multiset",
      "map",       "multimap", "unordered_set", "unordered_multiset", "unordered_map", "unordered_multimap",
      "unique_ptr"};
  return name.starts_with("basic_") || std::find(names.begin(), names.end(), name) != names.end();
}

/// std::basic_string<char> by the name that people give it.
std::string of_characters(const std::string& name) {
  constexpr std::string_view begin = "std::basic_";
  for (const auto& [end, prefix] : {std::pair{"<char>", ""}, std::pair{"<wchar_t>", "w"}})
    if (name.starts_with(begin) && name.ends_with(end))
      return fmt::format("std::{}{}", prefix,
                         name.substr(begin.size(), name.size() - begin.size() - std::string_view(end).size()));
  return name;
}

std::string readable(std::string_view text, int depth);

/// `name`: of a template, qualified; `inside`: its arguments.
std::string with_arguments(const std::string& name, std::string_view inside, int depth) {
  std::vector<std::string> parts;
  for (const std::string_view part : arguments(inside)) parts.push_back(readable(part, depth + 1));
  constexpr std::string_view standard = "std::";
  if (name.starts_with(standard) && has_defaults(std::string_view(name).substr(standard.size())))
    while (parts.size() > 1 && is_default(parts.back())) parts.pop_back();
  return of_characters(fmt::format("{}<{}>", name, fmt::join(parts, ", ")));
}

std::string readable(std::string_view text, int depth) {
  std::string done; // what stands before the name
  std::string name; // the qualified name that is being read
  std::size_t at = 0;
  const auto finish_name = [&] {
    done += name;
    name.clear();
  };
  while (at < text.size()) {
    if (is_of_identifier(text[at])) {
      std::size_t end = at;
      while (end < text.size() && is_of_identifier(text[end])) ++end;
      const std::string_view word = text.substr(at, end - at);
      at = end;
      const bool inner = name == "std::" && word.starts_with("__") && text.substr(at).starts_with("::");
      if (inner) at += 2;
      else name += word;
      if (word == "operator") { // its sign is no bracket
        while (at < text.size() && !is_of_identifier(text[at]) && text[at] != ' ' &&
               (text[at] != '(' || name.ends_with("operator")))
          name += text[at++];
      }
    } else if (text.substr(at).starts_with("::")) {
      name += "::";
      at += 2;
    } else if (text.substr(at).starts_with("[abi:") && text.find(']', at) != npos) {
      at = text.find(']', at) + 1;
    } else if (const std::size_t end = text[at] == '<' && !name.empty() && depth < deepest ? closing(text, at) : npos;
               end != npos) {
      name = with_arguments(name, text.substr(at + 1, end - at - 1), depth);
      at = end + 1;
    } else {
      finish_name();
      done += text[at++];
    }
  }
  finish_name();
  return done;
}

std::string_view dots(bool utf8) { return utf8 ? "\u2026" : ".."; }

/// Whether a part that may be left out begins at `at`: arguments of a template (`bracket` is <), or types of
/// parameters.
bool opens(std::string_view name, std::size_t at, char bracket) {
  if (at == 0 || name[at] != bracket || name.substr(0, at).ends_with("operator")) return false;
  return bracket == '<' ? is_of_identifier(name[at - 1]) : name[at - 1] != ' ';
}

/// Where the types of parameters begin, else the end of the name.
std::size_t parameters(std::string_view name) {
  std::size_t at = 0;
  while (at < name.size() && !opens(name, at, '(')) ++at;
  return at;
}

/// Without the arguments of templates, or types of parameters: solve<..>, solve(..).
std::string folded(std::string_view name, bool utf8, char bracket) {
  std::string text;
  for (std::size_t at = 0; at < name.size(); ++at) {
    const std::size_t end = opens(name, at, bracket) ? closing(name, at) : npos;
    text += name[at];
    if (end == npos || end == at + 1) continue;
    text += fmt::format("{}{}", dots(utf8), name[end]);
    at = end;
  }
  return text;
}

} // namespace

std::string readable_name(std::string_view name) {
  // Nearly all names are those of C, and of C++ without templates.
  if (name.find('<') == npos && name.find("::") == npos && name.find("[abi:") == npos) return std::string(name);
  return readable(name, 0);
}

std::string joined_path(const std::vector<std::string>& path) {
  std::string text;
  for (const std::string& name : path) text += (text.empty() ? "" : " > ") + readable_name(name);
  return text;
}

std::string cut_name(std::string_view name, int width, bool utf8) {
  if (width_of(name) <= width) return std::string(name);
  const int room = std::max(0, width - width_of(dots(utf8)));
  std::string short_name(name);
  for (const char bracket : {'<', '('}) {
    short_name = folded(short_name, utf8, bracket);
    if (width_of(short_name) <= width) return short_name;
    const std::string_view rest = short_name;
    for (std::size_t at = rest.find("::"); at < parameters(rest); at = rest.find("::", at + 2))
      if (width_of(rest.substr(at)) <= room) return fmt::format("{}{}", dots(utf8), rest.substr(at));
  }
  return cut_front(short_name, width, utf8);
}

std::string cut_path(std::string_view path, int width, bool utf8) {
  constexpr std::string_view joint = " > ";
  if (width_of(path) <= width) return std::string(path);
  for (std::size_t at = path.find(joint); at != npos; at = path.find(joint, at + 1))
    if (width_of(dots(utf8)) + width_of(path.substr(at)) <= width)
      return fmt::format("{}{}", dots(utf8), path.substr(at));
  const std::size_t last = path.rfind(joint);
  return cut_name(last == npos ? path : path.substr(last + joint.size()), width, utf8);
}

} // namespace andes::postproc
