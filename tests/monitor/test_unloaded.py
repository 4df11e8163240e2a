"""Call paths below closed functions where a module lies at the addresses of one that was unloaded.
Usage: test_unloaded.py UNLOADED FIRST SECOND LIBANDES [unittest arguments]."""
import os
import subprocess
import sys
import unittest

from support.folder import InFolder
from support.run_file import RunFile, below_program

UNLOADED, FIRST, SECOND, LIBANDES = (os.path.abspath(path) for path in sys.argv[1:5])
ATTEMPTS = 4
OF_EACH = ("outer", "outer/middle", "outer/middle/inner")


class Unloaded(InFolder):
    def measure(self, number):
        """{call path: visits}, windows; None: the loader has put the modules elsewhere."""
        out = self.path(f"{number}.andes")
        environment = dict(os.environ, LD_PRELOAD=LIBANDES, ANDES_OUT=out, ANDES_BUDGET_PERCENT="1")
        done = subprocess.run(["/bin/sh", "-c", 'ANDES_PID=$$ exec "$@"', "sh", UNLOADED, FIRST, SECOND], text=True,
                              env=environment, capture_output=True, timeout=600)
        self.assertEqual(done.stderr, "")
        self.assertIn(done.returncode, (0, 3))
        run = RunFile(out)
        return (below_program(run.sums_by_path("visits")), run.facts.get("windows", 0)) if done.returncode == 0 else None

    def test_no_function_is_called_by_one_of_the_other_module(self):
        """By what was known of the first one's calls its functions seem to call those of the second."""
        judged = 0
        for number in range(ATTEMPTS):
            measured = self.measure(number)
            if not measured or not measured[1]:
                continue
            judged += 1
            for path in measured[0]:
                self.assertFalse("first_" in path and "second_" in path, path)
            for module in ("first_", "second_"):
                for path in OF_EACH:
                    own = "main/" + "/".join(module + name for name in path.split("/"))
                    self.assertGreater(measured[0].get(own, 0), 0, f"{own} in {measured[0]}")
        if judged == 0:
            self.skipTest("the modules lie apart here, or nothing is closed")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[5:])
