// The JSON input format of Extra-P (https://github.com/extra-p/extrap/blob/master/docs/file-formats.md): for each call
// path of the newest build its metrics at every size, a value for each repeat, as a mean over the ranks. Parameters are
// the ranks (p), the threads of a rank (t) where they differ, and the axes of a varied run.
//
// A call path is its names joined by "->"; in a name this becomes an arrow. Where a run does not have a call path it
// took no time, since Extra-P wants all call paths at all sizes.
#include <algorithm>
#include <fmt/format.h>
#include <map>

#include "common/refusal.h"
#include "postproc/model/read_run.h"
#include "postproc/view/export/export.h"
#include "postproc/view/json.h"

namespace andes::postproc {
namespace {

constexpr const char* option = "--format extrap";

using Coordinates = std::vector<double>;
/// By coordinates, a value for each repeat.
using Measurements = std::map<Coordinates, std::vector<double>>;

struct Metric {
  const char* name;
  double (*value)(const TreeRow& row); // a sum over the ranks
};
constexpr Metric metrics[] = {{"time", [](const TreeRow& row) { return row.exclusive_s; }},
                              {"inclusive time", [](const TreeRow& row) { return row.inclusive_s; }},
                              {"visits", [](const TreeRow& row) { return row.visits; }},
                              {"bytes sent", [](const TreeRow& row) { return row.bytes_sent; }}};

/// The sizes that may stand for the program: those without too many ranks for the cores, if there are any.
std::vector<const Point*> usable_points(const Build& build) {
  std::vector<const Point*> points;
  const bool all =
      std::all_of(build.points.begin(), build.points.end(), [](const Point& p) { return p.oversubscribed; });
  for (const Point& point : build.points)
    if (all || !point.oversubscribed) points.push_back(&point);
  return points;
}

std::string name_in_path(std::string name) {
  for (std::size_t at = 0; (at = name.find("->", at)) != name.npos;) name.replace(at, 2, "\u2192");
  return name;
}

struct Experiment {
  std::vector<std::string> parameters;
  std::map<Coordinates, std::size_t> repeats;
  std::vector<std::string> paths; // in the order of the runs
  std::map<std::string, std::vector<Measurements>> measured; // of a path, by metric
};

void add_run(Experiment& experiment, const Coordinates& coordinates, const std::string& file) {
  const Profile profile = read_run(file, Detail::tree);
  const Tree tree = tree_of(profile, profile.statistics);
  const std::size_t repeat = experiment.repeats[coordinates]++;
  std::map<int, std::string> paths; // by call path
  for (const TreeRow& row : tree.rows) {
    const std::string path = (row.parent ? paths.at(*row.parent) + "->" : "") + name_in_path(row.name);
    paths[row.id] = path;
    const auto [measured, is_new] = experiment.measured.try_emplace(path, std::size(metrics));
    if (is_new) experiment.paths.push_back(path);
    for (std::size_t metric = 0; metric < std::size(metrics); ++metric) {
      std::vector<double>& values = measured->second[metric][coordinates];
      values.resize(std::max(values.size(), repeat + 1)); // call paths of the same names are one
      values[repeat] += metrics[metric].value(row) / profile.ranks;
    }
  }
}

/// The parameters of all series, which must be of one program with the same axes, all of numbers.
std::vector<std::string> parameters_of(const Reports& results) {
  const Series& first = results.series.front();
  std::vector<std::string> names{"p"};
  bool threads = false;
  for (const Series& series : results.series) {
    if (series.program != first.program)
      refuse(option, "the runs are of several programs", "give the runs of one program");
    if (series.axes.size() != first.axes.size())
      refuse(option, "the series have different axes", "give the runs of one sweep");
    for (const Build& build : series.builds)
      for (const Point& point : build.points) threads |= point.threads != 1;
  }
  if (threads) names.push_back("t");
  for (const RunAxis& axis : first.axes) names.push_back(axis.name);
  return names;
}

Coordinates coordinates_of(const Experiment& experiment, const Series& series, const Point& point) {
  Coordinates coordinates{static_cast<double>(point.ranks)};
  if (experiment.parameters.size() > 1 + series.axes.size()) coordinates.push_back(point.threads);
  for (const RunAxis& axis : series.axes) {
    const auto number = number_of(axis.grows && !axis.base.empty() ? axis.base : axis.value);
    if (!number)
      refuse(option, fmt::format("the axis {} has values that are no numbers", axis.name),
             "give the runs of one of its values");
    coordinates.push_back(*number);
  }
  return coordinates;
}

std::string extrap(const Terminal&, const Reports& results) {
  Experiment experiment;
  experiment.parameters = parameters_of(results);
  for (const Series& series : results.series)
    for (const Point* point : usable_points(series.builds.back()))
      for (const SeriesRun& run : point->runs)
        add_run(experiment, coordinates_of(experiment, series, *point), run.profile.file);
  Json json{{"parameters", experiment.parameters}};
  json["measurements"] = Json::object();
  for (const std::string& path : experiment.paths)
    for (std::size_t metric = 0; metric < std::size(metrics); ++metric) {
      Json& list = json["measurements"][path][metrics[metric].name] = Json::array();
      for (const auto& [coordinates, repeats] : experiment.repeats) {
        std::vector<double>& values = experiment.measured.at(path)[metric][coordinates];
        values.resize(repeats);
        list.push_back({{"point", coordinates}, {"values", values}});
      }
    }
  return document(json);
}

} // namespace

const Export report_extrap = Format<Reports>{{"extrap", "Print call paths at all sizes as Extra-P reads them"}, extrap};

} // namespace andes::postproc
