"""Polls with the default settings: they are too many to be counted, and what they find is accounted for all the same."""
import os
import unittest

from support.mpi import MpiTest, each_mpi


class Polls(MpiTest):
    def run_once(self, program, mpi, *arguments):
        """Ratios of the visits shown to those that the program has counted; the volumes are checked."""
        done = self.run_ranks(mpi, 2, [program, *arguments], environment={"ANDES_WINDOWS": "on"})
        regions, matrix, facts = self.read()
        self.assertEqual(matrix, {(0, 1): (1200, 1200000)})
        ratios = []
        for line in done.stdout.splitlines():
            _, name, polls, size = line.split()
            self.assertEqual(regions[name]["bytes_received"], int(size))
            self.assertEqual(regions[name]["messages_received"], int(size) / 1000)
            ratios.append(regions[name]["visits"] / int(polls))
        self.assertEqual(len(ratios), 4)
        self.assertEqual(facts["wait_states"], "measured")
        self.assertEqual(facts["messages_unmatched"], 0)
        self.assertGreater(facts["windows"], 0)
        return ratios

    def check(self, mpi, *arguments):
        program = self.compile(mpi, "polls.c")
        # How good an estimate is, is chance; that all of three are bad is none.
        tries = []
        for _ in range(3):
            tries.append(self.run_once(program, mpi, *arguments))
            # Thread sanitizer makes the thread that opens windows late.
            if "TSAN_OPTIONS" in os.environ or all(0.5 < ratio < 2 for ratio in tries[-1]):
                return
        self.fail(f"visits shown over those made: {tries}")

    @each_mpi
    def test_volumes_are_exact(self, mpi):
        self.check(mpi)

    @each_mpi
    def test_volumes_are_exact_where_threads_may_meet(self, mpi):
        self.check(mpi, "threads")


if __name__ == "__main__":
    unittest.main()
