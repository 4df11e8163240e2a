// read_series: skips files, refuses input, and leaves out runs, in this order. Runs of one series did the same work:
// their program, arguments and axes are equal (decision 260).
#include "postproc/analysis/series.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <tuple>

#include "postproc/analysis/builds_by_age.h"
#include "postproc/model/read_run.h"

namespace andes::postproc {
namespace {

struct Read {
  std::vector<SeriesRun> runs;
  std::vector<Refusal> troubles;
};

Read read_totals(const std::vector<std::string>& files) {
  Read read;
  for (const std::string& file : files) {
    try {
      SeriesRun run;
      run.profile = read_run(file, Detail::totals);
      run.summary = summary_of(run.profile);
      run.cost = tool_cost(run.profile);
      run.hybrid = hybrid_of(run.profile);
      run.team_size = team_size(run.profile);
      run.profile.locations = {};
      read.runs.push_back(std::move(run));
    } catch (const Refusal& trouble) {
      read.troubles.push_back(trouble);
    }
  }
  return read;
}

/// Threads of a rank: the number given to andes run, else that of its teams.
int threads_of(const SeriesRun& run) {
  const double started = fact_number(run.profile, "threads_started").value_or(0);
  return started >= 1 && started <= 1e9 ? static_cast<int>(started) : run.team_size;
}

/// Removes worlds that other runs have spawned, unless there are no other runs.
std::vector<RunUse> take_spawned(std::vector<SeriesRun>& runs) {
  const auto spawned =
      std::stable_partition(runs.begin(), runs.end(), [](const SeriesRun& run) { return !is_spawned(run.profile); });
  std::vector<RunUse> taken;
  if (spawned == runs.begin()) return taken;
  for (auto run = spawned; run != runs.end(); ++run)
    taken.push_back({run->profile.file, "a world that another run spawned", run->profile.ranks, threads_of(*run),
                     RunUse::Reason::spawned});
  runs.erase(spawned, runs.end());
  return taken;
}

/// What a run with these arguments did.
std::string work_with(const Profile& profile, const std::string& program, const std::string& arguments) {
  const std::vector<RunAxis> axes = axes_of(profile);
  const bool weak = std::any_of(axes.begin(), axes.end(), [](const RunAxis& axis) { return axis.grows; });
  std::string work = program + '\n' + (weak ? "weak " + fact_text(profile, "weak_arguments", "[]") : arguments);
  for (const RunAxis& axis : axes) work += '\n' + axis.name + '=' + (axis.grows ? axis.base : axis.value);
  return work;
}

/// What a run did, but for the number of ranks: runs of one text may be compared.
std::string work_of(const Profile& profile) {
  return work_with(profile, swept_program(profile), swept_arguments(profile));
}

/// Of one size the arguments themselves tell it, too: not all runs were started with placeholders.
bool same_work(const Profile& one, const Profile& other) {
  if (work_of(one) == work_of(other)) return true;
  const auto literal = [](const Profile& run) {
    return work_with(run, fact_text(run, "program"), fact_text(run, "arguments", "[]"));
  };
  return one.ranks == other.ranks && literal(one) == literal(other);
}

std::string command_in_message(const Profile& run) {
  constexpr std::size_t most = 1000;
  const std::string whole = swept_command_line(run);
  return whole.size() > most ? whole.substr(0, most) + "..." : whole;
}

/// Runs without those of worlds that others have spawned.
struct ReadRuns {
  std::vector<SeriesRun> runs;
  std::vector<RunUse> spawned;
};

ReadRuns usable_runs(const std::vector<std::string>& files, void (*skipped)(const Refusal&)) {
  Read read = read_totals(files);
  if (read.runs.empty() && read.troubles.size() == 1) throw read.troubles.front();
  for (const Refusal& trouble : read.troubles) skipped(trouble);
  if (read.runs.empty())
    refuse(files.front(), fmt::format("not a usable run, nor is any other of the {} files", files.size()),
           "andes run writes run files, named *.andes");
  ReadRuns result;
  result.spawned = take_spawned(read.runs);
  result.runs = std::move(read.runs);
  return result;
}

/// In the order in which series are shown: by program, values of axes, and arguments.
bool shown_before(const Series& a, const Series& b) {
  if (a.program != b.program) return a.program < b.program;
  for (std::size_t i = 0; i < std::min(a.axes.size(), b.axes.size()); ++i) {
    if (a.axes[i].name != b.axes[i].name) return a.axes[i].name < b.axes[i].name;
    if (a.axes[i].value != b.axes[i].value) return value_less(a.axes[i].value, b.axes[i].value);
  }
  return a.axes.size() < b.axes.size();
}

/// Adds a run to its build and point, with the files in order.
void place(SeriesRun run, std::map<std::string, Build>& builds) {
  const std::string hash = fact_text(run.profile, "executable_hash");
  Build& build = builds[hash];
  build.hash = hash;
  build.started = std::max(build.started, fact_text(run.profile, "started"));
  auto& points = build.points;
  const std::pair size(run.profile.ranks, threads_of(run));
  const auto size_of = [](const Point& p) { return std::pair(p.ranks, p.threads); };
  auto at = std::lower_bound(points.begin(), points.end(), size,
                             [&](const Point& p, const auto& wanted) { return size_of(p) < wanted; });
  if (at == points.end() || size_of(*at) != size) {
    at = points.insert(at, Point{});
    std::tie(at->ranks, at->threads) = size;
    at->size = at->ranks;
  }
  at->oversubscribed = at->oversubscribed || is_oversubscribed(run.profile);
  at->runs.push_back(std::move(run));
}

std::vector<Build> sorted_builds(std::map<std::string, Build> by_hash, unsigned stream) {
  std::vector<Build> builds;
  for (auto& [hash, build] : by_hash) builds.push_back(std::move(build));
  std::stable_sort(builds.begin(), builds.end(), [](const Build& a, const Build& b) { return a.started < b.started; });
  for (Build& build : builds) {
    for (Point& point : build.points) {
      std::vector<double> times;
      for (const SeriesRun& run : point.runs) times.push_back(run.summary.time_s);
      point.times_s =
          sample_of(std::move(times), std::uint64_t{stream} << 32 | (static_cast<unsigned>(point.ranks) ^
                                                                     static_cast<unsigned>(point.threads - 1) << 20));
    }
    ++stream;
  }
  return builds;
}

/// The newest build is reported, the one before it compared, those before that only listed.
void mark_older_builds(Series& series) {
  std::map<std::string, std::string> why;
  for (std::size_t b = 0; b + 1 < series.builds.size(); ++b)
    for (const Point& point : series.builds[b].points)
      for (const SeriesRun& run : point.runs)
        why[run.profile.file] =
            b + 2 == series.builds.size() ? "from the previous build: compared in step 4" : "from an older build";
  for (RunUse& use : series.runs) {
    const auto found = why.find(use.file);
    if (found == why.end()) continue;
    use.why_not = found->second;
    use.reason = RunUse::Reason::other_build;
  }
}

/// Of runs of which none came to its end, the one that was started last; of its snapshots, the last.
std::map<std::string, Build> newest_alone(std::vector<SeriesRun> runs, const std::vector<RunUse>& uses) {
  const auto age = [](const SeriesRun& run) {
    return std::pair(fact_text(run.profile, "started"), run.profile.wall_s);
  };
  const auto newest = std::max_element(runs.begin(), runs.end(),
                                       [&](const SeriesRun& a, const SeriesRun& b) { return age(a) < age(b); });
  const std::string& why_not = uses[static_cast<std::size_t>(newest - runs.begin())].why_not;
  std::map<std::string, Build> builds;
  place(std::move(*newest), builds);
  builds.begin()->second.unfinished = why_not;
  return builds;
}

/// The series of runs that did the same.
Series series_from(std::vector<SeriesRun> runs, unsigned stream) {
  Series series;
  const Profile& first = runs.front().profile;
  series.program = swept_program(first);
  const bool one_for_each_size = first.facts.has("swept_program");
  series.axes = axes_of(first);
  for (RunAxis& axis : series.axes) {
    if (!axis.grows) continue;
    series.weak = true;
    axis.value = axis.base;
  }
  std::map<std::string, Build> by_hash;
  for (SeriesRun& run : runs) {
    RunUse use{run.profile.file, failure_of(run.profile), run.profile.ranks, threads_of(run)};
    use.reason = RunUse::Reason::failed;
    if (use.why_not.empty()) {
      use.why_not = incompleteness_of(run.profile);
      use.reason = use.why_not.empty()        ? RunUse::Reason::used
                   : is_snapshot(run.profile) ? RunUse::Reason::snapshot
                                              : RunUse::Reason::incomplete;
    }
    series.runs.push_back(use);
    if (use.why_not.empty()) place(std::move(run), by_hash);
  }
  if (by_hash.empty()) by_hash = newest_alone(std::move(runs), series.runs);
  if (one_for_each_size) by_hash = joined_by_age(std::move(by_hash));
  series.builds = sorted_builds(std::move(by_hash), stream);
  mark_older_builds(series);
  for (Build& build : series.builds) build.weak = series.weak;
  return series;
}

void make_weak(Series& series) {
  series.weak = true;
  for (Build& build : series.builds) build.weak = true;
}

/// In a weak sweep every size has one problem.
void check_weak(const std::vector<SeriesRun>& runs) {
  std::map<std::pair<int, int>, const Profile*> by_size;
  for (const SeriesRun& run : runs) {
    const Profile*& first = by_size[{run.profile.ranks, threads_of(run)}];
    if (!first) first = &run.profile;
    if (fact_text(*first, "arguments", "[]") == fact_text(run.profile, "arguments", "[]")) continue;
    refuse(
        run.profile.file,
        fmt::format("ran '{}', but {} ran '{}' on {} rank{}, too, and a weak sweep has one problem for each number of "
                    "ranks",
                    command_in_message(run.profile), first->file, command_in_message(*first), first->ranks,
                    first->ranks == 1 ? "" : "s"),
        "name the runs of one weak sweep");
  }
}

} // namespace

void check_same_work(const Profile& before, const Profile& after) {
  if (same_work(before, after)) return;
  refuse(after.file,
         fmt::format("ran '{}', but {} ran '{}'", command_in_message(after), before.file, command_in_message(before)),
         "give runs of one program with the same arguments, or mix them with --force");
}

Series read_series(const std::vector<std::string>& files, bool force, void (*skipped)(const Refusal&),
                   unsigned stream) {
  ReadRuns read = usable_runs(files, skipped);
  const Profile& first = read.runs.front().profile;
  std::vector<std::string> notes;
  for (const SeriesRun& run : read.runs) {
    if (!force) check_same_work(first, run.profile);
    else if (notes.empty() && !same_work(first, run.profile))
      notes.push_back(fmt::format(
          "'{}' and '{}' are mixed (--force): speedup and serial fraction are only valid if both do the same work",
          command_line(first), command_line(run.profile)));
  }
  Series series = series_from(std::move(read.runs), stream);
  series.notes = std::move(notes);
  series.runs.insert(series.runs.end(), read.spawned.begin(), read.spawned.end());
  return series;
}

std::vector<Series> read_all_series(const std::vector<std::string>& files, const Mixing& mixing,
                                    void (*skipped)(const Refusal&)) {
  if (mixing.force) {
    std::vector<Series> one{read_series(files, true, skipped)};
    if (mixing.weak) make_weak(one.front());
    return one;
  }
  ReadRuns read = usable_runs(files, skipped);
  std::map<std::string, std::vector<SeriesRun>> by_work;
  for (SeriesRun& run : read.runs) {
    const std::string work = mixing.weak ? swept_program(run.profile) : work_of(run.profile);
    by_work[work].push_back(std::move(run));
  }
  std::vector<Series> all;
  for (auto& [work, runs] : by_work) {
    if (mixing.weak) check_weak(runs);
    all.push_back(series_from(std::move(runs), 0)); // its report is that of its runs alone
    if (mixing.weak) make_weak(all.back());
  }
  std::stable_sort(all.begin(), all.end(), shown_before);
  all.front().runs.insert(all.front().runs.end(), read.spawned.begin(), read.spawned.end());
  return all;
}

const char* unit_of(Axis axis) {
  constexpr const char* units[] = {"rank", "thread", "core"};
  return units[static_cast<int>(axis)];
}

std::string size_text(int size, Axis axis) { return sizes_text({size}, axis); }

std::string sizes_text(const std::vector<int>& sizes, Axis axis) {
  return fmt::format("{} {}{}", fmt::join(sizes, ", "), unit_of(axis), sizes == std::vector{1} ? "" : "s");
}

const Point* largest_usable(const Build& build, bool any) {
  for (auto point = build.points.rbegin(); point != build.points.rend(); ++point)
    if (any || !point->oversubscribed) return &*point;
  return build.points.empty() ? nullptr : &build.points.back();
}

} // namespace andes::postproc
