"""Errors of MPI whose handler is MPI_ERRORS_ARE_FATAL: the run says which rank they ended, in which call, with which
class and text; the launcher's victims are told apart; the library's message and the status are those without andes."""
import itertools
import json
import os
import re
import subprocess
import unittest

from support.build import ANDES, PREPROCESS
from support.commands import command
from support.environment import environment
from support.mpi import MPIS, MpiTest, each_mpi, fortran_compiler, launcher

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.join(HERE, "errors.c")


def line_of(function):
    with open(SOURCE, encoding="utf-8") as file:
        return next(number for number, line in enumerate(file, 1) if line.startswith(f"static void {function}("))


def outcome(done, more=""):
    """The status, and the lines of MPI's own message without numbers that differ from run to run; andes has a communicator
    of its own, so the program's have other numbers."""
    differs = r"\[[^]]*\]|0x[0-9a-f]+|Abort\(\d+\)|(?<=comm )\d+|(?<=COMMUNICATOR )\d+|(?<=window )\d+" + more
    lines = [re.sub(differs, "", line).strip() for line in done.stderr.splitlines()
             if "***" in line or "Abort(" in line or line.startswith("internal_")]
    return done.returncode, tuple(line for line in lines if "reported by process" not in line)


class Errors(MpiTest):
    def program(self, mpi):
        program = self.path(f"errors.{mpi}")
        if not os.path.exists(program):
            subprocess.run([PREPROCESS, "cc", "--select", "all", MPIS[mpi], "-O1", "-g", SOURCE, "-o", program],
                           check=True)
        return program

    def start(self, before, mpi, program, what):
        return subprocess.run([*before, *launcher(mpi), "-n", "2", program, *what.split()], env=environment(),
                              timeout=600, capture_output=True, text=True, cwd=self.folder)

    def ended(self, mpi, program, what, differs=""):
        """Ends of the ranks, by rank, and the text that people read."""
        run = self.path(f"{what}.{os.path.basename(program)}.andes")
        # Launchers lose messages now and then, and some say how the last rank ended, with andes and without.
        plain = set()
        for _ in range(10):
            plain.add(outcome(self.start([], mpi, program, what), differs))
            if os.path.exists(run):
                os.remove(run)
            measured = self.start([ANDES, "run", "-o", run, "--"], mpi, program, what)
            if outcome(measured, differs) in plain and outcome(measured, differs)[1]:
                break
        self.assertIn(outcome(measured, differs), plain)
        self.measured = measured
        shown = json.loads(command([ANDES, "show", run, "--json"]).stdout)
        return {end["rank"]: end for end in shown["endings"]}, " ".join(command([ANDES, "show", run]).stdout.split())

    def check(self, mpi, what, error_class, call, function):
        ends, text = self.ended(mpi, self.program(mpi), what)
        self.assertEqual(ends[1]["how"], "error", ends)
        self.assertTrue(ends[1]["text"].startswith(f"{call}: {error_class}: "), ends[1]["text"])
        self.assertEqual(ends[1]["path"][-2:], [function, call])
        self.assertEqual(ends[0]["after_rank"], 1, ends)
        self.assertNotIn("after_rank", ends[1])
        self.assertIn("rank 1: ended by an error of MPI in " + ends[1]["text"], text)
        if function != "main":
            self.assertIn(f"{function}/{call} (errors.c:{line_of(function)})", text)
        self.assertIn("rank 0: ended by the launcher after rank 1 had failed", text)

    @each_mpi
    def test_of_the_world(self, mpi):
        self.check(mpi, "rank", "MPI_ERR_RANK", "MPI_Send", "mistake")

    @each_mpi
    def test_of_a_communicator_that_inherits(self, mpi):
        self.check(mpi, "dup", "MPI_ERR_RANK", "MPI_Send", "mistake")

    @each_mpi
    def test_set_back_to_the_default(self, mpi):
        self.check(mpi, "set_back", "MPI_ERR_RANK", "MPI_Send", "mistake")

    @each_mpi
    def test_of_a_window(self, mpi):
        self.check(mpi, "window", "MPI_ERR_RANK", "MPI_Put", "puts_wrongly")

    @each_mpi
    def test_found_when_a_message_arrives(self, mpi):
        self.check(mpi, "truncate", "MPI_ERR_TRUNCATE", "MPI_Recv", "main")

    @each_mpi
    def test_with_several_threads(self, mpi):
        """MPICH holds a lock then while our handler runs; the first line of its message may be another."""
        for what, call in (("rank", "MPI_Send"), ("dup", "MPI_Send"), ("set_back", "MPI_Send"), ("window", "MPI_Put"),
                           ("call", "MPI_Comm_call_errhandler")):
            with self.subTest(mpi=mpi, what=what):
                ends, _ = self.ended(mpi, self.program(mpi), f"threads {what}", r"| \(rank \d+ in comm \d+\)| in \w+:")
                self.assertEqual(ends[1]["how"], "error", ends)
                self.assertIn("MPI_ERR_TAG" if what == "call" else "MPI_ERR_RANK", ends[1]["text"])
                self.assertEqual(ends[1]["path"][-1], call)

    @each_mpi
    def test_raised_by_the_program(self, mpi):
        ends, _ = self.ended(mpi, self.program(mpi), "call")
        self.assertEqual(ends[1]["how"], "error")
        self.assertIn("MPI_ERR_TAG", ends[1]["text"])
        self.assertEqual(ends[1]["path"][-1], "MPI_Comm_call_errhandler")

    @each_mpi
    def test_fortran(self, mpi):
        program = self.path(f"fortran.{mpi}")
        compiler = fortran_compiler(mpi)
        if not compiler:
            self.skipTest(f"{mpi}: no Fortran compiler")
        subprocess.run([compiler, "-w", "-fallow-argument-mismatch", os.path.join(HERE, "errors.f90"), "-o", program],
                       check=True, cwd=self.folder)
        ends, _ = self.ended(mpi, program, "fortran")
        self.assertEqual(ends[1]["how"], "error", ends)
        self.assertIn("MPI_Send: MPI_ERR_RANK: ", ends[1]["text"])
        self.assertIn("fatal", self.measured.stdout)

    @each_mpi
    def test_the_program_sees_its_own_handlers(self, mpi):
        for before in ([], [ANDES, "run", "-o", self.path(f"asked.{mpi}.andes"), "--"]):
            done = self.start(before, mpi, self.program(mpi), "asked")
            self.assertEqual((done.returncode, done.stdout.strip()), (0, "fatal 9 own 1 handled 1"), done.stderr)

    @each_mpi
    def test_the_handler_of_the_world_alone_is_set(self, mpi):
        """MPICH takes it for all that have none of their own."""
        cases = itertools.product(("return", "own", "fatal"), ("dup", "self", "window", "call", "call_window"))
        for (how, what), threads in [*((case, []) for case in cases), (("own", "dup"), ["threads"]),
                                     (("return", "self"), ["threads"])]:
            with self.subTest(mpi=mpi, how=how, what=what, threads=threads):
                said = []
                run = self.path(f"{mpi}.{how}.{what}{''.join(threads)}.andes")
                for before in ([], [ANDES, "run", "-o", run, "--"]):
                    command = [*before, *launcher(mpi), "-n", "2", self.program(mpi), *threads, "world", how, what]
                    done = subprocess.run(command, env=environment(), timeout=600, capture_output=True, text=True,
                                          cwd=self.folder)
                    said.append(re.findall(r"^(?:own|result).*", done.stdout, re.MULTILINE))
                    self.assertNotEqual(done.returncode, 0)
                self.assertEqual(said[0], said[1])
                if mpi == "mpich" and how != "fatal" and not what.startswith("call"):
                    self.assertTrue(said[0])


if __name__ == "__main__":
    unittest.main()
