"""Ways into the process: however MPI arrives, it is measured; where there is none, no trace."""
import glob
import os
import shutil
import subprocess
import unittest

from support.mpi import LIBRARY, MPIS, MpiTest, each_mpi, launcher


class Entry(MpiTest):
    def check_ring(self, done, ranks=3):
        """The ring's own output is right, nothing else is said, every call is counted once."""
        expected = sorted(f"rank {r} sum {3 * ((r - 1) % ranks)}" for r in range(ranks))
        self.assertEqual(sorted(done.stdout.splitlines()), expected)
        self.assertEqual(done.stderr, "")
        regions, matrix, facts = self.read()
        self.assertEqual(facts["ranks"], ranks)
        self.assertEqual(regions["MPI_Sendrecv"]["visits"], 3 * ranks)
        self.assertEqual(regions["MPI_Sendrecv"]["bytes_sent"], 3 * 4 * ranks)
        self.assertEqual(matrix, {(r, (r + 1) % ranks): (3, 12) for r in range(ranks)})
        return regions

    @each_mpi
    def test_program_linked_with_mpi(self, mpi):
        self.check_ring(self.run_ranks(mpi, 3, [self.compile(mpi, "ring.c")]))

    @each_mpi
    def test_mpi_behind_a_shared_library(self, mpi):
        self.compile(mpi, "ring.c", "-DLIBRARY", "-shared", "-fPIC", output="libring.so")
        program = self.path("caller")
        subprocess.run(["cc", "-DCALLER", self.source("ring.c"), "-o", program,
                        self.path("libring.so"), f"-Wl,-rpath,{self.folder}",
                        "-Wl,--allow-shlib-undefined"], check=True)
        self.check_ring(self.run_ranks(mpi, 3, [program]))

    def opener(self, mpi):
        """A program without MPI that opens a library with MPI, RTLD_LOCAL."""
        self.compile(mpi, "ring.c", "-DLIBRARY", "-shared", "-fPIC", output="libring.so")
        program = self.path("opener")
        subprocess.run(["cc", "-DCALLER", "-DOPEN", self.source("ring.c"), "-o", program, "-ldl"],
                       check=True)
        return [program, self.path("libring.so")]

    @each_mpi
    def test_mpi_in_a_library_opened_at_run_time(self, mpi):
        self.check_ring(self.run_ranks(mpi, 3, self.opener(mpi)))

    @each_mpi
    def test_all_symbols_bound_at_start(self, mpi):
        program = self.compile(mpi, "ring.c")
        self.check_ring(self.run_ranks(mpi, 3, [program], environment={"LD_BIND_NOW": "1"}))
        self.check_ring(self.run_ranks(mpi, 3, self.opener(mpi), environment={"LD_BIND_NOW": "1"}))

    @each_mpi
    def test_program_started_by_a_shell_script(self, mpi):
        program = self.compile(mpi, "ring.c")
        script = self.write("wrapper", f"#!/bin/sh\nls / >/dev/null\n{program} \"$@\"\n")
        os.chmod(script, 0o755)
        self.check_ring(self.run_ranks(mpi, 3, [script]))
        self.assertEqual([f for f in os.listdir(self.folder) if f.endswith(".andes")],
                         ["run.andes"])

    @each_mpi
    def test_preload_above_the_launcher(self, mpi):
        program = self.compile(mpi, "ring.c")
        done = subprocess.run([*launcher(mpi), "-n", "3", program], capture_output=True, text=True,
                              timeout=600, env={**os.environ, "LD_PRELOAD": LIBRARY,
                                               "ANDES_OUT": self.path("run.andes")})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.check_ring(done)

    @each_mpi
    def test_a_process_without_mpi_leaves_no_trace(self, mpi):
        # Of Open MPI's terminals, a line with tabs comes in pieces, with those of the other rank between them.
        plain = self.run_ranks(mpi, 2, ["ls", "-1", "/"], monitored=False)
        done = self.run_ranks(mpi, 2, ["ls", "-1", "/"])
        self.assertEqual(sorted(done.stdout.splitlines()), sorted(plain.stdout.splitlines()))
        self.assertEqual(done.stderr, "")
        self.assertEqual(os.listdir(self.folder), [])

    @each_mpi
    def test_output_is_the_same_without_the_monitor(self, mpi):
        program = self.compile(mpi, "accounts.c")
        plain = self.run_ranks(mpi, 2, [program], monitored=False)
        done = self.run_ranks(mpi, 2, [program])
        varying = ("MPI_Waitsome", "MPI_Test", "MPI_Improbe", "MPI_Request_get_status")
        keep = lambda text: sorted(line for line in text.splitlines()
                                   if not any(name in line for name in varying))
        self.assertEqual(keep(done.stdout), keep(plain.stdout))

    @each_mpi
    def test_switched_off_is_silent(self, mpi):
        done = self.run_ranks(mpi, 2, [self.compile(mpi, "ring.c")],
                              environment={"ANDES_MONITOR": "off"})
        self.assertEqual(done.stderr, "")
        self.assertFalse(os.path.exists(self.path("run.andes")))

    @each_mpi
    def test_snapshot_of_one_rank_does_not_wait_for_others(self, mpi):
        done = self.run_ranks(mpi, 3, [self.compile(mpi, "ring.c", "-DSNAPSHOT")])
        regions = self.check_ring(done)
        self.assertEqual(regions["MPI_Pcontrol"]["visits"], 1)

    @each_mpi
    def test_pcontrol_switches_counting_off_and_on(self, mpi):
        regions = self.check_ring(self.run_ranks(mpi, 3, [self.compile(mpi, "ring.c", "-DSWITCH")]))
        self.assertEqual(regions["MPI_Barrier"]["visits"], 3)

    def test_reference_to_mpi_in_a_program_without_it(self):
        """A library may refer to MPI weakly and ask whether it is running: it is not."""
        program = self.path("weak")
        source = self.write("weak.c", "\n".join([
            "#include <stdio.h>", "__attribute__((weak)) int MPI_Initialized(int *);",
            "int main(void) {", "  int flag = 0;",
            "  if (MPI_Initialized && MPI_Initialized(&flag) == 0 && flag) return 1;",
            '  puts("alone");', "  return 0;", "}", ""]))
        subprocess.run(["cc", "-fPIC", source, "-o", program], check=True)
        done = subprocess.run([program], capture_output=True, text=True,
                              env={**os.environ, "LD_PRELOAD": LIBRARY})
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "alone\n", ""))

    @each_mpi
    def test_namesake_of_a_fortran_name_in_a_library_of_the_program(self, mpi):
        """Some programs have a function mpi_init or MPI_SEND of their own: theirs is called."""
        library = self.write("names.c", "int mpi_init(void) { return 7; }\n"
                                        "int MPI_SEND(int x) { return x + 1; }\n")
        subprocess.run(["cc", "-shared", "-fPIC", library, "-o", self.path("libnames.so")],
                       check=True)
        program = self.write("own.c", "\n".join([
            "#include <mpi.h>", "#include <stdio.h>", "int mpi_init(void), MPI_SEND(int);",
            "int main(void) {", "  int first = mpi_init();", "  MPI_Init(NULL, NULL);",
            '  printf("%d %d\\n", first, MPI_SEND(7));', "  return MPI_Finalize();", "}", ""]))
        program = self.compile(mpi, program, self.path("libnames.so"),
                               f"-Wl,-rpath,{self.folder}")
        done = self.run_ranks(mpi, 2, [program])
        self.assertEqual((done.stdout, done.stderr), ("7 8\n7 8\n", ""))
        self.assertEqual(self.read()[0]["MPI_Init"]["visits"], 2)

    @each_mpi
    def test_rank_without_the_monitor_does_not_hang_the_others(self, mpi):
        program = self.compile(mpi, "ring.c")
        done = subprocess.run(
            [*launcher(mpi), "-n", "1", "sh", "-c", # as `andes exec` starts it: by its process id
             "exec env ANDES_GATHER_TIMEOUT_S=1 ANDES_PID=$$ "
             f"LD_PRELOAD={LIBRARY} ANDES_OUT={self.path('run.andes')} {program}",
             ":", "-n", "2", program],
            capture_output=True, text=True, timeout=600)
        self.assertEqual(done.returncode, 0, done.stderr)
        # UCX below MPICH remarks on the message that nobody took; the program is undisturbed.
        lines = sorted(line for line in done.stdout.splitlines() if line.startswith("rank"))
        self.assertEqual(lines, ["rank 0 sum 6", "rank 1 sum 0", "rank 2 sum 3"])
        self.assertIn("andes: MPI_Init: no private communicator, ", done.stderr)
        self.assertFalse(os.path.exists(self.path("run.andes")))

    @each_mpi
    def test_rank_late_at_the_end_does_not_hang_the_others(self, mpi):
        program = self.compile(mpi, "ring.c", "-DLATE")
        done = self.run_ranks(mpi, 3, [program], environment={
            "ANDES_GATHER_TIMEOUT_S": "1", "ANDES_ARENA": self.folder, "ANDES_JOB": f"late-{mpi}"})
        lines = sorted(line for line in done.stdout.splitlines() if line.startswith("rank"))
        self.assertEqual(lines, ["rank 0 sum 6", "rank 1 sum 0", "rank 2 sum 3"])
        # Who gives up first says so for the host.
        self.assertRegex(done.stderr, r"andes: rank \d: rank \d (did not send its measurements within 1 s|"
                                      r"did not receive the measurements within 1 s|has not written the run file)")
        self.assertFalse(os.path.exists(self.path("run.andes")))
        arenas = glob.glob(self.path(f"andes-*-late-{mpi}/*.arena"))
        self.assertEqual(len(arenas), 3, done.stderr) # what they have measured is there

    # --- what cannot be measured runs all the same, and one line says why ---

    def without_wrappers(self):
        """A copy of libandes.so, alone in a directory."""
        shutil.copy(LIBRARY, self.folder)
        return self.path("libandes.so")

    def build(self, name, text, library):
        subprocess.run(["cc", "-shared", "-fPIC", self.write(name, text), "-o", library], check=True)

    def run_alone(self, mpi, program, library, *variables):
        done = subprocess.run([*launcher(mpi), "-n", "1", "env", f"LD_PRELOAD={library}",
                               f"ANDES_OUT={self.path('run.andes')}", *variables, program],
                              capture_output=True, text=True, timeout=600)
        self.assertEqual((done.returncode, done.stdout), (0, "rank 0 sum 0\n"), done.stderr)
        self.assertFalse(os.path.exists(self.path("run.andes")))
        return done.stderr

    @each_mpi
    def test_wrapper_library_missing(self, mpi):
        error = self.run_alone(mpi, self.compile(mpi, "ring.c"), self.without_wrappers())
        self.assertRegex(error, rf"^andes: {self.folder}/libandes-{mpi}\.so: .*, "
                                r"MPI is not measured; rebuild or reinstall andes\n$")

    @each_mpi
    def test_libraries_of_another_build(self, mpi):
        """Parts of two installations, mixed up: what lies between them may differ, so they never meet."""
        program, library = self.compile(mpi, "ring.c"), self.without_wrappers()
        wrappers = self.path(f"libandes-{mpi}.so")
        self.build("wrappers.c", "const long andes_mpi_wrappers_table[9] = {1};\n", wrappers)
        error = self.run_alone(mpi, program, library)
        self.assertEqual(error, f"andes: {wrappers}: belongs to another build, MPI is not measured; rebuild or reinstall andes\n")

        shutil.copy(os.path.join(os.path.dirname(LIBRARY), os.path.basename(wrappers)), wrappers)
        finishing = self.path("libandes-finish.so")
        self.build("finish.c", "#include <stdlib.h>\nvoid andes_finish_run(void) { abort(); }\n", finishing)
        arena = self.path(f"arenas-{mpi}")
        os.mkdir(arena)
        error = self.run_alone(mpi, program, library, f"ANDES_ARENA={arena}")
        self.assertRegex(error, rf"^andes: {finishing}: belongs to another build; rebuild or reinstall andes; "
                                rf"'andes recover {arena}/\S+' makes a run file of the measured data\n$")

    def test_unknown_mpi_library(self):
        """An MPI library that nobody has built wrappers for: here a toy of one rank."""
        self.toy_library("libtoy.so.1")
        program = self.path("program")
        subprocess.run(["cc", "-I", self.folder, self.source("ring.c"), "-o", program,
                        self.path("libtoy.so.1"), f"-Wl,-rpath,{self.folder}"], check=True)
        mpi = next(iter(MPIS))
        error = self.run_alone(mpi, program, LIBRARY)
        self.assertRegex(error, r"^andes: libtoy\.so\.1: no wrapper library was built for this MPI "
                                r"library, MPI is not measured; .*--mpi MPICC\n$")

    @each_mpi
    def test_two_mpi_libraries_in_one_process(self, mpi):
        """The toy comes first, so it answers; nothing is measured."""
        self.toy_library("libtoy.so.1")
        self.compile(mpi, "ring.c", "-DLIBRARY", "-shared", "-fPIC", output="libring.so")
        program = self.path("program")
        subprocess.run(["cc", "-I", self.folder, self.source("ring.c"), "-o", program,
                        "-Wl,--no-as-needed", self.path("libtoy.so.1"), self.path("libring.so"),
                        f"-Wl,-rpath,{self.folder}", "-Wl,--allow-shlib-undefined"], check=True)
        error = self.run_alone(mpi, program, LIBRARY)
        self.assertRegex(error, r"^andes: lib\S+ and lib\S+: two MPI libraries in one process, "
                                r"MPI is not measured; link only one\n$")

    def source(self, name):
        return os.path.join(os.path.dirname(os.path.abspath(__file__)), name)

    def toy_library(self, name):
        """mpi.h and a library of a one-rank MPI with the few functions that ring.c calls."""
        self.write("mpi.h", "\n".join([
            "typedef int MPI_Comm, MPI_Datatype; typedef struct { int x; } MPI_Status;",
            "#define MPI_COMM_WORLD 0", "#define MPI_INT 4", "#define MPI_STATUS_IGNORE 0",
            "int MPI_Init(int *, char ***); int MPI_Finalize(void);",
            "int MPI_Comm_rank(MPI_Comm, int *); int MPI_Comm_size(MPI_Comm, int *);",
            "int MPI_Sendrecv(const void *, int, MPI_Datatype, int, int, void *, int,",
            "                 MPI_Datatype, int, int, MPI_Comm, MPI_Status *);", ""]))
        self.write("toy.c", "\n".join([
            '#include "mpi.h"', "int PMPI_Init(int *c, char ***v) { (void)c, (void)v; return 0; }",
            "int MPI_Init(int *c, char ***v) { return PMPI_Init(c, v); }",
            "int MPI_Finalize(void) { return 0; }",
            "int MPI_Comm_rank(MPI_Comm c, int *r) { (void)c; *r = 0; return 0; }",
            "int MPI_Comm_size(MPI_Comm c, int *s) { (void)c; *s = 1; return 0; }",
            "int MPI_Sendrecv(const void *a, int n, MPI_Datatype t, int d, int g, void *b, int m,",
            "                 MPI_Datatype u, int s, int h, MPI_Comm c, MPI_Status *x) {",
            "  (void)n, (void)t, (void)d, (void)g, (void)m, (void)u, (void)s, (void)h, (void)c;",
            "  (void)x, *(int *)b = *(const int *)a;", "  return 0;", "}", ""]))
        subprocess.run(["cc", "-shared", "-fPIC", self.path("toy.c"), f"-Wl,-soname,{name}", "-o",
                        self.path(name)], check=True)


if __name__ == "__main__":
    unittest.main()
