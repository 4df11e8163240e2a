#include "postproc/view/left_out_text.h"

#include <algorithm>
#include <fmt/format.h>
#include <span>

#include "postproc/view/columns/left_out.h"

namespace andes::postproc {

std::string left_out_text(const Terminal& terminal, const std::vector<LeftOutTime>& times, int indent) {
  constexpr std::size_t most = 10;
  constexpr double least_percent = 1;
  const auto light =
      std::find_if(times.begin(), times.end(), [](const LeftOutTime& time) { return time.percent < least_percent; });
  const auto heavy = static_cast<std::size_t>(light - times.begin());
  if (heavy == 0) return {};
  const std::string margin(static_cast<std::size_t>(indent), ' ');
  const std::span shown(times.data(), std::min(heavy, most));
  std::string text = wrapped("Functions without a probe (their time is in that of their callers; estimated from the "
                             "operations in the source):",
                             terminal.width, '\n' + margin, margin) +
                     table_text(terminal, text_table(columns::left_out(), shown), indent);
  if (heavy > most) text += margin + fmt::format("and {} more (--json lists them)\n", heavy - most);
  if (std::any_of(shown.begin(), shown.end(), [](const LeftOutTime& time) { return time.unknown_work; }))
    text += wrapped("*: too large if libraries or code of unknown work take time there (they count as none)",
                    terminal.width, margin, margin);
  return text;
}

} // namespace andes::postproc
