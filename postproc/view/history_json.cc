// The JSON document of `andes report --history` (docs/json.md).
#include "postproc/view/columns/guess.h"
#include "postproc/view/history_view.h"
#include "postproc/view/json.h"

namespace andes::postproc {
namespace {

Json commits_json(const HistoryGroup& group) {
  Json commits = Json::array();
  for (const HistoryCommit& commit : group.commits) {
    Json json = Json::object();
    set(json, "commit", commit.commit);
    set(json, "build", commit.build);
    json["time"] = commit.time;
    set(json, "branch", commit.branch);
    json["time_s"] = commit.time_s;
    json["files"] = json["times_s"] = Json::array();
    for (const HistoryRun* run : commit.runs) {
      json["files"].push_back(run->file);
      json["times_s"].push_back(run->time_s);
    }
    commits.push_back(std::move(json));
  }
  return commits;
}

Json terms_json(const std::vector<HistoryTerm>& terms) {
  Json json = Json::array();
  for (const HistoryTerm& term : terms)
    json.push_back({{"name", term.name},
                    {"title", term.title},
                    {"before_s", term.before_s},
                    {"after_s", term.after_s},
                    {"change_s", term.change_s()}});
  return json;
}

Json paths_json(const std::vector<HistoryPath>& paths) {
  Json json = Json::array();
  for (const HistoryPath& path : paths) {
    Json one{{"path", path.path}};
    set(one, "file", path.file);
    if (path.line > 0) one["line"] = path.line;
    columns::add_columns(one, columns::guess_columns<HistoryPath>(), path);
    one["before_s"] = path.before_s;
    one["after_s"] = path.after_s;
    one["change_s"] = estimate_json(path.change_s);
    set(one, "part", path.part);
    json.push_back(std::move(one));
  }
  return json;
}

Json change_json(const HistoryGroup& group, const HistoryChange& change, const CommitsBetween& between) {
  Json json{{"at", change.point.at},     {"low", change.point.low},
            {"high", change.point.high}, {"before_s", change.before_s},
            {"after_s", change.after_s}, {"change_percent", estimate_json(change.percent)}};
  set(json, "commit", group.commits[change.point.at].commit);
  const auto ends = ends_of(group, change);
  set(json, "behind", ends.first);
  set(json, "up_to", ends.second);
  if (const auto found = between.find(ends); found != between.end()) {
    json["commits"] = Json::array();
    for (const CommitTitle& commit : found->second)
      json["commits"].push_back({{"commit", commit.commit}, {"title", commit.title}});
  }
  if (!change.conditions.empty()) json["also_changed"] = change.conditions;
  json["terms"] = terms_json(change.terms);
  json["callpaths"] = paths_json(change.paths);
  return json;
}

} // namespace

std::string history_json(const History& history, const CommitsBetween& between) {
  Json json{{"schema", 1}, {"histories", Json::array()}};
  for (const HistoryGroup& group : history.groups) {
    Json one{{"program", group.program}, {"command", group.command}};
    set(one, "label", group.label);
    one["host"] = group.host;
    one["mpi_library"] = group.mpi;
    one["ranks"] = group.ranks;
    one["threads"] = group.threads;
    one["ordered_by"] = group.by_git ? "git" : "time";
    one["commits"] = commits_json(group);
    one["changes"] = Json::array();
    for (const HistoryChange& change : group.changes) one["changes"].push_back(change_json(group, change, between));
    json["histories"].push_back(std::move(one));
  }
  json["left_out"] = Json::array();
  for (const auto& [reason, runs] : history.left_out) json["left_out"].push_back({{"reason", reason}, {"runs", runs}});
  return document(json);
}

} // namespace andes::postproc
