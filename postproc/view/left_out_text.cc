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
  const auto is_sampled = [](const LeftOutTime& time) { return time.is_sampled; };
  const bool all_sampled = std::ranges::all_of(shown, is_sampled),
             none_sampled = std::ranges::none_of(shown, is_sampled);
  std::string text = wrapped(fmt::format("Functions without a probe (their time is in that of their callers; {}):",
                                         none_sampled ? "estimated from the operations in the source"
                                                      : "as samples of the program tell"),
                             terminal.width, '\n' + margin, margin) +
                     table_text(terminal, text_table(columns::left_out(!none_sampled), shown), indent);
  if (heavy > most) text += margin + fmt::format("and {} more (--json lists them)\n", heavy - most);
  if (!all_sampled && !none_sampled)
    text += wrapped("~: not sampled often enough; estimated from the operations in the source", terminal.width, margin,
                    margin);
  if (std::any_of(shown.begin(), shown.end(), [](const LeftOutTime& time) { return time.unknown_work; }))
    text += wrapped("*: too large if libraries or code of unknown work take time there (they count as none)",
                    terminal.width, margin, margin);
  return text;
}

} // namespace andes::postproc
