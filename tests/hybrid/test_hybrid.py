"""Hybrid efficiency and the grid of ranks and threads of programs whose times are known: known.c, each OpenMP
library with each MPI library."""

import os
import sys
import unittest

from support.build import ANDES, BUILD
from support.commands import before_others, command
from support.end_to_end import EndToEnd
from support.programs import KINDS, launcher, polling

PROGRAMS = os.path.join(BUILD, "tests", "hybrid")
BUILDS = [(runtime, kind) for runtime in ("gomp", "omp") for kind in KINDS
          if os.path.exists(os.path.join(PROGRAMS, "known.%s.%s" % (runtime, kind)))]
if not BUILDS:
    sys.exit("the programs of tests/hybrid are not built; ninja -C %s andes_hybrid_programs" % BUILD)


def program(runtime, kind):
    return os.path.join(PROGRAMS, "known.%s.%s" % (runtime, kind))


# What threads that start and wake up late may add; a unit in a wrong place is more: 3.8 % of a factor, 40 ms.
FACTOR, SERIAL_S = 0.03, 0.012


class Hybrid(EndToEnd):
    def andes(self, kind, *words, **env):
        return command([ANDES, *words], cwd=self.folder, OMP_WAIT_POLICY="passive",
                       at_start=before_others, LD_PRELOAD=polling(kind), **env)

    def test_factors(self):
        """T = 11; O = 8, 5; R = 6, 4; M = 6, 3; sum X = 6 + 4, 3 + 2; sum U = 17 units."""
        for runtime, kind in BUILDS:
            with self.subTest(runtime=runtime, kind=kind):
                self.timed(self.check_factors, runtime, kind)

    def check_factors(self, runtime, kind):
        self.number += 1
        out = os.path.join(self.folder, "%d.andes" % self.number)
        self.andes(kind, "run", "-o", out, "--", *launcher(kind, 2), program(runtime, kind), "factors")
        document = self.show(out)
        h = document["hybrid_efficiency"]
        expected = {"mpi": {"parallel": 13 / 22, "load_balance": 6.5 / 8, "communication": 8 / 11,
                            "serialisation": 8 / 11, "transfer": 1},
                    "team": {"parallel": 17 / 26, "serial_regions": 23 / 26, "barriers": 21 / 23,
                             "load_balance": 18 / 21, "scheduling": 17 / 18, "mpi_in_regions": 1}}
        for part, factors in expected.items():
            self.assertEqual(set(h[part]), set(factors))
            for name, value in factors.items():
                self.assert_near(h[part][name], value, FACTOR, "%s: %s" % (part, name))
        self.assert_near(h["parallel"], 17 / 44, FACTOR / 2, "parallel")
        self.assert_near(h["serial_s"], 3 * 0.04, SERIAL_S, "serial time")
        self.assertEqual(h["threads"], {"sum": 4, "min": 2, "max": 2})
        for part, whole in (("mpi", ("load_balance", "communication")),
                            ("team", ("serial_regions", "barriers", "load_balance", "scheduling", "mpi_in_regions"))):
            product = 1
            for name in whole:
                product *= h[part][name]
            self.assertAlmostEqual(product, h[part]["parallel"], places=9)
        self.assertAlmostEqual(h["mpi"]["parallel"] * h["team"]["parallel"], h["parallel"], places=9)
        text = command([ANDES, "show", out], cwd=self.folder).stdout
        self.assertIn("serial regions %.1f" % (100 * h["team"]["serial_regions"]), text)
        point = self.report("--oversubscribed-ok", out)["points"][0]
        self.assertEqual(point["hybrid_efficiency"]["team"], h["team"])

    def test_mpi_in_regions(self):
        """Two processes of three threads: T, times in regions outside barriers by thread, what is waited for one's turn, and
        what one of the processes is in MPI, in units; 4 units are serial."""
        cases = {"funneled": (14, (6, 7, 9), 0, 1), "serialized": (13, (5, 7, 9), 3, 3), "multiple": (14, (6, 8, 10), 0, 6)}
        for runtime, kind in BUILDS:
            for mode, case in cases.items():
                with self.subTest(runtime=runtime, kind=kind, mode=mode):
                    self.timed(self.check_mpi_in_regions, runtime, kind, mode, *case)

    def check_mpi_in_regions(self, runtime, kind, mode, time, in_regions, turns, in_mpi):
        self.number += 1
        out = os.path.join(self.folder, "%d.andes" % self.number)
        self.andes(kind, "run", "-o", out, "--", *launcher(kind, 2), program(runtime, kind), mode, OMP_NUM_THREADS="3")
        h = self.show(out)["hybrid_efficiency"]
        busy, even, regions = 4 + sum(in_regions), 4 + 3 * max(in_regions), 4 + 3 * (time - 4)
        useful = 2 * (busy - turns) - in_mpi  # of both
        expected = {"serial_regions": regions / (3 * time), "barriers": even / regions, "load_balance": busy / even,
                    "scheduling": (busy - turns) / busy, "mpi_in_regions": useful / (2 * (busy - turns))}
        for name, value in expected.items():
            self.assert_near(h["team"][name], value, FACTOR, "%s: %s" % (mode, name))
        self.assert_near(h["mpi"]["parallel"], 1, FACTOR, mode + ": MPI")
        self.assert_near(h["parallel"], useful / (6 * time), FACTOR / 2, mode + ": parallel")

    def test_grid(self):
        """T = 2 + 18 / (p x t) units: a serial fraction of 0.1 over cores, whatever the split."""
        runtime, kind = BUILDS[0]
        self.timed(self.check_grid, runtime, kind)

    def check_grid(self, runtime, kind):
        done = self.andes(kind, "run", "--ranks", "1,2", "--threads", "1,2", "--", "mpirun." + kind, "-n", "{p}",
                          program(runtime, kind), "scale")
        folder = os.path.join("runs", sorted(os.listdir(os.path.join(self.folder, "runs")))[-1])
        self.assertIn("andes: next: andes report " + folder, done.stderr)
        report = self.report("--oversubscribed-ok", folder)
        points = {(p["ranks"], p["threads"]): p for p in report["grid"]["points"]}
        self.assertEqual(sorted(points), [(1, 1), (1, 2), (2, 1), (2, 2)])
        for (p, t), point in points.items():
            self.assert_near(point["time_s"]["median"], 0.04 * (2 + 18 / (p * t)), 0.02, "T(%d, %d)" % (p, t))
            if p * t > 1:
                self.assert_near(point["serial_fraction"]["median"], 0.1, 0.03, "f(%d, %d)" % (p, t))
        self.assertEqual([p["cores"] for p in report["points"]], [1, 2, 4])
        self.assertEqual([[s["cores"], len(s["splits"])] for s in report["grid"]["best_splits"]],
                         [[1, 1], [2, 2], [4, 1]])
        hybrid = points[2, 2]["hybrid_efficiency"]
        self.assertEqual(hybrid["threads"], {"sum": 4, "min": 2, "max": 2})
        # 2 serial and 4.5 shared units: (2 + 2 x 4.5) / (2 x 6.5).
        self.assert_near(hybrid["team"]["serial_regions"], 11 / 13, FACTOR, "serial regions")
        self.assertNotIn("hybrid_efficiency", points[2, 1])
        self.assertNotIn("other_threads", [w["id"] for w in report["warnings"]])


if __name__ == "__main__":
    unittest.main()
