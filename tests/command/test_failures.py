"""Failures are told as they are: programs that cannot be started, and those of the other MPI, with the real launchers of
both libraries."""
import os
import shutil
import signal
import subprocess
import unittest

from support.command_line import CommandTest, main
from support.environment import OF_OPEN_MPI

PROGRAM = r"""
#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
int used(void);
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  if (argc > 1) raise(atoi(argv[1]));
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
"""
OTHER = {"openmpi": "mpich", "mpich": "openmpi"}
NAMES = {"openmpi": "Open MPI", "mpich": "MPICH"}


def installed(kind):
    return shutil.which("mpirun." + kind) and shutil.which("mpicc." + kind)


class WithLauncher:
    """The tests of one MPI library; `kind` names its commands."""
    kind = None

    def setUp(self):
        super().setUp()
        self.mpirun = "mpirun." + self.kind
        self.write("prog.c", PROGRAM)

    def environment(self, **more):
        return super().environment(**{**OF_OPEN_MPI, **more})

    def compile(self, *words, kind=None):
        subprocess.run(["mpicc." + (kind or self.kind), *words], cwd=self.work, check=True, timeout=600)

    def own_lines(self, done):
        return [line for line in done.stderr.splitlines() if line.startswith("andes: ")]

    def run_command(self, *command):
        """MPICH's launcher writes to its proxy, which may be gone already: then the command is run again."""
        for _ in range(5):
            done = self.andes("run", "--", *command)
            if self.kind != "mpich" or done.returncode != 128 + signal.SIGPIPE:
                break
            shutil.rmtree(os.path.join(self.work, "runs"))
        return done

    def not_started(self, status, fact, remedy, program, *arguments):
        """One line of andes, behind all that the launcher has said; no run file."""
        done = self.run_command(self.mpirun, "-n", "2", program, *arguments)
        self.assertEqual(done.returncode, status[self.kind], done.stderr)
        self.assertEqual(self.own_lines(done), ["andes: %s: %s, so %s could not start it (status %d); %s" % (
            program, fact, self.mpirun, status[self.kind], remedy)])
        self.assertTrue(done.stderr.endswith(self.own_lines(done)[-1] + "\n"), done.stderr)
        self.assertEqual(self.files(), [])

    def test_missing(self):
        self.not_started({"openmpi": 132, "mpich": 255}, "no such file", "check its path and the working directory",
                         "./missing")

    def test_missing_with_an_argument_that_is_a_command(self):
        self.not_started({"openmpi": 132, "mpich": 255}, "no such file", "check its path and the working directory",
                         "./missing", "true")

    def test_not_in_path(self):
        self.write("here", "#!/bin/sh\n")
        self.not_started({"openmpi": 134, "mpich": 255}, "no such program in PATH", "check its name, or write its path",
                         "andes-no-such-program")

    def test_not_executable(self):
        self.write("data", "1 2 3\n")
        self.not_started({"openmpi": 132, "mpich": 255}, "it is not executable", "chmod +x ./data, if it is a program",
                         "./data")

    def test_of_another_processor(self):
        self.compile("prog.c", "-o", "prog")
        with open(os.path.join(self.work, "prog"), "r+b") as program:
            program.seek(18)  # e_machine
            own, foreign = program.read(2), b"\xb7\x00"
            if own == foreign:
                foreign = b"\x3e\x00"
            program.seek(18)
            program.write(foreign)
        names = {b"\xb7\x00": "AArch64", b"\x3e\x00": "x86-64"}
        for command in (["run", "--"], ["exec"]): # no shell reads it as commands
            done = self.andes(*command, "./prog")
            self.assertEqual((done.returncode, done.stdout, done.stderr), (
                2, "", "andes: ./prog: it was built for %s, this machine is %s; build it here\n" % (
                    names[foreign], names[own])))
        done = self.andes("run", "--", self.mpirun, "-n", "2", "./prog")
        self.assertIn("andes: ./prog: it was built for %s, this machine is %s, so %s could not start it (status " % (
            names[foreign], names[own], self.mpirun), done.stderr)
        self.assertEqual(self.files(), [])

    def test_missing_library(self):
        self.write("used.c", "int used(void) { return 0; }\n")
        self.compile("-shared", "-fPIC", "used.c", "-o", "libused.so")
        self.write("prog.c", PROGRAM.replace("if (argc > 1)", "if (used())"))
        self.compile("prog.c", "-L.", "-lused", "-o", "prog")
        self.not_started({"openmpi": 127, "mpich": 127}, "the library libused.so that it needs is not found",
                         "load its module, add its directory to LD_LIBRARY_PATH, or link with -Wl,-rpath,DIRECTORY",
                         "./prog")
        self.succeeds("run", "--", self.mpirun, "-n", "2", "./prog", LD_LIBRARY_PATH=self.work)

    def test_text_that_a_shell_reads(self):
        self.write("text", "Alpha beta\n", executable=True)
        fact, remedy = ("it is neither a program for this system nor a script with #! in its first line",
                        "build it, or name its interpreter before it")
        if self.kind == "openmpi": # it gives nothing to a shell
            self.not_started({"openmpi": 131}, fact, remedy, "./text")
        for status, text in ((127, "Alpha beta\n"), (2, "int main() { return 0; }\nmain (x)\n")):
            self.write("text", text, executable=True)
            for command in ([], [self.mpirun, "-n", "2"] if self.kind == "mpich" else ["env"]):
                done = self.run_command(*command, "./text")
                self.assertEqual((done.returncode, self.own_lines(done)), (status, [
                    "andes: ./text: %s, so a shell read it as commands (status %d); %s" % (fact, status, remedy)]))
        self.write("text", "exit 3\n", executable=True) # a script after all
        self.assertEqual(self.own_lines(self.andes("run", "--", "./text"))[0].split("; ")[0],
                         "andes: ./text: ended with status 3 before it wrote its run file")
        self.assertEqual(self.files(), ["runs/text-001/p1.1.andes"])

    def test_a_sweep_ends_where_nothing_can_be_started(self):
        done = self.andes("run", "--ranks", "1,2", "--repeat", "2", "--", self.mpirun, "-n", "{p}", "./missing")
        self.assertEqual(done.stderr.count("no such file"), 1)
        self.assertEqual(os.listdir(os.path.join(self.work, "runs")), [])

    def test_a_sweep_goes_on_with_programs_of_other_sizes(self):
        self.compile("prog.c", "-o", "prog2")
        done = self.andes("run", "--ranks", "1,2", "--repeat", "2", "--", self.mpirun, "-n", "{p}", "./prog{p}")
        self.assertEqual(done.stderr.count("andes: ./prog1: no such file, so "), 1)
        self.assertEqual(self.files(), ["runs/progp-001/p2.1.andes", "runs/progp-001/p2.2.andes"])

    def test_signals_are_named_where_they_were_seen(self):
        self.compile("prog.c", "-o", "prog")
        done = self.andes("run", "--", self.mpirun, "-n", "2", "./prog", "4")
        self.assertRegex(done.stderr, r"ended with status (4|132) \(signal 4: Illegal instruction\); the run file is kept")

    def test_program_of_the_other_mpi(self):
        other = OTHER[self.kind]
        if not installed(other):
            self.skipTest("no " + other)
        self.compile("prog.c", "-o", "prog", kind=other)
        done = self.andes("run", "--", self.mpirun, "-n", "2", "./prog")
        self.assertEqual(self.own_lines(done)[0], (
            "andes: ./prog: it is linked with {1}, and {2} starts programs of {0}: each rank will be alone in a world of "
            "its own; start it with mpirun.{3}, or build it with the mpicc of {0}").format(
                NAMES[self.kind], NAMES[other], self.mpirun, other))
        self.compile("prog.c", "-o", "own")
        self.assertNotIn("is linked with", self.succeeds("run", "--", self.mpirun, "-n", "2", "./own").stderr)


