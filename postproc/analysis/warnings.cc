// One function per warning, in the order in which they are printed: about the data first (which
// runs, how many), then about what they show.
#include "postproc/analysis/warnings.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <functional>
#include <map>
#include <set>

#include "postproc/analysis/busy_machine.h"
#include "postproc/analysis/growth.h"
#include "postproc/analysis/left_overs.h"
#include "postproc/analysis/size_in_arguments.h"

namespace andes::postproc {
namespace {

using Warnings = std::vector<Warning>;

std::string a_run_at(int ranks) { return fmt::format("a run at {} rank{}", ranks, ranks == 1 ? "" : "s"); }

/// Paths of files come last: the first screen cuts the sentence.
void left_out(const Series& series, Warnings& warnings) {
  const Build& build = series.builds.back();
  const std::string shown = build.unfinished.empty() ? std::string() : build.points.front().runs.front().profile.file;
  std::size_t snapshots = 0, spawned = 0;
  for (const RunUse& run : series.runs) {
    if (run.file == shown) continue; // the report says it of itself
    snapshots += run.reason == RunUse::Reason::snapshot;
    spawned += run.reason == RunUse::Reason::spawned;
    if (run.reason == RunUse::Reason::failed)
      warnings.push_back({"failed_run",
                          fmt::format("{} that {}: left out ({})", a_run_at(run.ranks), run.why_not, run.file),
                          {run.ranks}});
    if (run.reason == RunUse::Reason::incomplete)
      warnings.push_back({"incomplete_run",
                          fmt::format("{} that is {}: left out ({})", a_run_at(run.ranks), run.why_not, run.file),
                          {run.ranks}});
  }
  if (snapshots > 0)
    warnings.push_back(
        {"snapshots",
         fmt::format("{} snapshot{} of runs that had not ended: left out", snapshots, snapshots == 1 ? "" : "s"),
         {}});
  if (spawned > 0)
    warnings.push_back(
        {"spawned_worlds",
         fmt::format("{} world{} that these runs spawned: left out; give the file{} alone to see {}", spawned,
                     spawned == 1 ? "" : "s", spawned == 1 ? "" : "s", spawned == 1 ? "it" : "them"),
         {}});
}

/// A fact that should be the same in all runs of a build, as times are compared between them.
void mixed(const Build& build, const char* id, const char* what,
           const std::function<std::string(const Profile&)>& value, Warnings& warnings) {
  std::set<std::string> values;
  for (const Point& point : build.points)
    for (const SeriesRun& run : point.runs) values.insert(value(run.profile));
  if (values.size() < 2) return;
  warnings.push_back(
      {id,
       fmt::format("the runs differ in {} ({}): their times may not be comparable", what, fmt::join(values, " / ")),
       {}});
}

/// The user wrote {p} or {t} in the program's arguments: whether the problem grows with them, only the user knows. With
/// --force, runs that were started by hand, without that fact, may be among the others.
void size_in_arguments(const Series& series, const Build& build, Warnings& warnings) {
  if (series.weak) return;
  const Point& first = build.points.front();
  const Profile* typed = nullptr;
  bool ranks_differ = false, threads_differ = false;
  for (const Point& point : build.points) {
    ranks_differ |= point.ranks != first.ranks;
    threads_differ |= point.threads != first.threads;
    for (const SeriesRun& run : point.runs)
      if (run.profile.facts.has("swept_arguments")) typed = &run.profile;
  }
  if (!typed) return;
  const std::vector<std::string> arguments = swept_argument_list(*typed);
  const bool ranks = ranks_differ && may_be_size(arguments, "{p}");
  if (!ranks && !(threads_differ && may_be_size(arguments, "{t}"))) return;
  warnings.push_back(
      {"size_in_arguments",
       fmt::format(
           "the number of {} is in the program's arguments ({}): taken as one problem at all sizes; if it grows "
           "with the {}",
           ranks ? "ranks" : "threads", swept_command_line(*typed),
           ranks ? "ranks, use andes report --weak" : "threads, speedup and efficiency do not hold"),
       {}});
}

/// Runs whose teams have not as many threads as andes run was told.
void other_threads(const Build& build, Warnings& warnings) {
  std::vector<int> sizes;
  std::vector<std::string> found;
  for (const Point& point : build.points)
    for (const SeriesRun& run : point.runs) {
      if (!run.profile.facts.has("threads_started") || run.team_size == point.threads) continue;
      sizes.push_back(point.size);
      found.push_back(fmt::format("{} instead of {}", run.team_size, point.threads));
      break;
    }
  if (!sizes.empty())
    warnings.push_back({"other_threads",
                        fmt::format("teams do not have the number of threads that --threads asked for ({}): the "
                                    "program sets it itself, has no parallel region, or uses an unknown OpenMP library",
                                    fmt::join(found, ", ")),
                        sizes});
}

void disagreeing_clocks(const Build& build, Warnings& warnings) {
  double worst = 0;
  std::vector<int> ranks;
  for (const Point& point : build.points) {
    double at_point = 0;
    for (const SeriesRun& run : point.runs)
      at_point = std::max(at_point, fact_number(run.profile, "clock_error_ppm").value_or(0));
    if (at_point > 50) ranks.push_back(point.size);
    worst = std::max(worst, at_point);
  }
  if (!ranks.empty())
    warnings.push_back(
        {"clock",
         fmt::format(
             "the calibrations of the clock disagree by up to {:.0f} ppm (more than 50): times may be wrong by as much",
             worst),
         ranks});
}

void repeats(const Scaling& scaling, Warnings& warnings) {
  std::vector<int> few;
  std::size_t least = repeats_for_interval, most = 0;
  for (const ScalingPoint& p : scaling.points)
    if (p.repeats < repeats_for_interval) {
      few.push_back(p.size);
      least = std::min(least, p.repeats);
      most = std::max(most, p.repeats);
    }
  if (few.empty()) return;
  const char* const given = most == 1   ? "no uncertainty is given"
                            : least > 1 ? "the range is given instead of a 95 % interval"
                                        : "the range is given instead of a 95 % interval, and nothing of single runs";
  warnings.push_back(
      {"too_few_repeats",
       fmt::format("too few runs at {} ({}, but 6 are needed): {}; use --repeat 6", sizes_text(few, scaling.axis),
                   least == most ? fmt::to_string(least) : fmt::format("{} to {}", least, most), given),
       few});
}

void points(const Scaling& scaling, Warnings& warnings) {
  constexpr std::size_t enough = 4;
  std::vector<int> usable, marked;
  for (const ScalingPoint& p : scaling.points) {
    if (p.oversubscribed) marked.push_back(p.size);
    if (p.usable) usable.push_back(p.size);
  }
  if (!marked.empty())
    warnings.push_back(
        {"oversubscribed",
         fmt::format("more ranks x threads than usable cores at {}: their times show time "
                     "slicing{}",
                     sizes_text(marked, scaling.axis),
                     usable.size() == scaling.points.size() ? " (used nevertheless: --oversubscribed-ok)"
                                                            : "; left out of serial fraction, trend and projection"),
         marked});
  if (usable.size() < enough)
    warnings.push_back({"too_few_points",
                        fmt::format("{} usable number{} of {}s {} too few to tell how the program "
                                    "scales; measure at 4 or more, such as 1, 2, 4, 8",
                                    usable.size(), usable.size() == 1 ? "" : "s", unit_of(scaling.axis),
                                    usable.size() == 1 ? "is" : "are"),
                        usable});
  if (scaling.base_size > 1)
    warnings.push_back({"base_not_one",
                        fmt::format("the base is {}: speedup is relative to it, not to one {}",
                                    size_text(scaling.base_size, scaling.axis), unit_of(scaling.axis)),
                        {scaling.base_size}});
}

void not_linear(const Scaling& scaling, Warnings& warnings) {
  std::vector<int> ranks;
  const ScalingPoint* worst = nullptr;
  for (const ScalingPoint& p : scaling.points) {
    if (!p.usable || p.efficiency.median >= acceptable_efficiency) continue;
    ranks.push_back(p.size);
    if (!worst || p.efficiency.median < worst->efficiency.median) worst = &p;
  }
  if (!worst) return;
  warnings.push_back({"not_linear",
                      fmt::format("speedup does not grow in proportion to the {}s: {:.2f} at {} "
                                  "is an efficiency of {:.1f} % (80 % is acceptable)",
                                  unit_of(scaling.axis), worst->speedup.median, size_text(worst->size, scaling.axis),
                                  100 * worst->efficiency.median),
                      ranks});
}

/// Falls by more than both uncertainties, or by 5 % where there are single runs.
bool falls(const Estimate& from, const Estimate& to) {
  if (from.kind != Estimate::Kind::point || to.kind != Estimate::Kind::point)
    return to.high.value_or(to.median) < from.low.value_or(from.median);
  return to.median < 0.95 * from.median;
}

void rises_then_falls(const Scaling& scaling, Warnings& warnings) {
  const ScalingPoint *peak = nullptr, *fallen = nullptr;
  for (const ScalingPoint& p : scaling.points) {
    if (!p.usable) continue;
    if (!peak || p.speedup.median > peak->speedup.median) peak = &p, fallen = nullptr;
    else if (falls(peak->speedup, p.speedup)) fallen = &p;
  }
  if (!fallen || peak->size == scaling.base_size) return; // never rose: see slowdown
  warnings.push_back(
      {"rises_then_falls",
       fmt::format("speedup is highest at {} ({:.2f}) and falls to {:.2f} at {}: from there on, more {}s cost time",
                   size_text(peak->size, scaling.axis), peak->speedup.median, fallen->speedup.median,
                   size_text(fallen->size, scaling.axis), unit_of(scaling.axis)),
       {peak->size, fallen->size}});
}

void superlinear(const Scaling& scaling, Warnings& warnings) {
  std::vector<int> ranks;
  for (const ScalingPoint& p : scaling.points)
    if (p.serial_fraction && is_superlinear(*p.serial_fraction)) ranks.push_back(p.size);
  if (ranks.empty()) return;
  warnings.push_back(
      {"superlinear",
       fmt::format("speedup is superlinear at {} (serial fraction below zero){}: the smaller parts "
                   "of the data may fit into the caches, or something slows the base down",
                   sizes_text(ranks, scaling.axis), scaling.superlinear ? ", so there is no limit to report" : ""),
       ranks});
}

void slowdown(const Scaling& scaling, Warnings& warnings) {
  std::vector<int> ranks;
  for (const ScalingPoint& p : scaling.points)
    if (p.serial_fraction && p.serial_fraction->median >= 1) ranks.push_back(p.size);
  if (ranks.empty()) return;
  warnings.push_back({"slowdown",
                      fmt::format("the program is no faster than its base at {}{}", sizes_text(ranks, scaling.axis),
                                  scaling.slowdown ? ", so there is no limit to report" : ""),
                      ranks});
}

void growing_computation(const Build& build, const Scaling& scaling, Warnings& warnings) {
  const auto growth = computation_growth(build, scaling);
  if (!growth || !is_significant(*growth)) return;
  std::string explains;
  const auto size = std::ranges::find(scaling.points, growth->size, &ScalingPoint::size);
  const bool has_fraction = size != scaling.points.end() && size->serial_fraction;
  if (growth->explained < 1 && !(has_fraction && size->serial_fraction->median >= 1)) {
    explains = fmt::format(": this alone explains a serial fraction of {:.4f}", growth->explained);
    if (has_fraction) explains += fmt::format(" (measured: {:.4f})", size->serial_fraction->median);
  }
  warnings.push_back(
      {"computation_grows",
       fmt::format("total computation grows with the {}s, by a factor of {:.4g} at {}{}", unit_of(scaling.axis),
                   growth->factor.median, size_text(growth->size, scaling.axis), explains),
       {growth->size}});
}

/// What run files do not hold in full, each with the numbers of ranks whose runs it concerns.
void limits(const Build& build, Warnings& warnings) {
  std::map<std::string, Warning> found;
  for (const Point& point : build.points)
    for (const SeriesRun& run : point.runs)
      for (const Limit& limit : limits_of(run.profile)) {
        Warning& warning = found[limit.id];
        warning.id = limit.id;
        warning.text = limit.text; // of the most ranks
        if (warning.ranks.empty() || warning.ranks.back() != point.size) warning.ranks.push_back(point.size);
      }
  for (auto& [id, warning] : found) {
    warning.text = fmt::format("at {} {}", sizes_text(warning.ranks, build.axis), warning.text);
    warnings.push_back(std::move(warning));
  }
}

void left_overs(const Build& build, Warnings& warnings) {
  std::vector<int> ranks;
  std::string text;
  for (const Point& point : build.points)
    for (const SeriesRun& run : point.runs) {
      const std::string summary = left_overs_summary(run.profile);
      if (summary.empty() || (!ranks.empty() && ranks.back() == point.size)) continue;
      ranks.push_back(point.size);
      text = fmt::format("{} (andes diagnose {} names them)", summary, run.profile.file); // of the most ranks
    }
  if (!ranks.empty())
    warnings.push_back(
        {"left_overs", fmt::format("left over at the end at {}: {}", sizes_text(ranks, build.axis), text), ranks});
}

void intrusion(const Build& build, Warnings& warnings) {
  double worst = 0;
  std::vector<int> ranks;
  for (const Point& point : build.points) {
    double at_point = 0;
    for (const SeriesRun& run : point.runs)
      if (fact_number(run.profile, "overhead_low").value_or(1) > 0) // else it may be noise
        at_point = std::max(at_point, fact_number(run.profile, "overhead_percent").value_or(0));
    if (at_point > 5) ranks.push_back(point.size);
    worst = std::max(worst, at_point);
  }
  if (!ranks.empty())
    warnings.push_back({"overhead",
                        fmt::format("measuring costs up to {:.1f} % of the time; instrument fewer "
                                    "functions (andes cc --select)",
                                    worst),
                        ranks});
}

void beyond_budget(const Build& build, Warnings& warnings) {
  constexpr double tolerated = 1.1;
  double worst = 0, allowed = 0;
  const char* whole = "";
  std::vector<int> ranks;
  for (const Point& point : build.points) {
    bool beyond = false;
    for (const SeriesRun& run : point.runs) {
      const ToolCost& cost = run.cost;
      const double budget = cost.budget_percent.value_or(0); // 0: none
      if (budget <= 0 || cost.tool_percent - cost.error_percent.value_or(0) <= tolerated * budget) continue;
      beyond = true;
      if (cost.tool_percent > worst) worst = cost.tool_percent, allowed = budget, whole = whole_of(cost);
    }
    if (beyond) ranks.push_back(point.size);
  }
  if (!ranks.empty())
    warnings.push_back({"budget",
                        fmt::format("the tool took up to {:.1f} % of {}, but budget_percent allows {} %: run "
                                    "longer, or instrument fewer functions (andes "
                                    "cc --select)",
                                    worst, whole, allowed),
                        ranks});
}

} // namespace

std::vector<Warning> warnings_of(const Series& series, const Build& build, const Scaling& scaling) {
  Warnings warnings;
  left_out(series, warnings);
  for (const std::string& note : series.notes) warnings.push_back({"mixed_programs", note, {}});
  add_busy_machine(build, warnings);
  mixed(
      build, "mixed_mpi", "MPI library", [](const Profile& p) { return fact_text(p, "mpi_library", "no MPI"); },
      warnings);
  if (build.axis != Axis::cores) // there threads differ from point to point
    mixed(
        build, "mixed_threads", "threads per rank", [](const Profile& p) { return fact_text(p, "threads", "1"); },
        warnings);
  other_threads(build, warnings);
  size_in_arguments(series, build, warnings);
  mixed(
      build, "mixed_interval", "the start of the measured interval",
      [](const Profile& p) { return fact_text(p, "measured_from", "init"); }, warnings);
  disagreeing_clocks(build, warnings);
  intrusion(build, warnings);
  beyond_budget(build, warnings);
  limits(build, warnings);
  left_overs(build, warnings);
  if (!build.unfinished.empty()) return warnings; // nothing is said of its time
  repeats(scaling, warnings);
  points(scaling, warnings);
  not_linear(scaling, warnings);
  rises_then_falls(scaling, warnings);
  superlinear(scaling, warnings);
  slowdown(scaling, warnings);
  growing_computation(build, scaling, warnings);
  return warnings;
}

} // namespace andes::postproc
