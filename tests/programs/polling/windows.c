/* The polling layer's one-sided half: whatever a call of one-sided synchronisation may wait for is
 * waited for here, asleep, before the call of the MPI library, which then has nothing to wait for.
 *
 *   MPI_Win_create, MPI_Win_fence    a sleeping barrier of the window's processes goes before
 *   MPI_Win_start                    a message from MPI_Win_post of every target
 *   MPI_Win_wait                     a message from MPI_Win_complete of every origin
 *   MPI_Win_lock                     a lock on a file that stands for the target's window, tried
 *                                    again after every pause; MPI_Win_unlock gives it back
 *
 * All of it MPI allows to the calls: fence and creation may synchronise, start may wait for the
 * post. The polls also give the MPI library the progress that the target's side needs. Waiting for the library's own
 * calls would not do: MPICH grants no lock while the window's owner sleeps outside of MPI.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "polling.h"

#ifdef OPEN_MPI
#pragma weak ompi_mpi_byte
#endif

enum { window_limit = 16, rank_limit = 64, tag_post = 1, tag_complete = 2 };

typedef struct {
  MPI_Win win;
  MPI_Comm comm; /* duplicate of the one it was made on */
  int rank, used;
  char name[64];              /* of its lock files, without the target's rank */
  int lock_files[rank_limit]; /* open while the target is locked by this process, else 0 */
  MPI_Group access, exposure; /* of the epochs that are open */
} Window;

static Window windows[window_limit];

static Window* find(MPI_Win win) {
  for (int i = 0; i < window_limit; ++i)
    if (windows[i].used && windows[i].win == win) return &windows[i];
  fprintf(stderr, "polling: a window that this layer has not made\n");
  abort();
}

static void barrier(MPI_Comm comm) {
  MPI_Request request;
  polling_finish(PMPI_Ibarrier(comm, &request), &request, MPI_STATUS_IGNORE);
}

static void lock_file(const Window* window, int target, char name[96]) {
  snprintf(name, 96, "%s.%d", window->name, target);
}

int PMPI_Win_create(void* base, MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm,
                    MPI_Win* win) {
  Window* window = windows;
  while (window < windows + window_limit && window->used) ++window;
  if (window == windows + window_limit) abort();
  MPI_Request request;
  int error = polling_finish(PMPI_Comm_idup(comm, &window->comm, &request), &request,
                             MPI_STATUS_IGNORE);
  if (error != MPI_SUCCESS) return error;
  barrier(window->comm);
  PMPI_Comm_rank(window->comm, &window->rank);
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  const char* folder = getenv("TMPDIR");
  snprintf(window->name, sizeof window->name, "%.20s/polling.%d.%lld", folder ? folder : "/tmp",
           (int)getpid(), (long long)now.tv_sec * 1000000000 + now.tv_nsec);
  /* All take the name that the first made. */
  polling_finish(PMPI_Ibcast(window->name, sizeof window->name, MPI_BYTE, 0, window->comm,
                             &request),
                 &request, MPI_STATUS_IGNORE);
  char name[96];
  lock_file(window, window->rank, name);
  int file = open(name, O_CREAT | O_RDWR | O_CLOEXEC, 0600);
  if (file < 0) abort();
  close(file);
  int (*below)(void*, MPI_Aint, int, MPI_Info, MPI_Comm, MPI_Win*) =
      (int (*)(void*, MPI_Aint, int, MPI_Info, MPI_Comm, MPI_Win*))polling_below("PMPI_Win_create");
  error = below(base, size, unit, info, comm, win);
  window->win = *win;
  window->used = error == MPI_SUCCESS;
  return error;
}

int PMPI_Win_free(MPI_Win* win) {
  Window* window = find(*win);
  barrier(window->comm);
  char name[96];
  lock_file(window, window->rank, name);
  unlink(name);
  PMPI_Comm_free(&window->comm);
  window->used = 0;
  int (*below)(MPI_Win*) = (int (*)(MPI_Win*))polling_below("PMPI_Win_free");
  return below(win);
}

