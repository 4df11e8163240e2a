"""The suite configured for one MPI: its libraries are built at once, each program when it is wanted. With probes the
programs are compiled by `andes cc`, in a tree of their own."""
import os
import shutil
import subprocess

from support.build import ANDES
from source import refuse

NAMES = {"mpicc": "mpicc", "mpicxx": "mpicxx", "mpif77": "mpif77", "mpif90": "mpif90", "mpifort": "mpif90",
         "mpiexec": "mpirun", "mpirun": "mpirun"}
# Open MPI declares what MPI 3.0 has removed, which its library still has, under these alone.
REMOVED = ["-DOMPI_OMIT_MPI1_COMPAT_DECLS=0", "-DOMPI_REMOVED_USE_STATIC_ASSERT=0", "'-D__mpi_interface_removed__(a,b)='"]
FORTRAN = "-g -w -fallow-argument-mismatch"


def sibling(mpicc, name):
    folder, base = os.path.split(mpicc)
    return shutil.which(os.path.join(folder, base.replace("mpicc", name)))


class Tree:
    def __init__(self, source, folder, mpi, mpicc, probes):
        self.place = os.path.join(folder, mpi + ("-probes" if probes else ""))
        self.tools = self.place + "-tools"
        self.log = self.place + ".log"
        if not os.path.exists(os.path.join(self.place, "configured")):
            self.write_tools(mpicc, probes)
            self.configure(source, mpi)

    def run(self, command, where="."):
        with open(self.log, "a", encoding="utf-8") as log:
            return subprocess.run(command, cwd=os.path.join(self.place, where), stdout=log, stderr=log,
                                  stdin=subprocess.DEVNULL).returncode

    def write_tools(self, mpicc, probes):
        """A directory such as the suite's configure asks for: the compilers and the launcher under their usual names."""
        os.makedirs(os.path.join(self.tools, "bin"), exist_ok=True)
        for name, of in NAMES.items():
            command = sibling(mpicc, of)
            if not command:
                continue
            compiles_c = of == "mpicc"
            path = os.path.join(self.tools, "bin", name)
            with open(path, "w", encoding="utf-8") as file:
                file.write("#!/bin/sh\nexec %s%s %s\"$@\"\n" % (
                    # What configure and libtool compile to find something out needs no probes.
                    "${PROBES:+%s cc} " % ANDES if probes and compiles_c else "", command,
                    " ".join(REMOVED) + " " if compiles_c else ""))
            os.chmod(path, 0o755)

    def configure(self, source, mpi):
        os.makedirs(self.place, exist_ok=True)
        strict = [] if mpi == "mpich" else ["--enable-strictmpi"]  # without MPICH's own extensions
        command = [os.path.join(source, "configure"), "--with-mpi=" + self.tools, "--disable-cxx",
                   "--enable-threads=multiple", "CFLAGS=-g -O1 -w", "FFLAGS=" + FORTRAN, "FCFLAGS=" + FORTRAN, *strict]
        if self.run(command) != 0 or self.run(["make", "-C", "dtpools"]) != 0 or self.run(["make", "-C", "util"]) != 0:
            refuse("%s: the suite cannot be configured; the reason is in %s" % (mpi, self.log))
        with open(os.path.join(self.place, "configured"), "w", encoding="utf-8"):
            pass

    def compile(self, directory, program):
        """Whether the program is there, and its neighbours that it spawns."""
        where = os.path.join(self.place, directory)
        if not os.path.exists(os.path.join(where, program)):
            self.run(["env", "PROBES=1", "make", program], directory)
        return os.access(os.path.join(where, program), os.X_OK)
