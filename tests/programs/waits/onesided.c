/* Known answer: who waits in one-sided communication, why, and how long.
 *
 *   onesided CASE      the cases stand at the end, with the ranks they need
 *
 * Windows are made at 50. What MPI libraries do then besides takes them up to some hundred
 * milliseconds where ranks have to share a core, so the rest begins at 500; the layer that lets
 * ranks wait asleep (tests/programs/polling) does not reach into it.
 */
#include "waits.h"

#define WORLD MPI_COMM_WORLD

static int word, exposed[4];

static void create_at(double ms, MPI_Win* win) {
  at(ms);
  TIMED(MPI_Win_create(exposed, sizeof exposed, sizeof exposed[0], MPI_INFO_NULL, WORLD, win));
}

static void free_at(double ms, MPI_Win* win) {
  at(ms);
  TIMED(MPI_Win_free(win));
}

static void fence_at(double ms, MPI_Win win) {
  at(ms);
  TIMED(MPI_Win_fence(0, win));
}

/* Rank 3 comes to the creation at 350, the others at 50; all free the window at 700. The barrier is there
   as windows and communicators must not be taken for each other. */
static void wait_at_window_create(void) {
  MPI_Win win;
  at(20);
  TIMED(MPI_Barrier(WORLD));
  create_at(rank == 3 ? 350 : 50, &win);
  free_at(700, &win);
}

/* Rank 1 comes to the second fence at 850, the others at 600. */
static void fence(void) {
  MPI_Win win;
  create_at(50, &win);
  fence_at(500, win);
  TIMED(MPI_Put(&word, 1, MPI_INT, (rank + 1) % ranks, 0, 1, MPI_INT, win));
  fence_at(rank == 1 ? 850 : 600, win);
  free_at(1000, &win);
}

/* The group of the one rank `other`. */
static MPI_Group group_of(int other) {
  MPI_Group all, one;
  PMPI_Comm_group(WORLD, &all);
  PMPI_Group_incl(all, 1, &other, &one);
  PMPI_Group_free(&all);
  return one;
}

static void expose_at(double post_ms, double wait_ms, MPI_Group origin, MPI_Win win) {
  at(post_ms);
  TIMED(MPI_Win_post(origin, 0, win));
  at(wait_ms);
  TIMED(MPI_Win_wait(win));
}

static void access_at(double start_ms, double complete_ms, MPI_Group target, MPI_Win win) {
  at(start_ms);
  TIMED(MPI_Win_start(target, 0, win));
  TIMED(MPI_Put(&word, 1, MPI_INT, 1, 0, 1, MPI_INT, win));
  at(complete_ms);
  TIMED(MPI_Win_complete(win));
}

/* Rank 0 starts at 500 what rank 1 exposes at 750. */
static void late_post(void) {
  MPI_Win win;
  create_at(50, &win);
  MPI_Group other = group_of(1 - rank);
  if (rank == 0) access_at(500, 750, other, win);
  if (rank == 1) expose_at(750, 750, other, win);
  free_at(1000, &win);
  PMPI_Group_free(&other);
}

/* Rank 1 waits from 550 on for rank 0, which completes at 850. */
static void early_wait(void) {
  MPI_Win win;
  create_at(50, &win);
  MPI_Group other = group_of(1 - rank);
  if (rank == 0) access_at(500, 850, other, win);
  if (rank == 1) expose_at(500, 550, other, win);
  free_at(1000, &win);
  PMPI_Group_free(&other);
}

/* Rank 0 completes at 550; rank 1 posts at 500 and comes back to MPI at 850. With Open MPI rank 0 goes on at once. */
static void late_progress(void) {
  MPI_Win win;
  create_at(50, &win);
  MPI_Group other = group_of(1 - rank);
  if (rank == 0) access_at(520, 550, other, win);
  if (rank == 1) expose_at(500, 850, other, win);
  free_at(1000, &win);
  PMPI_Group_free(&other);
}

static void barrier_at(double ms) {
  at(ms);
  TIMED(MPI_Barrier(MPI_COMM_WORLD));
}

static void update_at(double lock_ms, double unlock_ms, int target, MPI_Win win) {
  at(lock_ms);
  TIMED(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, target, 0, win));
  TIMED(MPI_Put(&word, 1, MPI_INT, target, 0, 1, MPI_INT, win));
  at(unlock_ms);
  TIMED(MPI_Win_unlock(target, win));
}

/* Rank 0 has its own window locked from 500 until 800; rank 1 wants it at 550. Rank 2 locks its own,
 * which nobody else wants. Both then go where rank 1 finds them working on its access. */
static void lock_contention(void) {
  MPI_Win win;
  create_at(50, &win);
  if (rank == 0) update_at(500, 800, 0, win);
  if (rank == 1) update_at(550, 800, 0, win);
  if (rank == 2) update_at(500, 800, 2, win);
  free_at(800, &win);
}

/* Rank 1 locks the window of rank 0 at 550, which is outside of MPI until 850. Open MPI needs no owner for that. */
static void owner_progress(void) {
  MPI_Win win;
  create_at(50, &win);
  if (rank == 1) update_at(550, 560, 0, win);
  barrier_at(850);
  free_at(1000, &win);
}

static void fetch_at(double ms, MPI_Win win) {
  int got;
  at(ms);
  TIMED(MPI_Fetch_and_op(&word, &got, MPI_INT, 0, 1, MPI_SUM, win));
  TIMED(MPI_Win_flush(0, win));
}

/* In one epoch rank 1 fetches a number at 550 and 1150 from rank 0, which is outside of MPI until 850 and 1450. It gets it in
 * MPI_Win_flush (MPICH), or at once (Open MPI). */
static void owner_progress_twice(void) {
  MPI_Win win;
  create_at(50, &win);
  at(500);
  if (rank == 1) MPI_Win_lock_all(MPI_MODE_NOCHECK, win);
  if (rank == 1) fetch_at(550, win);
  barrier_at(850);
  if (rank == 1) fetch_at(1150, win);
  barrier_at(1450);
  if (rank == 1) MPI_Win_unlock_all(win);
  free_at(1600, &win);
}
static void flush_progress(void) { owner_progress_twice(); }
static void fetch_progress(void) { owner_progress_twice(); }

static const Case cases[] = {
    {"wait_at_window_create", 4, 800, wait_at_window_create, 0},
    {"fence", 4, 1100, fence, 0},
    {"late_post", 2, 1100, late_post, 0},
    {"early_wait", 2, 1100, early_wait, 0},
    {"late_progress", 2, 1100, late_progress, 0},
    {"lock_contention", 3, 1000, lock_contention, 0},
    {"owner_progress", 2, 1100, owner_progress, 0},
    {"flush_progress", 2, 1700, flush_progress, 0},
    {"fetch_progress", 2, 1700, fetch_progress, 0},
};

int main(int argc, char** argv) { return run_case(argc, argv, CASES(cases)); }
