/* Known answer: who waits for the lock of a window, and how long, by the MPI library's own locks.
 *
 *   locks CASE      the cases stand at the end, with the ranks they need
 *
 * The window of rank 0 is locked by rank 1 from 300 + 100 k to 360 + 100 k, k = 0..7, and rank 2 asks for it 10 ms after
 * rank 1 has it. Ranks 0 and 3 meanwhile wait in a barrier, where rank 0 works on their accesses. Windows are made
 * before 300 (onesided.c).
 * MPI_Win_lock_all locks all windows, also those that it does not access.
 */
#include "waits.h"

#define WORLD MPI_COMM_WORLD

enum { rounds = 8 };

/* MPICH 4.0 writes to a multiple of 16 bytes below the address that it was given. */
static int word, exposed[4] __attribute__((aligned(64)));

/* What is done with the lock. */
static enum { flushes, flushes_all, flushes_locally, accesses_own_window, accesses_nothing } use = flushes;

/* Locks with `type`, or all with 0, and accesses the window of rank 0, or what `use` says. */
static void lock_at(double ms, int type, MPI_Win win) {
  const int target = use == accesses_own_window && !type ? rank : 0;
  at(ms);
  if (type) TIMED(MPI_Win_lock(type, 0, 0, win));
  else TIMED(MPI_Win_lock_all(0, win));
  if (use == accesses_nothing) return;
  MPI_Put(&word, 1, MPI_INT, target, 0, 1, MPI_INT, win);
  if (use == flushes_all) TIMED(MPI_Win_flush_all(win));
  else if (use == flushes_locally) TIMED(MPI_Win_flush_local(target, win));
  else TIMED(MPI_Win_flush(target, win));
}

static void unlock_at(double ms, int type, MPI_Win win) {
  at(ms);
  if (type) TIMED(MPI_Win_unlock(0, win));
  else TIMED(MPI_Win_unlock_all(win));
}

static void contend(int held, int wanted) {
  MPI_Win win;
  at(50);
  MPI_Win_create(exposed, sizeof exposed, sizeof exposed[0], MPI_INFO_NULL, WORLD, &win);
  for (int k = 0; k < rounds; ++k) {
    const int type = rank == 1 ? held : wanted;
    if (rank == 1 || rank == 2) lock_at((rank == 1 ? 300 : 310) + 100 * k, type, win);
    if (rank == 1 || rank == 2) unlock_at(360 + 100 * k, type, win);
  }
  PMPI_Barrier(WORLD);
  at(1150);
  MPI_Win_free(&win);
}

static void exclusive(void) { contend(MPI_LOCK_EXCLUSIVE, MPI_LOCK_EXCLUSIVE); }
static void shared_is_wanted(void) { contend(MPI_LOCK_EXCLUSIVE, MPI_LOCK_SHARED); }
static void shared_is_held(void) { contend(MPI_LOCK_SHARED, MPI_LOCK_EXCLUSIVE); }
static void shared(void) { contend(MPI_LOCK_SHARED, MPI_LOCK_SHARED); }
static void all_is_wanted(void) { contend(MPI_LOCK_EXCLUSIVE, 0); }
static void all_is_held(void) { contend(0, MPI_LOCK_EXCLUSIVE); }
#define WITH(what, held, wanted) (use = what, contend(held, wanted))
static void flush_all(void) { WITH(flushes_all, MPI_LOCK_EXCLUSIVE, MPI_LOCK_EXCLUSIVE); }
static void flush_local(void) { WITH(flushes_locally, MPI_LOCK_EXCLUSIVE, MPI_LOCK_SHARED); }
static void idle(void) { WITH(accesses_nothing, MPI_LOCK_EXCLUSIVE, MPI_LOCK_SHARED); }
static void idle_is_held(void) { WITH(accesses_nothing, MPI_LOCK_SHARED, MPI_LOCK_EXCLUSIVE); }
static void idle_all(void) { WITH(accesses_nothing, 0, 0); }
static void idle_all_is_wanted(void) { WITH(accesses_nothing, MPI_LOCK_EXCLUSIVE, 0); }
static void idle_all_is_held(void) { WITH(accesses_nothing, 0, MPI_LOCK_EXCLUSIVE); }
static void other_is_wanted(void) { WITH(accesses_own_window, MPI_LOCK_EXCLUSIVE, 0); }
static void other_is_held(void) { WITH(accesses_own_window, 0, MPI_LOCK_EXCLUSIVE); }

static const Case cases[] = {
    {"exclusive", 4, 1250, exclusive, 0},
    {"shared_is_wanted", 4, 1250, shared_is_wanted, 0},
    {"shared_is_held", 4, 1250, shared_is_held, 0},
    {"shared", 4, 1250, shared, 0},
    {"all_is_wanted", 4, 1250, all_is_wanted, 0},
    {"all_is_held", 4, 1250, all_is_held, 0},
    {"flush_all", 4, 1250, flush_all, 0},
    {"flush_local", 4, 1250, flush_local, 0},
    {"idle", 4, 1250, idle, 0},
    {"idle_is_held", 4, 1250, idle_is_held, 0},
    {"idle_all", 4, 1250, idle_all, 0},
    {"idle_all_is_wanted", 4, 1250, idle_all_is_wanted, 0},
    {"idle_all_is_held", 4, 1250, idle_all_is_held, 0},
    {"other_is_wanted", 4, 1250, other_is_wanted, 0},
    {"other_is_held", 4, 1250, other_is_held, 0},
};

int main(int argc, char** argv) { return run_case(argc, argv, CASES(cases)); }
