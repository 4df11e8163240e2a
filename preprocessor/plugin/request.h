// What `andes cc` asks of the plug-in: a file named by an environment variable, so that nothing of it is among the
// compiler's arguments, which debug information may repeat. Lines `KEY VALUE`, then a line `rules` and the rules of the
// selection (selection.h, lines_of).
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "preprocessor/selection.h"

namespace andes::preprocessor::plugin {

inline constexpr const char* request_variable = "ANDES_PLUGIN_REQUEST";

struct Request {
  Selection selection;
};

inline std::string text_of(const Request& request) { return "rules\n" + lines_of(request.selection); }

inline Request request_of(std::string_view text) {
  constexpr std::string_view rules = "rules\n";
  const std::size_t begin = text.find(rules);
  return {begin == text.npos ? Selection() : selection_of(text.substr(begin + rules.size()))};
}

} // namespace andes::preprocessor::plugin
