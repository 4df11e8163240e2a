// Call paths are compared by exclusive time: an inclusive time changes with all callees, and one change would fill the
// list with the whole path to it. The sampling error is added to the spread over the repeats (as squares), and a change
// within it does not count as one. From six repeats on that counts the sampling twice; leaving it out there would
// change the rule at six, and chance agreement would pass for certainty.
#include "postproc/analysis/comparison.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <set>

#include "postproc/analysis/grid.h"
#include "postproc/analysis/paths.h"
#include "postproc/analysis/repeated_findings.h"

namespace andes::postproc {
namespace {

constexpr std::size_t most_changed = 10;

ComparedBuild compared_build(const Build& build) {
  ComparedBuild d{build.hash, build.started, {}, build.unfinished};
  for (const Point& point : build.points)
    for (const SeriesRun& run : point.runs) d.files.push_back(run.profile.file);
  std::sort(d.files.begin(), d.files.end());
  return d;
}

using Names = std::set<std::string>;

/// Of both builds' runs at the sizes that both have.
struct NamesOfBoth {
  Names before, after;
  bool differ() const { return before != after; }
};

/// `add` names something that a run had.
template <class Add> NamesOfBoth names_of(const Build& before, const Build& after, Add add) {
  NamesOfBoth names;
  const auto add_all = [&](const Build& build, const Build& other, Names& to) {
    for (const Point& point : build.points)
      if (find_point(other, point.ranks, point.threads))
        for (const SeriesRun& run : point.runs) add(run.profile, to);
  };
  add_all(before, after, names.before);
  add_all(after, before, names.after);
  return names;
}

NamesOfBoth mpi_libraries(const Build& before, const Build& after, bool whole) {
  return names_of(before, after, [whole](const Profile& run, Names& names) {
    const std::string library = fact_text(run, "mpi_library", "no MPI");
    names.insert(whole ? library : short_library(library));
  });
}

NamesOfBoth processors(const Build& before, const Build& after) {
  return names_of(before, after, [](const Profile& run, Names& names) {
    for (const ProfileHost& host : run.hosts) names.insert(host.cpu);
  });
}

std::vector<std::string> notes_of(const Build& before, const Build& after) {
  std::vector<std::string> notes;
  const auto note = [&](const char* ran, const NamesOfBoth& names) {
    notes.push_back(fmt::format("the builds ran {} ({} before, {} after), whose effect is counted as a change of the "
                                "build",
                                ran, fmt::join(names.before, " / "), fmt::join(names.after, " / ")));
  };
  if (const NamesOfBoth whole = mpi_libraries(before, after, true); whole.differ()) {
    const NamesOfBoth names = mpi_libraries(before, after, false);
    note("with different MPI libraries", names.differ() ? names : whole);
  }
  const NamesOfBoth cpus = processors(before, after);
  const auto is_known = [](const Names& names) { return !names.empty() && !names.contains(""); };
  if (is_known(cpus.before) && is_known(cpus.after) && cpus.differ()) note("on different processors", cpus);
  return notes;
}

Change judged(const Estimate& change, const Sample& before, const Sample& after) {
  if (!may_decide(change, before.values.size(), after.values.size())) return Change::undecided;
  if (change.high && *change.high < 0) return Change::faster;
  if (change.low && *change.low > 0) return Change::slower;
  return Change::undecided;
}

/// Exclusive times of a call path in the runs before and after, with what sampling leaves open of
/// their medians.
struct TimesOfBoth {
  std::vector<double> before_s, after_s;
  SamplingError before_error_s, after_error_s;
};

TimesOfBoth sides_of(const PathRow& row, std::size_t before_runs) {
  TimesOfBoth sides;
  std::vector<SamplingError> before, after;
  for (std::size_t r = 0; r < row.runs.size(); ++r) {
    const bool old = r < before_runs;
    (old ? sides.before_s : sides.after_s).push_back(row.runs[r].exclusive_mean_s);
    (old ? before : after).push_back(row.runs[r].exclusive_error_s);
  }
  std::sort(sides.before_s.begin(), sides.before_s.end());
  std::sort(sides.after_s.begin(), sides.after_s.end());
  sides.before_error_s = error_of_median(before);
  sides.after_error_s = error_of_median(after);
  return sides;
}

double median_change(const TimesOfBoth& sides) { return median_of(sides.after_s) - median_of(sides.before_s); }

/// Whether sampling errors alone may explain the change.
bool is_within_errors(const TimesOfBoth& sides) {
  const SamplingError error = error_of_difference(sides.after_error_s, sides.before_error_s);
  const double change = median_change(sides);
  return error.estimated && (change > 0 ? change <= error.below : -change <= error.above);
}

Estimate time_of(const Sample& sample, const SamplingError& error) {
  Estimate time = widened(estimate_of(sample), error.below, error.above);
  if (!error.estimated) return time;
  if (time.low) time.low = std::max(0.0, *time.low); // no time is negative
  if (time.high) time.high = std::max(0.0, *time.high);
  return time;
}

ComparedPath compared(const std::vector<PathRow>& rows, std::size_t number, std::size_t before_runs) {
  const PathRow& row = rows[number];
  const TimesOfBoth sides = sides_of(row, before_runs);
  const Sample b = sample_of(sides.before_s, 1), a = sample_of(sides.after_s, 2);
  const SamplingError error = error_of_difference(sides.after_error_s, sides.before_error_s);
  ComparedPath path;
  path.path = path_of(rows, static_cast<int>(number));
  path.kind = row.kind;
  path.file = row.file;
  path.line = row.line;
  path.before_s = time_of(b, sides.before_error_s);
  path.after_s = time_of(a, sides.after_error_s);
  path.change_s = widened(derive(b, a, [](double from, double to) { return to - from; }), error.below, error.above);
  path.before_error_s = sides.before_error_s;
  path.after_error_s = sides.after_error_s;
  path.muted = std::any_of(row.runs.begin(), row.runs.end(), [](const PathShare& share) { return share.muted; });
  return path;
}

std::vector<const Profile*> runs_of_both(const CommonSize& size) {
  std::vector<const Profile*> runs;
  for (const std::vector<Profile>* side : {&size.before, &size.after})
    for (const Profile& run : *side) runs.push_back(&run);
  return runs;
}

/// Mean over ranks in seconds, median over the repeats, of a percentage of p x T.
double seconds_of(const Point& point, double (*percent)(const Summary&)) {
  std::vector<double> values;
  for (const SeriesRun& run : point.runs) values.push_back(percent(run.summary) / 100 * run.summary.time_s);
  std::sort(values.begin(), values.end());
  return median_of(values);
}

TimeSaved time_saved(const Point& before, const Point& after) {
  const auto saved = [&](double (*percent)(const Summary&)) {
    return seconds_of(before, percent) - seconds_of(after, percent);
  };
  return {saved([](const Summary&) { return 100.0; }),
          saved([](const Summary& s) { return s.idle_percent.value_or(0); }),
          saved([](const Summary& s) { return s.compute_percent; }),
          saved([](const Summary& s) { return s.communication_percent; }),
          saved([](const Summary& s) { return s.io_percent.value_or(0); })};
}

/// Fills in the causes and the members that go with them.
void compare_causes(const Point& before, const Point& after, const CommonSize& size, Comparison& comparison) {
  constexpr double least_percent = 1;
  const std::vector<Diagnosis> both = diagnoses_of(runs_of_both(size));
  const auto first_after = both.begin() + static_cast<std::ptrdiff_t>(size.before.size());
  comparison.waits_measured =
      std::all_of(both.begin(), both.end(), [](const Diagnosis& run) { return run.why_no_waits.empty(); });
  std::map<std::pair<std::string, std::vector<std::string>>, ComparedCause> by_key;
  const auto named = [&by_key](const Finding& f) -> ComparedCause& {
    ComparedCause& cause = by_key[{f.cause, f.path}];
    cause.cause = f.cause;
    cause.title = f.title;
    cause.path = f.path;
    cause.kind = f.kind;
    cause.place = f.place; // the newer build's, as it comes last
    return cause;
  };
  for (const Finding& f : merged_findings({both.begin(), first_after})) {
    ComparedCause& cause = named(f);
    cause.before_percent = f.percent;
    cause.predicted = f.gain;
    cause.realised_s += f.severity_s / before.ranks;
  }
  for (const Finding& f : merged_findings({first_after, both.end()})) {
    ComparedCause& cause = named(f);
    cause.after_percent = f.percent;
    cause.realised_s -= f.severity_s / after.ranks;
  }
  if (!comparison.waits_measured) return;
  comparison.causes_whole = both.front().whole.text;
  for (auto& [key, cause] : by_key)
    if (std::max(cause.before_percent, cause.after_percent) >= least_percent)
      comparison.causes.push_back(std::move(cause));
  std::stable_sort(
      comparison.causes.begin(), comparison.causes.end(),
      [](const ComparedCause& a, const ComparedCause& b) { return std::fabs(a.realised_s) > std::fabs(b.realised_s); });
  comparison.saved = time_saved(before, after);
}

/// Fills in paths, within_errors and sampling.
void compare_paths(const CommonSize& size, Comparison& comparison) {
  const std::vector<const Profile*> runs = runs_of_both(size);
  const std::size_t before_runs = size.before.size();
  const std::vector<PathRow> rows = side_by_side(runs);
  comparison.sampling = sampling_of(rows);
  for (const Profile* run : runs) comparison.sampling.add_limits(*run);
  std::vector<std::pair<double, std::size_t>> changes; // with their rows
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const TimesOfBoth sides = sides_of(rows[i], before_runs);
    const double change = median_change(sides);
    if (change == 0) continue;
    if (is_within_errors(sides)) ++comparison.within_errors;
    else changes.emplace_back(std::fabs(change), i);
  }
  std::stable_sort(changes.begin(), changes.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  if (changes.size() > most_changed) changes.resize(most_changed);
  for (const auto& [change, row] : changes) comparison.paths.push_back(compared(rows, row, before_runs));
}

} // namespace

const char* name_of(Change change) {
  constexpr const char* names[] = {"faster", "slower", "undecided"};
  return names[static_cast<int>(change)];
}

Comparison compare(const Build& old_build, const Build& new_build, const CommonSize& size, const Sample* sequential,
                   bool oversubscribed_ok) {
  Comparison comparison;
  comparison.ranks = size.ranks;
  comparison.threads = size.threads;
  comparison.before = compared_build(old_build);
  comparison.after = compared_build(new_build);
  comparison.notes = notes_of(old_build, new_build);
  comparison.grid = is_grid(old_build) || is_grid(new_build);
  const Build before = comparison.grid ? by_cores(old_build) : old_build;
  const Build after = comparison.grid ? by_cores(new_build) : new_build;
  const Scaling before_scaling = scaling_of(before, sequential, oversubscribed_ok);
  const Scaling after_scaling = scaling_of(after, sequential, oversubscribed_ok);
  for (const ScalingPoint& a : after_scaling.points) {
    for (const ScalingPoint& b : before_scaling.points) {
      if (a.ranks != b.ranks || a.threads != b.threads) continue;
      ComparedPoint c;
      c.ranks = a.ranks;
      c.threads = a.threads;
      c.oversubscribed = a.oversubscribed || b.oversubscribed;
      c.usable = a.usable && b.usable;
      c.before_s = b.time_s;
      c.after_s = a.time_s;
      const Sample& before_s = find_point(before, a.ranks, a.threads)->times_s;
      const Sample& after_s = find_point(after, a.ranks, a.threads)->times_s;
      c.runs_before = before_s.values.size();
      c.runs_after = after_s.values.size();
      c.change_percent = derive(before_s, after_s, [](double from, double to) { return 100 * (to / from - 1); });
      if (before.unfinished.empty() && after.unfinished.empty()) { // else neither speedup nor a verdict
        c.change = judged(c.change_percent, before_s, after_s);
        c.speedup_before = b.speedup;
        c.speedup_after = a.speedup;
        c.fraction_before = b.serial_fraction;
        c.fraction_after = a.serial_fraction;
      }
      comparison.points.push_back(c);
    }
  }
  compare_causes(*find_point(before, size.ranks, size.threads), *find_point(after, size.ranks, size.threads), size,
                 comparison);
  compare_paths(size, comparison);
  return comparison;
}

} // namespace andes::postproc
