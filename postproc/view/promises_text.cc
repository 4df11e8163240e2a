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
  const auto is_open = [](const Promise& promise) { return promise.kept == Kept::cannot_be_told; };
  const bool only_open = std::ranges::all_of(
      promises.all, [&](const Promise& one) { return !one.asked && (is_open(one) || one.kept == Kept::not_realised); });
  std::size_t not_realised = 0, not_told = 0;
  for (const Promise& promise : promises.all) {
    const bool open = is_open(promise), counts = promise.kept != Kept::not_realised && (!open || only_open);
    if (promise.asked || (counts && shown.rows.size() < most)) shown.rows.push_back(promise);
    else if (open) ++not_told;
    else if (!counts) ++not_realised;
  }
  if (not_realised > 0) shown.more = fmt::format("Not realised: {} more of its what-if", not_realised);
  if (not_told > 0)
    shown.more += fmt::format("{} with these runs: {} more{}", not_realised > 0 ? "; cannot be told" : "Cannot be told",
                              not_told, not_realised > 0 ? "" : " of its what-if");
  return shown;
}

std::string promises_text(const Terminal& terminal, const Promises& promises) {
  const ShownPromises shown = shown_promises(promises);
  if (shown.rows.empty()) return {};
  std::string text =
      wrapped("What the earlier build promised, and what was realised of it (of T):", terminal.width, "  ", "  ") +
      table_text(terminal, columns::text_table(columns::promises(), shown.rows));
  if (!shown.more.empty()) text += wrapped(shown.more + " (--json lists them)", terminal.width, "  ", "  ");
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
