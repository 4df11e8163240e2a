"""Visits, bytes, messages and the communication matrix are exactly what the programs count."""

import unittest

from support.end_to_end import EndToEnd
from support.programs import KINDS

COLUMNS = ("visits", "bytes_sent", "bytes_received", "messages_sent", "messages_received")


class Counts(EndToEnd):

    def check(self, kind, ranks, name, *args):
        out, run = self.measure(kind, ranks, name, *args, asleep=True)
        matrix, lines, totals = {}, 0, {}
        for line in out.splitlines():
            word, *rest = line.split()
            if word == "message":
                source, to, messages, size = map(int, rest)
                matrix[(source, to)] = (messages, size)
            elif word == "count":
                lines += 1
                rank, region, numbers = int(rest[0]), rest[1], [int(n) for n in rest[2:]]
                measured = [run.region_value(c, region, rank) for c in COLUMNS]
                self.assertEqual(measured, numbers, "%s, %s, %d ranks, rank %d: %s (%s)" % (
                    name, kind, ranks, rank, region, ", ".join(COLUMNS)))
                total = totals.setdefault(rank, [0, 0, 0, 0])
                for i in range(4):
                    total[i] += numbers[i + 1]
        self.assertGreater(lines, 5 * ranks, out)
        self.assertEqual(run.messages, matrix, "communication matrix of " + name)
        for rank, total in totals.items():
            place = run.location(rank)
            self.assertEqual([place[c] for c in COLUMNS[1:]], total, "totals of rank %d" % rank)

    def test_counts(self):
        for kind in KINDS:
            for ranks in (1, 2, 5):
                with self.subTest(kind=kind, ranks=ranks):
                    self.check(kind, ranks, "counts")

    def test_programs(self):
        for kind in KINDS:
            for name, *args in [("jacobi", "60", "120"), ("jacobi", "60", "30", "early"),
                                ("lu", "40"), ("gibbs", "30", "50"), ("irregular", "60", "100")]:
                with self.subTest(kind=kind, program=name):
                    self.check(kind, 3, name, *args, "--counts")

    def test_statistics_are_over_all_ranks(self):
        """imbalance.c: rank r is (r + 1) steps of 50 ms in work(); the mean is over all ranks. In
        waits.c only rank 0 enters produce(): the others count as zero."""
        for kind in KINDS:
            with self.subTest(kind=kind):
                self.timed(self.check_statistics, kind)

    def check_statistics(self, kind):
        _, run = self.measure(kind, 4, "imbalance", "50", asleep=True)
        row = self.statistic(run, "main/work", "inclusive_ns")
        for key, expected in (("sum", 500e6), ("min", 50e6), ("max", 200e6),
                              ("mean", 125e6)):
            self.assert_near(row[key], expected, 10e6, "work: " + key)
        self.assertEqual((row["min_rank"], row["max_rank"]), (0, 3))
        _, run = self.measure(kind, 4, "waits", "20", asleep=True)
        row = self.statistic(run, "main/produce", "visits")
        self.assertEqual((row["sum"], row["min"], row["max"], row["mean"]), (3, 0, 3, 0.75))

    def statistic(self, run, path, metric):
        for callpath in run.callpaths:
            if run.path(callpath) == path:
                return run.statistics[(callpath, run.metrics[metric])]
        self.fail("no call path " + path)


if __name__ == "__main__":
    unittest.main()
