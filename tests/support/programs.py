"""The programs of tests/programs as they are built for each MPI library, and their launchers."""
import os
import shutil

from support.build import BUILD

PROGRAMS = os.path.join(BUILD, "tests", "programs")
KINDS = [k for k in ("openmpi", "mpich")
         if shutil.which("mpirun." + k) and os.path.isdir(os.path.join(PROGRAMS, k, "plain"))]
KINDS_WITH_COMPILER = [k for k in ("openmpi", "mpich") if shutil.which("mpicc." + k) and shutil.which("mpirun." + k)]


def program(kind, name, build="probed"):
    return os.path.join(PROGRAMS, kind, build, name)


def polling(kind):
    """The layer that lets ranks wait asleep; see tests/programs/polling."""
    return os.path.join(PROGRAMS, kind, "libpolling.so")


def launcher(kind, ranks):
    return ["mpirun." + kind, "-n", str(ranks)]
