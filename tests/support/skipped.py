#!/usr/bin/env python3
"""Tests that cannot be made on this machine: how a script says so, and what a run of the tests has left out.

  skipped.py LOG     build/Testing/Temporary/LastTest.log of CTest
"""
import re
import sys

EXIT_STATUS = 77  # as tests/CMakeLists.txt tells CTest
TEST = re.compile(r"^\d+/\d+ Testing: (\S+)\n.*?^Output:\n-+\n(.*?)^<end of output>", re.M | re.S)


def skip(reason):
    """Ends a script that has no test to make here."""
    print("skipped:", reason)
    sys.exit(EXIT_STATUS)


def skipped(log):
    """(test, reason) of whole tests, and of those parts of a test that its last line counts."""
    for name, output in TEST.findall(log):
        if reason := re.search(r"^skipped: (.*)", output, re.M):
            yield name, reason[1]
        elif count := re.search(r"^OK \(skipped=(\d+)\)", output, re.M):
            reasons = re.findall(r"skipped ['\"](.*)['\"]$", output, re.M)
            yield name, "%s of its cases%s" % (count[1], ": " + "; ".join(sorted(set(reasons))) if reasons else "")


def main(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as log:
            text = log.read()
    except OSError:
        return  # no test has run
    for name, reason in skipped(text):
        print("setup: left out: %s: %s" % (name, reason))


if __name__ == "__main__":
    main(*sys.argv[1:])
