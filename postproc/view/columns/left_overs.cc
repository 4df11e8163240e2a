#include "postproc/view/columns/left_overs.h"

namespace andes::postproc::columns {

List<NamedLeftOver> left_overs() {
  using L = const NamedLeftOver&;
  const auto known = [](const std::optional<int>& number) { return number ? Value(*number) : Value(); };
  const auto path = [](const std::vector<std::string>& names) { return names.empty() ? Value() : Value(names); };
  return List<NamedLeftOver>{
      {.key = "kind", .value = &NamedLeftOver::kind},
      {.key = "events", .value = [](L l) { return Whole{l.events}; }},
      {.key = "rank", .value = [known](L l) { return known(l.rank); }},
      {.key = "peer_rank", .value = [known](L l) { return known(l.peer_rank); }},
      {.key = "tag", .value = [known](L l) { return known(l.tag); }},
      {.key = "root", .value = [known](L l) { return known(l.root); }},
      {.key = "peer_root", .value = [known](L l) { return known(l.peer_root); }},
      {.key = "path", .value = [path](L l) { return path(l.path); }},
      {.key = "file", .value = [](L l) { return columns::known(l.place.file); }},
      {.key = "line", .value = [](L l) { return known_line(l.place.line); }},
      {.key = "peer_path", .value = [path](L l) { return path(l.peer_path); }},
      {.key = "peer_file", .value = [](L l) { return columns::known(l.peer_place.file); }},
      {.key = "peer_line", .value = [](L l) { return known_line(l.peer_place.line); }},
  };
}

} // namespace andes::postproc::columns
