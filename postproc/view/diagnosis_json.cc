// The JSON document of `andes diagnose` (docs/json.md).
#include "postproc/view/json.h"
#include "postproc/view/views.h"

namespace andes::postproc {
namespace {

void set_source(Json& object, const Place& place, const char* file, const char* line) {
  if (place.line <= 0) return;
  set(object, file, place.file);
  object[line] = place.line;
}

Json sides_json(const std::vector<WaitPeer>& sides) {
  Json list = Json::array();
  for (const WaitPeer& side : sides) {
    Json json = Json::object();
    if (!side.path.empty()) json["path"] = side.path;
    set_source(json, side.place, "file", "line");
    if (side.rank) json["rank"] = *side.rank;
    json["wait_s"] = side.wait_s;
    json["events"] = side.events;
    list.push_back(std::move(json));
  }
  return list;
}

} // namespace

Json finding_json(const Finding& f) {
  Json json{{"cause", f.cause}};
  set(json, "title", f.title);
  set(json, "description", f.description);
  json["severity_s"] = f.severity_s;
  set(json, "error_s", f.error_s);
  json["percent"] = f.percent;
  json["gain_s"] = {{"low", f.gain.low_s}, {"high", f.gain.high_s}};
  set(json, "events", f.events);
  json["path"] = f.path;
  set_place(json, f.kind, f.place.file, f.place.line);
  json["peer_path"] = f.peers.empty() ? std::vector<std::string>() : f.peers.front().path;
  if (!f.peers.empty()) {
    set_source(json, f.peers.front().place, "peer_file", "peer_line");
    if (f.peers.front().rank) json["peer_rank"] = *f.peers.front().rank;
    json["peers"] = sides_json(f.peers);
  }
  if (!f.origins.empty()) {
    const WaitPeer& origin = f.origins.front();
    json["origin"] = {{"path", origin.path}};
    if (origin.rank) json["origin"]["rank"] = *origin.rank;
    json["origins"] = sides_json(f.origins);
  }
  json["ranks"] = Json::array();
  for (const WaitingRank& r : f.ranks) json["ranks"].push_back({{"rank", r.rank}, {"wait_s", r.wait_s}});
  json["advice"] = f.advice;
  return json;
}

Json diagnosis_object(const Profile& profile, const Diagnosis& diagnosis, double threshold_percent) {
  std::vector<Finding> findings = diagnosis.findings;
  const std::size_t shown = split_findings(findings, threshold_percent);
  Json json;
  json["findings"] = Json::array();
  for (std::size_t i = 0; i < shown; ++i) json["findings"].push_back(finding_json(findings[i]));
  double rest_s = 0, rest_percent = 0;
  for (std::size_t i = shown; i < findings.size(); ++i) {
    rest_s += findings[i].severity_s;
    rest_percent += findings[i].percent;
  }
  json["below_threshold"] = {{"threshold_percent", threshold_percent},
                             {"findings", findings.size() - shown},
                             {"severity_s", rest_s},
                             {"percent", rest_percent}};
  json["run"] = {
      {"file", profile.file}, {"command", command_line(profile)}, {"ranks", profile.ranks}, {"wall_s", profile.wall_s}};
  json["measured"] = diagnosis.why_no_waits.empty();
  set(json, "why_not_measured", diagnosis.why_no_waits);
  set(json, "idle_percent", diagnosis.idle_percent);
  if (diagnosis.other_threads_idle_s > 0) json["other_threads_idle_s"] = diagnosis.other_threads_idle_s;
  if (diagnosis.why_no_waits.empty()) {
    json["kept_one_in"] = count_json(diagnosis.kept_one_in);
    json["unclassified_s"] = diagnosis.unclassified_s;
    json["messages_unmatched"] = count_json(diagnosis.unmatched);
    json["events_unordered"] = count_json(diagnosis.unordered);
    json["events_lost"] = count_json(diagnosis.lost);
    json["clock_violations"] = count_json(diagnosis.clock_violations);
  }
  json["some_ranks"] = diagnosis.some_ranks;
  return json;
}

std::string diagnosis_json(const std::vector<DiagnosedRun>& runs, double threshold_percent) {
  Json json{{"schema", 1}};
  if (runs.size() == 1) {
    json.update(diagnosis_object(runs[0].profile, runs[0].diagnosis, threshold_percent));
    return document(json);
  }
  json["runs"] = Json::array();
  for (const DiagnosedRun& run : runs)
    json["runs"].push_back(diagnosis_object(run.profile, run.diagnosis, threshold_percent));
  return document(json);
}

} // namespace andes::postproc
