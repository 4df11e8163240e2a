#!/usr/bin/env python3
"""MPI's own test suite (test/mpi of MPICH's source package of Debian), each test plain and under `andes run` with its
default settings, and its calls, messages and bytes against those of a PMPI counter (counter.py) in a plain run. By
`./setup mpi-suite`; not among the tests, for it needs the network once and takes hours.

A test passes by the suite's own criterion. What fails plain is left out and counted. What fails under andes alone is tried
twice more with and without it. Numbers that differ count if they are the same in three further runs of either kind.

Results, a line for each test, are in build/mpi-suite/MPI.jsonl. Differences that have a reason stand in known.txt. Exit
status 1: there are others.
"""
import argparse
import collections
import concurrent.futures
import glob
import json
import os
import re
import shutil
import sys
import tempfile
import threading

import attempt
import counter
import source
import testlist
from support.arguments import Arguments
from support.build import ANDES, BUILD
from support.environment import environment
from tree import Tree, sibling

PLACE = os.path.join(BUILD, "mpi-suite")
# Where Fortran procedures do not reach the C functions, which are all that the counter sees (docs/mpi.md, "Fortran").
NOT_COUNTED = {"openmpi": ("f77", "f90", "f08", "errors/f77", "errors/f90", "errors/f08"), "mpich": ("f08", "errors/f08")}
KNOWN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "known.txt")
# Open MPI's spawned processes do not find those that started them, where they are more than it knows cores.
SLOTS = {"openmpi": ["--host", "localhost:64"], "mpich": []}
MORE = 2  # attempts where only measured ones have failed
CONFIRMATIONS = 3  # of numbers that differ, by further runs of either kind


