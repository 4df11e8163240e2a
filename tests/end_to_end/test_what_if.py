"""What changes of routines gain, predicted and then realised, and which routines are the serial fraction.

By hand, in tests/programs/known: changes.c, serial_fraction.c, gibbs_shares.c.
"""

import itertools
import json
import os
import unittest

from support.build import ANDES
from support.commands import command
from support.end_to_end import EndToEnd
from support.programs import KINDS

# Case of changes.c: changes, T before and after in seconds.
CASES = {
    "faster": (["solve x2"], 0.96, 0.64),
    "hidden": (["assist x2"], 0.80, 0.80),
    "setup": (["setup x2"], 1.20, 0.84),
    "balance": (["balance work"], 0.96, 0.60),
    "parallel": (["parallel setup"], 1.20, 0.66),
    "early": (["no-wait collect"], 1.44, 0.96),
    "pipeline": (["stage x2"], 0.64, 0.32),
    "both": (["solve x2", "balance work"], 0.96, 0.56),
}
NOISE = 0.06  # of T: sleeps end late, in each version by about the same


class WhatIf(EndToEnd):

    def test_realised_gains(self):
        """Within the stated bounds, which are narrow enough to say something. The MPI libraries in turn."""
        for kind, case in zip(itertools.cycle(KINDS), CASES):
            with self.subTest(kind=kind, case=case):
                self.timed(self.check_gain, kind, case)

    def time_of(self, kind, case, version):
        self.measure(kind, 4, "changes", case, version, asleep=True)
        return os.path.join(self.folder, "run%d.andes" % self.number)

    def check_gain(self, kind, case):
        changes, before_s, after_s = CASES[case]
        before, after = self.time_of(kind, case, "before"), self.time_of(kind, case, "after")
        asked = [word for change in changes for word in ("--if", change)]
        said = self.report("--oversubscribed-ok", *asked, before)["what_if"]
        real = self.report("--oversubscribed-ok", after)["what_if"]
        self.assert_near(said["time_s"], before_s, 0.15 * before_s, "T before")
        self.assert_near(real["time_s"], after_s, 0.15 * before_s, "T after")
        self.assertEqual(said["asked"]["changes"], changes)
        low, high = said["asked"]["gain_s"]["low"], said["asked"]["gain_s"]["high"]
        gain = said["time_s"] - real["time_s"]
        what = "gain %g, predicted %g to %g" % (gain, low, high)
        self.assertGreaterEqual(gain, low - NOISE * before_s, what)
        self.assertLessEqual(gain, high + NOISE * before_s, what)
        self.assertLessEqual(high - low, 0.4 * before_s, what)
        if case == "early":  # andes diff says so, too: three of four ranks waited there, the fourth one for these
            diff = json.loads(command([ANDES, "diff", "--json", "--force", "--oversubscribed-ok", *asked, before, after],
                                      cwd=self.folder).stdout)
            realised = diff["predictions"]["changes"][0]
            self.assertEqual((realised["changes"], realised["asked"]), (changes, True))
            self.assert_near(realised["realised_gain_s"]["median"], gain, 2 * NOISE * before_s, "realised gain")
        if case in ("faster", "setup", "balance", "parallel", "both"):  # here the profile leaves nothing open
            self.assert_near(low, before_s - after_s, 2 * NOISE * before_s, "low bound")
            self.assert_near(high, before_s - after_s, 2 * NOISE * before_s, "high bound")
        if case == "hidden":
            self.assert_near(high, 0, NOISE * before_s, "high bound")
        else:
            self.assertGreater(low, 0.05 * before_s, what)

    def test_serial_routine(self):
        """serial_fraction.c: 0.10 +- 0.01 is serial_part's, and no other routine is named."""
        self.timed(self.check_serial_routine, KINDS[0])

    def check_serial_routine(self, kind):
        folder = self.sweep(kind, "1,2,4", "serial_fraction")
        serial = self.report("--oversubscribed-ok", folder)["serial_routines"]
        named = [r for r in serial["routines"] if r["is_limit"]]
        self.assertEqual(len(named), 1, named)
        self.assertIn("serial_part", named[0]["path"])
        self.assert_near(named[0]["fraction"], 0.10, 0.01, "serial fraction")
        self.assert_near(named[0]["more_work"], 0, 0.005, "more work")
        self.assert_near(sum(r["fraction"] for r in serial["routines"]) + serial["rest"], serial["serial_fraction"],
                         0.01, "sum of the fractions")
        text = command([ANDES, "report", "--oversubscribed-ok", folder], cwd=self.folder).stdout
        self.assertIn("of the serial fraction: other ranks wait for it.", " ".join(text.split()))

    def test_gibbs(self):
        """gibbs_shares.c: what the paper's authors found, said in words: more computation in sum, nothing serial."""
        self.timed(self.check_gibbs, KINDS[-1])

    def check_gibbs(self, kind):
        folder = self.sweep(kind, "1,2,4", "gibbs_shares")
        report = self.report("--oversubscribed-ok", folder)
        point = [p for p in report["points"] if p["ranks"] == 4][0]
        self.assert_near(point["speedup"]["median"], 3.72, 0.15, "speedup")
        self.assert_near(point["serial_fraction"]["median"], 0.025, 0.015, "serial fraction")
        self.assert_near(point["load_balance"], 0.96, 0.01, "load balance")
        self.assertIn("computation_grows", [w["id"] for w in report["warnings"]])
        chains = report["serial_routines"]["routines"][0]
        self.assertIn("run_chains", chains["path"])
        self.assertTrue(chains["is_limit"])
        self.assert_near(chains["work_factor"], 1.0325, 0.01, "computation in sum")
        self.assert_near(chains["more_work"], 0.0108, 0.003, "more computation")
        self.assert_near(chains["waiting"], 0.0143, 0.003, "waiting")
        text = " ".join(command([ANDES, "report", "--oversubscribed-ok", folder], cwd=self.folder).stdout.split())
        self.assertRegex(text, r"run_chains.* ranks compute \S+ % more in it in sum at 4 ranks than at 1, and other "
                               r"ranks wait for it\.")


if __name__ == "__main__":
    unittest.main()
