// Names from symbols, for code without debug information.
#include <cctype>
#include <cstdlib>
#include <cxxabi.h>

#include "common/fortran_names.h"
#include "monitor/finish/symbols.h"

namespace andes::monitor {
namespace {

bool starts(const std::string& text, std::size_t at, const char* word) {
  return text.compare(at, std::char_traits<char>::length(word), word) == 0;
}

/// Position behind the token of an operator's name, which may contain brackets itself.
std::size_t behind_operator(const std::string& text, std::size_t at) {
  at += 8; // operator
  if (starts(text, at, "()") || starts(text, at, "[]")) return at + 2;
  while (at < text.size() && std::string_view("<>=-*&|!+/%^~,").find(text[at]) != std::string_view::npos) ++at;
  return at;
}

/// The name without template arguments, without parameters and the text behind them, and without the return type.
std::string plain_name(const std::string& demangled) {
  std::string name;
  int depth = 0; // of <>
  for (std::size_t i = 0; i < demangled.size(); ++i) {
    const char c = demangled[i];
    const bool new_word =
        i == 0 || !(std::isalnum(static_cast<unsigned char>(demangled[i - 1])) || demangled[i - 1] == '_');
    if (depth == 0 && new_word && starts(demangled, i, "operator") && i + 8 < demangled.size() &&
        !std::isalnum(static_cast<unsigned char>(demangled[i + 8])) && demangled[i + 8] != '_') {
      const std::size_t end = behind_operator(demangled, i);
      name.append(demangled, i, end - i);
      i = end - 1;
    } else if (c == '<') {
      ++depth;
    } else if (c == '>') {
      --depth;
    } else if (depth != 0) {
      continue;
    } else if (starts(demangled, i, "(anonymous namespace)::")) {
      i += 22;
    } else if (starts(demangled, i, "{lambda(")) {
      name += "{lambda}";
      i = demangled.find('}', i);
      if (i == std::string::npos) break;
    } else if (c == '(') {
      const std::size_t end = demangled.find(")::", i); // an enclosing function
      if (end == std::string::npos) break;
      i = end;
    } else if (c == ' ') {
      if (!name.ends_with("operator")) name.clear(); // the return type
    } else {
      name += c;
    }
  }
  constexpr std::string_view call = "{lambda}::operator()";
  if (name.ends_with(call)) name.resize(name.size() - 12);
  return name.empty() ? demangled : name;
}

} // namespace

std::string without_arguments(const std::string& name) {
  for (const char* whole : {"operator>", "operator>>", "operator->", "operator<=>"})
    if (name == whole) return name;
  if (!name.ends_with('>')) return name;
  std::size_t begin = name.size();
  for (int depth = 0; begin > 0;) {
    --begin;
    if (name[begin] == '>') ++depth;
    if (name[begin] == '<' && --depth == 0) break;
  }
  while (begin > 0 && name[begin - 1] == ' ') --begin;
  return begin == 0 ? name : name.substr(0, begin); // <lambda(int)> is no argument
}

std::string name_of_symbol(const std::string& symbol) {
  if (starts(symbol, 0, "_Z")) {
    int status = 0;
    char* text = abi::__cxa_demangle(symbol.substr(0, symbol.find('.')).c_str(), nullptr, nullptr, &status);
    if (!text) return symbol;
    const std::string demangled = text;
    std::free(text);
    return plain_name(demangled);
  }
  std::string name = written_name(symbol);
  name = written_name(name.substr(0, name.find('.', 1))); // clones: solve.part.0
  if (const std::size_t module = name.find("_MOD_"); starts(name, 0, "__") && module != std::string::npos)
    return name.substr(2, module - 2) + "::" + name.substr(module + 5);
  if (name.size() > 1 && name.back() == '_') name.pop_back();
  return name;
}

} // namespace andes::monitor
