#include "monitor/recover/recover_run.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "common/index.h"
#include "monitor/exchange/thread_ranks.h"
#include "monitor/finish/fold_phases.h"
#include "monitor/finish/left_out.h"
#include "monitor/interface/ending_text.h"
#include "monitor/recover/hang_fact.h"
#include "monitor/recover/open_visits.h"
#include "monitor/recover/recovered_clock.h"
#include "monitor/recover/wait_for_graph.h"

namespace andes::monitor {
namespace {

constexpr int most_compared_ranks = 4096; // ranks whose logs are compared: each gets a thread
constexpr int most_missing = 1 << 20; // missing ranks listed one by one: the number of ranks comes from an
                                      // arena and is not trusted

std::vector<RecoveredProcess*> pointers(const RecoveredJob& job) {
  std::vector<RecoveredProcess*> all;
  for (const auto& one : job) all.push_back(one.get());
  return all;
}

/// A rank without an arena: it takes part in the exchange with no operations.
std::unique_ptr<Process> missing_rank(const Process& like, int rank) {
  auto process = std::make_unique<Process>();
  process->mpi.present = true;
  process->mpi.rank = rank;
  process->mpi.size = like.mpi.size;
  process->clock = like.clock;
  process->global_clock = like.global_clock;
  process->events.log_bytes = like.events.log_bytes;
  process->events.levels = {};
  return process;
}

OwnWaits none_because(const std::string& reason) {
  OwnWaits none;
  none.missing = reason;
  return none;
}

/// Puts the waits of all ranks into their profiles.
OwnWaits find_job_waits(const RecoveredJob& job, std::vector<Profile>& profiles, bool clocks) {
  const Process& first = job.front()->process;
  const int size = first.mpi.size;
  if (!first.mpi.present) return none_because("the program does not use MPI");
  if (!clocks && first.mpi.sessions)
    return none_because("the clocks of the hosts were not compared, as MPI sessions alone were used");
  if (!clocks) return none_because("the clocks of the hosts cannot be compared, as data are missing");
  if (size > most_compared_ranks)
    return none_because("more than " + std::to_string(most_compared_ranks) + " ranks are not compared by recovery");
  AllToAll alone(nullptr, 0);
  const RunRules rules = run_rules(first, alone);
  std::vector<const Process*> ranks(at(size));
  std::vector<Profile*> profile_of(at(size));
  for (std::size_t i = 0; i < job.size(); ++i) {
    ranks[at(job[i]->process.mpi.rank)] = &job[i]->process;
    profile_of[at(job[i]->process.mpi.rank)] = &profiles[i];
  }
  std::vector<std::unique_ptr<Process>> missing;
  std::vector<Profile> empty(at(size) - job.size());
  for (int rank = 0; rank < size; ++rank)
    if (!ranks[at(rank)]) {
      profile_of[at(rank)] = &empty[missing.size()];
      ranks[at(rank)] = missing.emplace_back(missing_rank(first, rank)).get();
    }
  OwnWaits found;
  const bool ran = run_ranks(size, [&](const andes_transport& transport) {
    AllToAll others(&transport, INT64_MAX);
    const std::size_t rank = at(transport.rank);
    OwnWaits own = measure_waits(*ranks[rank], *profile_of[rank], rules, others);
    if (transport.rank == 0) found = std::move(own);
  });
  return ran ? found : none_because("the system did not allow one thread per rank to compare them");
}

Hang hang_of(const std::vector<RecoveredProcess*>& job, const std::vector<Profile>& profiles,
             std::optional<double> ended_s) {
  const bool lives = std::any_of(job.begin(), job.end(), [](const RecoveredProcess* one) { return one->alive; });
  std::vector<RankState> states;
  for (std::size_t i = 0; i < job.size(); ++i) states.push_back(rank_state(*job[i], profiles[i], {lives, ended_s}));
  return job.front()->process.mpi.present ? find_hang(states) : Hang();
}

Reduction reduce_all(std::vector<Profile> profiles, const Bounds& bounds) {
  Reduction all = reduce(std::move(profiles.front()), bounds);
  for (std::size_t i = 1; i < profiles.size(); ++i) merge(all, reduce(std::move(profiles[i]), bounds), bounds);
  put_steps_last(all);
  return all;
}

/// Adds facts of this machine that the arena's process would have found.
void complete_host(RecoveredProcess& process) {
  if (process.boot_id != this_boot_id()) return;
  static const ProfileHost here = this_host();
  process.host.facts.cpu = here.facts.cpu;
  process.host.facts.memory_bytes = here.facts.memory_bytes;
}

const char* how(const RecoveredProcess& process) {
  if (process.alive && !came_to_end(process)) return run_file::end_running;
  const char* const silent = process.stopped_by != 0 ? run_file::end_stopped : run_file::end_killed;
  if (died_at_end(process)) return silent;
  switch (process.ending.kind) {
  case EndKind::running: return silent;
  case EndKind::exit: return run_file::end_exit;
  case EndKind::signal: return run_file::end_signal;
  case EndKind::mpi_abort: return run_file::end_abort;
  case EndKind::mpi_error: return run_file::end_error;
  default: return run_file::end_finalize;
  }
}

void set_how(EndingRow& row, const RecoveredProcess& process) {
  row.how = how(process);
  if (process.ending.kind == EndKind::signal || process.ending.kind == EndKind::mpi_abort ||
      process.ending.kind == EndKind::mpi_error)
    row.detail = process.ending.detail;
  if (row.how == run_file::end_stopped) row.detail = process.stopped_by;
  row.text = died_at_end(process) && process.process.mpi.present ? "in MPI_Finalize" : process.ending_text;
}

struct OpenPath {
  std::uint64_t hash = 0; // 0: not known
};

/// The call path that was open in a rank, by its hash.
OpenPath open_path(const RecoveredProcess& process, const Profile& profile) {
  if (process.innermost == node_root || profile.path_of_node.empty()) return {};
  const std::vector<std::int32_t>& paths = profile.path_of_node.front();
  const std::int32_t path = process.innermost < paths.size() ? paths[process.innermost] : -1;
  return path < 0 ? OpenPath() : OpenPath{profile.paths[at(path)].hash};
}

std::int64_t end_of_rank(const Run& run, std::int32_t rank) {
  std::int64_t end_ns = 0;
  for (const LocationRow& row : run.locations)
    if (row.rank == rank) end_ns = std::max(end_ns, row.end_ns);
  return end_ns;
}

/// For how long a rank lived on behind the interval that is measured: it was ended in MPI_Finalize.
std::int64_t behind_interval_ns(const RecoveredProcess& recovered) {
  const Process& process = recovered.process;
  if (died_at_end(recovered) && recovered.died_ticks > process.end_ticks)
    return std::llround(
        tick_scale(process.clock).duration_ns(static_cast<double>(recovered.died_ticks - process.end_ticks)));
  if (!recovered.finalized || !recovered.end_known || came_to_end(recovered)) return 0;
  const std::int64_t interval_ns = tick_scale(process.clock).realtime_ns(process.locations[0]->last_ticks);
  return std::max<std::int64_t>(0, process.clock.end.realtime_ns - interval_ns);
}

void add_endings(Run& run, const RecoveredJob& job, const std::vector<OpenPath>& paths, const Reduction& reduction) {
  const int size = job.front()->process.mpi.size;
  std::size_t next = 0; // index in the job, which is sorted by rank
  const auto left = [&](std::int32_t rank) { return next < job.size() && job[next]->process.mpi.rank == rank; };
  for (std::int32_t rank = 0; rank < size; ++rank) {
    if (rank >= most_missing && next == job.size()) break;
    if (rank >= most_missing && !left(rank)) continue;
    EndingRow row;
    row.rank = rank;
    row.how = run_file::end_missing;
    if (job.front()->process.mpi.sessions) row.text = "it opened no MPI session, or ran on another host";
    if (left(rank)) {
      const RecoveredProcess& process = *job[next];
      set_how(row, process);
      row.time_ns = end_of_rank(run, rank) + behind_interval_ns(process);
      row.last_event = !process.end_known || (died_at_end(process) && process.died_ticks == 0);
      if (const auto found = reduction.path_of_hash.find(paths[next].hash); found != reduction.path_of_hash.end()) {
        const std::int32_t folded = reduction.paths[at(found->second)].folded;
        row.callpath = folded >= 0 ? folded : found->second;
      }
      ++next;
    }
    run.endings.push_back(row);
  }
}

std::string path_text(const Run& run, std::int32_t path) {
  std::string text;
  for (; path >= 0; path = run.callpaths[at(path)].parent) {
    const RegionRow& region = run.regions[at(run.callpaths[at(path)].region)];
    if (region.kind == "root" || region.kind == call_site_kind) continue;
    text = text.empty() ? region.name : std::string(region.name).append(1, '/').append(text);
  }
  return text;
}

/// The place in the source of the innermost region whose line is known.
std::string place_text(const Run& run, std::int32_t path) {
  for (; path >= 0; path = run.callpaths[at(path)].parent)
    if (const RegionRow& region = run.regions[at(run.callpaths[at(path)].region)]; region.line > 0)
      return region.file.substr(region.file.rfind('/') + 1) + ":" + std::to_string(region.line);
  return {};
}

std::string library_of(const Run& run) {
  return run.facts.has("mpi_library") ? std::get<std::string>(run.facts.at("mpi_library")) : std::string();
}

std::vector<RankEnd> rank_ends(const Run& run) {
  std::vector<RankEnd> ends;
  for (const EndingRow& row : run.endings) {
    RankEnd& end = ends.emplace_back();
    end.rank = row.rank;
    end.how = row.how;
    end.detail = row.detail;
    if (row.how != run_file::end_missing) end.time_ns = static_cast<double>(row.time_ns);
    end.path = path_text(run, row.callpath);
    end.text = row.text;
    end.place = place_text(run, row.callpath);
    end.last_event = row.last_event;
  }
  return ends;
}

/// Processes of one world.
using Ranks = std::map<int, std::unique_ptr<RecoveredProcess>>;

/// Whether `one` had ended before `other` began: only where both ran on one host, and the end is recorded.
bool ended_before(const RecoveredProcess& one, const RecoveredProcess& other) {
  const std::uint64_t end_ticks = one.ending.kind != EndKind::running ? one.ending.ticks : one.died_ticks;
  return !one.alive && end_ticks != 0 && one.boot_id == other.boot_id &&
         one.process.clock.kind == other.process.clock.kind && end_ticks < other.process.clock.start.ticks;
}

/// Whether `one`, which began after these, may belong to their world.
bool may_join(const Ranks& ranks, const RecoveredProcess& one) {
  if (ranks.count(one.process.mpi.rank)) return false;
  return one.process.clock_sync.world != 0 || ranks.empty() ||
         std::any_of(ranks.begin(), ranks.end(), [&](const auto& rank) { return !ended_before(*rank.second, one); });
}

} // namespace

std::vector<RecoveredJob> jobs_of(std::vector<std::unique_ptr<RecoveredProcess>> processes) {
  // A world has no identifier if its clocks were not compared: then a rank that occurs twice belongs to another
  // world, which began later, and so do all processes that began after it.
  std::stable_sort(processes.begin(), processes.end(), [](const auto& a, const auto& b) {
    return a->process.clock.start.realtime_ns < b->process.clock.start.realtime_ns;
  });
  std::map<std::tuple<std::uint64_t, int, int>, Ranks> worlds;
  std::map<int, int> turns; // of worlds without an identifier, by size: the newest
  int others = 0;
  for (auto& one : processes) {
    const Process& process = one->process;
    if (!process.mpi.present) {
      worlds[{0, 0, --others}][0] = std::move(one);
      continue;
    }
    const std::uint64_t world = process.clock_sync.world;
    int known = 0;
    int& turn = world == 0 ? turns[process.mpi.size] : known;
    while (!may_join(worlds[{world, process.mpi.size, turn}], *one)) ++turn;
    worlds[{world, process.mpi.size, turn}][process.mpi.rank] = std::move(one);
  }
  std::vector<RecoveredJob> jobs;
  for (auto& [name, ranks] : worlds) {
    RecoveredJob& job = jobs.emplace_back();
    for (auto& [rank, process] : ranks) job.push_back(std::move(process));
  }
  std::stable_sort(jobs.begin(), jobs.end(), [](const RecoveredJob& a, const RecoveredJob& b) {
    const auto place = [](const Process& first) { return std::pair(first.mpi.spawned, first.clock.start.realtime_ns); };
    return place(a.front()->process) < place(b.front()->process);
  });
  return jobs;
}

std::string ending_words(const RecoveredProcess& process) {
  EndingRow row;
  set_how(row, process);
  return how_text(row.how, row.detail, row.text);
}

Run recovered_run(const RecoveredJob& job, const std::string& libraries, std::optional<double> ended_s, Hang* hang) {
  const std::vector<RecoveredProcess*> all = pointers(job);
  set_clocks(all);
  for (RecoveredProcess* one : all) close_process(*one);
  const bool clocks = share_clocks(all);
  std::vector<const Registry*> registries;
  for (RecoveredProcess* one : all) {
    complete_host(*one);
    registries.push_back(&one->process.registry);
  }
  const Names names = names_of_addresses(registries, libraries);
  std::vector<Profile> profiles;
  for (RecoveredProcess* one : all) profiles.push_back(own_profile(one->process, one->host, names));
  std::vector<OpenPath> paths;
  for (std::size_t i = 0; i < all.size(); ++i) paths.push_back(open_path(*all[i], profiles[i]));
  const Hang found = hang_of(all, profiles, ended_s);
  const OwnWaits waits = find_job_waits(job, profiles, clocks);

  const RecoveredProcess& first = *job.front();
  const int size = first.process.mpi.size;
  const Bounds bounds = bounds_of(first.process, static_cast<int>(job.size()));
  const Reduction reduction = reduce_all(std::move(profiles), bounds);
  Lost lost;
  bool live = false, ended = at(size) == job.size(), scaled = true;
  for (const RecoveredProcess* one : all) {
    lost.call_paths += one->lost.call_paths;
    lost.records += one->lost.records;
    lost.channels += one->lost.channels;
    lost.threads += one->lost.threads;
    live |= one->alive;
    ended &= came_to_end(*one) && !died_at_end(*one);
    scaled &= one->scaled;
  }
  const bool complete = ended && !lost.any();
  const Program& program = first.program;
  Run run = make_run(first.process, reduction,
                     {program, first.environment, notes_of_build(program.executable, program.hash),
                      is_of_build(program.executable, program.hash) ? stamp_in({program.executable}) : BuildStamp()},
                     waits, complete);
  run.facts["recovered"] = std::int64_t{1};
  run.facts["job_ranks"] = std::int64_t{size};
  if (live && !ended) run.facts["snapshot"] = std::int64_t{1};
  if (lost.call_paths) run.facts["lost_call_paths"] = static_cast<std::int64_t>(lost.call_paths);
  if (lost.records) run.facts["lost_records"] = static_cast<std::int64_t>(lost.records);
  if (lost.threads) run.facts["lost_threads"] = static_cast<std::int64_t>(lost.threads);
  if (!scaled) run.facts["clock_unknown"] = std::int64_t{1};
  if (complete) return run;
  for (LocationRow& row : run.locations) row.wait_at_end_ns.reset();
  run.left_overs.clear(); // what was under way is not left over
  add_endings(run, job, paths, reduction);
  if (!found.findings.empty()) run.facts["hang"] = hang_fact(found);
  if (hang) *hang = found;
  return run;
}

int signal_of_end(const Run& run) {
  const std::vector<RankEnd> ends = rank_ends(run);
  const auto failed = order_of_ends(ends, silence_tells(library_of(run))).first;
  for (const RankEnd& end : ends)
    if (end.how == run_file::end_signal && (!failed || failed->rank == end.rank)) return end.detail;
  return 0;
}

std::vector<std::string> ending_lines(const Run& run) { return ending_lines(rank_ends(run), library_of(run)); }

} // namespace andes::monitor
