"""Programs built with the compilers' hooks (-finstrument-functions) under the monitor: call paths, names,
files and lines. Usage: test_hooks.py LIBANDES [unittest arguments]."""
import os
import re
import shutil
import subprocess
import sys
import unittest

from support.folder import InFolder
from support.run_file import RunFile, below_program

LIBANDES = os.path.abspath(sys.argv[1])
HERE = os.path.dirname(os.path.abspath(__file__))
HOOKED = {
    "main": 1, "main/sim::Grid::Grid": 1, "main/sim::Grid::step": 100, "main/sim::twice": 200,
    "main/leap": 60, "main/large": 15, "main/huge": 4, "main/sized": 4, "main/sized/sim::twice": 4,
    "main/passes": 10, "main/passes/thrower": 10, "main/main::{lambda:95}": 5,
    "main/fib": 1973, "main/even": 11, "main/even/odd": 10, "main/around": 1, "main/around/small": 2,
    "main/handler": 3, "main/handler/count_signal": 3, "main/leaves_the_process": 1,
    "(thread)/in_thread": 2, "(thread)/in_thread/large": 10}


class Hooks(InFolder):
    def build(self, compiler, source, *flags, output="program"):
        shutil.copy(os.path.join(HERE, source), self.folder)
        subprocess.run([compiler, "-finstrument-functions", source, "-o", output, *flags], check=True,
                       cwd=self.folder)
        return self.path(output)

    def run_program(self, *command, status=0, **environment):
        """What it printed; its call paths below (program) with their visits; places by name."""
        out = self.path("run.andes")
        if os.path.exists(out):
            os.remove(out)
        done = subprocess.run(["/bin/sh", "-c", 'ANDES_PID=$$ exec "$@"', "sh", *command], text=True,
                              capture_output=True, timeout=600, cwd=self.folder,
                              env={**os.environ, "LD_PRELOAD": LIBANDES, "ANDES_OUT": out,
                                   "ANDES_BUDGET_PERCENT": "0", **environment})
        self.assertEqual((done.returncode, done.stderr), (status, ""))
        run = RunFile(out)
        functions = {path for callpath, path in run.paths.items() if run.kind(callpath) == "function"}
        visits = below_program({path: n for path, n in run.sums_by_path("visits").items() if path in functions})
        places = {region["name"]: (region["file"], region["line"]) for region in run.regions.values()}
        return done.stdout, visits, places

    def check_tree(self, visits, places):
        # The compiler may have left out calls of `small` and the constructor, hooks and all.
        self.assertEqual(visits, {path: n for path, n in HOOKED.items() if path in visits or
                                  not re.search("small|Grid::Grid", path)})
        self.assertEqual(places["sim::Grid::step"], ("hooked.cc", 20))
        self.assertEqual(places["leap"], ("hooked.cc", 33))
        self.assertEqual(places["main::{lambda:95}"], ("hooked.cc", 95))

    def test_call_tree(self):
        """The same with every compiler and level: longjmp, exceptions, recursion, exit."""
        for compiler in filter(shutil.which, ("g++", "clang++")):
            for level in ("-O0", "-O2"):
                with self.subTest(compiler=compiler, level=level):
                    program = self.build(compiler, "hooked.cc", "-g", level, "-pthread")
                    output, visits, places = self.run_program(program, status=3)
                    self.assertEqual(output, "done\n")
                    self.check_tree(visits, places)

    def test_debug_information_in_files_of_its_own(self):
        """Split units (.dwo): the names and lines of the functions are not in the program."""
        for compiler, flags in (("g++", ["-gdwarf-4"]), ("g++", ["-gdwarf-5"]), ("clang++", ["-gdwarf-5"])):
            with self.subTest(compiler=compiler, flags=flags):
                if not shutil.which(compiler):
                    continue
                program = self.build(compiler, "hooked.cc", *flags, "-gsplit-dwarf", "-O1", "-pthread")
                self.check_tree(*self.run_program(program, status=3)[1:])

    def test_not_position_independent_and_without_frame_pointers(self):
        for flags in (["-no-pie", "-fno-pie"], ["-fomit-frame-pointer"], ["-fno-omit-frame-pointer"]):
            with self.subTest(flags=flags):
                program = self.build("g++", "hooked.cc", "-g", "-O1", "-pthread", *flags)
                self.check_tree(*self.run_program(program, status=3)[1:])

    def test_the_kernels_clock_gives_the_same_tree(self):
        program = self.build("g++", "hooked.cc", "-g", "-O1", "-pthread")
        self.check_tree(*self.run_program(program, status=3, ANDES_CLOCK="monotonic")[1:])

    def test_without_debug_information_by_symbols(self):
        program = self.build("g++", "hooked.cc", "-O1", "-pthread")
        _, visits, places = self.run_program(program, status=3)
        self.assertEqual(visits["main/sim::v1::Grid::step"], 100)
        self.assertEqual(visits["main/sized/sim::v1::twice"], 4)
        self.assertEqual(visits["main/main::{lambda}"], 5)
        self.assertEqual(places["leap"], (None, None))

    def test_stripped_by_address(self):
        program = self.build("g++", "hooked.cc", "-O1", "-pthread", "-s")
        _, visits, _ = self.run_program(program, status=3)
        self.assertIn(1973, visits.values())
        self.assertTrue(all(re.fullmatch(r"program\+0x[0-9a-f]+", path.split("/")[-1]) for path in visits))

    def test_a_program_that_is_gone_at_the_end(self):
        program = self.build("gcc", "vanish.c", "-g", "-O1")
        _, visits, _ = self.run_program(program, program)
        self.assertEqual(sorted(visits.values()), [1, 1])
        self.assertTrue(all(re.fullmatch(r"program\+0x[0-9a-f]+", path.split("/")[-1]) for path in visits))

    def test_without_the_monitor(self):
        program = self.build("g++", "hooked.cc", "-O1", "-pthread")
        done = subprocess.run([program], capture_output=True, text=True, timeout=600)
        self.assertEqual((done.returncode, done.stdout), (3, "done\n"))

    def test_hot_functions_are_seen_in_windows(self):
        """With the default budget what is hot is estimated, and the tree stays whole."""
        program = self.build("gcc", "hot.c", "-g", "-O1")
        _, visits, _ = self.run_program(program, ANDES_BUDGET_PERCENT="1")
        self.assertEqual(visits["main/outer"], 100)
        self.assertEqual(set(visits), {"main", "main/outer", "main/outer/tiny"})
        self.assertGreater(visits["main/outer/tiny"], 0)

    def test_a_plugin_where_another_was(self):
        for name in ("first", "second"):
            self.build("cc", "plugin.c", "-g", "-shared", "-fPIC", f"-DNAME={name}", output=f"lib{name}.so")
        program = self.build("cc", "host.c", "-g", "-ldl")
        # By a relative name, and the first once more: it is the same region.
        output, visits, places = self.run_program(
            program, "./libfirst.so", "first", self.path("libsecond.so"), "second", "./libfirst.so", "first")
        self.assertEqual(output, "same\n", "the second plugin came elsewhere: nothing was tried")
        self.assertEqual(visits, {"main": 1, "main/first": 1 + 5, "main/second": 3})
        self.assertEqual(places["second"], ("plugin.c", 2))

    def test_plugins_that_come_and_go(self):
        """Two plugins in turns, 600 times each; the j-th of all, from 0, is called 2 j + 1 times."""
        words = []
        for name in ("first", "second"):
            self.build("cc", "plugin.c", "-g", "-shared", "-fPIC", f"-DNAME={name}", output=f"lib{name}.so")
            words += [self.path(f"lib{name}.so"), name]
        program = self.build("cc", "host.c", "-g", "-ldl")
        _, visits, _ = self.run_program(program, *(600 * words))
        self.assertEqual(visits, {"main": 1, "main/first": sum(4 * m + 1 for m in range(600)),
                                  "main/second": sum(4 * m + 3 for m in range(600))})

    def test_fortran(self):
        if not shutil.which("gfortran"):
            self.skipTest("no gfortran")
        for level in ("-O0", "-O2"):
            with self.subTest(level=level):
                program = self.build("gfortran", "procedures.f90", "-g", level, "-fno-inline")
                output, visits, places = self.run_program(program)
                self.assertEqual(output, "done\n")
                self.assertEqual(visits, {"demo": 1, "demo/solver::run": 1, "demo/solver::run/solver::step": 5,
                                        "demo/solver::run/solver::run::inner": 4, "demo/outside": 1})
                self.assertEqual(places["solver::step"], ("procedures.f90", 16))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
