#include "monitor/arena/arena_place.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "monitor/arena/arena.h"
#include "monitor/system/process_start.h"

namespace andes::monitor {
namespace {

constexpr int tries = 100; // of steps that other processes may undo or complete meanwhile

const char* variable(const char* name) {
  const char* value = getenv(name);
  return value && *value ? value : nullptr;
}

// A count that is not 0 shows the other processes that the file is filled: from then on it is never 0.
bool fill_room(int directory, int file) {
  struct statvfs system;
  ArenaRoom room = {};
  if (fstatvfs(directory, &system) != 0) return false;
  const std::uint64_t free_bytes = std::uint64_t{system.f_bavail} * system.f_frsize;
  room.left_bytes = static_cast<std::int64_t>(free_bytes / arena_share);
  const ssize_t written = allocate(file, 0, sizeof room) ? pwrite(file, &room, sizeof room, 0) : -1;
  return written == static_cast<ssize_t>(sizeof room);
}

bool is_filled(int file) {
  constexpr timespec pause = {0, 100'000};
  for (int turn = 0; turn < tries; ++turn) {
    struct stat is;
    std::int64_t left_bytes = 0;
    if (fstat(file, &is) != 0 || !S_ISREG(is.st_mode) || is.st_uid != geteuid()) break;
    if (is.st_size == sizeof(ArenaRoom) && pread(file, &left_bytes, sizeof left_bytes, 0) > 0 && left_bytes != 0)
      return true;
    nanosleep(&pause, nullptr);
  }
  errno = EAGAIN;
  return false;
}

ArenaRoom* open_room(int directory) {
  constexpr int flags = O_RDWR | O_NOFOLLOW | O_CLOEXEC;
  bool fine = false;
  int file = openat(directory, room_name, flags | O_CREAT | O_EXCL, 0600);
  if (file >= 0) {
    fine = fill_room(directory, file);
    if (!fine) unlinkat(directory, room_name, 0);
  } else if ((file = openat(directory, room_name, flags)) >= 0) {
    fine = is_filled(file);
  }
  if (file < 0) return nullptr;
  void* room = fine ? mmap(nullptr, sizeof(ArenaRoom), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0) : MAP_FAILED;
  const int why = errno;
  close(file);
  errno = why;
  return room == MAP_FAILED ? nullptr : static_cast<ArenaRoom*>(room);
}

// Whether this process made the file before it became another program (exec).
bool is_own(int directory, const char* name) {
  const int file = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
  std::uint64_t start = 0;
  if (file < 0) return false;
  const bool read = pread(file, &start, sizeof start, offsetof(ArenaHeader, pid_start)) == sizeof start;
  close(file);
  return read && start == start_of(getpid());
}

int new_file(int directory, char (&name)[name_bytes]) {
  constexpr int longest_host = name_bytes - 40;
  char host[name_bytes];
  host_name(host);
  for (int number = 1; number < tries; ++number) {
    int length = snprintf(name, sizeof name, "%.*s-%d", longest_host, host, static_cast<int>(getpid()));
    if (number > 1) length += snprintf(name + length, sizeof name - length, ".%d", number);
    snprintf(name + length, sizeof name - length, "%s", arena_ending);
    for (int turn = 0; turn < 2; ++turn) {
      const int file = openat(directory, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
      if (file >= 0) return file;
      if (errno != EEXIST) return -1;
      if (!is_own(directory, name)) break;
      unlinkat(directory, name, 0);
    }
  }
  return -1;
}

bool ends_with(const char* text, const char* ending) {
  const std::size_t length = strlen(text), wanted = strlen(ending);
  return length >= wanted && strcmp(text + length - wanted, ending) == 0;
}
} // namespace

void own_directory_name(char (&name)[name_bytes]) {
  char job[name_bytes];
  if (const char* given = variable("ANDES_JOB")) {
    snprintf(job, sizeof job, "%s", given);
  } else if (const char* slurm = variable("SLURM_JOB_ID"); slurm && variable("SLURM_STEP_ID")) {
    snprintf(job, sizeof job, "slurm-%.40s.%.40s", slurm, variable("SLURM_STEP_ID"));
  } else if (const char* pmix = variable("PMIX_NAMESPACE")) {
    snprintf(job, sizeof job, "mpi-%s", pmix);
  } else {
    const std::int32_t parent = getppid();
    snprintf(job, sizeof job, "%d-%llu", parent, static_cast<unsigned long long>(start_of(parent)));
  }
  directory_name(name, job);
}

void host_name(char (&name)[name_bytes]) {
  if (gethostname(name, sizeof name - 1) != 0 || !*name) snprintf(name, sizeof name, "unknown");
  name[sizeof name - 1] = 0;
  make_harmless(name);
}

int open_private_directory(const char* path) {
  if (mkdir(path, 0700) != 0 && errno != EEXIST) return -1;
  const int directory = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  struct stat is;
  if (directory < 0) return -1;
  if (fstat(directory, &is) == 0 && is.st_uid == geteuid() && (is.st_mode & 077) == 0) return directory;
  close(directory);
  errno = EPERM;
  return -1;
}

bool open_arena(const char* place, ArenaFile& file) {
  char name[name_bytes], whole[PATH_MAX]; // the program may change its directory
  if (!realpath(place, whole)) return false;
  own_directory_name(name);
  const int length = snprintf(file.path, PATH_MAX, "%s/%s", whole, name);
  if (length > PATH_MAX - static_cast<int>(name_bytes)) {
    errno = ENAMETOOLONG;
    return false;
  }
  // Another process of the job may remove the directory at any time if it looks empty.
  for (int turn = 0; turn < tries; ++turn) {
    const int directory = open_private_directory(file.path);
    if (directory < 0 && errno == ENOENT && access(place, F_OK) == 0) continue;
    if (directory < 0) return false;
    file.room = open_room(directory);
    file.descriptor = file.room ? new_file(directory, name) : -1;
    const int why = errno;
    close(directory);
    errno = why;
    if (file.descriptor >= 0) {
      snprintf(file.path + length, static_cast<std::size_t>(PATH_MAX - length), "/%s", name);
      return true;
    }
    if (file.room) munmap(file.room, sizeof(ArenaRoom));
    if (why != ENOENT) break;
  }
  return false;
}

void give_up_arena(ArenaFile& file) {
  const int why = errno;
  close(file.descriptor);
  remove_arena(file.path);
  munmap(file.room, sizeof(ArenaRoom));
  file.descriptor = -1;
  errno = why;
}

bool take_room(ArenaRoom& room, std::uint64_t bytes) {
  const auto wanted = static_cast<std::int64_t>(bytes);
  if (__atomic_sub_fetch(&room.left_bytes, wanted, __ATOMIC_RELAXED) > 0) return true;
  give_back_room(room, bytes);
  errno = ENOSPC;
  return false;
}

void give_back_room(ArenaRoom& room, std::uint64_t bytes) {
  __atomic_add_fetch(&room.left_bytes, static_cast<std::int64_t>(bytes), __ATOMIC_RELAXED);
}

void note_written(ArenaRoom& room, std::uint64_t world) {
  for (std::uint64_t& slot : room.written) {
    std::uint64_t there = 0;
    if (__atomic_compare_exchange_n(&slot, &there, world, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED) || there == world)
      return;
  }
}

bool may_be_as_large(std::uint64_t bytes) {
  rlimit limit;
  if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur >= bytes) return true;
  errno = EFBIG;
  return false;
}

bool allocate(int descriptor, std::uint64_t offset, std::uint64_t bytes) {
  if (!may_be_as_large(offset + bytes)) return false;
  int trouble = EINTR;
  for (int turn = 0; turn < tries && trouble == EINTR; ++turn)
    trouble = posix_fallocate(descriptor, static_cast<off_t>(offset), static_cast<off_t>(bytes));
  errno = trouble;
  return trouble == 0;
}

void remove_arena(const char* path) {
  char directory[PATH_MAX];
  snprintf(directory, sizeof directory, "%s", path);
  char* slash = strrchr(directory, '/');
  if (unlink(path) != 0 || !slash) return;
  *slash = 0;
  DIR* all = opendir(directory);
  if (!all) return;
  bool any = false;
  while (const dirent* entry = readdir(all)) any |= ends_with(entry->d_name, arena_ending);
  if (!any) unlinkat(dirfd(all), room_name, 0);
  closedir(all);
  if (!any) rmdir(directory); // fails if another process has come meanwhile
}

} // namespace andes::monitor
