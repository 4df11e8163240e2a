"""Three of the programs of cures.py, before and after the change by hand: the gain that was realised lies in the band that
andes gave, and is the one known by hand. `./setup cures` tries all of them with both MPI libraries."""

import unittest

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


if __name__ == "__main__":
    unittest.main()
