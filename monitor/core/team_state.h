// TeamState: what a location keeps of teams of OpenMP, as the thread that opens parallel regions (forker) and as
// a member of another thread's team. What is done with it: monitor/openmp.
//
// A member's part of a region ends with a visit of "(implicit barrier)" that stays open, for nobody tells it when
// the team was complete: whoever needs to know asks the forker's ring of joins. What follows until the member
// is in a team again is the time apart, which has no frame: it is added to its node when it ends.
//
// Invariants:
//  - regions that a thread has open are nested: `forks` is a stack;
//  - `phase`, `since_ticks` and the frames from `first` on are changed by the location's own thread, or from outside
//    while it waits, under `busy`.
#pragma once
#include <cstdint>

#include "monitor/interface/probe.h"

namespace andes {

struct AddressSite;
struct Location;

enum class TeamPhase : std::uint32_t {
  none,    // it was in no team yet
  inside,  // does its part of a region
  waiting, // has done it, and waits for the team; where that was joined, it is apart since then
  apart    // between regions, since `since_ticks`
};

/// A parallel region that is open. Members read it until they have entered.
struct Fork {
  const Location* forker;
  std::uint32_t node;       // of the forker's call path: the parallel region
  std::uint64_t team;       // number of it among the forker's
  andes_frame* opened;      // visit of the region, if it was opened here and not by a probe
  andes_frame* wait;        // the forker's own wait for the team
  andes_frame* region_before;
};

struct Join {
  std::uint64_t team; // 0: none; written last
  std::uint64_t ticks;
};

/// Call path of a forker and what stands for it in the member's tree.
struct MirroredPath {
  const Location* forker;
  std::uint32_t there, here; // numbers of nodes; here 0: unused
};

inline constexpr std::uint32_t kept_joins = 64, most_forks = 32, kept_paths = 16;

struct TeamState {
  // as a forker
  std::uint64_t teams;        // opened so far
  Join joins[kept_joins];     // by number of the team: when it was complete
  Fork forks[most_forks];
  std::uint32_t fork_count;
  std::uint32_t apart_node;   // number; 0: none yet
  andes_frame* region;        // visit of the parallel region that this thread is in at present
  // as a member
  TeamPhase phase;
  std::uint32_t busy;
  const Location* forker;     // of the team that it is in, or waits with
  std::uint64_t team;
  andes_frame* first;         // lowest frame of its part
  std::uint64_t done_ticks;   // when it had done its part
  std::uint64_t since_ticks;  // apart since then, as far as not yet added
  MirroredPath paths[kept_paths];
  // of tasks, wherever they run
  andes_frame* task;          // visit that the runtime's word of a task has opened last
  AddressSite* task_site;     // and what of
};

} // namespace andes
