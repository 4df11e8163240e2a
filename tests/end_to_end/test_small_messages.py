"""The report names the call path that sends many small messages, and none that sends few or large ones."""

import os
import unittest

from support.commands import command
from support.build import ANDES
from support.end_to_end import EndToEnd
from support.programs import KINDS

STEPS, NUMBERS, RANKS = 10, 500, 2  # of small_messages.c


class SmallMessages(EndToEnd):
    def test_many_small_messages(self):
        for kind in KINDS:
            with self.subTest(kind=kind):
                self.measure(kind, RANKS, "small_messages")
                file = os.path.join(self.folder, "run%d.andes" % self.number)
                report = self.report("--oversubscribed-ok", file)
                self.assertEqual([one["path"][-2:] for one in report["small_messages"]], [["main", "exchange"]])
                one, = report["small_messages"]
                self.assertEqual((one["messages"], one["below"]), (RANKS * STEPS * NUMBERS, 64))
                self.assertEqual(one["per_destination"], NUMBERS)
                time_s = report["points"][0]["time_s"]["median"]
                self.assertTrue(0 < one["gain_s"]["high"] < time_s, one)
                self.assertEqual(one["gain_s"]["low"], 0)
                text = " ".join(command([ANDES, "report", "--oversubscribed-ok", file]).stdout.split())
                self.assertIn("messages of less than 64 B in main > exchange", text)


if __name__ == "__main__":
    unittest.main()
