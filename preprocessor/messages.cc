// Paths in messages are found where they begin. -H lists each file that is read, and (GCC) at the
// end, sorted, those that are read once and have no guard: every copy is read once.
#include "preprocessor/messages.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

#include <unistd.h>

namespace andes::preprocessor {
namespace {

void replace_path(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at)) {
    const char before = at ? text[at - 1] : ' ';
    const bool inside = std::isalnum(static_cast<unsigned char>(before)) || std::strchr("/._-", before);
    if (inside) at += from.size();
    else {
      text.replace(at, from.size(), to);
      at += to.size();
    }
  }
}

/// Removes the lines of -H about `path`.
void drop_lines(std::string& text, const std::string& path) {
  for (std::size_t at = text.find(path); at != std::string::npos; at = text.find(path, at)) {
    const std::size_t begin = at ? text.rfind('\n', at - 1) + 1 : 0;
    if (text.find_first_not_of(".!x ", begin) == at && text[at + path.size()] == '\n') {
      text.erase(begin, at + path.size() + 1 - begin);
      at = begin;
    } else {
      at += path.size();
    }
  }
}

/// Corrects the advice of -H, which lists files sorted by name.
void fix_advice(std::string& text, const std::map<std::string, std::string>& names) {
  const std::string banner = "Multiple include guards may be useful for:\n";
  const std::size_t found = text.find(banner);
  if (found == std::string::npos) return;
  std::map<std::string, int> copies; // of each name
  for (const auto& [path, name] : names) ++copies[name];
  std::vector<std::string> lines;
  const std::size_t begin = found + banner.size();
  std::size_t end = begin;
  for (std::size_t next; (next = text.find('\n', end)) != std::string::npos; end = next + 1) {
    std::string line = text.substr(end, next - end);
    const auto copy = names.find(line);
    if (copy == names.end() && access(line.c_str(), F_OK) != 0) break; // the list has ended
    if (copy != names.end()) line = copy->second;
    if (copy == names.end() || copies[line] == 1) lines.push_back(line);
  }
  std::erase(lines, "");
  std::ranges::sort(lines);
  std::string fresh = lines.empty() ? "" : banner;
  for (const std::string& line : lines) fresh += line + "\n";
  text.replace(found, end - found, fresh);
}

/// What -Wreturn-type also says of C: of a function's declared type, not of its end.
bool is_of_declarations(std::string_view line) {
  return line.find("type defaults to") != line.npos || line.find("with no value") != line.npos;
}

/// Options of warnings that depend on the optimiser, or on the name of the file, and come from no later than GCC's
/// passes over trees.
constexpr std::string_view of_optimiser[] = {
    "inline",
    "maybe-uninitialized",
    "uninitialized",
    "aggressive-loop-optimizations",
    "suggest-attribute",
    // What GCC derives from the ranges of values, which differ where a function is not inlined.
    "format-overflow",
    "format-truncation",
    "restrict",
    "stringop-overflow",
    "stringop-overread",
    "stringop-truncation",
    "array-bounds",
    "alloc-size-larger-than",
    "null-dereference",
    "nonnull",
    "use-after-free",
    "dangling-pointer",
    "free-nonheap-object",
    "infinite-recursion",
    "return-type", // at the end of a function: the last call is no longer the last thing that is done there
    "strict-overflow",
    // What GCC says of a header and not of the source, or the other way round: a copy is neither (copy_command.cc).
    "subobject-linkage",
    "unused-const-variable",
};

/// The same of its passes behind those.
constexpr std::string_view of_code_generation[] = {
    "stack-usage", "frame-larger-than", "clobbered", "disabled-optimization", "unsafe-loop-optimizations",
};

/// Whether a warning names one of the options.
bool names_one_of(std::string_view all, std::span<const std::string_view> options) {
  for (std::size_t at = 0; (at = all.find("-W", at)) != all.npos;) {
    const std::string_view before = all.substr(0, at), line = before.substr(before.rfind('\n') + 1);
    at += 2;
    std::string_view rest = all.substr(at);
    if (rest.starts_with("error=")) rest.remove_prefix(6);
    for (const std::string_view option : options)
      if (rest.starts_with(option) && rest.size() > option.size() && std::strchr("]=\033", rest[option.size()]) &&
          !(option == "return-type" && is_of_declarations(line)))
        return true;
  }
  return false;
}

} // namespace

std::string fix_messages(std::string text, const std::map<std::string, std::string>& names) {
  fix_advice(text, names);
  for (const auto& [path, name] : names)
    if (name.empty()) drop_lines(text, path);
    else replace_path(text, path, name);
  return text;
}

bool depend_on_optimiser(const std::string& messages) {
  return names_one_of(messages, of_optimiser) || names_one_of(messages, of_code_generation);
}

bool come_from_code_generation(const std::string& messages) {
  if (names_one_of(messages, of_code_generation)) return true;
  if (messages.find("variable tracking size limit") != std::string::npos) return true;
  // The assembler names its input: a temporary file, or in braces the standard input.
  return messages.find(".s:") != std::string::npos || messages.starts_with('{') ||
         messages.find("\n{") != std::string::npos;
}

} // namespace andes::preprocessor
