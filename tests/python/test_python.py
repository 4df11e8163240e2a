"""The Python module andes: what it measures of scripts with known visits, alone and with mpi4py."""
import json
import os
import re
import shutil
import subprocess
import sys
import unittest

from support.build import ANDES, BUILD
from support.environment import environment
from support.folder import InFolder
from support.run_file import RunFile

HERE = os.path.dirname(os.path.abspath(__file__))
MODULE = os.path.join(BUILD, "lib", "andes", "python")
SYSTEM = "/usr/bin/python3"
TIMEOUT_S = 600


def real_python():
    """The interpreter itself: some installations have a script before it, which would be no program to measure."""
    done = subprocess.run([sys.executable, "-c", "import os, sys; print(os.path.realpath(sys.executable))"],
                          capture_output=True, text=True, check=True)
    return done.stdout.strip()


def has_mpi4py():
    return os.path.exists(SYSTEM) and subprocess.run([SYSTEM, "-c", "import mpi4py"], capture_output=True).returncode == 0


class Python(InFolder):
    def environment(self, **more):
        return environment(PYTHONPATH=MODULE, **more)

    def script(self, *words, cwd=None, status=0, **more):
        done = subprocess.run(words, cwd=cwd or self.folder, env=self.environment(**more), timeout=TIMEOUT_S,
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done

    def measured(self, *words, **more):
        out = self.path("run.andes")
        if os.path.exists(out):
            os.remove(out)
        done = self.script(ANDES, "run", "-o", out, "--set", "windows=off", "--", *words, **more)
        return done, RunFile(out)

    def visits(self, run):
        """Of all call paths of the run, without those of the tool."""
        return {path: int(count) for path, count in run.sums_by_path("visits").items() if "(andes)" not in path}


class Marks(Python):
    def check_marks(self, run, below):
        visits = self.visits(run)
        self.assertEqual(visits[below + "/assembly"], 1)
        self.assertEqual(visits[below + "/named_by_itself"], 1)
        self.assertEqual(visits[below + "/failing"], 1)
        self.assertEqual(sum(count for path, count in visits.items() if path.endswith("/time step")), 5)
        document = json.loads(self.script(ANDES, "show", "--json", self.path("run.andes")).stdout)
        phases = {phase["path"][-1]: phase for phase in document["phases"]}
        self.assertEqual((phases["numbered"]["min_step"], len(phases["time step"]["steps"])), ("7", 5))
        self.assertEqual([(v["name"], v["count"], v["min"], v["max"]) for v in document["values"]],
                         [("residual", 5, 0, 8)])

    def test_marks_alone(self):
        done, run = self.measured(real_python(), os.path.join(HERE, "marked.py"), "5")
        self.assertEqual(done.stdout, "marked: done, measured\n")
        self.check_marks(run, "(program)")
        self.assertFalse(any("leaf" in path for path in self.visits(run)))

    def test_functions_of_a_script(self):
        done, run = self.measured(real_python(), "-m", "andes", os.path.join(HERE, "marked.py"), "5")
        self.assertEqual(done.stdout, "marked: done, measured\n")
        main = "(program)/marked.py/main"
        work = main + "/work"
        self.check_marks(run, work)
        visits = self.visits(run)
        steps = {path: count for path, count in visits.items() if path.startswith(work + "/time step")}
        for name, count in (("Solver.step", 5), ("leaf", 10)):
            self.assertEqual(sum(n for path, n in steps.items() if path.endswith("/" + name)), count, name)
        expected = {work: 1, work + "/countdown": 4, work + "/numbers": 5, work + "/numbers/leaf": 4,
                    work + "/assembly/assemble": 1, work + "/assembly/assemble/leaf": 1,
                    work + "/failing/fail": 1, main + "/leaf": 1, "(program)/marked.py/Solver": 1}
        self.assertEqual({path: visits.get(path) for path in expected}, expected)
        self.assertEqual(visits.get("(thread)/leaf"), 1)
        self.assertFalse(any("join" in path or "gettempdir" in path for path in visits))

    def test_profile_of_a_part(self):
        _, run = self.measured(real_python(), os.path.join(HERE, "marked.py"), "2", "profile")
        visits = self.visits(run)
        self.assertEqual(visits["(program)/work"], 1)
        self.assertNotIn("(program)/leaf", visits)  # after the part

    def test_modules_and_arguments(self):
        with open(self.path("tool.py"), "w", encoding="utf-8") as file:
            file.write("import sys\ndef used(): return sys.argv[1:]\nassert __name__ == '__main__'\n"
                       "assert used() == ['-x', 'y'], used()\n")
        for words in (["tool.py"], ["-m", "tool"]):
            _, run = self.measured(real_python(), "-m", "andes", *words, "-x", "y")
            self.assertEqual(self.visits(run)["(program)/tool.py/used"], 1)

    def test_exit_status_is_the_scripts(self):
        with open(self.path("ends.py"), "w", encoding="utf-8") as file:
            file.write("import sys\ndef end(): sys.exit(3)\nend()\n")
        self.script(real_python(), "-m", "andes", "ends.py", status=3)
        _, run = self.measured(real_python(), "-m", "andes", "ends.py", status=3)
        self.assertEqual(self.visits(run)["(program)/ends.py/end"], 1)

    def test_without_the_monitor(self):
        for words in (["marked.py", "2"], ["-m", "andes", "marked.py", "2"]):
            done = self.script(real_python(), *words, cwd=HERE)
            self.assertEqual(done.stdout, "marked: done, not measured\n")

    def test_bad_input(self):
        done = self.script(real_python(), "-m", "andes", "nosuch.py", status=2)
        self.assertEqual(done.stderr, "andes: nosuch.py: no such script; check its path\n")
        self.script(real_python(), "-m", "andes", status=2)


@unittest.skipUnless(has_mpi4py(), "no mpi4py")
class WithMpi(Python):
    def test_functions_and_mpi_in_one_tree(self):
        mpi = "openmpi" if "open" in subprocess.run(
            [SYSTEM, "-c", "from mpi4py import MPI; print(MPI.Get_library_version())"], capture_output=True, text=True,
            env=self.environment()).stdout.lower() else "mpich"
        mpirun = shutil.which("mpirun." + mpi)
        if not mpirun:
            self.skipTest("no mpirun." + mpi)
        done, run = self.measured(mpirun, "-n", "2", SYSTEM, "-m", "andes", os.path.join(HERE, "exchanged.py"))
        self.assertRegex(done.stdout, r"exchanged: 9(?!\d)")
        entered_s = {rank: [float(word) for word in words.split()]
                     for rank, words in re.findall(r"entered: (\d)((?: \d+\.\d{9}){3})", done.stdout)}
        self.assertEqual((run.facts["complete"], run.facts["ranks"]), (1, 2))
        visits = self.visits(run)
        loop = "(program)/exchanged.py/main/loop"
        self.assertEqual([visits[path] for path in (loop, loop + "/step", loop + "/step/compute")], [6, 6, 6])
        self.assertEqual(visits["(program)/exchanged.py/main/MPI_Barrier"], 2)
        idle = run.sums_by_path("idle_ns")
        waited_s = sum(ns for path, ns in idle.items() if path.startswith(loop + "/step/MPI_")) * 1e-9
        # Rank 1, three times 0.05 s where it is in time itself; once it may lose its core between its clock and the call.
        known_s = sum(max(0, late - early) for late, early in zip(entered_s["0"], entered_s["1"]))
        self.assertGreater(waited_s, known_s / 3)


if __name__ == "__main__":
    unittest.main()
