"""Runs a script of unittest without some of its methods: without.py METHOD,METHOD... SCRIPT ARGUMENT..."""
import os
import runpy
import sys
import unittest

without = set(sys.argv[1].split(","))
del sys.argv[:2]
names_of = unittest.TestLoader.getTestCaseNames
unittest.TestLoader.getTestCaseNames = lambda loader, case: [
    name for name in names_of(loader, case) if name not in without]
sys.path[0] = os.path.dirname(os.path.abspath(sys.argv[0]))
runpy.run_path(sys.argv[0], run_name="__main__")
