"""andes doctor: what it says of programs whose build is known, and of a machine with pretended compilers and launchers."""
import csv
import io
import glob
import json
import os
import platform
import shutil
import subprocess
import unittest

from support.build import ANDES, BUILD
from support.command_line import CommandTest, main
from support.environment import OF_OPEN_MPI, WITH_OWN_MOUNTS

PROGRAM = r"""
#include <mpi.h>
static int twice(int x) {
  int sum = 0;
  for (int i = 0; i < 2; ++i)
    for (int k = 0; k < 50; ++k) sum += x;
  return sum;
}
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int sum = twice(argc);
  MPI_Finalize();
  return sum == 0;
}
"""
SEQUENTIAL = "int main(void) { return 0; }\n"
CALLED = """
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
int clock_gettime(clockid_t clock, struct timespec *time) { return (int)syscall(SYS_clock_gettime, clock, time); }
"""
CLOCK_SOURCE = "/sys/devices/system/clocksource/clocksource0/current_clocksource"
FAMILIES = {"openmpi": "Open MPI", "mpich": "MPICH"}
COMMAND = """#!/bin/sh
case "$1" in %s) echo "%s"; exit 0;; esac
exit 1
"""


class Doctor(CommandTest):
    def compile(self, *words):
        subprocess.run(words, cwd=self.work, check=True, timeout=600, stdin=subprocess.DEVNULL)

    def examined(self, *words, status=0, **env):
        """The document, and its checks by subject."""
        document = json.loads(self.succeeds("doctor", "--json", *words, status=status, **env).stdout)
        self.assertEqual(document["schema"], 1)
        return document, {check["subject"]: check for check in document["checks"]}

    def put(self, name, option, text):
        path = os.path.join(self.bin, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(COMMAND % (option, text))
        os.chmod(path, 0o755)


class Programs(Doctor):
    def test_each_mpi(self):
        self.write("prog.c", PROGRAM)
        for kind, family in FAMILIES.items():
            if not shutil.which("mpicc." + kind):
                continue
            with self.subTest(kind=kind):
                self.compile("mpicc." + kind, "-g", "-O1", "prog.c", "-o", kind)
                document, checks = self.examined("./" + kind)
                program = document["program"]
                self.assertEqual([mpi["family"] for mpi in program["mpi"]], [family])
                self.assertTrue(os.path.exists(program["mpi"][0]["path"]))
                self.assertEqual((program["static"], program["debug_lines"], program["probes"]["functions"],
                                  program["libraries_missing"]), (False, True, 0, []))
                self.assertIn(" -O1", program["compilers"][0])
                self.assertEqual(checks["MPI"]["result"], "works")
                self.assertEqual(checks["probes"]["result"], "limited")

    def test_probes_are_counted(self):
        if not shutil.which("mpicc"):
            self.skipTest("no mpicc")
        if not os.path.exists(os.path.join(os.path.dirname(ANDES), "..", "libexec", "andes", "andes-preprocess")):
            self.skipTest("no preprocessor")
        self.write("prog.c", PROGRAM)
        self.compile(ANDES, "cc", "--select", "all", "--loops", "outer", "mpicc", "prog.c", "-o", "prog")
        document, checks = self.examined("./prog")
        probes = document["program"]["probes"]
        self.assertEqual((probes["functions"], probes["loops"], probes["blocks"], probes["hooks"]), (2, 1, 0, False))
        self.assertEqual(document["program"]["functions"], 2)
        self.assertEqual(checks["probes"], {"subject": "probes", "result": "works",
                                            "fact": "2 functions of about 2 in the file, 1 loop"})
        self.compile("strip", "prog")
        document, checks = self.examined("./prog")
        self.assertNotIn("functions", document["program"])
        self.assertEqual(checks["lines"]["result"], "limited")

    def test_probes_of_fortran_are_counted(self):
        libraries = os.path.join(os.path.dirname(ANDES), "..", "lib", "andes")
        if not shutil.which("gfortran") or not glob.glob(os.path.join(libraries, "andes_gcc_*.so")):
            self.skipTest("no gfortran, or no plug-in for it")
        self.write("prog.f90", "module m\ncontains\n  subroutine s\n    print *, 1\n  end subroutine\nend module\n"
                               "program p\n  use m\n  call s\nend program\n")
        self.compile(ANDES, "cc", "--select", "all", "gfortran", "prog.f90", "-o", "prog")
        document, checks = self.examined("./prog")
        self.assertEqual((document["program"]["probes"]["functions"], checks["probes"]["result"]), (2, "works"))

    def test_hooks_and_openmp(self):
        self.write("prog.c", "int main(void) {\n#pragma omp parallel\n;\nreturn 0; }\n")
        self.compile("gcc", "-fopenmp", "-finstrument-functions", "prog.c", "-o", "prog")
        document, checks = self.examined("./prog")
        self.assertEqual(document["program"]["openmp"], ["libgomp.so.1"])
        self.assertTrue(document["program"]["probes"]["hooks"])
        self.assertEqual([checks[name]["result"] for name in ("OpenMP", "probes", "lines")],
                         ["works", "works", "limited"])

    def test_static(self):
        self.write("prog.c", SEQUENTIAL)
        self.compile("gcc", "-static", "prog.c", "-o", "prog")
        document, checks = self.examined("./prog", status=1)
        self.assertTrue(document["program"]["static"])
        self.assertEqual(checks["monitor"], {
            "subject": "monitor", "result": "fails", "remedy": "link it without -static",
            "fact": "it is linked statically, so that no library can be preloaded and nothing of it can be seen"})
        done = self.andes("run", "--", "./prog")
        self.assertEqual(done.returncode, 1)
        self.assertIn("andes: ./prog: no run file was written: it is linked statically, ", done.stderr)

    def test_started_by_profiling_name(self):
        if not shutil.which("mpicc"):
            self.skipTest("no mpicc")
        self.write("prog.c", "#include <mpi.h>\nint main(int n, char** a) {\nint begun; MPI_Initialized(&begun);\n"
                   "if (!begun) PMPI_Init(&n, &a);\nMPI_Barrier(MPI_COMM_WORLD); return PMPI_Finalize(); }\n")
        self.compile("mpicc", "prog.c", "-o", "prog")
        _, checks = self.examined("./prog", status=1)
        self.assertEqual(checks["MPI"]["result"], "fails")
        done = self.andes("run", "--", "mpirun", "-n", "1", "./prog", **OF_OPEN_MPI)
        self.assertEqual(done.returncode, 1)
        self.assertIn("andes: ./prog: no run file was written: %s; %s\n" % (checks["MPI"]["fact"], checks["MPI"]["remedy"]),
                      done.stderr)
        self.write("prog.c", "#include <mpi.h>\nint main(int n, char** a) { MPI_Init(&n, &a); return PMPI_Finalize(); }\n")
        self.compile("mpicc", "prog.c", "-o", "prog")
        self.assertEqual(self.examined("./prog")[1]["MPI"]["result"], "works")

    def test_own_library_starts_mpi(self):
        if not shutil.which("mpicc"):
            self.skipTest("no mpicc")
        self.write("start.c", "#include <mpi.h>\nvoid start(void) { MPI_Init(0, 0); }\n")
        self.write("prog.c", "#include <mpi.h>\nvoid start(void);\nint main(void) {\nint begun; PMPI_Initialized(&begun);\n"
                   "if (!begun) start();\nreturn MPI_Finalize(); }\n")
        self.compile("mpicc", "-shared", "-fPIC", "start.c", "-o", "libstart.so")
        self.compile("mpicc", "prog.c", "-L.", "-lstart", "-Wl,-rpath,.", "-o", "prog")
        self.assertEqual(self.examined("./prog")[1]["MPI"]["result"], "works")

    def test_own_library_starts_mpi_or_the_program_by_profiling_name(self):
        """As MPI_Init is asked for somewhere, the ranks may be seen."""
        if not shutil.which("mpicc"):
            self.skipTest("no mpicc")
        self.write("start.c", "#include <mpi.h>\nvoid start(void) { MPI_Init(0, 0); }\n")
        self.write("prog.c", "#include <mpi.h>\nvoid start(void);\nint main(int n, char** a) {\n"
                   "if (n > 1) PMPI_Init(&n, &a); else start();\nreturn PMPI_Finalize(); }\n")
        self.compile("mpicc", "-shared", "-fPIC", "start.c", "-o", "libstart.so")
        self.compile("mpicc", "prog.c", "-L.", "-lstart", "-Wl,-rpath,.", "-o", "prog")
        self.assertEqual(self.examined("./prog")[1]["MPI"]["result"], "works")

    def test_functions_of_cplusplus_and_fortran_are_counted(self):
        """By their names in the symbol table, the constructor with two names once, those of headers of C++ not at all."""
        self.write("prog.cc", "#include <string>\n#include <vector>\nnamespace n {\nstruct Grid {\n"
                   "explicit Grid(int n); std::vector<std::string> names; };\n"
                   "Grid::Grid(int n) : names(n, \"one\") {}\n}\n"
                   "int main(int argc, char**) { return n::Grid(argc).names.size() > 5; }\n")
        self.compile("g++", "-O0", "prog.cc", "-o", "cplusplus")
        # main, the constructor, and the destructor that the compiler makes.
        self.assertEqual(self.examined("./cplusplus")[0]["program"]["functions"], 3)
        if shutil.which("gfortran"):
            self.write("prog.f90", "module m\ncontains\n  subroutine s\n    print *, 1\n  end subroutine\nend module\n"
                                   "program p\n  use m\n  call s\nend program\n")
            self.compile("gfortran", "prog.f90", "-o", "fortran")
            self.assertEqual(self.examined("./fortran")[0]["program"]["functions"], 3)  # MAIN__ and main

    def test_tool_in_the_program(self):
        if not shutil.which("mpicc"):
            self.skipTest("no mpicc")
        self.write("tool.c", "#include <mpi.h>\nint MPI_Init(int* n, char*** a) { return PMPI_Init(n, a); }\n"
                   "int MPI_Finalize(void) { return PMPI_Finalize(); }\n")
        self.write("prog.c", "#include <mpi.h>\nint main(int n, char** a) { MPI_Init(&n, &a); return MPI_Finalize(); }\n")
        self.compile("mpicc", "prog.c", "tool.c", "-o", "prog")
        check = self.examined("./prog", status=1)[1]["MPI"]
        self.assertEqual((check["result"], check["remedy"]), ("fails", "link it without that tool"))
        done = self.andes("run", "--", "mpirun", "-n", "1", "./prog", **OF_OPEN_MPI)
        self.assertEqual(done.returncode, 1)
        self.assertIn("andes: ./prog: no run file was written: %s; %s\n" % (check["fact"], check["remedy"]), done.stderr)

    def test_missing_library(self):
        self.write("used.c", "int used(void) { return 0; }\n")
        self.write("prog.c", "int used(void); int main(void) { return used(); }\n")
        self.compile("gcc", "-shared", "-fPIC", "used.c", "-o", "libused.so")
        self.compile("gcc", "prog.c", "-L.", "-lused", "-o", "prog")
        document, checks = self.examined("./prog", status=1)
        self.assertEqual(document["program"]["libraries_missing"], ["libused.so"])
        self.assertEqual(checks["start"]["fact"], "the library libused.so that it needs is not found")
        self.examined("./prog", LD_LIBRARY_PATH=self.work)

    def test_two_mpi_libraries(self):
        if not all(shutil.which("mpicc." + kind) for kind in FAMILIES):
            self.skipTest("needs two MPI libraries")
        self.write("prog.c", PROGRAM)
        self.compile("mpicc.openmpi", "prog.c", "-o", "prog", "-Wl,--no-as-needed", "-l:libmpich.so.12")
        document, checks = self.examined("./prog", status=1)
        self.assertEqual(sorted(mpi["family"] for mpi in document["program"]["mpi"]), sorted(FAMILIES.values()))
        self.assertIn("two MPI libraries in one process", checks["MPI"]["fact"])

    @unittest.skipUnless(os.getuid() == 0, "root only")
    def test_set_user_id(self):
        self.write("prog.c", SEQUENTIAL)
        self.compile("gcc", "prog.c", "-o", "prog")
        os.chmod(os.path.join(self.work, "prog"), 0o4755)
        self.assertIn("set-user-ID", self.examined("./prog", status=1)[1]["monitor"]["fact"])

    def test_formats(self):
        self.write("prog.c", SEQUENTIAL)
        self.compile("gcc", "prog.c", "-o", "prog")
        _, checks = self.examined("./prog")
        self.assertEqual(self.formats("doctor"), ["text", "json", "csv"])
        rows = list(csv.DictReader(io.StringIO(self.succeeds("doctor", "--csv", "./prog").stdout)))
        self.assertEqual([(row["subject"], row["result"], row["fact"], row["remedy"]) for row in rows],
                         [(c["subject"], c["result"], c["fact"], c.get("remedy", "")) for c in checks.values()])
        text = self.succeeds("doctor", "./prog", COLUMNS="400").stdout.splitlines()
        self.assertTrue(text[0].startswith("./prog: "))
        self.assertEqual(text[1], "")
        for check in checks.values():
            self.assertTrue(any(line.startswith(check["result"]) and line.endswith(check["fact"]) for line in text))

    def test_bad_input(self):
        self.write("script", "#!/bin/sh\n", executable=True)
        self.write("data", "1 2 3\n", executable=True)
        self.refused("./nosuch: no such file; check its path and the working directory", "doctor", "./nosuch")
        self.refused("./script: it is a script; name the program that it starts, or the interpreter in its first line",
                     "doctor", "./script")
        with open(ANDES, "rb") as program:
            self.write("part", "", executable=True)
            with open(os.path.join(self.work, "part"), "wb") as part:
                part.write(program.read(4096))
        done = self.andes("doctor", "./part")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertRegex(done.stderr, r"^andes: ./part: truncated, 4096 of \d+ bytes are there; copy it again, or build it "
                                      r"again\n$")
        self.refused("./data: it is neither a program for this system nor a script with #! in its first line; build it, "
                     "or name its interpreter before it", "doctor", "./data")


class Machines(Doctor):
    def test_this_machine(self):
        self.put("mpicc", "--showme:version", "mpicc: Open MPI 4.1.4 (Language: C)")
        self.put("mpirun", "--version", "mpirun (Open MPI) 4.1.4")
        document, checks = self.examined(OMPI_ALLOW_RUN_AS_ROOT="1")
        self.assertEqual(document["machine"]["usable_cores"], len(os.sched_getaffinity(0)))
        for subject in ("monitor", "names", "probes", "compiler cc", "Python", "mpirun", "counters", "clock", "arenas", "limits",
                        "permissions", "settings"):
            self.assertIn(checks[subject]["result"], ("works", "limited"), subject)
        self.assertEqual(checks["monitor"]["result"], "works")
        self.assertTrue(checks["mpirun"]["fact"].endswith("/mpirun are both of Open MPI"), checks["mpirun"])
        # One line for each wrapper library, and none for other libraries of andes.
        of_mpi = [check for check in document["checks"] if check["subject"].startswith("MPI")]
        wrappers = {name for family in FAMILIES for name in glob.glob(os.path.join(BUILD, "lib", "andes", "libandes-%s.so" % family))}
        self.assertEqual(len(of_mpi), len(wrappers), of_mpi)

    def clock_where(self, source, **env):
        """Result and fact, where the kernel seems to have this clock source."""
        self.write("source", source + "\n")
        done = subprocess.run([*WITH_OWN_MOUNTS, "sh", "-c", 'mount --bind source %s && exec "$@"' % CLOCK_SOURCE, "sh", ANDES, "doctor", "--json"],
                              cwd=self.work, env=self.environment(OMPI_ALLOW_RUN_AS_ROOT="1", **env), stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=600)
        if not done.stdout:
            self.skipTest("the clock source cannot be hidden here: " + done.stderr)
        [clock] = [c for c in json.loads(done.stdout)["checks"] if c["subject"] == "clock"]
        return clock["result"], clock["fact"]

    @unittest.skipUnless(platform.machine() == "x86_64" and os.path.exists(CLOCK_SOURCE), "another processor or system")
    def test_clock(self):
        with open(CLOCK_SOURCE, encoding="ascii") as file:
            source = file.read().strip()
        with open("/proc/cpuinfo", encoding="ascii") as file:
            invariant = {"constant_tsc", "nonstop_tsc"} <= set(file.read().split())
        self.put("mpicc", "--showme:version", "Open MPI")
        self.put("mpirun", "--version", "Open MPI")
        slow = "the kernel's clock is %s: the monitor takes it, and a timed probe costs several times as much"
        self.assertEqual(self.clock_where("hpet"), ("limited", slow % "hpet"))
        # A kernel that uses the counter itself serves its clock without a call.
        counter = ("works", "the processor's counter, read without a system call") if invariant else ("limited", slow % "kvm-clock")
        if source == "tsc":
            self.assertEqual(self.clock_where("kvm-clock"), counter)
        self.write("called.c", CALLED)
        self.compile("cc", "-shared", "-fPIC", "called.c", "-o", "called.so")
        self.assertEqual(self.clock_where("kvm-clock", LD_PRELOAD=os.path.join(self.work, "called.so")), ("limited", slow % "kvm-clock"))

    def test_commands_of_two_mpi_libraries(self):
        self.put("mpicc", "-v", "mpicc for MPICH version 4.0.2")
        self.put("mpirun", "--version", "mpirun (Open MPI) 4.1.4")
        checks = self.examined(status=1)[1]
        self.assertEqual((checks["mpirun"]["result"], checks["mpirun"]["remedy"]),
                         ("fails", "put both commands of one MPI library first in PATH"))

    def test_arenas_and_limits(self):
        self.put("mpicc", "--showme:version", "Open MPI")
        self.put("mpirun", "--version", "Open MPI")
        checks = self.examined(ANDES_ARENA=self.work, OMPI_ALLOW_RUN_AS_ROOT="1")[1]
        self.assertIn(self.work, checks["arenas"]["fact"])
        done = subprocess.run(["sh", "-c", "ulimit -n 100; exec %s doctor --json" % ANDES], cwd=self.work, timeout=600,
                              env=self.environment(OMPI_ALLOW_RUN_AS_ROOT="1"), capture_output=True, text=True)
        limits = [c for c in json.loads(done.stdout)["checks"] if c["subject"] == "limits"]
        self.assertEqual([(c["result"], c["remedy"]) for c in limits], [("limited", "ulimit -n 1024")])

    def test_settings_of_the_environment(self):
        self.put("mpicc", "--showme:version", "Open MPI")
        self.put("mpirun", "--version", "Open MPI")
        checks = self.examined(status=1, ANDES_MONITOR="perhaps")[1]
        self.assertEqual(checks["settings"]["result"], "fails")
        self.assertIn("ANDES_MONITOR", checks["settings"]["fact"])


if __name__ == "__main__":
    main()
