// Chances come from Welch's test, by which a single change among many call paths can be claimed with few repeats. A
// claim needs the exact rank-sum test at 5 % as well, which is right whatever the shape of the noise. The chance of a
// call path joins those of its terms (Simes). The call paths of all sizes are one family (Benjamini and Hochberg);
// terms are claimed within the call paths that are claimed (Benjamini and Bogomolov, doi 10.1111/rssb.12028).
#include "postproc/analysis/changes.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "postproc/analysis/estimate.h"
#include "postproc/analysis/false_discoveries.h"
#include "postproc/analysis/medians.h"
#include "postproc/analysis/points.h"
#include "postproc/analysis/two_samples.h"
#include "postproc/model/read_run.h"

namespace andes::postproc {
namespace {

using Values = std::vector<double>;

/// A figure in the runs before and after.
struct BeforeAndAfter {
  Values before, after;
  bool any() const {
    const auto is_some = [](double value) { return value != 0; };
    return std::any_of(before.begin(), before.end(), is_some) || std::any_of(after.begin(), after.end(), is_some);
  }
  bool differ_in_rank() const { return ranks_agree(rank_sum_chance(before, after)); }
};

struct ChargedPart {
  const char *name, *title;
  double ChargedTime::* seconds;
};
constexpr ChargedPart charged_parts[] = {{"computation", "computation", &ChargedTime::computation_s},
                                         {"communication", "communication", &ChargedTime::communication_s},
                                         {"idle", "idle", &ChargedTime::idle_s},
                                         {"input_output", "input and output", &ChargedTime::io_s},
                                         {"threads", "threads", &ChargedTime::threads_s}};

ChangeFigures figures_of(const BeforeAndAfter& sides, double margin_s) {
  ChangeFigures figures;
  const Sample before = sample_of(sides.before, 1), after = sample_of(sides.after, 2);
  figures.before_s = estimate_of(before);
  figures.after_s = estimate_of(after);
  figures.change_s = derive(before, after, [](double from, double to) { return to - from; });
  figures.unequal_chance = unequal_chance(sides.before, sides.after, margin_s);
  return figures;
}

TermChange term_of(const char* name, const char* title, const BeforeAndAfter& sides) {
  TermChange term{name, title, median(sides.before), median(sides.after), 0, 1, false};
  term.change_s = term.after_s - term.before_s;
  term.chance = welch_chance(sides.before, sides.after);
  return term;
}

/// A tested call path, until its verdict.
struct Tested {
  PathChange change;
  BeforeAndAfter whole;
  std::map<std::string, BeforeAndAfter> terms;
  double margin_s = 0;
};

/// Own times and counts of a run, by call path of its build, and then by shared call path.
struct RunFigures {
  std::vector<ChargedTime> times; // sums over its threads
  std::vector<std::optional<Work>> works;
  std::vector<bool> has;
};

struct SizeInWork {
  SizeChanges changes;
  BeforeAndAfter time;
  double margin_s = 0;
  double threads = 0; // of the newer build, by which seconds are divided
  std::vector<RunFigures> old_runs, new_runs; // by call path of their builds
  std::vector<Tested> paths;
};

void most_changed_first(std::vector<TermChange>& terms) {
  std::stable_sort(terms.begin(), terms.end(), [](const TermChange& a, const TermChange& b) {
    return std::fabs(a.change_s) > std::fabs(b.change_s);
  });
}

/// The terms of the size's ledger whose base is the older build, divided by `threads`.
std::vector<TermChange> ledger_changes(const MeasuredTime& before, const MeasuredTime& after, double threads) {
  const auto part = [threads](const CoreTime& run, const std::string& name) {
    const auto found = run.parts.find(name);
    return found == run.parts.end() ? 0.0 : found->second / threads;
  };
  std::vector<TermChange> changes;
  for (const LedgerTerm& term : ledger_terms(after, before.middle)) {
    TermChange change;
    change.name = term.name;
    change.title = term.name == "computation" ? "computation" : term.title;
    change.change_s = term.seconds / threads;
    BeforeAndAfter sides;
    for (const CoreTime& run : before.repeats) sides.before.push_back(part(run, term.name));
    for (const CoreTime& run : after.repeats) sides.after.push_back(part(run, term.name));
    if (sides.any()) { // else a part of computation
      change.before_s = median(sides.before);
      change.after_s = median(sides.after);
      change.chance = welch_chance(sides.before, sides.after);
    }
    changes.push_back(std::move(change));
  }
  std::vector<double> chances;
  for (const TermChange& change : changes) chances.push_back(change.chance);
  const std::vector<bool> found = discoveries(chances, false_discovery_rate);
  for (std::size_t i = 0; i < changes.size(); ++i) changes[i].changed = found[i];
  most_changed_first(changes);
  return changes;
}

RunFigures run_figures(const Profile& profile, const std::vector<int>& numbers) {
  const std::size_t count =
      numbers.empty() ? 0 : 1 + static_cast<std::size_t>(*std::max_element(numbers.begin(), numbers.end()));
  RunFigures figures{std::vector<ChargedTime>(count), std::vector<std::optional<Work>>(count),
                     std::vector<bool>(count)};
  const std::vector<ChargedTime> times = charged_times(profile);
  const std::vector<std::optional<Work>> works = own_works(profile);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto at = static_cast<std::size_t>(numbers[i]);
    for (const ChargedPart& part : charged_parts) figures.times[at].*part.seconds += times[i].*part.seconds;
    if (works[i]) figures.works[at] = works[i];
    figures.has[at] = true;
  }
  return figures;
}

RunFigures by_row(const RunFigures& own, const std::vector<int>& rows, std::size_t count) {
  RunFigures figures{std::vector<ChargedTime>(count), std::vector<std::optional<Work>>(count),
                     std::vector<bool>(count)};
  for (std::size_t i = 0; i < own.has.size(); ++i) {
    const auto row = static_cast<std::size_t>(rows[i]);
    figures.times[row] = own.times[i];
    figures.works[row] = own.works[i];
    figures.has[row] = own.has[i];
  }
  return figures;
}

std::optional<Work> mean_work(const std::vector<RunFigures>& runs, std::size_t from, std::size_t to, std::size_t row) {
  Work mean;
  for (std::size_t r = from; r < to; ++r) {
    if (!runs[r].works[row]) return {};
    for (auto member : {&Work::useful_s, &Work::instructions, &Work::cycles})
      mean.*member += (*runs[r].works[row]).*member / static_cast<double>(to - from);
  }
  return mean;
}

/// Call paths of a size that are heavy enough to matter; their times are divided by the threads of the size.
void add_paths(const SharedPaths& shared, SizeInWork& size) {
  constexpr double tested_part = 0.1; // of the margin
  const double margin_s = size.margin_s;
  const std::size_t older = size.old_runs.size();
  std::vector<RunFigures> runs;
  for (const RunFigures& run : size.old_runs) runs.push_back(by_row(run, shared.of.front(), shared.paths.size()));
  for (const RunFigures& run : size.new_runs) runs.push_back(by_row(run, shared.of.back(), shared.paths.size()));
  for (std::size_t row = 0; row < shared.paths.size(); ++row) {
    Tested tested;
    double sum_s = 0;
    bool in_old = false, in_new = false;
    for (std::size_t r = 0; r < runs.size(); ++r) {
      const ChargedTime& time = runs[r].times[row];
      const double whole_s = time.whole_s() / size.threads;
      (r < older ? tested.whole.before : tested.whole.after).push_back(whole_s);
      for (const ChargedPart& part : charged_parts) {
        BeforeAndAfter& term = tested.terms[part.name];
        (r < older ? term.before : term.after).push_back(time.*part.seconds / size.threads);
      }
      sum_s += whole_s;
      (r < older ? in_old : in_new) = (r < older ? in_old : in_new) || runs[r].has[row];
    }
    if (sum_s <= 0) continue;
    // Of all runs together, so that the choice tells nothing about the difference (Bourgon et al.,
    // doi 10.1073/pnas.0914005107).
    if (sum_s / static_cast<double>(runs.size()) < tested_part * margin_s) {
      ++size.changes.light;
      continue;
    }
    const SharedPath& path = shared.paths[row];
    PathChange& change = tested.change;
    change.path = path_of(shared, static_cast<int>(row));
    change.was = path.was;
    change.guess = path.guess;
    change.kind = path.kind;
    change.file = path.file;
    change.line = path.line;
    change.is_new = !in_old;
    change.vanished = !in_new;
    tested.margin_s = margin_s;
    change.figures = figures_of(tested.whole, margin_s);
    std::vector<double> chances;
    for (const ChargedPart& part : charged_parts) {
      const BeforeAndAfter& sides = tested.terms[part.name];
      if (!sides.any()) continue;
      change.terms.push_back(term_of(part.name, part.title, sides));
      chances.push_back(change.terms.back().chance);
    }
    if (change.terms.size() > 1) chances.push_back(welch_chance(tested.whole.before, tested.whole.after));
    change.figures.chance = joint_chance(chances);
    const auto before = mean_work(runs, 0, older, row), after = mean_work(runs, older, runs.size(), row);
    if (before && after)
      if (auto split = split_of(*after, *before, after->useful_s - before->useful_s)) {
        for (auto member :
             {&ComputationSplit::instructions_s, &ComputationSplit::per_cycle_s, &ComputationSplit::frequency_s})
          (*split).*member /= size.threads;
        change.computation = split;
      }
    most_changed_first(change.terms);
    size.paths.push_back(std::move(tested));
  }
}

/// Call paths that are in one build alone, or that are not called the same; and how many there are.
void add_unlike(const SharedPaths& shared, Changes& changes) {
  std::vector<bool> in_old(shared.paths.size()), in_new(shared.paths.size());
  for (const int row : shared.of.front()) in_old[static_cast<std::size_t>(row)] = true;
  for (const int row : shared.of.back()) in_new[static_cast<std::size_t>(row)] = true;
  changes.callpaths = shared.paths.size();
  for (std::size_t row = 0; row < shared.paths.size(); ++row) {
    const SharedPath& path = shared.paths[row];
    const bool both = in_old[row] && in_new[row];
    changes.matched += both;
    if (both && path.was.empty() && !path.guess.is_guess()) continue;
    Unlike unlike{{}, path.was, path.guess};
    if (in_new[row]) unlike.path = path_of(shared, static_cast<int>(row));
    if (!in_new[row]) unlike.was = path_of(shared, static_cast<int>(row));
    changes.unlike.push_back(std::move(unlike));
  }
}

/// The runs of a size of one build, whose call paths the tree gets. `trees`: those of the runs if they were read.
std::vector<RunFigures> read_runs(const Point& point, const std::vector<Profile>* trees, BuildTree& tree,
                                  Values& times_s, std::vector<CoreTime>& core_times) {
  std::vector<RunFigures> runs;
  const auto add = [&](const Profile& profile) {
    core_times.push_back(core_time_of(profile));
    times_s.push_back(core_times.back().time_s);
    runs.push_back(run_figures(profile, add_run(tree, profile)));
  };
  if (trees)
    for (const Profile& profile : *trees) add(profile);
  else
    for (const SeriesRun& run : point.runs) add(read_run(run.profile.file, Detail::tree));
  return runs;
}

/// Adds a size with all but the changes of its call paths: their figures are kept until all runs are read.
void add_size(const Point& before, const Point& after, const CommonSize* read, BuildTree& old_tree, BuildTree& new_tree,
              double margin_percent, std::vector<SizeInWork>& sizes) {
  SizeInWork& size = sizes.emplace_back();
  size.changes.ranks = after.ranks;
  size.changes.threads = after.threads;
  size.changes.oversubscribed = before.oversubscribed || after.oversubscribed;
  std::vector<CoreTime> old_times, new_times;
  size.old_runs = read_runs(before, read ? &read->before : nullptr, old_tree, size.time.before, old_times);
  size.new_runs = read_runs(after, read ? &read->after : nullptr, new_tree, size.time.after, new_times);
  size.changes.runs_before = size.old_runs.size();
  size.changes.runs_after = size.new_runs.size();
  std::vector<CoreTime*> all;
  for (std::vector<CoreTime>* times : {&old_times, &new_times})
    for (CoreTime& run : *times) all.push_back(&run);
  set_core_waits_apart(all);
  const MeasuredTime old_time = measured_time(std::move(old_times)), new_time = measured_time(std::move(new_times));
  size.changes.cores = new_time.middle.cores;
  size.changes.other_threads_s = new_time.middle.other_threads_s;
  // One divisor for both builds: a thread more in one of them must not halve its seconds.
  size.threads = new_time.middle.threads();
  size.margin_s = margin_percent / 100 * median(size.time.before);
  size.changes.time = figures_of(size.time, size.margin_s);
  size.changes.time.chance = welch_chance(size.time.before, size.time.after);
  size.changes.terms = ledger_changes(old_time, new_time, size.threads);
}

ChangeVerdict direction(const ChangeFigures& figures) {
  return figures.change_s.median > 0 ? ChangeVerdict::slower : ChangeVerdict::faster;
}

void judge_time(SizeInWork& size) {
  ChangeFigures& time = size.changes.time;
  if (time.chance <= false_discovery_rate && size.time.differ_in_rank()) time.verdict = direction(time);
  else if (time.unequal_chance <= 0.05) time.verdict = ChangeVerdict::equal;
  else time.more_runs = more_values(size.time.before, size.time.after, size.margin_s, false_discovery_rate);
}

/// `level`: at which terms of a call path that counts are claimed.
void judge(Tested& tested, bool changed, bool equal, double level) {
  PathChange& change = tested.change;
  ChangeFigures& figures = change.figures;
  if (changed) {
    std::vector<double> chances;
    for (const TermChange& term : change.terms) chances.push_back(term.chance);
    const std::vector<bool> found = discoveries(chances, level);
    bool any = false;
    for (std::size_t i = 0; i < found.size(); ++i) {
      change.terms[i].changed = found[i] && tested.terms[change.terms[i].name].differ_in_rank();
      any = any || change.terms[i].changed;
    }
    const bool whole = welch_chance(tested.whole.before, tested.whole.after) <= level && tested.whole.differ_in_rank();
    if (whole) figures.verdict = direction(figures);
    else if (any) figures.verdict = ChangeVerdict::shifted;
    if (whole || any) return;
  }
  if (equal) figures.verdict = ChangeVerdict::equal;
  else figures.more_runs = more_values(tested.whole.before, tested.whole.after, tested.margin_s, level);
}

/// One family of all sizes: claims of changes, and of equality.
void judge_all(std::vector<SizeInWork>& sizes, Changes& changes) {
  std::vector<double> chances, unequal;
  for (const SizeInWork& size : sizes)
    for (const Tested& tested : size.paths) {
      chances.push_back(tested.change.figures.chance);
      unequal.push_back(tested.change.figures.unequal_chance);
    }
  changes.tested = chances.size();
  const std::vector<bool> changed = discoveries(chances, false_discovery_rate);
  const std::vector<bool> equal = discoveries(unequal, false_discovery_rate);
  const auto claims =
      static_cast<double>(std::max<std::ptrdiff_t>(1, std::count(changed.begin(), changed.end(), true)));
  const double level = false_discovery_rate * claims / static_cast<double>(std::max<std::size_t>(1, chances.size()));
  std::size_t i = 0;
  for (SizeInWork& size : sizes)
    for (Tested& tested : size.paths) {
      judge(tested, changed[i], equal[i], level);
      ++i;
    }
}

SizeChanges finished(SizeInWork size) {
  for (Tested& tested : size.paths) size.changes.paths.push_back(std::move(tested.change));
  const auto order = [](const PathChange& p) {
    const ChangeVerdict verdict = p.figures.verdict;
    return std::pair(verdict == ChangeVerdict::equal || verdict == ChangeVerdict::undecided,
                     -std::fabs(p.figures.change_s.median));
  };
  std::stable_sort(size.changes.paths.begin(), size.changes.paths.end(),
                   [&](const PathChange& a, const PathChange& b) { return order(a) < order(b); });
  return std::move(size.changes);
}

} // namespace

const char* name_of(ChangeVerdict verdict) {
  constexpr const char* names[] = {"slower", "faster", "shifted", "equal", "undecided"};
  return names[static_cast<int>(verdict)];
}

Changes changes_of(const Build& before, const Build& after, double margin_percent, const CommonSize* read) {
  Changes changes;
  changes.margin_percent = margin_percent;
  if (!before.unfinished.empty() || !after.unfinished.empty()) return changes;
  std::vector<BuildTree> trees(is_same_build(before.hash, after.hash) ? 1 : 2);
  std::vector<SizeInWork> sizes;
  for (const Point& point : after.points)
    if (const Point* old = find_point(before, point.ranks, point.threads)) {
      const bool is_read = read && read->ranks == point.ranks && read->threads == point.threads;
      add_size(*old, point, is_read ? read : nullptr, trees.front(), trees.back(), margin_percent, sizes);
    }
  const SharedPaths shared = shared_paths(std::move(trees));
  add_unlike(shared, changes);
  for (SizeInWork& size : sizes) {
    judge_time(size);
    add_paths(shared, size);
  }
  judge_all(sizes, changes);
  for (SizeInWork& size : sizes) changes.sizes.push_back(finished(std::move(size)));
  return changes;
}

} // namespace andes::postproc
