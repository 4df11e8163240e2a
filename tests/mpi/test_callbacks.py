"""Calls of MPI in callbacks that MPI calls itself."""
import unittest

from support.mpi import MpiTest, each_mpi


class Callbacks(MpiTest):
    @each_mpi
    def test_communicator_freed_by_the_callback_of_an_attribute(self, mpi):
        program = self.compile(mpi, "freed_in_callback.c")
        done = self.run_ranks(mpi, 2, [program])
        self.assertEqual(done.stdout, "freed: done\n")
        totals, _, facts = self.read()
        self.assertEqual(facts["complete"], 1)
        self.assertEqual(totals["MPI_Allreduce"]["visits"], 4)
        self.assertEqual(totals["MPI_Comm_free"]["visits"], 2)  # not those that MPI makes


if __name__ == "__main__":
    unittest.main()
