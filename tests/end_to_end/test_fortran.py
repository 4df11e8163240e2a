"""Fortran: the twins of jacobi.c, one for each interface of MPI, give the call tree of the C program
with its visits, bytes and messages, and andes finds the waits in them."""

import os
import shutil
import unittest

from support.build import ANDES, SOURCE
from support.commands import command
from support.end_to_end import EndToEnd
from support.programs import KINDS, program
from support.run_file import RunFile

COLUMNS = ("visits", "bytes_sent", "bytes_received", "messages_sent", "messages_received")
INTERFACES = ("mpif", "mpi", "f08")
# Small procedures have no probe, as small functions in C. Without dynamic memory nothing is left to do at the end.
SMALL = {"mpif": {"main/free_strip"}}
# Visits of forms.f90 under forms. Pure and elemental procedures (half, twice) never have a probe.
FORMS = {"": 1, "/forms::last": 1, "/first": 1, "/first/counted": 1, "/again": 2, "/again/counted": 2, "/for_c": 1,
         "/shapes::use_token": 1, "/shapes::use_token/shapes::forget": 1,
         "/shapes::circle_area": 1, "/shapes::total_integers": 1,
         "/shapes::total_reals": 1, "/shapes::total_reals/shapes::total_reals::add": 2, "/shapes::factorial": 5, "/shapes.details::in_submodule": 1}


def tree(run, ranks):
    """{call path of region names as in C: numbers of each rank}."""
    found = {}
    for callpath in run.callpaths:
        names = [name.split("::")[-1] for name in run.path(callpath).split("/")]
        if names[0] == "jacobi":  # the program's own name in Fortran
            names[0] = "main"
        if names not in ([""], ["(andes)"]):
            found["/".join(names)] = tuple(
                tuple(run.values.get((callpath, run.metrics[c]), {}).get(run.location(rank)["id"], 0)
                      for c in COLUMNS) for rank in range(ranks))
    return found


class Twins(EndToEnd):

    def check(self, kind, ranks, *args):
        _, c = self.measure(kind, ranks, "jacobi", *args, asleep=True)
        expected = tree(c, ranks)
        self.assertGreater(len(expected), 20)
        for interface in INTERFACES:
            if not os.path.exists(program(kind, "jacobi_" + interface)):
                self.skipTest("no Fortran compiler for " + kind)
            with self.subTest(kind=kind, ranks=ranks, interface=interface):
                out, run = self.measure(kind, ranks, "jacobi_" + interface, *args, asleep=True)
                self.assertIn(": right", out)
                self.assertEqual(tree(run, ranks),
                                 {path: row for path, row in expected.items() if path not in SMALL.get(interface, ())})
                self.assertEqual(run.messages, c.messages)
                self.assertEqual(set(run.metrics), set(c.metrics))
                done = command([ANDES, "diagnose", os.path.join(self.folder, "run%d.andes" % self.number)])
                self.assertEqual(done.stderr, "")

    def test_twins(self):
        for kind in KINDS:
            for ranks in (1, 2, 4):
                self.check(kind, ranks, "60", "30")
            self.check(kind, 2, "60", "10", "early")

    @unittest.skipUnless(shutil.which("gfortran"), "no gfortran")
    def test_names_of_every_form_of_procedure(self):
        source = os.path.join(SOURCE, "tests/preprocessor/fortran/forms.f90")
        for flag in ("-O0", "-O2"):
            with self.subTest(flag=flag):
                command([ANDES, "cc", "--select", "all", "gfortran", flag, source, "-o", "forms"], cwd=self.folder)
                out = os.path.join(self.folder, flag + ".andes")
                command([ANDES, "run", "-o", out, "--", "./forms"], cwd=self.folder)
                run = RunFile(out)
                visits = {run.path(c): run.value("visits", run.path(c), 0) for c in run.callpaths}
                self.assertEqual({path: n for path, n in visits.items() if path not in ("", "(andes)")},
                                 {"forms" + path: n for path, n in FORMS.items()})
                # What is left out of the tree leaves its time to its caller.
                ns = {metric: {c: sum(run.values.get((c, run.metrics[metric]), {}).values()) for c in run.callpaths}
                      for metric in ("inclusive_ns", "exclusive_ns")}
                for above in run.callpaths:
                    below = [c for c, row in run.callpaths.items() if row["parent"] == above]
                    self.assertAlmostEqual(ns["inclusive_ns"][above],
                                           ns["exclusive_ns"][above] + sum(ns["inclusive_ns"][c] for c in below),
                                           delta=2, msg=run.path(above))

    @unittest.skipUnless(shutil.which("gfortran"), "no gfortran")
    def test_a_program_without_a_name(self):
        """It is called main, once, with debug information and without."""
        for name, text in (("values.inc", "      COMMON /VALUES/ I\n"), ("old.f", "      INCLUDE 'values.inc'\n      I = 2\n      CALL TWICE\n"
                   "      END\n      SUBROUTINE TWICE\n      INCLUDE 'values.inc'\n      I = 2 * I\n      END\n")):
            with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
                file.write(text)
        for flag in ("-g", "-g0"):
            with self.subTest(flag=flag):
                command([ANDES, "cc", "--select", "all", "gfortran", flag, "old.f", "-o", "old"], cwd=self.folder)
                out = os.path.join(self.folder, flag + "old.andes")
                command([ANDES, "run", "-o", out, "--", "./old"], cwd=self.folder)
                run = RunFile(out)
                self.assertEqual({run.path(c) for c in run.callpaths}, {"", "(andes)", "main", "main/twice"})
                self.assertEqual({(r["file"], r["line"]) for r in run.regions.values() if r["name"] == "main"}, {("old.f", 2)})

    def test_files_and_lines(self):
        for kind in KINDS:
            with self.subTest(kind=kind):
                _, run = self.measure(kind, 1, "jacobi_f08", "60", "1")
                places = {r["name"]: (os.path.basename(r["file"] or ""), r["line"])
                          for r in run.regions.values()}
                with open(os.path.join(os.path.dirname(__file__), "../programs/fortran/jacobi.F90"),
                          encoding="utf-8") as file:
                    lines = file.read().splitlines()
                for name, text in (("strips::relax_rows", "subroutine relax_rows"),
                                   ("strips::send_edges::send_edge", "subroutine send_edge("),
                                   ("jacobi", "program jacobi")):
                    line = next(i for i, line in enumerate(lines, 1) if text in line)
                    self.assertEqual(places.get(name), ("jacobi.F90", line), name)


if __name__ == "__main__":
    unittest.main()
