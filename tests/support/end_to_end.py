"""The test of the whole way, from a program under `andes run` to its run file and reports."""
import glob
import json
import os
import sys
import threading
import time

from support.build import ANDES
from support.commands import command
from support.folder import InFolder
from support.programs import launcher, polling, program
from support.run_file import RunFile

ATTEMPTS = 5  # of a check of times, at most


class Witness(threading.Thread):
    """Sleeps short sleeps beside a measurement, and keeps how late its latest wake-up was."""

    def __init__(self):
        super().__init__(daemon=True)
        self.late_s = 0.0
        self.over = threading.Event()

    def run(self):
        while not self.over.is_set():
            begin = time.monotonic()
            time.sleep(0.002)
            self.late_s = max(self.late_s, time.monotonic() - begin - 0.002)


class EndToEnd(InFolder):
    """A test that runs programs in a folder of its own."""

    def setUp(self):
        super().setUp()
        self.number = 0

    def measure(self, kind, ranks, name, *args, asleep=False, build="probed", **settings):
        """Runs a program under `andes run`: what it printed, and the run."""
        self.number += 1
        out = os.path.join(self.folder, "run%d.andes" % self.number)
        env = {"ANDES_" + key.upper(): value for key, value in settings.items()}
        if asleep:
            env["LD_PRELOAD"] = polling(kind)
        done = command([ANDES, "run", "-o", out, "--", *launcher(kind, ranks),
                        program(kind, name, build), *args], cwd=self.folder, **env)
        return done.stdout, RunFile(out)

    def sweep(self, kind, ranks, name, *args, repeat=1, build="probed", options=()):
        """A sweep with sleeping waits; its folder. `options`: more of andes run."""
        command([ANDES, "run", *options, "--ranks", ranks, "--repeat", str(repeat), "--", "mpirun." + kind,
                 "-n", "{p}", program(kind, name, build), *args],
                cwd=self.folder, LD_PRELOAD=polling(kind))
        runs = os.path.join(self.folder, "runs")
        return os.path.join(runs, sorted(os.listdir(runs))[-1])

    def report(self, *args):
        return json.loads(command([ANDES, "report", "--json", *args], cwd=self.folder).stdout)

    def show(self, *args):
        return json.loads(command([ANDES, "show", "--json", *args], cwd=self.folder).stdout)

    def run_files(self):
        return set(glob.glob(os.path.join(self.folder, "**", "*.andes"), recursive=True))

    def timed(self, check, *args):
        """Calls check(*args), which measures and compares with known times. On a machine that
        others keep busy threads start and wake up late and times differ for no fault of andes, so a
        check that fails is made again; one that fails every time fails the test, unless in all
        attempts but one a witness beside it woke up late: that leaves it unjudged, and it is
        skipped, which says so; as are all under thread sanitizer (tests/sanitizers/suite.py), which makes
        each start of a thread take 10 ms. A command that fails is an error in any case."""
        quiet_failures = 0
        before = self.run_files()
        for attempt in range(ATTEMPTS):
            for left in self.run_files() - before:  # by the attempt before: none is overwritten
                os.remove(left)
            witness = Witness()
            witness.start()
            try:
                check(*args)
                return
            except AssertionError as failure:
                quiet_failures += witness.late_s < 0.005
                print("attempt %d of %d, a sleep of 2 ms ended %.1f ms late: %s" % (
                    attempt + 1, ATTEMPTS, 1e3 * witness.late_s, failure), file=sys.stderr)
                last = failure
            finally:
                witness.over.set()
                witness.join()
        if quiet_failures >= 2 and "TSAN_OPTIONS" not in os.environ:
            raise last
        self.skipTest("not judged, the machine was disturbed: %s" % last)

    def assert_near(self, value, expected, tolerance, what):
        self.assertTrue(abs(value - expected) <= tolerance,
                        "%s: %g is not %g +- %g" % (what, value, expected, tolerance))
