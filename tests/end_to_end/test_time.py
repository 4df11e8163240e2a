"""Time is where it belongs: compute + communication + idle + tool = wall for every location of every
program (invariant 1), and against the programs' own clocks and known sleeps."""

import unittest

from support.end_to_end import EndToEnd
from support.programs import KINDS

PROGRAMS = [("jacobi", "200", "60"), ("jacobi", "200", "60", "early"), ("lu", "80"),
            ("gibbs", "200", "2000"), ("irregular", "200", "400"), ("serial_fraction", "400"),
            ("imbalance", "50"), ("waits", "20"), ("growing", "400"), ("counts",), ("paths",),
            ("paths_throw",), ("paths_threads",), ("pcontrol",)]
LATE_WAKE_NS = 30e6  # what a late wake-up of a sleeping rank may add in all


class Time(EndToEnd):

    def check_sums(self, run, what):
        exclusive = run.metrics["exclusive_ns"]
        self.assertTrue(run.locations, what)
        for place in run.locations.values():
            where = "%s, rank %d, thread %d" % (what, place["rank"], place["thread"])
            parts = place["compute_ns"] + place["communication_ns"] + place["tool_ns"]
            parts += place["idle_ns"] or 0
            slack = 0.01 * place["wall_ns"] + 1000
            self.assert_near(parts, place["wall_ns"], slack, where + ": sum of kinds")
            # The same from the call tree, which the kinds need not have come from.
            tree = {"compute": 0.0, "communication": 0.0, "tool": 0.0}
            for callpath in run.callpaths:
                kind = run.kind(callpath)
                part = ("compute" if kind in ("root", "function", "block", "loop", "phase", "overflow", "local") else
                        "tool" if kind == "tool" else "communication")
                value = run.values.get((callpath, exclusive), {}).get(place["id"], 0.0)
                tree[part] += value
                self.assertGreaterEqual(value, -1000.0, where + ": " + run.path(callpath))
            self.assert_near(sum(tree.values()), place["wall_ns"], slack, where + ": tree")
            for part, value in tree.items():  # what the tree has of calls of MPI holds the waits
                kept = place[part + "_ns"]
                kept += (place["idle_ns"] or 0) if part == "communication" else 0
                self.assert_near(value, kept, slack, where + ": tree's " + part)
        if "paths" in what:
            return  # folded recursion moves time between call paths
        for callpath in run.callpaths:  # inclusive = exclusive + what the children have
            children = [c for c, row in run.callpaths.items() if row["parent"] == callpath]
            for place, row in run.locations.items():
                def value(path, metric):
                    return run.values.get((path, run.metrics[metric]), {}).get(place, 0.0)
                below = sum(value(child, "inclusive_ns") for child in children)
                # The tool's time stays in the inclusive time of where it passed.
                self.assert_near(value(callpath, "exclusive_ns") + below,
                                 value(callpath, "inclusive_ns"),
                                 row["tool_ns"] + 1000 + 0.01 * row["wall_ns"],
                                 "%s: %s" % (what, run.path(callpath)))

    def test_every_program(self):
        for kind in KINDS:
            for ranks in (1, 3):
                for name, *args in PROGRAMS:
                    with self.subTest(kind=kind, ranks=ranks, program=name):
                        _, run = self.measure(kind, ranks, name, *args, asleep=True)
                        self.assertEqual(int(run.facts["ranks"]), ranks)
                        self.assertEqual(int(run.facts["complete"]), 1)
                        self.check_sums(run, "%s, %s, %d ranks" % (name, kind, ranks))

    def test_own_clocks(self):
        for kind in KINDS:
            for name, *args in [("waits",), ("imbalance",), ("serial_fraction", "1000")]:
                with self.subTest(kind=kind, program=name):
                    self.timed(self.check_own_clocks, kind, name, args)

    def check_own_clocks(self, kind, name, args):
        out, run = self.measure(kind, 4, name, *args, asleep=True)
        clocks = [line.split() for line in out.splitlines() if line.startswith("clock")]
        self.assertEqual(len(clocks), 4, out)
        for _, rank, wall, compute, communication in clocks:
            place = run.location(int(rank))
            # The program's clocks do not tell the tool's time from the call it is spent in.
            slack = 0.01 * int(wall) + place["tool_ns"]
            what = "%s, %s, rank %s: " % (kind, name, rank)
            self.assert_near(place["wall_ns"], int(wall), slack, what + "wall")
            self.assert_near(place["compute_ns"], int(compute), slack, what + "compute")
            self.assert_near(place["communication_ns"] + place["idle_ns"], int(communication),
                             slack, what + "communication and idle")

    def test_waits(self):
        """Who computes while who waits: the table in waits.c, with units of 100 ms."""
        for kind in KINDS:
            with self.subTest(kind=kind):
                self.timed(self.check_waits, kind)

    def check_waits(self, kind):
        _, run = self.measure(kind, 4, "waits", asleep=True)
        unit = 100e6
        inclusive = lambda path, rank: run.value("inclusive_ns", path, rank)
        for rank in range(4):
            produce = 9 * unit if rank == 0 else 0
            consume = 6 * unit if rank == 3 else 0
            receive = 0 if rank == 0 else 9 * unit
            barrier = 0 if rank == 3 else 6 * unit
            tail = 2 * unit if rank == 0 else 0
            for path, expected in (("main/produce", produce), ("main/consume", consume),
                                   ("main/take_delivery/MPI_Recv", receive),
                                   ("main/meet/MPI_Barrier", barrier),
                                   ("main/tail", tail)):
                self.assert_near(inclusive(path, rank), expected, LATE_WAKE_NS,
                                 "%s, rank %d: %s" % (kind, rank, path))
            shown = self.show("run%d.andes" % self.number)["ranks"][rank]
            self.assertEqual(shown["rank"], rank)
            self.assert_near(shown["compute_s"] + shown["communication_s"] + shown["idle_s"] +
                             shown["tool_s"], shown["wall_s"], 0.01 * shown["wall_s"],
                             "andes show: sum of rank %d" % rank)
            self.assert_near(shown["compute_s"], (produce + consume + tail) / 1e9,
                             LATE_WAKE_NS / 1e9, "andes show: compute of rank %d" % rank)
            place = run.location(rank)
            # All of it is waiting: for the message, and for the last rank at the barrier.
            self.assert_near(shown["idle_s"], (receive + barrier) / 1e9, LATE_WAKE_NS / 1e9,
                             "andes show: idle of rank %d" % rank)
            self.assert_near(place["idle_ns"], receive + barrier, LATE_WAKE_NS,
                             "%s, rank %d: idle" % (kind, rank))
            self.assert_near(place["compute_ns"], produce + consume + tail, LATE_WAKE_NS,
                             "%s, rank %d: compute" % (kind, rank))
            self.assert_near(place["synchronisation_ns"], barrier, LATE_WAKE_NS,
                             "%s, rank %d: synchronisation" % (kind, rank))
            self.assert_near(place["wait_at_end_ns"] or 0, 0 if rank == 0 else 2 * unit,
                             LATE_WAKE_NS, "%s, rank %d: wait at end" % (kind, rank))

    def test_open_at_the_end(self):
        """paths.c finalises three calls below main: these visits are open, and have their time."""
        for kind in KINDS:
            with self.subTest(kind=kind):
                self.timed(self.check_open_at_the_end, kind)

    def check_open_at_the_end(self, kind):
        _, run = self.measure(kind, 2, "paths", asleep=True)
        for rank in range(2):
            for path in ("main/outer/middle/innermost", "main/outer"):
                self.assert_near(run.value("inclusive_ns", path, rank), 50e6, LATE_WAKE_NS,
                                 path)
            self.assert_near(run.value("inclusive_ns", "main/jumper/landed", rank), 80e6,
                             LATE_WAKE_NS, "landed after longjmp")



if __name__ == "__main__":
    unittest.main()
