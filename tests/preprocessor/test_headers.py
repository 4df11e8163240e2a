"""Headers: functions in the user's own headers get probes, and nobody can tell from what the
compilation leaves behind. Each case is a small program, compiled with and without andes."""
import os
import re
import subprocess
import unittest

from support.build import PREPROCESS
from support.preprocessor import InDirectory, have

LOOP = "for (int i = 0; i < 3; ++i) n += i; "
# Clang 14 calls a file found by two names by the last of them, everywhere.
ONE_NAME = ["g++", "clang++-19"]
COMPILERS = {"c": ["gcc", "clang-19", "clang-14"], "cc": ["g++", "clang++-19", "clang++-14"]}

# A parameter that is declared before the parameters, which GCC alone knows.
FORWARD = "__attribute__((unused)) static int forward(int m; int m, int a[m]) { int s = a != 0; for (; m > 0; --m) ++s; return s; }\n"


def files_in(dump):
    """Base names in the line tables of `readelf --debug-dump=line`."""
    return {line.split()[-1].split("/")[-1] for line in dump.splitlines() if re.match(r"  \d+\t.*\S\.\w+$", line)}


class Headers(InDirectory):
    maxDiff = None

    def same(self, main, *flags, probes, compilers=None, sources=(), files=()):
        """Compiles `main` with and without andes, with each compiler, and links and runs it."""
        for compiler in compilers or COMPILERS[main.rsplit(".", 1)[1]]:
            if not have(compiler):
                continue
            with self.subTest(compiler=compiler):
                traces = [self.traces(through, compiler, main, flags, sources, files) for through in (False, True)]
                self.assertEqual(traces[0]["status"], 0, traces[0]["stderr"])
                self.assertEqual(traces[1], traces[0])
                self.assertEqual(self.probes("main.o"), probes)
                with open(os.path.join(self.dir, "main.o"), "rb") as file:
                    self.assertNotIn(self.tmp.encode(), file.read(), "a trace of a copy")

    def traces(self, through_andes, compiler, main, flags, sources, files):
        command = [compiler, "-Wall", "-g", "-MD", *flags, "-c", main, "-o", "main.o"]
        done = self.cc(*command) if through_andes else self.run_here(*command)
        stderr = done.stderr
        if "clang" in compiler:  # its carets quote the copy; what it says stands above them
            stderr = re.findall(r"^(?:\S+:\d+:\d+: .*|In file .*|\.+ .*)$", stderr, re.M)
        lines = self.run_here("readelf", "--debug-dump=line", "main.o").stdout
        linked = self.run_here(compiler, "main.o", *sources, "-o", "program", "-lm")
        self.assertEqual(linked.returncode, 0, linked.stderr)
        ran = self.run_here("./program")
        return {"status": done.returncode, "stdout": done.stdout, "stderr": stderr,
                "dependencies": self.read("main.d"), "files": files_in(lines) - {"probe.h"},
                "output": (ran.returncode, ran.stdout), **{name: self.read(name) for name in files}}

    # How headers are found, and found again.

    def test_guards_once_and_other_names_of_one_file(self):
        self.write("main.cc", '#include "a.h"\n#include "sub/../b.h"\n#include "a.h"\n#include <lib.h>\n'
                              "int main() { int unused; return a(1) + b(2) + lib(3); }\n")
        self.write("a.h", '#pragma once\n#include "b.h"\n#include "./b.h"\n'
                          "inline int a(int n) { int unused; %sreturn n + b(n); }\n" % LOOP)
        self.write("b.h", "// guarded\n\n#ifndef B_H\n#define B_H\nstatic int b(int n) { %sreturn n; }\n#endif\n" % LOOP)
        self.write("sub/c.h", "")
        self.write("inc/lib.h", '#pragma once\n#include "detail.h"\n#include "a.h"\n'
                                "inline int lib(int n) { int unused; return detail(n) + a(n); }\n")
        self.write("inc/detail.h", "#pragma once\ninline int detail(int n) { %sreturn n; }\n" % LOOP)
        self.same("main.cc", "-Iinc", "-I.", "-H", probes=5, compilers=ONE_NAME)
        self.same("main.cc", "-Iinc", "-I.", "-g3", "-MMD", "-MP", probes=5, compilers=["g++", "clang++-19"])

    def test_included_twice_with_other_macros(self):
        self.write("main.c", "#include <stdio.h>\n#define T int\n#define N(x) x##_i\n#include \"kernel.inc\"\n#undef T\n#undef N\n"
                             "#define T double\n#define N(x) x##_d\n#include \"kernel.inc\"\n"
                             'int main(void) { printf("%d %f\\n", sum_i(3), sum_d(.5)); return 0; }\n')
        self.write("kernel.inc", "static T N(sum)(T x) {\n  T unused, n = 0; for (int i = 0; i < 9; ++i) n += x; return n; }\n")
        self.same("main.c", probes=3)

    def test_names_by_macros_comments_and_digraphs(self):
        self.write("main.cc", "#define HEADER(x) <x.h>\n#define QUOTED \"q.h\"\n#include HEADER(a) // a\n"
                              "# /* here */ include QUOTED /* two\nlines */\n%:include \\\n  \"d.h\" /* d */\n"
                              "int main() { int unused; return a(1) + q(2) + d(3) + __LINE__; }\n")
        for name in "aqd":
            self.write(name + ".h", "inline int %s(int n) { int unused; %sreturn n; }\n" % (name, LOOP))
        self.same("main.cc", "-I.", probes=4)

    def test_include_next(self):
        self.write("main.cc", '#include <x.h>\n#include <stdlib.h>\n#include <cstdlib>\n'
                              "int main() { return first(1) + second(2) + std::abs(-3) + wrapped(4); }\n")
        self.write("one/x.h", "#pragma once\n#include_next <x.h>\ninline int first(int n) { %sreturn n; }\n" % LOOP)
        self.write("two/x.h", "#pragma once\ninline int second(int n) { int unused; %sreturn n; }\n" % LOOP)
        self.write("one/stdlib.h", "#ifndef WRAPPED\n#define WRAPPED\n#if __has_include_next(<stdlib.h>) && "
                                   "!__has_include_next(<x_none.h>)\n#include_next <stdlib.h>\n#endif\n"
                                   "static inline int wrapped(int n) { %sreturn n; }\n#endif\n" % LOOP)
        self.same("main.cc", "-Ione", "-Itwo", "-MMD", probes=4)
        self.same("main.cc", "-Ione", "-Itwo", probes=4, compilers=["g++"])

    def test_the_same_name_in_several_directories(self):
        for place in ("src", "inc", "quote"):
            self.write(place + "/same.h", "#define PLACE \"%s\"\nstatic int in_%s(int n) { %sreturn n; }\n" % (place, place, LOOP))
        self.write("inc/lib.h", '#include "same.h"\nstatic int lib(int n) { %sreturn n + in_inc(n); }\n' % LOOP)
        self.write("src/main.c", '#include "lib.h"\n#undef PLACE\n#include "only.h"\n#include "same.h"\n'
                                 "int main(void) { return lib(1) + in_src(2) + only(3) + sizeof PLACE; }\n")
        self.write("quote/only.h", "static int only(int n) { int unused; %sreturn n; }\n" % LOOP)
        self.same("src/main.c", "-Iinc", "-iquote", "quote", probes=5)

    def test_directories_above_links_and_generated_headers(self):
        self.write("a/b/main.c", '#include "../../common/up.h"\n#include "link/l.h"\n#include "gen.h"\n'
                                 "int main(void) { return up(1) + l(2) + gen(3); }\n")
        self.write("common/up.h", '#pragma once\n#include "../common/more.h"\nstatic int up(int n) { int unused; %sreturn more(n); }\n' % LOOP)
        self.write("common/more.h", "#pragma once\nstatic int more(int n) { int unused; %sreturn n; }\n" % LOOP)
        self.write("real/l.h", '#include "../common/up.h"\nstatic int l(int n) { %sreturn up(n); }\n' % LOOP)
        os.symlink("../../real", os.path.join(self.dir, "a/b/link"))
        self.write("build/gen.h", "static int gen(int n) { int unused; %sreturn n; }\n" % LOOP)
        os.symlink(os.path.join(self.dir, "common"), os.path.join(self.dir, "a/common"))
        self.same("a/b/main.c", "-I" + os.path.join(self.dir, "build"), probes=5, compilers=["gcc", "clang-19"])

    def test_a_file_has_one_name_by_whatever_way(self):
        for name, function in (("inc/x.h", "x"), ("real/up.h", "up"), ("up.h", "other")):
            self.write(name, "static int %s(int n) { int unused; %sreturn n; }\n" % (function, LOOP))
        self.write("real/deep/empty.h", "")
        os.symlink("real/deep", os.path.join(self.dir, "link"))
        self.write("src/main.c", '#include "../inc/x.h"\n#include "../link/../up.h"\nint main(void) { return x(1) + up(2); }\n')
        done = self.cc("gcc", "-c", "./src/main.c", "-o", "main.o")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        names = set(re.findall(r"[\w./]+\.[ch](?=\0)", self.read("main.o")))
        self.assertLessEqual({"inc/x.h", "src/main.c", "./src/../link/../up.h"}, names)

    def test_odd_names_and_bytes(self):
        self.write("main.c", '#include "with space.h"\r\n#include "gr\u00fc\u00df.h"\r\n#include "do$$ar.h"\r\n#include "it\'s.h"\r\n'
                             '#include "bom.h"\r\nint main(void) { return one(1) + two(2) + three(3) + four(4) + five(5); }\r\n')
        self.write("with space.h", "static int one(int n) {\r\n int unused; %sreturn n; }\r\n" % LOOP)
        self.write("gr\u00fc\u00df.h", "static int two(int n) { %sreturn n + sizeof __FILE__; }" % LOOP)
        self.write("do$$ar.h", "static int three(int n) <% int unused; for (;n < 5;) ++n; return n; %>\n")
        self.write("it's.h", "#ifndef I\n#define I\nstatic int four(int n) { int unused; %sreturn n; }\n#endif" % LOOP)
        self.write("bom.h", b"\xef\xbb\xbfstatic int five(int n) { for (;n < 5;) ++n; return n; }\r\n", "wb")
        self.same("main.c", probes=6)

    def test_what_only_the_real_compiler_reads(self):
        self.write("main.c", '#if defined __GNUC__ && __GNUC__ > 10\n# include "newer.h"\n#else\n#include "sub/older.h"\n#endif\n'
                             '#if __has_include("sub/older.h") && !__has_include("none.h") && defined __has_include\n'
                             "int main(void) { return F; }\n#endif\n")
        self.write("newer.h", "#define F 3\n")
        self.write("sub/older.h", "#define F 4\n")
        self.same("main.c", probes=1)

    def test_a_source_of_sources_and_one_that_includes_itself(self):
        self.write("main.cc", '#include "one.cc"\n#include "two.cc"\n#ifndef AGAIN\n#define AGAIN\n#include "main.cc"\n'
                              "int main() { int unused; return one(1) + two(2) + again(); }\n#else\n"
                              "static int again() { int n = 0; %sreturn n + __LINE__ + __INCLUDE_LEVEL__; }\n#endif\n" % LOOP)
        self.write("one.cc", "#ifndef ONE\n#define ONE\nnamespace { int helper(int n) { int unused; %sreturn n; } }\n"
                             "int one(int n) { return helper(n); }\n#endif\n" % LOOP)
        self.write("two.cc", "#pragma once\nint two(int n) { auto f = [](int n) { int unused; return n; }; return f(n); }\n")
        self.same("main.cc", probes=6, compilers=ONE_NAME)

    def test_recursive_headers_and_import(self):
        self.write("main.c", "#define DEPTH 3\n#include \"deep.h\"\n#import \"im.h\"\n#import \"im.h\"\n"
                             "int main(void) { return f3(1) + f2(1) + f1(1) + im(1); }\n")
        self.write("deep.h", "#if DEPTH == 3\nstatic int f3(int n) { %(l)sreturn n; }\n#undef DEPTH\n#define DEPTH 2\n#include \"deep.h\"\n"
                             "#elif DEPTH == 2\nstatic int f2(int n) { %(l)sreturn n; }\n#undef DEPTH\n#define DEPTH 1\n#include \"deep.h\"\n"
                             "#else\nstatic int f1(int n) { int unused; %(l)sreturn n; }\n#endif\n" % {"l": LOOP})
        self.write("im.h", "static int im(int n) { int unused; %sreturn n; }\n" % LOOP)
        self.same("main.c", "-Wno-deprecated", probes=5)

    # Where a header may stand.

    def test_inside_namespaces_classes_and_functions(self):
        self.write("main.cc", 'namespace a {\n#include "f.inc"\n}\nextern "C" {\n#include "f.inc"\n}\n'
                              'struct S {\n#include "members.inc"\n};\n'
                              'int main() {\n  auto g =\n#include "lambda.inc"\n  ;\n  return a::f(1) + f(2) + S().m(3) + g(4); }\n')
        self.write("f.inc", "static int f(int n) { int unused; %sreturn n; }\n" % LOOP)
        self.write("members.inc", "  int m(int n) { int unused; %sreturn n; }\n  template <class T> T t(T n) { return n; }\n" % LOOP)
        self.write("lambda.inc", "[](int n) { int unused; return n; }")
        self.same("main.cc", probes=6)

    def test_macros_that_expand_to_functions(self):
        self.write("main.c", '#include "m.h"\nDEFINE(f)\nBEGIN(g) return 2; }\nint main(void) { return f() + g() + h(); }\n')
        self.write("m.h", "#define DEFINE(name) static int name(void) { return 1; }\n#define BEGIN(name) static int name(void) {\n"
                          "DEFINE(in_header)\nstatic int h(void) { return in_header(); }\n")
        self.same("main.c", probes=2)

    def test_inline_functions_of_c(self):
        self.write("main.c", '#include "i.h"\nextern inline int ext(int n);\nint other(void);\n'
                             "int main(void) { return si(1) + ext(2) + gnu(3) + other(); }\n")
        self.write("other.c", '#include "i.h"\nint gnu(int n) { return n + 1; }\nint other(void) { return ext(1) + si(2) + gnu(3); }\n')
        self.write("i.h", "static inline int si(int n) { n++; return n; }\ninline int ext(int n) { n++; return n; }\n"
                          "extern __inline__ __attribute__((gnu_inline)) int gnu(int n) { n++; return n; }\n")
        strict = ["-Wextra", "-Wshadow", "-pedantic", "-Werror"]
        for level in ("-O0", "-O2"):
            with self.subTest(level=level):
                done = self.run_here("gcc", level, "-c", "other.c", "-o", "other.o")
                self.assertEqual(done.returncode, 0, done.stderr)
                self.same("main.c", level, *strict, probes=4, sources=["other.o"])

    def test_two_units_that_share_and_disagree(self):
        self.write("i.h", "#pragma once\n#include <vector>\ntemplate <class T> struct V { std::vector<T> v; int size() { return int(v.size()); }\n"
                          "  int sum() { int n = 0; for (auto x : v) n += int(x); return n; } };\n"
                          "inline int shared(int n) { static int k; k += n; return k; }\ninline int var = [] { return 1; }();\n"
                          "#ifdef MORE\ninline int more() { return 1; }\n#endif\n")
        self.write("main.cc", '#include "i.h"\nint other();\nint main() { V<int> v{{1, 2}}; return v.sum() + v.size() + shared(1) + other() + var; }\n')
        self.write("other.cc", '#include "i.h"\nint other() { V<int> v{{1, 2}}; return v.sum() + shared(2) + more(); }\n')
        self.write("sel", "include *\nexclude V::sum\n")
        for compiler in ("g++", "clang++-19"):
            for flags in (["-O0"], ["-O2", "-flto"], ["-O2", "-fPIC"]):
                if not have(compiler) or "-flto" in flags and "clang" in compiler:
                    continue
                for select in ("all", "sel"):
                    with self.subTest(compiler=compiler, flags=flags, select=select):
                        strict = ["-std=c++17", "-Wall", "-Wextra", "-Wshadow", "-pedantic", "-Werror", *flags]
                        a = self.run_here(PREPROCESS, "cc", "--select=all", compiler, *strict, "-c", "main.cc", "-o", "main.o")
                        b = self.run_here(PREPROCESS, "cc", "--select", select, compiler, *strict, "-DMORE", "-c", "other.cc", "-o", "other.o")
                        self.assertEqual([a.stderr, b.stderr, a.returncode, b.returncode], ["", "", 0, 0])
                        if "-fPIC" in flags:
                            self.run_here(compiler, "-shared", "other.o", "-o", "libother.so")
                            last = self.run_here(compiler, "main.o", "./libother.so", "-o", "p")
                        else:
                            last = self.run_here(compiler, *strict, "main.o", "other.o", "-o", "p")
                        self.assertEqual((last.returncode, last.stderr), (0, ""))
                        self.assertEqual(self.run_here("./p").returncode, 3 + 2 + 1 + (3 + 3 + 1) + 1)

    # What options include.

    def test_forced_headers(self):
        self.write("main.c", "int main(void) { int unused; return forced(1) + NUMBER + more(1); }\n")
        self.write("inc/forced.h", '#include "beside.h"\nstatic int forced(int n) { int unused; %sreturn n; }\n' % LOOP)
        self.write("inc/beside.h", "#pragma once\nstatic int more(int n) { int unused; %sreturn n; }\n" % LOOP)
        self.write("macros.h", "#define NUMBER 5\nint in_macros(void) { return 1; }\n")
        self.same("main.c", "-imacros", "macros.h", "-include", "inc/forced.h", probes=3)
        self.write("second.c", "int second(void) { return forced(3); }\n")
        both = self.cc("gcc", "-imacros", "macros.h", "-include", "inc/forced.h", "main.c", "second.c", "-o", "p")
        self.assertEqual((both.returncode, both.stderr, self.probes("p")), (0, "", 2))

    def test_forced_headers_that_are_included_too(self):
        self.write("config.h", "#ifndef CONFIG_H\n#define CONFIG_H\n#define NUMBER 5\n#endif\n")
        self.write("tools.h", "#ifndef TOOLS_H\n#define TOOLS_H\nstatic int tool(int n) { int unused; %sreturn n; }\n#endif\n" % LOOP)
        self.write("once.h", "#pragma once\nstatic int once(int n) { int unused; %sreturn n; }\n" % LOOP)
        for header, call, probes in (("config.h", "NUMBER", 1), ("tools.h", "tool(1)", 2), ("once.h", "once(1)", 2)):
            self.write("main.c", f'#include "{header}"\n#include "{header}"\nint main(void) {{ int unused; return {call}; }}\n')
            self.same("main.c", "-include", header, probes=probes)
            self.same("main.c", "-include", "config.h", "-include", header, probes=probes)

    def test_precompiled_headers_are_used(self):
        self.write("all.h", '#ifndef ALL\n#define ALL\n#include "inner.h"\ninline int all(int n) { return inner(n); }\n#endif\n')
        self.write("inner.h", "#pragma once\n#include <vector>\ninline int inner(int n) { %sreturn n; }\n" % LOOP)
        self.write("own.h", '#include "inner.h"\n#include "all2.h"\ninline int own(int n) { %sreturn inner(n); }\n' % LOOP)
        self.write("all2.h", "#pragma once\n")
        self.write("main.cc", '#include "own.h"\n#include "inner.h"\nint main() { return own(1) + all(2); }\n')
        self.write("first.cc", '// first\n#include "all.h" // precompiled\n#include "own.h"\nint main() { int unused; return own(1) + all(2) + __LINE__; }\n')
        self.assertEqual(self.cc("g++", "-Wall", "-g", "all.h", "-o", "all.h.gch").stderr, "")
        used = ["-Winvalid-pch", "-Werror=invalid-pch", "-H"]
        self.same("main.cc", "-include", "all.h", *used, probes=2, compilers=["g++"])
        self.assertRegex(self.cc("g++", "-Wall", "-g", "-H", "-include", "all.h", "-c", "main.cc").stderr, r"(?m)^! all\.h\.gch|^! \./all\.h\.gch")
        self.same("first.cc", *used, probes=2, compilers=["g++"])
        self.assertRegex(self.cc("g++", "-Wall", "-g", "-H", "-c", "first.cc").stderr, r"(?m)^! all\.h\.gch")
        os.remove(os.path.join(self.dir, "all.h.gch"))
        for compiler in ("clang++-19", "clang++-14"):
            if have(compiler):
                made = self.cc(compiler, "-Wall", "-g", "-x", "c++-header", "all.h", "-o", "all.pch")
                self.assertEqual((made.returncode, made.stderr), (0, ""))
                self.same("main.cc", *"-Xclang -include-pch -Xclang all.pch -Xclang -include -Xclang all.h".split(),
                          probes=2, compilers=[compiler])

    def test_a_precompiled_header_apart_from_the_header(self):
        """As Meson has it: there is no all.h where all.h.gch lies."""
        self.write("pch/all.h", "#include <vector>\n#include \"inner.h\"\n")
        self.write("pch/inner.h", "#pragma once\ninline int inner(int n) { %sreturn n; }\n" % LOOP)
        self.write("own.h", "#pragma once\ninline int own(int n) { %sreturn inner(n); }\n" % LOOP)
        self.write("main.cc", '#include "own.h"\nint main() { int unused; std::vector<int> v(1); return own(v[0]); }\n')
        os.mkdir(os.path.join(self.dir, "made here"))
        flags = ["-Wall", "-g", "-O1"]
        self.assertEqual(self.cc("g++", *flags, "-MD", "-MF", "all.d", "-x", "c++-header", "pch/all.h", "-o",
                                 "made here/all.h.gch").stderr, "")
        used = [*flags, "-Imade here", "-include", "all.h", "-Winvalid-pch", "-Werror=invalid-pch", "-H"]
        self.same("main.cc", *used, "-fpch-preprocess", probes=2, compilers=["g++"])
        self.assertRegex(self.cc("g++", *used, "-c", "main.cc").stderr, r"(?m)^! made here/all\.h\.gch")

    def test_a_precompiled_header_of_another_name(self):
        """As qmake has it: -include prog finds prog.gch/c++, made without a dependency file."""
        self.write("stable.h", "#include <vector>\n#include \"inner.h\"\n")
        self.write("inner.h", "#pragma once\ninline int inner(int n) { %sreturn n; }\n" % LOOP)
        self.write("own.h", "#pragma once\ninline int own(int n) { %sreturn inner(n); }\n" % LOOP)
        self.write("main.cc", '#include "own.h"\nint main() { int unused; std::vector<int> v(1); return own(v[0]); }\n')
        os.mkdir(os.path.join(self.dir, "prog.gch"))
        flags = ["-Wall", "-g", "-O1"]
        made = self.cc("g++", *flags, "-x", "c++-header", "-c", "stable.h", "-o", "prog.gch/c++")
        self.assertEqual((made.returncode, made.stdout, made.stderr), (0, "", ""))
        self.assertEqual(sorted(os.listdir(self.dir)), ["inner.h", "main.cc", "own.h", "prog.gch", "stable.h"])
        used = [*flags, "-include", "prog", "-Winvalid-pch", "-Werror=invalid-pch", "-H"]
        self.same("main.cc", *used, "-fpch-preprocess", probes=2, compilers=["g++"])
        self.assertRegex(self.cc("g++", *used, "-c", "main.cc").stderr, r"(?m)^! \./prog\.gch/c\+\+")
        with open(os.path.join(self.dir, "prog"), "wb") as program:
            program.write(b"\x7fELF\x02")  # when the program has been linked
        self.same("main.cc", *used, "-fpch-preprocess", probes=2, compilers=["g++"])

    def test_warnings_that_gcc_gives_of_headers_or_of_sources_alone(self):
        loop = "int f(int n) { %sreturn n; }\n" % LOOP
        self.write("constants.h", "static const int in_header = 1;\n")
        self.write("constants.c", '#include "constants.h"\nstatic const int in_source = 2;\n' + loop)
        for flags in (["-Wall"], ["-Wall", "-Wno-unused-variable"], ["-Wunused-const-variable=1"], ["-Wunused-const-variable"], ["-Wall", "-Werror"]):
            plain = self.run_here("gcc", *flags, "-c", "constants.c", "-o", "plain.o")
            done = self.cc("gcc", *flags, "-c", "constants.c", "-o", "ours.o")
            self.assertEqual((done.returncode, done.stderr), (plain.returncode, plain.stderr), flags)
        hidden = "namespace { struct Hidden { int x; }; }\nstruct %s { Hidden hidden; int f(int n); };\n"
        self.write("hidden.h", hidden.replace("Hidden", "Other") % "InHeader")
        self.write("hidden.cc", '#include "hidden.h"\n' + hidden % "InSource" + "int InSource::" + loop.replace("int f", "f") + "int InHeader::" + loop.replace("int f", "f"))
        plain = self.run_here("g++", "-c", "hidden.cc", "-o", "plain.o")
        done = self.cc("g++", "-c", "hidden.cc", "-o", "ours.o")
        self.assertEqual((done.returncode, done.stderr), (plain.returncode, plain.stderr))
        self.assertIn("InHeader", plain.stderr)
        self.assertNotIn("InSource", plain.stderr)

    # Which headers are looked at.

    def test_headers_of_others_are_left_alone(self):
        text = "#pragma once\nstatic inline int %s(int n) { int unused; %sreturn n; }\n"
        for path, name in (("third_party/t.h", "t"), ("sys/s.h", "s"), ("lib/vendor/v/v.h", "v"), ("mine/m.h", "m")):
            self.write(path, text % (name, LOOP))
        self.write("main.c", '#include "third_party/t.h"\n#include <s.h>\n#include <v/v.h>\n#include <m.h>\n'
                             "int main(void) { return t(1) + s(2) + v(3) + m(4); }\n")
        places = ["-isystem", "sys", "-Ilib/vendor", "-Imine"]
        self.same("main.c", *places, probes=2)
        for option, probes in (("none", 1), ("own", 2), ("all", 5)):
            done = self.cc("--headers", option, "gcc", *places, "-c", "main.c", "-o", "x.o")
            self.assertEqual((done.returncode, done.stderr, self.probes("x.o")), (0, "", probes))
        os.rename(os.path.join(self.dir, "main.c"), os.path.join(self.dir, "third_party/main.c"))
        done = self.cc("gcc", *places, "-I.", "-c", "third_party/main.c", "-o", "x.o")  # a project of that name
        self.assertEqual((done.returncode, done.stderr, self.probes("x.o")), (0, "", 3))

    # What goes wrong.

    def test_functions_that_clang_cannot_read(self):
        """They alone have no probes: bodies that only GCC knows, and templates without instances, in which it looks nothing up."""
        loop = "{ int s = 0; for (int i = 0; i < n; ++i) s += i * n; return s; }\n"
        self.write("nested.h", "static int nested(int n)\n{\n  int inner(int x) { return x + n; }\n  return inner(1);\n}\n"
                               "static int looped(int n) " + loop)
        self.write("main.c", '#include "nested.h"\nint main(void) { return nested(2) + looped(2); }\n')
        done = self.cc("gcc", "main.c", "-o", "p")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual((self.run_here("./p").returncode, self.probes("p")), (5, 2))
        self.write("box.h", "template <class T> struct Box {\n  T value;\n  Box(T v) : value(v) {}\n"
                            "  Box(const Box& other) : value(other.value_) {}\n"
                            "  Box(const Box& other, int m) : value([](int n) " + loop + "(m)) { value += other.value_; }\n"
                            "  int lost(int m) { auto inner = [](int n) " + loop + "; return inner(m) + this->value_; }\n"
                            "  constexpr int constant() const { return this->value_; }\n  auto deduced() const { return this->value_; }\n"
                            "  T looped(int n) " + loop + "};\n")
        self.write("main.cc", '#include "box.h"\nint main() { return Box<int>(1).looped(2); }\n')
        done = self.cc("g++", "main.cc", "-o", "p")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual((self.run_here("./p").returncode, self.probes("p")), (2, 3))  # main, looped, one constructor

    def test_very_many_functions_that_clang_cannot_read(self):
        """Clang ends after 200 errors (ErrorLimit), so not all of these functions are found, and headers are given up."""
        self.write("nested.h", "".join("static int nested%d(int n)\n{\n  int inner(int x) { return x + n; }\n  return inner(1);\n}\n" % i
                                       for i in range(300)))
        self.write("main.c", '#include "nested.h"\nstatic int looped(int n) { %sreturn n; }\n'
                             "int main(void) { return %s + looped(2); }\n"
                   % (LOOP, " + ".join("nested%d(0)" % i for i in range(100))))
        done = self.cc("gcc", "-Wno-unused-function", "main.c", "-o", "p")
        self.assertEqual((done.returncode, done.stderr),
                         (0, "andes: main.c: instrumented without its headers: Clang cannot read them "
                             "(nested.h:3: function definition is not allowed here)\n"))
        self.assertEqual((self.run_here("./p").returncode, self.probes("p")), (105, 2))  # 100 + (2 + 0 + 1 + 2)

    def test_declarations_that_clang_cannot_read(self):
        self.write("forward.h", FORWARD)
        self.write("main.c", '#include "forward.h"\nint main(void) { return forward(2, 0); }\n')
        done = self.cc("gcc", "main.c", "-o", "p")
        self.assertEqual((done.returncode, done.stderr),
                         (0, "andes: main.c: not instrumented: Clang cannot read it (forward.h:1: expected ')'); compiled unchanged\n"))
        self.assertEqual((self.run_here("./p").returncode, self.probes("p")), (2, 0))

    def test_copies_that_do_not_compile(self):
        self.write("size.h", '__attribute__((noinline)) static int f(void) {\n__asm__("begin_f:");\n return 0; }\n'
                             '__asm__(".if (. - f) > 24\\n.error \\"too long\\"\\n.endif");\n')
        self.write("main.c", '#include "size.h"\nint main(void) { return f(); }\n')
        done = self.cc("gcc", "-O1", "-fno-toplevel-reorder", "main.c", "-o", "p")
        self.assertEqual((done.returncode, done.stderr, self.probes("p")),
                         (0, "andes: main.c: instrumented without its headers: their copies do not compile\n", 1))

    def test_headers_of_sources_without_probes(self):
        """Nothing is instrumented: so it is not said to be, without its headers."""
        self.write("size.h", '__attribute__((noinline)) static int f(void) {\n__asm__("begin_f:");\n return 0; }\n'
                             '__asm__(".if (. - f) > 24\\n.error \\"too long\\"\\n.endif");\n')
        self.write("data.c", '#include "size.h"\nint (*data)(void) = f;\n')
        done = self.cc("gcc", "-O1", "-fno-toplevel-reorder", "-c", "data.c", "-o", "data.o")
        self.assertEqual((done.returncode, done.stderr, self.probes("data.o")),
                         (0, "andes: data.c: its headers are not instrumented: their copies do not compile\n", 0))

    def test_errors_in_headers_appear_once(self):
        self.write("bad.h", "static int bad(void) { return undeclared; }\n")
        self.write("main.c", '#include "bad.h"\nint main(void) { return bad(); }\n')
        plain, ours = self.run_here("gcc", "-c", "main.c"), self.cc("gcc", "-c", "main.c")
        self.assertEqual((ours.returncode, ours.stderr), (plain.returncode, plain.stderr))

    def test_parallel_builds(self):
        self.write("i.h", "#pragma once\ninline int shared(int n) { %sreturn n; }\n" % LOOP)
        for i in range(6):
            self.write("s%d.cc" % i, '#include "i.h"\nint s%d() { return shared(%d); }\n' % (i, i))
        started = [subprocess.Popen([PREPROCESS, "cc", "--select=all", "g++", "-MD", "-c", "s%d.cc" % i], cwd=self.dir,
                                    env=dict(os.environ, **self.env), stderr=subprocess.PIPE) for i in range(6)]
        self.assertEqual([(one.communicate()[1], one.returncode) for one in started], [(b"", 0)] * 6)
        self.assertEqual([self.probes("s%d.o" % i) for i in range(6)], [2] * 6)
        self.assertEqual(self.read("s3.d").count("i.h"), 1)


if __name__ == "__main__":
    unittest.main()
