"""Three trees as strangers write them: a configure script and a makefile in C, CMake with C++ and a static library, and a
script with Fortran and C. Built plain and by `andes build`: the same messages, the same results; then a run shows the
functions."""
import csv
import io
import os
import shutil
import unittest

from support.build import ANDES
from support.environment import OF_OPEN_MPI
from support.preprocessor import InDirectory, have

MAIN_C = """\
#include <mpi.h>
#include <stdio.h>
#include "config.h"
double work(int n);
int main(int argc, char **argv)
{
  double mine, sum;
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  mine = work(1000 * (rank + 1));
  MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) printf("%s: %g\\n", NAME, sum);
  MPI_Finalize();
  return 0;
}
"""
WORK_C = """\
#include <math.h>
double work(int n);
double work(int n)
{
  double sum = 0;
  int i;
  for (i = 0; i < n; ++i) sum += sqrt(i);
  return sum;
}
"""
# As autoconf's: it tries the compiler, runs what it made, and writes the makefile.
CONFIGURE = """\
#!/bin/sh
set -e
: ${CC=mpicc}
echo 'int main(void) { return 0; }' > conftest.c
$CC $CFLAGS conftest.c -o conftest && ./conftest || { echo "configure: the compiler does not work" >&2; exit 1; }
nm conftest | grep -c . > conftest.symbols
echo 'int main(void) { return none; }' > conftest.c
if $CC -c conftest.c 2>conftest.err; then echo "configure: the compiler takes everything" >&2; exit 1; fi
echo "#define NAME \\"symbols $(cat conftest.symbols)\\"" > config.h
rm -f conftest*
sed "s|@CC@|$CC|" Makefile.in > Makefile
"""
MAKEFILE = """\
CC = @CC@
CFLAGS = -O1 -Wall -Wextra -Werror
all: tree
tree: main.o libwork.a
\t@which $(CC) > which.txt
\t$(CC) main.o -L. -lwork -lm -o $@
libwork.a: work.o
\tar rcs $@ $^
%.o: %.c config.h
\t$(CC) $(CFLAGS) -I. -c $< -o $@
"""
CMAKE = """\
cmake_minimum_required(VERSION 3.16)
project(tree CXX)
find_package(MPI REQUIRED)
set(CMAKE_CXX_STANDARD 17)
add_compile_options(-Wall -Wextra -Werror)
file(WRITE ${CMAKE_BINARY_DIR}/name.in "#define NAME \\"cmake\\"\\n")
add_custom_command(OUTPUT config.h COMMAND ${CMAKE_COMMAND} -E copy name.in config.h)
add_library(work STATIC work.cc)
add_executable(tree main.cc config.h)
target_include_directories(tree PRIVATE ${CMAKE_BINARY_DIR})
target_link_libraries(tree work MPI::MPI_CXX)
"""
BUILD_SH = """\
#!/bin/sh
# A compiler that is named nowhere but here.
set -e
F90=${F90:-mpif90} CC=$(command -v mpicc)
mkdir -p o
$CC -O1 -c scale.c -o o/scale.o
$F90 -O1 -J o -c work.f90 -o o/work.o && $F90 -O1 -J o -c main.f90 -o o/main.o
$F90 o/main.o o/work.o o/scale.o -o tree
"""
MAIN_F90 = """\
program heat
  use mpi
  use work_of
  implicit none
  integer :: ierror, rank
  real(8) :: mine, total
  call mpi_init(ierror)
  call mpi_comm_rank(mpi_comm_world, rank, ierror)
  mine = work(1000 * (rank + 1))
  call mpi_allreduce(mine, total, 1, mpi_double_precision, mpi_sum, mpi_comm_world, ierror)
  if (rank == 0) print *, total
  call mpi_finalize(ierror)
end program
"""
WORK_F90 = """\
module work_of
  implicit none
  interface
    subroutine scale(x) bind(C)
      use iso_c_binding
      real(c_double) :: x
    end subroutine
  end interface
contains
  real(8) function work(n)
    integer, intent(in) :: n
    integer :: i
    work = 0
    do i = 1, n
      work = work + sqrt(real(i, 8))
    end do
    call scale(work)
  end function
end module
"""
SCALE_C = "void scale(double *x);\nvoid scale(double *x)\n{\n  int i;\n  for (i = 0; i < 40; ++i) *x = *x * 2 - *x;\n}\n"


