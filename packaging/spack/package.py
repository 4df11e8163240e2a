# Recipe for Spack 1: put it into a repository of packages as packages/andes/package.py; then, in a
# source tree of andes, `spack dev-build andes@0.1.0`.
from spack_repo.builtin.build_systems.cmake import CMakePackage, generator

from spack.package import *


class Andes(CMakePackage):
    """Performance analysis of MPI programs: probes by source-to-source instrumentation, call trees of
    all ranks in one file per run, and reports on scaling and on the causes of waiting."""

    license("BSD-3-Clause")

    version("0.1.0")

    variant("preprocessor", default=True, description="Probes in C and C++ sources (needs Clang)")
    variant("mpi", default=True, description="Measure the calls of the MPI library")

    generator("ninja")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("python@3.10:", type=("build", "run"))  # at run time for its module alone
    depends_on("fmt@9:")
    depends_on("cli11@2.1:", type="build")
    depends_on("nlohmann-json@3.11:", type="build")
    depends_on("boost@1.74:", type="build")  # headers alone
    # Their archives are linked into a shared library of andes, and hidden there.
    depends_on("sqlite@3.36: cflags=-fPIC")
    depends_on("zlib+pic")
    depends_on("elfutils@0.170:")
    depends_on("papi@5:", type=("build", "run"))  # its header; opened where counters are asked for
    depends_on("llvm@19.1:19 +clang+llvm_dylib+link_llvm_dylib", when="+preprocessor")
    depends_on("mpi", when="+mpi")
    depends_on("catch2@2.13:2", type="test")
    depends_on("benchmark", type="test")

    conflicts("%gcc@:11", msg="andes is written in C++20")
    requires("platform=linux", msg="andes preloads a library, as Linux does it")

    def cmake_args(self):
        arguments = [
            self.define("ANDES_TESTS", self.run_tests),
            self.define_from_variant("ANDES_PREPROCESSOR", "preprocessor"),
        ]
        if "+mpi" in self.spec:
            arguments.append(self.define("ANDES_MPICC", self.spec["mpi"].mpicc))
        return arguments
