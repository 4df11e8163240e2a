#!/usr/bin/env python3
"""The monitor for AArch64 with real MPI libraries, in QEMU: unit tests, the compilers' hooks, and programs of two ranks,
whose visits and bytes must be those of this machine's own build, call path by call path.

  try_aarch64.py BUILD [PROGRAM...]

Debian's packages for AArch64 (some 170 MB) are kept in BUILD/aarch64, where the monitor is built, too. The machine's own
packages stay as they are. Programs get their probes from BUILD's preprocessor and are compiled by cross compilers.
"""
import os
import re
import subprocess
import sys
import tempfile

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SOURCE = os.path.dirname(TESTS)
sys.path.insert(0, TESTS)

from support.run_file import RunFile, below_program  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
PACKAGES = """libmpich-dev mpich libopenmpi-dev openmpi-bin libc6-dev libdw-dev libsqlite3-dev zlib1g-dev libfmt-dev
libboost-dev libcli11-dev nlohmann-json3-dev libpapi-dev catch2 libstdc++6 libgfortran5 bash coreutils dash
hostname""".split()
TARGETS = ["andes_monitor", "andes_mpi_openmpi", "andes_mpi_mpich", "andes_finish", "andes_symbols", "monitor_tests"]
MPIS = {"mpich": ("-I/usr/include/aarch64-linux-gnu/mpich", "-lmpichfort -lmpichcxx -lmpich"),
        "openmpi": ("-I/usr/lib/aarch64-linux-gnu/openmpi/include",
                    "-L/usr/lib/aarch64-linux-gnu/openmpi/lib -lmpi_usempif08 -lmpi_usempi_ignore_tkr -lmpi_mpifh -lmpi_cxx -lmpi")}
WRAPPERS = {"mpicc": "gcc", "mpicxx": "g++", "mpifort": "gfortran"}
CORPUS = ("block_tridiagonal", "conjugate_gradient", "integer_sort", "molecular", "multigrid", "lower_upper",
          "scalar_pentadiagonal", "mesh_blocks", "finite_elements.cc", "hydrodynamics.cc")
PROGRAMS = {"jacobi": ("programs/jacobi.c", "64 20"), "gibbs": ("programs/gibbs.cc", "4 50"),
            "jacobi_f90": ("programs/fortran/jacobi.F90", "64 20"), "jacobi_f77": ("programs/fortran/jacobi_mpif.f", "64 20"),
            **{name.split(".")[0]: ("corpus/" + (name if "." in name else name + ".c"), "2") for name in CORPUS}}
METRICS = ("visits", "bytes_sent", "bytes_received")


