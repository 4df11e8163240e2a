// One pass over each run, by names; what calls MPI in one run calls it in all.
#include "postproc/analysis/exclusions.h"

#include <algorithm>
#include <map>
#include <set>

#include "common/refusal.h"
#include "monitor/interface/selection_line.h"
#include "postproc/analysis/region_evidence.h"
#include "postproc/analysis/sampling.h"

namespace andes::postproc {
namespace {

/// Functions of one name in one run; sums over call paths and ranks.
struct Account {
  const Region* region = nullptr;
  double visits = 0, inclusive_ns = 0, paid_ns = 0;
  bool sampled = false, closed = false, muted = false;
};

/// Whether a call path above this one is of the same function: its inclusive time is in that one's.
bool is_inner_recursion(const Profile& run, std::size_t callpath) {
  const std::string& name = run.regions[std::size_t(run.callpaths[callpath].region)].name;
  for (int above = run.callpaths[callpath].parent; above >= 0; above = run.callpaths[std::size_t(above)].parent)
    if (run.regions[std::size_t(run.callpaths[std::size_t(above)].region)].name == name) return true;
  return false;
}

/// Names of the functions that call MPI.
void add_callers_of_mpi(const Profile& run, std::set<std::string>& names) {
  for (const CallPath& callpath : run.callpaths) {
    if (!is_mpi_kind(run.regions[std::size_t(callpath.region)].kind)) continue;
    int above = callpath.parent; // a loop or a place of the call may stand between
    while (above >= 0 && !is_function(run.regions[std::size_t(run.callpaths[std::size_t(above)].region)]))
      above = run.callpaths[std::size_t(above)].parent;
    if (above >= 0) names.insert(run.regions[std::size_t(run.callpaths[std::size_t(above)].region)].name);
  }
}

std::map<std::string, Account> accounts_of(const Profile& run, double probe_ns, double sampled_probe_ns) {
  std::map<std::string, Account> accounts;
  for (std::size_t i = 0; i < run.callpaths.size(); ++i) {
    const Region& region = run.regions[std::size_t(run.callpaths[i].region)];
    if (!is_function(region)) continue;
    const auto sum = [&](int metric) { return run.statistic(i, metric).sum; };
    Account& account = accounts[region.name];
    if (!account.region) account.region = &region;
    const bool closed = visits_above(&run.statistic(i, 0)) > 0;
    const double timed = sum(run_file::timed_visits), counted = sum(run_file::sampled_visits) - timed;
    account.visits += sum(run_file::visits);
    // Nearly all visits of a closed function are not even counted.
    account.paid_ns += (sum(run_file::visits) - counted) * probe_ns + (closed ? 0 : counted * sampled_probe_ns);
    account.closed |= closed;
    if (!is_inner_recursion(run, i)) account.inclusive_ns += sum(run_file::inclusive_ns);
    account.sampled |= sum(run_file::sampled_visits) > 0;
    account.muted |= is_muted(&run.statistic(i, 0));
  }
  return accounts;
}

/// Whether a line for `name` may leave out one of the names to keep: without parameters it stands
/// for all, and a name without may be that of a function that has these parameters.
bool hits(const std::string& name, const std::set<std::string>& keep) {
  const bool listed = name != without_parameters(name);
  return std::ranges::any_of(keep, [&](const std::string& kept) {
    return listed && kept != without_parameters(kept) ? kept == name
                                                      : without_parameters(kept) == without_parameters(name);
  });
}

double probe_cost(const Profile& run) {
  const std::optional<double> probe_ns = fact_number(run, "probe_ns");
  if (!probe_ns || *probe_ns <= 0)
    refuse(run.file, "does not say what a probe costs", "measure it again with this andes");
  return *probe_ns;
}

/// Programs that are built for each number of ranks are one build in one sweep.
void require_one_build(const std::vector<Profile>& runs) {
  const auto build = [](const Profile& run) {
    return run.facts.has("swept_program") ? swept_program(run) : fact_text(run, "executable_hash");
  };
  for (const Profile& run : runs)
    if (build(run) != build(runs[0]))
      refuse(run.file, "comes from another build than " + runs[0].file, "give runs of one build");
}

} // namespace

Exclusions exclusions_of(const std::vector<Profile>& runs, double cost_percent) {
  require_one_build(runs);
  Exclusions result;
  std::set<std::string> keep{"main"};
  for (const Profile& run : runs) add_callers_of_mpi(run, keep);
  std::map<std::string, Exclusion> chosen;
  std::set<std::string> nameless;
  std::vector<std::map<std::string, double>> saved_percent;
  for (const Profile& run : runs) {
    const double probe_ns = probe_cost(run), total_ns = run.ranks * run.wall_s * 1e9;
    result.probe_ns = std::max(result.probe_ns, probe_ns);
    std::map<std::string, double>& saved = saved_percent.emplace_back();
    for (const auto& [name, account] :
         accounts_of(run, probe_ns, fact_number(run, "sampled_probe_ns").value_or(probe_ns))) {
      result.any_function = true;
      saved[name] = 100 * account.paid_ns / total_ns;
      const bool costs_more = 100 * account.visits * probe_ns > cost_percent * account.inclusive_ns;
      const bool matters = account.sampled || account.muted || saved[name] >= least_saved_percent;
      if (hits(name, keep) || !matters || !(costs_more || account.muted)) continue;
      if (!is_selectable(name)) {
        nameless.insert(name);
        continue;
      }
      Exclusion& function = chosen[name];
      function.sampled |= account.sampled;
      function.closed |= account.closed;
      function.muted |= account.muted;
      if (function.name.empty() || saved[name] > function.saved_percent) {
        function.name = name;
        function.file = account.region->file;
        function.line = account.region->line;
        function.visits = account.visits;
        function.visit_ns = account.visits > 0 ? account.inclusive_ns / account.visits : 0;
        function.saved_percent = saved[name];
      }
    }
  }
  for (const std::map<std::string, double>& saved : saved_percent) {
    double all = 0;
    for (const auto& [name, percent] : saved) all += chosen.count(name) ? percent : 0;
    result.saved_percent = std::max(result.saved_percent, all);
  }
  result.nameless = nameless.size();
  for (auto& [name, function] : chosen) result.functions.push_back(std::move(function));
  std::ranges::stable_sort(result.functions, [](const Exclusion& a, const Exclusion& b) {
    const auto class_of = [](const Exclusion& one) { return one.muted ? 0 : one.closed ? 1 : one.sampled ? 2 : 3; };
    if (class_of(a) != class_of(b)) return class_of(a) < class_of(b);
    return a.closed ? a.visits > b.visits : a.saved_percent > b.saved_percent;
  });
  return result;
}

} // namespace andes::postproc
