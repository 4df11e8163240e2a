// Arena: the recorded data of the monitor, in a mapped file that survives the process however it ends.
// The file is an image of memory: a header, then stretches, each a piece of the process's address space
// with its place in the file. Pointers in the image are the process's own addresses; a reader resolves
// them by the table of stretches. So the monitor works as with anonymous memory, and the hot path costs
// the same.
//
// Memory is reserved (memory.h) long before it is used. Off the hot path, before a piece of it is touched
// for the first time, arena_map() gives it room in the file and maps that in its place.
//
// Invariants:
//  - nothing here fails the program: memory for which the file has no room stays anonymous and is used
//    nevertheless; it stands in the table without a place in the file, so that a reader knows that it is missing;
//  - room in the file is allocated before it is mapped: a full file system is an error here, never a SIGBUS;
//  - no descriptor stays open: a program may close all of them and use the numbers again;
//  - a stretch is in the table before it is touched, and stays there; `stretch_count` is written last;
//  - a reader copies the file and trusts nothing; texts outside all stretches are read as empty;
//  - without a file the table is kept nevertheless: arena_write() writes what it lists.
// Not a public format: reader and monitor must have the same layout (layout.h).
#pragma once
#include <cstddef>
#include <cstdint>

namespace andes::monitor {

inline constexpr char arena_magic[16] = "andes arena";
inline constexpr std::uint32_t arena_format = 3;
inline constexpr std::uint32_t max_stretches = 8192; // each costs the process two mappings at most

/// Bytes of the largest pages that systems for this processor have. Stretches begin and end at pages of the system.
#if defined(__x86_64__) || defined(__i386__)
inline constexpr std::size_t largest_page_bytes = 4096;
#else
inline constexpr std::size_t largest_page_bytes = 65536;
#endif

/// A piece of the process's address space.
struct Stretch {
  std::uint64_t address, bytes;
  std::uint64_t offset; // in the file; 0: the stretch has no place there, and its content is lost with the process
};

/// How a process ended, as far as it could record that.
enum class EndKind : std::uint32_t {
  running,    // no end recorded: it lives, was killed (SIGKILL), or called _exit or exec
  exit,       // exit() or return from main, without MPI_Finalize
  signal,     // `detail`: the signal's number. Data recorded after `ticks` shows that the program survived it
  mpi_abort,  // MPI_Abort; `detail`: its error code
  mpi_error,  // an error of MPI whose handler is MPI_ERRORS_ARE_FATAL; `detail`: its class
  finalizing, // in MPI_Finalize, or writing the run file of a program without MPI; frames are closed
  written,    // the run file is safe
  given_up,   // the run file could not be written, or not gathered in time; frames are closed
  sessions_over, // MPI sessions alone: the normal end, at which no run file is written; frames are closed
};

struct Ending {
  EndKind kind; // written last
  std::int32_t detail;
  std::uint64_t ticks; // of the process's clock; 0: not known
};

/// Bytes in the image (in a stretch, like every target of a pointer).
struct ArenaText {
  const char* text;
  std::uint64_t bytes;
};

/// The begin of the file. Members that change are written with single stores, in signal handlers too.
struct ArenaHeader {
  char magic[16];
  std::uint32_t format;
  std::uint32_t header_bytes;   // sizeof(ArenaHeader); stretches follow it
  std::uint64_t layout;         // monitor_layout()
  std::uint64_t process_address; // address of the Process, all of which lies in stretch 0
  std::int32_t pid;
  std::uint32_t uid;
  std::uint64_t pid_start;      // field 22 of /proc/PID/stat: together with the pid it identifies the process
                                // on its host
  char boot_id[40];             // /proc/sys/kernel/random/boot_id
  char host[256];
  char executable_hash[17];     // as in run files; empty if the linker wrote none: then it must be computed
                                // from the file
  ArenaText executable, directory; // paths
  ArenaText arguments;          // each followed by a zero, the program itself first
  ArenaText environment;        // kept variables (kept_variables.h), NAME=VALUE, each followed by a zero
  std::uint64_t cores[16];      // cores that the process may use: bit i % 64 of word i / 64
  Ending ending;
  char ending_text[256];        // of an error of MPI: "MPI_Send: MPI_ERR_RANK: ...", written before `ending`
  std::uint32_t snapshot_count; // of Process::snapshots; rises with each snapshot, so that readers can watch it
  std::uint32_t stretch_count;
  std::uint64_t lost_bytes;     // sum of the stretches without a place in the file
  Stretch stretches[max_stretches];
};

/// Whether the process has recorded an end that nothing after it changes: the MPI library ends it.
inline bool ends_by_mpi(const ArenaHeader* header) {
  return header && (header->ending.kind == EndKind::mpi_abort || header->ending.kind == EndKind::mpi_error);
}

struct ArenaRoom;

/// Process::arena. All null and empty: there is no arena, as in tests of the monitor's parts.
struct Arena {
  ArenaHeader* header;       // in the file, or anonymous
  ArenaRoom* room;           // null: there is no file
  std::uint64_t file_bytes;  // allocated so far
  std::uint64_t table_bytes; // bytes of the header, table of stretches included, that have room in the file
  std::uint64_t device, inode;
  char path[4096];           // of the file
};

/// The structure that a reader begins with: all recorded data can be reached from it (core/process.h). Whole pages.
struct ArenaRoot {
  void* begin;
  std::size_t bytes;
  std::uint64_t layout; // monitor_layout()
};

/// Begins the arena of the process: puts its header and `root` into the first place that has room for them
/// (arena_place.h; `place`: setting arena), and says so if no place has room. `arena`, a part of `root`, describes the
/// arena. Called once, before anything else is recorded. Until then, and in processes that only read arenas, the
/// functions below do nothing.
void arena_start(Arena& arena, const ArenaRoot& root, const char* place);

/// Gives [from, from + bytes), extended to whole pages, a place in the file. It must be reserved memory
/// that was never touched. False: it stays anonymous.
bool arena_map(void* from, std::size_t bytes);

/// An array of reserved memory that is backed step by step from its begin, as it is used.
struct Backed {
  char *begin, *next, *limit; // begin of the reserved memory; end of the backed part; end of the reserved memory
};
template <class T> Backed backed_array(T* array, std::size_t count) {
  char* begin = reinterpret_cast<char*>(array);
  return {begin, begin, begin + count * sizeof(T)};
}
/// An array that is never backed.
inline constexpr Backed never_backed = {nullptr, nullptr, nullptr};
void extend_backing(Backed& array, const void* end);
/// To be called before anything up to `end` is touched for the first time. Backs memory in steps, so that
/// most calls do nothing.
inline void ensure_backed(Backed& array, const void* end) {
  if (__builtin_expect(array.next < static_cast<const char*>(end), 0) && array.begin) extend_backing(array, end);
}

/// Records how the process ends. Two stores: signal handlers may call it.
void arena_end(EndKind kind, std::int32_t detail, std::uint64_t ticks);

/// Writes an image of an arena that has no file; makes `directory` if it is missing. False: that failed.
bool arena_write(const char* directory);

/// Removes the file, and with the last file the job's directory.
void arena_remove();

/// Around a fork, in the parent: nothing is added to the table meanwhile, since the child sees the parent's
/// changes. With `others` false this thread itself is in the middle of adding, and forks from a signal handler.
void arena_lock_for_fork(bool others);
void arena_unlock_after_fork();

/// In the child of a fork, after arena_lock_for_fork(): gives the child memory of its own, so that it does not change
/// the parent's.
void arena_detach_in_child();

} // namespace andes::monitor
