"""Fortran: mpif.h, the mpi module and mpi_f08 give the same run as each other, each call once."""
import os
import re
import unittest

from support.mpi import NUMBERS, MpiTest, each_mpi, fortran_compiler

HERE = os.path.dirname(os.path.abspath(__file__))
# What fortran.f90 does on two ranks, summed: visits, bytes sent and received, messages likewise.
EXPECTED = {
    "MPI_Init": (2, 0, 0, 0, 0), "MPI_Comm_rank": (2, 0, 0, 0, 0), "MPI_Comm_size": (2, 0, 0, 0, 0),
    "MPI_Irecv": (8, 0, 0, 0, 0), "MPI_Isend": (2, 800, 0, 2, 0), "MPI_Waitall": (4, 0, 1600, 0, 4),
    "MPI_Send": (8, 720, 0, 8, 0), "MPI_Waitany": (2, 0, 320, 0, 2),
    "MPI_Testall": (2, 0, 0, 0, 0), "MPI_Sendrecv": (2, 24, 24, 2, 2),
    "MPI_Recv": (2, 0, 320, 0, 2), "MPI_Allreduce": (4, 32, 32, 0, 0),
    "MPI_Bcast": (2, 40, 40, 0, 0), "MPI_Gather": (2, 16, 16, 0, 0),
    "MPI_Allgather": (2, 16, 32, 0, 0), "MPI_Alltoallv": (2, 16, 16, 0, 0),
    "MPI_Recv_init": (2, 0, 0, 0, 0), "MPI_Send_init": (2, 0, 0, 0, 0),
    "MPI_Startall": (2, 800, 0, 2, 0), "MPI_Request_free": (4, 0, 0, 0, 0),
    "MPI_Waitsome": (2, 0, 40, 0, 2), "MPI_Wait": (2, 0, 40, 0, 2),
    "MPI_Barrier": (2, 0, 0, 0, 0), "MPI_Get_processor_name": (2, 0, 0, 0, 0),
    "MPI_Comm_split": (2, 0, 0, 0, 0), "MPI_Comm_free": (2, 0, 0, 0, 0),
    "MPI_Wtime": (4, 0, 0, 0, 0), "MPI_Finalize": (2, 0, 0, 0, 0),
}
EXPECTED_MATRIX = {(0, 1): (7, 1172), (1, 0): (7, 1172)}
# The same of sentinels.f90.
SENTINELS = {
    "MPI_Init": (2, 0, 0, 0, 0), "MPI_Comm_rank": (2, 0, 0, 0, 0), "MPI_Allreduce": (2, 32, 32, 0, 0),
    "MPI_Allgather": (2, 8, 16, 0, 0), "MPI_Iallreduce": (2, 16, 16, 0, 0), "MPI_Wait": (2, 0, 0, 0, 0),
    "MPI_Alltoallw": (4, 32, 32, 0, 0),
    "MPI_Get_address": (4, 0, 0, 0, 0), "MPI_Type_create_hindexed": (2, 0, 0, 0, 0),
    "MPI_Type_commit": (2, 0, 0, 0, 0), "MPI_Type_free": (2, 0, 0, 0, 0),
    "MPI_Sendrecv": (2, 32, 32, 2, 2), "MPI_Bcast": (2, 16, 16, 0, 0),
    "MPI_Dist_graph_create_adjacent": (4, 0, 0, 0, 0), "MPI_Dist_graph_neighbors_count": (4, 0, 0, 0, 0),
    "MPI_Neighbor_allgather": (2, 8, 8, 0, 0), "MPI_Neighbor_alltoallw": (2, 8, 8, 0, 0), "MPI_Comm_free": (4, 0, 0, 0, 0),
    "MPI_Win_create": (2, 0, 0, 0, 0), "MPI_Win_fence": (4, 0, 0, 0, 0), "MPI_Put": (2, 16, 0, 0, 0),
    "MPI_Win_lock": (2, 0, 0, 0, 0), "MPI_Get": (2, 0, 8, 0, 0), "MPI_Win_unlock": (2, 0, 0, 0, 0),
    "MPI_Win_free": (2, 0, 0, 0, 0), "MPI_Comm_set_errhandler": (2, 0, 0, 0, 0),
    "MPI_Comm_spawn": (2, 0, 0, 0, 0), "MPI_Finalize": (2, 0, 0, 0, 0),
}


class Fortran(MpiTest):
    def check(self, mpi, binding, source="fortran.f90", expected=EXPECTED, expected_matrix=EXPECTED_MATRIX):
        if not fortran_compiler(mpi):
            self.skipTest(f"{mpi} has no Fortran")
        with open(os.path.join(HERE, source), encoding="utf-8") as file:
            text = file.read()
        lines = [re.sub(r"^(.*)!(mpif|mpi|f08)$", r"\1", line) for line in text.splitlines()
                 if not (mark := re.search(r"!(mpif|mpi|f08)$", line)) or mark[1] == binding
                 or (mark[1] == "mpif" and binding == "mpi" and "include" not in line)]
        program = self.compile(mpi, self.write("program.f90", "\n".join(lines) + "\n"))
        plain = self.run_ranks(mpi, 2, [program], monitored=False)
        done = self.run_ranks(mpi, 2, [program])
        self.assertEqual(done.stderr, "")
        self.assertEqual(sorted(done.stdout.splitlines()), sorted(plain.stdout.splitlines()))
        self.assertNotIn("wrong", done.stdout)
        regions, matrix, _ = self.read()
        measured = {name: tuple(int(columns.get(number, 0)) for number in NUMBERS)
                    for name, columns in regions.items() if name.startswith("MPI_")}
        self.maxDiff = None
        self.assertEqual(measured, expected)
        self.assertEqual(matrix, expected_matrix)

    @each_mpi
    def test_mpif_h(self, mpi):
        self.check(mpi, "mpif")

    @each_mpi
    def test_mpi_module(self, mpi):
        self.check(mpi, "mpi")

    @each_mpi
    def test_mpi_f08(self, mpi):
        self.check(mpi, "f08")

    def check_sentinels(self, mpi, binding):
        self.check(mpi, binding, "sentinels.f90", SENTINELS, {(0, 1): (1, 16), (1, 0): (1, 16)})

    @each_mpi
    def test_sentinels_of_mpif_h(self, mpi):
        self.check_sentinels(mpi, "mpif")

    @each_mpi
    def test_sentinels_of_the_mpi_module(self, mpi):
        self.check_sentinels(mpi, "mpi")

    @each_mpi
    def test_sentinels_of_mpi_f08(self, mpi):
        self.check_sentinels(mpi, "f08")


if __name__ == "__main__":
    unittest.main()
