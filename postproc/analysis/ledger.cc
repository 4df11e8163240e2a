// Differences of core times (core_time.h), part by part.
#include "postproc/analysis/ledger.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "postproc/analysis/core_time.h"
#include "postproc/analysis/identity.h"
#include "postproc/analysis/moved_work.h"
#include "postproc/model/read_run.h"

namespace andes::postproc {
namespace {

using Parts = std::map<std::string, double>;

/// The runs of a point, whose call paths the tree gets; they have their numbers in it.
std::vector<CoreTime> read_core_times(const Point& point, BuildTree& tree) {
  std::vector<CoreTime> repeats;
  for (const SeriesRun& run : point.runs)
    repeats.push_back(core_time_in(tree, read_run(run.profile.file, Detail::tree)));
  return repeats;
}

/// Sizes of parts where it is known that they exist, of a difference.
Parts difference(const CoreTime& run, const CoreTime& base) {
  Parts parts = run.parts;
  for (const auto& [name, seconds] : base.parts) parts[name] -= seconds;
  return parts;
}

/// a / ln: the logarithmic mean, with which the terms of a product's logarithm become those of its difference.
/// Ang, *Decomposition analysis for policymaking in energy*, Energy Policy 32, 2004 (LMDI-I).
double logarithmic_mean(double a, double b) {
  const double ratio = std::log(a / b);
  return std::fabs(ratio) < 1e-12 ? a : (a - b) / ratio;
}

/// Computation by instructions, instructions per cycle and frequency, where both sizes were counted.
void split_computation(const CoreTime& run, const CoreTime& base, Parts& parts) {
  if (!run.work || !base.work) return;
  const auto split = split_of(*run.work, *base.work, parts["computation"]);
  if (!split) return;
  parts["instructions"] = split->instructions_s;
  parts["instructions_per_cycle"] = split->per_cycle_s;
  parts["frequency"] = split->frequency_s;
  parts.erase("computation");
}

} // namespace

std::vector<LedgerTerm> ledger_terms(const MeasuredTime& at, const CoreTime& base) {
  const double whole_s = at.middle.whole_s;
  std::map<std::string, LedgerTerm> terms;
  for (const auto& [name, seconds] : terms_between(at.middle, base))
    terms[name] = {name, term_title(name, at.middle, base), seconds, 100 * seconds / whole_s, {}};
  for (std::size_t r = 0; r < at.repeats.size(); ++r) {
    for (const auto& [name, seconds] : terms_between(at.repeats[r], base)) {
      LedgerTerm& term = terms[name]; // it may be a repeat's alone
      if (term.name.empty()) term = {name, term_title(name, at.repeats[r], base), 0, 0, {}};
      term.repeats.resize(at.repeats.size());
      term.repeats[r] = seconds;
    }
  }
  std::vector<LedgerTerm> sorted;
  for (auto& [name, term] : terms) {
    term.repeats.resize(at.repeats.size());
    const bool any =
        term.seconds != 0 || std::any_of(term.repeats.begin(), term.repeats.end(), [](double s) { return s != 0; });
    if (any) sorted.push_back(std::move(term));
  }
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const LedgerTerm& a, const LedgerTerm& b) { return a.seconds > b.seconds; });
  return sorted;
}