class Suite:
    """The runs of one MPI."""

    def __init__(self, mpi, options):
        self.mpi, self.options = mpi, options
        self.mpicc = shutil.which("mpicc." + mpi)
        if not self.mpicc:
            source.refuse("mpicc.%s: not found; install lib%s-dev" % (mpi, mpi))
        self.launcher = sibling(self.mpicc, "mpirun")
        sources = source.unpacked(PLACE)
        self.tree = Tree(sources, PLACE, mpi, self.mpicc, probes=False)
        self.probed = Tree(sources, PLACE, mpi, self.mpicc, probes=True) if options.probes else None
        self.counter = counter.build(self.mpicc, self.tree.tools)
        self.tests = [test for test in testlist.read(self.tree.place, sources, strict=mpi != "mpich")
                      if not options.only or any((test.directory + "/").startswith(only.rstrip("/") + "/")
                                                 for only in options.only)]
        if not self.tests:
            source.refuse("--only %s: no tests there; --only pt2pt is a directory with some" % " ".join(options.only))
        self.path = os.path.join(PLACE, mpi + ("-probes" if options.probes else "") + ".jsonl")
        self.lock = threading.Lock()

    def command(self, test):
        return [self.launcher, *SLOTS[self.mpi], "-n", str(test.ranks), "./" + test.program, *test.arguments]

    def limit(self, test):
        return min(test.seconds, self.options.seconds)

    def run_plain(self, test, **more):
        where = os.path.join(self.tree.place, test.directory)
        return attempt.run(test, self.command(test), where, environment(OMPI_MCA_mpi_yield_when_idle=1, **more), self.limit(test))

    def run_counted(self, test):
        with tempfile.TemporaryDirectory(dir=PLACE) as folder:
            done = self.run_plain(test, LD_PRELOAD=self.counter, COUNTER_DIR=folder)
            return done, counter.read(folder)

    def run_measured(self, test, plain_seconds):
        """The attempt, and what its run files have counted, nothing if there is none."""
        tree = self.probed or self.tree
        where = os.path.join(tree.place, test.directory)
        with tempfile.TemporaryDirectory(dir=PLACE) as folder:
            command = [ANDES, "run", "-o", os.path.join(folder, "run.andes"), "--", *self.command(test)]
            done = attempt.run(test, command, where, environment(OMPI_MCA_mpi_yield_when_idle=1),
                               3 * plain_seconds + self.limit(test))
            return done, counter.of_runs(glob.glob(os.path.join(folder, "*.andes")))

    def compare(self, test, measured, plain_seconds):
        """(verdict, [(function, number, counted, by andes)]) for numbers that are the same whenever they are counted."""
        if test.options.get("resultTest") or test.directory.startswith(NOT_COUNTED[self.mpi]):
            return "not counted", []
        found, estimated = measured
        one, first = self.run_counted(test)
        if not first or not found or not one.passed:
            return "not counted", []
        differs = differences(first, found, estimated)
        if not differs:
            return "agree", []
        for _ in range(CONFIRMATIONS):  # polls are often as many by chance
            other, second = self.run_counted(test)
            again, (found_again, _) = self.run_measured(test, plain_seconds)
            if not other.passed or not again.passed:
                return "not counted", []
            differs = [key for key in differs if first[key] == second[key] and found[key] == found_again[key]]
        if not differs:
            return "agree but where they vary", []
        return "differ", [(*key, first[key], found[key]) for key in differs]

    def left_out(self, test):
        """Why a test is not run, or nothing."""
        if test.ranks > self.options.ranks:
            return "too many ranks"
        trees = [self.tree, self.probed] if self.probed else [self.tree]
        return "" if all(tree.compile(test.directory, test.program) for tree in trees) else "does not compile"

    def run(self, test):
        """What becomes a line of the results."""
        result = {"name": test.name, "ranks": test.ranks, "outcome": self.left_out(test), "why": "", "plain": [],
                  "measured": [], "said": [], "counts": "", "differences": []}
        if result["outcome"]:
            return result
        numbers = None  # of the latest measured run that has passed

        def try_plain(times):
            for _ in range(times):
                done = self.run_plain(test)
                result["plain"].append((done.passed, done.why, done.seconds))
            return [why for passed, why, _ in result["plain"] if not passed]

        def try_measured(times):
            nonlocal numbers
            for _ in range(times):
                done, found = self.run_measured(test, slowest())
                result["measured"].append((done.passed, done.why, done.seconds))
                result["said"] += [line for line in done.said if line not in result["said"]]
                numbers = found if done.passed else numbers
            return [why for passed, why, _ in result["measured"] if not passed]

        def slowest():
            return max(seconds for *_, seconds in result["plain"])

        why_plain = try_plain(self.options.count)
        if why_plain:
            late = any("not ended" in why for why in why_plain)
            return {**result, "outcome": "too slow plain" if late else "fails plain", "why": why_plain[0]}
        why_measured = try_measured(self.options.count)
        if why_measured:
            why_plain, why_measured = try_plain(MORE), try_measured(MORE)
            steady = not why_plain and len(why_measured) == len(result["measured"])
            result.update(outcome="fails measured" if steady else "unsteady", why=why_measured[0])
        else:
            result["outcome"] = "passes"
        if numbers:
            result["counts"], result["differences"] = self.compare(test, numbers, slowest())
        return result

    def run_all(self):
        """Those that have no result yet, directory by directory: tests of one share the names of files."""
        results = {}
        if self.options.resume:
            results = {of["name"]: of for of in read_results(self.path)
                       if of["outcome"] != "too many ranks" or of["ranks"] > self.options.ranks}
        if not results and os.path.exists(self.path):
            os.remove(self.path)
        by_directory = collections.defaultdict(list)
        for test in self.tests:
            if test.name not in results:
                by_directory[test.directory].append(test)

        def run_directory(tests):
            for test in tests:
                result = self.run(test)
                with self.lock:
                    results[test.name] = result
                    with open(self.path, "a", encoding="utf-8") as file:
                        file.write(json.dumps(result) + "\n")
                    if result["outcome"] not in ("passes", "does not compile", "too many ranks") or result["differences"]:
                        print("%s: %s: %s%s" % (self.mpi, test.name, result["outcome"],
                                                ": " + result["why"] if result["why"] else ""), flush=True)
                        for difference in result["differences"]:
                            print("  %s, %s: counted %d, by andes %d" % tuple(difference), flush=True)
        with concurrent.futures.ThreadPoolExecutor(self.options.jobs) as pool:
            list(pool.map(run_directory, by_directory.values()))
        wanted = {test.name for test in self.tests}
        return [result for name, result in results.items() if name in wanted]


