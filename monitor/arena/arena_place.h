// The places of arenas (their names: arena_names.h), and the room that all processes of a job on a host may take
// there together.
//
// Invariants:
//  - the directory has mode 0700 and belongs to the user: if its path leads to anything else, that is not touched
//    and the next place is tried; links are not followed; files have mode 0600 and are newly made (O_EXCL);
//  - all arenas of a job on a host together take no more than a quarter of the space that was free when its
//    first process came: the file `room` beside them holds the rest of it, from which all take atomically.
#pragma once
#include <cstddef>
#include <cstdint>

#include "monitor/arena/arena_names.h"

namespace andes::monitor {

inline constexpr std::uint64_t arena_share = 4; // one part in so many of the free space

/// The file `room`, mapped by all processes of the job on this host.
struct ArenaRoom {
  std::int64_t left_bytes;
  std::uint64_t written[62]; // ClockSync::world of runs that are safely written, 0 behind the last: arenas of
                             // theirs that are left (their ranks ended before they were told) are not needed
  std::uint32_t said;        // 0: no process has said yet that arenas are left; else mark_of() the reason it gave
};

/// The name of the directory of this process's job.
void own_directory_name(char (&name)[name_bytes]);

/// The host's name in the form for file names.
void host_name(char (&name)[name_bytes]);

/// Opens the directory at `path`; makes it if it is missing. -1: it is not private to this user, or a link
/// (`errno` says why).
int open_private_directory(const char* path);

/// A new, empty, open arena file of this process, and the room beside it.
struct ArenaFile {
  int descriptor = -1; // -1: there is none
  ArenaRoom* room = nullptr;
  char* path; // PATH_MAX bytes
};

/// Opens a new file in `place`. False: `errno` says why.
bool open_arena(const char* place, ArenaFile& file);
/// Closes and removes it.
void give_up_arena(ArenaFile& file);

/// Takes bytes from the job's room; false: fewer are left.
bool take_room(ArenaRoom& room, std::uint64_t bytes);
void give_back_room(ArenaRoom& room, std::uint64_t bytes);

/// Notes that the run of `world` is written.
void note_written(ArenaRoom& room, std::uint64_t world);

/// Whether the limit for files allows so many bytes; beyond the limit the kernel would send a signal.
bool may_be_as_large(std::uint64_t bytes);

/// Allocates [offset, offset + bytes) of the file. False: `errno` says why; never a signal.
bool allocate(int descriptor, std::uint64_t offset, std::uint64_t bytes);

/// Removes the file at `path`, and with the last arena the whole directory.
void remove_arena(const char* path);

} // namespace andes::monitor
