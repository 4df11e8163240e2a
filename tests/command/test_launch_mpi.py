"""andes run and andes exec with the real launchers of both MPI libraries and the real monitor."""

import json
import os
import shutil
import subprocess
import unittest

from support.build import ANDES
from support.command_line import CommandTest, main
from support.environment import OF_OPEN_MPI

PROGRAM = r"""
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  int rank, size, sum;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (argc > 2 && rank == 1) raise(atoi(argv[2]));
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) printf("sum %d of %d ranks\n", sum, size);
  MPI_Finalize();
  return argc > 1 ? atoi(argv[1]) : 0;
}
"""


class WithLauncher:
    """The tests of one MPI library; `kind` names its commands."""
    kind = None

    def setUp(self):
        super().setUp()
        self.mpirun = "mpirun." + self.kind
        source = self.write("prog.c", PROGRAM)
        subprocess.run(["mpicc." + self.kind, source, "-o", os.path.join(self.work, "prog")],
                       check=True, timeout=600)

    def environment(self, **more):
        # As on a machine where root and oversubscription are allowed; MPICH does not look at it.
        return super().environment(**{**OF_OPEN_MPI, **more})

    def test_sweep(self):
        done = self.succeeds("run", "--ranks", "1,2,3", "--repeat", "2", "--",
                             self.mpirun, "-n", "{p}", "./prog")
        self.assertEqual(done.stdout, "sum 0 of 1 ranks\nsum 1 of 2 ranks\nsum 3 of 3 ranks\n" * 2)
        self.assertEqual(self.files(), ["runs/prog-001/p%d.%d.andes" % (p, r)
                                        for p in (1, 2, 3) for r in (1, 2)])
        facts = self.facts("runs/prog-001/p3.2.andes")
        self.assertEqual((facts["program"], facts["ranks"], facts["ranks_started"], facts["repeat"],
                          facts["complete"], facts["exit_status"]), ("prog", 3, 3, 2, 1, 0))
        self.assertGreater(facts["command_wall_ns"], facts["wall_ns"])
        self.assertEqual(facts["oversubscribed"], int(3 > facts["usable_cores"]))
        self.assertEqual(json.loads(facts["command"]), [self.mpirun, "-n", "3", "./prog"])

    def test_failing_program_keeps_its_run(self):
        self.succeeds("run", "--", self.mpirun, "-n", "2", "./prog", "5", status=5)
        facts = self.facts("runs/prog-001/p2.1.andes")
        self.assertEqual((facts["ranks"], facts["exit_status"]), (2, 5))

    def test_crash_leaves_a_marked_run(self):
        done = self.andes("run", "--", self.mpirun, "-n", "2", "./prog", "0", "9")
        self.assertNotEqual(done.returncode, 0)
        facts = self.facts("runs/prog-001/p2.1.andes")
        self.assertEqual(facts["complete"], 0)
        self.assertEqual(facts["exit_status"], done.returncode)

    def test_exec_under_the_launcher(self):
        for words in ([self.mpirun, "-n", "2", ANDES, "exec", "./prog"],
                      [ANDES, "run", "--", self.mpirun, "-n", "2", ANDES, "exec",
                       "./prog"]):
            before = set(self.files())
            done = subprocess.run(words, cwd=self.work, env=self.environment(), timeout=600,
                                  capture_output=True, text=True, check=True)
            self.assertEqual(done.stdout, "sum 1 of 2 ranks\n")
            new = sorted(set(self.files()) - before)
            self.assertEqual(len(new), 1, done.stderr)
            self.assertEqual(self.facts(new[0])["ranks"], 2)

    def test_only_some_ranks_have_the_monitor(self):
        text = "#!/bin/sh\ntest \"$%s\" = 1 && unset LD_PRELOAD\nexec ./prog\n"
        variable = {"openmpi": "OMPI_COMM_WORLD_RANK", "mpich": "PMI_RANK"}[self.kind]
        self.write("some", text % variable, executable=True)
        done = self.andes("run", "--set", "gather_timeout_s=2", "--ranks", "2", "--",
                          self.mpirun, "-n", "{p}", "./some")
        # The program's result stands whatever becomes of the run. (UCX may add a warning of its own.)
        self.assertTrue(done.stdout.startswith("sum 1 of 2 ranks\n"), done.stdout)
        if self.files():
            self.assertIn("only 1 of 2 ranks reported; ", done.stderr)
            self.assertEqual(self.facts("runs/some-001/p2.1.andes")["complete"], 0)
        else:  # the monitor had no communicator of its own, and said so
            self.assertIn("some ranks run without the monitor", done.stderr)
            self.assertIn("no run file was written: ", done.stderr)
            self.assertEqual(done.returncode, 1)

    def test_missing_run_file_is_explained(self):
        done = self.andes("run", "--", self.mpirun, "-n", "1", "true")
        self.assertEqual(done.returncode, 1)
        self.assertIn("andes: mpirun.%s: no run file was written: " % self.kind, done.stderr)
        early = self.write("early.c", """#include <stdio.h>
#include <mpi.h>
int main(int argc, char **argv) {
  if (argc < 2) return puts("usage: early FILE") < 0;
  MPI_Init(&argc, &argv);
  return MPI_Finalize();
}""")
        subprocess.run([ANDES, "cc", "mpicc." + self.kind, early, "-o", "early"], cwd=self.work, check=True, timeout=600)
        done = self.andes("run", "--", self.mpirun, "-n", "1", "./early")
        self.assertEqual((done.returncode, done.stdout), (1, "usage: early FILE\n"))
        self.assertIn("andes: %s: no run file was written: no process called MPI_Init, or LD_PRELOAD was lost on the way; see "
                      "whether the program ended before it, as at a wrong argument; else try %s -n 1 andes exec ./early ...\n"
                      % (self.mpirun, self.mpirun), done.stderr)


