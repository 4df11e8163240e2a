// The descriptors of arenas are kept: a look is one pread each.
#include "postproc/launch/watch.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <utility>

#include "monitor/recover/jobs.h"
#include "postproc/launch/process.h"

namespace andes::postproc {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double look_s = 0.15;       // between looks
constexpr double gathering_s = 0.3;   // ranks stamp one after the other: they get one file
constexpr double least_gap_s = 1;     // between two files
constexpr double times_the_work = 9;  // likewise

double seconds_since(Clock::time_point then) { return std::chrono::duration<double>(Clock::now() - then).count(); }

std::int64_t changed_at(const std::string& directory) {
  struct stat status;
  if (stat(directory.c_str(), &status) != 0) return 0;
  return std::int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec;
}

} // namespace

Watch::Counter::Counter(const std::string& path)
    : file(open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)) {}

Watch::Counter::~Counter() {
  if (file >= 0) close(file);
}

std::uint32_t Watch::Counter::read_now() const {
  std::uint32_t count = 0;
  const auto offset = static_cast<off_t>(offsetof(monitor::ArenaHeader, snapshot_count));
  return pread(file, &count, sizeof count, offset) == sizeof count ? count : seen;
}

Watch::Watch(WatchPlan plan) : plan_(std::move(plan)) {
  if (!plan_.places.empty()) thread_ = std::thread([this] { run(); });
}

Watch::~Watch() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    ended_ = true;
  }
  ending_.notify_all();
  if (thread_.joinable()) thread_.join();
}

/// False: the command has ended.
bool Watch::pause(double seconds) {
  std::unique_lock<std::mutex> lock(mutex_);
  return !ending_.wait_for(lock, std::chrono::duration<double>(seconds), [this] { return ended_; });
}

bool Watch::find_directories() {
  directories_ = monitor::directories_of_job(plan_.places, plan_.job_directory);
  return !directories_.empty();
}

void Watch::open_arenas() {
  std::vector<std::int64_t> changed_ns;
  for (const std::string& directory : directories_) changed_ns.push_back(changed_at(directory));
  if (changed_ns == changed_ns_) return;
  changed_ns_ = changed_ns;
  std::map<std::string, Counter> now;
  for (const std::string& directory : directories_)
    for (const monitor::ArenaLook& arena : monitor::look_at(directory)) {
      if (!arena.same_build) {
        changed_ns_.clear(); // its header is about to be written, perhaps
        continue;
      }
      if (auto known = counters_.extract(arena.path); !known.empty()) now.insert(std::move(known));
      else {
        now.try_emplace(arena.path, arena.path);
        if (arena.this_host && arena.alive) deaths_.add(arena.path, arena.pid);
      }
    }
  counters_ = std::move(now);
}

/// Whether a rank has stamped another snapshot.
bool Watch::is_stamped() {
  bool stamped = false;
  for (auto& [path, counter] : counters_) {
    const std::uint32_t count = counter.read_now();
    stamped = stamped || count > counter.seen;
    counter.seen = count;
  }
  return stamped;
}

void Watch::run() {
  Clock::time_point due = Clock::now(), last = due; // the next by time; the end of the last one
  Clock::time_point looked = due;
  bool begun = false, asked = false, stamped = false;
  double gap_s = 0;
  while (pause(look_s)) {
    asked = take_snapshot_signal() || asked;
    if (!find_directories()) {
      counters_.clear();
      changed_ns_.clear();
      continue;
    }
    open_arenas();
    if (!begun && !counters_.empty()) {
      begun = true;
      due = Clock::now();
    }
    if (plan_.look_every_s > 0 && begun && seconds_since(looked) >= plan_.look_every_s) {
      plan_.look(directories_);
      looked = Clock::now();
    }
    stamped = is_stamped() || stamped;
    const bool timed = plan_.every_s > 0 && begun && seconds_since(due) >= plan_.every_s;
    if (counters_.empty() || (!timed && !asked && !stamped) || seconds_since(last) < gap_s) continue;
    if (stamped && !pause(gathering_s)) break;
    is_stamped();
    const Clock::time_point start = Clock::now();
    plan_.make_snapshot(directories_, asked     ? SnapshotReason::signal
                                      : stamped ? SnapshotReason::stamp
                                                : SnapshotReason::time);
    gap_s = std::max(least_gap_s, times_the_work * seconds_since(start));
    if (timed) due = Clock::now();
    asked = stamped = false;
    last = Clock::now();
  }
}

} // namespace andes::postproc
