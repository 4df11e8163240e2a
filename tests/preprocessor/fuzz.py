"""Random programs with and without probes, by every compiler that is here: the same messages, the
same output, also under the monitor, and as many visits as the program itself counts: that shows a probe at the wrong
place, which no comparison of outputs does. A failure leaves the smallest file that shows it, and says how to see it
again. Behaviour stays defined: all is unsigned, calls with effects stand alone, loops and functions burn fuel.

  fuzz.py [--count N] [--seed S] [--keep DIR] [--language c|cc]"""
import argparse
import csv
import io
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

from disguise import disguise
from generator import HARNESS, Features, Program, cases_of, whole
from generator_cxx import HARNESS_CXX, ProgramCxx
from support.build import ANDES, PREPROCESS
from support.environment import without_settings

ENVIRONMENT = {**without_settings(), "LC_ALL": "C"}
C = ["c89", "gnu89", "c99", "gnu99", "c11", "gnu11", "c17", "gnu17", "c2x", "gnu2x"]
CXX = ["c++98", "gnu++98", "c++11", "gnu++11", "c++14", "gnu++14", "c++17", "gnu++17", "c++20", "gnu++20", "c++2b", "gnu++2b"]
OLD_CLANG = "clang++-14"  # cannot read libstdc++ 12 in C++20
# GCC is silent about indentation in a file that has #line.
QUIET = ["-Wno-misleading-indentation"]
CASES = {"c": 25, "cc": 12}  # in a file


class Trial:
    """A file and the compilation of it that is compared."""

    def __init__(self, seed, language, compilers):
        self.random = random.Random(f"{seed} {language}")
        self.seed, self.language = seed, language
        self.standard = self.random.choice(C if language == "c" else CXX)
        self.features = Features(self.standard)
        usable = [one for one in compilers[language] if one != OLD_CLANG or self.features.year < 2017]
        self.compiler = self.random.choice(usable)
        self.flags = [f"-std={self.standard}", self.random.choice(["-O0", "-O0", "-O1", "-O2", "-O3", "-Os"]), "-Wall", "-Wextra", *QUIET,
                      *self.random.choice([[], [], ["-fPIC"], ["-g"], ["-fno-inline"], ["-fomit-frame-pointer"]])]
        self.select = self.random.choice(["all", "all", "default"])
        self.in_header = self.random.random() < 0.5
        self.program = (Program if language == "c" else ProgramCxx)(seed, self.features)
        self.cases = cases_of(self.program, CASES[language])

    def write(self, cases, source):
        """The source and beside it, for some seeds, a header with half of the cases."""
        harness = HARNESS if self.language == "c" else HARNESS_CXX
        header = len(cases) // 2 if self.in_header else 0
        texts = whole(self.program, cases, harness, header)
        for path, text in zip((source, os.path.join(os.path.dirname(source), "cases.h")), texts):
            with open(path, "wb") as file:
                file.write(disguise(text, random.Random(self.seed), self.features))

    def command(self):
        return [self.compiler, *self.flags, "p." + self.language, "-o", "program", "-lm"]


def run(words, folder, **env):
    return subprocess.run(words, cwd=folder, env=dict(ENVIRONMENT, **env), capture_output=True, text=True,
                          errors="replace", timeout=900)


def messages(compiler, text):
    """Clang quotes the copy; what it says stands above."""
    if compiler.startswith("clang"):
        return re.findall(r"^(?:\S+:\d+:\d+:|andes:) .*$", text, re.M)
    return text.splitlines()


