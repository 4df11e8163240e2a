"""Speedup, serial fraction, load balance and growth of programs whose answers are known."""

import os
import unittest

from support.end_to_end import EndToEnd
from support.programs import KINDS


class Scaling(EndToEnd):

    def points(self, report):
        return {point["ranks"]: point for point in report["points"]}

    def test_serial_fraction(self):
        """serial_fraction.c: f = 0.10 at every p, T = 4, 2.2, 1.3, 0.85 s."""
        for kind in KINDS:
            with self.subTest(kind=kind):
                self.timed(self.check_serial_fraction, kind)

    def check_serial_fraction(self, kind):
        folder = self.sweep(kind, "1,2,4,8", "serial_fraction")
        report = self.report("--oversubscribed-ok", folder)
        self.assertEqual(report["schema"], 1)
        self.assertEqual(report["base"]["ranks"], 1)
        points = self.points(report)
        for p, time in ((1, 4.0), (2, 2.2), (4, 1.3), (8, 0.85)):
            self.assert_near(points[p]["time_s"]["median"], time, 0.03, "T(%d)" % p)
            self.assert_near(points[p]["speedup"]["median"], 4.0 / time, 0.15, "A(%d)" % p)
            self.assert_near(points[p]["efficiency"]["median"], 4.0 / time / p, 0.03,
                             "efficiency at %d" % p)
        for p in (2, 4, 8):
            self.assert_near(points[p]["serial_fraction"]["median"], 0.10, 0.01,
                             "serial fraction at %d" % p)
        self.assertNotIn("serial_fraction", points[1])
        limit = report["limit_speedup"]["median"]
        self.assertTrue(9.0 <= limit <= 11.2, "limit %g" % limit)
        self.assertEqual([p for p, point in points.items() if point["oversubscribed"]],
                         [p for p in points if p > self.cores()])

    def cores(self):
        return len(os.sched_getaffinity(0))

    def test_growing_work(self):
        """growing.c: no serial part; total computation grows by 5 % with each further rank."""
        self.timed(self.check_growing_work, KINDS[0])

    def check_growing_work(self, kind):
        folder = self.sweep(kind, "1,2,4", "growing", "2000", repeat=2)
        report = self.report("--oversubscribed-ok", folder)
        points = self.points(report)
        for p in (2, 4):
            self.assert_near(points[p]["serial_fraction"]["median"], 0.05, 0.02,
                             "serial fraction at %d" % p)
            self.assert_near(points[p]["load_balance"], 1.0, 0.02, "load balance")
        self.assertIn("computation_grows", [w["id"] for w in report["warnings"]])

    def test_axis(self):
        """growing.c without growth: T = W / p, for each W a series with its own speedup p, and T over W in proportion."""
        for kind in KINDS:
            with self.subTest(kind=kind):
                self.timed(self.check_axis, kind)

    def check_axis(self, kind):
        folder = self.sweep(kind, "1,2", "growing", "{W}", "0", options=("--vary", "W=400,1600"))
        report = self.report("--oversubscribed-ok", folder)
        self.assertEqual([series["axes"] for series in report["series"]], [{"W": "400"}, {"W": "1600"}])
        for series, total in zip(report["series"], (0.4, 1.6)):
            for p in (1, 2):
                self.assert_near(self.points(series)[p]["time_s"]["median"], total / p, 0.03, "T")
        self.assert_near(self.points(report["series"][1])[2]["speedup"]["median"], 2, 0.1, "A(2)")
        for table in report["axis_tables"]:
            self.assert_near(table["points"][1]["exponent"], 1, 0.1, "exponent")

    def test_weak_sweep(self):
        """The same with W = 300 p: T = 0.3 s at every p, scaled speedup p."""
        for kind in KINDS:
            with self.subTest(kind=kind):
                self.timed(self.check_weak_sweep, kind)

    def check_weak_sweep(self, kind):
        folder = self.sweep(kind, "1,2,4", "growing", "{W}", "0", options=("--vary", "W=300", "--weak", "W"))
        report = self.report("--oversubscribed-ok", folder)
        self.assertEqual((report["weak"], report["axes"]), (True, {"W": "300"}))
        for p in (1, 2, 4):
            self.assert_near(self.points(report)[p]["time_s"]["median"], 0.3, 0.03, "T(%d)" % p)
            self.assert_near(self.points(report)[p]["speedup"]["median"], p, 0.3, "A(%d)" % p)

    def test_load_balance(self):
        """imbalance.c at 4 ranks: 0.625 in work(), 1 in even(); with both, 700/1000."""
        for kind in KINDS:
            with self.subTest(kind=kind):
                self.timed(self.check_load_balance, kind)

    def check_load_balance(self, kind):
        self.measure(kind, 4, "imbalance", asleep=True)
        paths = {"/".join(c["path"]): c
                 for c in self.show("run%d.andes" % self.number)["callpaths"]}
        self.assert_near(paths["main/work"]["load_balance"], 0.625, 0.01, "work")
        self.assert_near(paths["main/even"]["load_balance"], 1.0, 0.02, "even")
        self.assert_near(paths["main"]["load_balance"], 0.7, 0.01, "main")
        self.assert_near(paths["main/work"]["mean_s"], 0.5, 0.01, "work: mean")
        self.assert_near(paths["main/work"]["max_s"], 0.8, 0.01, "work: maximum")
        self.assert_near(paths["main/work"]["inclusive_s"], 2.0, 0.04, "work: sum")
        report = self.report("--oversubscribed-ok", "run%d.andes" % self.number)
        self.assert_near(self.points(report)[4]["load_balance"], 0.7, 0.01, "report")
        # Waiting 600 + 400 + 200 of 4 x 1000 ms, all of it in a barrier, and nothing else in MPI.
        for key, percent in (("idle_percent", 30.0), ("synchronisation_percent", 30.0),
                             ("communication_percent", 0.0)):
            self.assert_near(self.points(report)[4][key], percent, 1.0, key)

    def test_sixteen_ranks(self):
        """Sixteen ranks that sleep are as exact as two, on any machine and with both libraries."""
        for kind in KINDS:
            with self.subTest(kind=kind):
                self.timed(self.check_sixteen_ranks, kind)

    def check_sixteen_ranks(self, kind):
        _, run = self.measure(kind, 16, "serial_fraction", "4000", asleep=True)
        self.assertEqual(int(run.facts["ranks"]), 16)
        self.assert_near(run.facts["wall_ns"], 0.625e9, 0.04e9, "T(16)")



if __name__ == "__main__":
    unittest.main()
