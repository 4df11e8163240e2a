"""The server of readings of a build: what sources begin with is read once, and nobody can tell from the objects; changed
headers are seen; without the server all is as with it; nothing of it outlives the build."""
import os
import signal
import subprocess
import sys
import time
import unittest

from support.build import ANDES, PREPROCESS
from support.preprocessor import InDirectory

LEAD = '/* {name} */\n#include <stdio.h>\n#include <math.h>\n#include "own.h"\n'
BODY = """
static double {name}_part(double x)
{{
  for (int i = 0; i < 1000; ++i)
    x += sin(x * i) + LIMIT;
  return x;
}}

double {name}(int n)
{{
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += {name}_part(i) + own(i);
  printf("%g at %d of %s\\n", sum, __LINE__, __FILE__);
  return sum;
}}
"""
OWN = """\
#define LIMIT 3
static inline double own(double x)
{
  for (int i = 0; i < 100; ++i)
    x += cos(x * i);
  return x;
}
"""
# Run below `andes build`: the processes of its server. Prints the server, then each holder with the page faults of the children
# that it has waited for.
LOOK = """\
import os
def facts(process):
    try:
        with open("/proc/%s/stat" % process) as file:
            return file.read().rpartition(")")[2].split()  # from the state on
    except OSError:  # it has ended
        return ["X"] + ["0"] * 40
def program(process):
    try:
        return os.readlink("/proc/%s/exe" % process)
    except OSError:
        return ""
def children(of):
    return [one for one in os.listdir("/proc") if one.isdigit() and program(one) == PREPROCESS and facts(one)[1] == of]
above = str(os.getppid())
while program(above) != PREPROCESS:
    above = facts(above)[1]
for server in children(above):
    print("SERVER", server)
    for holder in children(server):
        print("HOLDER", holder, facts(holder)[8])
"""


def is_alive(process):
    try:
        with open("/proc/%d/stat" % process, encoding="utf-8") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