# What a makefile may do to its compilers; each target is a program of its own, which prints one line.
FEATURES = """\
CFLAGS = -O2 -Wall -Wextra -Werror
all: common lto pch unity made dynamic modules
common: c1.c c2.c
\tgcc $(CFLAGS) -fcommon -c c1.c -o c1.o
\tgcc $(CFLAGS) -fcommon -c c2.c -o c2.o
\tgcc c1.o c2.o -o $@
lto: c1.c c2.c
\tgcc $(CFLAGS) -fcommon -flto=auto c1.c c2.c -o $@
pch.h.gch: pch.h
\tg++ $(CFLAGS) -x c++-header pch.h -o $@
pch: pch.cc pch.h.gch
\tg++ $(CFLAGS) -Winvalid-pch -include pch.h pch.cc -o $@
unity:
\tprintf '#include "u1.cc"\\n#include "u2.cc"\\n' > all.cc
\tg++ $(CFLAGS) all.cc -o $@
generator: generator.c
\tcc $(CFLAGS) generator.c -o $@
made.c: generator
\t./generator > $@
made: made.c
\tgcc $(CFLAGS) -o $@ made.c
libu.so: u2.cc
\tg++ $(CFLAGS) -fPIC -shared u2.cc -o $@
dynamic: u1.cc libu.so
\tg++ $(CFLAGS) u1.cc -L. -lu -Wl,-rpath,'$$ORIGIN' -o $@
modules: calc.cc uses.cc
\tg++ $(CFLAGS) -std=c++20 -fmodules-ts -c calc.cc -o calc.o
\tg++ $(CFLAGS) -std=c++20 -fmodules-ts uses.cc calc.o -o $@
"""
SOURCES = {
    "c1.c": "#include <stdio.h>\nint shared;\nvoid change(void);\nint main(void)\n{\n  change();\n  printf(\"%d\\n\", shared);\n  return 0;\n}\n",
    "c2.c": "int shared;\nvoid change(void);\nvoid change(void)\n{\n  shared = 42;\n}\n",
    "pch.h": "#include <cstdio>\n#include <vector>\n",
    "pch.cc": "int main()\n{\n  std::vector<int> v(3, 7);\n  std::printf(\"%d\\n\", v[2]);\n}\n",
    "u1.cc": "#include <cstdio>\nint other(int n);\nint main()\n{\n  std::printf(\"%d\\n\", other(20));\n}\n",
    "u2.cc": "int other(int n);\nint other(int n)\n{\n  return n < 2 ? n : other(n - 1) + other(n - 2);\n}\n",
    "generator.c": "#include <stdio.h>\nint main(void)\n{\n  puts(\"int puts(const char *);\");\n"
                   "  puts(\"int main(void) { return puts(\\\"made\\\") < 0; }\");\n  return 0;\n}\n",
    "calc.cc": "export module calc;\nexport int triple(int n)\n{\n  int sum = 0;\n  for (int i = 0; i < n; ++i) sum += 3;\n  return sum;\n}\n",
    "uses.cc": "#include <cstdio>\nimport calc;\nint main()\n{\n  std::printf(\"%d\\n\", triple(14));\n}\n",
}


