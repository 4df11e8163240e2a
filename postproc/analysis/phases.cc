#include "postproc/analysis/phases.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "common/index.h"

namespace andes::postproc {
namespace {

const Region& region_of(const Profile& profile, const Step& step) { return profile.regions[at(step.region)]; }

bool is_step(const Profile& profile, const Step& step) { return region_of(profile, step).kind == "instance"; }

const Statistic& statistic(const Profile& profile, int step, int metric) {
  return profile.step_statistics[at(step) * profile.metrics() + at(metric)];
}

PhaseStep phase_step(const Profile& profile, int step) {
  PhaseStep row;
  row.step = step;
  row.label = label_of_step(profile, step);
  row.number = profile.steps[at(step)].number;
  row.visits = statistic(profile, step, run_file::visits).sum;
  const Statistic& inclusive = statistic(profile, step, run_file::inclusive_ns);
  row.mean_s = inclusive.mean * 1e-9;
  row.min_s = inclusive.min * 1e-9;
  row.max_s = inclusive.max * 1e-9;
  row.max_rank = inclusive.max_rank;
  row.communication_s = statistic(profile, step, run_file::communication_ns).mean * 1e-9;
  if (is_io_known(profile)) row.io_s = statistic(profile, step, run_file::io_ns).mean * 1e-9;
  if (why_no_waits(profile).empty()) row.idle_s = statistic(profile, step, path_idle_ns).mean * 1e-9;
  return row;
}

void complete(Phase& phase) {
  double sum_s = 0;
  for (std::size_t i = 0; i < phase.steps.size(); ++i) {
    sum_s += phase.steps[i].mean_s;
    if (phase.steps[i].mean_s < phase.steps[phase.shortest].mean_s) phase.shortest = i;
    if (phase.steps[i].mean_s > phase.steps[phase.longest].mean_s) phase.longest = i;
  }
  if (!phase.steps.empty()) phase.mean_s = sum_s / static_cast<double>(phase.steps.size());
}

} // namespace

std::string label_of_step(const Profile& profile, int step) {
  std::string label;
  for (; step >= 0; step = profile.steps[at(step)].parent) {
    if (!is_step(profile, profile.steps[at(step)])) continue;
    const auto& number = profile.steps[at(step)].number;
    const std::string own = number ? std::to_string(*number) : "(more)";
    label = label.empty() ? own : std::string(own).append(1, '.').append(label);
  }
  return label;
}

std::vector<Phase> phases_of(const Profile& profile) {
  std::map<int, Phase> phases; // by call path
  for (std::size_t i = 0; i < profile.steps.size(); ++i) {
    const Step& step = profile.steps[i];
    if (!is_step(profile, step)) continue;
    Phase& phase = phases[step.callpath];
    (step.number ? phase.steps : phase.more).push_back(phase_step(profile, static_cast<int>(i)));
  }
  std::vector<Phase> all;
  for (auto& [callpath, phase] : phases) {
    phase.callpath = callpath;
    phase.name = profile.regions[at(profile.callpaths[at(callpath)].region)].name;
    for (const auto* steps : {&phase.steps, &phase.more})
      for (const PhaseStep& step : *steps) phase.visits += step.visits;
    complete(phase);
    all.push_back(std::move(phase));
  }
  return all;
}

std::vector<PathValue> values_of(const Profile& profile) {
  std::map<std::tuple<int, int, std::string>, PathValue> values;
  for (const AttachedValue& from : profile.attached) {
    const int step = profile.first_step_path >= 0 ? from.step : -1;
    PathValue& value = values[{from.callpath, step, from.name}];
    value.callpath = from.callpath;
    value.step = step;
    value.name = from.name;
    value.parts.push_back(&from);
  }
  std::vector<PathValue> all;
  for (auto& [key, value] : values) {
    double sum = 0;
    bool fits = true; // into a number
    std::set<std::size_t> locations;
    for (const AttachedValue* part : value.parts) {
      value.count += part->count;
      value.not_finite += part->not_finite;
      locations.insert(part->location);
      if (part->count == 0) continue;
      fits = fits && part->sum;
      if (fits) sum += *part->sum;
      if (part->min) value.min = std::min(*part->min, value.min.value_or(*part->min));
      if (part->max) value.max = std::max(*part->max, value.max.value_or(*part->max));
      value.last = part->last;
    }
    if (fits && value.count > 0) value.mean = sum / value.count;
    if (locations.size() > 1) value.last.reset();
    all.push_back(std::move(value));
  }
  return all;
}

int callpath_of(const Profile& profile, const PathValue& value) {
  return value.step >= 0 ? profile.first_step_path + value.step : value.callpath;
}

Profile with_steps_apart(const Profile& profile) {
  Profile apart = profile;
  const int first = apart.first_step_path = static_cast<int>(profile.callpaths.size());
  std::map<int, std::vector<double>> in_steps; // sums of a call path, by metric
  for (std::size_t i = 0; i < profile.steps.size(); ++i) {
    const Step& step = profile.steps[i];
    apart.callpaths.push_back({step.parent >= 0 ? first + step.parent : step.callpath, step.region});
    if (is_step(profile, step) && step.parent >= 0) continue; // all of its phase is in steps
    std::vector<double>& sums = in_steps[step.callpath];
    sums.resize(profile.metrics());
    for (int metric = 0; metric < static_cast<int>(profile.metrics()); ++metric)
      if (!is_step(profile, step) || metric == run_file::exclusive_ns)
        sums[at(metric)] += statistic(profile, static_cast<int>(i), metric).sum;
  }
  const double ranks = std::max(1, profile.ranks);
  for (const auto& [callpath, sums] : in_steps) {
    Statistic* const own = &apart.statistics[at(callpath) * profile.metrics()];
    const bool all = std::round(own[run_file::visits].sum - sums[run_file::visits]) == 0;
    for (int metric = 0; metric < static_cast<int>(profile.metrics()); ++metric) {
      if (all) own[metric] = {};
      own[metric].sum -= all ? 0 : sums[at(metric)];
      own[metric].mean = own[metric].sum / ranks;
    }
  }
  apart.statistics.insert(apart.statistics.end(), profile.step_statistics.begin(), profile.step_statistics.end());
  return apart;
}

} // namespace andes::postproc
