"""The trees of the sources and of the build, and what the tests use of them."""
import os
import sys


def given(name):
    """What ctest gives a test in the environment; without it the test ends with how to run it."""
    if name not in os.environ:
        script = os.path.basename(sys.argv[0])
        sys.exit("%s: %s is not set; ctest sets it: ctest --test-dir build -R %s"
                 % (script, name, os.path.splitext(script)[0].removeprefix("test_")))
    return os.environ[name]


SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.abspath(os.environ.get("TEST_BUILD", os.path.join(SOURCE, "build")))
ANDES = os.path.join(BUILD, "bin", "andes")
PREPROCESS = os.path.join(BUILD, "libexec", "andes", "andes-preprocess")
LIBRARY = os.path.join(BUILD, "lib", "andes", "libandes.so")
INCLUDE = os.path.join(BUILD, "include")  # holds andes/probe.h
