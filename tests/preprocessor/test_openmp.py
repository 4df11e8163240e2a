"""OpenMP programs (openmp/): compiled with probes around every construct they print what they print
without, with the monitor and without it, and no compiler says a word. Each is tried with one compiler and
one level of optimisation; with OPENMP_ALL=1 with all. The corpus (test_corpus.py) holds the decisions."""
import glob
import os
import re
import shutil
import sqlite3
import unittest
from concurrent.futures import ThreadPoolExecutor

from support import PREPROCESS, InDirectory, have, run

ANDES = os.environ["BLOCKS_ANDES"]
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


class OpenMP(InDirectory):
    maxDiff = None

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
