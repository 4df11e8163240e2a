"""The test of the wrappers of MPI: compiled for each MPI library, run under the monitor. The libraries come in
TEST_MPIS: name=MPICC|...; clocks have a monitor of their own, in TEST_LIBRARY."""
import inspect
import os
import shutil
import subprocess

from support import build
from support.folder import InFolder
from support.run_file import RunFile

MPIS = dict(item.split("=") for item in build.given("TEST_MPIS").split("|") if item)
NO_MPI = "this build found no MPI library"
LIBRARY = os.environ.get("TEST_LIBRARY", build.LIBRARY)
NUMBERS = ("visits", "bytes_sent", "bytes_received", "messages_sent", "messages_received")


def launcher(mpi):
    """The mpirun that belongs to the compiler wrapper of `mpi`, with what it needs here."""
    mpicc = MPIS[mpi]
    directory, base = os.path.split(mpicc)
    command = [os.path.join(directory, base.replace("mpicc", "mpirun"))]
    if mpi == "openmpi":
        command += ["--oversubscribe"] + (["--allow-run-as-root"] if os.geteuid() == 0 else [])
    return command


def fortran_compiler(mpi):
    directory, base = os.path.split(MPIS[mpi])
    return shutil.which(os.path.join(directory, base.replace("mpicc", "mpif90")))


class MpiTest(InFolder):
    """Ways to build and run in a folder of the test's own."""

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        return self.path(name)

    def compile(self, mpi, source, *flags, output="program"):
        """Builds `source` (beside the test's file, or an absolute path) with the compiler of `mpi`."""
        source = os.path.join(os.path.dirname(os.path.abspath(inspect.getfile(type(self)))), source)
        compiler = fortran_compiler(mpi) if source.endswith(".f90") else MPIS[mpi]
        include = ["-J", self.folder] if source.endswith(".f90") else ["-I", build.INCLUDE]
        if source.endswith(".c"):  # MPICH declares arrays that may be MPI_STATUSES_IGNORE
            flags = ("-Wno-stringop-overflow", *flags)
        else:  # a program without interfaces hands buffers of several types to one name
            flags = ("-w", "-fallow-argument-mismatch", *flags)
        subprocess.run([compiler, *include, source, "-o", self.path(output), *flags], check=True)
        return self.path(output)

    def run_ranks(self, mpi, ranks, command, monitored=True, environment=(), out="run.andes"):
        """Runs `command` on `ranks`; the monitor is preloaded below env, as a launcher does it."""
        settings = [f"{key}={value}" for key, value in dict(environment).items()]
        if os.path.exists(self.path(out)):  # a run file is never overwritten
            os.remove(self.path(out))
        if monitored:
            # Calls are counted one by one, also those that poll.
            settings = [f"LD_PRELOAD={LIBRARY}", f"ANDES_OUT={self.path(out)}", "ANDES_WINDOWS=off", *settings]
        done = subprocess.run([*launcher(mpi), "-n", str(ranks), "env", *settings, *command],
                              capture_output=True, text=True, timeout=600, cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done

    def read(self, out="run.andes"):
        """Run file as {region: {metric: sum over all its call paths}}, and the matrix."""
        run = RunFile(self.path(out))
        return run.totals_by_region(), run.messages, run.facts


def each_mpi(test):
    """Decorates test(self, mpi): once per MPI found, each in a sub-test."""
    def run(self):
        if not MPIS:
            self.skipTest(NO_MPI)
        for mpi in MPIS:
            with self.subTest(mpi=mpi):
                if os.path.exists(self.path("run.andes")):
                    os.remove(self.path("run.andes"))
                test(self, mpi)
    run.__doc__ = test.__doc__
    return run
