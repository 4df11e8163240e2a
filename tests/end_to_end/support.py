"""What the end-to-end tests share: the programs, runs through `andes`, and run files as Python sees
them. Run files are read here with sqlite3 alone, so that a mistake in the reader of `andes` cannot
hide one of its writer.

The build directory comes in the variable END_TO_END_BUILD (names with ANDES_ are settings).
"""

import glob
import json
import os
import shutil
import sqlite3
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import zlib

BUILD = os.environ["END_TO_END_BUILD"]
SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
ANDES = os.path.join(BUILD, "bin", "andes")
PROGRAMS = os.path.join(BUILD, "tests", "programs")
KINDS = [k for k in ("openmpi", "mpich")
         if shutil.which("mpirun." + k) and os.path.isdir(os.path.join(PROGRAMS, k, "plain"))]
TIMEOUT_S = 120
SANITIZED = bool({"ASAN_OPTIONS", "TSAN_OPTIONS"} & set(os.environ))  # by tests/sanitizers/suite.py


class CommandFailed(Exception):
    """A command ended with another status than the one expected; all it said."""


def program(kind, name, build="probed"):
    return os.path.join(PROGRAMS, kind, build, name)


def polling(kind):
    """The layer that lets ranks wait asleep; see tests/programs/polling."""
    return os.path.join(PROGRAMS, kind, "libpolling.so")


def environment(**more):
    env = {k: v for k, v in os.environ.items()
           if k == "ANDES_ARENA" or not k.startswith("ANDES_") and k != "LD_PRELOAD"}
    env.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
               OMPI_MCA_rmaps_base_oversubscribe="1", OMPI_MCA_hwloc_base_binding_policy="none",
               PATH=os.path.join(BUILD, "bin") + ":" + env["PATH"])
    env.update(more)
    return env


def launcher(kind, ranks):
    return ["mpirun." + kind, "-n", str(ranks)]


def before_others():
    """Has the core of this process before all that are not of the real-time class, where it may: threads that sleep to
    deadlines then start and wake up in time on a busy machine."""
    try:
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1))
    except PermissionError:
        pass


def command(args, check=0, cwd=None, at_start=None, **env):
    """Runs a command; fails the test with all it said unless it ends with status `check`.
    `at_start` is called in its process."""
    done = subprocess.run(args, cwd=cwd, env=environment(**env), timeout=TIMEOUT_S, preexec_fn=at_start,
                          stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if check is not None and done.returncode != check:
        raise CommandFailed("%s: exit status %d, not %d\n%s%s" % (
            " ".join(args), done.returncode, check, done.stdout, done.stderr))
    return done


class Run:
    """A run file. Call paths are strings like main/solve/MPI_Recv; the root's is empty."""

    def __init__(self, path):
        db = sqlite3.connect("file:%s?mode=ro&immutable=1" % path, uri=True)
        db.row_factory = sqlite3.Row
        self.facts = dict(db.execute("SELECT name, value FROM fact"))
        self.hosts = dict(db.execute("SELECT id, name FROM host"))
        self.environment = dict(db.execute("SELECT name, value FROM environment"))
        self.locations = {r["id"]: dict(r) for r in db.execute("SELECT * FROM location")}
        self.regions = {r["id"]: dict(r) for r in db.execute("SELECT * FROM region")}
        self.metrics = dict(db.execute("SELECT name, id FROM metric"))
        self.callpaths = {r["id"]: dict(r) for r in db.execute("SELECT * FROM callpath")}
        self.messages = {(r["source"], r["destination"]): (r["messages"], r["bytes"])
                         for r in db.execute("SELECT * FROM message")}
        self.snapshots = [dict(r) for r in db.execute("SELECT * FROM snapshot ORDER BY rank, number")]
        self.values = {}
        for r in db.execute("SELECT * FROM value"):
            self.values.setdefault((r["callpath"], r["metric"]), {})[r["location"]] = r["value"]
        for r in db.execute("SELECT * FROM value_column"):
            raw = zlib.decompress(r["numbers"])
            size = {"f": 4, "d": 8}[r["type"]]
            column = struct.unpack("<%d%s" % (len(raw) // size, r["type"]), raw)
            kept = [i for i in sorted(self.locations) if self.locations[i]["has_values"]]
            self.values[(r["callpath"], r["metric"])] = dict(zip(kept, column))
        self.statistics = {(r["callpath"], r["metric"]): dict(r)
                           for r in db.execute("SELECT * FROM statistic")}
        db.close()

    def name(self, callpath):
        return self.regions[self.callpaths[callpath]["region"]]["name"]

    def kind(self, callpath):
        return self.regions[self.callpaths[callpath]["region"]]["kind"]

    def path(self, callpath):
        names = []
        while self.callpaths[callpath]["parent"] is not None:
            names.append(self.name(callpath))
            callpath = self.callpaths[callpath]["parent"]
        return "/".join(reversed(names))

    def value(self, metric, path, rank, thread=0):
        """Value of one call path at one location; two call paths of one name are added."""
        here = self.location(rank, thread)["id"]
        return sum(self.values.get((c, self.metrics[metric]), {}).get(here, 0)
                   for c in self.callpaths if self.path(c) == path)

    def region_value(self, metric, region, rank, thread=0):
        """The same for all call paths that end in a region (of an own, not inclusive, metric)."""
        here = self.location(rank, thread)["id"]
        return sum(self.values.get((c, self.metrics[metric]), {}).get(here, 0)
                   for c in self.callpaths if self.name(c) == region)

    def location(self, rank, thread=0):
        for location in self.locations.values():
            if location["rank"] == rank and location["thread"] == thread:
                return location
        raise AssertionError("no location of rank %d, thread %d" % (rank, thread))


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


class EndToEnd(unittest.TestCase):
    """A test with a folder of its own, and runs in it."""

    maxDiff = None

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="andes-end-to-end-")
        self.addCleanup(shutil.rmtree, self.folder)
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
        return done.stdout, Run(out)

    def sweep(self, kind, ranks, name, *args, repeat=1, build="probed"):
        """A sweep with sleeping waits; its folder."""
        command([ANDES, "run", "--ranks", ranks, "--repeat", str(repeat), "--", "mpirun." + kind,
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
