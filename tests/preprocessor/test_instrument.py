"""andes instrument: text, explanation, messages."""
import os
import re
import shutil
import subprocess
import unittest

from support.build import PREPROCESS
from support.preprocessor import InDirectory


class Instrument(InDirectory):
    def expect(self, done, status, stdout, stderr):
        self.assertEqual((done.returncode, done.stdout, done.stderr), (status, stdout, stderr))

    def test_output_compiles_without_andes_cc(self):
        self.write("a.c", "int f(void) { return 3; }\nint main(void)\n{\n  return f() + __LINE__;\n}\n")
        self.expect(self.instrument("a.c", "-o", "b.c"), 0, "", "")
        self.assertEqual(self.run_here("gcc", "-Wall", "-Wextra", "-pedantic", "-Werror", "b.c", "-o", "b").stderr, "")
        self.assertEqual((self.run_here("./b").returncode, self.probes("b")), (7, 2))

    def test_flags_with_and_without_bar(self):
        self.write("a.c", "#if X == 2\nint two(void) { return 1; }\n#else\nint other(void) { return 1; }\n#endif\n")
        table = "function   line  decision\ntwo           2  instrumented\n"
        self.expect(self.instrument("a.c", "--explain", "--", "-DX=2", "-std=c99"), 0, table, "")
        self.expect(self.instrument("a.c", "--explain", "-DX=2"), 0, table, "")
        self.expect(self.instrument("--explain", "a.c", "--", "gcc", "-DX=2"), 0, table, "")
        self.assertIn("other", self.instrument("a.c", "--explain").stdout)

    def test_explains_reasons_and_selection(self):
        self.write("a.cc", "constexpr int c() { return 1; }\nint f() { return c(); }\nint g() { return f(); }\n")
        self.write("sel", "include *\nexclude g\n")
        self.expect(self.instrument("a.cc", "--explain", "--select", "sel"), 0,
                    "function   line  decision\n"
                    "c             1  left out: constexpr or consteval\n"
                    "f             2  instrumented\n"
                    "g             3  left out: not selected\n", "")
        self.assertNotIn("not selected", self.instrument("a.cc", "--explain", "--select", "all").stdout)

    def test_explains_what_is_too_small(self):
        self.write("a.c", "int f(int a) { return a * a + 1; }\n"
                          "int g(int a) { return f(a) + f(a + 1); }\n"
                          "int h(int a) { for (; a > 9;) a /= 2; return a; }\n")
        for select, f, g in [("default", "left out: small (2 operations, no loops, no calls)",
                              "left out: small (8 operations, no loops, calls only small functions)"),
                             ("f.sel", "instrumented", "instrumented"),
                             ("g.sel", "left out: small (2 operations, no loops, no calls)", "left out: not selected"),
                             ("all", "instrumented", "instrumented")]:
            with self.subTest(select=select):
                self.write("f.sel", "include f\n")
                self.write("g.sel", "exclude g\n")
                self.expect(self.instrument("a.c", "--explain", "--select", select), 0,
                            "function   line  decision\n"
                            f"f             1  {f}\n"
                            f"g             2  {g}\n"
                            "h             3  instrumented\n", "")

    def test_explains_what_is_short_for_loops(self):
        self.write("a.cc", "#include <algorithm>\n#include <map>\n#include <vector>\n"
                           "struct Table { int n; std::vector<int> order; std::map<int, int> keys; };\n"
                           "double total(const double *v, int n) { double s = 0; for (int i = 0; i < n; i++) s += v[i]; return s; }\n"
                           "int first(const int *v, int n) { for (int i = 0; i < n; i++) if (v[i] > 7) return i; return n; }\n"
                           "int halve(const int *v, int n) { int a = 0; while (n - a > 1) { int m = (a + n) / 2; if (v[m] > 7) n = m; else a = m; }"
                           " return a; }\n"
                           "int index(Table &t, int k) { auto at = t.keys.find(k); return at == t.keys.end() ? 0 : at->second; }\n"
                           "int place(Table &t, int k) { return *std::lower_bound(t.order.begin(), t.order.end(), k); }\n"
                           "void add(Table &t, int k) { t.order.push_back(k); t.n++; }\n"
                           "double cell(const double *v, int n, int i) { if (i < n) return v[i] * v[i]; return total(v, n); }\n"
                           "double way(const double *v, int n, int i) { return i < n ? v[i] : total(v, n); }\n"
                           "double both(const double *v, int n, int i) { return i < n ? total(v, i) : total(v, n); }\n"
                           "template <typename T> T &entry(std::vector<T> &v, T key) {\n"
                           "  const auto begin = v.begin(), end = v.end(); return v[std::lower_bound(begin, end, key) - begin]; }\n"
                           "template <typename T> T copied(const std::vector<T> &v, int i) { auto all = v; return all[i]; }\n"
                           "template <typename T> T listed(const std::vector<T> &v, int i) { std::vector all(v.begin(), v.end()); return all[i]; }\n"
                           "void work(Table &t, double *v, int *w, int n) {\n"
                           "  for (int i = 0; i < n; i++) { v[i] = total(v, n) + cell(v, n, i) + way(v, n, i) + both(v, n, i);\n"
                           "    w[i] = first(w, n) + halve(w, n) + index(t, i) + place(t, i) + entry(t.order, i); add(t, i);\n"
                           "    w[i] += copied(t.order, i) + listed(t.order, i); }\n"
                           "}\n"
                           "void step(Table &t, double *v, int n) { cell(v, n, 1); add(t, 1); }\n")
        left_out = {}
        for line in self.instrument("a.cc", "--explain", "--select", "default").stdout.splitlines()[1:]:
            name, _, decision = line.split(None, 2)
            left_out[name] = decision.split(" (")[0]
        loops, usual = "left out: short for the loops that call it", "left out: usually short"
        self.assertEqual(left_out, {"total": "instrumented", "first": loops, "halve": loops, "index": loops, "place": loops,
                                    "entry": loops, "copied": "instrumented",
                                    "listed": "instrumented", "add": loops, "cell": usual, "way": usual, "both": "instrumented",
                                    "work": "instrumented", "step": "instrumented"})

    def test_explains_searches_that_their_tests_end(self):
        """A part of a test that asks for data ends a loop as a `break` does; a bound, or a flag, does not."""
        tests = {"i < n && v[i] != x": True, "i < n && p[i].at": True, "i < n && p[i].next": False, "v[i] > x && i < n": True, "i < n && asks(v + i)": True,
                 "i < n && i < x": False, "i < n": False, "i < n && more": False, "i < n && x > 2 * i + 1": False, "i < n && i < *v": False,
                 "v[i] != x": False, "i < n && far(i * 0.5) < 4": False, "i < n && far(v[i]) < 4": True, "i < n && !p->failed": False,
                 "p->at++ < p->end && more": False, "*v < n && more": False, "p && p->next && (p = p->next)": False,
                 "p && p->at != x && (p = p->next)": True}
        for test, search in tests.items():
            for loop in ("for (; %s; i++)", "while (%s)"):
                self.write("a.c", "struct place { struct place *next; int at, end, failed; };\n"
                                  "static int asks(const int *v) { return *v > 3; }\nstatic double far(double x) { return x * x; }\n"
                                  "int find(const int *v, struct place *p, int n, int x) { int i = 0, more = n > 9, at = 0; (void)p;\n"
                                  "  %s { at += v[i] * 3 + v[i + 1] * 5 - x * v[i + 2] + v[i + 3]; %s } return at; }\n"
                                  "int all(int *v, struct place *p, int n) { int s = 0;\n"
                                  "  for (int k = 0; k < n; k++) s += find(v, p, n, k); return s; }\n"
                           % (loop % test, "" if "++" in loop else "i++;"))
                with self.subTest(test=test, loop=loop):
                    explained = self.instrument("a.c", "--explain", "--select", "default").stdout
                    found = "short for the loops that call it" in next(
                        line for line in explained.splitlines() if line.startswith("find"))
                    self.assertEqual(found, search, explained)

    def test_explains_calls_through_pointers_in_loops(self):
        """Such a call is known work where the file makes pointers to short functions of that type, if a loop makes it."""
        text = ("struct op { double (*at)(const double *, int); };\n"
                "static double one(const double *v, int i) { double s = 0; for (int d = 0; d < 20; d++) s += v[i + d] * v[i - d] + d; return s; }\n"
                "%s"
                "static const struct op table = {%s};\n"
                "static double point(const struct op *o, const double *v, int i) { return v[i] - o->at(v, i) * o->at(v, i + 1); }\n"
                "double sum(const struct op *o, const double *v, int n) { double s = 0; for (int i = 0; i < n; i++) s += point(o, v, i); return s; }\n"
                "const struct op *get(void) { return &table; }\n"
                "double once(const struct op *o, const double *v) { return o->at(v, 1) + o->at(v, 2); }\n")
        long = "static double all(const double *v, int n) { double s = 0; for (int i = 0; i < n; i++) s += v[i]; return s; }\n"
        of_another_type = "static double other(const double *v, long i) { return v[i]; }\ndouble (*const far)(const double *, long) = other;\n"
        for functions, pointers, known in (("", "one", True), (long, "one", True), (long, "all", False), (of_another_type, "0", False),
                                           ("double elsewhere(const double *, int);\n", "elsewhere", False)):
            self.write("a.c", text % (functions, pointers))
            with self.subTest(functions=functions, pointers=pointers):
                explained = self.instrument("a.c", "--explain", "--select", "default").stdout
                decisions = dict((line.split()[0], line) for line in explained.splitlines())
                for name in ("one", "point") if pointers == "one" else ("point",):
                    self.assertEqual("short for the loops that call it" in decisions[name], known, explained)
                self.assertIn("  instrumented", decisions["once"])
                self.assertIn("  instrumented", decisions["sum"])

    def test_explains_lambdas_that_only_forward(self):
        self.write("a.cc", "#include <algorithm>\n#include <vector>\n"
                           "double total(const std::vector<double> &v) { double s = 0; for (double x : v) s += x; return s; }\n"
                           "template <typename F> void each(int n, F f) { for (int i = 0; i < n; i++) f(i); }\n"
                           "void work(std::vector<double> &v, int n) {\n"
                           "  each(n, [&](int) {\n"
                           "    total(v); });\n"
                           "  each(n, [&](int) {\n"
                           "    std::sort(v.begin(), v.end()); });\n"
                           "  each(n, [&](int) {\n"
                           "    total(v); total(v); });\n"
                           "}\n")
        rows = self.instrument("a.cc", "--explain", "--select", "default").stdout
        for line, forwards in ((6, True), (8, False), (10, False)):
            decision = re.search(r"^work::\{lambda:%d\} +\d+  (.*)" % line, rows, re.M)[1]
            self.assertEqual(decision, "left out: only forwards to a function with a probe (1 operation)" if forwards else "instrumented", rows)

    def test_explains_loops_over_the_digits_of_a_number(self):
        """A number from which each iteration takes a digit has none left after 64 of them, if nothing puts some in."""
        bodies = {"r = r * 4 + (x & 3); x >>= 2;": True, "v[i] = x % 10; x /= 10;": True, "r += x & 1, x >>= 1;": False, "r += x >> 2;": False,
                  "r += x & 1; x >>= 1; if (r) x ^= 0xb400;": False, "x /= 1; r++;": False, "x >>= i; r++;": False,
                  "if (v[i]) x >>= 1;": False, "unsigned long y = v[i]; y >>= 1; r += y;": False, "x >>= 1; r += next(&x);": False,
                  "if (v[i]) continue; x >>= 1; r++;": False, "kept >>= 1; r += kept & 1;": False}
        for body, digits in bodies.items():
            self.write("a.c", "static unsigned long kept;\nstatic int next(unsigned long *x) { return (int)++*x; }\n"
                              "unsigned long f(int *v, int n, unsigned long x) { unsigned long r = 0; (void)next;\n"
                              "  for (int i = 0; i < n; i++) { %s } return r; }\n"
                              "unsigned long all(int *v, int n) { unsigned long s = 0; for (int k = 0; k < n; k++) s += f(v, n, s); return s; }\n" % body)
            with self.subTest(body=body):
                explained = self.instrument("a.c", "--explain", "--select", "default").stdout
                found = "short for the loops that call it" in next(line for line in explained.splitlines() if line.startswith("f "))
                self.assertEqual(found, digits, explained)
        # In C++ references give a number away, and may be one.
        text = ("static int refill(unsigned& x) { x = 7; return 1; }\n"
                "int f(int *v, int n, unsigned x, unsigned %sy) { int r = 0; for (int i = 0; i < n; i++) { r += %s; %s >>= 1; } return r; }\n"
                "int all(int *v, int n) { unsigned s = 0, t = 9; for (int k = 0; k < n; k++) s += f(v, n, s, t); return s; }\n")
        for values, digits in (("", "x & 1", "x"), True), (("", "refill(x)", "x"), False), (("", "y & 1", "y"), True), (("&", "y & 1", "y"), False):
            self.write("a.cc", text % values)
            with self.subTest(values=values):
                explained = self.instrument("a.cc", "--explain", "--select", "default").stdout
                found = "short for the loops that call it" in next(line for line in explained.splitlines() if line.startswith("f "))
                self.assertEqual(found, digits, explained)

    def test_explains_what_templates_leave_open(self):
        """Members of class templates are what their text says, and so is a parameter's default."""
        grid = ("template <class T> struct Grid { T *v; int n; T &operator()(int i, int j) { return v[at(i, j)]; }\n"
                "  const T &operator()(int i, int j) const { return v[at(i, j)]; } int at(int i, int j) const { return i * n + j; }\n"
                "  T sum() const { T s = 0; for (int i = 0; i < n; i++) s += v[i]; return s; } virtual T open(int i); };\n"
                "template <class K> struct Mix { int operator()(K k) const { return k * 7 >> 3; } };\n"
                "template <class K> struct Slow { int operator()(K k) const { int s = 0; for (int i = 0; i < k; i++) s += i; return s; } };\n"
                "struct V { double x, y; }; V operator+(V a, V b) { return {a.x + b.x, a.y + b.y}; }\n")
        known = {"template <class T> T f(const Grid<T> &g, int i) { T a = g(i, 1) - g(i, 2); return a * a; }": True,
                 "template <class T> T f(Grid<T> &g, int i) { T a = g(i, 1) + g(i, 2); return a; }": True,
                 "template <class T> T f(const Grid<T> &g, int i) { T a = g.sum() - g(i, 2); return a * a; }": False,
                 "template <class T> T f(Grid<T> &g, int i) { T a = g.open(i); return a * a; }": False,
                 "template <class T, class H = Mix<T>> T f(const T &g, int) { T a = H{}(g); return a * a; }": True,
                 "template <class T, class H = std::hash<T>> T f(const T &g, int) { T a = H{}(g); return a * a; }": True,
                 "template <class T, class H = Slow<T>> T f(const T &g, int) { T a = H{}(g); return a * a; }": False,
                 "template <class T, class H = Mix<T>> T f(const T &g, H h) { T a = h(g); return a * a; }": False,
                 "template <class T, class H> T f(const T &g, H h) { T a = h(g); return a * a; }": False}
        for text, small in known.items():
            with self.subTest(text):
                self.write("a.cc", "#include <functional>\n" + grid + text + "\n")
                explained = self.instrument("a.cc", "--explain", "--select", "default").stdout
                self.assertEqual(re.search(r"^f +\d+  left out: small", explained, re.M) is not None, small, explained)

    def test_explains_what_only_hands_on_in_a_loop(self):
        self.write("far.h", "void far_send(const void *, int, int);\nint far_rank(void);\nvoid dgemm_(double *, int *);\n")
        self.write("a.c", '#include <stdio.h>\n#include "far.h"\nvoid (*handler)(int);\n'
                          "void send(long v, int from) { int m[2] = {(int)v / 2, from}; far_send(m, sizeof m, v % 2); }\n"
                          "void twice(long v) { far_send(&v, sizeof v, far_rank()); }\n"
                          "void print(long v) { printf(\"%ld\", v); }\n"
                          "void hand(long v) { handler(v); }\n"
                          "void multiply(double *v, int n) { dgemm_(v, &n); }\n"
                          "void seldom(long v) { far_send(&v, 8, 0); }\n"
                          "void whole(double *v, int n) { seldom(n);\n"
                          "  for (int i = 0; i < n; i++) { send(i, n); twice(i); print(i); hand(i); multiply(v, i); } }\n")
        decisions = {line.split()[0]: line.split(None, 2)[2].split("; ")[0]
                     for line in self.instrument("a.c", "--explain", "--select", "default").stdout.splitlines()[1:]}
        self.assertEqual(decisions.pop("send"),
                         "left out: only hands on to a function that tells the same time, in a loop (4 operations)")
        self.assertEqual(set(decisions.values()), {"instrumented"}, decisions)

    def test_a_branch_that_ends_the_program_is_no_work(self):
        """With MPI_Abort, which is not declared as never returning, and with what is said before."""
        small = "left out: small ("
        ends = {"MPI_Abort(0, 1);": small, 'fprintf(stderr, "%d\\n", i); MPI_Abort(0, 1);': small,
                'fprintf(stderr, "%d\\n", i); fflush(stderr); exit(1);': small, "exit(1);": small,
                'fprintf(stderr, "%d\\n", i); return 0;': "instrumented", "MPI_Barrier(0); exit(1);": "instrumented",
                "for (int k = 0; k < i; k++) v[k] = 0; exit(1);": "instrumented"}
        for end, decision in ends.items():
            for text in ("if (i > 9) { %s } return v[i];", "if (i <= 9) return v[i]; else { %s }"):
                self.write("a.c", "#include <stdio.h>\n#include <stdlib.h>\nint MPI_Abort(int, int); int MPI_Barrier(int);\n"
                                  "int at(int *v, int i) { " + text % end + " }\n")
                with self.subTest(end, text=text):
                    explained = self.instrument("a.c", "--explain", "--select", "default").stdout.splitlines()[1]
                    self.assertTrue(explained.split(None, 2)[2].startswith(decision), explained)
        self.write("a.c", "int MPI_Abort(int, int);\nvoid work(int *);\nvoid one(int *v) { work(v); MPI_Abort(0, 1); }\n")
        self.assertRegex(self.instrument("a.c", "--explain", "--select", "default").stdout, r"one +3  instrumented")

    def test_explains_the_share_of_what_is_left_out(self):
        # Expected operations of a visit. fixed: 1 (int i = 0) + 100 x 5 (<, ++, [], =, call); in square 100 x 1 (*).
        # open: 1 + 8 x 5 as its length is unknown; in square 8. nested: 1 + 8 x (2 + 1 + 8 x 5) = 345; in square 64.
        self.write("a.c", "#include <stdlib.h>\n"
                          "static int square(int a) { return a * a; }\n"
                          "void fixed(int *v) { for (int i = 0; i < 100; i++) v[i] = square(i); }\n"
                          "void open(int *v, int n) { for (int i = 0; i < n; i++) v[i] = square(i); }\n"
                          "void nested(int *v, int n) { for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) v[j] = square(j); }\n"
                          "int *memory(int n) { int *v = malloc(n); *v = square(n); return v; }\n")
        square = "left out: small (1 operation, no loops, no calls)"
        table = ("function   line  decision\n"
                 "square        2  %s; %s\n"
                 "fixed         3  instrumented\n"
                 "open          4  instrumented\n"
                 "nested        5  instrumented\n"
                 "memory        6  instrumented\n")
        # memory: 1 of 6 (2 x =, *, 2 calls); fixed: 100 of 601; open: 8 of 49; nested: 64 of 409
        self.expect(self.instrument("a.c", "--explain", "--select", "default"), 0,
                    table % (square, "about 17 % of memory, 17 % of fixed and of 2 more, not counting libraries"), "")
        self.write("sel", "exclude fixed\nexclude memory\nexclude nested\n")
        self.assertIn(square + "; about 16 % of open\n", self.instrument("a.c", "--explain", "--select", "sel").stdout)
        self.write("sel", "exclude open\nexclude memory\nexclude fixed\n")
        self.assertIn(square + "; about 16 % of nested\n", self.instrument("a.c", "--explain", "--select", "sel").stdout)

    def test_no_share_of_functions_that_wait_in_libraries(self):
        waits = {"std::thread other(tiny); other.join();": True,
                 "std::this_thread::sleep_for(std::chrono::seconds(1));": True,
                 "std::unique_lock lock(mutex); changed.wait(lock);": True,
                 "result.get();": True,
                 "nanosleep(&second, nullptr);": True,
                 "std::string text = std::to_string(sink);": False}  # takes an unknown time, but does not wait
        for call, waiting in waits.items():
            self.write("a.cc", "#include <condition_variable>\n#include <future>\n#include <string>\n"
                               "#include <thread>\n#include <time.h>\n"
                               "int sink;\nstd::mutex mutex;\nstd::condition_variable changed;\n"
                               "std::future<int> result;\nstruct timespec second;\n"
                               "static void tiny() { sink = 1; }\n"
                               "void caller() { tiny(); %s for (int i = 0; i < 10; i++) tiny(); }\n" % call)
            with self.subTest(call):
                explained = self.instrument("a.cc", "--explain", "--select", "default").stdout
                line = next(line for line in explained.splitlines() if line.startswith("tiny"))
                self.assertEqual("; about " in line, not waiting, line)

    def test_names_in_notes(self):
        """What would end a string of the assembler or a field of a note."""
        self.write('a "b"\\{c}.cc', "static int one(int a) { return a * 3; }\n"
                   "int all(int *v, int n) { auto twice = [](int a) { return one(a) * 2; };\n"
                   "  for (int i = 0; i < n; i++) v[i] = twice(i); return 0; }\n"
                   "int main() { int v[3]; return all(v, 3); }\n")
        self.expect(self.instrument('a "b"\\{c}.cc', "--select", "default", "-o", "b.cc"), 0, "", "")
        self.assertEqual(self.run_here("g++", "-std=c++17", "-Wall", "-Wextra", "-pedantic", "-Werror", "b.cc", "-o", "b").stderr, "")
        notes = self.run_here("readelf", "-p", ".andes.left_out", "b").stdout
        self.assertIn('one^Ia "b"\\{c}.cc^I1^I', notes)
        self.assertIn('all::{lambda:2}^Ia "b"\\{c}.cc^I2^I', notes)

    def test_options_of_a_build(self):
        self.write("a.c", "int f(void) { return 3; }\n")
        self.write("build.info", "select only.sel\n")
        self.write("only.sel", "include f\n")
        small = "function   line  decision\nf             1  left out: small (0 operations, no loops, no calls)\n"
        probed = "function   line  decision\nf             1  instrumented\n"
        for words, env, result in [
                ([], {}, (0, small, "")),
                ([], {"ANDES_SELECT": "all"}, (0, probed, "")),
                ([], {"ANDES_BUILD": os.path.join(self.dir, "build.info")}, (0, probed, "")),
                (["--config", "build.info"], {"ANDES_SELECT": "default"}, (0, small, "")),
                (["--hooks", "--loops=outer"], {}, (0, small, "")),
                (["--hooks=perhaps"], {}, (2, "", "andes: --hooks: \"perhaps\" is not allowed; give off or on\n")),
                ([], {"ANDES_HEADER": "all"}, (2, "", "andes: ANDES_HEADER: unknown setting; did you mean ANDES_HEADERS? "
                                                      "(configs/build.info lists all)\n"))]:
            with self.subTest(words=words, env=env):
                self.expect(self.run_here(PREPROCESS, "instrument", "a.c", "--explain", *words, env=env), *result)

    def test_explains_what_only_the_compiler_sees(self):
        self.write("a.c", "#ifdef __GNUC_STDC_INLINE__\nint both(int a) { return a; }\n#endif\n"
                          "#if __GNUC__ > 11 && !defined(__clang__)\nint new_gcc(int a)\n{\n  return a;\n}\n#endif\n"
                          "int main(void) { return both(0); }\n")
        self.expect(self.instrument("a.c", "--explain", "--", "gcc", "-O2", "-MD", "-c", "-o", "a.o"), 0,
                    "function   line  decision\n"
                    "both          2  instrumented\n"
                    "main         10  instrumented\n"
                    "new_gcc       5  left out: not seen by Clang, only by the compiler\n", "")
        self.assertEqual(sorted(os.listdir(self.dir)), ["a.c"])
        self.assertNotIn("new_gcc", self.instrument("a.c", "--explain", "--", "clang-19").stdout)

    def test_writes_to_what_a_link_leads_to(self):
        self.write("a.c", "int main(void) { return 0; }\n")
        os.symlink("/dev/null", os.path.join(self.dir, "nowhere"))
        os.symlink("real.c", os.path.join(self.dir, "link.c"))
        for out in ("nowhere", "link.c"):
            self.expect(self.instrument("a.c", "-o", out), 0, "", "")
            self.assertTrue(os.path.islink(os.path.join(self.dir, out)))
        with open(os.path.join(self.dir, "real.c")) as written:
            self.assertIn("main", written.read())

    def test_explains_headers_that_are_the_programs_own_alone(self):
        gcc_only = "#if __GNUC__ > 11 && !defined(__clang__)\nint %s(void)\n{\n  return 1;\n}\n#endif\n"
        os.makedirs(os.path.join(self.dir, "external", "solver", "third_party"))
        self.write("external/solver/own.h", gcc_only % "own")
        self.write("external/solver/third_party/other.h", gcc_only % "other")
        self.write("external/solver/a.c", '#include "own.h"\n#include "third_party/other.h"\n'
                                          "int main(void) { return 0; }\n")
        for headers, names in [("none", ["main"]), ("own", ["main", "own"]), ("all", ["main", "own", "other"])]:
            with self.subTest(headers=headers):
                rows = self.instrument("external/solver/a.c", "--explain", "--headers", headers, "--", "gcc").stdout
                self.assertEqual(sorted(row.split()[0] for row in rows.splitlines()[1:]), sorted(names), rows)

    def test_explains_a_source_that_clang_cannot_read(self):
        self.write("n.c", "int outer(int a)\n{\n  int inner(int b) { return a + b; }\n  return inner(2);\n}\n"
                          "int main(void) { return outer(1); }\n")
        self.expect(self.instrument("n.c", "--explain", "--", "gcc"), 0,
                    "function   line  decision\n" + "".join(
                        f"{name:<8} {line:>6}  left out: not seen by Clang: n.c:3: function definition is not allowed "
                        "here\n" for name, line in [("outer", 1), ("inner", 3), ("main", 6)]), "")
        done = self.instrument("n.c", "--explain", "-o", "m.c", "--", "gcc")
        self.assertEqual((done.returncode, os.path.exists(os.path.join(self.dir, "m.c"))), (2, False))

    def test_explains_functions_of_own_headers(self):
        self.write("a.cc", '#include "lib/a.h"\n#include <vector>\nint main() { return Grid(3).loop(); }\n')
        self.write("lib/a.h", "struct Grid {\n  explicit Grid(int n) : n_(n) {}\n"
                              "  int loop() const { int s = 0; for (int i = 0; i < n_; ++i) s += i; return s; }\n"
                              "  int n_;\n};\n")
        words = ("instrument", "a.cc", "--explain", "--select", "default")
        self.expect(self.run_here(PREPROCESS, *words), 0,
                    "function         line  decision\n"
                    "main                3  instrumented\n"
                    "Grid::Grid  lib/a.h:2  left out: small (1 operation, no loops, no calls); about 33 % of main\n"
                    "Grid::loop  lib/a.h:3  instrumented\n", "")
        self.assertNotIn("Grid", self.run_here(PREPROCESS, *words, "--headers", "none").stdout)

    def test_selects_by_mangled_names_and_parameters(self):
        self.write("a.cc", "struct Grid { Grid(); void step(int); };\nGrid::Grid() {}\nvoid Grid::step(int) {}\n"
                           "template <class T> T twice(T a) { return a + a; }\nint f(int a) { return twice(a); }\n")
        for rules, out in [("exclude mangled _ZN4Grid*\n", {"Grid::Grid", "Grid::step"}),
                           ("exclude mangled _ZN4GridC1Ev\n", {"Grid::Grid"}),
                           ("exclude mangled *\n", {"Grid::Grid", "Grid::step", "f"}),
                           ("SCOREP_REGION_NAMES_BEGIN\nEXCLUDE *\nINCLUDE MANGLED _Z1fi\nSCOREP_REGION_NAMES_END\n",
                            {"Grid::Grid", "Grid::step", "twice"}),
                           ("exclude f(int)\nexclude Grid::step(double)\n", {"f"}),
                           ("exclude file */a.cc\n", {"Grid::Grid", "Grid::step", "f", "twice"})]:
            with self.subTest(rules=rules):
                self.write("sel", "include *\n" + rules)
                done = self.instrument("a.cc", "--explain", "--select", "sel")
                self.assertEqual({line.split()[0] for line in done.stdout.splitlines() if "not selected" in line}, out)

    def test_an_explanation_is_printed_wherever_the_text_goes(self):
        self.write("a.c", "int f(void) { return 3; }\n")
        table = "function   line  decision\nf             1  instrumented\n"
        self.expect(self.instrument("a.c", "--explain", "-o", "/dev/null"), 0, table, "")
        self.expect(self.instrument("a.c", "--explain", "-o", "-"), 0, table, "")
        self.expect(self.instrument("a.c", "--explain", "-o", "b.c"), 0, table, "")
        self.assertIn("ANDES_SITE", self.read("b.c"))

    def test_only_explaining_needs_debug_information(self):
        """libdw is opened by --explain alone: every compiler of a build waits for what andes-preprocess is linked with."""
        linked = subprocess.run(["ldd", PREPROCESS], capture_output=True, text=True, check=True).stdout
        self.assertNotIn("libdw", linked)
        self.write("a.c", "int f(int n) { return n; }\n")
        incomplete = os.path.join(self.dir, "andes", "libexec", "andes")
        os.makedirs(incomplete)
        copy = shutil.copy(PREPROCESS, incomplete)
        done = self.run_here(copy, "instrument", "a.c", "--explain")
        self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (2, "", 1), done.stderr)
        self.assertIn("andes_debug_info.so", done.stderr)

    def test_nothing_to_instrument_is_the_text_itself(self):
        self.write("a.c", "int x;\r\n")
        done = self.instrument("a.c", "-o", "b.c")
        self.assertEqual((done.returncode, self.read("b.c")), (0, "int x;\r\n"))

    def test_bad_input(self):
        self.write("a.c", "int f(void) { return undeclared; }\n")
        self.write("ok.c", "int f(void) { return 1; }\n")
        os.mkdir(os.path.join(self.dir, "d.c"))
        for words, message in [
                (["none.c"], "none.c: cannot be read (No such file or directory); name a source file"),
                (["d.c"], "d.c: cannot be read (Is a directory); name a source file"),
                (["x.txt"], "x.txt: its name is not that of a C or C++ source; give it an extension such as .c or .cc"),
                (["x.f90"], "x.f90: Fortran gets its probes in the compiler, there is no text to show; write --explain "
                            "alone for the decisions"),
                (["a.c"], "a.c: Clang cannot read it (a.c:1: use of undeclared identifier 'undeclared'); give "
                          "its compile flags after --"),
                (["ok.c", "-o", "no/b.c"], "no/b.c: cannot be written (No such file or directory); choose another place "
                                           "with -o"),
                (["ok.c", "-o", "./ok.c"], "./ok.c: is the source itself; give another name to -o"),
                (["ok.c", "--", "nosuchcc", "-O2"], "nosuchcc: no such compiler; give its name or full path, or flags "
                                                    "only"),
                ([], "instrument: FILE is required; see andes instrument --help")]:
            with self.subTest(words=words):
                self.expect(self.instrument(*words), 2, "", f"andes: {message}\n")
        self.assertEqual(sorted(os.listdir(self.dir)), ["a.c", "d.c", "ok.c"])

    def test_a_failed_write_leaves_the_old_file(self):
        self.write("a.c", "int f(void) { return undeclared; }\n")
        self.write("b.c", "old")
        self.instrument("a.c", "-o", "b.c")
        self.assertEqual(self.read("b.c"), "old")


if __name__ == "__main__":
    unittest.main()
