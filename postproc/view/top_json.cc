// The JSON document of `andes top --json` (docs/live.md). Columns of its tables: columns/live.h.
#include "postproc/view/columns/live.h"
#include "postproc/view/hang_view.h"
#include "postproc/view/json.h"
#include "postproc/view/top_text.h"

namespace andes::postproc {
namespace {

/// Nothing where there is none.
void set_shares(Json& json, const LiveShares& shares) {
  if (shares.last) add_columns(json["last"], columns::live_shares(), *shares.last);
  if (shares.whole) add_columns(json["since_start"], columns::live_shares(), *shares.whole);
}

} // namespace

std::string top_json(const LiveView& view) {
  Json json{{"schema", 1}, {"job", view.job->name}, {"program", view.job->program}};
  if (view.job->size > 0) json["ranks"] = view.job->size;
  json["running"] = view.running;
  json["ended"] = view.ended;
  json["elapsed_s"] = view.job->elapsed_ns * 1e-9;
  if (view.interval_s > 0) json["interval_s"] = view.interval_s;
  set_shares(json, view.shares);
  set(json, "last_load_balance", view.last_balance);
  set(json, "load_balance", view.whole_balance);
  json["callpaths"] = json_rows(columns::live_paths(view), view.paths);
  json["rank_states"] = json_rows(columns::live_ranks(view), view.ranks);
  json["hang"] = hang_json(view.job->hang);
  if (!view.job->unreadable.empty()) json["unreadable"] = view.job->unreadable;
  return document(json);
}

} // namespace andes::postproc
