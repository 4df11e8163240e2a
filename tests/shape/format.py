#!/usr/bin/env python3
"""The sources have the form that .clang-format describes: those of the product, but for what is compiled into programs, and
unit tests. Programs that tests measure are left as they are, since their lines are expected answers.

  format.py SOURCE          says which have not
  format.py SOURCE --write  gives it to them
"""
import os
import shutil
import subprocess
import sys

FORMATTER = "clang-format-19"
FOLDERS = ("common", "monitor", "postproc", "preprocessor", "tests")
OF_PROGRAMS = ("monitor/interface/probe.h", "monitor/interface/andes.h")
WIDTH = 120
SKIPPED = 77


def is_formatted(file):
    if file.startswith("tests" + os.sep):
        return file.endswith("_test.cc") or file.startswith(os.path.join("tests", "support") + os.sep)
    return file not in OF_PROGRAMS


def main(source, write):
    if not shutil.which(FORMATTER):
        print(FORMATTER, "is not installed")
        return SKIPPED
    files = sorted(file for folder in FOLDERS for path, _, names in os.walk(os.path.join(source, folder))
                   for name in names if name.endswith((".cc", ".h"))
                   for file in [os.path.relpath(os.path.join(path, name), source)] if is_formatted(file))
    how = ["-i"] if write else ["--dry-run", "-Werror"]
    done = subprocess.run([FORMATTER, *how, *files], cwd=source, capture_output=True, text=True)
    wrong = sorted({line.split(":")[0] for line in done.stderr.splitlines() if "clang-format-violations" in line})
    for file in wrong:
        print(file + ": not as .clang-format has it; tests/shape/format.py SOURCE --write makes it so")
    if done.returncode != 0 and not wrong:
        print(done.stderr, end="")
    wide = [f"{file}:{number}" for file in files if not file.startswith("tests" + os.sep)
            for number, line in enumerate(open(os.path.join(source, file), encoding="utf-8"), 1) if len(line) > WIDTH + 1]
    for place in wide:  # the formatter leaves comments alone
        print(f"{place}: wider than {WIDTH} characters")
    return done.returncode or len(wide) > 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], "--write" in sys.argv[2:]))
