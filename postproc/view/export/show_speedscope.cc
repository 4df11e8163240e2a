// The file format of speedscope (https://www.speedscope.app/file-format-schema.json): one profile of all ranks
// together, a sample for each call path, whose weight is its own time in seconds.
#include "postproc/view/export/call_paths.h"
#include "postproc/view/export/export.h"
#include "postproc/view/json.h"

namespace andes::postproc {
namespace {

Json frame_of(const TreeRow& row) {
  Json frame{{"name", row.name}};
  set(frame, "file", row.file);
  if (row.line > 0) frame["line"] = row.line;
  return frame;
}

std::string speedscope(const Terminal&, const ShownRun& run) {
  require_call_paths(run, "speedscope");
  const std::vector<TreeRow>& rows = run.tree.rows;
  std::map<int, std::size_t> frames; // by region
  Json list = Json::array(), samples = Json::array(), weights = Json::array();
  std::vector<std::vector<std::size_t>> stacks(rows.size());
  double total_s = 0;
  for (const std::size_t row : rows_in_order(run.tree)) {
    const int region = run.profile.callpaths[static_cast<std::size_t>(rows[row].id)].region;
    const auto [frame, is_new] = frames.emplace(region, frames.size());
    if (is_new) list.push_back(frame_of(rows[row]));
    stacks[row].push_back(frame->second);
    for (const std::size_t child : rows[row].children) stacks[child] = stacks[row];
    const double own_s = 1e-9 * static_cast<double>(whole_ns(rows[row].exclusive_s));
    total_s += own_s;
    samples.push_back(std::move(stacks[row]));
    weights.push_back(own_s);
    stacks[row] = {};
  }
  const std::string name = fact_text(run.profile, "program", "program");
  Json profile{{"type", "sampled"},
               {"name", name + ", all ranks together"},
               {"unit", "seconds"},
               {"startValue", 0},
               {"endValue", total_s}};
  profile["samples"] = std::move(samples);
  profile["weights"] = std::move(weights);
  Json json{{"$schema", "https://www.speedscope.app/file-format-schema.json"},
            {"exporter", "andes"},
            {"name", command_line(run.profile)}};
  json["activeProfileIndex"] = 0;
  json["shared"]["frames"] = std::move(list);
  json["profiles"] = Json::array({std::move(profile)});
  return document(json);
}

} // namespace

const Export show_speedscope = Format<ShownRun>{{"speedscope", "Print the file that speedscope opens"}, speedscope};

} // namespace andes::postproc
