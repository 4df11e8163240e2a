/* One-sided epochs of every kind on three ranks; test_log.py has the counts. */
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Win win, other;
  MPI_Group world, group;
  MPI_Request request;
  int rank, *memory, value = 1, flag = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
  MPI_Win_create(memory, 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &other);

  MPI_Win_fence(0, win);
  MPI_Put(&value, 1, MPI_INT, (rank + 1) % 3, 0, 1, MPI_INT, win);
  MPI_Win_fence(0, win);

  for (int i = 0; i < 2; i++) { /* rank 0 exposes its memory to 1 and 2 */
    if (rank == 0) {
      const int origins[2] = {2, 1};
      MPI_Group_incl(world, 2, origins, &group);
      MPI_Win_post(group, 0, win);
      if (i == 0) MPI_Win_wait(win);
      while (i == 1 && !flag) MPI_Win_test(win, &flag);
    } else {
      const int target = 0;
      MPI_Group_incl(world, 1, &target, &group);
      MPI_Win_start(group, 0, win);
      MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
      MPI_Win_complete(win);
    }
    MPI_Group_free(&group);
  }
  MPI_Win_fence(0, win); /* before other epochs */
  MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
  for (int i = 0; i < 3; i++) { /* 1 and 2 lock rank 0, alone; then all share */
    if (rank == 0) continue;
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
    MPI_Accumulate(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, win);
    MPI_Accumulate(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, win);
    MPI_Win_flush(0, win);
    MPI_Win_unlock(0, win);
  }
  MPI_Win_lock_all(0, win);
  MPI_Rput(&value, 1, MPI_INT, (rank + 1) % 3, 0, 1, MPI_INT, win, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Win_unlock_all(win);
  MPI_Win_free(&other);
  MPI_Win_free(&win);
  MPI_Group_free(&world);
  MPI_Finalize();
  return 0;
}
