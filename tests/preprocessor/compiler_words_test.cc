// Which programs are compilers, and which of their commands compile, link or only ask.
#include "common/compiler_words.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

using namespace andes;

namespace {

CompilerRequest request(std::vector<const char*> words, std::string_view directory = "/home/user") {
  words.push_back(nullptr);
  return request_of(words.data(), directory);
}

bool compiles(std::vector<const char*> words, std::string_view directory = "/home/user") {
  return request(std::move(words), directory).compiles;
}

} // namespace

TEST_CASE("compilers go by their usual names") {
  for (const char* name : {"gcc", "/usr/bin/cc", "c++", "g++-12", "clang-19", "clang++-19.1", "gfortran", "mpicc",
                           "mpic++", "mpiCC", "mpif77", "mpif90", "mpifort", "/opt/bin/mpicc.openmpi", "mpif90.mpich",
                           "flang-new", "./mpicxx", "/usr/lib/ccache/gcc"})
    CHECK(is_compiler(name));
  for (const char* name : {"gcc-ar",
                           "gcc-nm-12",
                           "clang-format-19",
                           "clang-tidy",
                           "mpirun",
                           "mpicc.sh",
                           "ccache",
                           "cpp",
                           "ld",
                           "g++.exe",
                           "gcc-",
                           "cc1",
                           "as",
                           "collect2",
                           "andes-gcc",
                           "mygcc",
                           "",
                           "/usr/bin/",
                           "clang++-x",
                           "sparc-linux-gnu-gcc"})
    CHECK_FALSE(is_compiler(name));
#ifdef __x86_64__
  CHECK(is_compiler("/usr/bin/x86_64-linux-gnu-gcc-12"));
  CHECK(is_compiler("x86_64-redhat-linux-g++"));
  CHECK_FALSE(is_compiler("x86_64-linux-gnu-gcc-ar"));
  CHECK_FALSE(is_compiler("x86_64-w64-mingw32-gcc"));
#endif
  CHECK(is_compiler_launcher("/usr/bin/ccache"));
  CHECK_FALSE(is_compiler_launcher("gcc"));
}

TEST_CASE("sources by their names") {
  CHECK(source_kind("a.c") == SourceKind::c);
  CHECK(source_kind("dir.c/a.C") == SourceKind::cxx);
  CHECK(source_kind("a.f90") == SourceKind::fortran);
  for (const char* name : {"a.o", "c", "dir.c/x", "a.h", "a.s", "a.i", "a.so.1"})
    CHECK(source_kind(name) == SourceKind::none);
}

TEST_CASE("commands that compile, and those that do not") {
  CHECK(compiles({"gcc", "-c", "a.c"}));
  CHECK(compiles({"ccache", "mpicc", "-O2", "a.c", "-o", "a"}));
  CHECK(compiles({"gcc", "-x", "c", "generated.txt"}));
  CHECK(compiles({"gfortran", "-c", "a.F90"}));
  CHECK(compiles({"gcc", "@all"}));
  CHECK(compiles({"gcc", "-include", "x.h", "-v", "-c", "a.c"}));
  CHECK_FALSE(compiles({"gcc", "-o", "a.c"}));
  CHECK_FALSE(compiles({"gcc", "-MF", "a.c", "a.o"}));
  CHECK_FALSE(compiles({"gcc", "-xc-header", "a.c"}));
  CHECK_FALSE(compiles({"gcc", "-x", "assembler-with-cpp", "-c", "a.c"}));
  CHECK(compiles({"gcc", "-xassembler", "b", "-xnone", "a.c"}));
  CHECK(compiles({"gcc", "-c", "a.i"})); // told as left
  CHECK(compiles({"g++", "-xc++-cpp-output", "-c", "a"}));
  for (const char* option :
       {"-E", "-M", "-MM", "-###", "--version", "-fsyntax-only", "-print-file-name=libc.so", "-dumpmachine", "--showme",
        "-showme:compile", "-show", "--help=warnings", "-compile-info"}) {
    CHECK_FALSE(compiles({"mpicc", option, "a.c"}));
    CHECK_FALSE(request({"mpicc", option, "a.c"}).links);
  }
}

TEST_CASE("tests of configure are not compiled with probes") {
  CHECK_FALSE(compiles({"gcc", "-c", "conftest.c"}));
  CHECK_FALSE(compiles({"gcc", "-c", "conftest.dir/conftest.f90"}));
  CHECK(compiles({"gcc", "-c", "conftests.c"}));
  CHECK_FALSE(compiles({"gcc", "-c", "-"}));
  CHECK_FALSE(compiles({"gcc", "-x", "c", "-c", "-"}));
  CHECK_FALSE(compiles({"gcc", "-x", "c", "/dev/null"}));
  CHECK_FALSE(compiles({"gcc", "-c", "src.c"}, "/b/CMakeFiles/CMakeScratch/TryCompile-1"));
  CHECK_FALSE(compiles({"gcc", "-c", "/b/CMakeFiles/CMakeTmp/src.c"}));
  CHECK_FALSE(compiles({"gcc", "CMakeCCompilerId.c"}, "/b/CMakeFiles/3.25.1/CompilerIdC"));
  CHECK_FALSE(compiles({"gcc", "/b/meson-private/tmp1/testfile.c"}));
  CHECK_FALSE(compiles({"gcc", "-c", ".sconf_temp/conftest_15a_0.c"})); // SCons, from where it was started
  CHECK_FALSE(compiles({"gcc", "-c", "../.sconf_temp/conftest_15a_0.c"}));
  CHECK(compiles({"gcc", "-c", "my.sconf_temp/conftest_15a_0.c"}));
  CHECK_FALSE(compiles({"c++", "/tmp/tmpxg4jn4as/testfile.cpp", "-c", "-std=c++20"}));
  CHECK(compiles({"c++", "/tmp/tmp/testfile.cpp", "-c"}));
  CHECK(compiles({"c++", "/tmp/tmpxg4jn4as/main.cpp", "-c"}));
  CHECK(compiles({"gcc", "-c", "src.c"}, "/home/meson-private-things"));
}

TEST_CASE("links of programs, and their outputs") {
  CHECK(request({"gcc", "a.o", "-o", "prog"}).links);
  CHECK(request({"gcc", "a.o", "-o", "prog"}).output == "prog");
  CHECK(request({"gcc", "a.c", "-oprog"}).output == "prog");
  CHECK(request({"gcc", "a.o"}).output.empty());
  CHECK_FALSE(request({"gcc", "-shared", "a.o", "-o", "lib.so"}).links);
  CHECK_FALSE(request({"gcc", "-c", "a.c"}).links);
  CHECK_FALSE(request({"gcc", "--compile", "a.c"}).links);
  CHECK_FALSE(request({"clang++", "--precompile", "a.cppm", "-o", "a.pcm"}).links); // a module of C++
  CHECK_FALSE(request({"g++", "-fmodule-header=user", "a.h"}).links);
  CHECK_FALSE(request({"gcc", "-v"}).links);
  CHECK_FALSE(request({"gcc"}).links);
}
