"""Local calls of MPI are compute: a loop over MPI_Wtime communicates nothing."""
import unittest

from support.mpi import MpiTest, each_mpi


class Local(MpiTest):
    @each_mpi
    def test_local_calls_are_compute(self, mpi):
        done = self.run_ranks(mpi, 1, [self.compile(mpi, "local.c")], environment={"ANDES_BUDGET_PERCENT": 0})
        regions, _, _ = self.read()
        for name in ("MPI_Wtime", "MPI_Comm_rank", "MPI_Initialized"):
            region = regions[name]
            self.assertGreater(region["visits"], 100)
            self.assertEqual(region.get("computation_ns", 0), region.get("inclusive_ns", 0))
            self.assertEqual(region.get("communication_ns", 0), 0)
        self.assertGreater(regions["MPI_Barrier"]["communication_ns"], 0)
        others = sum(region.get("communication_ns", 0) for name, region in regions.items() if name.startswith("MPI_"))
        self.assertAlmostEqual(regions["(program)"]["communication_ns"], others, delta=1)
        self.assertGreaterEqual(float(done.stdout), 0.2)


if __name__ == "__main__":
    unittest.main()
