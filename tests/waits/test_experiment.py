"""Jacobi's method in strips, as docs/tutorial.md tells it: computing before sending makes late senders,
which andes names with what their cure gains; sending first cures them, and gains as much.

By hand (tests/programs/waits/jacobi_strips.c), for 128 rows on 4 ranks, 40 iterations and a latency of
2 ms: sending last, every iteration takes 40 + 2 ms, and in every second one a rank waits 32 + 2 ms
for each of its neighbours at the same time, in the first one 32. Sending first, an iteration takes
(8 + 40)/2 ms, and nobody waits.
"""

import json
import os
import unittest

from support.build import ANDES, SOURCE
from support.commands import command
from support.end_to_end import EndToEnd
from support.programs import KINDS, launcher, polling

RANKS, ITERATIONS, LATENCY_MS = 4, 40, 2
FAST_MS, SLOW_MS = 8, 40
LAST = "  compute_inside(iteration);\n  compute_edges();\n  send_edges();\n  receive_edges();\n"
FIRST = "  send_edges();\n  compute_inside(iteration);\n  receive_edges();\n  compute_edges();\n"


class Experiment(EndToEnd):

    def build(self, kind, order):
        with open(os.path.join(SOURCE, "tests", "programs", "waits", "jacobi_strips.c"),
                  encoding="utf-8") as file:
            text = file.read()
        self.assertEqual(text.count(LAST), 1)
        with open(os.path.join(self.folder, "jacobi_strips.c"), "w", encoding="utf-8") as file:
            file.write(text.replace(LAST, order))
        command([ANDES, "cc", "mpicc." + kind, "-O2", "jacobi_strips.c", "-o", "jacobi_strips"],
                cwd=self.folder)

    def run_version(self, kind, name, order):
        """What the program printed, the run, and its findings."""
        self.build(kind, order)
        file = os.path.join(self.folder, "%s.%s.andes" % (name, kind))
        if os.path.exists(file):
            os.remove(file)  # of the attempt before
        done = command([ANDES, "run", "-o", file, "--", *launcher(kind, RANKS), "./jacobi_strips",
                        "128", str(ITERATIONS)], cwd=self.folder, LD_PRELOAD=polling(kind),
                       POLLING_LATENCY_US=str(1000 * LATENCY_MS))
        found = json.loads(command([ANDES, "diagnose", file, "--json"]).stdout)["findings"]
        total_s = max(r["wall_s"] for r in self.show(file)["ranks"])
        return done.stdout, file, total_s, found

    def test_strips(self):
        for kind in KINDS:
            with self.subTest(kind=kind):
                self.timed(self.check, kind)

    def check(self, kind):
        last_out, last_file, last_s, last = self.run_version(kind, "last", LAST)
        first_out, first_file, first_s, first = self.run_version(kind, "first", FIRST)
        self.assertIn("sum of all values", last_out)
        self.assertEqual(last_out, first_out)  # the same result
        period_ms = SLOW_MS + LATENCY_MS
        self.assert_near(last_s, ITERATIONS * period_ms / 1e3, 0.05 * last_s, "time, sending last")
        self.assert_near(first_s, ITERATIONS * (SLOW_MS + FAST_MS) / 2 / 1e3, 0.1 * first_s,
                         "time, sending first")

        # Sending last: late senders, before all else.
        finding = last[0]
        self.assertEqual(finding["cause"], "late_sender")
        self.assertEqual("/".join(finding["path"]), "main/iterate/receive_edges/MPI_Recv")
        self.assertEqual("/".join(finding["peer_path"]), "main/iterate/send_edges/MPI_Send")
        wait_s = (ITERATIONS / 2 * (period_ms - FAST_MS) - LATENCY_MS) / 1e3
        self.assert_near(finding["severity_s"], RANKS * wait_s, 0.05 * RANKS * wait_s, "severity")
        for rank in finding["ranks"]:
            self.assert_near(rank["wait_s"], wait_s, 0.1 * wait_s, "rank %d" % rank["rank"])
        self.assertEqual(sorted(r["rank"] for r in finding["ranks"]), list(range(RANKS)))
        self.assert_near(finding["percent"], 100 * finding["severity_s"] / (RANKS * last_s), 1.0,
                         "per cent of p x T")
        self.assertIn("MPI_Irecv", finding["advice"])
        self.assertEqual([f["cause"] for f in last[1:] if f["percent"] > 2], [])

        # Sending first: gone, and with it as much time as was said.
        self.assertEqual([f for f in first if f["percent"] > 2], [])
        gain_s = last_s - first_s
        self.assertGreater(gain_s, 0.3 * last_s)
        low, high = finding["gain_s"]["low"], finding["gain_s"]["high"]
        self.assertGreaterEqual(gain_s, low - 0.1 * last_s, "gain, predicted %g to %g" % (low, high))
        self.assertLessEqual(gain_s, high + 0.1 * last_s, "gain, predicted %g to %g" % (low, high))
        self.assertLess(high, last_s)

        # The report of both shows it.
        report = self.report(last_file, first_file, "--oversubscribed-ok")
        point = [p for p in report["comparison"]["points"] if p["ranks"] == RANKS][0]
        self.assert_near(point["time_before_s"]["median"] - point["time_after_s"]["median"], gain_s,
                         0.05 * last_s, "gain in the report")


if __name__ == "__main__":
    unittest.main()