@unittest.skipUnless(installed("openmpi"), "no Open MPI")
class OpenMpi(WithLauncher, CommandTest):
    kind = "openmpi"


@unittest.skipUnless(installed("mpich"), "no MPICH")
class Mpich(WithLauncher, CommandTest):
    kind = "mpich"


class WithoutLauncher(CommandTest):
    def test_bad_input(self):
        self.write("data", "1 2 3\n")
        for command in ("run", "exec"):
            dashes = ["--"] if command == "run" else []
            self.refused("./missing: no such file; check its path and the working directory", command, *dashes, "./missing")
            self.refused("./data: it is not executable; chmod +x ./data, if it is a program", command, *dashes, "./data")
            self.refused("data: no such program in PATH; write ./data for the one in this directory",
                         command, *dashes, "data")
            self.refused("/: it is a directory; name the program in it", command, *dashes, "/")

    def test_interpreter_of_a_script(self):
        self.write("script", "#!/no/such/interpreter\n", executable=True)
        self.refused("./script: its interpreter /no/such/interpreter is not there; correct its first line",
                     "exec", "./script")

    def test_mpi_from_archives_cannot_be_seen(self):
        self.write("mpi.c", "void MPIR_Error(void) {}\nint PMPI_Init(int *c, char ***v) { return c == 0 && v == 0; }\n"
                            "int MPI_Init(int *c, char ***v) { return PMPI_Init(c, v); }\n")
        self.write("prog.c", "int MPI_Init(int *c, char ***v);\n"
                             "int main(int c, char **v) { return MPI_Init(&c, &v); }\n")
        subprocess.run("cc -c mpi.c prog.c && ar rc libmpi.a mpi.o && cc prog.o -L. -l:libmpi.a -o prog",
                       shell=True, cwd=self.work, check=True, timeout=600)
        done = self.succeeds("run", "--", "./prog")
        self.assertEqual(done.stderr.splitlines()[0], (
            "andes: ./prog: MPICH is linked into it from archives, so that nothing of MPI can be seen; link it by "
            "andes cc"))
        self.assertIn("linked from archives: nothing of MPI can be seen", self.andes("doctor", "./prog", COLUMNS="300").stdout)

    def test_stand_in_for_mpi_is_left_alone(self):
        """A package's own MPI for one rank, with profiling names: its handles are not those of a real one."""
        self.write("mpi.c", "int PMPI_Init(int *c, char ***v) { return c == 0 && v == 0; }\n"
                            "int MPI_Init(int *c, char ***v) __attribute__((weak, alias(\"PMPI_Init\")));\n"
                            "int PMPI_Comm_size(int comm, int *size) { *size = comm; return 0; }\n"
                            "int MPI_Comm_size(int comm, int *size) __attribute__((weak, alias(\"PMPI_Comm_size\")));\n")
        self.write("prog.c", "int MPI_Init(int *c, char ***v), MPI_Comm_size(int comm, int *size);\n"
                             "int main(int c, char **v) { int n; MPI_Init(&c, &v); return MPI_Comm_size(0, &n) + n; }\n")
        subprocess.run("cc -c mpi.c && ar rc libmpi.a mpi.o", shell=True, cwd=self.work, check=True, timeout=600)
        linked = self.succeeds("cc", "gcc", "prog.c", "-L.", "-l:libmpi.a", "-o", "prog")
        self.assertEqual(linked.stderr, "")
        self.assertIn("an unknown MPI is linked into it from archives, so that nothing of MPI can be seen; link it with a shared "
                      "library of MPI", self.succeeds("run", "--", "./prog").stderr)

    def test_status_alone_is_no_signal(self):
        self.write("script", "#!/bin/sh\nexit 132\n", executable=True)
        done = self.succeeds("run", "--", "./script", status=132)
        self.assertIn("andes: ./script: ended with status 132 before it wrote its run file; ", done.stderr)


if __name__ == "__main__":
    main()
