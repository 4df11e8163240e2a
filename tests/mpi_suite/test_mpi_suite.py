"""What ./setup mpi-suite is made of, without the suite itself: its lists, its judgement, and the counter, against a program
that keeps its own books (tests/mpi/accounts.c)."""
import collections
import os
import subprocess
import unittest

import attempt
import counter
import mpi_suite
import testlist
from support.build import SOURCE
from support.environment import environment
from support.mpi import MPIS, NUMBERS, MpiTest, each_mpi, launcher

LIST = """# comment
sendrecv2 2 env=MPIR_CVAR=1,2 arg=-a=1 arg=3
below
sub/other 4 timeLimit=600
strange 1 strict=FALSE
expected 1 xfail=ticket0
abort 2 resultTest=TestStatus
"""


class Lists(MpiTest):
    def test_of_a_configured_tree(self):
        for folder in ("below", "sub"):
            os.mkdir(self.path(folder))
        self.write("testlist", LIST)
        self.write("below/testlist", "inner\n")
        tests = testlist.read(self.folder, self.folder, strict=True)
        self.assertEqual([(test.directory, test.program, test.ranks, test.seconds) for test in tests],
                         [("", "sendrecv2", 2, 180), ("below", "inner", 2, 180), ("sub", "other", 4, 600),
                          ("", "abort", 2, 180)])
        self.assertEqual((tests[0].arguments, tests[0].environment), (["-a=1", "3"], {"MPIR_CVAR": "1,2"}))
        self.assertEqual(len(testlist.read(self.folder, self.folder, strict=False)), 5)

    def test_generated_ones_by_program_and_ranks(self):
        self.write("testlist", "one\n")
        self.write("testlist.dtp", "two 2 arg=1\ntwo 2 arg=2\ntwo 4 arg=1\n")
        self.assertEqual([test.name for test in testlist.read(self.folder, self.folder, strict=True)],
                         ["/one 2", "/two 2 1", "/two 4 1"])


class Judgement(unittest.TestCase):
    def judge(self, status, *output, **options):
        return attempt.judge(testlist.Test("", "x", options=options), status, output)

    def test_success_is_said_and_nothing_else(self):
        self.assertEqual(self.judge(0, " No Errors"), "")
        self.assertIn("exit status 1", self.judge(1, " No Errors"))
        self.assertIn("no 'No Errors'", self.judge(0))
        self.assertIn("Found 1 errors", self.judge(0, " Found 1 errors"))
        self.assertIn("unexpected output", self.judge(0, "a warning", " No Errors"))

    def test_of_programs_that_have_to_fail(self):
        self.assertEqual(self.judge(1, "aborted", resultTest="TestStatus"), "")
        self.assertEqual(self.judge(0, resultTest="TestStatus"), "exit status 0")
        self.assertEqual(self.judge(1, " No Errors", resultTest="TestStatusNoErrors"), "")

    def test_differences(self):
        counted = collections.Counter({("MPI_Send", "visits"): 2, ("MPI_Test", "visits"): 9})
        found = collections.Counter({("MPI_Send", "visits"): 2, ("MPI_Test", "visits"): 5, ("MPI_Recv", "visits"): 1})
        self.assertEqual(mpi_suite.differences(counted, found, {"MPI_Test"}), [("MPI_Recv", "visits")])
        self.assertEqual(len(mpi_suite.differences(counted, found, set())), 2)


class Counter(MpiTest):
    @each_mpi
    def test_counts_what_the_program_has_booked(self, mpi):
        library = counter.build(MPIS[mpi], self.folder)
        program = self.compile(mpi, os.path.join(SOURCE, "tests", "mpi", "accounts.c"))
        counted = self.path(mpi)
        os.mkdir(counted)
        done = subprocess.run([*launcher(mpi), "-n", "3", program], cwd=self.folder, capture_output=True, text=True,
                              timeout=120, env=environment(LD_PRELOAD=library, COUNTER_DIR=counted))
        self.assertEqual(done.returncode, 0, done.stderr)
        books = collections.Counter()
        for line in done.stdout.splitlines():
            word, *fields = line.split()
            if word == "call":
                for number, value in zip(NUMBERS, fields[1:]):
                    books[fields[0], number] += int(value)
        self.assertGreater(len(books), 60)
        found = counter.read(counted)
        del books["MPI_Comm_size", "visits"], found["MPI_Comm_size", "visits"]  # one call is made by a callback with a probe
        self.assertEqual({key: (books[key], found[key]) for key in {*books, *found} if books[key] != found[key]}, {})

    @each_mpi
    def test_counts_calls_of_constructors(self, mpi):
        """Open MPI's C++ bindings call MPI_Initialized before the counter's own constructors run."""
        library = counter.build(MPIS[mpi], self.folder)
        self.write("early.c", "#include <mpi.h>\n__attribute__((constructor)) static void early(void) {\n"
                   "int flag; MPI_Initialized(&flag); }\nint one(void) { return 1; }\n")
        self.write("main.c", "#include <mpi.h>\nint one(void);\nint main(int n, char **a) {\n"
                   "MPI_Init(&n, &a); return MPI_Finalize() || !one(); }\n")
        for options in ("-shared -fPIC early.c -o libearly.so", "main.c -o main -L. -learly -Wl,-rpath,."):
            subprocess.run([MPIS[mpi], *options.split()], cwd=self.folder, check=True)
        counted = self.path(mpi)
        os.mkdir(counted)
        done = subprocess.run([*launcher(mpi), "-n", "2", "./main"], cwd=self.folder, capture_output=True, text=True,
                              timeout=120, env=environment(LD_PRELOAD=library, COUNTER_DIR=counted))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(counter.read(counted)["MPI_Initialized", "visits"], 2)


if __name__ == "__main__":
    unittest.main()
