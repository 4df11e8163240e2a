"""Messages by size: exact counts of call paths, functions, files and groups of MPI calls."""
import json
import os
import subprocess
import unittest

from support import build
from support.mpi import MpiTest, each_mpi, launcher

KIB, MIB = 1024, 1024 * 1024
BLOCKING = {0: 4, 1: 1000, KIB: 100, MIB: 10, 8 * MIB: 2}
NONBLOCKING = {1: 1000, 512: 20, KIB: 100, MIB: 10}
PERSISTENT = {1: 50, 64: 40}
EXCHANGED = {1: 6, 4096: 6}
SENT = {"blocking": BLOCKING, "nonblocking": NONBLOCKING, "persistent": PERSISTENT, "exchange": EXCHANGED}
# By what a class has at least.
FUNCTIONS = {"MPI_Send": BLOCKING, "MPI_Recv": BLOCKING, "MPI_Isend": NONBLOCKING, "MPI_Waitall": NONBLOCKING,
             "MPI_Start": PERSISTENT, "MPI_Wait": PERSISTENT, "MPI_Sendrecv": EXCHANGED,
             "MPI_Bcast": {64: 14}, "MPI_Allreduce": {1: 60}, "MPI_Put": {128: 10}, "MPI_Get": {65536: 8}, **SENT}


def together(*sizes):
    return {at_least: sum(one.get(at_least, 0) for one in sizes) for one in sizes for at_least in one}


def sizes_of(row):
    return {one["at_least"]: one["messages"] for one in row.get("message_sizes", [])}


class Sizes(MpiTest):
    maxDiff = None

    def show(self, *arguments):
        done = subprocess.run([build.ANDES, "show", self.path("run.andes"), *arguments], capture_output=True, text=True,
                              check=True)
        return done.stdout

    def compare(self):
        shown = json.loads(self.show("--flat", "--json"))
        self.assertEqual({row["name"]: sizes_of(row) for row in shown["functions"] if sizes_of(row)}, FUNCTIONS)
        self.assertEqual({os.path.basename(row["file"]): sizes_of(row) for row in shown["files"] if sizes_of(row)},
                         {"sizes.c": together(*SENT.values()), "(MPI)": together(*(
                             sizes for name, sizes in FUNCTIONS.items() if name not in SENT))})
        groups = {row["kind"]: sizes_of(row) for row in shown["groups"]}
        self.assertEqual(groups["send"], together(BLOCKING, NONBLOCKING, PERSISTENT))
        self.assertEqual(groups["one-sided"], {128: 10, 65536: 8})
        self.assertEqual(groups["synchronisation"], {})
        return shown

    @each_mpi
    def test_counts_are_exact(self, mpi):
        self.assertEqual(self.run_ranks(mpi, 2, [self.compile(mpi, "sizes.c")]).stderr, "")
        shown = self.compare()
        paths = {"/".join(row["path"]): sizes_of(row) for row in shown["callpaths"]}
        self.assertEqual(paths["main/blocking/MPI_Send"], BLOCKING)
        self.assertEqual(paths["main/nonblocking"], NONBLOCKING)
        limits = {one["at_least"]: one.get("below") for row in shown["functions"] for one in row.get("message_sizes", [])}
        self.assertEqual(limits, {0: 1, 1: 64, 64: 128, 128: 256, 512: KIB, KIB: 2 * KIB, 4096: 8192, 65536: 131072,
                                  MIB: 2 * MIB, 8 * MIB: None})
        text = self.show("--function", "MPI_Send")
        self.assertRegex(text, r"1 B \.\. 64 B +1000")
        self.assertRegex(text, r"8 MiB \.\. +2")
        self.assertNotIn("message_sizes", self.show("--flat", "--json", "--rank", "0"))

    @each_mpi
    def test_recovered_runs_have_the_same(self, mpi):
        program = self.compile(mpi, "sizes.c")
        done = subprocess.run([build.ANDES, "run", "-o", self.path("run.andes"), "--", *launcher(mpi), "-n", "2", program,
                               "die"], capture_output=True, text=True, timeout=600, cwd=self.folder)
        self.assertNotEqual(done.returncode, 0)
        self.assertFalse(self.compare()["run"]["complete"])


if __name__ == "__main__":
    unittest.main()
