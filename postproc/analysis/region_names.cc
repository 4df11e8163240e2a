#include "postproc/analysis/region_names.h"

#include <algorithm>
#include <cctype>
#include <map>

namespace andes::postproc {
namespace {

constexpr const char* with_lines[] = {"{lambda:", "{loop:"};

/// End of the word `operator` with what it names, if `at` is where one begins; else `at`.
std::size_t after_operator(const std::string& name, std::size_t at) {
  static const std::string word = "operator";
  if (name.compare(at, word.size(), word) != 0) return at;
  const auto is_letter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  std::size_t end = at + word.size();
  if ((at > 0 && is_letter(name[at - 1])) || (end < name.size() && is_letter(name[end]))) return at;
  if (name.compare(end, 2, "()") == 0) return end + 2;
  while (end < name.size() && std::string("<>=-+*/%&|^!~,[]").find(name[end]) != std::string::npos) ++end;
  return end;
}

} // namespace

std::string without_lines(const Region& region) {
  std::string text = region.name;
  if (region.kind == "call-site") return owner_in_name(region);
  for (const std::string beginning : with_lines) {
    for (std::size_t at = text.find(beginning); at != text.npos; at = text.find(beginning, at + 1)) {
      const std::size_t colon = at + beginning.size() - 1, end = text.find('}', colon);
      if (end != text.npos) text.erase(colon, end - colon);
    }
  }
  return text;
}

std::string owner_in_name(const Region& region) {
  if (region.kind == "call-site")
    return region.name.substr(0, region.line > 0 ? region.name.rfind(' ') : region.name.npos);
  std::size_t last = region.name.npos;
  for (const std::string beginning : with_lines) {
    const std::size_t at = region.name.rfind("::" + beginning);
    if (at != region.name.npos && (last == region.name.npos || at > last)) last = at;
  }
  return last == region.name.npos ? std::string() : region.name.substr(0, last);
}

std::string without_arguments(const std::string& name) {
  std::string text;
  int depth = 0;
  for (std::size_t at = 0; at < name.size();) {
    const std::size_t end = after_operator(name, at);
    if (end > at) {
      if (depth == 0) text.append(name, at, end - at);
      at = end;
      continue;
    }
    const bool arrow = name[at] == '>' && at > 0 && name[at - 1] == '-';
    if (name[at] == '<') ++depth;
    else if (name[at] == '>' && depth > 0 && !arrow) --depth;
    else if (depth == 0) text += name[at];
    ++at;
  }
  return depth == 0 ? text : name;
}

std::string without_parameters(const std::string& name) {
  std::size_t end = name.rfind(')');
  if (end == name.npos || name.ends_with("operator()")) return name;
  int depth = 0;
  for (std::size_t at = end + 1; at-- > 0;) {
    depth += name[at] == ')' ? 1 : name[at] == '(' ? -1 : 0;
    if (depth > 0) continue;
    const bool anonymous = name.compare(at, 11, "(anonymous)") == 0;
    return at == 0 || anonymous ? name : name.substr(0, at);
  }
  return name;
}

std::string without_scopes(const std::string& name) {
  std::size_t begin = 0;
  int depth = 0; // of brackets
  for (std::size_t at = 0; at < name.size(); ++at) {
    const std::size_t end = after_operator(name, at);
    if (end > at && depth == 0) break; // what follows belongs to the name
    if (end > at) at = end - 1;
    else if (name[at] == '<' || name[at] == '(') ++depth;
    else if (name[at] == '>' || name[at] == ')') --depth;
    else if (depth == 0 && name.compare(at, 2, "::") == 0) begin = at + 2;
  }
  return name.substr(begin);
}

std::string last_name(const std::string& name) {
  const std::string plain = without_parameters(without_arguments(name));
  const std::size_t scope = plain.rfind("::");
  return scope == plain.npos ? plain : plain.substr(scope + 2);
}

double name_likeness(const std::string& a, const std::string& b) {
  if (a == b) return 1;
  const auto pairs = [](const std::string& name) {
    std::map<std::pair<int, int>, int> count;
    for (std::size_t i = 0; i + 1 < name.size(); ++i)
      ++count[{std::tolower(static_cast<unsigned char>(name[i])),
               std::tolower(static_cast<unsigned char>(name[i + 1]))}];
    return count;
  };
  if (a.size() < 2 || b.size() < 2) return 0;
  const auto of_a = pairs(a), of_b = pairs(b);
  int common = 0;
  for (const auto& [pair, count] : of_a)
    if (const auto found = of_b.find(pair); found != of_b.end()) common += std::min(count, found->second);
  return 2.0 * common / static_cast<double>(a.size() + b.size() - 2);
}

} // namespace andes::postproc
