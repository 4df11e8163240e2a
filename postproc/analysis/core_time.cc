// Totals come from the locations, which conserve time; what they are made of, from the call tree. Where the tree
// has more or less, the difference is a part of its own (`not_accounted`, `idle_other`, `threads_other`), so nothing
// is lost or counted twice. Threads of a team are apart while their main thread is outside of parallel regions: their
// time apart is divided as the main thread's time there.
#include "postproc/analysis/core_time.h"

#include <algorithm>
#include <cmath>

#include "postproc/analysis/diagnosis.h"
#include "postproc/analysis/paths.h"

namespace andes::postproc {
namespace {

constexpr double second = 1e-9; // of nanoseconds
const std::string end_part = std::string("idle_") + wait_at_end;

bool takes_part(const Location& l) { return l.thread == 0 || l.parallel_ns.value_or(0) > 0; }

/// Waits in MPI of each call path itself, in nanoseconds.
std::vector<double> own_waits(const Profile& profile) {
  std::vector<double> waits(profile.callpaths.size());
  for (const CauseStatistic& one : profile.cause_statistics)
    waits[static_cast<std::size_t>(one.callpath)] += one.wait_ns.sum;
  return waits;
}

/// Parts by kind of MPI call and by cause.
void add_mpi_parts(const Profile& profile, const std::vector<double>& waits, CoreTime& time) {
  for (std::size_t i = 0; i < profile.callpaths.size(); ++i) {
    const Region& region = profile.region_of(i);
    if (!communicates(region)) continue;
    const std::string name = region.kind == "io" ? "input_output" : "communication_" + region.kind;
    time.parts[name] += (profile.statistic(i, run_file::exclusive_ns).sum - waits[i]) * second;
  }
  for (const CauseStatistic& one : profile.cause_statistics) {
    const Cause& cause = profile.causes[static_cast<std::size_t>(one.cause)];
    const std::string name = "idle_" + cause.name;
    time.parts[name] += one.wait_ns.sum * second;
    time.titles[name] = cause.title;
  }
}

/// Waiting for threads of the process in teams, by kind.
void add_team_parts(const Profile& profile, CoreTime& time) {
  for (std::size_t i = 0; i < profile.callpaths.size(); ++i)
    if (const Region& region = profile.region_of(i); is_idle_kind(region.kind) && region.kind != "apart")
      time.parts["threads_" + region.kind] += profile.statistic(i, run_file::exclusive_ns).sum * second;
}

double sum_of(const CoreTime& time, const std::string& beginning) {
  double sum = 0;
  for (const auto& [name, seconds] : time.parts)
    if (name.starts_with(beginning)) sum += seconds;
  return sum;
}

/// Adds what parts have no name for. As far as it is rounding it goes to the largest part with this beginning.
void add_rest(const std::string& name, double rest, const std::string& beginning, CoreTime& time) {
  constexpr double rounding = 1e-6; // of the whole time
  std::pair<const std::string, double>* largest = nullptr;
  for (auto& part : time.parts)
    if (part.first.starts_with(beginning) && (!largest || part.second > largest->second)) largest = &part;
  if (largest && std::fabs(rest) <= rounding * time.whole_s) largest->second += rest;
  else if (rest != 0) time.parts[name] += rest;
}

/// What the main thread of a process has outside of parallel regions, and its team's other threads meanwhile.
struct Process {
  double serial_s = 0, mpi_s = 0, late_s = 0, at_end_s = 0; // of the main thread
  double apart_s = 0; // sum over the other threads
};

void add_process(const Process& process, CoreTime& time) {
  const double outside_s = process.serial_s + process.mpi_s + process.late_s + process.at_end_s;
  const double others = outside_s > 0 ? process.apart_s / outside_s : 0; // as many threads
  time.parts["threads_serial"] += outside_s > 0 ? others * process.serial_s : process.apart_s;
  time.parts["threads_mpi"] += others * process.mpi_s;
  time.parts["late_start"] += (1 + others) * process.late_s;
  time.parts[end_part] += (1 + others) * process.at_end_s;
}

/// Adds up the locations: cores, and parts that need no call tree. `in_mpi_s` is theirs in MPI, waits left out.
void add_locations(const Profile& profile, CoreTime& time, double& in_mpi_s, double& idle_s, double& team_s) {
  double least_off_ns = INFINITY; // T leaves out the time in which all ranks were switched off
  for (const Location& l : profile.locations)
    if (l.thread == 0) least_off_ns = std::min(least_off_ns, l.off_ns.value_or(0));
  Process process;
  for (const Location& l : profile.locations) {
    const double team_ns = l.team_idle_ns.value_or(0), waits_ns = l.idle_ns ? *l.idle_ns - team_ns : 0;
    const double mpi_ns = l.wall_ns - l.compute_ns - l.tool_ns - waits_ns - team_ns;
    const double outside_s = profile.wall_s - l.wall_ns * second;
    if (l.thread == 0) {
      add_process(process, time);
      process = {};
      const double off_s = std::clamp((l.off_ns.value_or(0) - least_off_ns) * second, 0.0, std::max(0.0, outside_s));
      time.parts["switched_off"] += off_s;
      process.at_end_s = l.wait_at_end_ns.value_or(0) * second;
      process.late_s = outside_s - off_s - process.at_end_s;
      process.mpi_s =
          std::max(0.0, mpi_ns + waits_ns - l.region_communication_ns.value_or(0) - l.region_wait_ns.value_or(0)) *
          second;
      process.serial_s =
          std::max(0.0, (l.wall_ns - l.parallel_ns.value_or(0) - l.apart_ns.value_or(0)) * second - process.mpi_s);
      time.parts["threads_ended"] += l.apart_ns.value_or(0) * second;
    } else {
      process.apart_s += l.apart_ns.value_or(0) * second + (takes_part(l) ? outside_s : 0);
    }
    time.cores += takes_part(l);
    time.other_threads_s += takes_part(l) ? 0 : l.wall_ns * second;
    time.whole_s += takes_part(l) ? profile.wall_s : l.wall_ns * second;
    time.parts["computation"] += l.compute_ns * second;
    time.parts["tool"] += l.tool_ns * second;
    in_mpi_s += mpi_ns * second;
    idle_s += waits_ns * second;
    team_s += (team_ns - l.apart_ns.value_or(0)) * second;
  }
  add_process(process, time);
}

/// The innermost of the program's own code around a call path: whom its time is charged to.
std::size_t charged(const Profile& profile, std::size_t callpath) {
  while (profile.callpaths[callpath].parent >= 0) {
    const std::string& kind = profile.region_of(callpath).kind;
    if (!is_mpi_kind(kind) && !is_idle_kind(kind) && kind != "call-site") break;
    callpath = static_cast<std::size_t>(profile.callpaths[callpath].parent);
  }
  return callpath;
}

std::vector<ChargedTime> charged_times(const Profile& profile, const std::vector<double>& waits) {
  std::vector<ChargedTime> times(profile.callpaths.size());
  for (std::size_t i = 0; i < profile.callpaths.size(); ++i) {
    const Region& region = profile.region_of(i);
    const double exclusive_s = profile.statistic(i, run_file::exclusive_ns).sum * second;
    if (region.kind == "tool" || exclusive_s == 0) continue;
    ChargedTime& time = times[charged(profile, i)];
    const double wait_s = waits[i] * second;
    time.idle_s += wait_s;
    (region.kind == "io"         ? time.io_s
     : communicates(region)      ? time.communication_s
     : is_idle_kind(region.kind) ? time.threads_s
                                 : time.computation_s) += exclusive_s - wait_s;
  }
  return times;
}

void add_paths(const Profile& profile, const std::vector<double>& waits, CoreTime& time) {
  const std::vector<ChargedTime> times = charged_times(profile, waits);
  for (std::size_t i = 0; i < times.size(); ++i) {
    const ChargedTime& own = times[i];
    if (own.computation_s == 0 && own.communication_s == 0 && own.idle_s == 0 && own.io_s == 0 && own.threads_s == 0)
      continue;
    time.paths.emplace(static_cast<int>(i), own);
  }
}

/// The idle time in MPI by what the chains of waits began with.
void add_origins(const Profile& profile, CoreTime& time) {
  const double idle_s = sum_of(time, "idle_");
  const auto at_end = time.parts.find(end_part);
  double known_s = 0;
  for (const WaitOrigin& one : profile.origins) {
    const LateReason reason = late_reason(profile, one);
    OriginTime& origin = time.origins[{reason.kind, std::max(-1, reason.callpath)}];
    origin.seconds += one.wait_ns * second;
    origin.ranks[one.rank] += one.wait_ns * second;
    known_s += one.wait_ns * second;
  }
  if (at_end != time.parts.end() && at_end->second != 0) {
    time.origins[{OriginKind::end, -1}].seconds += at_end->second;
    known_s += at_end->second;
  }
  if (idle_s != known_s) time.origins[{OriginKind::not_known, -1}].seconds += idle_s - known_s;
}

} // namespace

CoreTime core_time_of(const Profile& profile) {
  CoreTime time;
  time.time_s = profile.wall_s;
  double in_mpi_s = 0, idle_s = 0, team_s = 0;
  add_locations(profile, time, in_mpi_s, idle_s, team_s);
  const double at_end_s = time.parts[end_part];
  const std::vector<double> waits = own_waits(profile);
  add_mpi_parts(profile, waits, time);
  add_team_parts(profile, time);
  add_rest("not_accounted", in_mpi_s - sum_of(time, "communication_") - time.parts["input_output"], "communication_",
           time);
  add_rest("idle_other", idle_s - (sum_of(time, "idle_") - at_end_s), "idle_", time);
  add_rest("threads_other", team_s - time.parts["threads_barrier"] - time.parts["threads_lock"], "threads_", time);
  add_paths(profile, waits, time);
  add_origins(profile, time);
  time.work = whole_work(profile);
  time.core_waits = core_waits_of(profile, time.parts);
  return time;
}

namespace {

struct Named {
  const char *name, *title;
};

} // namespace

std::string part_title(const std::string& name, const std::map<std::string, std::string>& titles) {
  constexpr Named known[] = {{"computation", "more computation"},
                             {core_wait_part, "waiting for a core"},
                             {"instructions", "more instructions"},
                             {"instructions_per_cycle", "fewer instructions per cycle"},
                             {"frequency", "lower frequency"},
                             {"communication_send", "MPI: sending"},
                             {"communication_receive", "MPI: receiving"},
                             {"communication_exchange", "MPI: collective, all to all"},
                             {"communication_source", "MPI: collective, one to all"},
                             {"communication_destination", "MPI: collective, all to one"},
                             {"communication_synchronisation", "MPI: synchronisation"},
                             {"communication_one-sided", "MPI: one-sided"},
                             {"communication_management", "MPI: management"},
                             {"input_output", "input and output"},
                             {"idle_wait_at_end", "idle: wait at end"},
                             {"idle_other", "idle: not classified"},
                             {"threads_barrier", "threads: waiting at barriers"},
                             {"threads_lock", "threads: waiting to enter, or for others"},
                             {"threads_serial", "threads: idle in serial parts"},
                             {"threads_mpi", "threads: idle while MPI is called"},
                             {"threads_ended", "threads: main threads have ended"},
                             {"threads_other", "threads: other"},
                             {"tool", "tool"},
                             {"late_start", "late start"},
                             {"switched_off", "switched off"},
                             {"not_accounted", "not accounted for"}};
  for (const Named& one : known)
    if (name == one.name) return one.title;
  const auto cause = titles.find(name);
  return cause != titles.end() && !cause->second.empty() ? "idle: " + cause->second : name;
}

namespace {

/// `part` of all times of each, and of the cores, in sum.
CoreTime sum_of(const std::vector<const CoreTime*>& runs, double part) {
  CoreTime total;
  for (const CoreTime* run : runs) {
    total.time_s += part * run->time_s;
    total.cores += part * run->cores;
    total.other_threads_s += part * run->other_threads_s;
    total.whole_s += part * run->whole_s;
    for (const auto& [name, seconds] : run->parts) total.parts[name] += part * seconds;
    total.titles.insert(run->titles.begin(), run->titles.end());
    for (const auto& [key, origin] : run->origins) {
      OriginTime& sum = total.origins[key];
      sum.seconds += part * origin.seconds;
      for (const auto& [rank, seconds] : origin.ranks) sum.ranks[rank] += part * seconds;
    }
    for (const auto& [number, path] : run->paths) {
      ChargedTime& sum = total.paths[number];
      for (auto member : {&ChargedTime::computation_s, &ChargedTime::communication_s, &ChargedTime::idle_s,
                          &ChargedTime::io_s, &ChargedTime::threads_s})
        sum.*member += part * path.*member;
    }
  }
  if (std::ranges::all_of(runs, [](const CoreTime* run) { return run->core_waits.has_value(); })) {
    total.core_waits.emplace();
    for (const CoreTime* run : runs) {
      for (const auto& [name, seconds] : run->core_waits->parts) total.core_waits->parts[name] += part * seconds;
      total.core_waits->whole_s += part * run->core_waits->whole_s;
      total.core_waits->error_s += part * run->core_waits->error_s;
    }
  }
  const bool counted = std::all_of(runs.begin(), runs.end(), [](const CoreTime* run) { return run->work.has_value(); });
  if (!counted) return total;
  total.work.emplace();
  for (const CoreTime* run : runs)
    for (auto member : {&Work::useful_s, &Work::instructions, &Work::cycles})
      (*total.work).*member += part * (*run->work).*member;
  return total;
}

} // namespace

CoreTime mean_of(const std::vector<const CoreTime*>& runs) {
  return sum_of(runs, 1.0 / static_cast<double>(runs.size()));
}

CoreTime of_larger_problem(const CoreTime& run, double factor) {
  CoreTime larger = sum_of({&run}, factor);
  larger.time_s = run.time_s;
  return larger;
}

void renumber(CoreTime& time, const std::vector<int>& numbers) {
  const auto number = [&](int path) { return path < 0 ? -1 : numbers[static_cast<std::size_t>(path)]; };
  std::map<int, ChargedTime> paths;
  for (const auto& [path, charged] : time.paths) paths.emplace(number(path), charged);
  time.paths = std::move(paths);
  std::map<OriginKey, OriginTime> origins;
  for (auto& [key, origin] : time.origins) origins.emplace(OriginKey(key.first, number(key.second)), std::move(origin));
  time.origins = std::move(origins);
}

CoreTime core_time_in(BuildTree& tree, const Profile& profile) {
  CoreTime time = core_time_of(profile);
  renumber(time, add_run(tree, profile));
  return time;
}

std::vector<ChargedTime> charged_times(const Profile& profile) { return charged_times(profile, own_waits(profile)); }

MeasuredTime measured_time(std::vector<CoreTime> repeats) {
  MeasuredTime m{std::move(repeats), {}};
  std::vector<const CoreTime*> by_time;
  for (const CoreTime& run : m.repeats) by_time.push_back(&run);
  std::stable_sort(by_time.begin(), by_time.end(),
                   [](const CoreTime* a, const CoreTime* b) { return a->time_s < b->time_s; });
  const std::size_t half = by_time.size() / 2;
  m.middle =
      mean_of(by_time.size() % 2 == 1 ? std::vector{by_time[half]} : std::vector{by_time[half - 1], by_time[half]});
  return m;
}

bool is_idle_part(const std::string& name) { return name.starts_with("idle_"); }

} // namespace andes::postproc
