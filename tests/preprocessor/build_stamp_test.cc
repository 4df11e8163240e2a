// Stamps of builds: their text, what git's answers mean, the flags that count, and the object that carries a stamp.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "preprocessor/build_stamp.h"
#include "preprocessor/source_state.h"
#include "preprocessor/stamp_object.h"

using namespace andes;
using namespace andes::preprocessor;

TEST_CASE("stamp: its text is read as it was written") {
  BuildStamp stamp{"1234567890abcdef", "2026-11-25T12:00:00Z", "fix/a b", true, "gcc version 12.2.0", "-O2 -fopenmp"};
  const BuildStamp read = stamp_of(text_of(stamp) + "later_key what a later version says\n" + '\0' + "rest");
  CHECK(read.commit == stamp.commit);
  CHECK(read.commit_time == stamp.commit_time);
  CHECK(read.branch == stamp.branch);
  CHECK(read.dirty);
  CHECK(read.compiler == stamp.compiler);
  CHECK(read.flags == stamp.flags);
  CHECK(text_of(BuildStamp()).empty());
  CHECK(stamp_of("no_value").commit.empty());
  CHECK(stamp_of("").commit.empty());
}

TEST_CASE("stamp: what git says of a tree") {
  BuildStamp clean;
  read_source_state("# branch.oid 00ff\n# branch.head main\n# branch.upstream origin/main\n# branch.ab +0 -0\n",
                    "1700000000\n", clean);
  CHECK(clean.commit == "00ff");
  CHECK(clean.branch == "main");
  CHECK(clean.commit_time == "2023-11-14T22:13:20Z");
  CHECK_FALSE(clean.dirty);

  BuildStamp changed;
  read_source_state("# branch.oid 00ff\n# branch.head (detached)\n1 .M N... 100644 100644 100644 a b file.c\n", "",
                    changed);
  CHECK(changed.branch.empty());
  CHECK(changed.dirty);
  CHECK(changed.commit_time.empty());

  BuildStamp none{"", "", "", false, "gcc", "-O2"}; // a repository before its first commit
  read_source_state("# branch.oid (initial)\n# branch.head main\n1 A. N... 0 1 1 a b file.c\n", "", none);
  CHECK(none.commit.empty());
  CHECK(none.branch.empty());
  CHECK_FALSE(none.dirty);
  CHECK(none.compiler == "gcc");
}

TEST_CASE("stamp: flags that change the code, without files") {
  CHECK(telling_flags({"mpicc", "-O3", "-march=native", "-c", "a.c", "-o", "a.o", "-I/inc", "-Wall", "-fopenmp",
                       "-std=c99", "-DNDEBUG", "-DN=3", "-ffile-prefix-map=/a=/b", "-fprofile-use=/tmp/x",
                       "-fdiagnostics-color"}) == "-O3 -march=native -fopenmp -std=c99 -DNDEBUG");
}

TEST_CASE("stamp: the object is one, of the kind that is asked for") {
  const std::string path = (std::filesystem::temp_directory_path() / "andes-stamp-test.o").string();
  std::ofstream(path, std::ios::binary) << stamp_object({183, 5, 3}, "commit 1\n");
  const auto kind = kind_of_object(path);
  REQUIRE(kind);
  CHECK(kind->machine == 183);
  CHECK(kind->flags == 5);
  CHECK(kind->abi == 3);
  CHECK_FALSE(kind_of_object("/proc/self/exe")); // a program
  CHECK_FALSE(kind_of_object("/no/such/file"));
  std::ofstream(path, std::ios::binary) << "BC\xc0\xde bitcode of a compiler";
  CHECK_FALSE(kind_of_object(path));
  std::filesystem::remove(path);
  CHECK(own_kind().machine != 0);
}
