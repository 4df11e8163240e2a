#!/usr/bin/env python3
"""Four pages for readers who know nothing of andes: each run has one fault, and names say nothing of it. Writes amber.html, birch.html,
cedar.html and delta.html, and prints the questions; the answers are in docs/measurements/2026-11-page-readers.md.

  readers.py DIR
"""
import argparse
import glob
import os
import shutil
import subprocess

from support.build import ANDES, SOURCE
from support.environment import environment

WORDS = ("amber", "birch", "cedar", "delta")
QUESTIONS = """Of each page, at most ten minutes, with no other help than what stands on it:
1. What takes the time that should not be taken, in one sentence?
2. In which function, and on which ranks?
3. What would you change first, and how much shorter would the run be?
4. Does the program gain from more ranks, and if it does not, why?
5. What on the page did you not understand?
"""


def main():
    parser = argparse.ArgumentParser(prog="setup page-readers", description="Four pages for readers who know nothing of andes.")
    parser.add_argument("folder", help="where the pages go")
    folder = os.path.abspath(parser.parse_args().folder)
    programs = os.path.join(SOURCE, "tests", "programs")
    for name in ("readers", "cases"):
        shutil.copytree(os.path.join(programs, name), os.path.join(folder, name), dirs_exist_ok=True)

    def run(*words):
        subprocess.run(words, cwd=os.path.join(folder, "readers"), env=environment(), check=True, stdin=subprocess.DEVNULL)

    run(ANDES, "cc", "mpicc", "-O2", "riddle.c", "-o", "riddle")
    for word in WORDS:
        run(ANDES, "run", "--label", word, "--ranks", "1,2", "--repeat", "3", "--", "mpirun", "-n", "{p}", "./riddle", word)
        (runs,) = glob.glob(os.path.join(folder, "readers", "runs", "riddle-*-" + word))
        run(ANDES, "report", runs, "--source", "--html", os.path.join(folder, word + ".html"))
    print(QUESTIONS)


if __name__ == "__main__":
    main()
