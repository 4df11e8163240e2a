// Messages: paths of copies become the user's names, and -H says what it says without copies.
#include <catch2/catch.hpp>

#include "preprocessor/messages.h"

using namespace andes;
using namespace andes::preprocessor;

namespace {

const std::map<std::string, std::string> names{{"/t/x/0/foo.c", "foo.c"},
                                               {"/t/x/0/headers/1-a.h", "a.h"},
                                               {"/t/x/0/headers/2-k.h", "k.h"},
                                               {"/t/x/0/headers/3-k.h", "k.h"},
                                               {"/t/x/0/andes.h", ""}};

} // namespace

TEST_CASE("paths change where they begin") {
  CHECK(fix_messages("/t/x/0/foo.c:1:2: error\n(/t/x/0/headers/1-a.h)\n", names) == "foo.c:1:2: error\n(a.h)\n");
  CHECK(fix_messages("/y/t/x/0/foo.c\n", names) == "/y/t/x/0/foo.c\n");
}

TEST_CASE("lists of included files know nothing of tables") {
  CHECK(fix_messages(". /t/x/0/andes.h\n. /t/x/0/headers/1-a.h\n.. /usr/include/stdio.h\n", names) ==
        ". a.h\n.. /usr/include/stdio.h\n");
}

TEST_CASE("advice about guards is sorted, without headers that were read twice") {
  const std::string banner = "Multiple include guards may be useful for:\n";
  CHECK(fix_messages(banner + "/t/x/0/andes.h\n/t/x/0/headers/1-a.h\n/t/x/0/headers/2-k.h\n"
                              "/t/x/0/headers/3-k.h\n/dev/null\nfoo.c:1: error\n",
                     names) == banner + "/dev/null\na.h\nfoo.c:1: error\n");
  CHECK(fix_messages(banner + "/t/x/0/andes.h\nfoo.c:1: error\n", names) == "foo.c:1: error\n");
}

TEST_CASE("warnings of what the optimiser made are told from others by their option") {
  CHECK(depend_on_optimiser("a.c:3:6: warning: inlining failed in call to 'f' [-Winline]\n"));
  CHECK(depend_on_optimiser("a.c: error: stack usage is 9 bytes [-Werror=stack-usage=]\n"));
  CHECK(depend_on_optimiser(
      "a.c: warning: stack usage [\033]8;;https://x#index-Wstack-usage\a\033[35m-Wstack-usage=\033[m]"));
  CHECK(depend_on_optimiser("a.c:3: warning: '%d' directive writing between 1 and 10 bytes [-Wformat-overflow=]\n"));
  CHECK(depend_on_optimiser("a.c:3: warning: accessing 8 bytes may overlap [-Wrestrict]\n"));
  CHECK(depend_on_optimiser("a.cc:5:9: warning: control reaches end of non-void function [-Wreturn-type]\n"));
  CHECK(depend_on_optimiser("a.cc:5:9: warning: no return statement in function returning non-void [-Wreturn-type]\n"));
  const std::string implicit = "a.c:1:1: warning: return type defaults to 'int' [-Wreturn-type]\n"
                               "a.c:1:6: warning: 'return' with no value, in function returning non-void "
                               "[-Werror=return-type]\n";
  CHECK_FALSE(depend_on_optimiser(implicit));
  CHECK(depend_on_optimiser(implicit + "a.c:2:1: warning: control reaches end of non-void function [-Wreturn-type]\n"));
  CHECK_FALSE(depend_on_optimiser("a.c: warning: unknown conversion type character [-Wformat=]\n"));
  CHECK(depend_on_optimiser("a.cc:2:8: warning: 'B' has a field whose type uses it [-Wsubobject-linkage]\n"));
  CHECK(depend_on_optimiser("a.c:1:9: warning: 'x' defined but not used [-Wunused-const-variable=]\n"));
  CHECK_FALSE(depend_on_optimiser("a.c: warning: unused variable 'a' [-Wunused-variable]\n"));
  CHECK_FALSE(depend_on_optimiser("a.cc: warning: [-Winline-new-delete] [-W"));
}

TEST_CASE("warnings of code generation, and messages of the assembler, are told from others") {
  CHECK(come_from_code_generation("a.c:3:1: warning: stack usage is 9 bytes [-Wstack-usage=]\n"));
  CHECK(come_from_code_generation("a.c:4:7: warning: variable 'a' might be clobbered by 'longjmp' [-Wclobbered]\n"));
  CHECK(depend_on_optimiser("a.c:4:7: warning: variable 'a' might be clobbered by 'longjmp' [-Wclobbered]\n"));
  CHECK(come_from_code_generation("a.c:1:6: note: variable tracking size limit exceeded\n"));
  CHECK(come_from_code_generation("{standard input}: Assembler messages:\n{standard input}:3: Warning: x\n"));
  CHECK(come_from_code_generation("a.c: warning: x\n{Standardeingabe}:3: Warnung: x\n"));
  CHECK(come_from_code_generation("/tmp/ccQx1.s: Assembler messages:\n/tmp/ccQx1.s:3: Warning: x\n"));
  CHECK_FALSE(come_from_code_generation("a.c:3:6: warning: 'n' may be used uninitialized [-Wmaybe-uninitialized]\n"
                                        "    3 |   int f(int n) {\n"));
}
