#!/usr/bin/env python3
"""clang-tidy finds nothing, with the checks of .clang-tidy, in the code that runs in the program's process. The short form of
`./setup tidy`, which takes twenty minutes for all of andes.

  tidy.py SOURCE BUILD
"""
import glob
import os
import re
import shutil
import subprocess
import sys

TIDY = "clang-tidy-19"
ROOMS = ("say", "system", "clock", "arena", "sites", "counters", "core", "life", "entries", "openmp")
SKIPPED = 77


def main(source, build):
    if not shutil.which(TIDY):
        print(TIDY, "is not installed")
        return SKIPPED
    files = sorted(file for room in ROOMS for file in glob.glob(os.path.join(source, "monitor", room, "*.cc")))
    done = subprocess.run([TIDY, "-p", build, "--quiet", *files], capture_output=True, text=True)
    findings = sorted(set(re.findall(r"^.*(?:error|warning): .*$", done.stdout, re.M)))
    print("\n".join(findings) or done.stderr if done.returncode else "%d files" % len(files))
    return done.returncode


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
