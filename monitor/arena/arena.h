// Arena: what the monitor has recorded, in a mapped file that survives the process however it ends. The
// file is an image of memory where it lies: a header, then stretches, each a piece of the process's
// address space with its place in the file. Pointers in the image are the process's own addresses; a
// reader finds what they lead to by the table of stretches. So nothing in the monitor changes but where
// its pages come from, and the hot path costs what it did.
//
// Memory is reserved (memory.h) long before it is used. Off the hot path, before a piece of it is touched
// for the first time, arena_back() gives it room in the file and maps that in its place.
//
// Invariants:
//  - nothing here fails the program: what finds no room in the file stays anonymous memory, is used all the
//    same, and stands in the table with no place in the file: a reader knows what it does not see;
//  - room in the file is allocated before it is mapped: a full file system is an error here, never a SIGBUS;
//  - no descriptor stays open: a program may close all of them and use the numbers again;
//  - a stretch is in the table before it is touched, and stays there; `stretch_count` is written last;
//  - a reader copies the file and trusts nothing; texts that lie in no stretch are read as empty;
//  - where there is no file, the table is kept all the same: it says what arena_write() must write.
// Not a public format: reader and monitor must be of one build (layout.h).
#pragma once
#include <cstddef>
#include <cstdint>

namespace andes {

inline constexpr char arena_magic[16] = "andes arena";
inline constexpr std::uint32_t arena_format = 2;
inline constexpr std::size_t arena_page_bytes = 4096; // stretches begin and end at multiples of it
inline constexpr std::uint32_t max_stretches = 8192;  // each costs the process two mappings at most

/// A piece of the process's address space.
struct Stretch {
  std::uint64_t address, bytes;
  std::uint64_t offset; // in the file; 0: it has no place there, what it holds dies with the process
};

/// How a process ended, as far as it could tell.
enum class EndKind : std::uint32_t {
  running,    // nothing told: it lives, or was killed (SIGKILL), or left by _exit or exec
  exit,       // exit() or return from main, without MPI_Finalize
  signal,     // `detail`: its number. What is recorded after `ticks` shows that the program survived it
  mpi_abort,  // MPI_Abort; `detail`: the error code it was called with
  finalizing, // in MPI_Finalize, or writing the run file of a program without MPI; frames are closed
  written,    // the run file is safe
  given_up,   // the run file could not be written, or not gathered in time; frames are closed
};

struct Ending {
  EndKind kind; // written last
  std::int32_t detail;
  std::uint64_t ticks; // of the process's clock; 0: not known
};

/// Bytes in the image (in a stretch, like everything that is pointed to).
struct ArenaText {
  const char* text;
  std::uint64_t bytes;
};

/// The file begins with it. What varies is written with single stores, in signal handlers too.
struct ArenaHeader {
  char magic[16];
  std::uint32_t format;
  std::uint32_t header_bytes;   // sizeof(ArenaHeader); stretches lie behind it
  std::uint64_t layout;         // monitor_layout()
  std::uint64_t process_address; // of the Process, which lies in stretch 0 as a whole
  std::int32_t pid;
  std::uint32_t uid;
  std::uint64_t pid_start;      // field 22 of /proc/PID/stat: with the pid, names the process on its host
  char boot_id[40];             // /proc/sys/kernel/random/boot_id
  char host[256];
  char executable_hash[17];     // as in run files; empty where the linker left none: to be had from the file
  ArenaText executable, directory; // paths
  ArenaText arguments;          // each with a zero behind it, the program itself first
  ArenaText environment;        // kept variables (kept_variables.h), NAME=VALUE, each with a zero behind it
  std::uint64_t cores[16];      // that the process may use: bit i % 64 of word i / 64
  Ending ending;
  std::uint32_t snapshot_count; // of Process::snapshots, and to be watched: rises with each that is stamped
  std::uint32_t stretch_count;
  std::uint64_t lost_bytes;     // sum of the stretches without a place
  Stretch stretches[max_stretches];
};

struct ArenaRoom;

/// Process::arena. All null and empty: there is none, as in tests of the monitor's parts.
struct Arena {
  ArenaHeader* header;       // in the file, or anonymous
  ArenaRoom* room;           // null: there is no file
  std::uint64_t file_bytes;  // given away so far
  std::uint64_t table_bytes; // of the header, table of stretches included, that has room in the file
  std::uint64_t device, inode;
  char path[4096];           // of the file
};

/// What a reader begins with: the structure (core/process.h) that all recorded data is reached from. Whole pages.
struct ArenaRoot {
  void* begin;
  std::size_t bytes;
  std::uint64_t layout; // monitor_layout()
};

/// Begins the arena of the process, which is described by `arena`, itself a part of `root`: its header and the root, in
/// the first place that has room for them (arena_place.h; `place`: setting arena); where none has, says so. Once, before
/// anything else is recorded. Until then, and in processes that only read arenas, the functions below do nothing.
void arena_start(Arena& arena, const ArenaRoot& root, const char* place);

/// Gives [from, from + bytes) a place in the file; rounded to pages outwards, which must be reserved memory
/// that nobody has touched. False: it stays anonymous.
bool arena_back(void* from, std::size_t bytes);

/// An array of reserved memory that is backed from its beginning on, as it is used.
struct Backed {
  char *begin, *next, *limit; // reserved; backed so far; its end
};
template <class T> Backed backed_array(T* array, std::size_t count) {
  char* begin = reinterpret_cast<char*>(array);
  return {begin, begin, begin + count * sizeof(T)};
}
/// Nothing of it is ever backed.
inline constexpr Backed never_backed = {nullptr, nullptr, nullptr};
void back_more(Backed& array, const void* end);
/// Before anything up to `end` is touched for the first time. Grows in steps, so that it is seldom work.
inline void back(Backed& array, const void* end) {
  if (__builtin_expect(array.next < static_cast<const char*>(end), 0) && array.begin) back_more(array, end);
}

/// States how the process ends. Two stores: from signal handlers too.
void arena_end(EndKind kind, std::int32_t detail, std::uint64_t ticks);

/// Writes an image of an arena that has no file; `directory` is made if need be. False: it could not.
bool arena_write(const char* directory);

/// Removes the file, and the directory of the job with the last one.
void arena_remove();

/// Around a fork, in the parent: nothing is added to the table, which the child sees as the parent goes on
/// writing it. Not `others`: this thread is in the middle of adding, and forks from a signal handler.
void arena_hold(bool others);
void arena_let_go();

/// In the child of a fork, after arena_hold(): gives it memory of its own, so that nothing of the parent's changes.
void arena_part();

} // namespace andes
