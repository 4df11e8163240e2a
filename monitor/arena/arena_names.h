// Names of arenas: <place>/andes-<uid>-<job>/<host>-<pid>.arena, one file per measured process. The monitor makes
// them, readers find arenas by them.
//
//  place  setting `arena` (ANDES_ARENA): a directory; `none`: anonymous memory; empty: the first of /dev/shm,
//         $TMPDIR (else /tmp) that has room
//  job    ANDES_JOB, which `andes run` sets; else the launcher's job name in the environment; else the
//         parent's pid and start time. Characters other than letters, digits, '.', '_' and '-' become '_'
//  host   gethostname(), likewise
//  pid    with .2, .3 ... behind it where another process of the job had the same
#pragma once
#include <cstddef>
#include <cstdint>

namespace andes::monitor {

inline constexpr char arena_ending[] = ".arena", room_name[] = "room";

/// Bytes of a file name, its end included.
inline constexpr std::size_t name_bytes = 256;

/// Makes a text of the environment or the system a name that cannot lead out of its directory.
void make_harmless(char* name);

/// Writes the name of a job's directory, andes-<uid>-<job>, cut if it is too long.
void directory_name(char (&name)[name_bytes], const char* job);

/// A hash by which readers recognise texts that processes have left; never 0.
std::uint32_t mark_of(const char* text);

/// Place `number` of those to try by setting `arena`; null: there are no more.
const char* place_to_try(const char* setting, int number);

} // namespace andes::monitor
