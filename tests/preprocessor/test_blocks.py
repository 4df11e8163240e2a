"""Loops and marked blocks: what a run counts of them, which words choose them, what is said of marks
that are wrong. The corpus (test_corpus.py) holds the cases of syntax."""
import os
import unittest

from support.build import ANDES, PREPROCESS
from support.preprocessor import InDirectory, run
from support.run_file import RunFile

STEPS = r"""
#include <setjmp.h>
#include <stdlib.h>
static volatile double sink;
static jmp_buf out;
static void work(int n) {
  for (int i = 0; i < n; i++)   /* line 7 */
    for (int j = 0; j < n; j++) /* line 8 */
      sink += i * j;
}
static __attribute__((noinline)) int leaves(int how) {
  for (int i = 0;; i++) { /* line 12 */
    if (i == 3 && how == 0) return 1;
    if (i == 3 && how == 1) break;
    if (i == 3 && how == 2) goto done;
    if (i == 3 && how == 3) longjmp(out, 1);
    if (i < 3) continue;
  }
done:
  work(2);
  return 0;
}
static void catches(int how) {
  if (setjmp(out) == 0) leaves(how);
  else work(2);
}
int main(void) {
  for (int step = 0; step < 7; step++) { /* line 28 */
#pragma andes phase "step"
    {
      work(5);
      if (step == 2) continue;
#pragma andes region "tail"
      work(3);
    }
  }
  for (int how = 0; how < 4; how++) catches(how); /* line 37 */
#pragma andes region "last"
  exit(0);
}
"""

EXCEPTIONS = r"""
#include <stdexcept>
#include <vector>
static volatile int sink;
static void work() { for (int i = 0; i < sink + 9; ++i) sink = 0; } // line 5
template <class T> int search(const std::vector<T>& all, T what) {
  for (const T& one : all) // line 7
    if (one == what) throw std::runtime_error("found");
  return 0;
}
int main() {
#pragma andes phase "try"
  for (int i = 0; i < 6; ++i) {
    try {
      search(std::vector<int>{1, 2, 3}, i);
    } catch (const std::runtime_error&) {
      work();
    }
  }
  const auto again = [](int n) { while (n > 0) --n; work(); }; // line 20
  again(4);
}
"""


