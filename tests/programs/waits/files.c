/* Known answer: who waits in calls on files that all ranks make, and who does not.
 *
 *   files of_all    on three ranks (Open MPI lets two ranks read alone)
 *
 * What MPI libraries do in the calls besides takes them up to a hundred milliseconds where ranks have to share a core.
 * The file is in the working directory, and deleted when it is closed.
 */
#include "waits.h"

#define WORLD MPI_COMM_WORLD

static int words[1000];
static const MPI_Offset part = sizeof words;

static void open_at(double ms, MPI_Info info, MPI_File* file) {
  at(ms);
  TIMED(MPI_File_open(WORLD, "files.data", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, info, file));
}

static void write_at(double ms, MPI_File file) {
  at(ms);
  TIMED(MPI_File_write_at_all_begin(file, rank * part, words, 1000, MPI_INT));
  TIMED(MPI_File_write_at_all_end(file, words, MPI_STATUS_IGNORE));
}

static void read_at(double ms, MPI_File file) {
  at(ms);
  TIMED(MPI_File_read_at_all(file, rank * part, words, 1000, MPI_INT, MPI_STATUS_IGNORE));
}

static void close_at(double ms, MPI_File* file) {
  at(ms);
  TIMED(MPI_File_close(file));
}

/* Rank 1 is late where the file is opened and closed, rank 0 where it is read. Rank 1 comes late to the write as well,
   but each rank writes by itself: Open MPI does so in split calls, MPICH where the info asks for it. */
static void of_all(void) {
  MPI_File file;
  MPI_Info info;
  PMPI_Info_create(&info);
  PMPI_Info_set(info, "romio_cb_write", "disable");
  open_at(rank == 1 ? 250 : 50, info, &file);
  write_at(rank == 1 ? 550 : 400, file);
  read_at(rank == 0 ? 850 : 650, file);
  close_at(rank == 1 ? 1100 : 950, &file);
  PMPI_Info_free(&info);
}

static const Case cases[] = {
    {"of_all", 3, 1200, of_all, 0},
};

int main(int argc, char** argv) { return run_case(argc, argv, CASES(cases)); }
