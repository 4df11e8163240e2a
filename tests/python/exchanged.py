"""mpi4py: rank 0 is late at a reduction, in functions with known visits. Each rank says when it was there."""
import os
import time

from mpi4py import MPI

import andes

STEPS, LATE_S = 3, 0.05
entered_s = []


def compute(rank):
    if rank == 0:
        time.sleep(LATE_S)


def step(comm, rank, i):
    compute(rank)
    entered_s.append(time.monotonic())
    return comm.allreduce(rank + i)


def main():
    comm = MPI.COMM_WORLD
    rank = comm.Get_rank()
    total = 0
    for i in range(STEPS):
        with andes.region("loop"):
            total += step(comm, rank, i)
    comm.Barrier()
    said = "entered: %d %s\n" % (rank, " ".join("%.9f" % second for second in entered_s))
    if rank == 0:
        said = "exchanged: %d\n" % total + said
    os.write(1, said.encode())  # at once: what both ranks print in parts may be mixed


main()
