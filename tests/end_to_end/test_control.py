"""MPI_Pcontrol, programs without MPI, processes that are none of ours, exit status."""

import os
import shutil
import signal
import tempfile
import time
import unittest

from support.build import ANDES, BUILD, SOURCE
from support.commands import command
from support.end_to_end import EndToEnd
from support.programs import KINDS, PROGRAMS, launcher, polling, program
from support.run_file import RunFile

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
        in_time = {"LD_PRELOAD": polling(KINDS[0])}
        if start == "run":
            done = command([ANDES, "run", "-o", out, "--", nompi], cwd=self.folder, **in_time)
        else:
            done = command([ANDES, "exec", nompi], cwd=self.folder, ANDES_OUT=out, **in_time)
        self.assertIn("nompi: right\n", done.stdout)
        run = RunFile(out)
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
                self.assertEqual(int(RunFile(out).facts["ranks"]), 2)

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
        self.assertEqual(int(RunFile(out).facts["exit_status"]), 7)

    def listed(self, args, cwd):
        """MPICH's launcher may end by a broken pipe where its processes end at once, or lose what one or both say: in
        one of 20 runs, in most on a busy machine, without andes, too."""
        for _ in range(40):
            done = command(args, check=None, cwd=cwd)
            if done.returncode not in (-signal.SIGPIPE, 128 + signal.SIGPIPE) and done.stdout.count("total") == 2:
                break
            time.sleep(0.25)
        return done

    def test_other_processes_leave_no_trace(self):
        """`ls` under mpirun under andes: what it says is what it says alone, and no file is made."""
        for kind in KINDS:
            with self.subTest(kind=kind):
                os.makedirs(os.path.join(self.folder, kind, "empty"))
                cwd = os.path.join(self.folder, kind)
                alone = self.listed([*launcher(kind, 2), "ls", "-la", "empty"], cwd)
                under = self.listed([ANDES, "run", "-o", "ls.andes", "--", *launcher(kind, 2), "ls", "-la", "empty"], cwd)
                self.assertEqual(alone.returncode, 0, alone.stderr)
                self.assertEqual(sorted(alone.stdout.splitlines()), sorted(under.stdout.splitlines()))
                self.assertEqual(os.listdir(cwd), ["empty"])

    def test_through_a_shell(self):
        """mpirun starts a shell that starts the program: still one run, of the program."""
        for kind in KINDS:
            with self.subTest(kind=kind):
                out = os.path.join(self.folder, kind + ".andes")
                command([ANDES, "run", "-o", out, "--", *launcher(kind, 2), "sh", "-c",
                         "true; %s 60 30; true" % program(kind, "jacobi")], cwd=self.folder)
                run = RunFile(out)
                self.assertEqual((run.facts["program"], int(run.facts["ranks"])), ("jacobi", 2))


NEAR_NS = 12e6  # a quarter of a step: sleepers wake up late, and steps go missing whole