@unittest.skipUnless(shutil.which("mpirun.openmpi"), "no Open MPI")
class OpenMpi(WithLauncher, CommandTest):
    kind = "openmpi"

    @unittest.skipUnless(os.getuid() == 0, "root only")
    def test_refusal_of_root(self):
        done = self.succeeds("run", "--", self.mpirun, "-n", "1", "./prog", status=1,
                             OMPI_ALLOW_RUN_AS_ROOT="0")
        self.assertIn("andes: mpirun.openmpi: refuses to run as root; add --allow-run-as-root "
                      "(mpirun.openmpi --allow-run-as-root -n 1 ...)\n", done.stderr)

    def test_refusal_of_slots(self):
        done = self.succeeds("run", "--ranks", "2000", "--", self.mpirun, "-n", "{p}", "./prog",
                             status=1, OMPI_MCA_rmaps_base_oversubscribe="0")
        self.assertIn("andes: mpirun.openmpi: refused to start 2000 ranks: not enough slots on ",
                      done.stderr)
        self.assertIn("add --oversubscribe (mpirun.openmpi --oversubscribe -n {p} ...)\n",
                      done.stderr)
        self.assertEqual(self.files(), [])


@unittest.skipUnless(shutil.which("mpirun.mpich"), "no MPICH")
class Mpich(WithLauncher, CommandTest):
    kind = "mpich"


class WithoutMpi(CommandTest):
    def test_program_without_mpi_is_a_run_of_one_rank(self):
        self.succeeds("run", "--", "sleep", "0.1")
        facts = self.facts("runs/sleep-001/p1.1.andes")
        self.assertEqual((facts["program"], facts["ranks"]), ("sleep", 1))
        self.assertNotIn("mpi_library", facts)

    def test_what_a_script_starts_is_not_measured(self):
        self.write("script", "#!/bin/sh\nls >/dev/null; sleep 0.01\n", executable=True)
        done = self.andes("run", "--", "./script")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(self.files(), [])


if __name__ == "__main__":
    main()
