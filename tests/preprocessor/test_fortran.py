"""andes cc with Fortran, where there is no plug-in for the compiler: the compiler's own hooks, the same results, and what
the selection says. Probes: test_fortran_probes.py."""
import collections
import os
import re
import shutil
import unittest

from support.build import PREPROCESS
from support.fortran import RULED, FortranCommands
from support.preprocessor import have

SOURCES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "fortran")
# Visits of forms.f90, by the names in its symbol table; internal procedures have theirs with a number.
VISITS = {"main": 1, "MAIN__": 1, "last": 1, "__shapes_MOD_circle_area": 1,
          "__shapes_MOD_total_integers": 1, "__shapes_MOD_total_reals": 1, "add": 2,
          "__shapes_MOD_twice": 3, "__shapes_MOD_half": 4, "__shapes_MOD_factorial": 5,
          "__shapes_MOD_in_submodule": 1, "first_": 1, "again_": 2, "master.0.first_": 3, "ForC": 1,
          "counted_": 3, "__shapes_MOD_use_token": 1, "__shapes_MOD_forget": 1, "__shapes_MOD___copy_shapes_Token": 1,
          "__shapes_MOD___final_shapes_Token": 1}


@unittest.skipUnless(have("gfortran"), "no gfortran")
class Fortran(FortranCommands):

    def setUp(self):
        super().setUp()
        for name in ("forms.f90", "tracer.c"):
            shutil.copy(os.path.join(SOURCES, name), self.dir)
        self.unknown = self.script("unknown", 'exec gfortran "$@"\n')

    def script(self, name, text):
        """A gfortran that does not say what it is."""
        path = self.write(name, '#!/bin/sh\ncase "$*" in *-dM*) exit 1;; esac\n' + text)
        os.chmod(path, 0o755)
        return path

    def andes(self, *words, **more):
        return self.run_here(PREPROCESS, "cc", *(self.unknown if word == "gfortran" else word for word in words), **more)

    def visits(self, program):
        """How often each function calls the hook, and what the program prints, which is the same
        without anybody behind the hooks."""
        self.run_here("gcc", "-shared", "-fPIC", "tracer.c", "-o", "tracer.so")
        plain = self.run_here("./" + program)
        traced = self.run_here("./" + program, env={"LD_PRELOAD": "./tracer.so"})
        self.assertEqual((plain.returncode, plain.stderr), (0, ""))
        self.assertEqual((traced.returncode, traced.stdout), (0, plain.stdout))
        symbols = dict(re.findall(r"^0*([0-9a-f]+) [tT] (.*)$", self.run_here("nm", program).stdout, re.M))
        return plain.stdout, dict(collections.Counter(
            re.sub(r"\.(\d+|localalias)$", "", symbols[address])
            for address in re.findall(r"^enter (\w+)$", traced.stderr, re.M)))

    def good(self, done, stderr=""):
        self.assertEqual((done.returncode, done.stderr), (0, stderr))

    def test_visits_of_every_form(self):
        self.good(self.run_here("gfortran", "forms.f90", "-o", "plain"))
        expected = self.run_here("./plain").stdout
        for flags in (["-O0"], ["-O2"], ["-O3", "-flto", "-Wall"], ["-fopenmp", "-fPIC"]):
            with self.subTest(flags=flags):
                self.good(self.andes("gfortran", *flags, "forms.f90", "-o", "forms"))
                self.assertEqual(self.visits("forms"), (expected, VISITS))

    def test_forms_and_names_of_sources(self):
        fixed = "c     fixed form\n      program p\n      call s\n      end\n      subroutine s\n      end\n"
        free = "program p\n#ifdef TWO\n call s\n#endif\n call s\nend\nsubroutine s\nend\n"
        for name, text, flags, times in (
                ("a.f", fixed, [], 1), ("a.for", fixed, [], 1), ("a.F", fixed, [], 1),
                ("a.ftn", fixed, [], 1), ("a.F90", free, ["-DTWO"], 2), ("a.f08", free, ["-cpp"], 1),
                ("a.txt", fixed, ["-x", "f77"], 1), ("b.txt", free, ["-DTWO", "-ffree-form", "-xf95-cpp-input"], 2),
                ("a.c", fixed, ["-x", "f77", "-ffixed-form"], 1)):
            with self.subTest(name=name, flags=flags):
                self.write(name, text)
                self.good(self.andes("gfortran", *flags, name, "-o", "p"))
                self.assertEqual(self.visits("p")[1].get("s_"), times)

    def test_outputs_are_those_of_the_plain_command(self):
        def look(done, by_andes):
            self.assertEqual("__cyg_profile_func_enter" in self.run_here("nm", "two.o").stdout, by_andes)
            return [line for line in done.stderr.splitlines() if "arning" in line or line.startswith("src")]

        said = self.check_outputs(self.unknown, ["-v"], look)
        self.assertEqual(len([line for line in said if "Wunused" in line]), 2)

    def test_errors_appear_once(self):
        self.write("bad.f90", "x = = 3\nend\n")
        plain = self.run_here("gfortran", "-c", "bad.f90")
        done = self.andes("gfortran", "-c", "bad.f90")
        self.assertEqual((done.returncode, done.stdout, done.stderr),
                         (plain.returncode, plain.stdout, plain.stderr))
        self.assertEqual((done.returncode, done.stderr.count("Error:")), (1, 1))

    def test_what_compiles_nothing_passes_through(self):
        for words in (["-cpp", "-E", "forms.f90"], ["-fsyntax-only", "forms.f90"], ["--version"],
                      ["-c", "forms.f90", "-###"], ["-fcheck=all", "-dumpmachine"]):
            with self.subTest(words=words):
                done, plain = self.andes("gfortran", *words), self.run_here("gfortran", *words)
                self.assertEqual((done.returncode, done.stdout), (plain.returncode, plain.stdout))
                self.assertNotIn("-finstrument-functions", done.stderr)
        self.good(self.run_here("gfortran", "-c", "forms.f90"))
        self.good(self.andes("gfortran", "forms.o", "-o", "forms"))
        self.assertEqual(self.visits("forms")[1], {})

    def test_there_is_no_text_to_show(self):
        done = self.run_here(PREPROCESS, "instrument", "forms.f90")
        self.assertEqual((done.returncode, done.stdout, done.stderr),
                         (2, "", "andes: forms.f90: Fortran gets its probes in the compiler, there is no text to show; "
                          "write --explain alone for the decisions\n"))

    def test_names_need_debug_information(self):
        """It is added unless the user chose: then names come from symbols."""
        for flags, module in (([], True), (["-g0"], False), (["-g1"], False), (["-g3"], True),
                              (["-ggdb"], True), (["-gdwarf-4"], True)):
            with self.subTest(flags=flags):
                self.good(self.andes("gfortran", *flags, "-c", "forms.f90"))
                info = self.run_here("readelf", "--debug-dump=info", "forms.o").stdout
                self.assertEqual("DW_TAG_module" in info, module)
                self.assertEqual("DW_TAG_subprogram" in info, flags != ["-g0"])

    def test_hooks_and_probes_do_not_both_count(self):
        self.write("c.c", "#include <stdlib.h>\nint main(void) { extern int f_(int*); int n = 4;\n"
                          "  return f_(&n) - atoi(\"8\"); }\n")
        self.write("f.f90", "integer function f(n)\ninteger :: n\nf = 2 * n\nend\n")
        self.good(self.andes("gfortran", "-O0", "-D__NO_INLINE__", "c.c", "f.f90", "-o", "p"))
        self.assertEqual(self.probes("p"), 0)
        self.assertEqual(self.visits("p")[1], {"main": 1, "f_": 1})

    def test_selection(self):
        self.write("r.f90", RULED)
        remark = "andes: m::solve: instrumented in spite of a rule: the compiler excludes by parts of names, " \
                 "and this name is part of another; exclude both, or rename one\n"
        everything = {"main": 1, "MAIN__": 1, "__m_MOD_solve": 1, "__m_MOD_solver": 1, "__m_MOD_write_it": 1}
        for rules, gone, said in (
                ("include *", [], ""),
                ("exclude M::WRITE_IT", ["__m_MOD_write_it"], ""),
                ("exclude m::solve", [], remark),
                ("exclude m::*\ninclude m::write*", ["__m_MOD_solve", "__m_MOD_solver"], ""),
                ("exclude P", ["MAIN__"], ""),
                ("exclude *\ninclude m::solver", ["MAIN__", "__m_MOD_write_it"], remark),
                ("SCOREP_FILE_NAMES_BEGIN\nEXCLUDE *\nSCOREP_FILE_NAMES_END", everything, ""),
                ("exclude *", everything, "")):
            with self.subTest(rules=rules):
                self.write("rules", rules + "\n")
                self.good(self.andes("--select", "rules", "gfortran", "-O0", "r.f90", "-o", "p"), said)
                self.assertEqual(self.visits("p")[1], {k: v for k, v in everything.items() if k not in gone})

    def test_selection_of_files_in_one_command(self):
        self.write("a.f90", "program p\ncall s\ncall t\nend\n")
        self.write("io/s.f90", "subroutine s\nend\n")
        self.write("t.f90", "subroutine t\nend\n")
        self.write("rules", "SCOREP_FILE_NAMES_BEGIN\nEXCLUDE io/*\nSCOREP_FILE_NAMES_END\n")
        self.good(self.andes("--select", "rules", "gfortran", "a.f90", "io/s.f90", "t.f90", "-o", "p"))
        self.assertEqual(self.visits("p")[1], {"main": 1, "MAIN__": 1, "t_": 1})

    def fake(self, name, line):
        return self.script(name, "case \"$*\" in *instrument*) %s;; esac\n"
                                 "exec gfortran $(echo \"$@\" | sed s/-finstrument-functions//)\n" % line)

    def test_a_compiler_without_hooks_compiles_unchanged(self):
        for line in ("echo what is that >&2; exit 1", "echo warning: -finstrument-functions: unknown >&2"):
            with self.subTest(line=line):
                compiler = self.fake("flang", line)
                self.good(self.andes(compiler, "forms.f90", "-o", "forms"),
                          "andes: forms.f90: not instrumented: %s does not compile it with "
                          "-finstrument-functions; compiled unchanged\n" % compiler)
                self.assertEqual(self.visits("forms")[1], {})


if __name__ == "__main__":
    unittest.main()
