"""MPI from archives, linked by andes cc: the books of test_accounts.py and test_fortran.py hold as with the shared library."""
import os
import re
import subprocess
import unittest

import test_accounts
import test_fortran

from support import build
from support.mpi import MPIS, MpiTest, fortran_compiler

# What Debian's archives of MPICH need, and a program in place of libudev, of which there is no archive.
NEEDED = ["-lhwloc", "-lnuma", "-lpthread", "-ldl", "-lrt", "-lm"]
UCX = ["-lucp", "-luct", "-lucs", "-lucm"]
UDEV = "".join("void *%s(void) { return 0; }\n" % name for name in (
    "udev_new", "udev_unref", "udev_device_unref", "udev_device_new_from_subsystem_sysname",
    "udev_device_get_property_value"))
WAITING = """
#include <mpi.h>
#include <unistd.h>
int main(int argc, char **argv) {
  int rank, token[25] = {0};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    usleep(50000);
    MPI_Send(token, 25, MPI_INT, 1, 0, MPI_COMM_WORLD);
  } else if (rank == 1) MPI_Recv(token, 25, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
"""


def archives(mpi):
    """The words of a link with the archives of an MPI library, as its compiler wrapper names them; none: it has none."""
    def of(compiler):
        said = subprocess.run([compiler, "-show"], capture_output=True, text=True, check=False).stdout.split()
        return said, [re.sub(r"^-l(mpi.*)$", r"-l:lib\1.a", word) for word in said if word.startswith("-l")]
    said, names = of(fortran_compiler(mpi) or MPIS[mpi])
    folders = [word[2:] for word in said if word.startswith("-L")]
    if not names or not all(any(os.path.exists(os.path.join(folder, name[3:])) for folder in folders)
                            for name in names if name.startswith("-l:")):
        return []
    return ["-L" + folder for folder in folders] + names


@unittest.skipUnless("mpich" in MPIS and archives("mpich"), "no MPI library has archives here")
class FromArchives(MpiTest):
    """Programs have MPI in themselves."""
    OPTIONS = UCX

    def link(self, mpi, *words):
        """Compiles and links by andes cc and the compiler that the wrapper would start. Without probes: what callbacks of
        MPI call is counted below a function with a probe only."""
        found = archives(mpi)
        if not found:
            self.skipTest("%s has no archives here" % mpi)
        compiler = "gfortran" if any(word.endswith(".f90") for word in words) else "gcc"
        shown = subprocess.run([fortran_compiler(mpi) if compiler == "gfortran" else MPIS[mpi], "-show"], capture_output=True,
                               text=True, check=True).stdout.split()
        includes = [word for word in shown if word.startswith("-I")]
        return subprocess.run([build.ANDES, "cc", "--select", self.write("none", "exclude *\n"), compiler, "-w", *includes, *words, *found, *self.OPTIONS, *NEEDED],
                              capture_output=True, text=True, cwd=self.folder, check=False)

    def compile(self, mpi, source, *flags, output="program"):
        source = os.path.join(os.path.dirname(os.path.abspath(__file__)), source)
        include = ["-J", self.folder, "-fallow-argument-mismatch"] if source.endswith(".f90") else []
        done = self.link(mpi, *include, "-I", build.INCLUDE, source, "-o", self.path(output), *flags)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
        linked = subprocess.run(["ldd", self.path(output)], capture_output=True, text=True, check=True).stdout
        self.assertNotIn("libmpi", linked)
        return self.path(output)


class Accounts(FromArchives, test_accounts.Accounts):
    pass


class Fortran(FromArchives, test_fortran.Fortran):
    pass


class Waits(FromArchives):
    def late_sender(self, mpi, *flags):
        self.run_ranks(mpi, 2, [self.compile(mpi, self.write("waiting.c", WAITING), *flags)])
        totals, messages, facts = self.read()
        self.assertEqual((facts["complete"], facts["ranks"], messages), (1, 2, {(0, 1): (1, 100)}))
        self.assertGreater(totals["MPI_Recv"]["idle_ns"], 45e6)

    def test_wait_and_without_the_monitor(self):
        self.late_sender("mpich")
        self.run_ranks("mpich", 2, [self.path("program")], monitored=False)
        self.run_ranks("mpich", 2, [self.path("program")], environment={"ANDES_MONITOR": "off"}, out="off.andes")
        self.assertFalse(os.path.exists(self.path("off.andes")))
        doctor = subprocess.run([build.ANDES, "doctor", self.path("program")], capture_output=True, text=True,
                                check=False, env={**os.environ, "COLUMNS": "300"}).stdout
        self.assertIn("MPICH in the program itself, linked by andes cc: all calls are measured", doctor)

    def test_program_without_symbols(self):
        self.late_sender("mpich", "-s")
        symbols = subprocess.run(["nm", self.path("program")], capture_output=True, text=True, check=False)
        self.assertEqual(symbols.stdout, "")

    def test_link_that_fails(self):
        """A linker that knows nothing of --wrap: the program is the plain one."""
        compiler = self.write("gcc", "#!/bin/sh\ncase \"$*\" in *@*) echo no such option >&2; exit 1;; esac\n"
                                     "exec /usr/bin/gcc \"$@\"\n")
        os.chmod(compiler, 0o755)
        source = self.write("waiting.c", WAITING)
        include = [word for word in subprocess.run([MPIS["mpich"], "-show"], capture_output=True, text=True, check=True)
                   .stdout.split() if word.startswith("-I")]
        done = subprocess.run([build.ANDES, "cc", compiler, *include, source, "-o", self.path("program"),
                               *archives("mpich"), *UCX, *NEEDED], capture_output=True, text=True, check=False,
                              cwd=self.folder)
        self.assertEqual((done.returncode, done.stderr), (0, (
            "andes: %s: its MPI is linked from archives, and the link with which it can be measured failed (no such "
            "option); link it with the shared library of MPI, or MPI will not be measured\n" % self.path("program"))))
        self.run_ranks("mpich", 2, [self.path("program")], monitored=False)


class Statically(Waits):
    """With -static: the C library is shared, all else is not."""
    OPTIONS = ["-Wl,--whole-archive", *UCX, "-Wl,--no-whole-archive"] # initialises its settings before main

    def compile(self, mpi, source, *flags, output="program"):
        done = self.link(mpi, "-static", source, self.write("udev.c", UDEV), "-o", self.path(output), *flags)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("program: linked with the shared C library, ", done.stderr)
        linked = subprocess.run(["ldd", self.path(output)], capture_output=True, text=True, check=True).stdout
        self.assertNotIn("libmpi", linked)
        self.assertNotIn("libuc", linked)
        return self.path(output)

    test_link_that_fails = None


if __name__ == "__main__":
    unittest.main()
