// RecoveredProcess: a process rebuilt from its arena in the monitor's own structures, so that the code
// for the end of a process works on it as well (monitor/finish, monitor/exchange).
//
// Invariants, whatever the file says:
//  - every pointer leads into `memory` or is null, every index is below its count, parents stand before their
//    children, texts end, numbers are finite and far from overflowing;
//  - data that had to be left out is counted in `lost`; the time of lost call paths stays with the call path
//    above them.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "common/refusal.h"
#include "monitor/core/process.h"
#include "monitor/finish/host.h"

namespace andes::monitor {

/// Larger ticks or counts are invalid (times in EventRecord have as many bits).
inline constexpr std::uint64_t most_ticks = std::uint64_t{1} << 56;

inline LogLevels possible(const LogLevels& raw) {
  return {possible_level(raw.messages), possible_level(raw.collectives)};
}

/// Recorded data that is not in the image: the file had no room, or is damaged.
struct Lost {
  std::uint64_t call_paths = 0, records = 0, channels = 0, threads = 0;
  bool any() const { return call_paths + records + channels + threads != 0; }
};

/// Zeroed memory for the recovered structures, bounded by the file's size.
class RecoveredMemory {
public:
  explicit RecoveredMemory(std::uint64_t most_bytes) : left_bytes_(most_bytes) {}
  ~RecoveredMemory();
  RecoveredMemory(const RecoveredMemory&) = delete;
  RecoveredMemory& operator=(const RecoveredMemory&) = delete;

  /// Throws Refusal if a damaged file would need more memory than its size justifies.
  template <class T> T* array(std::size_t count) {
    return static_cast<T*>(bytes(count * sizeof(T), count * sizeof(T)));
  }
  /// At most `touched` bytes of it are touched.
  void* sparse(std::size_t count, std::size_t touched) { return bytes(count, touched); }

private:
  void* bytes(std::size_t count, std::size_t touched);
  std::uint64_t left_bytes_;
  char* chunk_ = nullptr; // present chunk for small pieces
  std::size_t chunk_left_ = 0;
  std::vector<std::pair<void*, std::size_t>> all_;
};

/// The frames of a thread, the root's first, with the tree's copy of them in Location::frames.
struct OpenVisits {
  std::vector<andes_frame> frames;
  std::uint64_t location = 0, forker = 0; // addresses in the process: of the location, and of the forker of its team
  std::uint64_t first_of_team = 0;        // index of the first frame of its part in a team; 0: none
  Intent intent = {}; // valid if it belongs to the innermost frame, or to `polls`
  PollReport polls = {};
  std::uint64_t latest_ticks = 0; // latest entry time in the memory of the frames, including frames that were left
};

struct RecoveredProcess {
  explicit RecoveredProcess(std::uint64_t most_bytes) : memory(most_bytes) {}

  std::string file; // where it was read from
  RecoveredMemory memory;
  Process process; // locations in use have open visits until close_process()
  std::vector<OpenVisits> open; // by location, as `process.locations`

  Program program;
  std::map<std::string, std::string> environment;
  ProfileHost host;
  std::string boot_id;
  std::int32_t pid = 0;
  std::uint64_t pid_start = 0;

  Ending ending = {};
  std::uint64_t read_ticks = 0; // when it was read, if it ran then: its open visits are those of this moment
  std::uint64_t died_ticks = 0; // when it was seen to have died, from outside; 0: nobody looked
  int stopped_by = 0;           // the signal that had stopped the whole job before it died; 0: none
  bool finalized = false;  // had entered MPI_Finalize, whatever came then
  std::string ending_text; // of an error of MPI
  bool alive = false;      // at the time of reading
  bool end_known = false;  // the process or its reader recorded the end; else the time of the last event is used
  std::uint64_t end_ticks = 0;
  bool scaled = true;      // false: the length of a tick is not known
  std::uint32_t innermost = 0; // node of the main thread's open call path at the end; the root if none is known
  Lost lost;
};

/// Whether it reached MPI_Finalize, or the end of a program without MPI: then its visits are closed.
inline bool came_to_end(const RecoveredProcess& process) { return process.ending.kind >= EndKind::finalizing; }

/// Whether it died there, before its run file was safe, and without a record of that: SIGKILL, or _exit.
inline bool died_at_end(const RecoveredProcess& process) {
  return process.ending.kind == EndKind::finalizing && !process.alive;
}

} // namespace andes::monitor
