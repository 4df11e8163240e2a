"""Calls of MPI by functions that were looked up in the handle of the library: by a program in C, and by ctypes."""
import os
import subprocess
import sys
import unittest

from support.mpi import MpiTest, each_mpi

SCRIPT = """
import ctypes, sys
mpi = ctypes.CDLL(sys.argv[1])
try:
    world = ctypes.c_void_p(ctypes.addressof(ctypes.c_int.in_dll(mpi, "ompi_mpi_comm_world")))
except ValueError:
    world = ctypes.c_int(0x44000000)
mpi.MPI_Init(None, None)
for i in range(4):
    mpi.MPI_Barrier(world)
mpi.MPI_Finalize()
"""


class Lookups(MpiTest):
    def library(self, mpi):
        """The MPI library that programs of this compiler need."""
        with open(self.path("linked.c"), "w", encoding="utf-8") as file:
            file.write("int MPI_Finalize(void); int main(void) { return MPI_Finalize(); }\n")
        program = self.compile(mpi, self.path("linked.c"), "-Wno-implicit-function-declaration", output="linked")
        listed = subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout
        return [line.split("=>")[1].split()[0] for line in listed.splitlines() if line.strip().startswith("libmpi")][0]

    def looking_up(self, wrapper=None):
        """Programs of no MPI library: compiled by the C compiler alone."""
        here = os.path.dirname(os.path.abspath(__file__))
        subprocess.run(["cc", "-O1", os.path.join(here, "looked_up.c"), "-o", self.path("program"), "-ldl"], check=True)
        subprocess.run(["cc", "-O1", "-shared", "-fPIC", os.path.join(here, "wraps_barrier.c"), "-o",
                        self.path("libwraps.so")], check=True)
        return self.path("program")

    @each_mpi
    def test_by_a_program(self, mpi):
        done = self.run_ranks(mpi, 2, [self.looking_up(), self.library(mpi), "-"])
        self.assertEqual(done.stdout, "looked up: done\n")
        totals, _, facts = self.read()
        self.assertEqual((facts["complete"], facts["ranks"]), (1, 2))
        self.assertEqual(totals["MPI_Barrier"]["visits"], 10)
        self.assertEqual(totals["MPI_Comm_rank"]["visits"], 2)

    @each_mpi
    def test_who_wraps_mpi_gets_the_real_function(self, mpi):
        done = self.run_ranks(mpi, 1, [self.looking_up(), self.library(mpi), self.path("libwraps.so")])
        self.assertEqual(done.stdout, "wrapped: 3\nlooked up: done\n")
        self.assertEqual(self.read()[0]["MPI_Barrier"]["visits"], 5)

    @each_mpi
    def test_the_same_without_the_monitor(self, mpi):
        command = [self.looking_up(), self.library(mpi), self.path("libwraps.so")]
        for settings in ({}, {"ANDES_MONITOR": "off"}):
            done = self.run_ranks(mpi, 1, command, monitored=bool(settings), environment=settings)
            self.assertEqual(done.stdout, "wrapped: 3\nlooked up: done\n")
        self.assertFalse(os.path.exists(self.path("run.andes")))

    @each_mpi
    def test_by_ctypes(self, mpi):
        with open(self.path("script.py"), "w", encoding="utf-8") as file:
            file.write(SCRIPT)
        python = os.path.realpath(sys.executable)
        self.run_ranks(mpi, 2, [python, self.path("script.py"), self.library(mpi)])
        totals, _, facts = self.read()
        self.assertEqual((facts["complete"], totals["MPI_Barrier"]["visits"]), (1, 8))


if __name__ == "__main__":
    unittest.main()
