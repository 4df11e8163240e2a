// ends.cc: four ranks in a ring; in the sixth of ten steps rank 2, or every rank, comes to an end. Each rank
// hands 1000 + rank bytes to its neighbour in a step, and sleeps 20 ms in `works`: so what must be left of it
// is known.
//
//   ends HOW one|all [FOLDER]    FOLDER: what the fault `removed` removes
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <stdexcept>

static int rank, ranks, status = -1;
static bool alone; // survivors of the fault `survive` talk no more
static const char* how;

static void works() { usleep(20000); }

static void exchange() {
  static char out[2000], in[2000];
  MPI_Request request;
  MPI_Irecv(in, sizeof in, MPI_CHAR, (rank + ranks - 1) % ranks, 0, MPI_COMM_WORLD, &request);
  MPI_Send(out, 1000 + rank, MPI_CHAR, (rank + 1) % ranks, 0, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static bool is(const char* name) { return strcmp(how, name) == 0; }

/// Comes after the last step.
static bool is_late() { return is("finalize") || is("hang") || is("full") || is("removed"); }

static void fatal(bool all) {
  if (all) MPI_Barrier(MPI_COMM_WORLD); // the first to end takes the others with it: they are here, too
  if (is("exit")) exit(4);
  if (is("_exit")) _exit(4);
  if (is("return")) status = 4;
  if (is("abort")) abort();
  if (is("segv")) raise(SIGSEGV);
  if (is("term")) kill(getpid(), SIGTERM);
  if (is("kill") || is("survive")) kill(getpid(), SIGKILL);
  if (is("mpi_abort")) MPI_Abort(MPI_COMM_WORLD, 4);
  if (is("mpi_error")) MPI_Send(nullptr, 0, MPI_CHAR, 99, 7, MPI_COMM_WORLD);
  if (is("throw")) throw std::runtime_error("nobody catches it");
}

static void step(int number, bool victim, bool all) {
  works();
  if (number == 5 && !is_late()) {
    MPI_Barrier(MPI_COMM_WORLD);
    if (victim) fatal(all);
    else if (is("survive")) alone = true;
    else sleep(20); // the launcher ends it before
    if (status >= 0) return;
  }
  if (!alone) exchange();
}

static void* kills(void*) {
  usleep(300000);
  kill(getpid(), SIGKILL);
  return nullptr;
}

int main(int argc, char** argv) {
  if (argc < 3) return 98;
  how = argv[1];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const bool all = strcmp(argv[2], "all") == 0, victim = all || rank == 2;
  for (int number = 0; number < 10; number++) {
    step(number, victim, all);
    if (status >= 0) return status;
  }
  if (is("finalize") && victim) { // killed in MPI_Finalize, while it waits for the last
    pthread_t thread;
    pthread_create(&thread, nullptr, kills, nullptr);
  }
  if (is("finalize") && (rank == 0 || rank == 3)) usleep(600000);
  if (is("hang") && victim) {
    alarm(6);
    pause();
  }
  if (is("removed") && rank == 0 && rmdir(argv[3]) != 0) return 97;
  if (alone) {
    usleep(500000);
    alarm(10); // MPI itself may wait for ever
  }
  MPI_Finalize();
  return 0;
}
