#include "postproc/analysis/history_run.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "postproc/analysis/core_time.h"
#include "postproc/analysis/paths.h"

namespace andes::postproc {
namespace {

/// Names of hosts are not in it: those of containers and of clouds are new each time.
std::string fingerprint_of(const Profile& profile) {
  std::set<std::string> kinds;
  for (const ProfileHost& host : profile.hosts) {
    const auto cores = host.usable_cores.value_or(0);
    kinds.insert(fmt::format("{}, {} usable core{}", host.cpu.empty() ? "unknown processor" : host.cpu, cores,
                             cores == 1 ? "" : "s"));
  }
  std::string text;
  for (const std::string& kind : kinds) text += (text.empty() ? "" : "; ") + kind;
  if (profile.hosts.size() > 1) text += fmt::format("; {} hosts", profile.hosts.size());
  return text;
}

std::string why_it_cannot_count(const Profile& profile) {
  if (is_snapshot(profile)) return "a snapshot of a running program";
  if (is_spawned(profile)) return "spawned by another run";
  if (const std::string failure = failure_of(profile); !failure.empty()) return "failed";
  if (!incompleteness_of(profile).empty()) return "incomplete";
  return profile.wall_s > 0 ? "" : "without a time";
}

/// Call paths of the same names are one.
std::vector<LedgerPath> heaviest_paths(const Profile& profile, const CoreTime& time) {
  constexpr std::size_t most = 60;
  constexpr double least = 0.002; // of the core time
  std::map<std::vector<std::string>, LedgerPath> by_names;
  for (const auto& [number, charged] : time.paths) {
    std::vector<std::string> names = path_of(profile, number);
    LedgerPath& path = by_names[names];
    const Region& region = profile.region_of(static_cast<std::size_t>(number));
    path.path = std::move(names);
    path.file = region.file;
    path.line = region.line;
    path.computation_s += charged.computation_s;
    path.communication_s += charged.communication_s;
    path.idle_s += charged.idle_s;
    path.io_s += charged.io_s;
    path.threads_s += charged.threads_s;
    path.lost_s += charged.whole_s();
  }
  std::vector<LedgerPath> paths;
  for (auto& [names, path] : by_names)
    if (path.lost_s >= least * time.whole_s) paths.push_back(std::move(path));
  std::stable_sort(paths.begin(), paths.end(),
                   [](const LedgerPath& a, const LedgerPath& b) { return a.lost_s > b.lost_s; });
  if (paths.size() > most) paths.resize(most);
  return paths;
}

} // namespace

HistoryRun history_run_of(const Profile& profile) {
  HistoryRun run;
  run.file = profile.file;
  run.why_not = why_it_cannot_count(profile);
  run.program = fact_text(profile, "program");
  run.command = command_line(profile);
  run.label = fact_text(profile, "label");
  run.host = fingerprint_of(profile);
  run.mpi = fact_text(profile, "mpi_library", "no MPI");
  run.started = fact_text(profile, "started");
  run.kernel = fact_text(profile, "kernel");
  run.monitor = fact_text(profile, "monitor_version");
  run.stamp = stamp_of(profile);
  run.build = fact_text(profile, "executable_hash");
  run.ranks = profile.ranks;
  run.threads = static_cast<int>(fact_number(profile, "threads").value_or(1));
  run.time_s = profile.wall_s;
  if (!run.why_not.empty()) return run;
  const CoreTime time = core_time_of(profile);
  run.core_s = time.whole_s;
  run.parts = time.parts;
  run.titles = time.titles;
  run.paths = heaviest_paths(profile, time);
  return run;
}

} // namespace andes::postproc
