"""bin/andes-COMPILER: the compiler in every question, with probes in what it compiles."""
import os
import shutil
import unittest

from support.build import ANDES
from support.preprocessor import InDirectory, have

BIN = os.path.dirname(ANDES)
COMPILERS = ("gcc", "g++", "gfortran", "clang", "clang++", "mpicc", "mpicxx", "mpic++", "mpiCC", "mpif77", "mpif90", "mpifort",
             "mpicc.openmpi", "mpicxx.openmpi", "mpifort.openmpi", "mpicc.mpich", "mpicxx.mpich", "mpifort.mpich")
QUESTIONS = ("--version", "-v", "-###", "-dumpversion", "-dumpmachine", "-print-prog-name=ld", "-print-search-dirs", "--help",
             "-E m.c", "-M m.c", "-MM m.c", "-fsyntax-only m.c", "-E -dM -x c /dev/null", "-show", "--showme", "--showme:compile",
             "-showme:link", "-compile-info", "-c nothing.c", "")


class Wrappers(InDirectory):
    def setUp(self):
        super().setUp()
        self.env["PATH"] = BIN + ":" + os.environ["PATH"]
        self.write("m.c", "int helper(void);\nint main(void)\n{\n  return helper();\n}\n")
        self.write("h.c", "int helper(void)\n{\n  return 42;\n}\n")

    def answer(self, *words):
        done = self.run_here(*words)
        lines = [line for line in done.stderr.splitlines() if "/tmp/cc" not in line and self.tmp not in line]
        return done.returncode, done.stdout, lines

    def test_questions(self):
        for compiler in COMPILERS:
            if not have(compiler):
                continue
            for question in QUESTIONS:
                with self.subTest(compiler=compiler, question=question):
                    self.assertEqual(self.answer("andes-" + compiler, *question.split()), self.answer(compiler, *question.split()))

    def test_every_name_is_there(self):
        for compiler in COMPILERS:
            self.assertEqual(shutil.which("andes-" + compiler, path=BIN), os.path.join(BIN, "andes-" + compiler))

    def test_a_makefile_that_looks_for_its_compiler(self):
        self.write("Makefile", "CC = gcc\nprog: m.c h.c\n\t@which $(CC)\n\t@$(CC) --version > version\n\t@$(CC) m.c h.c -o $@\n")
        for compiler in ("gcc", "mpicc", "mpicc.mpich"):
            if have(compiler):
                done = self.run_here("make", "-B", "CC=andes-" + compiler, env={"ANDES_SELECT": "all"})
                self.assertEqual((done.returncode, done.stdout, done.stderr), (0, os.path.join(BIN, "andes-" + compiler) + "\n", ""))
                self.assertEqual(self.read("version"), self.run_here(compiler, "--version").stdout)
                self.assertEqual((self.run_here("./prog").returncode, self.probes("prog")), (42, 2))

    def test_cmake(self):
        self.write("CMakeLists.txt", "cmake_minimum_required(VERSION 3.16)\nproject(p C)\nadd_executable(prog m.c h.c)\n")
        done = self.run_here("cmake", "-B", "b", "-DCMAKE_C_COMPILER=andes-gcc")
        self.assertEqual(done.returncode, 0, done.stderr)
        done = self.run_here("cmake", "--build", "b", env={"ANDES_SELECT": "all"})
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual((self.run_here("b/prog").returncode, self.probes("b/prog")), (42, 2))

    def test_names_of_ones_own(self):
        """Any link so named is the wrapper of that compiler."""
        os.symlink(ANDES, os.path.join(self.dir, "andes-gcc-12"))
        if have("gcc-12"):
            self.assertEqual(self.answer("./andes-gcc-12", "--version"), self.answer("gcc-12", "--version"))
        os.symlink(ANDES, os.path.join(self.dir, "andes-nothing"))
        done = self.run_here("./andes-nothing", "-c", "h.c")
        self.assertEqual((done.returncode, done.stderr), (2, "andes: nothing: no such compiler; check its name, or give its full path\n"))


if __name__ == "__main__":
    unittest.main()
