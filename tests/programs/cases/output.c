/* Every step each rank appends its rows to one file, a row at a time, and waits until the file is stored. */
#include <mpi.h>

#include "work.h"

enum { steps = 5, rows = 400, columns = 128 };
static int rank, ranks;
static double cells[rows][columns];

static MPI_Offset place(int step, int row) {
  return (MPI_Offset)sizeof cells[0] * ((step * ranks + rank) * rows + row);
}

static void update(void) { work(20); }

static void save(MPI_File file, int step) {
  for (int row = 0; row < rows; ++row) {
    MPI_File_write_at(file, place(step, row), cells[row], columns, MPI_DOUBLE, MPI_STATUS_IGNORE);
    if (row % 40 == 0) MPI_File_sync(file);
  }
}

int main(int argc, char** argv) {
  MPI_File file;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_File_open(MPI_COMM_WORLD, "cells.bin", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
  for (int step = 0; step < steps; ++step) {
    update();
    save(file, step);
  }
  MPI_File_close(&file);
  MPI_Finalize();
}
