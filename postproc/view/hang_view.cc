#include "postproc/view/hang_view.h"

namespace andes::postproc {

std::vector<std::string> hang_text(const Terminal& terminal, const Hang& hang, int width) {
  const auto cut = [&](const std::string& line) {
    return width > 0 ? cut_middle(printable(line), width, terminal.utf8) : printable(line);
  };
  std::vector<std::string> lines;
  for (const HangFinding& finding : hang.findings) {
    const std::vector<std::string> told = hang_lines({{finding}});
    lines.push_back(styled(terminal, is_certain(finding) ? Style::red : Style::yellow, cut(told.front())));
    for (std::size_t i = 1; i < told.size(); ++i) lines.push_back(cut(told[i]));
  }
  return lines;
}

Json hang_json(const Hang& hang) {
  Json list = Json::array();
  for (const HangFinding& finding : hang.findings) {
    Json states = Json::array();
    for (const HangState& state : finding.states) {
      Json one = {{"state", hang_words[static_cast<int>(state.what)]},
                  {"ranks", state.ranks},
                  {"thread", state.thread},
                  {"call", state.call},
                  {"path", state.path},
                  {"place", state.place},
                  {"waits_for", state.waits_for},
                  {"any", state.any},
                  {"text", state_text(state)}};
      if (state.since_s >= 0) one["since_s"] = state.since_s;
      states.push_back(std::move(one));
    }
    list.push_back({{"kind", hang_kinds[static_cast<int>(finding.kind)]},
                    {"certain", is_certain(finding)},
                    {"ranks", finding.ranks},
                    {"behind", finding.behind},
                    {"reason", finding.reason},
                    {"polls", finding.polls},
                    {"early", finding.early},
                    {"more_threads", finding.more_threads},
                    {"text", head_text(finding)},
                    {"states", states}});
  }
  return list;
}

} // namespace andes::postproc
