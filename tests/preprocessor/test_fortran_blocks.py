"""andes cc with Fortran and the plug-in: marked statements, DO loops and constructs of OpenMP as regions, small procedures
without a probe, and C beside Fortran in one command. Visits are known by hand; results are those of the plain program."""
import glob
import os
import re
import unittest

from support.build import ANDES, BUILD, PREPROCESS
from support.fortran import FortranCommands
from support.preprocessor import have
from support.run_file import RunFile

# Each way out of a loop and of a marked region; free form.
WAYS = """module work
contains
subroutine fill(a, n, kind)
  integer :: n, kind, i, j
  real :: a(n)
  !$andes region fill
  do i = 1, n
    a(i) = i
    if (kind == 1 .and. i == 5) exit
    if (kind == 2 .and. i == 5) return
    if (kind == 3 .and. i == 5) goto 30
  end do
  !$andes end region
  a(1) = 3
30 continue
  !$andes PHASE "a step"
  do i = int(sum(a(:2)) * 0) + 1, &
      n, 1
    do j = 1, 2; a(i) = a(i) + j; end do
  end do
  !$andes end phase
  outer: do
    do while (a(1) > 0)
      a(1) = a(1) - 1
      if (a(1) < 2) exit outer
    end do
  end do outer
  do concurrent (i = 1:n)
    a(i) = a(i) + 1
  end do
  select case (kind)
  case (1)
    !$andes region one
    a(2) = 1
    a(3) = 1
    !$andes end region
  case default
    a(2) = 2
  end select
  do i = 1, 0
    a(i) = 0
  end do
end subroutine
end module
program p
  use work
  real :: a(100)
  integer :: k
  do k = 0, 3
    call fill(a, 100, k)
  end do
  print *, sum(a)
end program
"""
WAYS_VISITS = {"p": 1, "p::{loop:49}": 1, "work::fill": 4, "fill": 4, "work::fill::{loop:7}": 4, "a step": 3,
               "work::fill::{loop:17}": 3, "work::fill::{loop:19}": 300, "work::fill::{loop:22}": 3,
               "work::fill::{loop:23}": 3, "one": 1, "work::fill::{loop:40}": 3}
WAYS_EXPLAINED = """function                line  decision
work::fill                 3  instrumented
fill                       6  instrumented
work::fill::{loop:7}       7  instrumented
a step                    16  instrumented
work::fill::{loop:17}     17  instrumented
work::fill::{loop:19}     19  left out: inside the loop of line 17
work::fill::{loop:22}     22  instrumented
work::fill::{loop:23}     23  left out: inside the loop of line 22
work::fill::{loop:28}     28  left out: do concurrent: its iterations may run in any order
one                       33  instrumented
work::fill::{loop:40}     40  left out: small (1 iterations, 8 operations in all)
p                         45  instrumented
p::{loop:49}              49  instrumented
"""
FIXED = """      program p
      integer i, j, s
      s = 0
c$andes region all
      do 10 i = 1, 1000
      do 10 j = 1, 3
      if (j .eq. 2) goto 10
      s = s + 1
   10 continue
*$andes end region
      print *, s
      end
"""
# Statements whose trees have no place of their own, or that of something else.
PLACES = """module m
  type t
    integer :: k = 0
  end type
  interface
    subroutine w(n)
      integer :: n
    end
  end interface
contains
  subroutine s(object)
    class(t) :: object
    character(:), allocatable :: text
    integer, allocatable :: a(:)
    !$andes region "constant argument"
    call w(1)
    !$andes end region
    !$andes region "select type"
    select type (object)
    type is (t)
      call w(2)
    class default
      call w(3)
    end select
    !$andes end region
    allocate (a(3), source = object%k)
    text = "a"
    !$andes region "text of any length"
    text = text // text
    call w(len(text))
    !$andes end region
  contains
    subroutine never_called
    end
  end subroutine
end module
subroutine w(n)
  integer :: n
  print *, n
end
program p
  use m
  call s(t())
end
"""
PLACES_VISITS = {"p": 1, "p/m::s": 1, "p/m::s/constant argument": 1, "p/m::s/constant argument/w": 1, "p/m::s/select type": 1,
                 "p/m::s/select type/w": 1, "p/m::s/text of any length": 1, "p/m::s/text of any length/w": 1}
