"""A program prints the same with probes and without, measured or not."""

import os
import unittest

from support.commands import command
from support.end_to_end import EndToEnd
from support.programs import KINDS, PROGRAMS as PROGRAM_FOLDER, launcher, program

PROGRAMS = [("jacobi", "120", "150", "late", "--counts"), ("jacobi", "120", "150", "early"),
            ("lu", "60", "--counts"), ("gibbs", "40", "500"), ("irregular", "120", "200"),
            ("counts",), ("paths",), ("paths_throw",), ("paths_threads",), ("pcontrol",)]
# What sleeps prints only times; these have no other result than that they end well.
SLEEPERS = [("serial_fraction", "100"), ("imbalance", "10"), ("waits", "10"), ("growing", "100")]


class Results(EndToEnd):

    def lines(self, text):
        return sorted(line for line in text.splitlines() if not line.startswith("clock "))

    def test_same_results(self):
        for kind in KINDS:
            for name, *args in PROGRAMS + SLEEPERS:
                with self.subTest(kind=kind, program=name):
                    start = launcher(kind, 2)
                    plain = command([*start, program(kind, name, "plain"), *args])
                    probed = command([*start, program(kind, name), *args])
                    measured, _ = self.measure(kind, 2, name, *args)
                    if (name, *args) in PROGRAMS:
                        self.assertTrue(plain.stdout)
                    self.assertNotIn("WRONG", plain.stdout)
                    self.assertEqual(self.lines(plain.stdout), self.lines(probed.stdout))
                    self.assertEqual(self.lines(plain.stdout), self.lines(measured))

    def test_orders_and_sequential_agree(self):
        """Both orders of communication and the sequential program do the same arithmetic."""
        size = ("150", "250")
        expected = command([os.path.join(PROGRAM_FOLDER, "sequential", "probed",
                                         "jacobi_sequential"), *size]).stdout
        for kind in KINDS:
            for ranks in (1, 3, 4):
                for order in ("late", "early"):
                    with self.subTest(kind=kind, ranks=ranks, order=order):
                        done = command([*launcher(kind, ranks), program(kind, "jacobi"), *size,
                                        order])
                        self.assertEqual(done.stdout, expected)

    def test_plain_program_is_measured_too(self):
        """Without probes the calls of MPI are still there, below the root."""
        for kind in KINDS:
            with self.subTest(kind=kind):
                _, run = self.measure(kind, 2, "jacobi", "60", "30", build="plain")
                self.assertEqual(run.value("visits", "MPI_Isend", 1), 60)


if __name__ == "__main__":
    unittest.main()