class Machine:
    """Debian for AArch64 below BUILD/aarch64."""

    def __init__(self, build):
        self.place = os.path.join(build, "aarch64")
        self.root, self.bin, self.build = (os.path.join(self.place, name) for name in ("root", "bin", "build"))
        self.qemu = os.path.join(self.place, "host/usr/bin/qemu-aarch64-static")
        self.counter = os.path.join(self.place, "clocksource")

    def fetch(self):
        if os.path.exists(os.path.join(self.root, "complete")):
            return
        for folder in ("apt/state/lists/partial", "apt/cache/archives/partial", "host", "root/usr/lib", "root/usr/bin", "root/usr/sbin",
                       "bin"):
            os.makedirs(os.path.join(self.place, folder), exist_ok=True)
        for name in ("lib", "bin", "sbin"):
            link = os.path.join(self.root, name)
            if not os.path.islink(link):
                os.symlink("usr/" + name, link)
        self.write("apt/state/status", "")
        self.write("apt/sources.list", "deb http://deb.debian.org/debian bookworm main\n")
        options = {"APT::Architecture": "arm64", "APT::Architectures": "arm64", "APT::Install-Recommends": "false",
                   "APT::Sandbox::User": "root", "Dir::State": "state", "Dir::State::status": "state/status",
                   "Dir::Cache": "cache", "Dir::Etc::sourcelist": "sources.list", "Dir::Etc::sourceparts": "/dev/null"}
        words = ["-q"]
        for name, value in options.items():
            own = name.startswith("Dir") and value[0] != "/"
            words += ["-o", "%s=%s" % (name, os.path.join(self.place, "apt", value) if own else value)]
        self.command("apt-get", *words, "update")
        self.command("apt-get", *words, "-y", "--download-only", "install", *PACKAGES)
        archives = os.path.join(self.place, "apt/cache/archives")
        for name in sorted(os.listdir(archives)):
            if name.endswith(".deb"):  # not --extract, which would put a directory in the place of lib
                tar = subprocess.Popen(["dpkg", "--fsys-tarfile", os.path.join(archives, name)], stdout=subprocess.PIPE)
                self.command("tar", "-x", "--no-same-owner", "--keep-directory-symlink", "-C", self.root, stdin=tar.stdout)
                if tar.wait() != 0:
                    sys.exit("andes: %s: cannot be unpacked" % name)
        self.command("apt-get", "-q", "download", "qemu-user-static", cwd=os.path.join(self.place, "host"))
        package, = [name for name in os.listdir(os.path.join(self.place, "host")) if name.endswith(".deb")]
        self.command("dpkg", "--extract", package, ".", cwd=os.path.join(self.place, "host"))
        self.write("root/complete", "")

    def prepare(self):
        self.write("clocksource", "arch_sys_counter\n")
        for kind, (before, behind) in MPIS.items():
            for wrapper, compiler in WRAPPERS.items():
                modules = "-I/usr/lib/aarch64-linux-gnu/fortran/gfortran-mod-15/" + kind if wrapper == "mpifort" else ""
                path = self.write("bin/%s.%s" % (wrapper, kind), '#!/bin/sh\nexec aarch64-linux-gnu-%s %s %s "$@" %s\n' %
                                  (compiler, before, modules, behind))
                os.chmod(path, 0o755)
        self.inside("build", "cmake", "-G", "Ninja", "-S", SOURCE, "-B", self.build, "-DCMAKE_BUILD_TYPE=Release",
                    "-DCMAKE_TOOLCHAIN_FILE=" + os.path.join(HERE, "toolchain.cmake"), "-DANDES_PREPROCESSOR=OFF")
        self.inside("build", "ninja", "-C", self.build, *TARGETS)

    def write(self, name, text):
        path = os.path.join(self.place, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def command(self, *words, **more):
        done = subprocess.run(words, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, **more)
        if done.returncode != 0:
            sys.exit("andes: %s: exit status %d\n%s" % (" ".join(words), done.returncode, done.stdout[-3000:]))
        return done.stdout

    def inside(self, how, *words, **environment):
        """`environment`: variables; COUNTER: the kernel's clock is AArch64's own."""
        path = self.bin + ":" + os.environ["PATH"] if how == "build" else "/usr/bin:/usr/sbin"
        return self.command(os.path.join(HERE, "enter.sh"), self.root, self.qemu, how, *words,
                            env={**os.environ, "QEMU": self.qemu, "HERE": SOURCE.lstrip("/"), "PATH": path, **environment})


def measured(library, out):
    """Environment and shell command of a program that is measured exactly, by the monitor alone."""
    environment = {"ANDES_OUT": out, "ANDES_BUDGET_PERCENT": "0", "MONITOR": library, "OMPI_MCA_mpi_yield_when_idle": "1",
                   "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
                   "OMPI_MCA_rmaps_base_oversubscribe": "1"}
    return environment, ["sh", "-c", 'ANDES_PID=$$ LD_PRELOAD=$MONITOR exec "$@"', "sh"]


def sums(out):
    run = RunFile(out)
    found = {(metric, path): n for metric in METRICS for path, n in run.sums_by_path(metric).items()}
    os.remove(out)
    return found


class Trial:
    def __init__(self, build, folder):
        self.andes, self.library = os.path.join(build, "bin/andes"), os.path.join(build, "lib/andes/libandes.so")
        self.machine, self.folder, self.failed = Machine(build), folder, False

    def compare(self, what, found, expected):
        different = sorted({*found.items()} ^ {*expected.items()}, key=str)
        print("%s: %s" % (what, "DIFFERENT: %s" % different[:8] if different else "the same, %d figures" % len(found)), flush=True)
        self.failed |= bool(different)

    def compile(self, how, source, kind, program):
        """Fortran by hooks: what tells most of an unusual machine is the stack."""
        name = os.path.join(TESTS, source)
        if source.lower().endswith((".f", ".f90")):
            words = ["mpifort." + kind, "-O2", "-finstrument-functions", "-J", self.folder, name, "-o", program]
        else:
            wrapper = "mpicxx." if source.endswith(".cc") else "mpicc."
            words = [self.andes, "cc", wrapper + kind, "-O2", "-I" + SOURCE, name, "-o", program, "-lm"]
        return how(*words)

    def two_ranks(self, name, kind):
        source, arguments = PROGRAMS[name]
        program, out = os.path.join(self.folder, "program"), os.path.join(self.folder, "run.andes")
        launch = ["mpirun." + kind, "-n", "2"]
        self.compile(self.machine.command, source, kind, program)
        environment, shell = measured(self.library, out)
        self.machine.command(*launch, *shell, program, *arguments.split(), env={**os.environ, **environment})
        expected = sums(out)
        self.compile(lambda *words: self.machine.inside("build", *words), source, kind, program)
        environment, shell = measured(os.path.join(self.machine.build, "lib/andes/libandes.so"), out)
        for clock in ("", self.machine.counter):
            self.machine.inside("run", *launch, *shell, program, *arguments.split(), COUNTER=clock, **environment)
            self.compare("%s, %s%s" % (name, kind, ", its own counter" if clock else ""), sums(out), expected)

    def hooks(self, flags, **environment):
        """tests/hooks/hooked.cc: its visits as its test knows them."""
        with open(os.path.join(TESTS, "hooks/test_hooks.py"), encoding="utf-8") as file:
            expected = eval(re.search(r"^HOOKED = (\{.*?\})\n\n", file.read(), re.MULTILINE | re.DOTALL)[1])
        program, out = os.path.join(self.folder, "hooked"), os.path.join(self.folder, "run.andes")
        self.machine.inside("build", "aarch64-linux-gnu-g++", "-g", "-finstrument-functions", "-pthread", *flags,
                            os.path.join(TESTS, "hooks/hooked.cc"), "-o", program)
        more, shell = measured(os.path.join(self.machine.build, "lib/andes/libandes.so"), out)
        self.machine.inside("run", "sh", "-c", '"$@"; test $? = 3', "sh", *shell, program, **more, **environment)
        run = RunFile(out)
        functions = {path for callpath, path in run.paths.items() if run.kind(callpath) == "function"}
        visits = below_program({path: n for path, n in run.sums_by_path("visits").items() if path in functions})
        os.remove(out)
        self.compare("hooks %s %s" % (" ".join(flags), environment or ""), visits,
                     {path: n for path, n in expected.items() if path in visits or not re.search("small|Grid::Grid", path)})


def main():
    build, names = os.path.abspath(sys.argv[1]), sys.argv[2:] or list(PROGRAMS)
    for name in names:
        if name not in PROGRAMS:
            sys.exit("andes: %s: no such program; there are %s" % (name, ", ".join(PROGRAMS)))
    with tempfile.TemporaryDirectory(prefix="andes-aarch64-") as folder:
        trial = Trial(build, folder)
        trial.machine.fetch()
        trial.machine.prepare()
        print(trial.machine.inside("run", os.path.join(trial.machine.build, "tests/monitor/monitor_tests")).strip(), flush=True)
        for level in ("-O0", "-O2"):
            for flags in ([level], [level, "-mbranch-protection=standard"]):
                trial.hooks(flags)
        trial.hooks(["-O2"], QEMU_PAGESIZE="65536")
        for name in names:
            for kind in MPIS:
                trial.two_ranks(name, kind)
    sys.exit(trial.failed)


if __name__ == "__main__":
    main()
