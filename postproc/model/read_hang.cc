#include "postproc/model/read_hang.h"

#include <iterator>
#include <nlohmann/json.hpp>

namespace andes::postproc {
namespace {

using Json = nlohmann::json;

/// Index of a word; the last one for a word that a later version writes.
template <std::size_t count> int index_of(const char* const (&words)[count], const std::string& word) {
  for (std::size_t i = 0; i < count; ++i)
    if (words[i] == word) return static_cast<int>(i);
  return static_cast<int>(count) - 1;
}

HangState state_of(const Json& json) {
  HangState state;
  state.what = static_cast<HangState::What>(index_of(hang_words, json.at("state").get<std::string>()));
  json.at("ranks").get_to(state.ranks);
  json.at("thread").get_to(state.thread);
  json.at("call").get_to(state.call);
  json.at("path").get_to(state.path);
  json.at("place").get_to(state.place);
  state.since_s = json.value("since_s", -1.0);
  json.at("waits_for").get_to(state.waits_for);
  json.at("any").get_to(state.any);
  return state;
}

} // namespace

Hang hang_of(const Profile& profile) {
  const Json list = Json::parse(fact_text(profile, "hang", "[]"), nullptr, false);
  Hang hang;
  if (!list.is_array()) return hang;
  try {
    for (const Json& json : list) {
      HangFinding& finding = hang.findings.emplace_back();
      finding.kind = static_cast<HangFinding::Kind>(index_of(hang_kinds, json.at("kind").get<std::string>()));
      json.at("ranks").get_to(finding.ranks);
      json.at("behind").get_to(finding.behind);
      json.at("reason").get_to(finding.reason);
      finding.polls = json.value("polls", false);
      finding.early = json.value("early", std::string());
      json.at("more_threads").get_to(finding.more_threads);
      for (const Json& state : json.at("states")) finding.states.push_back(state_of(state));
    }
  } catch (const Json::exception&) {
    return {};
  }
  return hang;
}

} // namespace andes::postproc
