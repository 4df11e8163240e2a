"""The trees of the sources and of the build, and what the tests use of them."""
import os

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.abspath(os.environ.get("TEST_BUILD", os.path.join(SOURCE, "build")))
ANDES = os.path.join(BUILD, "bin", "andes")
PREPROCESS = os.path.join(BUILD, "libexec", "andes", "andes-preprocess")
LIBRARY = os.path.join(BUILD, "lib", "andes", "libandes.so")
INCLUDE = os.path.join(BUILD, "include")  # holds andes/probe.h
