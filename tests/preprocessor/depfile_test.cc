// Dependency files: the copy's name becomes the user's, its header goes, lines wrap as before.
#include <catch2/catch.hpp>

#include "preprocessor/depfile.h"

using namespace andes;
using namespace andes::preprocessor;

namespace {

const std::map<std::string, std::string> names{{"/tmp/x/0/foo.c", "foo.c"}, {"/tmp/x/0.h", ""}};

std::string gcc(const std::string& text) { return fix_dependencies(text, names, DependencyStyle::gcc); }
std::string clang(const std::string& text) { return fix_dependencies(text, names, DependencyStyle::clang); }

} // namespace

TEST_CASE("text of others is not touched") {
  const std::string odd = "a.o:   b.c\\\n\tc.h # text\n\n\tcommand\n";
  CHECK(gcc(odd) == odd);
  CHECK(clang(odd) == odd);
}

TEST_CASE("names change") {
  CHECK(gcc("foo.o: /tmp/x/0/foo.c /tmp/x/0.h bar.h\n") == "foo.o: foo.c bar.h\n");
  CHECK(clang("foo.o: /tmp/x/0/foo.c \\\n  /tmp/x/0.h bar.h\n") == "foo.o: foo.c bar.h\n");
}

TEST_CASE("phony rules of the copy's header go") {
  CHECK(gcc("foo.o: /tmp/x/0/foo.c /tmp/x/0.h bar.h\n/tmp/x/0.h:\nbar.h:\n") == "foo.o: foo.c bar.h\nbar.h:\n");
}

TEST_CASE("lines wrap at 72 and at 75 columns") {
  // 'foo.o: foo.c' is 12 wide. GCC adds a name if both make up to 72 (the space does not count),
  // Clang if they, the space and the two characters of a continuation make up to 75.
  const std::string fits(60, 'h'), wraps(61, 'h');
  CHECK(gcc("foo.o: /tmp/x/0/foo.c \\\n " + fits + "\n") == "foo.o: foo.c " + fits + "\n");
  CHECK(gcc("foo.o: /tmp/x/0/foo.c \\\n " + wraps + "\n") == "foo.o: foo.c \\\n " + wraps + "\n");
  CHECK(clang("foo.o: /tmp/x/0/foo.c \\\n  " + fits + "\n") == "foo.o: foo.c " + fits + "\n");
  CHECK(clang("foo.o: /tmp/x/0/foo.c \\\n  " + wraps + "\n") == "foo.o: foo.c \\\n  " + wraps + "\n");
}

TEST_CASE("escapes of make stay") {
  CHECK(gcc("a\\ b.o: /tmp/x/0/foo.c d\\ e.h $$x.h\n") == "a\\ b.o: foo.c d\\ e.h $$x.h\n");
}

TEST_CASE("Clang lists a file once, whatever copies it had") {
  const std::map<std::string, std::string> twice{{"/t/0/foo.c", "foo.c"}, {"/t/1-k.h", "k.h"}, {"/t/2-k.h", "k.h"}};
  CHECK(fix_dependencies("foo.o: /t/0/foo.c /t/1-k.h /t/2-k.h\n\n/t/1-k.h:\n\n/t/2-k.h:\n", twice,
                         DependencyStyle::clang) == "foo.o: foo.c k.h\n\nk.h:\n");
}

TEST_CASE("files of a rule") {
  using Files = std::vector<std::string>;
  CHECK(files_of_rule("a.o b.o: c.c \\\n d\\ e.h f$$.h g\\#.h\nc.c:\n") == Files{"c.c", "d e.h", "f$.h", "g#.h"});
  CHECK(files_of_rule("a.o : b.c c.h") == Files{"b.c", "c.h"});
  CHECK(files_of_rule("").empty());
}
