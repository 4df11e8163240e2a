// The "json-split" format of Caliper's cali-query, which Hatchet's from_caliper and Thicket's from_caliperreader
// read: a row for each call path and rank, the call paths as nodes with their parents, and facts of the run beside
// them, which Thicket takes for metadata. Times of a rank are those of all its threads.
#include "postproc/view/export/call_paths.h"
#include "postproc/view/export/export.h"
#include "postproc/view/json.h"

namespace andes::postproc {
namespace {

/// Sums over the threads of each rank.
std::map<int, LocationTimes> times_by_rank(const ShownRun& run) {
  std::map<int, LocationTimes> ranks;
  for (LocationTimes& times : times_by_location(run, "caliper")) {
    const auto [rank, is_new] = ranks.try_emplace(times.rank);
    if (is_new) {
      rank->second = std::move(times);
      continue;
    }
    for (std::size_t row = 0; row < times.own_ns.size(); ++row) {
      rank->second.own_ns[row] += times.own_ns[row];
      rank->second.inclusive_ns[row] += times.inclusive_ns[row];
    }
  }
  return ranks;
}

void set_facts(Json& json, const Profile& profile) {
  json["program"] = fact_text(profile, "program");
  json["command"] = command_line(profile);
  json["mpi.world.size"] = profile.ranks;
  json["wall_s"] = profile.wall_s;
  json["run_file"] = profile.file;
  for (const FactName fact : std::initializer_list<FactName>{"started", "executable_hash", "mpi_library", "label"})
    set(json, fact.text, fact_text(profile, fact));
  for (const FactName fact : std::initializer_list<FactName>{"threads", "repeat"})
    set(json, fact.text, fact_number(profile, fact));
}

std::string caliper(const Terminal&, const ShownRun& run) {
  require_call_paths(run, "caliper");
  const std::vector<TreeRow>& rows = run.tree.rows;
  const std::vector<std::size_t> order = rows_in_order(run.tree);
  std::map<int, std::size_t> nodes; // by call path
  Json list = Json::array(), data = Json::array();
  for (const std::size_t row : order) {
    Json node{{"label", rows[row].name}, {"column", "path"}};
    if (rows[row].parent) node["parent"] = nodes.at(*rows[row].parent);
    nodes.emplace(rows[row].id, nodes.size());
    list.push_back(std::move(node));
  }
  for (const auto& [rank, times] : times_by_rank(run))
    for (std::size_t node = 0; node < order.size(); ++node)
      data.push_back({node, rank, 1e-9 * static_cast<double>(times.own_ns[order[node]]),
                      1e-9 * static_cast<double>(times.inclusive_ns[order[node]])});
  Json json;
  json["data"] = std::move(data);
  json["columns"] = {"path", "mpi.rank", "sum#time.duration", "inclusive#sum#time.duration"};
  for (const bool is_value : {false, true, true, true}) json["column_metadata"].push_back({{"is_value", is_value}});
  json["nodes"] = std::move(list);
  set_facts(json, run.profile);
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
}

} // namespace

const Export show_caliper =
    Format<ShownRun>{{"caliper", "Print the call paths of each rank as Hatchet and Thicket read them"}, caliper};

} // namespace andes::postproc
