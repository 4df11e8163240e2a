"""Setting call_sites: MPI calls told apart by function and line, in programs that know nothing of it."""
import os
import shutil
import subprocess
import unittest

from support.mpi import MpiTest, each_mpi, fortran_compiler
from support.run_file import RunFile, below_program

SITES = {"exchange_halo call_sites.c:9/MPI_Send": 3, "exchange_halo call_sites.c:10/MPI_Send": 3,
         "exchange_halo call_sites.c:13/MPI_Recv": 6,
         "hand_over call_sites.c:18/MPI_Send": 1, "hand_over call_sites.c:19/MPI_Recv": 1}
OF_MAIN = {"main call_sites.c:31/MPI_Init": 2, "main call_sites.c:32/MPI_Comm_rank": 2,
           "main call_sites.c:35/MPI_Barrier": 4, "main call_sites.c:36/MPI_Finalize": 2}
FUNCTIONS = {"exchange_halo/MPI_Send": 6, "exchange_halo/MPI_Recv": 6, "hand_over/MPI_Send": 1,
             "hand_over/MPI_Recv": 1, "main/MPI_Init": 2, "main/MPI_Comm_rank": 2,
             "main/MPI_Barrier": 4, "main/MPI_Finalize": 2}


class CallSites(MpiTest):
    def leaves(self):
        """{call path below (program): visits} of the MPI calls, and {name: (file, line)} of call sites."""
        run = RunFile(self.path("run.andes"))
        calls = {path for callpath, path in run.paths.items() if run.name(callpath).startswith("MPI_")}
        leaves = below_program({path: n for path, n in run.sums_by_path("visits").items() if path in calls})
        places = {region["name"]: (region["file"], region["line"]) for region in run.regions.values()
                  if region["kind"] == "call-site"}
        return leaves, places

    def check(self, mpi, program, expected, **environment):
        done = self.run_ranks(mpi, 2, program, environment={"ANDES_CALL_SITES": "yes", **environment})
        self.assertEqual(done.stderr, "")
        leaves, places = self.leaves()
        self.assertEqual(leaves, expected)
        return places

    def source(self, name="call_sites.c"):
        """A copy in the working directory: the name that the compiler is given."""
        here = os.path.join(os.path.dirname(os.path.abspath(__file__)), name)
        return shutil.copy(here, self.path(name))

    @each_mpi
    def test_position_independent_or_not(self, mpi):
        for flags in (["-fPIE", "-pie"], ["-no-pie", "-fno-pie"]):
            program = self.compile(mpi, self.source(), "-g", "-O1", *flags)
            places = self.check(mpi, [program], SITES | OF_MAIN)
            file, line = places["hand_over call_sites.c:18"]
            self.assertEqual((os.path.basename(file), line), ("call_sites.c", 18))

    @each_mpi
    def test_off_nothing_changes(self, mpi):
        program = self.compile(mpi, self.source(), "-g", "-O1")
        self.run_ranks(mpi, 2, [program])
        self.assertEqual(self.leaves(), ({"MPI_Send": 7, "MPI_Recv": 7, "MPI_Init": 2, "MPI_Comm_rank": 2,
                                          "MPI_Barrier": 4, "MPI_Finalize": 2}, {}))

    @each_mpi
    def test_below_the_probed_function(self, mpi):
        program = self.compile(mpi, self.source(), "-g", "-O1", "-DPROBES")
        self.check(mpi, [program], {"main/" + path: n for path, n in (SITES | OF_MAIN).items()})

    @each_mpi
    def test_in_a_shared_library(self, mpi):
        self.compile(mpi, self.source(), "-g", "-O1", "-DLIBRARY", "-shared", "-fPIC", output="libsites.so")
        program = self.compile(mpi, self.source(), "-g", "-O1", "-DPROGRAM", self.path("libsites.so"),
                               f"-Wl,-rpath,{self.folder}")
        self.check(mpi, [program], SITES | OF_MAIN)

    @each_mpi
    def test_without_debug_information_functions_are_told_apart(self, mpi):
        self.check(mpi, [self.compile(mpi, self.source(), "-O1")], FUNCTIONS)

    @each_mpi
    def test_stripped_each_address_stands_for_itself(self, mpi):
        program = self.compile(mpi, self.source(), "-O1", "-s")
        self.run_ranks(mpi, 2, [program], environment={"ANDES_CALL_SITES": "yes"})
        leaves, places = self.leaves()
        # The compiler may have unrolled the loop: two calls of MPI_Recv then, in place of one.
        self.assertEqual(sorted(n for path, n in leaves.items() if "Recv" not in path),
                         [1, 2, 2, 2, 2, 2, 3, 3])
        for name in places:
            self.assertRegex(name, r"^program\+0x[0-9a-f]+$")

    @each_mpi
    def test_debug_information_in_a_file_of_its_own(self, mpi):
        program = self.compile(mpi, self.source(), "-g", "-O1")
        for command in (["--only-keep-debug", program, program + ".debug"],
                        ["--strip-all", f"--add-gnu-debuglink={program}.debug", program]):
            subprocess.run(["objcopy", *command], check=True)
        self.check(mpi, [program], SITES | OF_MAIN)

    @each_mpi
    def test_fortran(self, mpi):
        if not fortran_compiler(mpi):
            self.skipTest("no Fortran compiler")
        program = self.compile(mpi, self.source("call_sites.f90"), "-g", "-O1")
        self.check(mpi, [program], {
            "sites call_sites.f90:21/MPI_Init": 2, "sites call_sites.f90:22/MPI_Comm_rank": 2,
            "halo::exchange call_sites.f90:8/MPI_Send": 1, "halo::exchange call_sites.f90:9/MPI_Send": 1,
            "halo::exchange call_sites.f90:11/MPI_Recv": 1, "halo::exchange call_sites.f90:12/MPI_Recv": 1,
            "sites call_sites.f90:24/MPI_Finalize": 2})


if __name__ == "__main__":
    unittest.main()
