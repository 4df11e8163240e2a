#!/usr/bin/env python3
"""What a run of the tests has left out, and why: one line each.

  skipped.py LOG     build/Testing/Temporary/LastTest.log of CTest
"""
import re
import sys

TEST = re.compile(r"^\d+/\d+ Testing: (\S+)\n.*?^Output:\n-+\n(.*?)^<end of output>", re.M | re.S)


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