int PMPI_Win_fence(int assertion, MPI_Win win) {
  barrier(find(win)->comm);
  int (*below)(int, MPI_Win) = (int (*)(int, MPI_Win))polling_below("PMPI_Win_fence");
  return below(assertion, win);
}

/* Ranks of `group` in the window's communicator; their number. */
static int members(const Window* window, MPI_Group group, int ranks[rank_limit]) {
  int size, own[rank_limit];
  MPI_Group all;
  PMPI_Group_size(group, &size);
  for (int i = 0; i < size; ++i) own[i] = i;
  PMPI_Comm_group(window->comm, &all);
  PMPI_Group_translate_ranks(group, size, own, all, ranks);
  PMPI_Group_free(&all);
  return size;
}

static void tell(const Window* window, MPI_Group group, int tag) {
  int ranks[rank_limit], size = members(window, group, ranks);
  for (int i = 0; i < size; ++i) {
    MPI_Request request;
    polling_finish(PMPI_Isend(NULL, 0, MPI_BYTE, ranks[i], tag, window->comm, &request), &request,
                   MPI_STATUS_IGNORE);
  }
}

static void hear(const Window* window, MPI_Group group, int tag) {
  int ranks[rank_limit], size = members(window, group, ranks);
  for (int i = 0; i < size; ++i) {
    MPI_Request request;
    polling_finish(PMPI_Irecv(NULL, 0, MPI_BYTE, ranks[i], tag, window->comm, &request), &request,
                   MPI_STATUS_IGNORE);
  }
}

int PMPI_Win_post(MPI_Group group, int assertion, MPI_Win win) {
  Window* window = find(win);
  int (*below)(MPI_Group, int, MPI_Win) =
      (int (*)(MPI_Group, int, MPI_Win))polling_below("PMPI_Win_post");
  int error = below(group, assertion, win);
  PMPI_Group_excl(group, 0, NULL, &window->exposure);
  tell(window, group, tag_post);
  return error;
}

int PMPI_Win_start(MPI_Group group, int assertion, MPI_Win win) {
  Window* window = find(win);
  hear(window, group, tag_post);
  PMPI_Group_excl(group, 0, NULL, &window->access);
  int (*below)(MPI_Group, int, MPI_Win) =
      (int (*)(MPI_Group, int, MPI_Win))polling_below("PMPI_Win_start");
  return below(group, assertion, win);
}

int PMPI_Win_complete(MPI_Win win) {
  Window* window = find(win);
  int (*below)(MPI_Win) = (int (*)(MPI_Win))polling_below("PMPI_Win_complete");
  int error = below(win);
  tell(window, window->access, tag_complete);
  PMPI_Group_free(&window->access);
  return error;
}

int PMPI_Win_wait(MPI_Win win) {
  Window* window = find(win);
  hear(window, window->exposure, tag_complete);
  PMPI_Group_free(&window->exposure);
  int (*below)(MPI_Win) = (int (*)(MPI_Win))polling_below("PMPI_Win_wait");
  return below(win);
}

int PMPI_Win_lock(int type, int target, int assertion, MPI_Win win) {
  Window* window = find(win);
  int saved = errno;
  char name[96];
  lock_file(window, target, name);
  int file = open(name, O_RDWR | O_CLOEXEC);
  if (file < 0) abort();
  for (int pauses = 0; flock(file, (type == MPI_LOCK_SHARED ? LOCK_SH : LOCK_EX) | LOCK_NB) != 0; pauses++) {
    int nothing; /* to ask for a message is to let the library work on what others do here */
    PMPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, window->comm, &nothing, MPI_STATUS_IGNORE);
    polling_pause(pauses);
  }
  window->lock_files[target] = file;
  errno = saved;
  int (*below)(int, int, int, MPI_Win) =
      (int (*)(int, int, int, MPI_Win))polling_below("PMPI_Win_lock");
  return below(type, target, assertion, win);
}

int PMPI_Win_unlock(int target, MPI_Win win) {
  Window* window = find(win);
  int (*below)(int, MPI_Win) = (int (*)(int, MPI_Win))polling_below("PMPI_Win_unlock");
  int error = below(target, win);
  close(window->lock_files[target]); /* which unlocks it */
  window->lock_files[target] = 0;
  return error;
}
