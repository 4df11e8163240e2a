// The JSON document of `andes diagnose` (docs/json.md). Columns of findings: columns/findings.h.
#include <span>

#include "postproc/view/columns/findings.h"
#include "postproc/view/columns/left_overs.h"
#include "postproc/view/hang_view.h"
#include "postproc/view/json.h"
#include "postproc/view/views.h"

namespace andes::postproc {
namespace {

Json diagnosis_object(const Profile& profile, const Diagnosis& diagnosis, double threshold_percent) {
  std::vector<Finding> findings = diagnosis.findings;
  const std::size_t shown = split_findings(findings, threshold_percent);
  Json json;
  json["findings"] = json_rows(columns::findings(), std::span(findings.data(), shown));
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
  if (!diagnosis.hang.findings.empty()) json["hang"] = hang_json(diagnosis.hang);
  json["measured"] = diagnosis.why_no_waits.empty();
  set(json, "why_not_measured", diagnosis.why_no_waits);
  set(json, "idle_percent", diagnosis.idle_percent);
  if (diagnosis.other_threads_idle_s > 0) json["other_threads_idle_s"] = diagnosis.other_threads_idle_s;
  if (diagnosis.why_no_waits.empty()) {
    json["kept_one_in"] = count_json(diagnosis.kept.one_message_in);
    json["collectives_kept_one_in"] = count_json(diagnosis.kept.one_collective_in);
    json["unclassified_s"] = diagnosis.unclassified_s;
    if (const auto left_overs = named_left_overs(profile); !left_overs.empty())
      json["left_overs"] = json_rows(columns::left_overs(), left_overs);
    json["messages_unmatched"] = count_json(diagnosis.unmatched);
    json["events_unordered"] = count_json(diagnosis.unordered);
    json["events_outside"] = count_json(diagnosis.outside);
    json["events_lost"] = count_json(diagnosis.lost);
    set(json, "events_left_out", diagnosis.left_out);
    if (diagnosis.lost_function_calls > 0) json["function_calls_lost"] = count_json(diagnosis.lost_function_calls);
    json["clock_violations"] = count_json(diagnosis.clock_violations);
  }
  json["some_ranks"] = diagnosis.some_ranks;
  return json;
}

} // namespace

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
