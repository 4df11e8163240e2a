#!/usr/bin/env python3
"""Instructions of probes, hooks and wrappers, and of programs in their default build, against the table of
expected numbers (expected.table). They are the same in each run and on each machine, but not with each
compiler: the table has numbers by compiler, and where it has none the test is skipped, which says so.

  test_counts.py            with the variables that tests/counts/CMakeLists.txt sets
  ctest -R counts           the same
  COUNTS_RENEW=1 ctest -R counts    writes what is found into expected.table and
                                    docs/measurements/counted-instructions.md
"""

import os
import sys
import tempfile
import unittest

import count
from support.build import BUILD, LIBRARY, given
from support.mpi import MPIS, NO_MPI

HERE = os.path.dirname(os.path.abspath(__file__))
TABLE = os.path.join(HERE, "expected.table")
DOCS = os.path.join(os.path.dirname(os.path.dirname(HERE)), "docs", "measurements", "counted-instructions.md")
HEADING = "## Counted instructions"
PLACE = os.path.join(BUILD, "tests", "counts")
COMPILER = given("COUNTS_COMPILER")  # such as gcc-12
PROGRAMS = dict(word.split("=", 1) for word in given("COUNTS_PROGRAMS").split("|") if word)
POLLS_WITHIN = 8
TRIES = 8
DOCUMENTED = "gcc-12"  # the compiler of the tables in counted-instructions.md


def of_monitor(name):
    return os.path.basename(name).startswith("libandes")


def anything(_):
    return True


def time_stamp_counter():
    """Elsewhere every visit takes the slow path, and counts are others."""
    try:
        with open("/sys/devices/system/clocksource/clocksource0/current_clocksource", encoding="ascii") as file:
            return file.read().strip() == "tsc"
    except OSError:
        return False


def is_expected(name, expected, number):
    """Hooks look the function's address up in a table, twice a visit. Where it is loaded is chance: slots that are
    taken cost them 10 instructions each. What a polling loop does at every 32nd poll, and where the thread has lost
    its core, depends on times: an instruction or two a poll."""
    if expected is None:
        return False
    if name.startswith(("MPI_Iprobe", "MPI_Test")):
        return abs(number - expected) <= POLLS_WITHIN
    taken = range(4) if name.startswith("hooks, exact") and expected else [0]
    return number in [expected + 20 * slots for slots in taken]


class Counts(unittest.TestCase):
    found = {}

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="andes-counts-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.table = count.read_table(TABLE)

    def monitored(self):
        if not time_stamp_counter():
            self.skipTest("this kernel's clock is not the time stamp counter")
        return {"LD_PRELOAD": LIBRARY, "ANDES_BUDGET_PERCENT": "0", "ANDES_OUT": os.path.join(self.folder, "x.andes")}

    def compare(self, numbers):
        Counts.found.update(numbers)
        if "COUNTS_RENEW" in os.environ:
            return
        expected = {name: number for (compiler, name), number in self.table.items() if compiler == COMPILER}
        if not expected:
            self.skipTest("%s: no numbers for %s; COUNTS_RENEW=1 adds them" % (TABLE, COMPILER))
        wrong = ["%s: expected %s instructions, found %s" % (
            name, count.plain(expected[name]) if name in expected else "none", count.plain(number))
            for name, number in numbers.items() if not is_expected(name, expected.get(name), number)]
        if wrong:
            self.fail("\n".join([*wrong, "If that is meant: COUNTS_RENEW=1 ctest -R counts writes the table anew."]))

    def probes(self, **env):
        """Instructions of each form beyond those of the same function without a probe."""
        each = count.per_call(count.run([os.path.join(PLACE, "count_probes")], self.folder, **env), anything)
        bare = {name.removeprefix("bare, "): each.pop(name) for name in list(each) if name.startswith("bare, ")}
        self.assertTrue(each)
        return {"%s, %s" % (kind, place): round(number - bare.get(kind, bare["leaf"]), 2)
                for (kind, place), number in ((name.rsplit(", ", 1), number) for name, number in each.items())}

    def test_1_probes_without_a_monitor(self):
        self.compare(self.probes())

    def test_2_probes_with_the_monitor(self):
        self.compare(self.probes(**self.monitored()))

    @unittest.skipUnless(MPIS, NO_MPI)
    def test_3_wrappers(self):
        """Instructions in the monitor's libraries."""
        for mpi in MPIS:
            with self.subTest(mpi):
                program = os.path.join(PLACE, mpi, "count_mpi")
                found = {}
                # Where the program loses its core polls ask the kernel: then the difference is too large, or too small.
                for _ in range(TRIES):
                    each = count.per_call(count.run([program], self.folder, **self.monitored()), of_monitor)
                    self.assertTrue(each)
                    os.remove(os.path.join(self.folder, "x.andes"))
                    for name, number in each.items():
                        if not self.expects("%s, %s" % (name, mpi), found.get(name)):
                            found[name] = number
                    if all(self.expects("%s, %s" % (name, mpi), number) for name, number in found.items()):
                        break
                self.compare({"%s, %s" % (name, mpi): number for name, number in found.items()})

    def expects(self, name, number):
        return number is not None and is_expected(name, self.table.get((COMPILER, name)), number)

    def programs(self, build, title, **env):
        """Instructions in each program itself, where the inline parts of the probes are too."""
        numbers = {}
        for name, command in PROGRAMS.items():
            program, *arguments = command.replace("{}", build).split()
            parts = count.run([program, *arguments], self.folder, **env)
            numbers["%s, %s" % (name, title)] = sum(
                count.in_objects(counts, lambda of: of == program) for _, counts in parts)
            if "ANDES_OUT" in env and os.path.exists(env["ANDES_OUT"]):
                os.remove(env["ANDES_OUT"])
        self.compare(numbers)

    def test_4_default_builds(self):
        self.programs("plain", "plain")
        self.programs("probed", "default build")

    def test_5_measured_programs(self):
        self.programs("probed", "every visit timed", **self.monitored())

    def test_6_docs(self):
        with open(DOCS, encoding="utf-8") as file:
            text = file.read()
        begin, end = count.section(text, HEADING)
        self.assertEqual("\n".join(count.rows_of_docs(self.table, DOCUMENTED)) + "\n", text[begin:end],
                         "docs/measurements/counted-instructions.md is not expected.table; COUNTS_RENEW=1 ctest -R counts writes both")


def renew(all_counted):
    """Keeps the rows of other compilers, and those of this one where this machine could not count all."""
    table = count.read_table(TABLE)
    if all_counted:
        table = {key: number for key, number in table.items() if key[0] != COMPILER}
    table.update({(COMPILER, name): number for name, number in Counts.found.items()})
    count.write_table(TABLE, table)
    with open(DOCS, encoding="utf-8") as file:
        text = file.read()
    begin, end = count.section(text, HEADING)
    with open(DOCS, "w", encoding="utf-8") as file:
        file.write(text[:begin] + "\n".join(count.rows_of_docs(table, DOCUMENTED)) + "\n" + text[end:])


if __name__ == "__main__":
    renewing = "COUNTS_RENEW" in os.environ
    if renewing:
        del Counts.test_6_docs
    result = unittest.main(exit=False).result
    if renewing and result.wasSuccessful():
        renew(all_counted=not result.skipped)
    sys.exit(not result.wasSuccessful())
