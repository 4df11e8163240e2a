"""MPI_Pcontrol, programs without MPI, processes that are none of ours, exit status."""

import os
import unittest

from support import ANDES, KINDS, PROGRAMS, EndToEnd, Run, command, launcher, program

SEQUENTIAL = os.path.join(PROGRAMS, "sequential", "probed")


class Control(EndToEnd):

    def test_pcontrol(self):
        """pcontrol.c: 400 ms in measured(), 300 ms off in which nothing counts, two snapshots."""
        for kind in KINDS:
            with self.subTest(kind=kind):
                self.timed(self.check_pcontrol, kind)

    def check_pcontrol(self, kind):
        _, run = self.measure(kind, 2, "pcontrol", asleep=True)
        for rank in range(2):
            place = run.location(rank)
            self.assert_near(run.value("inclusive_ns", "main/measured", rank), 400e6, 20e6,
                             "measured")
            self.assertEqual(run.value("visits", "main/measured", rank), 2)
            self.assertEqual(run.region_value("visits", "unmeasured", rank), 0)
            self.assertEqual(run.region_value("visits", "MPI_Barrier", rank), 0)
            self.assert_near(place["off_ns"], 300e6, 30e6, "off")
            self.assert_near(place["compute_ns"], 400e6, 20e6, "compute")
        self.assertEqual([s["rank"] for s in run.snapshots], [0, 0])
        self.assertLess(run.snapshots[0]["time_ns"] + 450e6, run.snapshots[1]["time_ns"])

    def test_without_mpi(self):
        for start in ("run", "exec"):
            with self.subTest(start=start):
                self.timed(self.check_without_mpi, start)

    def check_without_mpi(self, start):
        self.number += 1
        out = os.path.join(self.folder, "one%d.andes" % self.number)
        nompi = os.path.join(SEQUENTIAL, "nompi")
        if start == "run":
            done = command([ANDES, "run", "-o", out, "--", nompi], cwd=self.folder)
        else:
            done = command([ANDES, "exec", nompi], cwd=self.folder, ANDES_OUT=out)
        self.assertIn("nompi: right\n", done.stdout)
        run = Run(out)
        self.assertEqual(int(run.facts["ranks"]), 1)
        self.assertNotIn("mpi_library", run.facts)
        self.assertEqual(run.value("visits", "main/one/two", 0), 3)
        self.assert_near(run.value("inclusive_ns", "main/one/two", 0), 150e6, 15e6, "two")
        self.assert_near(run.value("inclusive_ns", "main/one", 0), 250e6, 15e6, "one")

    def test_exec_under_a_launcher(self):
        """mpirun starts `andes exec`, which needs nothing of the launcher."""
        for kind in KINDS:
            with self.subTest(kind=kind):
                out = os.path.join(self.folder, kind + ".andes")
                command([*launcher(kind, 2), ANDES, "exec", program(kind, "jacobi"), "60", "30"],
                        cwd=self.folder, ANDES_OUT=out)
                self.assertEqual(int(Run(out).facts["ranks"]), 2)

    def test_monitor_off(self):
        """ANDES_MONITOR=off: the program runs as if andes were not there, and leaves no run."""
        kind = KINDS[0]
        out = os.path.join(self.folder, "off.andes")
        done = command([*launcher(kind, 2), ANDES, "exec", program(kind, "jacobi"), "60", "30"],
                       cwd=self.folder, ANDES_OUT=out, ANDES_MONITOR="off")
        self.assertIn("right", done.stdout)
        self.assertEqual(done.stderr, "")
        self.assertFalse(os.path.exists(out))

    def test_sequential_base(self):
        """The sequential Jacobi as base of the speedup, the relative speedup beside it."""
        kind = KINDS[0]
        base = os.path.join(self.folder, "sequential.andes")
        command([ANDES, "run", "-o", base, "--", os.path.join(SEQUENTIAL, "jacobi_sequential"),
                 "300", "200"], cwd=self.folder)
        folder = self.sweep(kind, "1,2", "jacobi", "300", "200")
        report = self.report("--sequential", base, folder)
        self.assertIn("sequential", report)
        self.assertEqual([p["ranks"] for p in report["points"]], [1, 2])

    def test_exit_status(self):
        """The status of the program is that of andes, and the run is kept and marked."""
        out = os.path.join(self.folder, "failed.andes")
        command([ANDES, "run", "-o", out, "--", os.path.join(SEQUENTIAL, "nompi"), "7"], check=7,
                cwd=self.folder)
        self.assertEqual(int(Run(out).facts["exit_status"]), 7)

    def test_other_processes_leave_no_trace(self):
        """`ls` under mpirun under andes: what it says is what it says alone, and no file is made."""
        for kind in KINDS:
            with self.subTest(kind=kind):
                os.makedirs(os.path.join(self.folder, kind, "empty"))
                cwd = os.path.join(self.folder, kind)
                alone = command([*launcher(kind, 2), "ls", "-la", "empty"], cwd=cwd)
                under = command([ANDES, "run", "-o", "ls.andes", "--", *launcher(kind, 2), "ls",
                                 "-la", "empty"], check=None, cwd=cwd)
                self.assertEqual(sorted(alone.stdout.splitlines()), sorted(under.stdout.splitlines()))
                self.assertEqual(os.listdir(cwd), ["empty"])

    def test_through_a_shell(self):
        """mpirun starts a shell that starts the program: still one run, of the program."""
        for kind in KINDS:
            with self.subTest(kind=kind):
                out = os.path.join(self.folder, kind + ".andes")
                command([ANDES, "run", "-o", out, "--", *launcher(kind, 2), "sh", "-c",
                         "true; %s 60 30; true" % program(kind, "jacobi")], cwd=self.folder)
                run = Run(out)
                self.assertEqual((run.facts["program"], int(run.facts["ranks"])), ("jacobi", 2))


if __name__ == "__main__":
    unittest.main()