@unittest.skipUnless(have("mpicc") and have("mpirun"), "no MPI")
class Trees(InDirectory):
    def setUp(self):
        super().setUp()
        self.env.update(OF_OPEN_MPI)

    def both(self, program, *commands):
        """Runs the commands in two copies of the tree; returns what `andes build` said of the last one."""
        results = []
        for name, before in (("plain", ()), ("ours", (ANDES, "build", "--"))):
            place = os.path.join(self.top, name)
            shutil.copytree(self.dir, place)
            said, ending = [], ""
            for command in commands:
                done = self.run_here(*before, "sh", "-c", f"cd {place} && {command}")
                self.assertEqual(done.returncode, 0, done.stderr)
                lines = done.stderr.splitlines(True)
                if before:
                    ending = lines.pop()
                said.append("".join(lines).replace(place, ""))
            ran = self.run_here("mpirun", "-n", "2", os.path.join(place, program))
            results.append((said, ran.returncode, ran.stdout, ran.stderr))
        self.assertEqual(*results)
        return ending

    def check_run(self, program, *functions):
        program = os.path.join(self.top, "ours", program)
        done = self.run_here(ANDES, "run", "-o", "tree.andes", "--", "mpirun", "-n", "2", program)
        self.assertEqual(done.returncode, 0, done.stderr)
        done = self.run_here(ANDES, "show", "--csv", "--cut", "0", "tree.andes")
        text = done.stdout
        paths = {row["path"] for row in csv.DictReader(io.StringIO(text)) if row.get("path")}
        for function in functions:
            self.assertTrue(any(path == function or path.endswith("/" + function) for path in paths), (function, text))
        self.assertEqual(self.run_here(ANDES, "report", "tree.andes").returncode, 0)

    def test_configure_and_make(self):
        for name, text in (("configure", CONFIGURE), ("Makefile.in", MAKEFILE), ("main.c", MAIN_C), ("work.c", WORK_C)):
            self.write(name, text)
        os.chmod(os.path.join(self.dir, "configure"), 0o755)
        self.assertEqual(self.both("tree", "./configure", "make -s -j2"),
                         "andes: build: 2 sources instrumented, 1 program linked (tree)\n")
        self.check_run("tree", "main", "main/work", "main/MPI_Allreduce")

    def test_cmake(self):
        self.write("CMakeLists.txt", CMAKE)
        self.write("main.cc", MAIN_C)
        self.write("work.cc", WORK_C)
        self.assertEqual(self.both("b/tree", "cmake -S . -B b >log", "cmake --build b >>log"),
                         "andes: build: 2 sources instrumented, 1 program linked (tree)\n")
        self.check_run("b/tree", "main/work")

    def test_features_of_makefiles(self):
        """The same programs, no message but those of andes itself, which say what has no probes."""
        self.write("Makefile", FEATURES)
        for name, text in SOURCES.items():
            self.write(name, text)
        plain, ours = os.path.join(self.top, "plain"), os.path.join(self.top, "ours")
        for place, before in ((plain, ()), (ours, (ANDES, "build", "--"))):
            shutil.copytree(self.dir, place)
            done = self.run_here(*before, "make", "-s", "-j2", "-C", place)
            self.assertEqual(done.returncode, 0, done.stderr)
        said = done.stderr.splitlines()
        self.assertTrue(all(line.startswith(("andes: calc.cc: not instrumented: ", "andes: uses.cc: not instrumented: "))
                            for line in said[:-1]), done.stderr)
        self.assertIn("8 programs linked", said[-1])
        for program in FEATURES.splitlines()[1].split()[1:]:
            results = [self.run_here(os.path.join(place, program)) for place in (plain, ours)]
            self.assertEqual(*[(result.returncode, result.stdout, result.stderr) for result in results])
            if program != "modules":
                self.assertGreater(self.probes(os.path.join(ours, program)), 0, program)

    def test_a_script_with_fortran(self):
        if not have("mpif90"):
            self.skipTest("no Fortran wrapper")
        for name, text in (("build.sh", BUILD_SH), ("main.f90", MAIN_F90), ("work.f90", WORK_F90), ("scale.c", SCALE_C)):
            self.write(name, text)
        os.chmod(os.path.join(self.dir, "build.sh"), 0o755)
        self.assertEqual(self.both("tree", "./build.sh"), "andes: build: 3 sources instrumented, 1 program linked (tree)\n")
        self.check_run("tree", "heat/work_of::work", "heat/work_of::work/scale")


if __name__ == "__main__":
    unittest.main()
