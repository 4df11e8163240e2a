// The JSON document of `andes top --json` (docs/live.md).
#include "postproc/view/json.h"
#include "postproc/view/top_text.h"

namespace andes::postproc {
namespace {

using Status = LiveRank::Status;

const char* word_of(Status status) {
  switch (status) {
  case Status::starting: return "starting";
  case Status::running: return "running";
  case Status::off: return "off";
  case Status::finalizing: return "finalizing";
  case Status::ended: break;
  }
  return "ended";
}

void set(Json& object, const char* name, const std::optional<LiveShare>& share) {
  if (share)
    object[name] = {{"compute_percent", share->compute},
                    {"communication_percent", share->communication},
                    {"tool_percent", share->tool}};
}

Json rank_json(const LiveRankRow& row) {
  const LiveRank& rank = *row.rank;
  Json json = Json::object();
  if (rank.status != Status::starting) json["rank"] = rank.rank;
  json.update({{"host", rank.host}, {"process", rank.process}, {"status", word_of(rank.status)}});
  postproc::set(json, "ending", rank.ending);
  if (rank.wall_ns > 0) json["wall_s"] = rank.wall_ns * 1e-9;
  set(json, "last", row.shares.last);
  set(json, "since_start", row.shares.whole);
  if (rank.now) {
    json["now_in"] = rank.now->names;
    json["in_mpi"] = rank.now->mpi;
    if (rank.now_ns) json["open_for_s"] = *rank.now_ns * 1e-9;
  }
  return json;
}

} // namespace

std::string top_json(const LiveView& view) {
  Json json{{"schema", 1}, {"job", view.job->name}, {"program", view.job->program}};
  if (view.job->size > 0) json["ranks"] = view.job->size;
  json["running"] = view.running;
  json["ended"] = view.ended;
  json["elapsed_s"] = view.job->elapsed_ns * 1e-9;
  if (view.interval_s > 0) json["interval_s"] = view.interval_s;
  set(json, "last", view.shares.last);
  set(json, "since_start", view.shares.whole);
  postproc::set(json, "last_load_balance", view.last_balance);
  postproc::set(json, "load_balance", view.whole_balance);
  json["callpaths"] = Json::array();
  for (const LivePathRow& row : view.paths) {
    Json path{{"path", row.path->names}, {"mpi", row.path->mpi}, {"percent", row.whole_percent}};
    postproc::set(path, "last_percent", row.last_percent);
    json["callpaths"].push_back(std::move(path));
  }
  json["rank_states"] = Json::array();
  for (const LiveRankRow& row : view.ranks) json["rank_states"].push_back(rank_json(row));
  if (!view.job->unreadable.empty()) json["unreadable"] = view.job->unreadable;
  return document(json);
}

} // namespace andes::postproc