def differences(counted, found, estimated):
    """Keys of the numbers that differ; visits that andes estimates are none."""
    return [key for key in sorted({*counted, *found})
            if counted[key] != found[key] and not (key[1] == "visits" and key[0] in estimated)]


def read_results(path):
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def read_known():
    """[(MPI, test, what, reason)], the first three as expressions."""
    with open(KNOWN, encoding="utf-8") as file:
        rows = [[word.strip() for word in line.split(" | ")] for line in file if line.strip() and not line.startswith("#")]
    return [(re.compile(mpi), re.compile(test), re.compile(what), reason) for mpi, test, what, reason in rows]


def reason(known, mpi, test, what):
    return next((why for of_mpi, of_test, of_what, why in known
                 if of_mpi.fullmatch(mpi) and of_test.fullmatch(test) and of_what.fullmatch(what)), "")


def kinds_of_messages(results):
    """Lines of andes by what they say, without numbers and names: [(line, how many tests)]; those of every run left out."""
    found = collections.Counter()
    for result in results:
        kinds = {re.sub(r"\d+", "N", re.sub(r"/\S+", "PATH", line)) for line in result["said"]
                 if not re.match(r"andes: (wrote|next:|p = \d+: more ranks)", line)}
        found.update(kinds)
    return found.most_common()


def summarise(mpi, results, known):
    """Prints the table of an MPI; what differs without a known reason."""
    count = collections.Counter(result["outcome"] for result in results)
    print("\n%s: %d tests: %s" % (mpi, len(results), ", ".join("%d %s" % (n, what) for what, n in count.most_common())))
    counts = collections.Counter(result["counts"] for result in results if result["counts"])
    print("calls, messages and bytes: " + ", ".join("%d %s" % (n, what) for what, n in counts.most_common()))
    for outcome in ("too slow plain", "fails plain", "does not compile"):
        names = sorted(result["name"] for result in results if result["outcome"] == outcome)
        if names:
            print("%s: %s" % (outcome, ", ".join(names)))
    for line, tests in kinds_of_messages(results):
        print("%d tests: %s" % (tests, line))
    unexplained = 0
    for result in sorted(results, key=lambda result: result["name"]):
        rows = [(result["outcome"], result["why"])] if result["outcome"] in ("fails measured", "unsteady") else []
        rows += [("%s, %s" % (function, number), "counted %d, by andes %d" % (one, other))
                 for function, number, one, other in result["differences"]]
        for what, detail in rows:
            why = reason(known, mpi, result["name"], what)
            unexplained += not why
            print("  %s: %s: %s (%s)" % (result["name"], what, detail, why or "no known reason"))
    return unexplained


def arguments():
    parser = Arguments("mpi-suite", description=__doc__.split("\n\n")[0])
    parser.add_argument("--mpi", action="append", choices=("openmpi", "mpich"), help="default: both")
    parser.add_argument("--only", action="append", metavar="DIR", help="a directory of the suite, such as pt2pt")
    parser.add_argument("--count", type=int, default=1, help="runs of each test, plain and measured (1)")
    parser.add_argument("--ranks", type=int, default=8, help="tests with more ranks are left out (8)")
    parser.add_argument("--seconds", type=int, default=180, help="longest time of a plain run (180); a test may say less")
    parser.add_argument("--jobs", type=int, default=1, help="directories at a time (1)")
    parser.add_argument("--probes", action="store_true", help="the measured programs are compiled by andes cc")
    parser.add_argument("--resume", action="store_true", help="keep the results that are there")
    parser.add_argument("--check", action="store_true", help=argparse.SUPPRESS)  # the command line alone
    return parser.parse_args()


def main():
    options = arguments()
    if options.check:
        return 0
    os.makedirs(PLACE, exist_ok=True)
    known, unexplained = read_known(), 0
    for mpi in options.mpi or ("openmpi", "mpich"):
        suite = Suite(mpi, options)
        unexplained += summarise(mpi, suite.run_all(), known)
    return 1 if unexplained else 0


if __name__ == "__main__":
    sys.exit(main())
