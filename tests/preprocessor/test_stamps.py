"""The stamp of a build: which commit of the sources, and which flags, a program carries, and the facts of its runs."""
import os
import shutil
import unittest

from support.build import ANDES, PREPROCESS
from support.environment import OF_OPEN_MPI
from support.preprocessor import InDirectory, have
from support.run_file import RunFile

MAIN = "int helper(void);\nint main(void)\n{\n  return helper() - 42;\n}\n"
HELPER = "int helper(void)\n{\n  return 42;\n}\n"
MPI = "#include <mpi.h>\nint main(int n, char** v)\n{\n  MPI_Init(&n, &v);\n  MPI_Finalize();\n  return 0;\n}\n"
AUTHOR = {"GIT_" + role + "_" + what: text for role in ("AUTHOR", "COMMITTER")
          for what, text in (("NAME", "A"), ("EMAIL", "a@b"), ("DATE", "2026-01-02T03:04:05Z"))}
ALONE = {"GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1", **AUTHOR}


class Stamped(InDirectory):
    def setUp(self):
        super().setUp()
        self.env.update(ALONE, **OF_OPEN_MPI)

    def git(self, *words):
        done = self.run_here("git", *words)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.strip()

    def commit(self, **files):
        """A commit of these files ("main_c" is main.c); returns its hash."""
        if not os.path.exists(os.path.join(self.dir, ".git")):
            self.git("init", "-q", "-b", "trunk")
        for name, text in files.items():
            self.write(name.replace("_", "."), text)
            self.git("add", name.replace("_", "."))
        self.git("commit", "-q", "-m", "change")
        return self.git("rev-parse", "HEAD")

    def good(self, done):
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        return done

    def section(self, program, name):
        out = os.path.join(self.top, "section")
        self.run_here("objcopy", "-O", "binary", "--only-section", name, "--set-section-flags", name + "=alloc", program, out)
        if not os.path.exists(out):
            return ""
        text = self.bytes_of(out).decode()
        os.remove(out)
        return text

    def bytes_of(self, name):
        with open(os.path.join(self.dir, name), "rb") as file:
            return file.read()

    def stamp(self, program):
        lines = self.section(program, ".andes.build").rstrip("\0").splitlines()
        return dict(line.split(" ", 1) for line in lines)


