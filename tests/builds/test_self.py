"""The library of rules and its tests, built with probes: they pass, without the monitor and with it."""
import sys
import unittest

from support.build import ANDES
from support.preprocessor import InDirectory

PROGRAM = sys.argv.pop()


class Self(InDirectory):
    def test_tests_pass_with_probes(self):
        self.assertGreater(self.probes(PROGRAM), 200)
        plain = self.run_here(PROGRAM)
        self.assertEqual(plain.returncode, 0, plain.stdout)
        ours = self.run_here(ANDES, "exec", PROGRAM, env={"ANDES_OUT": "run.andes"})
        self.assertEqual((ours.returncode, ours.stdout, ours.stderr), (0, plain.stdout, plain.stderr))
        self.assertIn("andes::monitor::rules::", self.run_here(ANDES, "show", "run.andes").stdout)


if __name__ == "__main__":
    unittest.main()
