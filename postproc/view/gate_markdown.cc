// A comment for a merge request, in the Markdown that GitHub and GitLab have in common.
#include <algorithm>
#include <fmt/format.h>

#include "common/printable.h"
#include "postproc/view/gate_view.h"
#include "postproc/view/name.h"
#include "postproc/view/number.h"

namespace andes::postproc {
namespace {

/// Text in which nothing is markup.
std::string plain(const std::string& text) {
  std::string result;
  for (const char c : printable(text)) {
    if (std::string_view("\\`*_{}[]<>|#~").find(c) != std::string_view::npos) result += '\\';
    result += c;
  }
  return result;
}

const char* head_of(GateVerdict verdict) {
  switch (verdict) {
  case GateVerdict::regression: return "slower than the tolerance";
  case GateVerdict::no_regression: return "no regression";
  case GateVerdict::not_run: return "not run";
  case GateVerdict::undecided: break;
  }
  return "undecided";
}

std::string change_text(const Shift& percent) {
  if (!percent.low || !percent.high) return fmt::format("{:+.2f}", percent.middle);
  return fmt::format("{:+.2f} \\[{:+.2f}, {:+.2f}\\]", percent.middle, *percent.low, *percent.high);
}

/// What became longer, five call paths at most.
std::string paths_table(const GatedSize& size) {
  constexpr std::size_t most = 5;
  std::string rows;
  std::size_t count = 0;
  for (const ChangedPath& path : size.changes.paths) {
    if (!path.is_longer || count++ == most) continue;
    if (count > most) break;
    rows += fmt::format("| {} | {} | {} | {} | {} |\n", plain(joined_path(path.path)), seconds_text(path.base_s),
                        seconds_text(path.newer_s), change_text(path.whole.percent), plain(path.most.title));
  }
  if (rows.empty()) return {};
  return "\n| longer call path | base s | new s | % of the core time | mostly |\n|---|--:|--:|--:|---|\n" + rows;
}

} // namespace

std::string gate_markdown(const Gate& gate) {
  std::string text = fmt::format("### andes gate of {}: {}\n\n", plain(gate.program), head_of(gate.verdict));
  if (!gate.trouble.empty()) text += "Not complete: " + plain(gate.trouble) + ".\n\n";
  if (gate.sizes.empty()) return text;
  text += fmt::format("| size | base | new | change of T % | tolerance % | pairs | verdict |\n"
                      "|---|--:|--:|--:|--:|--:|---|\n");
  for (const GatedSize& size : gate.sizes) {
    Shift percent{percent_of_log(size.judgement.log_change.middle), {}, {}};
    if (size.judgement.log_change.low) percent.low = percent_of_log(*size.judgement.log_change.low);
    if (size.judgement.log_change.high) percent.high = percent_of_log(*size.judgement.log_change.high);
    const AlikeTimes times = compared_times(size.base_s.median, size.new_s.median);
    text += fmt::format("| {} | {} {} | {} {} | {} | {:.3g} | {} | {} |\n", size_words(size), times.texts[0],
                        times.unit, times.texts[1], times.unit, change_text(percent), gate.tolerance_percent,
                        size.pairs.size(), head_of(size.verdict));
  }
  for (const GatedSize& size : gate.sizes) {
    if (const std::string cause = cause_sentence(size); !cause.empty())
      text += fmt::format("\n**{}**: {}\n", size_words(size), plain(cause));
    text += paths_table(size);
    const std::vector<std::string> sentences = remarks(gate, size);
    if (!sentences.empty()) text += '\n';
    for (const std::string& sentence : sentences) text += fmt::format("- {}: {}\n", size_words(size), plain(sentence));
  }
  return text;
}

} // namespace andes::postproc
