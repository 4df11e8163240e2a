"""mpi4py: rank 0 is late at a reduction, in functions with known visits. Each rank says when it was there."""
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
    if rank == 0:
        print("exchanged: %d" % total)
    print("entered:", rank, *entered_s, flush=True)


main()
