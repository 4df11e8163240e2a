"""Runs a script of unittest without some of its methods: without.py METHOD,METHOD... SCRIPT ARGUMENT..."""
import os
import runpy
import sys
import unittest

without = set(sys.argv[1].split(","))
del sys.argv[:2]
names_of = unittest.TestLoader.getTestCaseNames
met = set()


def names_without(loader, case):
    names = names_of(loader, case)
    met.update(names)
    return [name for name in names if name not in without]


unittest.TestLoader.getTestCaseNames = names_without
sys.path[0] = os.path.dirname(os.path.abspath(sys.argv[0]))
try:
    runpy.run_path(sys.argv[0], run_name="__main__")
finally:
    if without - met:
        sys.exit("%s: has no %s; take it out of left_out.txt" % (sys.argv[0], ", ".join(sorted(without - met))))
