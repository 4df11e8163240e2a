#include "postproc/analysis/history.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <numeric>
#include <tuple>

#include "postproc/analysis/core_time.h"
#include "postproc/analysis/medians.h"
#include "postproc/analysis/shared_names.h"

namespace andes::postproc {
namespace {

constexpr std::size_t near_commits = 20; // on either side of a change tell what it consists of

using Runs = std::vector<const HistoryRun*>;
using Commits = std::vector<HistoryCommit>;

HistoryCommit commit_of(Runs runs) {
  std::sort(runs.begin(), runs.end(), [](const HistoryRun* a, const HistoryRun* b) {
    return std::tie(a->started, a->file) < std::tie(b->started, b->file);
  });
  HistoryCommit commit;
  const HistoryRun& first = *runs.front();
  commit.commit = first.stamp.commit;
  commit.build = first.build;
  commit.time = first.stamp.commit_time.empty() ? first.started : first.stamp.commit_time;
  commit.branch = first.stamp.branch;
  std::vector<double> times;
  for (const HistoryRun* run : runs) times.push_back(run->time_s);
  commit.time_s = median(times);
  commit.runs = std::move(runs);
  return commit;
}

/// In order; `places` of commits are those in the repository.
void sort_commits(HistoryGroup& group, const std::map<std::string, std::size_t>& places) {
  group.by_git = std::all_of(group.commits.begin(), group.commits.end(),
                             [&](const HistoryCommit& commit) { return places.contains(commit.commit); });
  std::sort(group.commits.begin(), group.commits.end(), [&](const HistoryCommit& a, const HistoryCommit& b) {
    if (group.by_git) return places.at(a.commit) < places.at(b.commit);
    return std::tie(a.time, a.runs.front()->started, a.commit, a.build) <
           std::tie(b.time, b.runs.front()->started, b.commit, b.build);
  });
}

std::vector<double> times_of(const Commits& commits, std::size_t begin, std::size_t end) {
  std::vector<double> times;
  for (std::size_t i = begin; i < end; ++i) times.push_back(commits[i].time_s);
  return times;
}

/// The middle half of the runs by T: their mean is robust, and parts of means add up.
Runs middle_runs(const Commits& commits, std::size_t begin, std::size_t end) {
  Runs runs;
  for (std::size_t i = begin; i < end; ++i) runs.insert(runs.end(), commits[i].runs.begin(), commits[i].runs.end());
  std::stable_sort(runs.begin(), runs.end(),
                   [](const HistoryRun* a, const HistoryRun* b) { return a->time_s < b->time_s; });
  const std::size_t cut = runs.size() / 4;
  return {runs.begin() + static_cast<std::ptrdiff_t>(cut), runs.end() - static_cast<std::ptrdiff_t>(cut)};
}

void add_mean(const Runs& runs, double HistoryTerm::* side, std::map<std::string, HistoryTerm>& terms) {
  for (const HistoryRun* run : runs) {
    for (const auto& [name, seconds] : run->parts) {
      HistoryTerm& term = terms[name];
      term.name = name;
      term.title = part_title(name, run->titles);
      term.*side += seconds / static_cast<double>(runs.size());
    }
  }
}

std::vector<HistoryTerm> terms_of(const Commits& commits, std::size_t begin, std::size_t at, std::size_t end) {
  std::map<std::string, HistoryTerm> by_name;
  add_mean(middle_runs(commits, begin, at), &HistoryTerm::before_s, by_name);
  add_mean(middle_runs(commits, at, end), &HistoryTerm::after_s, by_name);
  std::vector<HistoryTerm> terms;
  for (auto& [name, term] : by_name)
    if (term.change_s() != 0) terms.push_back(std::move(term));
  std::stable_sort(terms.begin(), terms.end(), [](const HistoryTerm& a, const HistoryTerm& b) {
    return std::fabs(a.change_s()) > std::fabs(b.change_s());
  });
  return terms;
}

constexpr std::pair<const char*, double LedgerPath::*> path_parts[] = {{"computation", &LedgerPath::computation_s},
                                                                       {"communication", &LedgerPath::communication_s},
                                                                       {"idle", &LedgerPath::idle_s},
                                                                       {"io", &LedgerPath::io_s},
                                                                       {"threads", &LedgerPath::threads_s}};

/// A call path's time in each commit; a run that lacks it has spent none in it.
struct PathInHistory {
  const LedgerPath* last = nullptr;
  std::vector<std::vector<std::pair<std::size_t, const LedgerPath*>>> runs; // by commit: number of the run in it
};

Sample sample_of_path(const PathInHistory& path, const Commits& commits, std::size_t first, std::size_t begin,
                      std::size_t end, double LedgerPath::* part) {
  std::vector<double> medians;
  for (std::size_t i = begin; i < end; ++i) {
    std::vector<double> values(commits[i].runs.size());
    for (const auto& [run, found] : path.runs[i - first]) values[run] += found->*part;
    medians.push_back(median(values));
  }
  return sample_of(std::move(medians), begin);
}

/// The builds of some commits, in their order, and which call paths of theirs are one.
struct NearBuilds {
  std::map<std::string, std::size_t> numbers;
  SharedNames names;
};

NearBuilds builds_near(const Commits& commits, std::size_t begin, std::size_t end, const TreeOf& tree_of) {
  std::map<std::string, std::size_t> numbers;
  std::vector<BuildTree> trees;
  for (std::size_t i = begin; i < end; ++i)
    for (const HistoryRun* run : commits[i].runs)
      if (numbers.try_emplace(run->build, trees.size()).second) trees.push_back(tree_of(*run));
  return {std::move(numbers), SharedNames(std::move(trees))};
}

std::vector<HistoryPath> paths_of(const Commits& commits, std::size_t begin, std::size_t at, std::size_t end,
                                  const TreeOf& tree_of) {
  constexpr double least = 0.001; // of the core time
  NearBuilds builds = builds_near(commits, begin, end, tree_of);
  std::map<int, PathInHistory> by_path; // by number of SharedNames
  double core_s = 0;
  for (std::size_t i = begin; i < end; ++i) {
    for (std::size_t r = 0; r < commits[i].runs.size(); ++r) {
      const HistoryRun& run = *commits[i].runs[r];
      core_s = std::max(core_s, run.core_s);
      for (const LedgerPath& path : run.paths) {
        PathInHistory& times = by_path[builds.names.number(builds.numbers.at(run.build), path.path)];
        times.last = &path;
        times.runs.resize(end - begin);
        times.runs[i - begin].emplace_back(r, &path);
      }
    }
  }
  std::vector<HistoryPath> paths;
  for (const auto& [number, times] : by_path) {
    const SharedName& shared = builds.names.at(number);
    const auto change_of = [&](double LedgerPath::* part, HistoryPath* into) {
      const Sample before = sample_of_path(times, commits, begin, begin, at, part);
      const Sample after = sample_of_path(times, commits, begin, at, end, part);
      const Estimate change = derive(before, after, [](double b, double a) { return a - b; });
      if (into) {
        into->before_s = median_of(before.values);
        into->after_s = median_of(after.values);
        into->change_s = change;
      }
      return may_decide(change, before.values.size(), after.values.size()) ? change.median : 0.0;
    };
    HistoryPath path{shared.path, times.last->file, times.last->line, shared.was, shared.guess, 0, 0, {}, ""};
    if (std::fabs(change_of(&LedgerPath::lost_s, &path)) < least * core_s) continue;
    double most = 0;
    for (const auto& [name, part] : path_parts) {
      if (const double change = std::fabs(change_of(part, nullptr)); change > most) {
        most = change;
        path.part = name;
      }
    }
    paths.push_back(std::move(path));
  }
  std::stable_sort(paths.begin(), paths.end(), [](const HistoryPath& a, const HistoryPath& b) {
    const double x = std::fabs(a.change_s.median), y = std::fabs(b.change_s.median);
    return x != y ? x > y : a.path < b.path;
  });
  return paths;
}

/// What changed with the time, of the last run before and the first one behind.
std::vector<std::string> conditions_of(const HistoryRun& before, const HistoryRun& after) {
  std::vector<std::string> conditions;
  const auto compare = [&](const char* what, const std::string& one, const std::string& other) {
    if (one != other && !one.empty() && !other.empty())
      conditions.push_back(fmt::format("{}: {} -> {}", what, one, other));
  };
  compare("compiler", before.stamp.compiler, after.stamp.compiler);
  compare("flags", before.stamp.flags, after.stamp.flags);
  compare("kernel", before.kernel, after.kernel);
  compare("andes", before.monitor, after.monitor);
  return conditions;
}

void find_changes(HistoryGroup& group, const TreeOf& tree_of) {
  const Commits& commits = group.commits;
  const std::vector<ChangePoint> points = change_points_of(times_of(commits, 0, commits.size()));
  for (std::size_t i = 0; i < points.size(); ++i) {
    const std::size_t begin = i == 0 ? 0 : points[i - 1].at, at = points[i].at;
    const std::size_t end = i + 1 < points.size() ? points[i + 1].at : commits.size();
    const Sample before = sample_of(times_of(commits, begin, at), begin),
                 after = sample_of(times_of(commits, at, end), at);
    HistoryChange change;
    change.point = points[i];
    change.before_s = median_of(before.values);
    change.after_s = median_of(after.values);
    change.percent = derive(before, after, [](double b, double a) { return 100 * (a / b - 1); });
    change.conditions = conditions_of(*commits[at - 1].runs.back(), *commits[at].runs.front());
    const std::size_t first = at - std::min(at - begin, near_commits), last = std::min(end, at + near_commits);
    change.terms = terms_of(commits, first, at, last);
    change.paths = paths_of(commits, first, at, last, tree_of);
    group.changes.push_back(std::move(change));
  }
}

auto key_of(const HistoryRun& run) {
  return std::tie(run.program, run.command, run.label, run.ranks, run.threads, run.host, run.mpi);
}

} // namespace

History history_of(std::vector<HistoryRun> runs, const std::vector<std::string>& commits, const TreeOf& tree_of) {
  History history;
  history.runs = std::move(runs);
  std::map<std::string, std::size_t> places;
  for (std::size_t i = 0; i < commits.size(); ++i) places.emplace(commits[i], i);
  using Key = std::decay_t<decltype(key_of(history.runs.front()))>;
  std::map<Key, std::map<std::string, Runs>> groups; // by commit, or build without a stamp
  for (const HistoryRun& run : history.runs) {
    if (!run.why_not.empty()) ++history.left_out[run.why_not];
    else if (run.stamp.dirty) ++history.left_out["of sources with changes that are not committed"];
    else groups[key_of(run)][run.stamp.commit.empty() ? "build " + run.build : run.stamp.commit].push_back(&run);
  }
  for (auto& [key, by_commit] : groups) {
    HistoryGroup group;
    std::tie(group.program, group.command, group.label, group.ranks, group.threads, group.host, group.mpi) = key;
    for (auto& [name, of_commit] : by_commit) group.commits.push_back(commit_of(std::move(of_commit)));
    sort_commits(group, places);
    find_changes(group, tree_of);
    history.groups.push_back(std::move(group));
  }
  return history;
}

} // namespace andes::postproc
