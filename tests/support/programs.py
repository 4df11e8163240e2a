"""The programs of tests/programs as they are built for each MPI library, and their launchers."""
import os
import shutil
import sys

from support.build import BUILD
from support.skipped import skip

PROGRAMS = os.path.join(BUILD, "tests", "programs")
LIBRARIES = [k for k in ("openmpi", "mpich") if shutil.which("mpirun." + k)]
KINDS_WITH_COMPILER = [k for k in LIBRARIES if shutil.which("mpicc." + k)]
NO_KINDS = "no mpicc and mpirun of Open MPI or MPICH (mpicc.openmpi, mpicc.mpich) on this machine"


def __getattr__(name):
    """KINDS: the MPI libraries that the programs are built for. A script that imports it has no test without them: it is
    skipped where there is no MPI library, and fails where the build lacks the programs."""
    if name != "KINDS":
        raise AttributeError("module %s has no attribute %s" % (__name__, name))
    if not LIBRARIES:
        skip(NO_KINDS)
    built = [k for k in LIBRARIES if os.path.isdir(os.path.join(PROGRAMS, k, "plain"))]
    # tests/programs/CMakeLists.txt builds for each library that has both compilers.
    missing = [k for k in KINDS_WITH_COMPILER if k not in built and shutil.which("mpicxx." + k)]
    if missing:
        sys.exit("the programs of tests/programs are not built for %s; ninja -C %s andes_test_programs"
                 % (" and ".join(missing), BUILD))
    if not built:
        skip(NO_KINDS)
    return built


def program(kind, name, build="probed"):
    return os.path.join(PROGRAMS, kind, build, name)


def polling(kind):
    """The layer that lets ranks wait asleep; see tests/programs/polling."""
    return os.path.join(PROGRAMS, kind, "libpolling.so")


def launcher(kind, ranks):
    return ["mpirun." + kind, "-n", str(ranks)]
