"""Polls with the default settings: they are too many to be counted, and what they find is accounted for all the same."""
import os
import unittest

from support.mpi import MpiTest, each_mpi


class Polls(MpiTest):
    def run_once(self, program, mpi, *arguments):
        """Of each call the visits shown and those that the program has counted; the volumes are checked."""
        done = self.run_ranks(mpi, 2, [program, *arguments], environment={"ANDES_WINDOWS": "on"})
        regions, matrix, facts = self.read()
        self.assertEqual(matrix, {(0, 1): (1200, 1200000)})
        visits = []
        for line in done.stdout.splitlines():
            _, name, polls, size = line.split()
            self.assertEqual(regions[name]["bytes_received"], int(size))
            self.assertEqual(regions[name]["messages_received"], int(size) / 1000)
            visits.append((regions[name]["visits"], int(polls)))
        self.assertEqual(len(visits), 4)
        self.assertEqual(facts["wait_states"], "measured")
        self.assertEqual(facts["messages_unmatched"], 0)
        self.assertGreater(facts["windows"], 0)
        self.is_slow_clock = facts["clock"] != "tsc"
        return visits

    def check(self, mpi, *arguments):
        program = self.compile(mpi, "polls.c")
        # How good an estimate of few windows is, is chance; that those of three runs together are bad is none.
        runs = []
        for _ in range(3):
            runs.append(self.run_once(program, mpi, *arguments))
            ratios = [sum(shown for shown, _ in call) / sum(made for _, made in call) for call in zip(*runs)]
            least = 0.2 if self.is_slow_clock else 0.5  # a window's own cost is more than that of the visits there
            # Thread sanitizer makes the thread that opens windows late.
            if "TSAN_OPTIONS" in os.environ or all(least < ratio < 1 / least for ratio in ratios):
                return
        self.fail(f"visits shown over those made: {ratios} in {runs}")

    @each_mpi
    def test_volumes_are_exact(self, mpi):
        self.check(mpi)

    @each_mpi
    def test_volumes_are_exact_where_threads_may_meet(self, mpi):
        self.check(mpi, "threads")


if __name__ == "__main__":
    unittest.main()
