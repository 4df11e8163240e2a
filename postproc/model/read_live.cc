// Each arena is copied, its open visits are closed at the time of the reading, and it goes the way of a
// process at its end: own_profile. So the figures are those that a run file would have.
#include "postproc/model/read_live.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <new>

#include "common/refusal.h"
#include "monitor/finish/fold_phases.h"
#include "monitor/finish/profile.h"
#include "monitor/recover/jobs.h"
#include "monitor/recover/open_visits.h"
#include "monitor/recover/read_process.h"
#include "monitor/recover/recover_run.h"
#include "monitor/recover/recovered_clock.h"
#include "monitor/recover/wait_for_graph.h"

namespace andes::postproc {
namespace {

using Status = LiveRank::Status;
using Found = std::unique_ptr<monitor::RecoveredProcess>;

const monitor::RegionRow& region_of(const monitor::Profile& profile, std::int32_t path) {
  return profile.regions[static_cast<std::size_t>(profile.paths[static_cast<std::size_t>(path)].region)];
}

std::int32_t above(const monitor::Profile& profile, std::int32_t path) {
  return profile.paths[static_cast<std::size_t>(path)].parent;
}

/// Of a step: its name. Beyond `phase_limit` all have one, and how often the main thread has been in the phase
/// tells more.
std::string step_name(const monitor::Profile& profile, std::int32_t step) {
  const std::int32_t phase = above(profile, step);
  const std::string& name = region_of(profile, step).name;
  const std::string& phase_name = region_of(profile, phase).name;
  if (name != phase_name + " (more)") return name;
  const auto& visits = profile.paths[static_cast<std::size_t>(phase)].values[run_file::visits];
  return fmt::format("{} (visit {:.0f})", phase_name, visits.empty() ? 0.0 : visits[0]);
}

/// By its names. The program is above all others, and goes without saying; a step stands in the place of its phase.
LivePath live_path(const monitor::Profile& profile, std::int32_t path) {
  LivePath live;
  live.mpi = monitor::is_mpi(region_of(profile, path));
  for (std::int32_t at = path; at >= 0; at = above(profile, at)) {
    const monitor::RegionRow& region = region_of(profile, at);
    const std::int32_t parent = above(profile, at);
    const bool step = parent >= 0 && region.kind == monitor::step_kind;
    if (parent >= 0 || live.names.empty() || region.name != "(program)")
      live.names.push_back(step ? step_name(profile, at) : region.name);
    if (step) at = parent;
  }
  std::reverse(live.names.begin(), live.names.end());
  return live;
}

/// Call paths of the profile that the job does not know yet, those of single steps left out.
void add_paths(LiveJob& job, const monitor::Profile& profile) {
  for (std::size_t i = 0; i < profile.paths.size(); ++i) {
    const monitor::ProfilePath& path = profile.paths[i];
    if (path.folded < 0 && !job.paths.count(path.hash))
      job.paths.emplace(path.hash, live_path(profile, static_cast<std::int32_t>(i)));
  }
}

Status status_of(const monitor::RecoveredProcess& found) {
  if (!found.alive) return Status::ended;
  if (found.ending.kind >= monitor::EndKind::finalizing) return Status::finalizing;
  if (!found.process.mpi.present && !found.process.chosen) return Status::starting;
  return found.process.locations[0]->suspended ? Status::off : Status::running;
}

void set_now(LiveRank& rank, const monitor::RecoveredProcess& found, const monitor::Profile& profile,
             const monitor::TickScale& scale) {
  const std::vector<andes_frame>& frames = found.open[0].frames;
  if (frames.size() < 2) return;
  const andes_frame& frame = frames.back();
  const monitor::Tree& tree = found.process.locations[0]->tree;
  const std::int32_t path = profile.path_of_node[0][tree.number(tree.node_at(frame.place))];
  if (path < 0) return;
  rank.now = live_path(profile, path);
  if (monitor::is_timed(frame) && found.end_ticks >= frame.enter_ticks)
    rank.now_ns = scale.duration_ns(static_cast<double>(found.end_ticks - frame.enter_ticks));
}

/// The span of a rank's measured interval, wall-clock time.
struct Span {
  std::int64_t start_ns, end_ns;
};

/// What all ranks of a world do.
struct WorldStates {
  std::vector<monitor::RankState> ranks;
  bool lives = false;
};

Span add_rank(LiveJob& job, monitor::RecoveredProcess& found, const monitor::Names& names, WorldStates& states) {
  LiveRank rank;
  rank.rank = found.process.mpi.rank;
  rank.process = found.pid;
  rank.host = found.host.facts.name;
  rank.status = status_of(found);
  monitor::close_process(found);
  monitor::Profile profile = own_profile(found.process, found.host, names);
  if (found.process.mpi.present) states.ranks.push_back(rank_state(found, profile, {states.lives, {}}));
  monitor::fold_phases(profile);
  const monitor::TickScale scale = tick_scale(found.process.clock);
  add_paths(job, profile);
  const monitor::LocationRow& main = profile.locations[0];
  rank.wall_ns = static_cast<double>(main.wall_ns);
  rank.compute_ns = static_cast<double>(main.compute_ns);
  rank.communication_ns = static_cast<double>(main.communication_ns);
  rank.io_ns = static_cast<double>(main.io_ns);
  rank.tool_ns = static_cast<double>(main.tool_ns);
  for (const monitor::ProfilePath& path : profile.paths) {
    if (path.folded >= 0) continue;
    for (const double ns : path.values[run_file::exclusive_ns]) rank.exclusive_ns[path.hash] += ns;
  }
  if (found.alive) rank.at_ns = found.process.clock.end.monotonic_ns;
  set_now(rank, found, profile, scale);
  if (rank.status == Status::ended) rank.ending = monitor::ending_words(found);
  job.ranks.push_back(std::move(rank));
  return {main.start_ns, main.end_ns};
}

std::string command_text(const monitor::Program& program) {
  std::string text = program.name;
  for (const std::string& argument : program.arguments) text += " " + argument;
  return text;
}

bool lives(const monitor::RecoveredJob& job) {
  return std::any_of(job.begin(), job.end(), [](const Found& found) { return found->alive; });
}

/// In all directories of the job: processes that come later may have found room in another place.
std::vector<monitor::ArenaLook> look_at_job(const std::string& directory) {
  std::vector<monitor::ArenaLook> arenas;
  for (const std::string& one : monitor::whole_jobs({directory}, monitor::known_places()))
    for (monitor::ArenaLook& arena : monitor::look_at(one)) arenas.push_back(std::move(arena));
  return arenas;
}

} // namespace

/// Names are looked up again when there are more addresses than before.
struct LiveReader::Known {
  std::string libraries;
  monitor::Names names;
  std::ptrdiff_t addresses = 0;

