// Unit tests of postproc/inspect: what the dynamic loader prints, and the names of MPI libraries.
#include <catch2/catch.hpp>

#include "postproc/inspect/built_program.h"
#include "postproc/inspect/command_output.h"
#include "postproc/inspect/start_trouble.h"
#include "postproc/inspect/unmeasured.h"

using namespace andes::postproc;

TEST_CASE("the loader's list is taken apart") {
  const LinkedLibraries libraries =
      read_library_list("\tlinux-vdso.so.1 (0x00007ffe)\n"
                        "\tlibfoo.so => not found\n"
                        "./a.out: /lib/libc.so.6: version `GLIBC_2.99' not found (required by ./a.out)\n"
                        "./a.out: /lib/libc.so.6: version `GLIBC_2.99' not found (required by /lib/libx.so)\n"
                        "\tlibc.so.6 => /lib/with blank/libc.so.6 (0x00007f)\n"
                        "\t/lib64/ld-linux-x86-64.so.2 (0x00007f)");
  CHECK(libraries.missing == std::vector<std::string>{"libfoo.so"});
  CHECK(libraries.missing_versions == std::vector<std::string>{"GLIBC_2.99"});
  REQUIRE(libraries.found.size() == 1);
  CHECK(libraries.found[0].soname == "libc.so.6");
  CHECK(libraries.found[0].path == "/lib/with blank/libc.so.6");
  CHECK(read_library_list("").found.empty());
}

TEST_CASE("launchers and compilers name their MPI") {
  CHECK(family_in_text("mpirun (Open MPI) 4.1.4") == MpiFamily::open_mpi);
  CHECK(family_in_text("mpiexec (OpenRTE) 4.1.4") == MpiFamily::open_mpi);
  CHECK(family_in_text("prterun (PRRTE) 3.0.2") == MpiFamily::open_mpi);
  CHECK(family_in_text("HYDRA build details:\n    Version: 4.0.2") == MpiFamily::mpich);
  CHECK(family_in_text("Intel(R) MPI Library for Linux* OS, Version 2021.9") == MpiFamily::mpich);
  CHECK(family_in_text("srun 22.05") == MpiFamily::unknown);
}

TEST_CASE("this test is a program that can be started and measured") {
  const auto program = read_program("/proc/self/exe");
  REQUIRE(program);
  CHECK(!program->foreign);
  CHECK(!program->is_static);
  CHECK(program->mpi.empty());
  CHECK(program->libraries.known);
  CHECK(program->libraries.missing.empty());
  CHECK(!start_trouble("/proc/self/exe"));
  CHECK(!unmeasured(*program));
  CHECK(!read_program("/etc/passwd"));
  CHECK(!read_program("/no/such/file"));
}

TEST_CASE("output of commands") {
  CHECK(output_of({"sh", "-c", "echo a; echo b >&2; exit 3"}).text == "a\nb\n");
  CHECK(output_of({"sh", "-c", "exit 3"}).status == 3);
  CHECK(output_of({"sh", "-c", "echo $WORD"}, {"WORD=x"}).text == "x\n");
  CHECK(output_of({"/no/such/command"}).status == -1);
}