WRONG = """program p
  integer :: i, s = 0
  goto 10
  !$andes region entered
  s = 1
10 s = s + 1
  !$andes end region
  if (s > 0) then
    s = 2
    !$andes region crossed
    s = 3
  else
    s = 4
    !$andes end region
  end if
  !$andes region empty
  !$andes end region
  !$andes region open
  print *, s
end program
"""
# Two threads; the visits of each construct, in both together, by hand.
COUNTED = """program p
  integer :: i, s = 0, t = 0
  do k = 1, 3
    !$omp parallel num_threads(2) default(none) shared(s, t) private(i)
    !$omp do schedule(static) &
    !$omp   reduction(+:t)
    do i = 1, 12
      !$omp critical (sum)
      s = s + i
      !$omp end critical (sum)
      t = t + 1
    end do
    !$omp single
    do i = 1, 5
      !$omp task
      !$omp atomic
      s = s + 1
      !$omp end task
    end do
    !$omp taskwait
    !$omp end single
    !$omp barrier
    !$omp master
    !$omp atomic
    s = s + 100
    !$omp end master
    !$omp sections
    !$omp section
    !$omp atomic
    s = s + 1
    !$omp section
    !$omp atomic
    s = s + 1
    !$omp end sections
    !$andes region mine
    !$omp atomic
    s = s + 1
    !$andes end region
    !$omp end parallel
  end do
  !$omp parallel do simd num_threads(2) reduction(+:t)
  do i = 1, 10
    t = t + 1
  end do
  print *, s, t
end
"""
COUNTED_VISITS = {"p": 1, "parallel": 6, "do": 6, "critical (sum)": 36, "single": 6, "task": 15, "taskwait": 3, "barrier": 6,
                  "master": 3, "sections": 6, "section": 6, "mine": 6, "parallel do": 2}
ONCE = """  function %(name)s(i) result(r)
    integer :: i, k
    real(8) :: r
    real(8), save :: t(200)
    %(declared)s
    if (%(test)s) then
      do k = 1, i
        t(k) = k * 2.0
      end do
      %(answered)s
    end if
    %(more)s
    r = t(i)
  end function
"""
ONCE_WITHIN = ONCE.replace("end function", """contains
    subroutine other
      if (i > 100) first = .true.
    end subroutine
  end function""") % {"name": "host", "declared": "logical, save :: first = .true.", "test": "first", "answered": "first = .false.",
                      "more": "call other"}
SMALL = """module m
contains
real function area(r)
  real, intent(in) :: r
  area = 3.14 * r * r
end function
subroutine sweep(a)
  real, intent(inout) :: a(:)
  integer :: i
  do i = 1, size(a)
    a(i) = area(a(i)) + cube(a(i))
  end do
end subroutine
real function cube(r)
  real, intent(in) :: r
  integer :: k
  cube = 1
  do k = 1, 3
    cube = cube * r
  end do
end function
end module
program p
  use m
  real :: a(100000)
  integer :: k
  a = 0.5
  do k = 1, 20
    call sweep(a)
  end do
  print *, a(1)
end program
"""