class Blocks(InDirectory):
    maxDiff = None

    def counted(self, name, text, *words):
        """{call path: (kind, visits)} of a run of the program, without the monitor's own rows."""
        self.write(name, text)
        compiler = "gcc" if name.endswith(".c") else "g++"
        done = self.cc(*words, compiler, "-O2", "-Wall", "-Werror", name, "-o", "program")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        env = {"ANDES_OUT": os.path.join(self.dir, "run.andes"), "ANDES_BUDGET_PERCENT": "0"}
        done = self.run_here(ANDES, "exec", "./program", env=env)
        self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)
        measured = RunFile(env["ANDES_OUT"])
        return {measured.path(callpath): (measured.kind(callpath), measured.sum_of("visits", callpath))
                for callpath in measured.callpaths if measured.kind(callpath) in ("function", "loop", "block", "phase")}

    def test_visits(self):
        leaving = "main/main::{loop:37}/catches/"
        self.assertEqual(self.counted("steps.c", STEPS, "--loops", "all"), {
            "main": ("function", 1),
            "main/main::{loop:28}": ("loop", 1),
            "main/main::{loop:28}/step": ("phase", 7),
            "main/main::{loop:28}/step/work": ("function", 7),
            "main/main::{loop:28}/step/work/work::{loop:7}": ("loop", 7),
            "main/main::{loop:28}/step/work/work::{loop:7}/work::{loop:8}": ("loop", 35),
            "main/main::{loop:28}/step/tail": ("block", 6),
            "main/main::{loop:28}/step/tail/work": ("function", 6),
            "main/main::{loop:28}/step/tail/work/work::{loop:7}": ("loop", 6),
            "main/main::{loop:28}/step/tail/work/work::{loop:7}/work::{loop:8}": ("loop", 18),
            "main/main::{loop:37}": ("loop", 1),
            "main/main::{loop:37}/catches": ("function", 4),
            leaving + "leaves": ("function", 4),
            leaving + "leaves/leaves::{loop:12}": ("loop", 4),
            leaving + "leaves/work": ("function", 2),
            leaving + "leaves/work/work::{loop:7}": ("loop", 2),
            leaving + "leaves/work/work::{loop:7}/work::{loop:8}": ("loop", 4),
            leaving + "work": ("function", 1),
            leaving + "work/work::{loop:7}": ("loop", 1),
            leaving + "work/work::{loop:7}/work::{loop:8}": ("loop", 2),
            "main/last": ("block", 1),
        })

    def test_without_loops_the_marks_alone(self):
        found = self.counted("steps.c", STEPS)
        self.assertEqual({path: row for path, row in found.items() if row[0] != "function"},
                         {"main/step": ("phase", 7), "main/step/tail": ("block", 6),
                          "main/last": ("block", 1)})

    def test_exceptions_and_lambdas(self):
        found = self.counted("exceptions.cc", EXCEPTIONS, "--loops", "outer")
        self.assertEqual(found, {
            "main": ("function", 1),
            "main/try": ("phase", 1),
            "main/try/search": ("function", 6),
            "main/try/search/search::{loop:7}": ("loop", 6),
            "main/try/work": ("function", 3),
            "main/try/work/work::{loop:5}": ("loop", 3),
            "main/main::{lambda:20}": ("function", 1),
            "main/main::{lambda:20}/main::{lambda:20}::{loop:20}": ("loop", 1),
            "main/main::{lambda:20}/work": ("function", 1),
            "main/main::{lambda:20}/work/work::{loop:5}": ("loop", 1),
        })

    def test_own_headers(self):
        """Loops and marks there count too, and a wrong mark is named by its own file."""
        self.write("grid.h", "static inline double sum(const double* all, int n) {\n  double s = 0;\n"
                             "  for (int i = 0; i < n; i++) s += all[i]; /* line 3 */\n"
                             '#pragma andes phase "scale"\n  s /= n;\n#pragma andes oops\n  return s;\n}\n')
        self.write("part.h", "for (int i = 0; i < 9; i++) all[i] = i;\n")
        self.write("a.c", '#include "grid.h"\nint main(int argc, char** argv) {\n  double all[9];\n'
                          '#include "part.h"\n  (void)argv;\n  return sum(all, 8 + argc) != 4;\n}\n')
        done = self.cc("--loops", "outer", "gcc", "-Wall", "-Werror", "a.c", "-o", "a")
        self.assertEqual((done.returncode, done.stderr), (0, "andes: grid.h:6: #pragma andes oops: no such "
                                                             'mark; write region "name" or phase "name"\n'))
        self.assertEqual(self.run_here("./a").returncode, 0)
        self.assertEqual(self.probes("a"), 5)  # two functions, two loops, a phase

    def explained(self, name, *words, **more):
        done = run(PREPROCESS, "instrument", *words, "--explain", name, cwd=self.dir,
                   env=dict(self.env, **more))
        self.assertEqual(done.returncode, 0, done.stderr)
        return {line[:line.index("  ")]: line.split("  ")[-1] for line in done.stdout.splitlines()[1:]}

    def test_selection(self):
        self.write("a.c", STEPS)
        self.assertNotIn("work::{loop:7}", self.explained("a.c"))
        self.assertEqual(self.explained("a.c", ANDES_LOOPS="outer")["work::{loop:7}"], "instrumented")
        self.write("rules", "exclude *\ninclude work\nexclude *{loop:8}\ninclude st?p\n")
        rows = self.explained("a.c", "--loops", "all", "--select", "rules")
        self.assertEqual({name for name, decision in rows.items() if decision == "instrumented"},
                         {"work", "work::{loop:7}", "step"})
        self.assertEqual(rows["work::{loop:8}"], "left out: not selected")
        self.assertEqual(rows["tail"], "left out: not selected")

    def test_small_loops(self):
        self.write("a.c", "static double a[9];\nstatic double half(double x) { return x / 2; }\n"
                          "extern double far(double);\nvoid f(int n) {\n"
                          "  for (int i = 0; i < 9; ++i) a[i] = half(i);\n"  # 9 rounds
                          "  for (int i = 8; i >= 0; i -= 2) a[i] = 1;\n"    # 5 rounds
                          "  for (int i = 0; i < 900; ++i) a[i % 9] = i;\n"
                          "  for (int i = 0; i < n; ++i) a[i] = i;\n"
                          "  for (int i = 0; i < 3; ++i) a[i] = far(i);\n}\n")
        rows = self.explained("a.c", "--loops", "outer")
        self.assertRegex(rows["f::{loop:5}"], r"small \(9 iterations, \d+ operations in all\)")
        self.assertRegex(rows["f::{loop:6}"], r"small \(5 iterations, \d+ operations in all\)")
        for line in (7, 8, 9):
            self.assertEqual(rows["f::{loop:%d}" % line], "instrumented")
        rows = self.explained("a.c", "--loops", "outer", "--select", "all")
        self.assertEqual(rows["f::{loop:5}"], "instrumented")

    def test_wrong_marks(self):
        """Each is one line; the program is as without, and so are the compiler's own messages."""
        self.write("a.c", '#pragma andes region "file"\nstatic int f(int n) {\n#pragma andes regoin "x"\n'
                          "  n++;\n#pragma andes region\n  n++;\n#pragma andes phase \"x\" more\n  n++;\n"
                          '#pragma andes region ""\n  n++;\n#pragma andes region "late"\n}\n'
                          .replace('"late"\n}', '"late"\n#pragma andes\n  return n;\n'
                                   '#pragma andes phase "end"\n}') +
                          "int main(void) {\n#pragma andes region \"d\"\n  int x = f(2);\n  return x;\n}\n")
        remedy = 'write region "name" or phase "name"'
        nowhere = "no statement follows; put it before a statement inside a function"
        expected = [
            f'a.c:1: #pragma andes region "file": {nowhere}',
            f'a.c:3: #pragma andes regoin "x": no such mark; {remedy}',
            f"a.c:5: #pragma andes region: has no name in quotes; {remedy}",
            f'a.c:7: #pragma andes phase "x" more: something follows the name; {remedy}',
            f'a.c:9: #pragma andes region "": has no name in quotes; {remedy}',
            f"a.c:12: #pragma andes: no such mark; {remedy}",
            f'a.c:14: #pragma andes phase "end": {nowhere}',
            'a.c:17: #pragma andes region "d": stands before a declaration; put braces around the '
            "statements meant"]
        done = self.cc("gcc", "-Wall", "-Werror", "a.c", "-o", "a")
        self.assertEqual((done.returncode, done.stderr.splitlines()),
                         (0, ["andes: " + line for line in expected]))
        self.assertEqual(self.run_here("./a").returncode, 6)

    def test_marks_that_cannot_be_heeded(self):
        """The program is as without, and the marks are gone from what is compiled."""
        self.write("a.c", "\n".join([
            "constexpr int g(int n) {",
            '#pragma andes region "constant"',                                            # 2
            "  return n;", "}",
            "int main() {", "  int s = 0;", "  switch (s) {",
            '#pragma andes region "case"',                                                # 8
            "  case 0: s++;", "  }",
            '#pragma andes region "declaration"',                                         # 11
            "  int later = s;",
            "  s += __extension__ ({ later++;",
            '#pragma andes region "value"',                                               # 14
            "    later + 1; });",
            '#pragma andes region "jump"',                                                # 16
            "  { s++;", "inside: s++; }",
            "  if (s == 6) { s++; goto inside; }",
            "  return s + g(1);", "}", ""]))
        os.rename(os.path.join(self.dir, "a.c"), os.path.join(self.dir, "a.cc"))
        done = self.cc("g++", "-Wall", "-Werror", "a.cc", "-o", "a")
        self.assertEqual((done.returncode, done.stderr.splitlines()), (0, [
            'andes: a.cc:2: #pragma andes region "constant": its function: constexpr or consteval',
            'andes: a.cc:8: #pragma andes region "case": stands before a case label; put it behind the label',
            'andes: a.cc:11: #pragma andes region "declaration": stands before a declaration; put braces '
            "around the statements meant",
            'andes: a.cc:14: #pragma andes region "value": its statement is the value of a statement '
            "expression",
            'andes: a.cc:16: #pragma andes region "jump": jumped into from outside']))
        self.assertEqual(self.run_here("./a").returncode, 9)

    def test_a_mark_in_an_excluded_function_is_silent(self):
        self.write("a.c", 'int main(void) {\n#pragma andes region "x"\n  return 3;\n}\nint g(void) { return 1; }\n')
        self.write("rules", "exclude *\ninclude g\n")
        done = self.run_here(PREPROCESS, "cc", "--select", "rules", "gcc", "-Wall", "-Werror", "a.c",
                             "-o", "a")
        self.assertEqual((done.returncode, done.stderr), (0, ""))


if __name__ == "__main__":
    unittest.main()