def difference(trial, cases, folder):
    """What tells the two builds of these cases apart; empty if nothing does."""
    trial.write(cases, os.path.join(folder, "p." + trial.language))
    plain = run(trial.command(), folder)
    if plain.returncode != 0:
        return "the generator wrote what does not compile:\n" + plain.stderr[:2000]
    expected = run(["./program", "seen"], folder)
    if expected.returncode != 0:
        return f"the program without probes ends with {expected.returncode}"
    ours = run([PREPROCESS, "cc", "--select", trial.select, *trial.command()], folder)
    if ours.returncode != 0:
        return f"the build fails:\n{ours.stderr[:2000]}"
    one, other = messages(trial.compiler, plain.stderr), messages(trial.compiler, ours.stderr)
    # Behind a trigraph GCC counts columns as if it were one character; a probe's padding does not.
    if one != other and "-Wtrigraphs" not in plain.stderr:
        extra, lost = [line for line in other if line not in one], [line for line in one if line not in other]
        return "other messages:\n" + "\n".join(["+ " + line for line in extra[:10]] + ["- " + line for line in lost[:10]])
    got = run(["./program", "seen"], folder)
    if (got.returncode, got.stdout) != (expected.returncode, expected.stdout):
        return f"another output, status {got.returncode}:\n" + first_difference(expected.stdout, got.stdout)
    out = os.path.join(folder, "run.andes")
    got = run([ANDES, "exec", "./program", "seen"], folder, ANDES_OUT=out)
    if (got.returncode, got.stdout) != (expected.returncode, expected.stdout):
        return f"another output under the monitor, status {got.returncode}:\n{got.stderr}" + first_difference(expected.stdout, got.stdout)
    try:
        return visits_differ(expected.stdout, run([ANDES, "show", "--csv", out], folder).stdout)
    finally:
        if os.path.exists(out):
            os.remove(out)


def first_difference(expected, got):
    for one, other in zip(expected.splitlines(), got.splitlines()):
        if one != other:
            return f"- {one}\n+ {other}"
    return f"{len(expected)} and {len(got)} bytes"


def visits_differ(output, table):
    counted = dict(re.findall(r"^seen (\S+) (\d+)$", output, re.M))
    measured = {}
    for row in csv.DictReader(io.StringIO(table)):
        if row["kind"] == "function":
            name = row["path"].split("/")[-1]
            measured[name] = measured.get(name, 0) + int(row["visits"])
    if "main" not in measured:
        return "main has no probe, or the run has no tree"
    wrong = [f"{name}: {counted[name]} visits counted, {number} measured" for name, number in sorted(measured.items())
             if name in counted and int(counted[name]) != number]
    return "\n".join(wrong[:10])


def smallest(trial, folder):
    """One case that fails alone, if any does."""
    for case in trial.cases:
        text = difference(trial, [case], folder)
        if text:
            return [case], text
    return trial.cases, difference(trial, trial.cases, folder)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", default="fuzz-failures")
    parser.add_argument("--language", choices=["c", "cc"])
    arguments = parser.parse_args()
    compilers = {"c": [one for one in ("gcc", "clang-19", "clang-14") if shutil.which(one)],
                 "cc": [one for one in ("g++", "clang++-19", "clang++-14") if shutil.which(one)]}
    done = failures = 0
    seed, begin = arguments.seed, time.monotonic()
    while done < arguments.count:
        for language in [arguments.language] if arguments.language else ["c", "cc"]:
            trial = Trial(seed, language, compilers)
            with tempfile.TemporaryDirectory(prefix="fuzz-") as folder:
                text = difference(trial, trial.cases, folder)
                if text:
                    cases, text = smallest(trial, folder)
                    failures += 1
                    kept = os.path.join(arguments.keep, f"{seed}-{language}", "p." + language)
                    os.makedirs(os.path.dirname(kept), exist_ok=True)
                    trial.write(cases, kept)
                    print(f"\n{kept}: --select {trial.select} {' '.join(trial.command())}\n{text}\n"
                          f"again: fuzz.py --seed {seed} --language {language} --count 1", flush=True)
            done += len(trial.cases)
        seed += 1
        print(f"\r{done} programs, {failures} files differ, {time.monotonic() - begin:.0f} s ", end="",
              file=sys.stderr, flush=True)
    print(f"\n{done} random programs from seed {arguments.seed}: {failures} files of them differ", flush=True)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
