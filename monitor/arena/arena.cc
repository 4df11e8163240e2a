#include "monitor/arena/arena.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "monitor/arena/arena_facts.h"
#include "monitor/arena/arena_place.h"
#include "monitor/say/say.h"
#include "monitor/system/blocked_signals.h"
#include "monitor/system/blocked_write_signals.h"
#include "monitor/system/memory.h"

namespace andes::monitor {
namespace {

constexpr std::uint64_t least_step = 16 << 10, most_step = 1 << 20; // by which arrays grow
constexpr std::uint64_t table_step = 4096;
constexpr std::uint64_t start_bytes = 512 << 10; // enough for the call paths, names and messages of a small program

Arena* of_process; // null: not begun
ArenaRoot root;

pthread_mutex_t arena_lock = PTHREAD_MUTEX_INITIALIZER; // guards the arena's own state; never held in the child of a
                                                        // fork

std::uint64_t free_bytes; // taken from the job's room, but not used yet

// Values at the moment of a fork: the parent goes on changing the memory that the child sees.
std::uint32_t held_stretches; // number in the table
void* held_root;

constexpr std::uint64_t round_up(std::uint64_t bytes, std::uint64_t unit) { return (bytes + unit - 1) & ~(unit - 1); }
std::uint64_t page_up(std::uint64_t bytes) { return round_up(bytes, page_bytes()); }
constexpr std::uint64_t header_room = round_up(sizeof(ArenaHeader), largest_page_bytes);
// Bytes of the header before its table grows.
constexpr std::uint64_t first_header =
    round_up(offsetof(ArenaHeader, stretches) + 64 * sizeof(Stretch), largest_page_bytes);

std::uint64_t address_of(const void* memory) { return reinterpret_cast<std::uintptr_t>(memory); }

// Maps the file's bytes at `offset` over the pages at `from`. If that fails, the pages are unchanged.
bool map_over(void* from, std::uint64_t bytes, int file, std::uint64_t offset) {
  constexpr int access = PROT_READ | PROT_WRITE;
  if (mmap(from, bytes, access, MAP_SHARED | MAP_FIXED, file, static_cast<off_t>(offset)) == from) return true;
  static_cast<void>(mmap(from, bytes, access, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0));
  return false;
}

// Opens the arena's file again; -1 if the path leads to another file, or to none.
int open_again(const Arena& arena) {
  const int file = open(arena.path, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
  struct stat is;
  if (file < 0 || (fstat(file, &is) == 0 && is.st_dev == arena.device && is.st_ino == arena.inode)) return file;
  close(file);
  return -1;
}

// Takes bytes from the part of the job's room that the arena has already, else from the rest of the room.
bool take(Arena& arena, std::uint64_t bytes) {
  if (bytes > free_bytes) return take_room(*arena.room, bytes);
  free_bytes -= bytes;
  return true;
}

// Makes room for another entry of the table, which is part of the header.
bool room_in_table(Arena& arena, int file) {
  const std::uint64_t needed = offsetof(ArenaHeader, stretches) + (arena.header->stretch_count + 1) * sizeof(Stretch);
  if (needed <= arena.table_bytes) return true;
  if (!take(arena, table_step)) return false;
  if (!allocate(file, arena.table_bytes, table_step)) {
    give_back_room(*arena.room, table_step);
    return false;
  }
  arena.table_bytes += table_step;
  return true;
}

// Allocates room in the file for untouched pages and maps it there. Returns the offset; 0: there is no room.
std::uint64_t place_in_file(Arena& arena, void* from, std::uint64_t bytes) {
  const int file = open_again(arena);
  std::uint64_t offset = 0;
  if (file < 0) return 0;
  if (room_in_table(arena, file) && take(arena, bytes)) {
    if (allocate(file, arena.file_bytes, bytes) && map_over(from, bytes, file, arena.file_bytes)) {
      offset = arena.file_bytes;
      arena.file_bytes += bytes;
    } else {
      give_back_room(*arena.room, bytes);
    }
  }
  close(file);
  return offset;
}

void note_stretch(ArenaHeader& header, std::uint64_t address, std::uint64_t bytes, std::uint64_t offset) {
  if (offset == 0) header.lost_bytes += bytes;
  header.stretches[header.stretch_count] = {address, bytes, offset};
  __atomic_store_n(&header.stretch_count, header.stretch_count + 1, __ATOMIC_RELEASE);
}

// Puts header and root into the file, with their content. If this fails, nothing is mapped. It also fails if
// there is no room for the first call paths beside them: then the next place is better.
bool begin_file(const ArenaFile& file, ArenaHeader* header) {
  struct stat is;
  if (fstat(file.descriptor, &is) != 0 || !take_room(*file.room, first_header + root.bytes + start_bytes) ||
      !allocate(file.descriptor, 0, first_header) || !allocate(file.descriptor, header_room, root.bytes))
    return false;
  Arena& arena = *of_process;
  arena.room = file.room;
  free_bytes = start_bytes;
  arena.header = header;
  arena.file_bytes = header_room + root.bytes;
  arena.table_bytes = first_header;
  arena.device = is.st_dev;
  arena.inode = is.st_ino;
  if (pwrite(file.descriptor, root.begin, root.bytes, header_room) == static_cast<ssize_t>(root.bytes) &&
      mmap(root.begin, root.bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file.descriptor, header_room) ==
          root.begin &&
      map_over(header, header_room, file.descriptor, 0))
    return true;
  arena.room = nullptr;
  return false;
}

// Begins an arena in a file. False: `place` was the last place tried, and `errno` says why it failed.
bool find_place(ArenaHeader* header, const char* wanted, const char*& place) {
  ArenaFile file = {.path = of_process->path};
  const char* next = place_to_try(wanted, 0);
  for (int number = 1; next; next = place_to_try(wanted, number++)) {
    place = next;
    if (!open_arena(place, file)) continue;
    if (begin_file(file, header)) {
      close(file.descriptor);
      return true;
    }
    give_up_arena(file);
  }
  *file.path = 0;
  return false;
}

// Whether this is the first rank, which speaks for all, as far as the launcher's variables show.
bool is_first_rank() {
  constexpr const char* names[] = {"PMIX_RANK", "PMI_RANK", "SLURM_PROCID", "OMPI_COMM_WORLD_RANK"};
  for (const char* name : names)
    if (const char* rank = getenv(name)) return strcmp(rank, "0") == 0;
  return true;
}

bool write_at(int file, const void* from, std::uint64_t bytes, std::uint64_t offset) {
  while (bytes > 0) {
    if (!may_be_as_large(offset + bytes)) return false;
    const ssize_t done = pwrite(file, from, bytes, static_cast<off_t>(offset));
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return false;
    from = static_cast<const char*>(from) + done;
    bytes -= static_cast<std::uint64_t>(done);
    offset += static_cast<std::uint64_t>(done);
  }
  return true;
}

} // namespace

void arena_start(Arena& arena, const ArenaRoot& wanted_root, const char* wanted_place) {
  BlockedWriteSignals blocked; // SIGXFSZ: the limit for file sizes
  of_process = &arena;
  root = wanted_root;
  auto* header = static_cast<ArenaHeader*>(reserve(header_room));
  if (!header) return;
  const char* place = "";
  const bool wanted = strcmp(wanted_place, "none") != 0;
  if ((!wanted || !find_place(header, wanted_place, place)) && wanted && is_first_rank())
    andes_say_once(said_no_arena,
                   "%s: no room for the measured data (%s), so they are lost if this program is killed; set arena to a "
                   "directory with room",
                   place, strerror(errno));
  arena.header = header;
  note_stretch(*header, address_of(root.begin), root.bytes, arena.room ? header_room : 0);
  fill_facts(*header, root);
}

bool arena_map(void* from, std::size_t bytes) {
  if (!of_process || !of_process->header) return false;
  Arena& arena = *of_process;
  BlockedWriteSignals blocked;
  const int saved_errno = errno;
  const std::uint64_t address = address_of(from) & ~(page_bytes() - 1);
  const std::uint64_t rounded = page_up(address_of(from) + bytes) - address;
  std::uint64_t offset = 0;
  pthread_mutex_lock(&arena_lock);
  if (arena.header->stretch_count < max_stretches) {
    if (arena.room) offset = place_in_file(arena, reinterpret_cast<void*>(address), rounded);
    // A part of the table that has no room in the file must not be touched.
    const std::uint64_t end = offsetof(ArenaHeader, stretches) + (arena.header->stretch_count + 1) * sizeof(Stretch);
    if (!arena.room || end <= arena.table_bytes) note_stretch(*arena.header, address, rounded, offset);
    else arena.header->lost_bytes += rounded;
  } else {
    arena.header->lost_bytes += rounded;
  }
  pthread_mutex_unlock(&arena_lock);
  errno = saved_errno;
  return offset != 0;
}

void extend_backing(Backed& array, const void* end) {
  const BlockedSignals blocked;
  const std::uint64_t next = address_of(array.next), limit = page_up(address_of(array.limit));
  std::uint64_t step = next - address_of(array.begin);
  if (step < least_step) step = least_step;
  if (step > most_step) step = most_step;
  if (next + step < address_of(end)) step = address_of(end) - next;
  step = page_up(step);
  if (next + step > limit) step = limit - next;
  if (step > 0) arena_map(array.next, step);
  array.next += step;
}

void arena_end(EndKind kind, std::int32_t detail, std::uint64_t ticks) {
  ArenaHeader* header = of_process ? of_process->header : nullptr;
  if (!header) return;
  Ending& ending = header->ending;
  ending.detail = detail;
  ending.ticks = ticks;
  __atomic_store(&ending.kind, &kind, __ATOMIC_RELEASE);
}

namespace {

bool write_image(int file, ArenaHeader& header) {
  std::uint64_t offset = header_room;
  for (std::uint32_t i = 0; i < header.stretch_count; ++i) {
    Stretch& stretch = header.stretches[i];
    stretch.offset = offset;
    if (!write_at(file, reinterpret_cast<const void*>(stretch.address), stretch.bytes, offset)) return false;
    offset += stretch.bytes;
  }
  header.lost_bytes = 0;
  return write_at(file, &header, sizeof header, 0);
}

} // namespace

bool arena_write(const char* directory) {
  BlockedWriteSignals blocked;
  ArenaHeader* header = of_process ? of_process->header : nullptr;
  const int place = header ? open_private_directory(directory) : -1;
  if (place < 0) return false;
  char name[2 * name_bytes], host[name_bytes];
  host_name(host);
  snprintf(name, sizeof name, "%s-%d%s", host, static_cast<int>(getpid()), arena_ending);
  const int file = openat(place, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  const bool fine = file >= 0 && write_image(file, *header);
  if (file >= 0) close(file);
  if (file >= 0 && !fine) unlinkat(place, name, 0);
  close(place);
  return fine;
}

void arena_remove() {
  if (!of_process) return;
  if (of_process->room) remove_arena(of_process->path);
  of_process->room = nullptr;
}

namespace {

// Other threads go on changing words that need no lock: so each word is read in one piece.
void copy_words(void* to, const void* from, std::size_t bytes) {
  const auto* read = static_cast<const std::uint64_t*>(from);
  auto* written = static_cast<std::uint64_t*>(to);
  for (std::size_t i = 0; i < bytes / sizeof *read; ++i) written[i] = __atomic_load_n(&read[i], __ATOMIC_RELAXED);
}

} // namespace

void arena_lock_for_fork(bool others) {
  if (others) pthread_mutex_lock(&arena_lock);
  held_stretches = of_process && of_process->header ? of_process->header->stretch_count : 0;
  if (!of_process || !of_process->room || (!held_root && !(held_root = reserve(root.bytes)))) return;
  copy_words(held_root, root.begin, root.bytes);
}

void arena_unlock_after_fork() { pthread_mutex_unlock(&arena_lock); }

void arena_detach_in_child() {
  arena_lock = PTHREAD_MUTEX_INITIALIZER;
  if (!of_process) return;
  const Arena arena = *of_process;
  const std::uint32_t count = arena.header && arena.room ? held_stretches : 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    const Stretch& stretch = arena.header->stretches[i];
    void* const there = reinterpret_cast<void*>(stretch.address);
    void* copy = stretch.offset != 0 ? reserve(stretch.bytes) : nullptr;
    if (!copy) continue;
    memcpy(copy, there == root.begin && held_root ? held_root : there, stretch.bytes);
    // Not mremap(): UCX replaces it by a function of its own, which loses the last argument.
    syscall(SYS_mremap, copy, stretch.bytes, stretch.bytes, MREMAP_MAYMOVE | MREMAP_FIXED, there);
  }
  *of_process = {};
  if (arena.room) munmap(arena.room, sizeof(ArenaRoom));
  if (arena.header) munmap(arena.header, header_room);
}

} // namespace andes::monitor
