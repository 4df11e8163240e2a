"""Three of the programs of cures.py, before and after the change by hand: the gain that was realised lies in the band that
andes gave, and is the one known by hand. `./setup cures` tries all of them with both MPI libraries."""

import subprocess
import sys
import unittest

import cures
from cures import CASES, compare, in_band
from support.end_to_end import EndToEnd
from support.programs import KINDS


class Cures(EndToEnd):

    def check(self, kind, name):
        result = compare(self.folder, kind, name)
        self.assertIsNotNone(result, "no finding with this cure")
        self.assert_near(result.realised_s, result.known_s, 0.1 * result.before_s, "realised gain")
        self.assertTrue(in_band(result, 0.05 * result.before_s), result)

    def test_changes_by_hand(self):
        for number, name in enumerate(("early_send", "chain_into_collective", "balance")):
            with self.subTest(case=name):
                self.assertIn(name, CASES)
                self.timed(self.check, KINDS[number % len(KINDS)], name)

    def test_bad_input(self):
        for words, said in ((["nothing"], "no case nothing; there are early_send, "), (["--mpi", "none"], "argument --mpi: ")):
            done = subprocess.run([sys.executable, "-B", cures.__file__, *words], capture_output=True, text=True, check=False)
            self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (2, "", 1), done.stderr)
            self.assertTrue(done.stderr.startswith("andes: setup cures: " + said), done.stderr)


if __name__ == "__main__":
    unittest.main()
