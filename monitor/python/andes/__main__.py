"""python3 -m andes [--every] SCRIPT ARGUMENTS... | -m MODULE ARGUMENTS...

Runs a script with its functions as regions of andes. --every: also those of Python's library and of packages.
"""
import os
import runpy
import sys

import andes


def main():
    words = sys.argv[1:]
    every = words[:1] == ["--every"]
    if every:
        words = words[1:]
    if not words or words[0] in ("-h", "--help"):
        print(__doc__.strip(), file=sys.stdout if words else sys.stderr)
        sys.exit(0 if words else 2)
    if words[0] == "-m":
        if len(words) < 2:
            sys.exit("andes: python: -m: no module; write python3 -m andes -m MODULE ARGUMENTS")
        sys.argv = words[1:]
        sys.path[0] = os.getcwd()
        andes.profile(every)
        runpy.run_module(words[1], run_name="__main__", alter_sys=True)
        return
    if not os.path.exists(words[0]):
        print("andes: %s: no such script; check its path" % words[0], file=sys.stderr)
        sys.exit(2)
    sys.argv = words
    sys.path[0] = os.path.dirname(os.path.abspath(words[0]))
    andes.profile(every)
    runpy.run_path(words[0], run_name="__main__")


main()
