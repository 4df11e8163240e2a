// Where arenas lie: <place>/andes-<uid>-<job>/<host>-<pid>.arena, one file per measured process, and what all
// processes of a job on a host may take there together.
//
//  place  setting `arena` (ANDES_ARENA): a directory; `none`: anonymous memory; empty: the first of /dev/shm,
//         $TMPDIR (else /tmp) that has room
//  job    ANDES_JOB, which `andes run` sets; else what the launcher says in the environment; else the
//         parent's pid and start time. Characters other than letters, digits, '.', '_' and '-' become '_'
//  host   gethostname(), likewise
//
// Invariants:
//  - the directory has mode 0700 and is ours: whatever else is in its place is left alone, and the next place
//    is taken; no link is followed; files have mode 0600 and are made by nobody else (O_EXCL);
//  - all arenas of a job on a host together take no more than a quarter of what was free when its first
//    process came: that stands in the file `room` beside them, from which all take atomically.
#pragma once
#include <cstddef>
#include <cstdint>

namespace andes {

inline constexpr char arena_ending[] = ".arena", room_name[] = "room";
inline constexpr std::uint64_t arena_share = 4; // of what is free, one part in so many

/// The file `room`, mapped by all processes of the job on this host.
struct ArenaRoom {
  std::int64_t left_bytes; // never below zero
};

/// Bytes of a file name, its end included.
inline constexpr std::size_t name_bytes = 256;

/// Writes the name of the job's directory, andes-<uid>-<job>.
void directory_name(char (&name)[name_bytes]);

/// When a process began: field 22 of /proc/PID/stat, in clock ticks since boot; 0: there is none.
std::uint64_t start_of(std::int32_t pid);

/// The host's name as file names have it.
void host_name(char (&name)[name_bytes]);

/// An arena's file, open, empty and nobody else's; its directory and the room beside it.
struct ArenaFile {
  int descriptor = -1; // -1: there is none
  ArenaRoom* room = nullptr;
};

/// Opens a new file in the first place that has `least_bytes` to give, and takes these; `path` becomes its
/// path. None: `trouble` says why the last place did not do.
ArenaFile open_arena(std::uint64_t least_bytes, char* path, std::size_t path_room, const char*& trouble);

/// Takes bytes of the job's room; false: there are not so many left.
bool take_room(ArenaRoom& room, std::uint64_t bytes);
void give_back_room(ArenaRoom& room, std::uint64_t bytes);

/// Removes the file at `path`, and with the last arena of the directory all of that.
void remove_arena(const char* path);

} // namespace andes
