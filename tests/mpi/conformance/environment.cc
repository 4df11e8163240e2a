// The environment: versions, clocks, thread levels (`environment NOTES LEVEL`), several threads at once where the
// level allows it, MPI_Pcontrol, buffers, memory; what may be called before MPI_Init and after MPI_Finalize.
// In C++, whose programs call the same functions.
#include "observe.h"

#include <cmath>
#include <string>
#include <thread>
#include <vector>

namespace {

// What comes after MPI_Finalize is not measured, and not counted.
#define CALL_IF(counts, name, ...) ((counts) ? CALL(name, __VA_ARGS__) : name(__VA_ARGS__))

void outside(const char* when, bool counts) {
  int initialized = -1, finalized = -1, version = -1, subversion = -1, length = 0;
  char text[MPI_MAX_LIBRARY_VERSION_STRING];
  CALL_IF(counts, MPI_Initialized, &initialized);
  CALL_IF(counts, MPI_Finalized, &finalized);
  CALL_IF(counts, MPI_Get_version, &version, &subversion);
  CALL_IF(counts, MPI_Get_library_version, text, &length);
  say("%s: initialized %d finalized %d version %d.%d %d", when, initialized, finalized, version, subversion, length > 0);
}

void inside() {
  int flag = -1, version = -1, subversion = -1, length = -1, level = -1;
  std::string text(MPI_MAX_LIBRARY_VERSION_STRING + MPI_MAX_PROCESSOR_NAME, ' ');
  CALL(MPI_Initialized, &flag);
  say("initialized %d", flag);
  CALL(MPI_Finalized, &flag);
  say("finalized %d", flag);
  CALL(MPI_Get_version, &version, &subversion);
  CALL(MPI_Get_library_version, text.data(), &length);
  say("%d.%d %.*s", version, subversion, (int)text.find('\n') > 0 ? (int)text.find('\n') : 20, text.c_str());
  CALL(MPI_Get_processor_name, text.data(), &length);
  say("%.*s", length, text.c_str());
  CALL(MPI_Query_thread, &level);
  CALL(MPI_Is_thread_main, &flag);
  say("level %d, main %d", level, flag);
  const double from = CALL(MPI_Wtime), tick = CALL(MPI_Wtick), to = CALL(MPI_Wtime);
  say("time goes on: %d, ticks: %d", to >= from, tick > 0 && tick < 1);
#ifdef MPI_Aint_add // a macro and nothing else: Open MPI
  const MPI_Aint sum = MPI_Aint_add(MPI_Aint{16}, MPI_Aint{4}), difference = MPI_Aint_diff(sum, MPI_Aint{4});
#else
  const MPI_Aint sum = CALL(MPI_Aint_add, MPI_Aint{16}, MPI_Aint{4}), difference = CALL(MPI_Aint_diff, sum, MPI_Aint{4});
#endif
  MPI_Aint here = 0;
  CALL(MPI_Get_address, &flag, &here);
  say("address: %d, sum %ld, difference %ld", here != 0, (long)sum, (long)difference);
  void* memory = nullptr;
  TRY(MPI_Alloc_mem, 1000, MPI_INFO_NULL, &memory);
  TRY(MPI_Free_mem, memory);
}

void control() {
  int sum = 0;
  CALL(MPI_Pcontrol, 1);
  CALL(MPI_Barrier, MPI_COMM_WORLD);
  CALL(MPI_Pcontrol, 0); // from here on nothing is measured: calls that are not counted
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  say("sum %d", sum);
  MPI_Pcontrol(1);
  CALL(MPI_Barrier, MPI_COMM_WORLD);
}

void threads() {
  constexpr int count = 3, rounds = 40;
  std::vector<int> sums(count);
  std::vector<std::thread> all;
  for (int t = 0; t < count; t++)
    all.emplace_back([t, &sums] {
      int flag = -1;
      MPI_Comm own;
      PMPI_Comm_dup(MPI_COMM_SELF, &own); // made behind the monitor's back
      CALL(MPI_Is_thread_main, &flag);
      for (int i = 0; i < rounds; i++) {
        int value = i + t, got = -1, index = -1;
        MPI_Request requests[2];
        MPI_Status status;
        CALL(MPI_Irecv, &got, 1, MPI_INT, (rank + 1) % size, t, MPI_COMM_WORLD, &requests[0]);
        CALL(MPI_Isend, &value, 1, MPI_INT, (rank + size - 1) % size, t, MPI_COMM_WORLD, &requests[1]);
        if (i % 3 == 0) CALL(MPI_Waitall, 2, requests, MPI_STATUSES_IGNORE);
        for (int j = 0; i % 3 == 1 && j < 2; j++) CALL(MPI_Waitany, 2, requests, &index, &status);
        for (int j = 0; i % 3 == 2 && j < 2; j++) CALL(MPI_Wait, &requests[j], &status);
        sums[(std::size_t)t] += got;
        CALL(MPI_Sendrecv, &value, 1, MPI_INT, 0, 1, &got, 1, MPI_INT, 0, 1, own, MPI_STATUS_IGNORE);
        sums[(std::size_t)t] += got + 1000 * flag;
      }
      PMPI_Comm_free(&own);
    });
  for (std::thread& thread : all) thread.join();
  say_numbers("sums of threads", sums.data(), count);
}

// Every thread makes a communicator of its own, and all use one that the monitor has not seen before.
void communicators_of_threads() {
  constexpr int count = 3, rounds = 30;
  std::vector<MPI_Comm> parents(count);
  for (MPI_Comm& parent : parents) PMPI_Comm_dup(MPI_COMM_WORLD, &parent);
  for (int round = 0; round < rounds; round++) {
    MPI_Comm unseen;
    PMPI_Comm_dup(MPI_COMM_SELF, &unseen);
    std::vector<std::thread> all;
    for (int t = 0; t < count; t++)
      all.emplace_back([t, unseen, &parents] {
        int value = t, got = -1;
        CALL(MPI_Sendrecv, &value, 1, MPI_INT, 0, t, &got, 1, MPI_INT, 0, t, unseen, MPI_STATUS_IGNORE);
        MPI_Comm own;
        CALL(MPI_Comm_dup, parents[(std::size_t)t], &own);
        CALL(MPI_Bcast, &got, 1, MPI_INT, 0, own);
        CALL(MPI_Comm_free, &own);
        if (got != t) say("thread %d got %d", t, got);
      });
    for (std::thread& thread : all) thread.join();
    PMPI_Comm_free(&unseen);
  }
  for (MPI_Comm& parent : parents) PMPI_Comm_free(&parent);
  say("communicators of threads: done");
}

} // namespace

int main(int argc, char** argv) {
  const std::string level = argc > 2 ? argv[2] : "single";
  const int wanted = level == "multiple" ? MPI_THREAD_MULTIPLE : level == "serialized" ? MPI_THREAD_SERIALIZED
                     : level == "funneled" ? MPI_THREAD_FUNNELED : MPI_THREAD_SINGLE;
  int provided = -1;
  open_notes(argc > 1 ? argv[1] : nullptr, "");
  outside("before", true);
  CALL(MPI_Init_thread, &argc, &argv, wanted, &provided);
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &size);
  say("provided enough: %d", provided >= wanted);
  inside();
  control();
  if (provided == MPI_THREAD_MULTIPLE) {
    threads();
    communicators_of_threads();
  }
  if (provided >= MPI_THREAD_SERIALIZED) { // one after the other
    for (int t = 0; t < 3; t++)
      std::thread([] {
        int got = -1;
        CALL(MPI_Allreduce, &rank, &got, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        say("sum %d", got);
      }).join();
  }
  CALL(MPI_Finalize);
  outside("after", false);
  write_counts();
  return 0;
}