@unittest.skipUnless(have("git"), "git is not installed")
class Stamps(Stamped):
    def test_objects_outlive_commits(self):
        first = self.commit(m_c=MAIN, h_c=HELPER)
        self.good(self.cc("gcc", "-O1", "-c", "m.c"))
        self.good(self.cc("gcc", "-O2", "-fno-builtin", "-c", "h.c"))
        self.good(self.cc("gcc", "m.o", "h.o", "-o", "prog"))
        stamp = self.stamp("prog")
        self.assertEqual((stamp["commit"], stamp["branch"], stamp["commit_time"]), (first, "trunk", "2026-01-02T03:04:05Z"))
        self.assertNotIn("dirty", stamp)
        self.assertIn("gcc version", stamp["compiler"])
        self.assertEqual(set(self.section("prog", ".andes.flags").rstrip("\0").split("\0")), {"-O1", "-O2 -fno-builtin"})
        # The object is that of the first commit, the program that of the second.
        before = self.bytes_of("m.o")
        second = self.commit(h_c=HELPER.replace("42", "6 * 7"))
        self.good(self.cc("gcc", "-O2", "-c", "h.c"))
        self.good(self.cc("gcc", "m.o", "h.o", "-o", "prog"))
        self.assertEqual(self.stamp("prog")["commit"], second)
        self.good(self.cc("gcc", "-O1", "-c", "m.c"))
        self.assertEqual(self.bytes_of("m.o"), before)

    def test_same_source_same_program(self):
        self.commit(m_c=MAIN + HELPER)
        programs = []
        for _ in range(2):
            self.good(self.cc("gcc", "-O2", "m.c", "-o", "prog"))
            programs.append(self.bytes_of("prog"))
        self.assertEqual(*programs)
        stack = [line for line in self.run_here("readelf", "-lW", "prog").stdout.splitlines() if "GNU_STACK" in line]
        self.assertEqual(stack[0].split()[6], "RW")
        self.good(self.run_here("strip", "prog"))
        self.assertEqual(len(self.stamp("prog")["commit"]), 40)
        self.assertEqual(self.run_here("./prog").returncode, 0)

    def test_changes_that_are_not_committed(self):
        self.commit(m_c=MAIN + HELPER)
        self.write("notes.txt", "not in the commit, and no change of it\n")
        self.good(self.cc("gcc", "m.c", "-o", "prog"))
        self.assertNotIn("dirty", self.stamp("prog"))
        self.write("m.c", MAIN + HELPER + "\n")
        self.git("checkout", "-q", "--detach")
        self.good(self.cc("gcc", "m.c", "-o", "prog"))
        stamp = self.stamp("prog")
        self.assertEqual((stamp["dirty"], stamp.get("branch")), ("1", None))

    def test_without_git_and_where_no_stamp_fits(self):
        self.write("m.c", MAIN + HELPER)
        self.good(self.cc("gcc", "-O2", "m.c", "-o", "prog"))
        self.assertEqual(set(self.stamp("prog")), {"compiler", "flags"})
        self.good(self.cc("gcc", "-c", "m.c"))
        self.good(self.cc("gcc", "-r", "m.o", "-o", "r.o"))
        self.write("all.h", "int helper(void);\n")
        self.good(self.cc("gcc", "all.h"))
        self.assertTrue(os.path.exists(os.path.join(self.dir, "all.h.gch")))
        self.write("conftest.c", "int main(void) { return 0; }\n")
        self.good(self.cc("gcc", "conftest.c", "-o", "conftest"))
        for plain in ("m.o", "r.o", "conftest"):
            self.assertEqual(self.stamp(plain), {}, plain)

    @unittest.skipUnless(have("aarch64-linux-gnu-gcc"), "needs a cross compiler")
    def test_a_cross_compiler_behind_a_usual_name(self):
        """The stamp of a whole compilation is for the machine that is compiled for, or there is none."""
        self.write("m.c", MAIN + HELPER)
        self.write("mpicc", '#!/bin/sh\nexec aarch64-linux-gnu-gcc "$@"\n')
        os.chmod(os.path.join(self.dir, "mpicc"), 0o755)
        self.good(self.cc("./mpicc", "m.c", "-o", "whole"))
        self.good(self.cc("./mpicc", "-c", "m.c"))
        self.good(self.cc("./mpicc", "m.o", "-o", "linked"))
        self.assertIn(b"compiler gcc version", self.bytes_of("linked"))

    def test_other_compilers_and_libraries(self):
        commit = self.commit(m_c=MAIN, h_c=HELPER, p_f90="program p\n  print *, 1\nend program\n")
        for compiler in ("gcc", "clang-19"):
            if have(compiler):
                self.good(self.cc(compiler, "-fPIC", "-shared", "h.c", "-o", "libh.so"))
                self.good(self.cc(compiler, "m.c", "-L.", "-lh", "-Wl,-rpath,.", "-o", "prog"))
                self.assertEqual((self.stamp("libh.so")["commit"], self.stamp("prog")["commit"]), (commit, commit), compiler)
                self.assertEqual(self.run_here("./prog").returncode, 0)
        if have("gfortran"):
            self.good(self.cc("gfortran", "-O2", "p.f90", "-o", "fprog"))
            self.assertEqual(self.stamp("fprog")["commit"], commit)
            self.assertEqual(self.run_here("./fprog").stdout.split(), ["1"])

    def test_a_build_asks_git_once(self):
        commit = self.commit(m_c=MAIN + HELPER, build_sh="for i in 1 2 3; do gcc -c m.c -o m$i.o; gcc m$i.o -o prog$i; done\n")
        os.mkdir(os.path.join(self.top, "bin"))
        log = os.path.join(self.top, "log")
        with open(os.path.join(self.top, "bin", "git"), "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\necho x >> %s\nexec %s \"$@\"\n" % (log, shutil.which("git")))
        os.chmod(file.name, 0o755)
        path = os.path.join(self.top, "bin") + ":" + os.environ["PATH"]
        done = self.run_here(ANDES, "build", "--", "sh", "build.sh", env={"PATH": path})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([self.stamp("prog%d" % i)["commit"] for i in (1, 2, 3)], [commit] * 3)
        with open(log, encoding="utf-8") as file:
            self.assertEqual(len(file.readlines()), 2)  # for the state, and for the commit's time

    @unittest.skipUnless(have("cmake"), "cmake is not installed")
    def test_a_build_directory_elsewhere(self):
        commit = self.commit(m_c=MAIN + HELPER, CMakeLists_txt="project(p C)\nadd_executable(prog m.c)\n")
        build = os.path.join(self.top, "elsewhere")
        for words in (["cmake", "-S", ".", "-B", build], ["cmake", "--build", build]):
            done = self.run_here(ANDES, "build", "--", *words)
            self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.stamp(os.path.join(build, "prog"))["commit"], commit)

    def test_facts_of_runs(self):
        commit = self.commit(m_c=MPI)
        self.write("m.c", MPI + "\n")
        for mpi in ("openmpi", "mpich"):
            if not have("mpicc." + mpi):
                continue
            self.good(self.cc("mpicc." + mpi, "-O2", "m.c", "-o", "prog"))
            run = os.path.join(self.dir, mpi + ".andes")
            done = self.run_here(ANDES, "run", "-o", run, "--", "mpirun." + mpi, "-n", "2", "./prog")
            self.assertEqual(done.returncode, 0, done.stderr)
            facts = RunFile(run).facts
            self.assertEqual((facts["commit"], facts["branch"], facts["dirty"], facts["compiler_flags"]),
                             (commit, "trunk", 1, "-O2"))
            self.assertIn("gcc version", facts["compiler"])
            self.assertTrue(facts["kernel"].startswith("Linux "))
            said = "commit %s (trunk), with changes that are not committed" % commit[:10]
            for command in ("show", "report"):
                text = " ".join(self.run_here(ANDES, command, run).stdout.split())
                self.assertIn(said, text)
            self.assertIn('"commit": "%s"' % commit, self.run_here(ANDES, "report", "--json", run).stdout)


if __name__ == "__main__":
    unittest.main()
