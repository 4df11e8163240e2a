#!/usr/bin/env python3
"""The comparisons of shares.py on documents small enough to do them by hand."""

import unittest

import shares


def callpath(path, own, inclusive=None, kind="function", **more):
    names = path.split("/")
    return {"path": names, "kind": kind, "file": "a.c", "line": len(names[-1]), "exclusive_s": own,
            "inclusive_s": own if inclusive is None else inclusive, **more}


def run(*callpaths, wall_s=10.0):
    return {"ranks": [{"wall_s": wall_s / 2, "tool_s": 0.0}] * 2, "callpaths": list(callpaths)}


class Shares(unittest.TestCase):
    def test_of_computing_time_alone(self):
        found = shares.shares(run(callpath("f", 3.0), callpath("f/g", 1.0), callpath("MPI_Recv", 5.0, kind="receive"),
                                  callpath("(andes)", 1.0, kind="tool")))
        self.assertEqual({"f": 75.0, "g": 25.0}, {f[0]: s.percent for f, s in found.items()})

    def test_paths_of_one_function_are_added_with_their_intervals(self):
        found = shares.shares(run(callpath("f/g", 4.0, exclusive_s_low=3.7, exclusive_s_high=4.4),
                                  callpath("h/g", 4.0, exclusive_s_low=3.6, exclusive_s_high=4.3),
                                  callpath("f", 2.0)))
        g = next(share for function, share in found.items() if function[0] == "g")
        self.assertAlmostEqual(80.0, g.percent)
        self.assertAlmostEqual(75.0, g.low)   # roots of 0.3^2 + 0.4^2 below, 0.4^2 + 0.3^2 above: 0.5 s of 10
        self.assertAlmostEqual(85.0, g.high)

    def test_of_one_rank_the_plain_run_says_how_long_it_computes(self):
        # 10 s with probes, of which 7 were taken for the tool's; 6 s without, 2 of them in MPI.
        exact = run(callpath("f", 1.0), callpath("MPI_Recv", 2.0, kind="receive"), callpath("(andes)", 7.0, kind="tool"))
        found = shares.mean_shares([exact], 6.0)
        self.assertEqual([25.0], [share.percent for share in found.values()])
        self.assertEqual([100.0], [share.percent for share in shares.mean_shares([exact]).values()])
        # A program that polls: what the plain run has left beside MPI tells nothing.
        self.assertEqual([100.0], [share.percent for share in shares.mean_shares([exact], 2.1).values()])

    def test_a_muted_function_is_in_its_caller(self):
        reference = shares.shares(run(callpath("f", 4.0), callpath("f/g", 6.0)))
        blind = shares.Blindness(reference, shares.shares(run(callpath("f", 9.0), callpath("f/g", 1.0))))
        self.assertAlmostEqual(50.0, blind.points)
        self.assertAlmostEqual(50.0, blind.worst_points)
        self.assertEqual((0, 2), (blind.missing, blind.outside))

    def test_an_interval_that_covers_is_not_outside(self):
        reference = shares.shares(run(callpath("f", 5.0), callpath("f/g", 5.0)))
        found = shares.shares(run(callpath("f", 4.0, exclusive_s_low=3.0, exclusive_s_high=5.5),
                                  callpath("f/g", 6.0, exclusive_s_low=5.9, exclusive_s_high=6.1)))
        self.assertEqual(1, shares.Blindness(reference, found).outside)

    def test_missing_of_the_ten_heaviest(self):
        several = [callpath("f" * n, 1.0) for n in range(1, 12)]
        reference = shares.shares(run(*several[:10]))
        self.assertEqual(1, shares.Blindness(reference, shares.shares(run(*several[1:]))).missing)
        light = [callpath("g", 1000.0), callpath("h", 1.0)]  # h has less than 1 %
        self.assertEqual(0, shares.Blindness(shares.shares(run(*light)), shares.shares(run(light[0]))).missing)


class Marks(unittest.TestCase):
    def test_marks(self):
        self.assertEqual(["", "~", "?", "muted"], [shares.mark(c) for c in (
            callpath("f", 1.0), callpath("f", 1.0, estimated=True, reliable=True),
            callpath("f", 1.0, estimated=True, reliable=False), callpath("f", 1.0, estimated=True, muted=True))])

    def test_paths_whose_mark_differs_or_that_are_missing(self):
        one = run(callpath("f", 1.0), callpath("f/g", 1.0), callpath("h", 1.0))
        other = run(callpath("f", 1.0), callpath("f/g", 1.0, estimated=True, reliable=True))
        self.assertEqual((0, 3), shares.unstable([one, one]))
        self.assertEqual((2, 3), shares.unstable([one, other, one]))

    def test_unreliable_of_the_heavy(self):
        shown = run(callpath("f", 1.0, inclusive=9.0, estimated=True, reliable=False), callpath("f/g", 0.1, muted=True),
                    callpath("f/h", 0.09, estimated=True, reliable=False))
        self.assertEqual((2, 2), shares.unreliable(shown))


if __name__ == "__main__":
    unittest.main()
