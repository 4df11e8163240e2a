// What a compiler's answer means.
#include <catch2/catch.hpp>

#include "preprocessor/compiler.h"

using namespace andes;
using namespace andes::preprocessor;

TEST_CASE("an answer of GCC through a wrapper") {
  const Compiler compiler = read_answer("#define __GNUC__ 12\n#define __cplusplus 202002L\n#define __STRICT_ANSI__ 1\n"
                                        "#define FROM_WRAPPER 1\n#define linux 1\n#define __x 2\n",
                                        "Target: x86_64-linux-gnu\n#include \"...\" search starts here:\n"
                                        "#include <...> search starts here:\n /opt/mpi/include\n /nowhere/include\n"
                                        "End of search list.\n /not/this\n");
  CHECK(compiler.asked);
  CHECK(compiler.family == Compiler::Family::gcc);
  CHECK(compiler.version == 12);
  CHECK(compiler.target == "x86_64-linux-gnu");
  CHECK(compiler.standard == "c++20");
  CHECK(compiler.directories == std::vector<std::string>{"/opt/mpi/include", "/nowhere/include"});
  CHECK(compiler.macros == std::vector<std::string>{"FROM_WRAPPER=1"});
}

TEST_CASE("Clang says it is GCC 4 as well") {
  const Compiler compiler = read_answer("#define __GNUC__ 4\n#define __clang__ 1\n#define "
                                        "__clang_major__ 19\n#define __STDC_VERSION__ 201710L\n",
                                        "");
  CHECK(compiler.family == Compiler::Family::clang);
  CHECK(compiler.version == 19);
  CHECK(compiler.standard == "gnu17");
  CHECK_FALSE(compiler.asked);
}

TEST_CASE("a compiler makes debug information by itself where a wrapper says so") {
  const auto debugs = [](const std::string& line) { return read_answer("#define __GNUC__ 12\n", line + "\n").debugs; };
  CHECK(debugs("COLLECT_GCC_OPTIONS='-g' '-E' '-v' '-mtune=generic'"));
  CHECK(debugs("COLLECT_GCC_OPTIONS='-E' '-ggdb3'"));
  CHECK_FALSE(debugs("COLLECT_GCC_OPTIONS='-E' '-g0' '-grecord-gcc-switches' '-mtune=generic'"));
  CHECK(debugs(" \"/usr/bin/clang\" -cc1 -target-cpu x86-64 -debug-info-kind=constructor -dwarf-version=5"));
  CHECK_FALSE(debugs(" \"/usr/bin/clang\" -cc1 -target-cpu x86-64 -debugger-tuning=gdb"));
}
