// Call paths with less than one per cent of the core time in both builds are not tested: they cannot explain a change
// that matters, and each test takes evidence from the others. Which are left does not depend on whether they changed.
#include "postproc/analysis/gate_paths.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "postproc/analysis/core_time.h"
#include "postproc/analysis/false_discoveries.h"
#include "postproc/analysis/medians.h"
#include "postproc/model/read_run.h"

namespace andes::postproc {
namespace {

constexpr double least_part = 0.01; // of the core time
constexpr double discovery_rate = 0.05, interval_level = 0.025;

using Names = std::vector<std::string>;
using Terms = std::map<std::string, double>;

struct PathTerms {
  Terms terms; // in seconds
  std::string file;
  int line = 0;
};

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

std::map<Names, PathTerms> path_terms(const CoreTime& time) {
  std::map<Names, PathTerms> all;
  const bool origins_known = std::any_of(time.origins.begin(), time.origins.end(),
                                         [](const auto& origin) { return !origin.first.second.empty(); });
  for (const auto& [names, path] : time.paths) {
    PathTerms& one = all[names];
    one.file = path.file;
    one.line = path.line;
    one.terms = {{"computation", path.computation_s},
                 {"communication", path.communication_s},
                 {"input_output", path.io_s},
                 {"threads", path.threads_s}};
    if (!origins_known) one.terms["idle"] = path.idle_s;
  }
  for (const auto& [key, origin] : time.origins) {
    if (key.second.empty()) continue;
    PathTerms& one = all[key.second];
    if (one.file.empty()) one.file = origin.file, one.line = origin.line;
    one.terms[std::string("waits_") + name_of(key.first)] += origin.seconds;
  }
  return all;
}

/// Both sides of a pair.
struct Sides {
  CoreTime base, newer;
  std::map<Names, PathTerms> base_paths, newer_paths; // by the names of the newer build
};

Sides read_sides(const PairOfFiles& files, const SamePath& same) {
  Sides sides{
      core_time_of(read_run(files.base, Detail::tree)), core_time_of(read_run(files.newer, Detail::tree)), {}, {}};
  for (auto& [names, terms] : path_terms(sides.base)) {
    PathTerms& one = sides.base_paths[same(names)];
    for (const auto& [name, seconds] : terms.terms) one.terms[name] += seconds;
    one.file = terms.file;
    one.line = terms.line;
  }
  sides.newer_paths = path_terms(sides.newer);
  return sides;
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

const Terms& terms_at(const std::map<Names, PathTerms>& paths, const Names& names) {
  static const Terms none;
  const auto found = paths.find(names);
  return found == paths.end() ? none : found->second.terms;
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

ChangedPath changed_path(const std::vector<Sides>& pairs, const Names& names, double whole_s,
                         std::vector<double>& sums) {
  ChangedPath path;
  path.path = names;
  for (const Sides& sides : pairs)
    for (const auto* paths : {&sides.base_paths, &sides.newer_paths}) // the newer one's place stands
      if (const auto found = paths->find(names); found != paths->end() && !found->second.file.empty())
        path.file = found->second.file, path.line = found->second.line;
  std::vector<double> base, newer;
  for (const Sides& sides : pairs) {
    base.push_back(sum_of(terms_at(sides.base_paths, names)));
    newer.push_back(sum_of(terms_at(sides.newer_paths, names)));
    sums.push_back(newer.back() - base.back());
  }
  path.base_s = median(std::move(base));
  path.newer_s = median(std::move(newer));
  path.whole = changed_term("all", "all", sums, whole_s);
  const double direction = path.whole.seconds < 0 ? -1 : 1;
  const auto by_term = differences(pairs, [&](const Sides& sides) {
    return minus(terms_at(sides.newer_paths, names), terms_at(sides.base_paths, names));
  });
  for (const auto& [name, values] : by_term) {
    ChangedTerm term = changed_term(name, title_of(name), values, whole_s);
    if (path.most.name.empty() || direction * term.seconds > direction * path.most.seconds) path.most = std::move(term);
  }
  return path;
}

/// Call paths with enough time in either build.
std::vector<Names> paths_that_matter(const std::vector<Sides>& pairs, double whole_s) {
  std::map<Names, std::pair<double, double>> sums;
  for (const Sides& sides : pairs) {
    for (const auto& [names, path] : sides.base_paths) sums[names].first += sum_of(path.terms);
    for (const auto& [names, path] : sides.newer_paths) sums[names].second += sum_of(path.terms);
  }
  std::vector<Names> matter;
  for (const auto& [names, both] : sums)
    if (std::max(both.first, both.second) / static_cast<double>(pairs.size()) >= least_part * whole_s)
      matter.push_back(names);
  return matter;
}

std::vector<double> untouched_log_ratios(const std::vector<Sides>& pairs, const std::vector<std::string>& untouched) {
  const auto time_in = [&untouched](const std::map<Names, PathTerms>& paths) {
    double seconds = 0;
    for (const auto& [names, path] : paths)
      if (std::any_of(untouched.begin(), untouched.end(), [&names = names](const std::string& region) {
            return std::find(names.begin(), names.end(), region) != names.end();
          })) {
        const auto computation = path.terms.find("computation");
        if (computation != path.terms.end()) seconds += computation->second;
      }
    return seconds;
  };
  std::vector<double> log_ratios;
  for (const Sides& sides : pairs) {
    const double base = time_in(sides.base_paths), newer = time_in(sides.newer_paths);
    if (base <= 0 || newer <= 0) return {};
    log_ratios.push_back(std::log(newer / base));
  }
  return log_ratios;
}

} // namespace

ChangedPaths changed_paths(const std::vector<PairOfFiles>& files, const std::vector<std::string>& untouched,
                           const SamePath& same) {
  ChangedPaths changes;
  if (files.empty()) return changes;
  std::vector<Sides> pairs;
  std::vector<double> wholes;
  for (const PairOfFiles& pair : files) {
    pairs.push_back(read_sides(pair, same));
    wholes.push_back(pairs.back().base.whole_s);
  }
  const double whole_s = median(std::move(wholes));
  std::vector<double> longer, shorter; // chances
  for (const Names& names : paths_that_matter(pairs, whole_s)) {
    std::vector<double> sums;
    changes.paths.push_back(changed_path(pairs, names, whole_s, sums));
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
  const auto by_term = differences(pairs, [](const Sides& sides) { return terms_between(sides.newer, sides.base); });
  for (const auto& [name, values] : by_term)
    changes.terms.push_back(
        changed_term(name, term_title(name, pairs.front().newer, pairs.front().base), values, whole_s));
  std::stable_sort(changes.terms.begin(), changes.terms.end(),
                   [&](const ChangedTerm& a, const ChangedTerm& b) { return most_first(a) > most_first(b); });
  changes.untouched_log_ratios = untouched_log_ratios(pairs, untouched);
  return changes;
}

} // namespace andes::postproc
