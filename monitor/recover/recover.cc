#include "monitor/recover/recover.h"
#include "monitor/recover/nothing_to_recover.h"

#include <algorithm>
#include <deque>
#include <filesystem>
#include <set>
#include <system_error>

#include "monitor/recover/jobs.h"
#include "monitor/recover/plain_file.h"
#include "monitor/recover/read_process.h"
#include "monitor/recover/recover_run.h"

namespace andes::monitor {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t large_bytes = std::uint64_t{64} << 20; // larger arenas take more than some seconds
constexpr std::uint64_t recovery_memory_per_byte = 5; // measured with arenas full of messages (docs/reliability.md)

std::vector<std::string> arenas_in(const std::string& directory) {
  std::error_code trouble;
  std::vector<std::string> paths;
  for (auto entry = fs::directory_iterator(directory, trouble); !trouble && entry != fs::directory_iterator();
       entry.increment(trouble))
    if (entry->path().extension() == arena_ending) paths.push_back(entry->path().string());
  if (trouble)
    refuse(directory, "cannot be read (" + trouble.message() + ")",
           "andes recover without a directory lists the jobs of this host");
  std::sort(paths.begin(), paths.end());
  return paths;
}

/// A hint for a directory without arenas: often the user named the directory above those of the jobs.
std::string where_else(const std::string& directory) {
  const std::vector<std::string> below = job_directories({directory});
  if (below.empty()) return "andes recover without a directory lists the jobs of this host";
  if (below.size() == 1) return "there is a job below it: andes recover " + below.front();
  constexpr std::size_t most = 3;
  std::string text = "give one of the jobs below it: ";
  for (std::size_t i = 0; i < std::min(below.size(), most); ++i) text += (i > 0 ? ", " : "") + below[i];
  return below.size() <= most ? text : text + " or " + std::to_string(below.size() - most) + " more";
}

std::string counted(std::size_t number, const std::string& what) {
  return std::to_string(number) + " " + what + (number == 1 ? "" : "s");
}

/// Bytes of the files, without holes.
std::uint64_t size_of(const std::vector<std::string>& files) {
  std::uint64_t bytes = 0;
  for (const std::string& file : files) {
    const PlainFile::Size size = PlainFile(file).size();
    bytes += std::min(size.bytes, size.allocated);
  }
  return bytes;
}

/// Lists what the run lacks, besides the ends of its ranks.
void say_missing(const Run& run, std::vector<std::string>& lines) {
  const auto number = [&](FactName name) {
    const Fact* fact = run.facts.find(name);
    return fact ? static_cast<std::size_t>(std::get<std::int64_t>(*fact)) : std::size_t{0};
  };
  if (const std::size_t paths = number("lost_call_paths"))
    lines.push_back(counted(paths, "call path") + " lost, as the arenas had no room (setting arena): " +
                    "their time is in the call paths above them");
  if (const std::size_t records = number("lost_records"))
    lines.push_back(counted(records, "logged operation") + " lost, as the arenas had no room (setting arena)");
  if (const std::size_t threads = number("lost_threads"))
    lines.push_back(counted(threads, "thread") + " lost, as the arenas had no room (setting arena)");
  if (number("clock_unknown")) lines.push_back("times are in ticks of the clock, whose length is not known");
  const Fact* reason = run.facts.find("wait_states_reason");
  if (reason && number("job_ranks") > 1) lines.push_back("no wait states: " + std::get<std::string>(*reason));
}

/// Of MPI sessions, whose number of hosts nobody knows.
std::string line_of_kept(const std::vector<std::string>& directories) {
  std::string all;
  for (const std::string& directory : directories) all += (all.empty() ? "" : " ") + directory;
  return "ranks without data may have run on other hosts: what is here is kept in " + all +
         "; copy the directories of that name here from the other hosts, then andes recover " + all +
         " COPY... makes one run file of all, or remove them";
}

/// The path that the monitor would have used: in the program's working directory, if it exists.
std::string place_of_file(const RecoveredJob& job, const RecoverRequest& request) {
  const RecoveredProcess& first = *job.front();
  fs::path wanted = request.out.empty() ? wanted_path(first.process, first.program) : request.out;
  std::error_code none;
  if (request.out.empty() && wanted.is_relative() && fs::is_directory(first.program.directory, none))
    wanted = fs::path(first.program.directory) / wanted;
  if (!request.out.empty() && first.process.mpi.spawned) wanted = marked_name(wanted.string(), run_file::spawned_mark);
  return free_name(marked_name(wanted.string(), request.mark));
}

/// Number of hosts of the processes.
int hosts_of(const RecoveredJob& job) {
  std::set<std::string> boots;
  for (const auto& process : job) boots.insert(process->boot_id);
  return static_cast<int>(boots.size());
}

/// Number of hosts of all ranks, found when they compared their clocks in MPI_Init. Ranks of MPI sessions have not: of
/// them those of the processes are known alone.
int job_hosts_of(const RecoveredJob& job) {
  int hosts = hosts_of(job);
  for (const auto& process : job) hosts = std::max(hosts, process->process.global_clock.nodes);
  return hosts;
}

/// Whether ranks may have left their arenas on hosts that are not among those of the processes.
bool may_be_elsewhere(const RecoveredJob& job) {
  const MpiFacts& mpi = job.front()->process.mpi;
  return static_cast<int>(job.size()) < mpi.size && (mpi.sessions || hosts_of(job) < job_hosts_of(job));
}

/// Whether the process is a rank, or the program itself, and not a helper process that ended early.
bool is_worth_a_run(const RecoveredProcess& process, bool alone) {
  return process.process.mpi.present || process.process.chosen || alone;
}

/// The shared notes of a job's processes. Opened before the arenas are listed: a process whose run file is written
/// notes that before it removes its arena, and the last process removes the notes as well.
class Notes {
public:
  explicit Notes(const std::vector<std::string>& directories) {
    for (const std::string& directory : directories) rooms_.emplace_back(directory + "/" + room_name);
  }

