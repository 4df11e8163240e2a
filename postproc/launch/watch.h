// Watch: looks at the arenas of a run while its command runs, and has a run file made of them when one is
// due: each `snapshot_s` seconds, on SIGUSR1 to `andes run`, when a rank has stamped a snapshot. Looks for
// hangs, too, if that is asked for (hang_watch.h).
//
// A look is a stat of the job's directories (one, unless the first place was too small) and four bytes of each
// arena, every tenth of a second or so, in a thread of its own; the processes are asked nothing. Making the file takes
// time: the next one begins after a pause of nine times that duration, and of a second at least, so that a program that
// stamps a thousand times a second does not overload its machine.
#pragma once
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "postproc/launch/death_watch.h"

namespace andes::postproc {

/// Why a snapshot is made.
enum class SnapshotReason { time, signal, stamp };

struct WatchPlan {
  std::vector<std::string> places; // where the job's directory may appear; none: nothing to watch
  std::string job_directory; // its name
  double every_s = 0; // 0: not by time
  /// Makes the file from the arenas in the directories; called in the watching thread. Must not throw.
  std::function<void(const std::vector<std::string>& directories, SnapshotReason reason)> make_snapshot;
  double look_every_s = 0; // 0: `look` is not called
  /// Looks at the arenas for another reason; called in the watching thread. Must not throw.
  std::function<void(const std::vector<std::string>& directories)> look = {};
};

class Watch {
public:
  explicit Watch(WatchPlan plan);
  /// Ends watching; a snapshot that is being made is finished first.
  ~Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  /// When processes of the run were seen to have died.
  std::map<std::string, monitor::Death> deaths() { return deaths_.deaths(); }

private:
  /// An arena's count of stamped snapshots.
  struct Counter {
    explicit Counter(const std::string& path);
    ~Counter();
    Counter(const Counter&) = delete;
    Counter& operator=(const Counter&) = delete;
    std::uint32_t read_now() const;
    int file;
    std::uint32_t seen = 0;
  };
  void run();
  bool find_directories();
  void open_arenas();
  bool is_stamped();
  bool pause(double seconds);

  WatchPlan plan_;
  DeathWatch deaths_;
  std::vector<std::string> directories_; // empty: not there yet
  std::map<std::string, Counter> counters_; // by name of the arena
  std::vector<std::int64_t> changed_ns_; // the directories, when they were read
  std::mutex mutex_;
  std::condition_variable ending_;
  bool ended_ = false;
  std::thread thread_; // last: everything else is there when it begins
};

} // namespace andes::postproc