@unittest.skipUnless(have("gfortran"), "no gfortran")
@unittest.skipUnless(glob.glob(os.path.join(BUILD, "lib*", "andes", "andes_gcc_*.so")), "the plug-in was not built")
class FortranBlocks(FortranCommands):

    def build(self, *words, stderr="", **more):
        done = self.run_here(PREPROCESS, "cc", *words, **more)
        self.assertEqual((done.returncode, done.stderr), (0, stderr))

    def explained(self, *words):
        return self.run_here(ANDES, "instrument", "--explain", *words)

    def run_of(self, program, source, *flags):
        """Runs a program built by andes: as plain ones do. The run file."""
        self.assertEqual(self.run_here("gfortran", *flags, source, "-o", "plain").returncode, 0)
        expected = self.run_here("./plain").stdout
        self.assertEqual(self.run_here("./" + program).stdout, expected)
        for file in glob.glob(os.path.join(self.dir, "*.andes")):
            os.remove(file)
        done = self.run_here(ANDES, "run", "-o", "run.andes", "--", "./" + program)
        self.assertEqual((done.returncode, done.stdout), (0, expected), done.stderr)
        return RunFile(os.path.join(self.dir, "run.andes"))

    def visits(self, run):
        found = {}
        for callpath in run.callpaths:
            name = run.path(callpath).split("/")[-1]
            kind = run.regions[run.callpaths[callpath]["region"]]["kind"]
            if name and (not name.startswith("(")) and kind != "instance":
                found[name] = found.get(name, 0) + sum(run.values.get((callpath, run.metrics["visits"]), {}).values())
        return found

    def test_regions_and_loops(self):
        self.write("ways.f90", WAYS)
        for flag in ("-O0", "-O2"):
            with self.subTest(flag=flag):
                self.build("--select", "all", "--loops", "all", "gfortran", flag, "ways.f90", "-o", "ways")
                run = self.run_of("ways", "ways.f90", flag)
                self.assertEqual(self.visits(run), WAYS_VISITS)
                kinds = {r["name"]: r["kind"] for r in run.regions.values()}
                self.assertEqual((kinds["fill"], kinds["a step"], kinds["p::{loop:49}"]), ("block", "phase", "loop"))
        done = self.explained("--loops", "outer", "ways.f90")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, WAYS_EXPLAINED, ""))

    def test_explaining_beside_module_files_of_the_last_build(self):
        def write(procedure):
            self.write("m.f90", "module m\ncontains\nsubroutine {0}\nend subroutine\nend module\n"
                                "program p\nuse m, only: {0}\ncall {0}\nend\n".format(procedure))
        os.mkdir(os.path.join(self.dir, "mods"))
        for flags in (["-J", "mods"], ["-Jmods"]):
            write("old")
            self.assertEqual(self.run_here("gfortran", "-c", "m.f90", *flags).returncode, 0)
            write("new")
            done = self.explained("m.f90", "--", *flags)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertIn("m::new", done.stdout)
        write("old")
        self.assertEqual(self.run_here("gfortran", "-c", "m.f90").returncode, 0)
        write("new")
        done = self.explained("m.f90")
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stderr.splitlines()[-1], "andes: m.f90: gfortran does not compile it; give its compile flags "
                         "after --, and remove m.mod here, if older than the source")

    def test_fixed_form_and_selection_of_blocks(self):
        self.write("fixed.f", FIXED)
        for options, expected in (
                (["--loops", "outer"], {"p": 1, "all": 1, "p::{loop:5}": 1}),
                ([], {"p": 1, "all": 1}),
                (["--loops", "all", "--select", "rules"], {"p": 1, "p::{loop:5}": 1, "p::{loop:6}": 1000})):
            self.write("rules", "include p*\nexclude all\n")
            self.build(*options, "gfortran", "-std=legacy", "fixed.f", "-o", "fixed")
            self.assertEqual(self.visits(self.run_of("fixed", "fixed.f", "-std=legacy")), expected)

    def test_marks_hold_every_form_of_statement(self):
        self.write("places.f90", PLACES)
        for flag in ("-O0", "-O2"):
            with self.subTest(flag=flag):
                self.build("--select", "all", "gfortran", flag, "places.f90", "-o", "places")
                run = self.run_of("places", "places.f90", flag)
                paths = {run.path(callpath) for callpath in run.callpaths}
                found = {path: run.value("visits", path, 0) for path in paths if path.startswith("p")}
                self.assertEqual(found, PLACES_VISITS)

    def test_marks_that_mean_nothing(self):
        self.write("wrong.f90", WRONG)
        self.build("gfortran", "wrong.f90", "-o", "wrong", stderr=(
            "andes: wrong.f90:18: !$andes region open: has no end; write !$andes end region behind its statements\n"
            "andes: wrong.f90:16: !$andes region empty: no statement stands between it and its end\n"
            'andes: wrong.f90:4: !$andes region "entered": jumped into from outside\n'
            'andes: wrong.f90:10: !$andes region "crossed": begins or ends inside of another statement\'s block; put both '
            "marks into one block\n"))
        self.assertEqual(self.visits(self.run_of("wrong", "wrong.f90")), {"p": 1})

    def test_openmp(self):
        self.write("omp.f90", COUNTED)
        for flag in ("-O0", "-O2"):
            with self.subTest(flag=flag):
                self.build("gfortran", "-fopenmp", flag, "omp.f90", "-o", "omp")
                run = self.run_of("omp", "omp.f90", "-fopenmp", flag)
                found = self.visits(run)
                self.assertEqual({name: found.get(name) for name in COUNTED_VISITS}, COUNTED_VISITS)
                lines = {r["line"] for r in run.regions.values() if r["name"] == "do"}
                self.assertEqual(lines, {5})
        self.build("--openmp", "off", "gfortran", "-fopenmp", "omp.f90", "-o", "omp")
        self.assertEqual({name for name in self.visits(self.run_of("omp", "omp.f90", "-fopenmp")) if name in COUNTED_VISITS},
                         {"p", "mine"})
        rows = dict(re.findall(r"^(.*?) +\d+  (.*)$", self.explained("omp.f90", "--", "gfortran", "-fopenmp").stdout, re.M))
        self.assertEqual(rows["atomic"], "left out: a few instructions")
        self.assertEqual(rows["parallel do"], "instrumented")

    def test_small_procedures(self):
        """They have no probe, and the report says what part of their callers' time is theirs."""
        self.write("small.f90", SMALL)
        rows = dict(re.findall(r"^(.*?) +\d+  (.*)$", self.explained("small.f90").stdout, re.M))
        self.assertRegex(rows["m::area"], r"^left out: small \(\d+ operations, no loops, no calls\); about \d+ % of m::sweep$")
        self.assertRegex(rows["m::cube"], r"^left out: small \(\d+ operations, loops of known length, no calls\); about \d+ % of m::sweep$")
        self.assertEqual((rows["m::sweep"], rows["p"]), ("instrumented", "instrumented"))
        self.build("gfortran", "-O1", "-fno-inline", "small.f90", "-o", "small")
        run = self.run_of("small", "small.f90", "-O1")
        self.assertEqual(self.visits(run), {"p": 1, "m::sweep": 20})
        shown = self.run_here(ANDES, "show", "run.andes", "--cut", "0").stdout
        self.assertIn("m::cube", shown)

    def test_what_the_first_visit_alone_does(self):
        """It is no work of a visit, if nothing else changes the saved variable that says so."""
        self.write("once.f90", "module m\ncontains\n" + "".join(ONCE % {
            "name": name, "declared": declared, "test": test, "answered": answered, "more": more}
            for name, declared, test, answered, more in [
                ("logical_first", "logical, save :: first = .true.", "first", "first = .false.", ""),
                ("logical_ready", "logical, save :: first = .false.", ".not. first", "first = .true.", ""),
                ("number", "integer, save :: first = 0", "first == 0", "first = 1", ""),
                ("again", "logical, save :: first = .true.", "first", "first = .false.", "if (i > 100) first = .true."),
                ("others", "logical, save :: first = .true.", "first", "first = .false.", "call spoil(first)"),
                ("always", "integer, save :: first = 5", "first /= 0", "first = 4", ""),
                ("left", "logical, save :: first = .true.", "first", "if (i > 100) return; first = .false.", ""),
                ("own", "logical :: first", "first", "first = .false.", "first = .true.")]) + ONCE_WITHIN + "end module\n")
        rows = dict(re.findall(r"^m::(.*?) +\d+  (.*)$", self.explained("once.f90").stdout, re.M))
        self.assertEqual({name: row.startswith("left out: small") and "no loops" in row for name, row in rows.items()},
                         {"logical_first": True, "logical_ready": True, "number": True, "again": False, "others": False,
                          "always": False, "left": False, "own": False, "host": False, "host::other": True})

    def test_c_and_fortran_in_one_command(self):
        """With probes in both, without a message of the compiler, and at link time as well."""
        self.write("c.c", "#include <stdio.h>\nint twice(int);\nint from_c_(void) {\n  printf(\"c\\n\");\n  return twice(4); }\n"
                   "int twice(int n) { return 2 * n; }\n")
        self.write("f.f90", "program p\ninteger, external :: from_c\nprint *, from_c()\nend\n")
        for flags in (["-O0"], ["-O2", "-flto"]):
            with self.subTest(flags=flags):
                self.build("gfortran", *flags, "c.c", "f.f90", "-o", "both")
                self.assertNotIn("__cyg_profile", self.run_here("nm", "both").stdout)
                done = self.run_here(ANDES, "run", "-o", "".join(flags) + ".andes", "--", "./both")
                self.assertEqual(done.returncode, 0, done.stderr)
                run = RunFile(os.path.join(self.dir, "".join(flags) + ".andes"))
                self.assertEqual(self.visits(run), {"p": 1, "from_c_": 1})


if __name__ == "__main__":
    unittest.main()