class Switching(EndToEnd):
    """switching.c: off and on at different depths of the tree, in steps of 50 ms. Of each case: call
    paths as {path: (visits, inclusive ms)}, of the functions all there are, and the ms switched off."""

    CASES = {
        # g { leaf f { leaf OFF leaf } leaf } ON leaf
        "left": ({"g": (1, 100), "g/leaf": (1, 50), "g/f": (1, 50), "g/f/leaf": (1, 50),
                  "leaf": (1, 50)}, 100),
        # leaf OFF g { f { leaf ON leaf } leaf } leaf
        "deeper": ({"leaf": (4, 200)}, 50),
        # ON leaf OFF leaf OFF leaf ON leaf ON leaf
        "twice": ({"leaf": (3, 150)}, 100),
        # g { 3 x (leaf OFF leaf ON) }
        "blinking": ({"g": (1, 150), "g/leaf": (3, 150)}, 150),
        # g { leaf OFF leaf } and the end
        "never_on": ({"g": (1, 50), "g/leaf": (1, 50)}, 50),
        # r { leaf r { leaf OFF r { leaf ON leaf } leaf } leaf }
        "recursive": ({"r": (2, 250), "r/leaf": (5, 250)}, 50),
        # MPI_Comm_free { deleted { leaf OFF leaf } } leaf ON leaf
        "off_in_callback": ({"MPI_Comm_free": (1, 50), "MPI_Comm_free/deleted": (1, 50),
                             "MPI_Comm_free/deleted/leaf": (1, 50), "leaf": (1, 50)}, 100),
        # OFF MPI_Comm_free { deleted { leaf ON leaf } } leaf leaf
        "on_in_callback": ({"leaf": (3, 150)}, 50),
    }

    @classmethod
    def setUpClass(cls):
        cls.programs = tempfile.mkdtemp(prefix="andes-switching-")
        cls.addClassCleanup(shutil.rmtree, cls.programs)
        for kind in KINDS:
            command(["mpicc." + kind, "-O2", "-Wall", "-Wextra", "-Werror", "-pthread",
                     "-I", os.path.join(BUILD, "include"),
                     "-I", os.path.join(SOURCE, "tests", "programs"),
                     os.path.join(SOURCE, "tests", "end_to_end", "switching.c"),
                     "-o", os.path.join(cls.programs, kind)])

    def switch(self, kind, case):
        self.number += 1
        self.out = os.path.join(self.folder, "run%d.andes" % self.number)
        command([ANDES, "run", "-o", self.out, "--", *launcher(kind, 1),
                 os.path.join(self.programs, kind), case], cwd=self.folder, LD_PRELOAD=polling(kind))
        return RunFile(self.out)

    def check_books(self, run):
        """Compute, communication and tool are the wall time, and that with the time off is the life of
        the location."""
        for place in run.locations.values():
            parts = place["compute_ns"] + place["communication_ns"] + place["tool_ns"]
            self.assert_near(parts, place["wall_ns"], 10, "compute + communication + tool")
            self.assert_near(place["wall_ns"] + place["off_ns"],
                             place["end_ns"] - place["start_ns"], 10000, "wall + off")

    def check_case(self, kind, case):
        paths, off_ms = self.CASES[case]
        run = self.switch(kind, case)
        found = {run.path(c) for c in run.callpaths}
        management = {path for path in found if path.split("/")[-1].startswith("MPI_")} - set(paths)
        self.assertEqual(found - management - {"", "(andes)"}, set(paths))
        for path, (visits, inclusive_ms) in paths.items():
            self.assertEqual(run.value("visits", path, 0), visits, path)
            self.assert_near(run.value("inclusive_ns", path, 0), inclusive_ms * 1e6, NEAR_NS, path)
        place = run.location(0)
        measured_ms = sum(ms for path, (_, ms) in paths.items() if path.endswith("leaf"))
        self.assert_near(place["off_ns"], off_ms * 1e6, NEAR_NS, "off")
        self.assert_near(place["compute_ns"], measured_ms * 1e6, NEAR_NS, "compute")
        self.assert_near(place["wall_ns"], measured_ms * 1e6, NEAR_NS, "wall")
        self.assertEqual(run.region_value("visits", "MPI_Finalize", 0), case != "never_on")
        self.check_books(run)
        shown = self.show(self.out)["ranks"][0]
        self.assert_near(shown["off_s"], place["off_ns"] / 1e9, 1e-6, "off as shown")
        text = command([ANDES, "show", self.out], cwd=self.folder).stdout
        titles = next(line for line in text.splitlines() if line.startswith("rank"))
        self.assertIn("off s", titles)

    def test_depths(self):
        for kind in KINDS:
            for case in self.CASES:
                with self.subTest(kind=kind, case=case):
                    self.timed(self.check_case, kind, case)

    def test_threads(self):
        """The rank is switched, all its threads: one that is in a function, and one that begins while
        measuring is off."""
        for kind in KINDS:
            with self.subTest(kind=kind):
                self.timed(self.check_threads, kind)

    def check_threads(self, kind):
        run = self.switch(kind, "threads")
        self.assertEqual(len(run.locations), 3)
        # thread: (ms off, ms of wall), {path: (visits, inclusive ms)}
        expected = {1: ((100, 200), {"worker": (1, 200), "worker/first": (1, 200)}),
                    2: ((50, 80), {"second": (1, 60)})}
        for thread, ((off_ms, wall_ms), paths) in expected.items():
            place = run.location(0, thread)
            self.assert_near(place["off_ns"], off_ms * 1e6, NEAR_NS, "off")
            self.assert_near(place["wall_ns"], wall_ms * 1e6, NEAR_NS, "wall")
            for path, (visits, inclusive_ms) in paths.items():
                self.assertEqual(run.value("visits", path, 0, thread), visits, path)
                self.assert_near(run.value("inclusive_ns", path, 0, thread), inclusive_ms * 1e6, NEAR_NS,
                                 path)
        self.assertEqual(run.region_value("visits", "worker", 0, 2), 0)
        self.assertEqual(run.region_value("visits", "first", 0, 2), 0)
        self.assert_near(run.location(0)["off_ns"], 100e6, NEAR_NS, "off")
        self.assert_near(run.location(0)["wall_ns"], 200e6, NEAR_NS, "wall")
        self.check_books(run)


if __name__ == "__main__":
    unittest.main()
