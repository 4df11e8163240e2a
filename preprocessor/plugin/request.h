// What `andes cc` asks of the plug-in: a file named by an environment variable, so that nothing of it is among the
// compiler's arguments, which debug information may repeat. Lines `KEY VALUE`, then a line `rules` and the rules of the
// selection (selection.h, lines_of). What is to be said of the source comes back in a file beside it, to which each
// source of the command appends: lines for the user (`say`), rows of --explain (`row`), counts (`all`: with probes,
// all, source); parts are separated by tabs.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "preprocessor/options.h"
#include "preprocessor/selection.h"

namespace andes::preprocessor::plugin {

inline constexpr const char* request_variable = "ANDES_PLUGIN_REQUEST";

/// The plug-in's error where it cannot work for what is compiled.
inline constexpr const char* refusal = "probes need x86-64 and assembler in the form of AT&T";

/// The end of the answer's name.
inline constexpr const char* answer_suffix = ".answer";

struct Request {
  Selection selection;
  Options::Loops loops = Options::Loops::none;
  bool openmp = true;
  bool explain = false;
};

inline std::string text_of(const Request& request) {
  return std::string("loops ") + "noa"[int(request.loops)] + "\nopenmp " + (request.openmp ? "on" : "off") +
         "\nexplain " + (request.explain ? "on" : "off") + "\nrules\n" + lines_of(request.selection);
}

inline Request request_of(std::string_view text) {
  Request request;
  constexpr std::string_view rules = "rules\n";
  const std::size_t begin = text.find(rules);
  const std::string_view head = text.substr(0, begin);
  if (begin != text.npos) request.selection = selection_of(text.substr(begin + rules.size()));
  if (head.find("loops o") != head.npos) request.loops = Options::Loops::outer;
  if (head.find("loops a") != head.npos) request.loops = Options::Loops::all;
  request.openmp = head.find("openmp off") == head.npos;
  request.explain = head.find("explain on") != head.npos;
  return request;
}

} // namespace andes::preprocessor::plugin
