// What the older build's what-if said, and what came of it: changes that were made stand in the table.
#include <algorithm>
#include <fmt/format.h>

#include "postproc/view/columns/promises.h"
#include "postproc/view/diff_view.h"
#include "postproc/view/views.h"
#include "postproc/view/what_if_text.h"

namespace andes::postproc {

ShownPromises shown_promises(const Promises& promises) {
  constexpr std::size_t most = 5;
  ShownPromises shown;
  for (const Promise& promise : promises.all) {
    const bool counts = promise.kept != Kept::not_realised;
    if (promise.asked || (counts && shown.rows.size() < most)) shown.rows.push_back(promise);
    else if (!counts) ++shown.not_realised;
  }
  return shown;
}

std::string promises_text(const Terminal& terminal, const Promises& promises) {
  const ShownPromises shown = shown_promises(promises);
  if (shown.rows.empty()) return {};
  const bool single = std::ranges::any_of(shown.rows, [](const Promise& promise) { return !promise.realised_s.low; });
  std::string text = wrapped(fmt::format("What the earlier build promised, and what was realised of it (of T{}):",
                                         single ? "; single runs have no spread, so values alone are compared" : ""),
                             terminal.width, "  ", "  ") +
                     table_text(terminal, columns::text_table(columns::promises(), shown.rows));
  if (shown.not_realised > 0)
    text += fmt::format("  Not realised: {} more of its what-if (--json lists them)\n", shown.not_realised);
  return text + wrapped(words_of_changes, terminal.width, "  ", "  ");
}

Json promises_json(const Promises& promises, bool grid) {
  Json json{{"ranks", promises.ranks}};
  if (grid) json["threads"] = promises.threads;
  json["time_s"] = promises.time_s;
  json["changes"] = columns::json_rows(columns::promises(), promises.all);
  return json;
}

} // namespace andes::postproc
