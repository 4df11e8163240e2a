"""andes cc with Fortran and the plug-in for the compiler: probes in every form of procedure, with the user's names, files and
lines; messages, modules and debug information of the plain command; what the selection says."""
import glob
import os
import re
import shutil
import unittest

from support.build import ANDES, BUILD, PREPROCESS
from support.fortran import RULED, FortranCommands
from support.preprocessor import have
from support.run_file import RunFile

SOURCES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "fortran")
FORMS = {"forms": 1, "forms::last": 1, "first": 1, "again": 2, "counted": 3, "for_c": 1, "shapes::use_token": 1,
         "shapes::forget": 1, "shapes::circle_area": 1, "shapes::total_integers": 1, "shapes::total_reals": 1,
         "shapes::total_reals::add": 2, "shapes::factorial": 5, "shapes.details::in_submodule": 1}
PURE = """module m
  interface
    module pure subroutine apart(x)
      real, intent(inout) :: x
    end subroutine
  end interface
contains
  pure &
    real function far(x)
    real, intent(in) :: x
    far = x
  end
  REAL(KIND=4) PURE FUNCTION late(x)
    real, intent(in) :: x
    late = x
  end
  impure elemental subroutine each(x)
    real, intent(inout) :: x
    x = x + 1
  end
  subroutine impure_by_effect(x)
    real, intent(inout) :: x
    x = x + 1
  end; pure subroutine second(x)
    real, intent(inout) :: x
    x = x + 1
  end
end
submodule (m) s
contains
  module procedure apart
    x = x + 1
  end
end
program p
  use m
  real :: x = 1
  x = far(late(x))
  call each(x)
  call impure_by_effect(x)
  call second(x)
  call apart(x)
end
"""


