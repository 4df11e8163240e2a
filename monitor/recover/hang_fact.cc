#include "monitor/recover/hang_fact.h"

#include <cstdio>

#include "monitor/finish/json_text.h"

namespace andes::monitor {
namespace {

std::string list(const std::vector<int>& numbers) {
  std::string json = "[";
  for (const int number : numbers) {
    if (json.size() > 1) json += ',';
    json += std::to_string(number);
  }
  return json += ']';
}

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

std::string state_json(const HangState& state) {
  return std::string("{\"state\":") + json_text(hang_words[static_cast<int>(state.what)]) +
         ",\"ranks\":" + list(state.ranks) + ",\"thread\":" + std::to_string(state.thread) +
         ",\"call\":" + json_text(state.call) + ",\"path\":" + json_text(state.path) +
         ",\"place\":" + json_text(state.place) +
         (state.since_s < 0 ? std::string() : ",\"since_s\":" + number(state.since_s)) +
         ",\"waits_for\":" + list(state.waits_for) + ",\"any\":" + (state.any ? "true" : "false") + "}";
}

} // namespace

std::string hang_fact(const Hang& hang) {
  std::string json = "[";
  for (const HangFinding& finding : hang.findings) {
    if (json.back() == '}') json += ',';
    json += std::string("{\"kind\":") + json_text(hang_kinds[static_cast<int>(finding.kind)]) +
            ",\"ranks\":" + list(finding.ranks) + ",\"behind\":" + list(finding.behind) +
            ",\"reason\":" + json_text(finding.reason) + ",\"polls\":" + (finding.polls ? "true" : "false") +
            ",\"early\":" + json_text(finding.early) +
            ",\"more_threads\":" + (finding.more_threads ? "true" : "false") + ",\"states\":[";
    for (std::size_t i = 0; i < finding.states.size(); ++i)
      json.append(i > 0 ? "," : "").append(state_json(finding.states[i]));
    json += "]}";
  }
  return json + "]";
}

} // namespace andes::monitor
