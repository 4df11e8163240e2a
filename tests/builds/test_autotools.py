"""Autotools: configure's tests must find with `andes cc` what they find without, and libtool's
libraries must work."""
import os
import re
import unittest

from support.build import ANDES, PREPROCESS
from support.preprocessor import InDirectory, have

CONFIGURE = r"""
AC_INIT([p], [1.0])
AC_CONFIG_HEADERS([config.h])
AC_PROG_CC
AC_PROG_CC_C_O
AC_C_BIGENDIAN
AC_C_CONST
AC_C_INLINE
AC_C_RESTRICT
AC_C_VOLATILE
AC_TYPE_SIZE_T
AC_CHECK_SIZEOF([long])
AC_CHECK_SIZEOF([void *])
AC_CHECK_HEADERS([stdint.h unistd.h nowhere.h sys/mman.h])
AC_CHECK_FUNCS([strdup mmap no_such_function getpagesize malloc])
AC_SEARCH_LIBS([sqrt], [m])
AC_CHECK_LIB([m], [cos])
AC_CHECK_MEMBERS([struct tm.tm_zone])
AC_CHECK_DECLS([strtok_r])
AC_CHECK_ALIGNOF([double])
AC_MSG_CHECKING([whether a program runs])
AC_RUN_IFELSE([AC_LANG_PROGRAM([[#include <stdio.h>]], [[FILE *f = fopen("conftest.out", "w"); return f ? 0 : 1;]])],
  [AC_MSG_RESULT([yes])], [AC_MSG_RESULT([no])], [AC_MSG_RESULT([cross])])
AC_MSG_CHECKING([whether warnings are errors])
CFLAGS="$CFLAGS -Wall -Werror"
AC_COMPILE_IFELSE([AC_LANG_PROGRAM([], [[int unused;]])], [AC_MSG_RESULT([no])], [AC_MSG_RESULT([yes])])
AC_COMPILE_IFELSE([AC_LANG_SOURCE([[static int f(void) { return 1; } int g(void) { return f(); }]])], [AC_DEFINE([CLEAN], 1, [warns of nothing])])
AC_OUTPUT
"""


def answers(text):
    """What configure asked and found, as its log says, without the name of the compiler."""
    text = text.replace(f"{ANDES} cc --select=all ", "")
    found = re.findall(r"^configure:\d+: (checking .*|result: .*)$", text, re.M)
    return [line for line in found if "gcc" not in line]


class Autotools(InDirectory):
    def good(self, *words, **more):
        done = self.run_here(*words, **more)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done

    @unittest.skipUnless(have("autoconf") and have("autoheader"), "no autoconf")
    def test_configure_answers_the_same(self):
        self.write("configure.ac", CONFIGURE)
        self.good("autoheader")
        self.good("autoconf")
        results = []
        for place, compiler in (("plain", "gcc"), ("ours", f"{ANDES} cc --select=all gcc")):
            os.mkdir(os.path.join(self.dir, place))
            done = self.good("sh", "-c", 'cd "$1" && ../configure -q CC="$2"', "sh", place, compiler)
            results.append((self.read(place + "/config.h"), answers(self.read(place + "/config.log")), done.stdout, done.stderr))
        self.assertEqual(results[0][0], results[1][0])
        self.assertEqual(results[0], results[1])
        self.assertIn("#define HAVE_STRDUP 1", results[1][0])
        self.assertIn("#define CLEAN 1", results[1][0])
        self.assertGreater(len(results[1][1]), 40)

    def test_what_configure_asks_is_answered_by_the_compiler(self):
        """libtool asks for the symbols of an object, and declares all it finds as char."""
        self.write("conftest.c", "char nm_test_var;\nvoid nm_test_func(void) {}\n"
                   "int main(void) { nm_test_var = 'a'; nm_test_func(); return 0; }\n")
        self.good(PREPROCESS, "cc", "--select=all", "gcc", "-c", "-g", "-O2", "conftest.c")
        symbols = self.good("nm", "-P", "conftest.o").stdout.splitlines()
        self.assertEqual(sorted(line.split()[0] for line in symbols), ["main", "nm_test_func", "nm_test_var"])

    @unittest.skipUnless(have("libtool"), "no libtool")
    def test_libtool(self):
        self.write("h.c", "int helper(void)\n{\n  return 42;\n}\n")
        self.write("m.c", "int helper(void);\nint main(void)\n{\n  return helper();\n}\n")
        cc = [PREPROCESS, "cc", "--select", "all", "gcc"]
        self.good("libtool", "--tag=CC", "--mode=compile", *cc, "-c", "h.c", "-o", "h.lo")
        self.good("libtool", "--tag=CC", "--mode=link", *cc, "h.lo", "-o", "libh.la", "-rpath", self.dir)
        self.good("libtool", "--tag=CC", "--mode=link", *cc, "m.c", "libh.la", "-o", "prog")
        self.assertEqual(self.run_here("./prog").returncode, 42)
        self.assertEqual((self.probes(".libs/libh.so.0.0.0"), self.probes(".libs/h.o"), self.probes("h.o")), (1, 1, 1))


if __name__ == "__main__":
    unittest.main()