@unittest.skipUnless(have("gfortran"), "no gfortran")
@unittest.skipUnless(glob.glob(os.path.join(BUILD, "lib*", "andes", "andes_gcc_*.so")), "the plug-in was not built")
class FortranProbes(FortranCommands):

    def setUp(self):
        super().setUp()
        shutil.copy(os.path.join(SOURCES, "forms.f90"), self.dir)

    def andes(self, *words, **more):
        """With probes in the smallest procedures, too, unless options of andes come first."""
        options = () if words[0].startswith("-") else ("--select", "all")
        return self.run_here(PREPROCESS, "cc", *options, *words, **more)

    def good(self, done, stderr=""):
        self.assertEqual((done.returncode, done.stderr), (0, stderr))

    def run_of(self, program):
        """Runs a program, plain and monitored: the run file."""
        plain = self.run_here("./" + program)
        for file in glob.glob(os.path.join(self.dir, "*.andes")):
            os.remove(file)
        done = self.run_here(ANDES, "run", "-o", "run.andes", "--", "./" + program)
        self.assertEqual((done.returncode, done.stdout), (plain.returncode, plain.stdout), done.stderr)
        return RunFile(os.path.join(self.dir, "run.andes"))

    def visits(self, program):
        run = self.run_of(program)
        found = {}
        for callpath in run.callpaths:
            path = run.path(callpath)
            if path not in ("", "(andes)"):
                name = path.split("/")[-1]
                found[name] = found.get(name, 0) + sum(run.values.get((callpath, run.metrics["visits"]), {}).values())
        return found

    def test_every_form_of_procedure(self):
        self.good(self.run_here("gfortran", "forms.f90", "-o", "plain"))
        expected = self.run_here("./plain").stdout
        for flags in (["-O0"], ["-O2"], ["-O3", "-flto"], ["-O2", "-fopenmp", "-fPIC"], ["-Ofast", "-g", "-fcheck=all"],
                      ["-O2", "-static-libgfortran", "-fno-pie", "-no-pie"], ["-Os", "-fno-omit-frame-pointer"]):
            with self.subTest(flags=flags):
                self.good(self.andes("gfortran", *flags, "forms.f90", "-o", "forms"))
                self.assertEqual(self.run_here("./forms").stdout, expected)
                self.assertEqual(self.visits("forms"), FORMS)
                self.assertNotIn("__cyg_profile", self.run_here("nm", "forms").stdout)

    def test_other_forms_of_assembler(self):
        """A probe has one: there it is hooks."""
        self.good(self.andes("gfortran", "-masm=intel", "forms.f90", "-o", "forms"))
        self.assertIn("__cyg_profile", self.run_here("nm", "forms").stdout)

    def test_pure_and_elemental_procedures_have_none(self):
        self.write("pure.f90", PURE)
        for flags in (["-O0"], ["-O2"]):
            self.good(self.andes("gfortran", *flags, "pure.f90", "-o", "pure"))
            self.assertEqual(self.visits("pure"), {"p": 1, "m::impure_by_effect": 1})
        self.write("fixed.f", "      P U R E SUBROUTINE S(X)\n      REAL, INTENT(INOUT) :: X\n      X = 1\n      END\n"
                   "      PURE REAL\nC     a comment\n     1FUNCTION F(X)\n      REAL, INTENT(IN) :: X\n      F = X\n      END\n"
                   "      SUBROUTINE T(X)\n      X = 1\n      END\n"
                   "      PROGRAM P\n      INTERFACE\n      PURE SUBROUTINE S(X)\n      REAL, INTENT(INOUT) :: X\n      END\n"
                   "      PURE REAL FUNCTION F(X)\n      REAL, INTENT(IN) :: X\n      END\n      END INTERFACE\n"
                   "      CALL S(X)\n      CALL T(X)\n      X = F(X)\n      PRINT *, X\n      END\n")
        self.good(self.andes("gfortran", "-O1", "fixed.f", "-o", "fixed"))
        self.assertEqual(self.visits("fixed"), {"p": 1, "t": 1})

    def test_both_mpi_wrappers(self):
        for wrapper in ("mpif90", "mpifort", "mpif77", "mpif90.openmpi", "mpif90.mpich"):
            if have(wrapper):
                with self.subTest(wrapper=wrapper):
                    self.good(self.andes(wrapper, "-c", "forms.f90"))
                    symbols = self.run_here("nm", "forms.o").stdout
                    self.assertEqual(len(re.findall(r"andes_site\.\d+", symbols)), len(FORMS))

    def test_forms_and_places_of_sources(self):
        fixed = "c     fixed form\n      program p\n      call s\n      end\n      subroutine s\n      end\n"
        free = "program p\n#ifdef TWO\n call s\n#endif\n call s\nend\nsubroutine s\nend\n"
        for name, text, flags, times, line in (
                ("a.f", fixed, [], 1, 5), ("a.for", fixed, [], 1, 5), ("a.F", fixed, [], 1, 5),
                ("a.ftn", fixed, [], 1, 5), ("a.F90", free, ["-DTWO"], 2, 7), ("a.f08", free, ["-cpp"], 1, 7),
                ("a.txt", fixed, ["-x", "f77"], 1, 5), ("b.txt", free, ["-DTWO", "-ffree-form", "-xf95-cpp-input"], 2, 7)):
            with self.subTest(name=name, flags=flags):
                self.write(name, text)
                self.good(self.andes("gfortran", *flags, name, "-o", "p"))
                run = self.run_of("p")
                self.assertEqual(run.value("visits", "p/s", 0), times)
                self.assertEqual({(r["file"], r["line"]) for r in run.regions.values() if r["name"] == "s"}, {(name, line)})

    def test_included_files(self):
        self.write("inc/body.inc", "subroutine s\nend\n")
        self.write("head.h", "! head\nsubroutine t\nend\n")
        self.write("a.F90", 'program p\ncall s\ncall t\nend\ninclude "body.inc"\n#include "head.h"\nsubroutine u\nend\n')
        self.good(self.andes("gfortran", "-Iinc", "a.F90", "-o", "p"))
        run = self.run_of("p")
        self.assertEqual({(r["name"], r["file"], r["line"]) for r in run.regions.values() if r["name"] in "stu"},
                         {("s", "body.inc", 1), ("t", "head.h", 2)})

    def test_counts_of_what_is_preprocessed_already(self):
        """As CMake does with Ninja."""
        self.write("a.f90", "")
        self.write("a-pp.f90", '# 1 "a.f90"\n# 1 "<built-in>"\n# 1 "<command-line>"\n# 1 "a.f90"\nmodule m\nend\n')
        done = self.run_here(ANDES, "build", "--", "gfortran", "-fpreprocessed", "-c", "a-pp.f90")
        self.assertEqual((done.returncode, done.stderr),
                         (0, "andes: build: 0 sources instrumented, 1 left as it is (no function needs a probe: 1), "
                             "0 programs linked\n"))

    def test_outputs_are_those_of_the_plain_command(self):
        def look(done, by_andes):
            self.assertEqual("andes_site" in self.run_here("nm", "two.o").stdout, by_andes)
            info = self.run_here("readelf", "--debug-dump=info", "two.o").stdout
            return done.stderr, re.findall(r"DW_AT_(?:name|producer|comp_dir|decl_line)\b.*: (.*)", info)

        said, _ = self.check_outputs("gfortran", ["-g"], look)
        self.assertEqual(said.count("Wunused"), 2)

    def test_errors_and_warnings_of_the_optimiser(self):
        self.write("bad.f90", "x = = 3\nend\n")
        self.write("stack.f90", "subroutine s(n)\ninteger :: n, k(100)\nk = n\ncall t(k)\nend\n")
        for words in (["-c", "bad.f90"], ["-O2", "-Wstack-usage=8", "-c", "stack.f90"],
                      ["-O2", "-Wstack-usage=8", "-Werror", "-c", "stack.f90"]):
            with self.subTest(words=words):
                plain = self.run_here("gfortran", *words)
                done = self.andes("gfortran", *words)
                self.assertEqual((done.returncode, done.stdout, done.stderr),
                                 (plain.returncode, plain.stdout, plain.stderr))
                self.assertNotEqual(done.stderr, "")

    def compiler(self, after):
        """A gfortran that does something after each compilation; `runs` has a line for each."""
        self.write("counted", '#!/bin/sh\ngfortran "$@"\nstatus=$?\ncase "$*" in *.f90*) echo >> runs; %s;; esac\n'
                              'exit $status\n' % after)
        os.chmod(os.path.join(self.dir, "counted"), 0o755)
        return "./counted"

    def test_a_module_file_that_comes_late(self):
        """As in a `make -j` without its dependencies: the command fails, and would not a moment later."""
        self.write("late.f90", "module late\nend\n")
        self.write("use.f90", "subroutine s\nuse late\nprint *, 1\nend\n")
        compiler = self.compiler("gfortran -fsyntax-only late.f90")
        for words in ([], ["-Werror"]):
            with self.subTest(words=words):
                self.good(self.andes(compiler, *words, "-c", "use.f90"))
                self.assertIn("andes_site", self.run_here("nm", "use.o").stdout)
                os.remove(os.path.join(self.dir, "late.mod"))

    def test_errors_cost_one_more_compilation(self):
        self.write("bad.f90", "x = = 3\nend\n")
        self.assertEqual(self.andes(self.compiler("true"), "-c", "bad.f90").returncode, 1)
        self.assertEqual(self.read("runs"), "\n" * 2)

    def test_a_call_of_mpi_abort_is_no_work(self):
        for call, decision in {"mpi_abort(0, 1, ierror)": "left out: small (", "mpi_barrier(0, ierror)": "instrumented"}.items():
            self.write("a.f90", "integer function at(v, i)\n  integer :: v(9), i, ierror\n"
                                "  if (i > 9) call %s\n  at = v(i)\nend function\n" % call)
            done = self.run_here(ANDES, "instrument", "--explain", "--select", "default", "a.f90")
            self.assertTrue(done.stdout.splitlines()[1].split(None, 2)[2].startswith(decision), done.stdout)

    def test_what_is_called_by_the_table_of_a_type_in_a_loop(self):
        self.write("grid.f90", """module grid
  type :: mesh_type
    integer :: n = 4
    real :: values(100)
  contains
    procedure :: cell
    procedure :: first => begin
    procedure :: sweep
  end type
contains
  subroutine cell(self, i)
    class(mesh_type), intent(inout) :: self
    integer, intent(in) :: i
    integer :: pass
    do pass = 1, 12
      self%values(i) = self%values(i) * 0.5 + self%values(101 - i)
    end do
  end subroutine
  subroutine begin(self)
    class(mesh_type), intent(inout) :: self
    integer :: pass
    do pass = 1, 12
      self%values(1) = self%values(1) * 0.5 + self%values(101 - pass)
    end do
  end subroutine
  subroutine sweep(self)
    class(mesh_type), intent(inout) :: self
    integer :: i
    do i = 1, self%n
      call self%cell(i)
      call self%first()
    end do
  end subroutine
end module
""")
        done = self.run_here(ANDES, "instrument", "--explain", "--select", "default", "grid.f90")
        decisions = {line.split()[0]: line.split(None, 2)[2] for line in done.stdout.splitlines()[1:]}
        for name in ("grid::cell", "grid::begin"):
            self.assertRegex(decisions.pop(name), "left out: short for the loops that call it .* about .* of grid::sweep")
        self.assertEqual(decisions, {"grid::sweep": "instrumented"})

    def test_a_call_by_the_table_of_a_type_is_of_its_only_procedure(self):
        """Under whatever name the type binds it. Not where an extension has another one, or the type itself has none."""
        text = """module gas
  type%s :: state
    real :: e = 1, rho = 1
  contains
    procedure%s :: pressure%s
    procedure :: sound
  end type
  type, extends(state) :: real_gas
    real :: b = 0
  contains
    %s
  end type
  abstract interface
    real function of_state(self)
      import
      class(state), intent(in) :: self
    end function
  end interface
contains
  real function ideal_pressure(self)
    class(state), intent(in) :: self
    ideal_pressure = 0.4 * self%%e * self%%rho
  end function
  real function real_pressure(self)
    class(real_gas), intent(in) :: self
    real_pressure = 0.4 * self%%e * self%%rho / (1 - self%%b)
  end function
  real function sound(self)
    class(state), intent(in) :: self
    sound = sqrt(1.4 * self%%pressure() / self%%rho)
  end function
end module
"""
        more, other = "procedure :: more => real_pressure", "procedure :: pressure => real_pressure"
        for words, decision in ((("", "", " => ideal_pressure", more), "left out: small ("),
                                (("", "", " => ideal_pressure", other), "instrumented"),
                                ((", abstract", "(of_state), deferred", "", other), "instrumented")):
            with self.subTest(words=words):
                self.write("gas.f90", text % words)
                done = self.run_here(ANDES, "instrument", "--explain", "--select", "default", "gas.f90")
                decisions = {line.split()[0]: line.split(None, 2)[2] for line in done.stdout.splitlines()[1:]}
                self.assertTrue(decisions["gas::sound"].startswith(decision), decisions)

    def test_selection(self):
        self.write("r.f90", RULED)
        everything = {"p": 1, "m::solve": 1, "m::solver": 1, "m::write_it": 1}
        for rules, gone in (
                ("include *", []), ("exclude M::WRITE_IT", ["m::write_it"]), ("exclude m::solve", ["m::solve"]),
                ("exclude m::*\ninclude m::write*", ["m::solve", "m::solver"]), ("exclude P", ["p"]),
                ("exclude mangled __m_MOD_solve", ["m::solve"]),
                ("SCOREP_FILE_NAMES_BEGIN\nEXCLUDE *\nSCOREP_FILE_NAMES_END", everything), ("exclude *", everything)):
            with self.subTest(rules=rules):
                self.write("rules", "include *\n" + rules + "\n")
                self.good(self.andes("--select", "rules", "gfortran", "-O0", "r.f90", "-o", "p"))
                self.assertEqual(self.visits("p"), {k: v for k, v in everything.items() if k not in gone})

    def test_selection_of_files_in_one_command(self):
        self.write("a.f90", "program p\ncall s\ncall t\nend\n")
        self.write("io/s.f90", "subroutine s\nend\n")
        self.write("t.f90", "subroutine t\nprint *, 1\nend\n")
        self.write("rules", "SCOREP_FILE_NAMES_BEGIN\nEXCLUDE io/*\nSCOREP_FILE_NAMES_END\n")
        self.good(self.andes("--select", "rules", "gfortran", "a.f90", "io/s.f90", "t.f90", "-o", "p"))
        self.assertEqual(self.visits("p"), {"p": 1, "t": 1})

    def test_left_and_entered_in_every_way(self):
        self.write("ways.f90", "program p\nimplicit none\ninteger :: i, n = 0\ndo i = 1, 6\n  call alternate(i, *10)\n"
                   "  n = n + 1\n10 continue\nend do\nprint *, n, recursive_sum(5)\ncall ended\ncontains\n"
                   "subroutine alternate(i, *)\ninteger, intent(in) :: i\nif (i > 4) return 1\nif (i == 2) goto 20\n"
                   "return\n20 n = n + 10\nend subroutine\n"
                   "recursive function recursive_sum(k) result(s)\ninteger :: k, s\nif (k == 0) then\ns = 0\nreturn\n"
                   "end if\ns = k + other(k - 1)\nend function\n"
                   "recursive function other(k) result(s)\ninteger :: k, s\ns = recursive_sum(k)\nend function\n"
                   "subroutine ended\nstop 3\nend subroutine\nend program\n")
        for flag in ("-O0", "-O2"):
            self.good(self.andes("gfortran", flag, "ways.f90", "-o", "ways"))
            found = self.visits("ways")
            self.assertEqual({k: found[k] for k in ("p", "p::alternate", "p::recursive_sum", "p::other", "p::ended")},
                             {"p": 1, "p::alternate": 6, "p::recursive_sum": 6, "p::other": 5, "p::ended": 1})

    def test_openmp(self):
        self.write("omp.f90", "program p\ninteger :: i, s = 0\n!$omp parallel do reduction(+:s) num_threads(2)\n"
                   "do i = 1, 10\n  call work(i, s)\nend do\nprint *, s\ncontains\nsubroutine work(i, s)\n"
                   "integer :: i, s\ns = s + i\nend subroutine\nend\n")
        for flag in ("-O0", "-O2"):
            self.good(self.andes("gfortran", flag, "-fopenmp", "omp.f90", "-o", "omp"))
            self.assertEqual(self.visits("omp")["p::work"], 10)
            regions = {(r["name"], r["line"]) for r in self.run_of("omp").regions.values()}
            self.assertIn(("parallel do", 3), regions)


if __name__ == "__main__":
    unittest.main()
