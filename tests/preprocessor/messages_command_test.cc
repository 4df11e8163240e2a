// The command that says what the user's own would say, and makes nothing: its words, and when there is none.
#include <catch2/catch.hpp>

#include "preprocessor/messages_command.h"

using namespace andes;
using namespace andes::preprocessor;

namespace {

using Words = std::vector<std::string>;

Compilation compilation_of(const Words& words) {
  Compilation compilation;
  compilation.command = read_command(words);
  return compilation;
}

/// Whether there is one for a command of `gcc -c a.c` and `more`, whose copies gave these messages.
bool exists(const Words& more, const std::string& of_copies = "") {
  Words words{"gcc", "-fdiagnostics-color=never", "-c", "a.c"};
  words.insert(words.end(), more.begin(), more.end());
  return messages_command(compilation_of(words), of_copies, "/t/code").has_value();
}

} // namespace

TEST_CASE("a command for messages alone writes no file of the user's") {
  const Compilation compilation = compilation_of({"ccache", "gcc", "-fdiagnostics-color=never", "-Wall", "-O2", "-g",
                                                  "-MMD", "-MF", "a.d", "-MT", "a.o", "-c", "-o", "a.o", "a.c"});
  CHECK(messages_command(compilation, "", "/t/code") == Words{"ccache", "gcc", "-fdiagnostics-color=never", "-Wall",
                                                              "-O2", "-g", "a.c", "-S", "-o", "/t/code", "-g0", "-dx"});
  const Compilation bar = compilation_of({"gcc", "-fdiagnostics-color=never", "-c", "--", "a.c"});
  CHECK(messages_command(bar, "", "/t/code") ==
        Words{"gcc", "-fdiagnostics-color=never", "-S", "-o", "/t/code", "-g0", "-dx", "--", "a.c"});
}

TEST_CASE("a command for messages alone does not link, and has no files for the linker") {
  const Compilation compilation = compilation_of({"gcc", "-fdiagnostics-color=never", "one.o", "-include", "a.h", "a.c",
                                                  "-L", "lib", "-lm", "libz.a", "-static", "-o", "a"});
  CHECK(messages_command(compilation, "a.c:1:1: warning: x [-Winline]\n", "/t/code") ==
        Words{"gcc", "-fdiagnostics-color=never", "-include", "a.h", "a.c", "-L", "lib", "-lm", "-static", "-S", "-o",
              "/t/code", "-g0", "-dx"});
  CHECK_FALSE(messages_command(compilation, "/usr/bin/ld: warning: x\n", "/t/code").has_value());
}

TEST_CASE("commands that say or make more have no command for messages alone") {
  CHECK(exists({"-Wall", "-Wextra", "-Wp,-D_FORTIFY_SOURCE=2", "-O3", "-fopenmp"}));
  for (const char* word : {"b.c", "f.f90", "-flto", "-save-temps", "-fstack-usage", "-fopt-info", "-fdump-tree-all",
                           "-Wa,--warn", "-Wp,-MD,a.d", "-Wstack-usage=9", "-Wframe-larger-than=9", "-v", "-Q",
                           "-fplugin=x", "-ftime-report", "-fprofile-arcs"}) {
    CAPTURE(word);
    CHECK_FALSE(exists({word}));
  }
  CHECK_FALSE(messages_command(compilation_of({"gcc", "a.c", "b.c", "-o", "a"}), "", "/t/code").has_value());
  CHECK_FALSE(messages_command(compilation_of({"gcc", "-S", "a.c"}), "", "/t/code").has_value());
  Compilation clang = compilation_of({"clang", "-c", "a.c"});
  clang.compiler.family = Compiler::Family::clang;
  CHECK_FALSE(messages_command(clang, "", "/t/code").has_value());
}

TEST_CASE("what the copies had from code generation only the whole command can say") {
  CHECK(exists({}, "a.c:1:1: warning: x [-Wmaybe-uninitialized]\n"));
  CHECK_FALSE(exists({}, "a.c:1:1: warning: x [-Wmaybe-uninitialized]\na.c:2:1: warning: x [-Wclobbered]\n"));
}
