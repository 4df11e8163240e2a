#include "postproc/view/columns/left_out.h"

#include <fmt/format.h>

#include "postproc/view/diagnosis_text.h"
#include "postproc/view/number.h"

namespace andes::postproc::columns {
namespace {

/// The heaviest callers; how many others there are.
std::string callers(const LeftOutTime& time) {
  constexpr std::size_t most = 2;
  std::string text;
  for (std::size_t i = 0; i < std::min(most, time.callers.size()); ++i) text += (i == 0 ? "" : ", ") + time.callers[i];
  return time.callers.size() <= most ? text : fmt::format("{} and {} more", text, time.callers.size() - most);
}

} // namespace

List<LeftOutTime> left_out(bool marks_estimated) {
  using L = const LeftOutTime&;
  return List<LeftOutTime>{
      {.key = "name",
       .value = [](L time) { return time.function.name; },
       .text =
           {.title = "function", .cell = [](L time) { return time.function.name; }, .align = left, .gives_way = true},
       .text_after = "estimated_percent"},
      {.key = "file", .value = [](L time) { return known(time.function.file); }},
      {.key = "line",
       .value = [](L time) { return known_line(time.function.line); },
       .text = {.cell = [](L time) { return source_text(time.function.file, time.function.line); }, .align = left},
       .text_after = "name"},
      {.key = "estimated_percent",
       .value = &LeftOutTime::percent,
       .text = {.title = "about %",
                .cell = [marks_estimated](L time) -> Cell {
                  return (marks_estimated && !time.is_sampled ? "~" : "") + fixed(time.percent, 1) +
                         (time.unknown_work ? "*" : "");
                }}},
      {.key = "sampled", .value = &LeftOutTime::is_sampled},
      {.key = "unknown_work", .value = &LeftOutTime::unknown_work},
      {.key = "callers",
       .value = &LeftOutTime::callers,
       .text = {.title = "in", .cell = callers, .align = left, .gives_way = true},
       .text_after = "line"},
  };
}

} // namespace andes::postproc::columns
