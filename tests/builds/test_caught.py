"""andes build: compilers are caught by whatever way a build starts them, once for each source; what is said at the end;
what configure asks, and what a build that fails says."""
import os
import shutil
import signal
import subprocess
import sys
import unittest

from support.build import ANDES
from support.preprocessor import InDirectory, have

NO_SOURCE = ("andes: build: no compiler was caught that compiles a source; if all was up to date, but built without andes, remove it "
             "(make clean), else name andes' own compilers: CC=andes-mpicc CXX=andes-mpicxx FC=andes-mpifort\n")
FAILED = "andes: build: the command failed before it had compiled a source; its own messages say why\n"
ASKED = "andes: build: compilers were only asked questions, as by configure; put andes build -- before the command that compiles, too\n"


def said(sources, programs, left=""):
    """The last line of `andes build`."""
    return "andes: build: %d source%s instrumented%s, %s\n" % (sources, "s" * (sources != 1), left and ", " + left, programs)


class Caught(InDirectory):
    def setUp(self):
        super().setUp()
        self.write("m.c", "int helper(void);\nint main(void)\n{\n  return helper();\n}\n")
        self.write("h.c", "int helper(void)\n{\n  return 42;\n}\n")

    def build(self, *words, stderr, status=0, **more):
        done = self.run_here(ANDES, "build", "--select", "all", "--", *words, **more)
        self.assertEqual((done.returncode, done.stderr), (status, stderr), done.stdout)
        return done

    def check(self, name="prog", probes=2):
        self.assertEqual((self.run_here("./" + name).returncode, self.probes(name)), (42, probes))
        os.remove(os.path.join(self.dir, name))

    def test_every_way_to_start_a_program(self):
        gcc = shutil.which("gcc")
        words = "'gcc', 'm.c', 'h.c', '-o', 'prog'"
        run = f"[{words}]"
        for start in (f"os.execv('{gcc}', {run})", f"os.execvp('gcc', {run})", f"os.execve('{gcc}', {run}, os.environ)",
                      f"os.execvpe('gcc', {run}, dict(PATH='/usr/bin:/bin'))", f"os.execl('{gcc}', {words})",
                      f"os.execle('{gcc}', {words}, dict(PATH='/usr/bin:/bin'))", f"os.execlp('gcc', {words})",
                      f"os.wait4(os.posix_spawn('{gcc}', {run}, dict(PATH='/usr/bin:/bin')), 0)",
                      f"os.wait4(os.posix_spawnp('gcc', {run}, os.environ), 0)",
                      f"subprocess.check_call({run})", f"subprocess.check_call({run}, env=dict(PATH='/usr/bin:/bin'))",
                      f"subprocess.check_call({run}, close_fds=False)", f"subprocess.check_call({run}, start_new_session=True)",
                      "os.system('gcc m.c h.c -o prog')", "os.popen('gcc m.c h.c -o prog').read()"):
            with self.subTest(start):
                self.build(sys.executable, "-c", "import os, subprocess; " + start, stderr=said(2, "1 program linked (prog)"))
                self.check()

    def test_the_c_librarys_own_ways(self):
        """execl and its kin take a list of arguments; vfork shares the memory."""
        self.write("start.c", r'''
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int count, char **words)
{
  char *environment[] = {"PATH=/usr/bin:/bin", "KEPT=yes", NULL};
  int status;
  if (vfork() == 0) {
    if (!strcmp(words[1], "l")) execl(words[2], "gcc", "m.c", "h.c", "-o", "prog", NULL);
    if (!strcmp(words[1], "lp")) execlp("gcc", "gcc", "m.c", "h.c", "-o", "prog", NULL);
    if (!strcmp(words[1], "le")) execle(words[2], "gcc", "m.c", "h.c", "-o", "prog", NULL, environment);
    if (!strcmp(words[1], "env")) execle("/bin/sh", "sh", "-c", "test \"$KEPT\" = yes && exec gcc m.c h.c -o prog", NULL, environment);
    if (!strcmp(words[1], "none")) execlp("no-such-gcc", "gcc", NULL);
    _exit(77);
  }
  wait(&status);
  return WEXITSTATUS(status) + (count != 3);
}
''')
        self.assertEqual(self.run_here("gcc", "start.c", "-o", "start").returncode, 0)
        for way in ("l", "lp", "le", "env"):
            with self.subTest(way):
                self.build("./start", way, shutil.which("gcc"), stderr=said(2, "1 program linked (prog)"))
                self.check()
        self.build("./start", "none", "-", stderr=FAILED, status=77)

    def test_names_of_compilers(self):
        for name in ("gcc", "cc", "c++", "g++", "clang", "clang-19", "clang++-14", "x86_64-linux-gnu-gcc", "mpicc", "mpicc.openmpi",
                     "mpicc.mpich", "mpicxx", "mpic++", "mpiCC"):
            if not have(name):
                continue
            for path in (name, shutil.which(name)):
                with self.subTest(path):
                    flags = "-x c" if "+" in name or name in ("mpicxx", "mpiCC") else ""
                    self.build("sh", "-c", f"'{path}' {flags} -c m.c && '{path}' {flags} -c h.c && '{path}' m.o h.o -o prog",
                               stderr=said(2, "1 program linked (prog)"))
                    self.check()

    def test_fortran(self):
        self.write("f.f90", "program f\n  call exit(42)\nend program\n")
        for name in ("gfortran", "mpif90", "mpif77.mpich", "mpifort"):
            if have(name):
                self.build("sh", "-c", f"{name} f.f90 -o prog", stderr=said(1, "1 program linked (prog)"))
                self.assertRegex(self.run_here("nm", "prog").stdout, "andes_site|__cyg_profile_func_enter")
                self.check(probes=0)

    def test_once_each_with_wrappers_and_caches(self):
        cache = {"CCACHE_DIR": os.path.join(self.top, "cache"), "CCACHE_CONFIGPATH": "/dev/null"}
        os.mkdir(os.path.join(self.dir, "bin"))
        self.write("script", '#!/bin/sh\nexec gcc "$@"\n')
        os.chmod(os.path.join(self.dir, "script"), 0o755)
        ways = ["./script", "env A=b gcc", "env -i PATH=/usr/bin:/bin gcc", f"{ANDES} cc gcc", os.path.join(os.path.dirname(ANDES), "andes-gcc")]
        if have("ccache"):
            os.symlink(shutil.which("ccache"), os.path.join(self.dir, "bin", "gcc"))
            ways += ["ccache gcc", "ccache gcc", "ccache ./script", "./bin/gcc", f"ccache {os.path.dirname(ANDES)}/andes-gcc"]
        for way in ways:
            with self.subTest(way):
                self.build("make", "-s", "-j2", "-f", "-", "CC=" + way, stdin="prog: m.o h.o\n\t$(CC) m.o h.o -o $@\n\trm m.o h.o\n", env=cache,
                           stderr=said(2, "1 program linked (prog)"))
                self.check()

    def test_a_cache_holds_nothing_of_the_other_kind(self):
        """Objects with probes and without are different objects for ccache."""
        if not have("ccache"):
            self.skipTest("no ccache")
        cache = {"CCACHE_DIR": os.path.join(self.top, "cache"), "CCACHE_CONFIGPATH": "/dev/null"}
        command = "ccache gcc -c m.c && ccache gcc -c h.c && gcc m.o h.o -o prog"
        for _ in range(2):
            self.assertEqual(self.run_here("sh", "-c", command, env=cache).returncode, 0)
            self.check(probes=0)
            self.build("sh", "-c", command, stderr=said(2, "1 program linked (prog)"), env=cache)
            self.check()

    def test_a_compiler_as_the_command(self):
        for words in (("gcc",), (shutil.which("gcc"),), ("ccache", "gcc")):
            if have(words[0]):
                self.build(*words, "m.c", "h.c", "-o", "prog", stderr=said(2, "1 program linked (prog)"))
                self.check()

    def test_a_build_in_a_build(self):
        inner = f"{ANDES} build -- gcc -c h.c && gcc -c m.c && gcc m.o h.o -o prog"
        self.build("sh", "-c", inner, stderr=said(1, "0 programs linked") + said(2, "1 program linked (prog)"))
        self.check()

    def test_shared_libraries_are_told(self):
        """A module of Python or R has no program."""
        self.build("gcc", "-shared", "-fPIC", "h.c", "-o", "libh.so", stderr=said(1, "1 shared library linked (libh.so)"))
        self.build("sh", "-c", "gcc -fPIC -c h.c; gcc -shared h.o -o libh.so; gcc m.c libh.so -Wl,-rpath,. -o prog",
                   stderr=said(2, "1 program linked (prog), 1 shared library linked (libh.so)"))
        self.check(probes=1)

    def test_options_reach_other_directories(self):
        self.write("some.sel", "exclude *\ninclude main\n")
        os.mkdir(os.path.join(self.dir, "sub"))
        script = "cd sub && gcc ../m.c ../h.c -o ../prog"
        done = self.run_here(ANDES, "build", "--select", "some.sel", "sh", "-c", script)
        self.assertEqual((done.returncode, done.stderr),
                         (0, said(1, "1 program linked (prog)", "1 left as it is (no function needs a probe: 1)")))
        self.check(probes=1)
        self.write("l.c", "int main(int n, char **w)\n{\n  for (int i = 0; i < 42; ++i) n += w[0][0];\n  return 42;\n}\n")
        self.write("build.info", "loops all\n")
        for words in (("--config", "build.info"), ("--loops=all",)):
            done = self.run_here(ANDES, "build", *words, "--", "sh", "-c", "cd sub && gcc ../l.c -o ../prog")
            self.assertEqual(done.stderr, said(1, "1 program linked (prog)"))
            self.check(probes=2)

    def test_what_is_left_and_why(self):
        self.write("nested.c", "int outer(int n)\n{\n  int inner(void) { return n; }\n  return inner();\n}\n")
        self.write("data.c", "int data[3] = {1, 2, 3};\n")
        script = ("gcc -c nested.c; gcc -c data.c; gcc -ffreestanding -c h.c; gcc -c m.c; gcc -E m.c >/dev/null; gcc -c nothing.c; "
                  "gcc -E m.c -o m.i; gcc -c m.i; gcc -x cpp-output -c m.i; TMPDIR=/nowhere gcc -c m2.c; true")
        self.write("m2.c", "int main(void)\n{\n  return 0;\n}\n")
        done = self.run_here(ANDES, "build", "--", "sh", "-c", script)
        self.assertEqual(done.returncode, 0)
        lines = done.stderr.splitlines()
        self.assertEqual(lines[-1] + "\n", said(1, "0 programs linked", "5 left as they are (Clang cannot read it: 1, "
                                                "free-standing: 1, its copy cannot be written: 1, no function needs a probe: 1, "
                                                "preprocessed before: 1)"))
        self.assertIn("andes: nested.c: not instrumented: Clang cannot read it", done.stderr)

    def test_tests_that_scons_keeps(self):
        """It names them from the directory that it was started in, and does not remove them."""
        os.mkdir(os.path.join(self.dir, ".sconf_temp"))
        self.write(".sconf_temp/conftest_1_0.c", "int main(void)\n{\n  return 0;\n}\n")
        script = ("gcc -c .sconf_temp/conftest_1_0.c -o .sconf_temp/conftest_1_0.o && "
                  "gcc .sconf_temp/conftest_1_0.o -o .sconf_temp/conftest_1_0_a && gcc m.c h.c -o prog")
        self.build("sh", "-c", script, stderr=said(2, "1 program linked (prog)"))
        self.assertEqual(self.probes(".sconf_temp/conftest_1_0_a"), 0)
        self.check()

    def test_a_cmake_that_configures_asks(self):
        """Here a shell of that name, whose words behind the command are its own."""
        shutil.copy("/bin/sh", os.path.join(self.dir, "cmake"))
        self.build("./cmake", "-c", "gcc m.c h.c -o prog && rm prog", stderr=ASKED)
        self.build("./cmake", "-c", "./cmake -c 'gcc m.c h.c -o prog' --build", stderr=said(2, "1 program linked (prog)"))
        self.check()
        self.build("./cmake", "-c", "gcc m.c h.c -o prog", "-E", stderr=said(2, "1 program linked (prog)"))
        self.check()

    def test_exit_status_and_failed_commands(self):
        self.build("sh", "-c", "exit 7", stderr=FAILED, status=7)
        self.build("true", stderr=NO_SOURCE)
        self.build("sh", "-c", "gcc --version && echo 'int main(void) { return 0; }' >conftest.c && gcc -c conftest.c", stderr=ASKED)
        self.build("sh", "-c", "kill -TERM $$", stderr=FAILED, status=-signal.SIGTERM)
        self.write("bad.c", "int main(void)\n{\n  return nothing;\n}\n")
        plain = self.run_here("gcc", "bad.c", "-o", "bad")
        ours = self.run_here(ANDES, "build", "--", "sh", "-c", "gcc bad.c -o bad")
        self.assertEqual((ours.returncode, ours.stderr), (plain.returncode, plain.stderr + FAILED))
        done = self.run_here(ANDES, "build", "--", "sh", "-c", "gcc m.c -o prog 2>/dev/null || exit 5")
        self.assertEqual((done.returncode, done.stderr), (5, FAILED))

    def test_bad_input(self):
        for words, message in (((), "build: no command given; write andes build -- make"),
                               (("--",), "build: no command given; write andes build -- make"),
                               (("--lops", "all", "--", "make"), "--lops: not an option of build; did you mean --loops?"),
                               (("--zzz", "--", "make"), "--zzz: not an option of build; write andes build [OPTIONS] -- COMMAND "
                                "(andes build --help lists them)"),
                               (("--loops", "--", "make"), "--loops: no value; write --loops VALUE before the command"),
                               (("--select", "none.sel", "--", "make"), "none.sel: the selection cannot be read (No such file or "
                                "directory); name a file, all or default"),
                               (("--", "./nothing"), "./nothing: no such program; check the command after --")):
            done = self.run_here(ANDES, "build", *words)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (2, "", f"andes: {message}\n"), words)

    def test_the_environment_is_the_users(self):
        """Programs of the build find it as it was, compilers without a trace of andes."""
        self.write("cc", '#!/bin/sh\nenv | sort > seen\nexec gcc "$@"\n')
        os.chmod(os.path.join(self.dir, "cc"), 0o755)
        for words in ("-c h.c", "m.o h.o -o prog", "--version"):
            seen = []
            for command in (("sh", "-c", f"gcc -c m.c; ./cc {words}"), (ANDES, "build", "--", "sh", "-c", f"gcc -c m.c; ./cc {words}")):
                self.run_here(*command)
                drop = ("ASAN_OPTIONS=", "C_INCLUDE_PATH=", "CPLUS_INCLUDE_PATH=", "_=")
                seen.append([line for line in self.read("seen").splitlines() if not line.startswith(drop)])
            self.assertEqual(*seen)

    def test_interrupted(self):
        """A build that is asked to stop ends as its command does, and leaves nothing behind."""
        process = subprocess.Popen([ANDES, "build", "--", "sh", "-c", "echo begun; exec sleep 100"], cwd=self.dir, text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=dict(os.environ, **self.env))
        self.assertEqual(process.stdout.readline(), "begun\n")
        process.terminate()
        errors = process.communicate(timeout=600)[1]
        self.assertEqual((process.returncode, errors), (-signal.SIGTERM, FAILED))

    @unittest.skipUnless(have("ld"), "no linker")
    def test_a_static_command(self):
        self.write("s.c", "#include <unistd.h>\nint main(void)\n{\n  execlp(\"gcc\", \"gcc\", \"-c\", \"h.c\", (char *)0);\n  return 1;\n}\n")
        if self.run_here("gcc", "-static", "s.c", "-o", "s").returncode != 0:
            self.skipTest("no static libraries")
        done = self.run_here(ANDES, "build", "--", "./s")
        self.assertEqual((done.returncode, done.stderr.splitlines()[0]),
                         (0, "andes: ./s: linked statically, so the compilers that it starts cannot be caught; name andes' wrappers "
                          "as compilers: CC=andes-mpicc, CXX=andes-mpicxx, FC=andes-mpifort"))

    def test_programs_with_address_sanitizer(self):
        """Their library wants to be the first that is loaded."""
        if self.run_here("gcc", "-fsanitize=address", "m.c", "h.c", "-o", "prog").returncode != 0:
            self.skipTest("no AddressSanitizer")
        self.build("./prog", stderr=FAILED, status=42, env={"ASAN_OPTIONS": "detect_leaks=0"})


if __name__ == "__main__":
    unittest.main()