namespace {

std::vector<LedgerOrigin> origins_of(const CoreTime& at, const CoreTime& base, const SharedPaths& shared) {
  constexpr std::size_t most_ranks = 8;
  std::map<OriginKey, OriginTime> times = at.origins;
  for (const auto& [key, origin] : base.origins) times[key].seconds -= origin.seconds;
  std::vector<LedgerOrigin> origins;
  for (const auto& [key, time] : times) {
    if (time.seconds == 0) continue;
    LedgerOrigin origin{key.first, {}, {}, 0, {}, time.seconds};
    if (key.second >= 0) origin.path = path_of(shared, key.second);
    if (const SharedPath* place = placed(shared, key.second)) origin.file = place->file, origin.line = place->line;
    std::vector<std::pair<int, double>> ranks(time.ranks.begin(), time.ranks.end());
    std::stable_sort(ranks.begin(), ranks.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
    for (std::size_t i = 0; i < std::min(ranks.size(), most_ranks); ++i) origin.ranks.push_back(ranks[i].first);
    origins.push_back(std::move(origin));
  }
  std::stable_sort(origins.begin(), origins.end(), [](const LedgerOrigin& a, const LedgerOrigin& b) {
    return a.seconds != b.seconds ? a.seconds > b.seconds : a.path < b.path;
  });
  return origins;
}

/// What the base computes on other ways. Another build, as a sequential program, has its functions in other places.
std::vector<MovedWork> moved_between(const CoreTime& at, const CoreTime& base, const SharedPaths& shared,
                                     bool same_build) {
  std::map<std::tuple<std::string, std::string, std::string, int>, int> regions; // kind, name, file, line
  std::vector<WorkPlace> places;
  for (const SharedPath& path : shared.paths) {
    const auto next = static_cast<int>(regions.size());
    const std::string file = same_build ? path.file : "";
    WorkPlace& place = places.emplace_back();
    place.parent = path.parent;
    place.region = regions.try_emplace({path.kind, path.name, file, same_build ? path.line : 0}, next).first->second;
  }
  for (const auto& [number, time] : base.paths) places[static_cast<std::size_t>(number)].at_base = time.computation_s;
  for (const auto& [number, time] : at.paths) places[static_cast<std::size_t>(number)].in_run = time.computation_s;
  return moved_work(places);
}

std::vector<LedgerPath> paths_of(const CoreTime& at, const CoreTime& base, const SharedPaths& shared, bool same_build) {
  constexpr double least = 1e-3; // of the time of all threads
  std::map<int, ChargedTime> differences = at.paths;
  const auto subtract = [&differences](int number, const ChargedTime& path, double share) {
    ChargedTime& difference = differences[number];
    for (auto part : {&ChargedTime::computation_s, &ChargedTime::communication_s, &ChargedTime::idle_s,
                      &ChargedTime::io_s, &ChargedTime::threads_s})
      difference.*part -= share * (path.*part);
  };
  std::set<int> gone;
  for (const MovedWork& moved : moved_between(at, base, shared, same_build)) {
    subtract(moved.to, base.paths.at(moved.from), moved.share);
    gone.insert(moved.from);
  }
  for (const auto& [number, path] : base.paths)
    if (!gone.contains(number)) subtract(number, path, 1);
  std::vector<LedgerPath> paths;
  for (const auto& [number, time] : differences) {
    const double lost_s = time.whole_s();
    if (std::fabs(lost_s) < least * at.whole_s) continue;
    const SharedPath& path = shared.paths[static_cast<std::size_t>(number)];
    paths.push_back({path_of(shared, number), path.was, path.guess, path.file, path.line, lost_s, time.computation_s,
                     time.communication_s, time.idle_s, time.io_s, time.threads_s});
  }
  std::stable_sort(paths.begin(), paths.end(), [](const LedgerPath& a, const LedgerPath& b) {
    return a.lost_s != b.lost_s ? a.lost_s > b.lost_s : a.path < b.path;
  });
  return paths;
}

Ledger ledger_of(const Point& point, const MeasuredTime& at, const CoreTime& base, const SharedPaths& shared,
                 bool same_build) {
  Ledger ledger;
  ledger.ranks = point.ranks;
  ledger.threads = point.threads;
  ledger.size = point.size;
  ledger.oversubscribed = point.oversubscribed;
  ledger.cores = at.middle.cores;
  ledger.other_threads_s = at.middle.other_threads_s;
  ledger.time_s = at.middle.time_s;
  ledger.whole_s = at.middle.whole_s;
  ledger.terms = ledger_terms(at, base);
  ledger.lost_s = at.middle.whole_s - base.whole_s;
  for (const CoreTime& run : at.repeats) ledger.lost_repeats.push_back(run.whole_s - base.whole_s);
  ledger.percent = 100 * ledger.lost_s / ledger.whole_s;
  if (at.middle.parts.contains(core_wait_part))
    ledger.core_wait_error_s = at.middle.core_waits->error_s + base.core_waits->error_s;
  for (const LedgerTerm& term : ledger.terms)
    if (is_idle_part(term.name)) ledger.idle_s += term.seconds;
  ledger.origins = origins_of(at.middle, base, shared);
  ledger.paths = paths_of(at.middle, base, shared, same_build);
  return ledger;
}

} // namespace

std::optional<ComputationSplit> split_of(const Work& now, const Work& before, double more_s) {
  for (const Work* work : {&now, &before})
    if (work->useful_s <= 0 || work->instructions <= 0 || work->cycles <= 0) return {};
  const double weight = logarithmic_mean(now.useful_s, before.useful_s);
  ComputationSplit split;
  split.instructions_s = weight * std::log(now.instructions / before.instructions);
  split.per_cycle_s = weight * std::log(before.per_cycle() / now.per_cycle());
  split.frequency_s = more_s - split.instructions_s - split.per_cycle_s;
  return split;
}

std::string term_title(const std::string& name, const CoreTime& run, const CoreTime& base) {
  const auto own = run.titles.find(name);
  return part_title(name, own != run.titles.end() && !own->second.empty() ? run.titles : base.titles);
}

std::map<std::string, double> terms_between(const CoreTime& run, const CoreTime& base) {
  Parts parts = difference(run, base);
  split_computation(run, base, parts);
  return parts;
}

std::vector<Ledger> ledgers_of(const Build& build, const Point* sequential) {
  std::vector<Ledger> ledgers;
  const std::size_t first = sequential ? 0 : 1;
  if (build.points.size() <= first || !build.unfinished.empty()) return ledgers;
  const bool same =
      !sequential || is_same_build(fact_text(sequential->runs.front().profile, "executable_hash"), build.hash);
  std::vector<BuildTree> trees(same ? 1 : 2); // the sequential program's first
  std::vector<std::vector<CoreTime>> sizes{
      read_core_times(sequential ? *sequential : build.points.front(), trees.front())};
  for (std::size_t i = first; i < build.points.size(); ++i)
    sizes.push_back(read_core_times(build.points[i], trees.back()));
  const SharedPaths shared = shared_paths(std::move(trees));
  std::vector<CoreTime*> all;
  for (std::vector<CoreTime>& repeats : sizes)
    for (CoreTime& run : repeats) all.push_back(&run);
  set_core_waits_apart(all);
  std::vector<MeasuredTime> times;
  for (std::vector<CoreTime>& repeats : sizes) {
    for (CoreTime& run : repeats) renumber(run, times.empty() ? shared.of.front() : shared.of.back());
    times.push_back(measured_time(std::move(repeats)));
  }
  const Point& smallest = sequential ? *sequential : build.points.front();
  for (std::size_t i = first; i < build.points.size(); ++i) {
    const double factor = build.weak ? static_cast<double>(build.points[i].size) / smallest.size : 1;
    const CoreTime base = of_larger_problem(times.front().middle, factor);
    ledgers.push_back(ledger_of(build.points[i], times[i - first + 1], base, shared, same));
  }
  return ledgers;
}

} // namespace andes::postproc
