"""A gate over programs with planted slow-downs, by hand in tests/programs/known/slower.c: the verdict, and the call path
and term that it is due to."""

import json
import unittest

from support.build import ANDES
from support.commands import before_others, command
from support.end_to_end import EndToEnd
from support.programs import KINDS, polling, program

EXTRA_MS, T_MS = 40, 120


class Gate(EndToEnd):

    def test_planted(self):
        """The MPI libraries in turn: a longer function of all ranks, and one of a rank that the other one waits for."""
        for kind, place, term in zip((KINDS * 2)[:2], ("solve", "prepare"), ("computation", None)):
            with self.subTest(kind=kind, place=place):
                self.timed(self.check_gate, kind, place, term)

    def check_gate(self, kind, place, term):
        self.number += 1
        more = ["0.5", "imbalance"] if place == "prepare" else ["0.5"]
        done = command([ANDES, "gate", "--base", "0", "--new", str(EXTRA_MS), "--ranks", "2", "--tolerance", "10%",
                        "--budget", "20s", "-o", "gate%d" % self.number, "--oversubscribed-ok", "--json", "--",
                        "mpirun." + kind, "-n", "{p}", program(kind, "slower"), "{exe}", *more], check=None,
                       cwd=self.folder, at_start=before_others, LD_PRELOAD=polling(kind))
        point, = json.loads(done.stdout)["points"]
        self.assertEqual((done.returncode, point["verdict"]), (1, "regression"), done.stdout)
        self.assertAlmostEqual(point["change_percent"]["median"], 100 * EXTRA_MS / T_MS, delta=8)
        first = point["callpaths"][0]
        self.assertIn(place, first["path"])
        self.assertEqual(first["verdict"], "longer")
        # Of both ranks, or of one and its waits of the other: as much of the core time as of T.
        self.assertAlmostEqual(first["change_percent"]["median"], 100 * EXTRA_MS / T_MS, delta=8)
        if term:
            self.assertEqual(first["term"], term)


if __name__ == "__main__":
    unittest.main()