class Readings(InDirectory):
    NAMES = ["a", "b", "c", "d", "e", "f"]

    def setUp(self):
        super().setUp()
        self.write("own.h", OWN)
        for name in self.NAMES:
            self.write(name + ".c", LEAD.format(name=name) + BODY.format(name=name))
        self.write("look.py", f"PREPROCESS = {os.path.realpath(PREPROCESS)!r}\n" + LOOK)
        self.look = f"{sys.executable} look.py"
        time.sleep(0.2)  # so that headers are not taken for ones that may be changing

    def tearDown(self):
        """Nothing that was started in this test is left."""
        self.await_end([process for process in map(int, filter(str.isdigit, os.listdir("/proc"))) if self.is_of_this_test(process)])
        super().tearDown()

    def is_of_this_test(self, process):
        try:
            with open("/proc/%d/environ" % process, "rb") as file:
                return f"TMPDIR={self.tmp}".encode() in file.read().split(b"\0")
        except OSError:
            return False

    def build(self, script, *options, good=True):
        done = self.run_here(ANDES, "build", "--select", "all", *options, "--", "sh", "-ec", script)
        self.assertEqual(done.returncode == 0, good, done.stderr)
        return done

    def seen(self, done):
        """(server, {holder: page faults}) at each look."""
        looks = []
        for line in done.stdout.splitlines():
            words = line.split()
            if words[0] == "SERVER":
                looks.append((int(words[1]), {}))
            elif words[0] == "HOLDER":
                looks[-1][1][int(words[1])] = int(words[2])
        return looks

    def await_end(self, processes):
        for _ in range(600):
            if not any(is_alive(process) for process in processes):
                return
            time.sleep(0.1)
        self.fail("still there: %s" % [process for process in processes if is_alive(process)])

    def objects(self, names, flags="-O2 -g -Wall -Wextra"):
        """The same objects and messages with the server and without."""
        all_of = " ".join(names)
        compile_all = f"for s in {all_of} {all_of}; do gcc -c $s {flags}; done"  # directives are held from the second time on
        with_it = self.build(f"{compile_all}; {self.look}")
        ((_, holders),) = self.seen(with_it)
        self.assertTrue(holders)
        objects = {name: self.read_bytes(name) for name in self.objects_of(names)}
        without = self.build(compile_all, "--reading-server", "off")
        self.assertEqual(with_it.stderr, without.stderr)
        for name, text in objects.items():
            self.assertEqual(text, self.read_bytes(name), name)
        return objects

    def objects_of(self, names):
        return [os.path.basename(name).rpartition(".")[0] + ".o" for name in names]

    def read_bytes(self, name):
        with open(os.path.join(self.dir, name), "rb") as file:
            return file.read()

    def test_a_source_is_read_by_the_server(self):
        # A child is waited for when the next source comes, if it has ended by then.
        done = self.build(f"gcc -c a.c; gcc -c b.c; {self.look}; for i in $(seq 12); do gcc -c c.c; done; {self.look}")
        looks = self.seen(done)
        self.assertEqual(len(looks), 2)
        self.assertEqual(looks[0][0], looks[1][0])
        (holder,) = looks[0][1]
        self.assertEqual(set(looks[1][1]), {holder})
        self.assertLess(looks[0][1][holder], looks[1][1][holder])
        self.await_end([looks[0][0], holder])

    def test_same_objects(self):
        self.objects([name + ".c" for name in self.NAMES])
        self.assertEqual(self.probes("a.o"), 3)

    def test_same_objects_of_unusual_sources(self):
        os.mkdir(os.path.join(self.dir, "sub"))
        self.write("sub/deep.c", '#include "../own.h"\n#include <math.h>\n' + BODY.format(name="deep").replace("printf", "(void)"))
        self.write("short.c", '#include "own.h"\ndouble s(double x)\n{\n  return own(x);\n}')  # no newline at its end
        self.write("none.c", "int f(int n)\n{\n  int s = 0;\n  for (int i = 0; i < n; ++i)\n    s += i * s;\n  return s;\n}\n")
        self.write("line.c", LEAD.format(name="line") + '#line 7 "other.y"\n' + BODY.format(name="line"))
        self.write("self.c", "#include <math.h>\n#ifndef TWICE\n#define TWICE one\n#include \"self.c\"\n#undef TWICE\n#define TWICE two\n"
                             "#endif\ndouble TWICE(double x)\n{\n  for (int i = 0; i < 99; ++i)\n    x += sin(x);\n  return x;\n}\n")
        by_file = self.read("self.c").replace('"self.c"', "__FILE__")
        asking = by_file.replace("#include __FILE__", "#if __has_include(__FILE__)\ndouble there(double x)\n{\n  for (int i = 0; i < 9; ++i)\n"
                                 "    x += sin(x);\n  return x;\n}\n#endif")
        for name, text in (("itself", by_file), ("asks", asking)):
            self.write(name + ".c", text)
            self.write(name + "_far.c", text)
        self.write("defines.c", '#define NUMBER 12345 /* a literal */\n#define TEXT "text"\n#include "own.h"\n#include <stdio.h>\n'
                                "double d(double x)\n{\n  for (int i = 0; i < NUMBER; ++i)\n    x += own(x);\n  puts(TEXT);\n  return x;\n}\n")
        self.write("unused.c", LEAD.format(name="unused") + BODY.format(name="unused") + "static int never(void)\n{\n  return 1;\n}\n")
        self.write("marks.c", LEAD.format(name="marks") + BODY.format(name="marks") +
                   'void m(int n)\n{\n#pragma andes region "inner"\n  for (int i = 0; i < n; ++i)\n    puts("x");\n}\n')
        self.write("x.cc", "#include <vector>\n#include <string>\nnamespace {\nstruct Local { std::vector<int> v; int sum() const { int s = 0; "
                           "for (int i : v) s += i * s; return s; } };\n}\ntemplate <typename F> int call(F f) { int s = 0; "
                           "for (int i = 0; i < 9; ++i) s += f(i); return s; }\nint all(const std::string& t) { return Local{{1, 2}}.sum() + "
                           "call([&](int i) { int n = 0; for (char c : t) n += c * i; return n; }); }\n")
        self.write("y.cc", self.read("x.cc").replace("int all", "int both"))
        self.objects(["./a.c", "sub/deep.c", "sub/../sub/deep.c", os.path.join(self.dir, "b.c"), "short.c", "none.c", "line.c", "self.c",
                      "itself.c", os.path.join(self.dir, "itself_far.c"), "asks.c", os.path.join(self.dir, "asks_far.c"),
                      "defines.c", "unused.c", "marks.c", "x.cc", "y.cc"])

    def test_directories_share_what_they_read_alike(self):
        """But not where a header stands beside the source, or a source names files further down."""
        self.write("headers/there.h", OWN)
        for name in ("one/a", "two/b", "three/c", "four/d", "four/e", "third_party/f"):
            self.write(name + ".c", (LEAD + BODY).format(name=os.path.basename(name)).replace("own.h", "there.h"))
        self.write("three/there.h", OWN.replace("own(", "other(") + "#define own other\n")
        self.write("four/e.c", self.read("four/e.c") + '#include "further.h"\n')
        self.write("four/further.h", OWN.replace("own(", "further(").replace("#define LIMIT 3", ""))
        # What a macro, or a directive in two lines, names is found beside the source all the same.
        self.write("headers/has.h", "#define HAS(x) __has_include(x)\n")
        extra = "void extra(void)\n{\n  for (int i = 0; i < 9; ++i)\n    puts(__func__);\n}\n"
        for name, define, directive in (("g", '#include "has.h"', '#if HAS("beside.h")'), ("i", "", "#inc\\\nlude \"beside.h\"\n#ifdef BESIDE"),
                                        ("h", '#define HAS_IT __has_include("beside.h")', "#if HAS_IT")):
            self.write(f"five/{name}.c", f'{define}\n#include "there.h"\n#include <math.h>\n#include <stdio.h>\n' + BODY.format(name=name) +
                       f"{directive}\n{extra.replace('extra', 'extra_' + name)}#endif\n")
        self.write("five/beside.h", "#define BESIDE\n")
        hidden = [f"five/{name}.c" for name in "ghi"]
        names = ["one/a.c", "two/b.c", "four/d.c"]
        done = self.build("; ".join(f"gcc -Iheaders -c {name}" for name in names) + "; " + self.look)
        ((_, holders),) = self.seen(done)
        self.assertEqual(len(holders), 1)
        objects = self.objects([*names, "three/c.c", "four/e.c", "third_party/f.c", *hidden], "-O1 -g -Iheaders")
        self.assertEqual([self.probes(name) for name in objects], [3, 3, 3, 3, 4, 3, 4, 4, 4])
        self.assertIn(b"other", objects["c.o"].split(b"\0"))

    def test_a_common_beginning_of_directives_is_read_once(self):
        """Each source goes on with directives of its own; where they stand in it is right in the copies and debug information."""
        self.write("tests/names.h", "#define NAMED __has_include(<string.h>)\n")
        lines = {"g": '#define G 1\n\n#include "tests/names.h"\n#if NAMED\n#include <string.h>\n#endif\n',
                 "h": "#include <limits.h>\n// of h\n#include <stdlib.h>\n", "i": "", "j": '#include "j.h"\n'}
        self.write("j.h", OWN.replace("own(", "in_j(").replace("LIMIT", "LIMIT_J"))
        for name, more in lines.items():
            self.write(name + ".c", (LEAD + "/* more */\n" + more + BODY).format(name=name))
        done = self.build(f"for s in g h i j; do gcc -c $s.c; done; {self.look}")
        ((_, holders),) = self.seen(done)
        self.assertEqual(len(holders), 1)  # behind what all of them begin with
        objects = self.objects([name + ".c" for name in lines])
        self.assertEqual([self.probes(name) for name in objects], [3, 3, 3, 4])

    def test_more_of_a_beginning_is_held_where_several_go_on_alike(self):
        for name in "ghijkl":
            more = "#include <limits.h>\n" if name in "ijkl" else ""
            self.write(name + ".c", (LEAD + more + BODY).format(name=name))
        holders = [len(seen) for _, seen in self.seen(self.build("; ".join(f"gcc -c {name}.c; {self.look}" for name in "ghijkl")))]
        self.assertEqual(holders, [0, 1, 1, 1, 2, 2])

    def test_conditions_among_the_directives(self):
        """Open ones end in the source; what a false one includes is led to its copy as without the server."""
        self.write("both.h", OWN)
        open_one = "#ifndef NO_{name}\n#include <stdio.h>\n#include <math.h>\n#include \"own.h\"\n" + BODY + "#endif\n"
        chosen = "#ifdef NOWHERE\n#include \"both.h\"\n#else\n#include \"own.h\"\n#endif\n#include <math.h>\n#include <stdio.h>\n" + BODY
        for name, text in (("k", open_one.replace("NO_{name}", "NO_K")), ("l", open_one.replace("NO_{name}", "NO_K")), ("m", chosen), ("n", chosen),
                           ("o", "#if 0\n#include <stdio.h>\n#endif\n" + LEAD + BODY), ("p", "#if 0\n#include <stdio.h>\n#endif\n" + LEAD + BODY),
                           # Nothing is active behind the last inclusion, and the other branch is in the rest.
                           ("q", LEAD + "#if 0\n#include <nowhere.h>\n" + BODY.replace("{name}(", "no(") + "#else\n" + BODY + "#endif\n")):
            self.write(name + ".c", text.format(name=name))
        self.write("r.c", self.read("q.c").replace("double q(", "double r("))
        objects = self.objects([name + ".c" for name in "klmnopqr"])
        self.assertEqual([self.probes(name) for name in objects], [3] * 8)

    def test_functions_of_headers_that_clang_cannot_read(self):
        """They have no probes, and all that includes them is read by the server."""
        self.write("box.h", "template <class T> struct Box {\n  T value = T();\n  int lost() { return this->value_; }\n"
                            "  double kept(int n) { for (int i = 0; i < n; ++i) value += i * value; return value; }\n};\n")
        for name in "gh":
            body = BODY.replace("sum = 0", "sum = Box<double>().kept(n)")
            self.write(name + ".cc", LEAD.format(name=name) + '#include "box.h"\n' + body.format(name=name))
        objects = self.objects(["g.cc", "h.cc"])
        self.assertEqual([self.probes(name) for name in objects], [4, 4])

    def test_parallel_make(self):
        names = ["p%d" % i for i in range(24)]
        for name in names:
            self.write(name + ".c", LEAD.format(name=name) + BODY.format(name=name))
        self.write("Makefile", "all: %s\n" % " ".join(name + ".o" for name in names))
        self.build("make -s -j8 CFLAGS=-O1 CC=gcc")
        objects = {name: self.read_bytes(name + ".o") for name in names}
        self.build("make -s -B -j8 CFLAGS=-O1 CC=gcc", "--reading-server", "off")
        self.assertEqual(objects, {name: self.read_bytes(name + ".o") for name in names})

    def test_a_changed_header_is_seen(self):
        self.write("later.h", OWN.replace("own(", "later(") + OWN.replace("cos(x * i)", "later(x)").replace("#define LIMIT 3", ""))
        done = self.build(f"gcc -c a.c; gcc -c d.c; {self.look}; cp later.h own.h; gcc -c b.c; gcc -c c.c; gcc -c e.c")
        ((_, holders),) = self.seen(done)
        self.assertEqual(len(holders), 1)
        self.assertEqual([self.probes(name + ".o") for name in "adbce"], [3, 3, 4, 4, 4])

    def test_a_header_that_comes_earlier_in_the_path_is_seen(self):
        for name in "abd":
            self.write(name + ".c", self.read(name + ".c").replace('"own.h"', "<own.h>"))
        os.mkdir(os.path.join(self.dir, "first"))
        self.write("first.h", OWN.replace("own(", "other(") + "#define own other\n")
        self.build("gcc -Ifirst -I. -c a.c; gcc -Ifirst -I. -c d.c; mv first.h first/own.h; gcc -Ifirst -I. -c b.c")
        names = self.read_bytes("b.o").split(b"\0")
        self.assertEqual((names.count(b"own"), b"other" in names), (0, True))

    def test_it_can_be_switched_off(self):
        compile_and_look = f"gcc -c a.c; gcc -c b.c; {self.look}"
        self.assertEqual(len(self.seen(self.build(compile_and_look))), 1)
        self.assertEqual(self.seen(self.build(compile_and_look, "--reading-server", "off")), [])

    def test_without_the_server_all_goes_on(self):
        done = self.build(f"gcc -c a.c; gcc -c e.c; {self.look} | tee seen; kill -9 $(sed -n 's/SERVER //p' seen); gcc -c b.c; gcc -c c.c; gcc -c d.c")
        ((server, holders),) = self.seen(done)
        for name in "abcd":
            self.assertEqual(self.probes(name + ".o"), 3)
        self.await_end([server, *holders])

    def test_a_holder_that_dies_harms_nothing(self):
        done = self.build(f"gcc -c a.c; gcc -c e.c; {self.look} | tee seen; kill -9 $(sed -n 's/HOLDER \\([0-9]*\\) .*/\\1/p' seen); "
                          "gcc -c b.c; gcc -c c.c; gcc -c d.c")
        for name in "abcd":
            self.assertEqual(self.probes(name + ".o"), 3)
        ((server, holders),) = self.seen(done)
        self.await_end([server, *holders])

    def test_errors_are_the_compilers(self):
        self.write("bad.c", LEAD.format(name="bad") + "int f(void)\n{\n  return nothing;\n}\n")
        self.write("lost.c", '#include <stdio.h>\n#include "lost.h"\nint x;\n')
        for name in ("bad.c", "lost.c"):
            plain = self.run_here("gcc", "-c", name)
            done = self.build(f"gcc -c a.c; gcc -c {name} && exit 1; gcc -c {name}", good=False)
            self.assertTrue(done.stderr.startswith(plain.stderr * 2), done.stderr)

    def test_nothing_outlives_a_build_that_is_killed(self):
        for how in (signal.SIGKILL, signal.SIGTERM, signal.SIGINT):
            with subprocess.Popen([ANDES, "build", "--", "sh", "-c", f"gcc -c a.c; gcc -c b.c; {self.look}; echo END; exec sleep 600"],
                                  cwd=self.dir, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, start_new_session=True) as build:
                lines = []
                while not lines or lines[-1] != "END\n":
                    lines.append(build.stdout.readline())
                    self.assertNotEqual(lines[-1], "")
                os.kill(build.pid, how)
                words = [line.split() for line in lines]
                self.await_end([int(word[1]) for word in words if word[0] in ("SERVER", "HOLDER")])
                os.killpg(build.pid, signal.SIGKILL)

    def test_closed_streams(self):
        """Files of the server do not take the places of streams that are not there."""
        for closed in ("<&-", ">&-", "2>&-", "<&- >&- 2>&-"):
            for name in "abc":
                self.write(name + ".o", "")
            compile_all = "gcc -c a.c; gcc -c b.c; gcc -c c.c"
            done = self.run_here("sh", "-c", f"exec {ANDES} build --select all -- sh -ec '{compile_all}' {closed}")
            self.assertEqual(done.returncode, 0, closed + done.stderr)
            self.assertEqual([self.probes(name + ".o") for name in "abc"], [3, 3, 3], closed)

    def test_ignored_signals(self):
        """The end of the server does not depend on signals that the build was started without."""
        done = self.run_here("sh", "-c", f"trap '' CHLD ALRM; exec {ANDES} build --select all -- sh -ec "
                             f"'gcc -c a.c; gcc -c b.c; gcc -c c.c; {self.look}'")
        self.assertEqual(done.returncode, 0, done.stderr)
        ((server, holders),) = self.seen(done)
        self.assertEqual(len(holders), 1)
        self.await_end([server, *holders])

    def test_streams_of_the_build_are_not_held(self):
        """Whoever reads the output of a build sees its end when the build ends."""
        done = subprocess.run(["sh", "-c", f"{ANDES} build -- sh -c 'gcc -c a.c; gcc -c b.c; kill -9 $PPID' 2>&1 | cat"], cwd=self.dir,
                              capture_output=True, text=True, timeout=120, check=False)
        self.assertEqual(done.stdout, "")


if __name__ == "__main__":
    unittest.main()
