"""Every family of MPI calls with and without the monitor: each program here says what it observes, and says the
same, on standard error and by its exit status too, whether it runs plain or below `andes exec`, as it comes,
with call sites, without a log. And each MPI function has as many visits in the run file as the program made calls. At last:
is there a function of mpi.h that none of them called?

The programs assert nothing: MPI libraries differ in odd cases, and what the library does plain is what is right. What
differs between two plain runs (handles, times) must not be written down.

  test_conformance.py DIRECTORY ANDES          all programs, built in DIRECTORY/<mpi>/
  test_conformance.py DIRECTORY ANDES NAME...  just these, saying how long each took
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
from coverage import coverage
from support.environment import without_settings
from support.mpi import MPIS, launcher

DIRECTORY, ANDES = sys.argv[1:3]
with open(os.path.join(HERE, "programs.txt"), encoding="utf-8") as file:
    PROGRAMS = [line.split() for line in file if line.strip() and not line.startswith("#")]

EVERY_EVENT = "+".join(f"function_call_{kind}" for kind in (
    "non_blocking_send_operation", "non_blocking_receive_operation", "collective_operation"))
OTHERS = {  # each program meets one of them with one library, the other with the other
    "with call sites and every event": {"ANDES_CALL_SITES": "yes", "ANDES_EVENTS": EVERY_EVENT.replace("+", " ")},
    "without a log": {"ANDES_LOG_MB": "0", "ANDES_CLOCK": "monotonic", "ANDES_BUDGET_PERCENT": "0"},
}


CALLED = {mpi: set() for mpi in MPIS}  # by the programs that ran


class Observed:
    """What one run of a program shows: notes of each rank, status, standard error without lines of andes, calls."""

    def __init__(self, directory, mpi, program, ranks, arguments, settings):
        notes = os.path.join(directory, "notes")
        command = [*launcher(mpi), "-n", ranks]
        environment = without_settings()
        if settings is not None:
            command += [ANDES, "exec"]
            environment |= {"ANDES_OUT": os.path.join(directory, "run.andes"), "ANDES_ARENA": directory} | settings
        started = time.monotonic()
        done = subprocess.run([*command, program, notes, *arguments], capture_output=True, text=True, timeout=600,
                              cwd=directory, env=environment)
        self.seconds = time.monotonic() - started
        self.status, self.said = done.returncode, sorted(re.sub(r"\d{3,}", "N", line) for line in done.stdout.splitlines())
        lines = done.stderr.replace(directory, "").splitlines()
        # Numbers of processes and addresses differ from run to run, in what launchers say of failures.
        self.errors = sorted(re.sub(r"0x[0-9a-f]+|\d{3,}", "N", line) for line in lines if not line.startswith("andes: "))
        self.andes = [line for line in lines if line.startswith("andes: ")]
        self.notes, self.calls = {}, {}
        for name in sorted(os.listdir(directory)):
            if not name.startswith("notes."):
                continue
            with open(os.path.join(directory, name), encoding="utf-8", errors="replace") as text:
                if not name.endswith(".counts"):
                    self.notes[name] = text.read()
                elif ".child" not in name:
                    for line in text:
                        function, calls = line.split()
                        self.calls[function] = self.calls.get(function, 0) + int(calls)


def visits(run):
    """MPI function -> visits, over all its call paths."""
    shown = subprocess.run([ANDES, "show", run, "--json", "--cut", "0"], capture_output=True, text=True, check=True)
    found = {}
    for path in json.loads(shown.stdout)["callpaths"]:
        name = path["path"][-1].split(" ")[0]
        if name.startswith("MPI"):
            found[name] = found.get(name, 0) + path["visits"]
    return found


class Conformance(unittest.TestCase):
    maxDiff = None

    def observe(self, mpi, name, ranks, arguments, settings):
        directory = tempfile.mkdtemp(prefix="andes-conformance-")
        try:
            seen = Observed(directory, mpi, os.path.join(DIRECTORY, mpi, name), ranks, arguments, settings)
            run = os.path.join(directory, "run.andes")
            return seen, visits(run) if settings is not None and os.path.exists(run) else None
        finally:
            shutil.rmtree(directory)

    def check(self, mpi, name, ranks, arguments, other):
        plain, _ = self.observe(mpi, name, ranks, arguments, None)
        self.assertEqual(plain.status != 0, bool(set(arguments) & {"abort", "fatal"}), plain.errors)
        self.assertTrue(plain.notes, plain.errors)
        self.assertTrue(all(plain.notes.values()), plain.notes.keys())
        CALLED[mpi].update(plain.calls)
        seconds = [plain.seconds]
        for what in ["as it comes"] + [other] * (not name.endswith("_large")):
            settings = OTHERS.get(what, {})
            with self.subTest(mpi=mpi, program=name, arguments=arguments, settings=what):
                seen, counted = self.observe(mpi, name, ranks, arguments, settings)
                seconds.append(seen.seconds)
                self.assertEqual(seen.notes.keys(), plain.notes.keys())
                for rank, notes in plain.notes.items():
                    self.assertMultiLineEqual(seen.notes[rank], notes)
                self.assertEqual(seen.status, plain.status, seen.errors)
                self.assertEqual(seen.said, plain.said)
                self.assertEqual(seen.calls, plain.calls)
                if plain.status == 0:  # else what a launcher says of it is not the same twice
                    self.assertEqual(seen.errors, plain.errors)
                    self.assertEqual(seen.andes, [])
                    self.assertEqual(counted, seen.calls)
        if len(sys.argv) > 3:
            print(f"{mpi:8} {name:28}", *(f"{t:6.2f}" for t in seconds))


class Coverage(unittest.TestCase):
    def test_every_function_is_called_or_says_why_not(self):
        for mpi, mpicc in MPIS.items():
            with self.subTest(mpi=mpi):
                text, missing = coverage(mpicc, CALLED[mpi])
                print(f"{mpi}: {text}")
                self.assertEqual(missing, set())


def tests():
    for i, mpi in enumerate(MPIS):
        for j, (name, ranks, *arguments) in enumerate(PROGRAMS):
            if not os.path.exists(os.path.join(DIRECTORY, mpi, name)) or (sys.argv[3:] and name not in sys.argv[3:]):
                continue  # CMakeLists.txt says which programs an MPI library is too old for

            def test(self, given=(mpi, name, ranks, arguments, list(OTHERS)[(i + j) % len(OTHERS)])):
                self.check(*given)
            setattr(Conformance, "_".join(["test", mpi, name, *arguments]), test)
    cases = [Conformance] if sys.argv[3:] else [Conformance, Coverage]
    return unittest.TestSuite(map(unittest.defaultTestLoader.loadTestsFromTestCase, cases))


if __name__ == "__main__":
    sys.exit(not unittest.TextTestRunner().run(tests()).wasSuccessful())
