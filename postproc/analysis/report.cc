// report_of reads as the method does: where are we, how far, where to put the effort, did it help.
#include "postproc/analysis/report.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>
#include <tuple>

#include "postproc/analysis/points.h"
#include "postproc/analysis/repeated_findings.h"
#include "postproc/model/grown_command.h"

namespace andes::postproc {
namespace {

template <class Value> std::optional<double> median_of_runs(const Point& point, Value value) {
  std::vector<double> values;
  for (const SeriesRun& run : point.runs)
    if (const std::optional<double> v = value(run.summary)) values.push_back(*v);
  if (values.empty()) return {};
  std::sort(values.begin(), values.end());
  return median_of(values);
}

/// Medians factor by factor; absent unless all runs have it.
std::optional<Hybrid> median_hybrid(const Point& point) {
  std::vector<Hybrid> runs;
  for (const SeriesRun& run : point.runs)
    if (run.hybrid.hybrid) runs.push_back(*run.hybrid.hybrid);
  if (runs.empty() || runs.size() != point.runs.size()) return {};
  Hybrid h = runs.front();
  const auto median = [&runs](auto part) { // a function that leads to a number of a Hybrid
    std::vector<double> values;
    for (Hybrid& run : runs) values.push_back(part(run));
    std::sort(values.begin(), values.end());
    return median_of(values);
  };
  for (auto member : {&Hybrid::threads, &Hybrid::useful_s, &Hybrid::serial_s, &Hybrid::parallel})
    h.*member = median([member](const Hybrid& run) { return run.*member; });
  for (auto member : {&MpiPart::parallel, &MpiPart::load_balance, &MpiPart::communication})
    h.mpi.*member = median([member](const Hybrid& run) { return run.mpi.*member; });
  for (auto member : {&MpiPart::serialisation, &MpiPart::transfer}) {
    const bool known =
        std::all_of(runs.begin(), runs.end(), [member](const Hybrid& run) { return (run.mpi.*member).has_value(); });
    if (known) h.mpi.*member = median([member](const Hybrid& run) { return *(run.mpi.*member); });
    else (h.mpi.*member).reset();
  }
  for (auto member : {&TeamPart::parallel, &TeamPart::serial_regions, &TeamPart::barriers, &TeamPart::load_balance,
                      &TeamPart::scheduling, &TeamPart::mpi_in_regions})
    h.team.*member = median([member](const Hybrid& run) { return run.team.*member; });
  for (const Hybrid& run : runs) {
    h.threads_min = std::min(h.threads_min, run.threads_min);
    h.threads_max = std::max(h.threads_max, run.threads_max);
  }
  return h;
}

PointShares shares_of(const Point& point) {
  using S = Summary;
  PointShares p;
  p.load_balance = median_of_runs(point, [](const S& s) { return s.load_balance; });
  p.communication_balance = median_of_runs(point, [](const S& s) { return s.communication_balance; });
  p.thread_load_balance = median_of_runs(point, [](const S& s) { return s.thread_load_balance; });
  p.bytes_balance = median_of_runs(point, [](const S& s) { return s.bytes_balance; });
  p.idle_percent = median_of_runs(point, [](const S& s) { return s.idle_percent; });
  p.io_percent = median_of_runs(point, [](const S& s) { return s.io_percent; });
  p.init_s = median_of_runs(point, [](const S& s) { return s.init_s; });
  p.core_wait_percent = median_of_runs(point, [](const S& s) { return s.core_wait_percent; });
  p.io_balance = median_of_runs(point, [](const S& s) { return s.io_balance; });
  p.bytes_read = median_of_runs(point, [](const S& s) { return s.bytes_read; });
  p.bytes_written = median_of_runs(point, [](const S& s) { return s.bytes_written; });
  const auto factor = [&point](double Efficiency::* member) {
    return median_of_runs(point, [member](const S& s) {
      return s.efficiency ? std::optional(s.efficiency.value().*member) : std::nullopt;
    });
  };
  const auto inner = [&point](std::optional<double> Efficiency::* member) {
    return median_of_runs(point,
                          [member](const S& s) { return s.efficiency ? s.efficiency.value().*member : std::nullopt; });
  };
  if (const auto parallel = factor(&Efficiency::parallel))
    p.efficiency = {*parallel, *factor(&Efficiency::load_balance), *factor(&Efficiency::communication),
                    inner(&Efficiency::serialisation), inner(&Efficiency::transfer)};
  p.hybrid = median_hybrid(point);
  if (!p.hybrid) p.why_no_hybrid = point.runs.front().hybrid.why_not;
  const auto always = [&point](double Summary::* member) {
    return *median_of_runs(point, [member](const S& s) { return std::optional(s.*member); });
  };
  p.communication_percent = always(&Summary::communication_percent);
  p.synchronisation_percent = always(&Summary::synchronisation_percent);
  p.compute_percent = always(&Summary::compute_percent);
  return p;
}

/// Overhead as `andes run --overhead` left it in the runs: the first of each number of ranks.
std::vector<Overhead> overhead_of(const Build& build) {
  std::vector<Overhead> overhead;
  for (const Point& point : build.points) {
    for (const SeriesRun& run : point.runs) {
      const auto percent = fact_number(run.profile, "overhead_percent");
      if (!percent) continue;
      Overhead o{point.ranks, point.threads, {*percent, {}, {}, Estimate::Kind::point}};
      o.percent.low = fact_number(run.profile, "overhead_low");
      o.percent.high = fact_number(run.profile, "overhead_high");
      if (o.percent.low && o.percent.high) o.percent.kind = Estimate::Kind::interval;
      overhead.push_back(o);
      break;
    }
  }
  return overhead;
}

/// The budget and the largest memory of the runs, medians of what the tool took.
ToolCost cost_of(const Point& point) {
  ToolCost cost;
  std::vector<double> tool, error;
  for (const SeriesRun& run : point.runs) {
    const ToolCost& one = run.cost;
    tool.push_back(one.tool_percent);
    cost.of_threads = cost.of_threads || one.of_threads;
    if (one.error_percent) error.push_back(*one.error_percent);
    if (one.budget_percent) cost.budget_percent = one.budget_percent;
    if (one.tree_bytes) cost.tree_bytes = std::max(*one.tree_bytes, cost.tree_bytes.value_or(0));
  }
  std::sort(tool.begin(), tool.end());
  std::sort(error.begin(), error.end());
  cost.tool_percent = median_of(tool);
  if (!error.empty()) cost.error_percent = median_of(error);
  return cost;
}

std::string hosts_of(const Build& build) {
  std::set<std::string> names;
  double cores = 0;
  for (const Point& point : build.points) {
    for (const SeriesRun& run : point.runs) {
      for (const ProfileHost& host : run.profile.hosts) names.insert(host.name);
      cores = std::max(cores, fact_number(run.profile, "usable_cores").value_or(0));
    }
  }
  if (names.empty()) return {};
  std::string text = names.size() == 1 ? *names.begin() : fmt::format("{} hosts", names.size());
  if (cores > 0) text += fmt::format(", {:.0f} usable core{}", cores, cores == 1 ? "" : "s");
  return text;
}

/// Times of the sequential program: its newest build, its smallest number of ranks.
SequentialBase sequential_base(const Series& series, Sample& times_s) {
  const Point& point = series.builds.back().points.front();
  const SeriesRun& run = point.runs.front();
  if (const std::string& why_not = series.builds.back().unfinished; !why_not.empty())
    refuse(run.profile.file, why_not, "give --sequential a run that finished");
  if (point.ranks != 1)
    refuse(run.profile.file, fmt::format("it has {} ranks, a sequential run has one", point.ranks),
           "give --sequential a run of one rank");
  times_s = point.times_s;
  return {run.profile.file, command_line(run.profile), point.runs.size(), estimate_of(times_s)};
}

/// The grid and what its points lose; `whole` has all points.
void add_grid(const Build& whole, const Sample* sequential, bool oversubscribed_ok, Report& report) {
  report.grid = grid_of(whole, sequential, oversubscribed_ok);
  for (const ScalingPoint& p : report.grid->all.points)
    for (const Point& point : whole.points)
      if (point.ranks == p.ranks && point.threads == p.threads) report.grid_shares.push_back(shares_of(point));
}

/// The usable point with teams that has most ranks x threads; null: there is none.
const Point* largest_with_teams(const Build& build, bool oversubscribed_ok) {
  const Point* largest = nullptr;
  for (const Point& point : build.points) {
    if ((point.oversubscribed && !oversubscribed_ok) || !median_hybrid(point)) continue;
    if (!largest || point.ranks * point.threads > largest->ranks * largest->threads) largest = &point;
  }
  return largest;
}

/// What changes of routines would do, and which of them are serial: from the runs with the median times of `largest`
/// and of the smallest usable point.
void add_routine_answers(const Build& build, const Point& largest, const std::vector<Profile>& trees,
                         bool oversubscribed_ok, const std::vector<std::string>& changes, Report& report) {
  const Profile& run = median_tree(largest, trees);
  const std::optional<Profile> base = read_base(build, largest, oversubscribed_ok);
  if (base) report.serial_routines = serial_routines_of(*base, run);
  else
    report.serial_routines.why_not =
        build.weak ? "the problem grows with the ranks" : "it takes runs with several numbers of ranks";
  report.what_if = what_if({&run, base ? &*base : nullptr, &report.findings,
                            report.unfinished.empty() ? &report.scaling : nullptr, changes});
}

} // namespace

Report report_of(const Series& series, const Series* sequential, bool oversubscribed_ok,
                 const std::vector<std::string>& changes) {
  const Build& whole = series.builds.back();
  const bool grid = is_grid(whole);
  const Build build = grid ? over_cores(whole, oversubscribed_ok) : whole;
  const Profile& last = build.points.back().runs.back().profile;
  Report report;
  report.command =
      series.weak ? grown_command_line(build.points.front().runs.front().profile, last) : swept_command_line(last);
  report.program = series.program;
  report.executable = fact_text(last, "executable");
  report.axes = series.axes;
  report.build = build.hash;
  report.unfinished = build.unfinished;
  report.started = build.started;
  report.hosts = hosts_of(build);
  report.mpi_library = fact_text(last, "mpi_library");
  report.stamp = stamp_of(last);
  report.runs = series.runs;
  report.overhead = overhead_of(whole);
  report.noise = noise_of(whole);

  Sample sequential_s;
  if (sequential) report.sequential = sequential_base(*sequential, sequential_s);
  report.scaling = scaling_of(build, sequential ? &sequential_s : nullptr, oversubscribed_ok);
  for (const Point& point : build.points) report.shares.push_back(shares_of(point));
  if (grid) add_grid(whole, sequential ? &sequential_s : nullptr, oversubscribed_ok, report);
  report.warnings = warnings_of(series, build, report.scaling);
  report.growth = computation_growth(build, report.scaling);
  if (report.growth && !is_significant(*report.growth)) report.growth.reset();

  report.ledgers = ledgers_of(build, sequential ? &sequential->builds.back().points.front() : nullptr);
  const Point& largest = *largest_usable(build, oversubscribed_ok);
  const std::vector<Profile> trees = read_trees(largest);
  if (!report.unfinished.empty()) {
    report.shown = last.file;
    report.endings = endings_of(trees.front());
  }
  report.routine_ranks = largest.ranks;
  report.routine_threads = largest.threads;
  report.routine_size = largest.size;
  report.routine_repeats = trees.size();
  const std::vector<PathRow> rows = side_by_side(trees);
  report.routines = heaviest_routines(rows, largest.ranks);
  report.flat = median_flat(trees);
  report.left_out = left_out_times(trees, rows);
  report.small_messages = small_messages(trees);
  report.rank_rows = rank_rows(trees);
  if (const auto hybrid = median_hybrid(largest))
    report.team_losses = {largest.ranks, largest.threads, team_losses(*hybrid, rows)};
  else if (const Point* teams = largest_with_teams(whole, oversubscribed_ok))
    report.team_losses = {teams->ranks, teams->threads,
                          team_losses(*median_hybrid(*teams), side_by_side(read_trees(*teams)))};
  const std::vector<Diagnosis> diagnoses = diagnoses_of(trees);
  report.why_no_waits = diagnoses.front().why_no_waits;
  report.findings = merged_findings(diagnoses);
  add_causes(report.findings, report.routines);
  add_routine_answers(build, largest, trees, oversubscribed_ok, changes, report);
  report.processor = processor_of(build, largest);
  if (report.unfinished.empty()) report.models = models_of(build, report.scaling, report.processor);
  report.sampling = sampling_of(rows);
  for (const Profile& run : trees) report.sampling.add_limits(run);
  report.cost = cost_of(largest);
  add_sampling_warnings(report.sampling, largest.size, build.axis, report.warnings);
  add_closed_warning(closed_visits(trees.back()), largest.size, build.axis, report.warnings);

  report.builds = series.builds.size();
  if (report.builds > 1) {
    const Build& before = series.builds[report.builds - 2];
    if (const auto size = read_common_size(before, whole, oversubscribed_ok))
      report.comparison = compare(before, whole, *size, sequential ? &sequential_s : nullptr, oversubscribed_ok);
  }
  return report;
}

bool has_threads(const Report& report) {
  return std::any_of(report.rank_rows.begin(), report.rank_rows.end(),
                     [](const RankRow& row) { return row.threads > 1; });
}

double own_work_percent(const Routine& routine) {
  return std::max(0.0, routine.own_percent - routine.own_idle_percent);
}

const Routine* heaviest_own(const Report& report) {
  const Routine* heaviest = nullptr;
  for (const Routine& r : report.routines) {
    if (is_mpi_kind(r.kind)) continue;
    if (!heaviest || own_work_percent(r) > own_work_percent(*heaviest)) heaviest = &r;
  }
  return heaviest;
}

HeaviestFunction heaviest_function(const Report& report) {
  std::map<std::tuple<std::string, std::string, int>, HeaviestFunction> functions;
  for (const Routine& r : report.routines) {
    if (r.kind != "function") continue;
    HeaviestFunction& all = functions[{r.path.back(), r.file, r.line}];
    if (!all.heaviest || own_work_percent(r) > own_work_percent(*all.heaviest)) all.heaviest = &r;
    all.own_percent += own_work_percent(r);
    all.error = ++all.call_paths == 1 ? r.own_error_percent : error_of_sum(all.error, r.own_error_percent);
  }
  HeaviestFunction heaviest;
  for (const auto& [name, function] : functions)
    if (function.own_percent > heaviest.own_percent) heaviest = function;
  const Routine* const path = heaviest_own(report);
  const bool is_more = heaviest.call_paths > 1 && heaviest.own_percent > own_work_percent(*path);
  return is_more ? heaviest : HeaviestFunction();
}

} // namespace andes::postproc
