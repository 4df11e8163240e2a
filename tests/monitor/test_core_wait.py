"""How long a process was ready to run without a core, against what it reads of itself, beside another process on the
same core. Usage: test_core_wait.py CORE_WAIT LIBANDES [unittest arguments]."""
import os
import subprocess
import sys
import unittest

from support.folder import InFolder
from support.run_file import RunFile

CORE_WAIT, LIBANDES = (os.path.abspath(path) for path in sys.argv[1:3])
ATTEMPTS = 5  # the last wait, behind the program's own reading, may be long


class CoreWait(InFolder):
    def measure(self):
        """Waits in ns: as the program has read them, and as the run file says."""
        out = self.path("run.andes")
        environment = dict(os.environ, LD_PRELOAD=LIBANDES, ANDES_OUT=out)
        done = subprocess.run(["/bin/sh", "-c", 'ANDES_PID=$$ exec "$0"', CORE_WAIT], text=True, env=environment,
                              capture_output=True, timeout=600, check=True)
        self.assertEqual(done.stderr, "")
        return int(done.stdout), RunFile(out).value_of("SELECT core_wait_ns FROM location")

    def test_waits_beside_another_process_on_the_core(self):
        allowed = os.sched_getaffinity(0)
        os.sched_setaffinity(0, {min(allowed)})
        self.addCleanup(os.sched_setaffinity, 0, allowed)
        other = subprocess.Popen([sys.executable, "-c", "while True: pass"])
        self.addCleanup(other.wait)
        self.addCleanup(other.kill)
        differences = []
        for _ in range(ATTEMPTS):
            read, stated = self.measure()
            if not read:
                self.skipTest("the kernel does not tell how long a thread waits for a core")
            self.assertGreaterEqual(stated, read)
            differences.append(stated - read)
            if differences[-1] < 0.2 * read:
                return
        self.fail("ns more than the program has read: %s" % differences)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]] + sys.argv[3:])
