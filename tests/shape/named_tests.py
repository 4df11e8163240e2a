#!/usr/bin/env python3
"""Tests are found by their names (docs/design.md, section 8): x_test.cc tests x.cc or x.h, or the folder x as a whole;
a test in Python is test_SUBJECT.py.

  named_tests.py SOURCE
"""
import os
import sys

FOLDERS = ("common", "monitor", "postproc", "preprocessor")
OTHERS = {  # unit tests of something else
    "causes": "the rules of configs/rules",
    "docs": "the examples of docs/rules.md",
    "language": "lexer, parser, check and evaluation of monitor/rules, together",
    "mutation": "the same, by rules that are broken at random",
}


def files_in(place):
    """(folder, name) of the files below it."""
    for folder, _, names in os.walk(place):
        for name in names:
            yield folder, name


def subjects(source):
    """What a unit test may be named after."""
    found = set()
    for part in FOLDERS:
        for folder, name in files_in(os.path.join(source, part)):
            found.add(os.path.basename(folder))
            if name.endswith((".cc", ".h")):
                found.add(os.path.splitext(name)[0])
    return found


def main(source):
    known, wrong, met = subjects(source), [], set()
    for folder, name in sorted(files_in(os.path.join(source, "tests"))):
        file = os.path.relpath(os.path.join(folder, name), source)
        if name.endswith("_test.cc"):
            subject = name[:-len("_test.cc")]
            met.add(subject)
            if subject not in known and subject not in OTHERS:
                wrong.append("%s: no source file or folder has this name; name it after what it tests" % file)
        elif name.endswith("_test.py"):
            wrong.append("%s: a test in Python is test_SUBJECT.py" % file)
    for subject in sorted(OTHERS):
        if subject not in met or subject in known:
            wrong.append("tests/shape/named_tests.py: OTHERS: %s: needs no exception" % subject)
    print("\n".join(wrong))
    sys.exit(bool(wrong) or len(met) < 30)


if __name__ == "__main__":
    main(*sys.argv[1:])
