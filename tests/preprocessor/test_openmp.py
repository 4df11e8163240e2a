"""OpenMP programs (openmp/): compiled with probes around every construct they print what they print
without, with the monitor and without it, and no compiler says a word. Each is tried with one compiler and
one level of optimisation; with OPENMP_ALL=1 with all. The corpus (test_corpus.py) holds the decisions."""
import glob
import os
import re
import shutil
import unittest
from concurrent.futures import ThreadPoolExecutor

from support.build import ANDES, PREPROCESS
from support.preprocessor import InDirectory, have, run
from support.run_file import RunFile

PROGRAMS = sorted(glob.glob(os.path.join(os.path.dirname(os.path.abspath(__file__)), "openmp", "*.c*")))
THREADS = {"OMP_NUM_THREADS": "4", "OMP_DYNAMIC": "false", "OMP_CANCELLATION": "true",
           "OMP_WAIT_POLICY": "passive", "KMP_BLOCKTIME": "0"}
COMPILERS = {".c": ["gcc", "clang-19"], ".cc": ["g++", "clang++-19"]}
FLAGS = {".c": ["-std=c11", "-Wstrict-prototypes"], ".cc": ["-std=c++17"]}
WARNINGS = ["-Wall", "-Wextra", "-Wshadow", "-Wpedantic", "-Werror"]
CONSTRUCT = re.compile(r"^\s*#\s*pragma\s+omp\s+(?:parallel|for|sections?|single|master|task|taskloop|taskgroup|"
                       r"critical|barrier|taskwait)\b(?!.*\buntied\b)", re.M)


def combinations():
    """(program, compiler, optimisation)"""
    for number, program in enumerate(PROGRAMS):
        pairs = [(compiler, level) for compiler in COMPILERS[os.path.splitext(program)[1]]
                 for level in ("-O0", "-O2") if have(compiler)]
        for pair in pairs if os.environ.get("OPENMP_ALL") else [pairs[number % len(pairs)]]:
            yield (program, *pair)

# Four threads; what each region is visited, in all of them together, by hand.
COUNTED = r"""
#include <stdio.h>
static int work(int n) { return n * n; }
int main(void) {
  int s = 0;
  for (int round = 0; round < 3; round++) {
#pragma omp parallel default(none) shared(s) num_threads(4)
    {
#pragma omp for
      for (int i = 0; i < 12; i++)
#pragma omp critical (sum)
        s += work(i);
#pragma omp barrier
#pragma omp sections
      {
        s++;
#pragma omp section
        s += 0;
      }
#pragma omp master
      s++;
#pragma omp single
      {
        for (int i = 0; i < 10; i++)
#pragma omp task default(none) shared(s) firstprivate(i)
        {
#pragma omp atomic
          s += i;
        }
#pragma omp taskwait
      }
    }
  }
  printf("%d\n", s);
  return 0;
}
"""
VISITS = {"main": 1, "parallel": 12, "for": 12, "critical (sum)": 36, "work": 36, "barrier": 12, "sections": 12,
          "section": 6, "master": 3, "single": 12, "task": 30, "taskwait": 3}


class OpenMP(InDirectory):
    maxDiff = None

    def test_visits(self):
        self.write("counted.c", COUNTED)
        for compiler in filter(have, COMPILERS[".c"]):
            with self.subTest(compiler=compiler):
                done = self.cc(compiler, "-O1", "-fopenmp", "counted.c", "-o", compiler)
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                file = os.path.join(self.dir, compiler + ".andes")
                done = self.run_here(ANDES, "exec", "./" + compiler,
                                     env=dict(THREADS, ANDES_OUT=file, ANDES_BUDGET_PERCENT="0"))
                self.assertEqual((done.returncode, done.stdout), (0, "1659\n"), done.stderr)
                measured = RunFile(file)
                found = measured.sums_by_region("visits")
                self.assertEqual({name: found.get(name) for name in VISITS}, VISITS)
                lines = {region["name"]: (region["file"], region["line"], region["kind"])
                         for region in measured.regions.values()}
                self.assertEqual((lines["parallel"], lines["task"]), (("counted.c", 7, "parallel"),
                                                                      ("counted.c", 25, "task")))

    def one(self, program, compiler, level):
        """What is wrong with the program built so; nothing: it is as it should be."""
        name = os.path.basename(program)
        where = os.path.join(self.dir, f"{name}-{compiler}{level}")
        os.mkdir(where)
        for file in (program, os.path.join(os.path.dirname(program), "orphan.h")):
            shutil.copy(file, where)
        env = dict(self.env, **THREADS)
        command = [compiler, *FLAGS[os.path.splitext(name)[1]], *WARNINGS, level, "-fopenmp", name, "-lm", "-o"]
        plain = run(*command, "plain", cwd=where, env=env)
        if (plain.returncode, plain.stdout + plain.stderr) != (0, ""):
            return "plain: " + plain.stderr
        probed = run(PREPROCESS, "cc", *command, "probed", cwd=where, env=env)
        if (probed.returncode, probed.stdout + probed.stderr) != (0, ""):
            return "with probes: " + probed.stderr
        with open(program) as file:
            constructs = len(CONSTRUCT.findall(file.read()))
        probes = self.probes(os.path.join(where, "probed"))
        if name != "target.c" and probes <= constructs:  # main has one besides
            return f"{probes} probes for {constructs} constructs"
        runs = [run(*words, cwd=where, env=dict(env, ANDES_OUT=os.path.join(where, "run.andes")))
                for words in (["./plain"], ["./probed"], [ANDES, "exec", "./probed"])]
        for how, done in zip(("without monitor", "with monitor"), runs[1:]):
            if (done.returncode, done.stdout, done.stderr) != (runs[0].returncode, runs[0].stdout, ""):
                return f"{how}: {runs[0]} but {done}"
        return None if os.path.exists(os.path.join(where, "run.andes")) else "no run file"

    def test_programs(self):
        self.assertGreaterEqual(len(PROGRAMS), 25)
        jobs = list(combinations())
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            wrong = list(pool.map(lambda job: self.one(*job), jobs))
        for job, problem in zip(jobs, wrong):
            with self.subTest(job=job):
                self.assertIsNone(problem)


if __name__ == "__main__":
    unittest.main()
