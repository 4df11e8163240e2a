// Where arenas lie (their names: arena_names.h), and what all processes of a job on a host may take there together.
//
// Invariants:
//  - the directory has mode 0700 and is ours: whatever else is in its place is left alone, and the next place
//    is taken; no link is followed; files have mode 0600 and are made by nobody else (O_EXCL);
//  - all arenas of a job on a host together take no more than a quarter of what was free when its first
//    process came: that stands in the file `room` beside them, from which all take atomically.
#pragma once
#include <cstddef>
#include <cstdint>

#include "monitor/arena/arena_names.h"

namespace andes {

inline constexpr std::uint64_t arena_share = 4; // of what is free, one part in so many

/// The file `room`, mapped by all processes of the job on this host.
struct ArenaRoom {
  std::int64_t left_bytes;
  std::uint64_t written[62]; // ClockSync::world of runs that are safely written, 0 behind the last: what is
                             // left of their arenas (of ranks that did not live to hear of it) is not needed
  std::uint32_t said;        // 0: no process has said yet that arenas are left; else mark_of() its reason
};

/// The name of the directory of this process's job.
void own_directory_name(char (&name)[name_bytes]);

/// The host's name as file names have it.
void host_name(char (&name)[name_bytes]);

/// Opens the directory at `path`, made if need be; -1: it is not ours alone, or a link (`errno` says why).
int open_private_directory(const char* path);

/// An arena's file, open, empty and nobody else's, and the room beside it.
struct ArenaFile {
  int descriptor = -1; // -1: there is none
  ArenaRoom* room = nullptr;
  char* path; // PATH_MAX bytes
};

/// Opens a new file in `place`. False: `errno` says why.
bool open_arena(const char* place, ArenaFile& file);
/// Closes and removes it.
void give_up_arena(ArenaFile& file);

/// Takes bytes of the job's room; false: there are not so many left.
bool take_room(ArenaRoom& room, std::uint64_t bytes);
void give_back_room(ArenaRoom& room, std::uint64_t bytes);

/// Notes that the run of `world` is written.
void note_written(ArenaRoom& room, std::uint64_t world);

/// Whether the process may have a file of so many bytes; beyond it the kernel would send a signal.
bool may_be_as_large(std::uint64_t bytes);

/// Allocates [offset, offset + bytes) of the file. False: `errno` says why; never a signal.
bool allocate(int descriptor, std::uint64_t offset, std::uint64_t bytes);

/// Removes the file at `path`, and with the last arena of the directory all of that.
void remove_arena(const char* path);

} // namespace andes