  void find_names(const std::vector<monitor::RecoveredJob>& worlds) {
    std::vector<const monitor::Registry*> registries;
    std::ptrdiff_t count = 0;
    for (const monitor::RecoveredJob& world : worlds)
      for (const Found& found : world) {
        const monitor::Registry& registry = found->process.registry;
        registries.push_back(&registry);
        count += std::count_if(registry.regions, registry.regions + registry.count,
                               [](const monitor::Region& region) { return *region.module != '\0'; });
      }
    if (count != addresses) names = monitor::names_of_addresses(registries, libraries);
    addresses = count;
  }
};

LiveReader::LiveReader(std::string directory, std::string libraries)
    : directory_(std::move(directory)), known_(std::make_unique<Known>()) {
  known_->libraries = std::move(libraries);
}

LiveReader::~LiveReader() = default;

LiveJob LiveReader::read(bool required) {
  LiveJob job;
  job.name = std::filesystem::path(directory_).filename().string();
  const std::vector<monitor::ArenaLook> arenas = look_at_job(directory_);
  if (std::error_code none; required && std::filesystem::is_regular_file(directory_, none))
    refuse(directory_, "a file, not the directory of a running job's arenas", "andes show tells of run files");
  if (arenas.empty() && required)
    refuse(directory_, "no arenas of a job of yours are there", "andes recover lists the jobs of this host");
  std::vector<Found> all;
  const std::int64_t begin_ns = monitor::monotonic_ns();
  for (const monitor::ArenaLook& arena : arenas) try {
      all.push_back(monitor::load_process(arena.path));
    } catch (const Refusal& refused) {
      const bool about_to_begin = arena.alive && arena.same_build;
      std::error_code none;
      const auto type = std::filesystem::symlink_status(arena.path, none).type();
      if (about_to_begin || type == std::filesystem::file_type::not_found) continue; // or just gone
      job.unreadable.push_back(fmt::format("{}: {}", arena.path, refused.what()));
    }
  const double reading_s = static_cast<double>(monitor::monotonic_ns() - begin_ns) * 1e-9;
  // A command may start programs in turn: those of the past, if another one lives, are not shown.
  std::vector<monitor::RecoveredJob> worlds = monitor::jobs_of(std::move(all));
  known_->find_names(worlds);
  const bool alive = std::any_of(worlds.begin(), worlds.end(), lives);
  std::int64_t start_ns = INT64_MAX, end_ns = INT64_MIN;
  for (monitor::RecoveredJob& world : worlds) {
    if (alive && !lives(world)) continue;
    std::vector<monitor::RecoveredProcess*> processes;
    for (const Found& found : world) processes.push_back(found.get());
    monitor::set_clocks(processes);
    WorldStates states;
    states.lives = lives(world);
    for (monitor::RecoveredProcess* found : processes) {
      const Span span = add_rank(job, *found, known_->names, states);
      start_ns = std::min(start_ns, span.start_ns);
      end_ns = std::max(end_ns, span.end_ns);
      if (found->process.mpi.present || found->process.chosen) job.size = std::max(job.size, found->process.mpi.size);
      if (job.program.empty()) job.program = command_text(found->program);
    }
    for (HangFinding& finding : find_hang(states.ranks, monitor::usual_least_wait_s + reading_s).findings)
      job.hang.findings.push_back(std::move(finding));
  }
  if (!job.ranks.empty()) job.elapsed_ns = static_cast<double>(end_ns - start_ns);
  job.at_ns = monitor::monotonic_ns();
  std::sort(job.ranks.begin(), job.ranks.end(), [](const LiveRank& a, const LiveRank& b) {
    return a.rank != b.rank ? a.rank < b.rank : a.process < b.process;
  });
  return job;
}

} // namespace andes::postproc
