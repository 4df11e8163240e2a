// TeamState: a location's data about OpenMP teams, as the thread that opens parallel regions (forker) and as a
// member of another thread's team. monitor/openmp uses it.
//
// A member's part of a region ends with a visit of "(implicit barrier)" that stays open, since the member is not told
// when the team was complete: that time is looked up later in the forker's ring of joins (`joins`). The time from
// then until the member is in a team again is the time apart. It has no frame: it is added to its node when it ends.
//
// Invariants:
//  - regions that a thread has open are nested: `forks` is a stack;
//  - `phase`, `since_ticks` and the frames from `first` on are changed by the location's own thread, or from outside
//    while it waits, under `busy`.
#pragma once
#include <cstdint>

#include "monitor/interface/probe.h"

namespace andes::monitor {

struct AddressSite;
struct Location;

enum class TeamPhase : std::uint32_t {
  none,    // has been in no team yet
  inside,  // runs its part of a region
  waiting, // has finished its part and waits for the team; if the team has been joined, it is apart since the join
  apart    // between regions, since `since_ticks`
};

/// A parallel region that is open. Members read it until they have entered.
struct Fork {
  const Location* forker;
  std::uint32_t node;       // of the forker's call path: the parallel region
  std::uint64_t team;       // its number among the forker's teams
  andes_frame* opened;      // visit of the region, if the monitor opened it and not a probe
  andes_frame* wait;        // the forker's own wait for the team
  andes_frame* region_before;
  std::uintptr_t function; // that the compiler has made of the region's code; 0: not known
};

struct Join {
  std::uint64_t team; // 0: none; written last
  std::uint64_t ticks;
};

/// A call path of a forker and its mirror in the member's tree.
struct MirroredPath {
  const Location* forker;
  std::uint32_t there, here; // numbers of nodes; here 0: unused
};

inline constexpr std::uint32_t kept_joins = 64, most_forks = 32, kept_paths = 16;

struct TeamState {
  // as a forker
  std::uint64_t teams;        // opened so far
  Join joins[kept_joins];     // ring by team number: when the team was complete
  Fork forks[most_forks];
  std::uint32_t fork_count;
  std::uint32_t apart_node;   // number; 0: none yet
  andes_frame* region;        // visit of the parallel region that this thread is in now
  // as a member
  TeamPhase phase;
  std::uint32_t busy;
  const Location* forker;     // of the team that the member is in, or waits with
  std::uint64_t team;
  andes_frame* first;         // lowest frame of its part
  std::uint64_t done_ticks;   // when the member had finished its part
  std::uint64_t since_ticks;  // begin of the time apart that is not yet added
  MirroredPath paths[kept_paths];
  // of tasks, wherever they run
  andes_frame* task;          // visit that was opened last because the runtime announced a task
  AddressSite* task_site;     // and the site of that task
};

} // namespace andes::monitor