  /// Worlds whose run files are safely written: arenas of theirs that are left belong to ranks that died before they
  /// were told, or are about to be removed.
  std::vector<std::uint64_t> written_worlds() const {
    std::vector<std::uint64_t> worlds;
    for (const PlainFile& file : rooms_)
      for (const std::uint64_t world : read_room(file).written)
        if (world != 0) worlds.push_back(world);
    return worlds;
  }

private:
  std::deque<PlainFile> rooms_; // a deque: its elements do not move
};

void remove_files(const std::vector<std::string>& directories, const std::vector<std::string>& arenas) {
  std::error_code none;
  for (const std::string& path : arenas) fs::remove(path, none);
  for (const std::string& directory : directories) {
    // Gone already: another process was faster.
    if (!fs::is_directory(directory, none) || !arenas_in(directory).empty()) continue;
    fs::remove(fs::path(directory) / room_name, none);
    fs::remove(directory, none); // only if nothing else is left in it
  }
}

} // namespace

Death death_now() { return {ANDES_TICKS(), monotonic_ns()}; }

Recovery recover(const RecoverRequest& request) {
  Recovery recovery;
  std::vector<std::unique_ptr<RecoveredProcess>> processes;
  const std::string& place = request.directories.front();
  const Notes notes(request.directories);
  std::vector<std::string> arenas;
  for (const std::string& directory : request.directories)
    for (std::string& path : arenas_in(directory)) arenas.push_back(std::move(path));
  const std::uint64_t bytes = size_of(arenas);
  if (bytes >= large_bytes && request.tell)
    request.tell(place + ": reading " + counted(arenas.size(), "arena") + " of " + std::to_string(bytes >> 20) +
                 " MB, and comparing the operations of their ranks; this takes some time and up to " +
                 std::to_string(recovery_memory_per_byte * bytes >> 20) + " MB of memory");
  for (const std::string& path : arenas) try {
      processes.push_back(load_process(path));
      if (const auto death = request.deaths.find(path); death != request.deaths.end()) {
        RecoveredProcess& process = *processes.back();
        const bool ticks = process.process.clock.kind == ClockKind::tsc;
        process.died_ticks = ticks ? death->second.ticks : static_cast<std::uint64_t>(death->second.monotonic_ns);
        if (request.stop && death->second.monotonic_ns >= request.stop->at.monotonic_ns)
          process.stopped_by = request.stop->signal;
      }
    } catch (const Refusal& refused) {
      recovery.troubles.emplace_back(path, refused.fact, refused.remedy);
    }
  if (processes.empty() && recovery.troubles.empty()) refuse(place, "it contains no arenas", where_else(place));
  if (processes.empty()) {
    const Refusal& first = recovery.troubles.front();
    const std::size_t count = recovery.troubles.size();
    const std::string all = " (none of the " + std::to_string(count) + " arenas can be read)";
    throw NothingReadable(first.object, first.fact, first.remedy + (count == 1 ? "" : all));
  }
  std::vector<std::string> done;
  bool written = false;
  const std::vector<std::uint64_t> safe = notes.written_worlds();
  std::vector<RecoveredJob> jobs = jobs_of(std::move(processes));
  for (const RecoveredJob& job : jobs) {
    const int job_ranks = job.front()->process.mpi.size;
    const int hosts = hosts_of(job), job_hosts = job_hosts_of(job); // before the clocks are recomputed
    const bool elsewhere = may_be_elsewhere(job);
    // While a job is running nothing is removed: arenas of its dead processes belong to the run file at its end.
    const bool alive = std::any_of(job.begin(), job.end(), [](const auto& process) { return process->alive; });
    const auto is_done = [&] {
      for (const auto& process : job)
        if (!alive && !(request.keep_parts && elsewhere)) done.push_back(process->file);
    };
    if (std::count(safe.begin(), safe.end(), job.front()->process.clock_sync.world)) {
      written = true;
      is_done();
      continue;
    }
    if (!is_worth_a_run(*job.front(), jobs.size() == 1)) {
      is_done();
      continue;
    }
    Hang hang;
    const Run run =
        recovered_run(job, request.libraries, request.ended_s ? std::optional(request.ended_s()) : std::nullopt, &hang);
    RecoveredFile file;
    file.hang = hang_lines(hang);
    file.path = place_of_file(job, request);
    file.spawned = job.front()->process.mpi.spawned;
    file.sessions = job.front()->process.mpi.sessions;
    file.ranks = static_cast<int>(job.size());
    file.job_ranks = job_ranks;
    file.hosts = hosts;
    file.job_hosts = elsewhere ? job_hosts : hosts;
    file.live = run.facts.has("snapshot");
    file.complete = run.endings.empty();
    file.lines = ending_lines(run);
    file.signal = signal_of_end(run);
    say_missing(run, file.lines);
    // First: readers may leave the last lines out.
    if (request.keep_parts && elsewhere && job.front()->process.mpi.sessions)
      file.lines.insert(file.lines.begin(), line_of_kept(request.directories));
    make_directories(file.path);
    try {
      write_run(run, file.path, job.front()->process.settings.table_values);
    } catch (const Refusal& refused) { // run files of the job's other worlds may still be written
      recovery.troubles.push_back(refused);
      ++recovery.unwritten;
      continue;
    }
    is_done();
    recovery.files.push_back(std::move(file));
  }
  jobs.clear();
  if (!request.keep && (written || !recovery.files.empty())) remove_files(request.directories, done);
  if (recovery.files.empty() && recovery.unwritten > 0) throw recovery.troubles.back();
  if (recovery.files.empty())
    throw written ? NothingToRecover(place, "its run file has been written", "there is nothing to recover")
                  : NothingToRecover(place, "it has only processes that did not reach MPI_Init", "remove it");
  return recovery;
}

} // namespace andes::monitor
