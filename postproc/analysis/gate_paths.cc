// Call paths with less than one per cent of the core time in both builds are not tested: they cannot explain a change
// that matters, and each test takes evidence from the others. Which are left does not depend on whether they changed.
#include "postproc/analysis/gate_paths.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "postproc/analysis/core_time.h"
#include "postproc/analysis/false_discoveries.h"
#include "postproc/analysis/identity.h"
#include "postproc/analysis/medians.h"
#include "postproc/model/read_run.h"

namespace andes::postproc {
namespace {

constexpr double least_part = 0.01; // of the core time
constexpr double discovery_rate = 0.05, interval_level = 0.025;

using Terms = std::map<std::string, double>; // in seconds
using TermsByPath = std::map<int, Terms>;          // by number in SharedPaths

double sum_of(const Terms& terms) {
  double sum = 0;
  for (const auto& [name, seconds] : terms) sum += seconds;
  return sum;
}

std::string title_of(const std::string& term) {
  struct Named {
    const char *name, *title;
  };
  constexpr Named titles[] = {{"computation", "computation"},
                              {"communication", "communication"},
                              {"input_output", "input and output"},
                              {"threads", "waiting for threads"},
                              {"idle", "waiting in MPI"},
                              {"waits_imbalance", "waits of other ranks for its imbalance"},
                              {"waits_serial", "waits of other ranks for its serial work"},
                              {"waits_input_output", "waits of other ranks for its input and output"},
                              {"waits_late_messages", "waits of other ranks for its messages"}};
  for (const Named& one : titles)
    if (term == one.name) return one.title;
  return term;
}

TermsByPath path_terms(const CoreTime& time) {
  TermsByPath all;
  const bool origins_known = std::any_of(time.origins.begin(), time.origins.end(),
                                         [](const auto& origin) { return origin.first.second >= 0; });
  for (const auto& [number, path] : time.paths) {
    Terms& terms = all[number];
    terms = {{"computation", path.computation_s},
             {"communication", path.communication_s},
             {"input_output", path.io_s},
             {"threads", path.threads_s}};
    if (!origins_known) terms["idle"] = path.idle_s;
  }
  for (const auto& [key, origin] : time.origins)
    if (key.second >= 0) all[key.second][std::string("waits_") + name_of(key.first)] += origin.seconds;
  return all;
}

/// Both sides of a pair.
struct Sides {
  CoreTime base, newer;
  TermsByPath base_paths, newer_paths;
};

struct ReadPairs {
  std::vector<Sides> sides;
  SharedPaths shared;
};

ReadPairs read_pairs(const std::vector<PairOfFiles>& files) {
  std::vector<Sides> pairs;
  std::vector<BuildTree> trees;
  const auto hash = [](const Profile& profile) { return fact_text(profile, "executable_hash"); };
  for (const PairOfFiles& pair : files) {
    const Profile base = read_run(pair.base, Detail::tree), newer = read_run(pair.newer, Detail::tree);
    if (trees.empty()) trees.resize(is_same_build(hash(base), hash(newer)) ? 1 : 2);
    CoreTime base_time = core_time_in(trees.front(), base);
    pairs.push_back({std::move(base_time), core_time_in(trees.back(), newer), {}, {}});
  }
  SharedPaths shared = shared_paths(std::move(trees));
  for (Sides& sides : pairs) {
    renumber(sides.base, shared.of.front());
    renumber(sides.newer, shared.of.back());
    sides.base_paths = path_terms(sides.base);
    sides.newer_paths = path_terms(sides.newer);
  }
  std::vector<CoreTime*> all;
  for (Sides& sides : pairs) all.insert(all.end(), {&sides.base, &sides.newer});
  set_core_waits_apart(all);
  return {std::move(pairs), std::move(shared)};
}

ChangedTerm changed_term(const std::string& name, const std::string& title, const std::vector<double>& differences_s,
                         double whole_s) {
  ChangedTerm term{name, title, shift_of(differences_s, interval_level), 0};
  term.seconds = term.percent.middle;
  term.percent.middle *= 100 / whole_s;
  for (std::optional<double>* end : {&term.percent.low, &term.percent.high})
    if (*end) **end *= 100 / whole_s;
  return term;
}

const Terms& terms_at(const TermsByPath& paths, int path) {
  static const Terms none;
  const auto found = paths.find(path);
  return found == paths.end() ? none : found->second;
}

/// New minus base of each pair, by name.
std::map<std::string, std::vector<double>> differences(const std::vector<Sides>& pairs,
                                                       const std::function<Terms(const Sides&)>& terms_of) {
  std::map<std::string, std::vector<double>> by_name;
  for (std::size_t i = 0; i < pairs.size(); ++i)
    for (const auto& [name, seconds] : terms_of(pairs[i])) {
      std::vector<double>& values = by_name[name];
      values.resize(pairs.size());
      values[i] = seconds;
    }
  return by_name;
}

Terms minus(Terms newer, const Terms& base) {
  for (const auto& [name, seconds] : base) newer[name] -= seconds;
  return newer;
}

std::vector<double> negative(std::vector<double> values) {
  for (double& value : values) value = -value;
  return values;
}

ChangedPath changed_path(const ReadPairs& pairs, int number, double whole_s, std::vector<double>& sums) {
  const SharedPath& shared = pairs.shared.paths[static_cast<std::size_t>(number)];
  ChangedPath path;
  path.path = path_of(pairs.shared, number);
  path.was = shared.was;
  path.guess = shared.guess;
  if (const SharedPath* place = placed(pairs.shared, number)) path.file = place->file, path.line = place->line;
  std::vector<double> base, newer;
  for (const Sides& sides : pairs.sides) {
    base.push_back(sum_of(terms_at(sides.base_paths, number)));
    newer.push_back(sum_of(terms_at(sides.newer_paths, number)));
    sums.push_back(newer.back() - base.back());
  }
  path.base_s = median(std::move(base));
  path.newer_s = median(std::move(newer));
  path.whole = changed_term("all", "all", sums, whole_s);
  const double direction = path.whole.seconds < 0 ? -1 : 1;
  const auto by_term = differences(pairs.sides, [&](const Sides& sides) {
    return minus(terms_at(sides.newer_paths, number), terms_at(sides.base_paths, number));
  });
  for (const auto& [name, values] : by_term) {
    ChangedTerm term = changed_term(name, title_of(name), values, whole_s);
    if (path.most.name.empty() || direction * term.seconds > direction * path.most.seconds) path.most = std::move(term);
  }
  return path;
}

/// Call paths with enough time in either build, in the order of their names.
std::vector<int> paths_that_matter(const ReadPairs& pairs, double whole_s) {
  std::map<int, std::pair<double, double>> sums;
  for (const Sides& sides : pairs.sides) {
    for (const auto& [number, path] : sides.base_paths) sums[number].first += sum_of(path);
    for (const auto& [number, path] : sides.newer_paths) sums[number].second += sum_of(path);
  }
  std::vector<int> matter;
  for (const auto& [number, both] : sums)
    if (std::max(both.first, both.second) / static_cast<double>(pairs.sides.size()) >= least_part * whole_s)
      matter.push_back(number);
  std::stable_sort(matter.begin(), matter.end(),
                   [&](int a, int b) { return path_of(pairs.shared, a) < path_of(pairs.shared, b); });
  return matter;
}

std::vector<double> untouched_log_ratios(const ReadPairs& pairs, const std::vector<std::string>& untouched) {
  const auto time_in = [&](const TermsByPath& paths) {
    double seconds = 0;
    for (const auto& [number, terms] : paths) {
      const std::vector<std::string> names = path_of(pairs.shared, number);
      const bool is_untouched = std::ranges::any_of(
          untouched, [&](const std::string& region) { return std::ranges::find(names, region) != names.end(); });
      const auto computation = terms.find("computation");
      if (is_untouched && computation != terms.end()) seconds += computation->second;
    }
    return seconds;
  };
  std::vector<double> log_ratios;
  for (const Sides& sides : pairs.sides) {
    const double base = time_in(sides.base_paths), newer = time_in(sides.newer_paths);
    if (base <= 0 || newer <= 0) return {};
    log_ratios.push_back(std::log(newer / base));
  }
  return log_ratios;
}

} // namespace

ChangedPaths changed_paths(const std::vector<PairOfFiles>& files, const std::vector<std::string>& untouched) {
  ChangedPaths changes;
  if (files.empty()) return changes;
  const ReadPairs pairs = read_pairs(files);
  std::vector<double> wholes;
  for (const Sides& sides : pairs.sides) wholes.push_back(sides.base.whole_s);
  const double whole_s = median(std::move(wholes));
  std::vector<double> longer, shorter; // chances
  for (const int number : paths_that_matter(pairs, whole_s)) {
    std::vector<double> sums;
    changes.paths.push_back(changed_path(pairs, number, whole_s, sums));
    longer.push_back(chance_of_increase(sums));
    shorter.push_back(chance_of_increase(negative(std::move(sums))));
  }
  changes.compared = changes.paths.size();
  const std::vector<bool> are_longer = discoveries(longer, discovery_rate),
                          are_shorter = discoveries(shorter, discovery_rate);
  for (std::size_t i = 0; i < changes.paths.size(); ++i) {
    changes.paths[i].is_longer = are_longer[i];
    changes.paths[i].is_shorter = are_shorter[i];
  }
  const auto most_first = [](const auto& change) { return change.seconds; };
  std::stable_sort(changes.paths.begin(), changes.paths.end(), [&](const ChangedPath& a, const ChangedPath& b) {
    return most_first(a.whole) > most_first(b.whole);
  });
  const auto by_term =
      differences(pairs.sides, [](const Sides& sides) { return terms_between(sides.newer, sides.base); });
  for (const auto& [name, values] : by_term)
    changes.terms.push_back(
        changed_term(name, term_title(name, pairs.sides.front().newer, pairs.sides.front().base), values, whole_s));
  std::stable_sort(changes.terms.begin(), changes.terms.end(),
                   [&](const ChangedTerm& a, const ChangedTerm& b) { return most_first(a) > most_first(b); });
  changes.untouched_log_ratios = untouched_log_ratios(pairs, untouched);
  for (const std::string& name : untouched)
    if (std::ranges::none_of(pairs.shared.paths, [&](const SharedPath& path) { return path.name == name; }))
      changes.unknown.push_back(name);
  return changes;
}

} // namespace andes::postproc
