"""Builds by make and by hand: libraries of all kinds, compiler caches and other launchers, and what
a build leaves beside its objects."""
import os
import unittest

from support.build import ANDES, PREPROCESS
from support.preprocessor import InDirectory, have

MAIN = '#include <stdio.h>\nint helper(void);\nint main(void) { printf("%d\\n", helper()); return 3; }\n'
HELPER = "int helper(void)\n{\n  return 42;\n}\n"
QUIET = "-Wno-unused-command-line-argument"
MAKEFILE = """\
CC = gcc
CFLAGS = -O1 -MMD
AR = ar
prog: m.o libh.a ; $(CC) $(CFLAGS) m.o -L. -lh -o $@
libh.a: h.o one/t.o two/t.o ; $(AR) rcs $@ $^
%.o: %.c ; $(CC) $(CFLAGS) -c $< -o $@
one/t.o: t.c ; mkdir -p one && $(CC) $(CFLAGS) -DNAME=one -c $< -o $@
two/t.o: t.c ; mkdir -p two && $(CC) $(CFLAGS) -DNAME=two -c $< -o $@
-include m.d h.d one/t.d two/t.d
"""


class Build(InDirectory):
    def setUp(self):
        super().setUp()
        self.write("m.c", MAIN)
        self.write("h.c", HELPER)

    def good(self, done, stderr=""):
        self.assertEqual((done.returncode, done.stderr), (0, stderr), done.stdout)
        return done

    def sh(self, command, **more):
        """A line of shell in which $P is `andes cc` with probes everywhere, in the test's directory."""
        return self.run_here("sh", "-ec", command, env={"P": f"{PREPROCESS} cc --select all", **more})

    def check_program(self, name="prog", probes=2, **more):
        ran = self.run_here("./" + name, **more)
        self.assertEqual((ran.returncode, ran.stdout, ran.stderr), (3, "42\n", ""))
        self.assertEqual(self.probes(name), probes)


class Make(Build):
    def test_parallel_with_one_source_in_two_objects(self):
        self.write("t.c", "int NAME(void);\nint NAME(void)\n{\n  return 1;\n}\n")
        self.write("h.c", "int one(void), two(void);\nint helper(void)\n{\n  return 40 + one() + two();\n}\n")
        self.write("Makefile", MAKEFILE)
        self.good(self.run_here("make", "-j8", f"CC={ANDES} cc --select all gcc"))
        self.check_program(probes=4)
        self.assertEqual(self.read("one/t.d"), "one/t.o: t.c\n")
        self.assertIn("up to date", self.good(self.run_here("make", f"CC={ANDES} cc gcc")).stdout)
        os.utime(os.path.join(self.dir, "t.c"))
        self.assertIn("two/t.o", self.good(self.run_here("make", f"CC={ANDES} cc gcc")).stdout)

    def test_pipe_response_file_and_temporaries(self):
        self.write("args", "-O1 -pipe m.c\nh.c '-DTEXT=\"a b\"' -o out/prog\n")
        os.mkdir(os.path.join(self.dir, "out"))
        self.good(self.sh("$P gcc @args"))
        self.check_program("out/prog")
        self.good(self.sh("$P gcc -save-temps=obj m.c h.c -o out/prog"))
        self.assertEqual(sorted(os.listdir(os.path.join(self.dir, "out"))),
                         ["prog", *(f"prog-{stem}.{kind}" for stem in "hm" for kind in "ios")])

    def test_assembly(self):
        for flags in ("-S", "-S -fverbose-asm -frandom-seed=x -g"):
            self.good(self.sh(f"$P gcc {flags} h.c -o - | gcc -x assembler -c - -o h.o; gcc -c m.c; gcc m.o h.o -o prog"))
            self.check_program(probes=1)
            self.assertNotIn(self.tmp, self.sh(f"$P gcc {flags} h.c -o -").stdout.replace("# GNU C", ""))

    def test_archives_and_the_linkers(self):
        for compiler in ("gcc", "clang-19", "clang-14"):
            for linker in ("bfd", "gold", "lld"):
                if not have(compiler) or not have("ld." + linker):
                    continue
                with self.subTest(compiler=compiler, linker=linker):
                    self.good(self.sh(f"rm -f *.a; $P {compiler} -fuse-ld={linker} -ffunction-sections -Wl,--gc-sections m.c h.c -o prog"))
                    self.check_program()
                    self.good(self.sh(f"$P {compiler} -c h.c; ar rcs libh.a h.o; "
                                      f"$P {compiler} -fuse-ld={linker} m.c -L. -lh -o prog"))
                    self.check_program()

    def test_link_time_optimisation(self):
        for compiler, flags in (("gcc", "-flto"), ("gcc", "-flto -fno-fat-lto-objects -O2"), ("clang-14", "-flto -fuse-ld=lld " + QUIET),
                                ("clang-14", "-flto=thin -fuse-ld=lld " + QUIET), ("clang-19", "-flto -fuse-ld=bfd " + QUIET)):
            if not have(compiler) or "lld" in flags and not have("ld.lld"):
                continue
            with self.subTest(compiler=compiler, flags=flags):
                if self.sh(f"{compiler} {flags} m.c h.c -o prog").returncode != 0:
                    continue  # this compiler and this linker do not go together
                self.good(self.sh(f"$P {compiler} {flags} -c m.c h.c; $P {compiler} {flags} m.o h.o -o prog"))
                self.check_program()
                self.good(self.sh(f"$P {compiler} {flags} m.c h.c -o prog"))
                self.check_program()

    def test_shared_objects_opened_and_closed(self):
        """Each module has a view and sites of its own: with and without PIC, and after dlclose."""
        self.write("d.c", '#include <dlfcn.h>\n#include <stdio.h>\nint main(void)\n{\n  int i, sum = 0;\n'
                          '  for (i = 0; i < 3; ++i) {\n    void *library = dlopen("./libh.so", RTLD_NOW);\n'
                          '    int (*helper)(void) = (int (*)(void))dlsym(library, "helper");\n    sum += helper();\n'
                          '    dlclose(library);\n    if (dlopen("./libh.so", RTLD_NOW | RTLD_NOLOAD)) sum += 1000;\n  }\n'
                          '  printf("%d\\n", sum);\n  return 0;\n}\n')
        for compiler in ("gcc", "clang-19"):
            if not have(compiler):
                continue
            self.good(self.sh(f"$P {compiler} -fPIC -O2 -shared h.c -o libh.so; $P {compiler} d.c -o opens"))
            self.assertEqual((self.run_here("./opens").stdout, self.probes("opens"), self.probes("libh.so")), ("126\n", 1, 1))
            ran = self.run_here(ANDES, "exec", "./opens", env={"ANDES_OUT": "run.andes"})
            self.assertEqual((ran.returncode, ran.stdout), (0, "126\n"), ran.stderr)
            shown = self.run_here(ANDES, "show", "--csv", "run.andes").stdout
            self.assertRegex(shown, r"main/helper.*,3,")
            os.remove(os.path.join(self.dir, "run.andes"))

    def test_position_dependent_objects_in_a_shared_object(self):
        self.good(self.sh("$P gcc -mcmodel=large -fno-PIC -c h.c; gcc -shared -Wl,-z,notext h.o -o libh.so;"
                          " $P gcc m.c -L. -lh -Wl,-rpath,. -no-pie -o prog"), "")
        self.check_program(probes=1)

    def test_cxx_linked_by_the_c_compiler(self):
        """Without exceptions C++ needs no library of its own, and shall need none for its probes."""
        for compiler in ("gcc", "clang-19", "clang-14"):
            if not have(compiler):
                continue
            for flags in ("", "-fno-exceptions", "-std=c++98 -O2 -fno-pie"):
                with self.subTest(compiler=compiler, flags=flags):
                    self.good(self.sh(f"$P {compiler} -x c++ {flags} -c m.c; $P {compiler} -x c++ {flags} -c h.c;"
                                      f"{compiler} {'-no-pie' if '-fno-pie' in flags else ''} m.o h.o -o prog"))
                    self.check_program()

    def test_exceptions_in_every_kind_of_link(self):
        self.write("e.cc", "#include <cstdio>\n#include <stdexcept>\nint f(int a)\n{\n  if (a) throw std::runtime_error(\"42\");\n  return a;\n}\n"
                           "int main(int c, char **)\n{\n  try {\n    return f(c);\n  } catch (const std::exception &e) {\n"
                           "    std::puts(e.what());\n  }\n  return 3;\n}\n")
        for compiler in ("g++", "clang++-19"):
            if not have(compiler):
                continue
            for flags in ("", "-static", "-static-libstdc++ -static-libgcc", "-no-pie -O2", "-flto"):
                with self.subTest(compiler=compiler, flags=flags):
                    self.good(self.sh(f"$P {compiler} {flags} e.cc -o prog"))
                    self.check_program()

    def test_packed_structures(self):
        """-fpack-struct must not reach the monitor's structures."""
        for compiler in ("gcc", "clang-19"):
            if have(compiler):
                self.good(self.sh(f"$P {compiler} -fpack-struct=1 -c h.c; $P {compiler} -fpack-struct=1 -c m.c; {compiler} m.o h.o -o prog"))
                self.check_program()
                ran = self.run_here(ANDES, "exec", "./prog", env={"ANDES_OUT": compiler + ".andes"})
                self.assertEqual((ran.returncode, ran.stdout, ran.stderr), (3, "42\n", ""))
                self.assertIn("main/helper", self.run_here(ANDES, "show", "--csv", compiler + ".andes").stdout)

    def test_coverage_split_debug_and_sanitizers(self):
        plain = {}
        for flags in ("--coverage", "-g -gsplit-dwarf", "-fsanitize=address,undefined -g", "-g3 -gz", "-pg"):
            for word in ("", "$P "):
                with self.subTest(flags=flags, word=word):
                    self.good(self.sh(f"rm -rf o; mkdir o; cp m.c h.c o; cd o; {word}gcc {flags} m.c h.c -o prog"))
                    left = sorted(os.listdir(os.path.join(self.dir, "o")))
                    self.assertEqual(plain.setdefault(flags, left), left)
            self.check_program("o/prog")
        # What coverage counts are the user's lines.
        self.good(self.sh("rm -rf o; mkdir o; cp m.c h.c o; cd o; $P gcc --coverage m.c h.c -o prog; ./prog || true; gcov prog-h.gcno"))
        self.assertRegex(self.read("o/h.c.gcov"), r"1:\s+3:\s+return 42;")


class Launchers(Build):
    def test_compiler_caches(self):
        if not have("ccache"):
            self.skipTest("no ccache")
        cache = {"CCACHE_DIR": os.path.join(self.top, "cache"), "CCACHE_CONFIGPATH": "/dev/null"}
        for command in ("$P ccache gcc", "ccache $P gcc"):
            with self.subTest(command=command):
                for _ in range(2):
                    self.good(self.sh(f"{command} -c m.c; {command} -c h.c; {command} m.o h.o -o prog", **cache))
                    self.check_program()

    def hits(self, command, **environment):
        """How many of the objects that `command` makes come from an empty cache's second use."""
        if not have("ccache"):
            self.skipTest("no ccache")
        cache = {"CCACHE_DIR": os.path.join(self.top, "counted"), "CCACHE_CONFIGPATH": "/dev/null", **environment}
        self.good(self.sh(f"ccache -z; {command}", **cache))
        lines = dict(line.split("\t", 1) for line in self.sh("ccache --print-stats", **cache).stdout.splitlines())
        return int(lines["direct_cache_hit"]) + int(lines["preprocessed_cache_hit"])

    def test_a_cache_behind_knows_a_copy_again(self):
        for flags in ("-O1", "-O1 -g -MD"):
            with self.subTest(flags=flags):
                command = f"$P ccache gcc {flags} -c m.c; $P ccache gcc {flags} -c h.c"
                self.assertEqual([self.hits(command), self.hits(command)], [0, 2])
                self.good(self.sh("gcc m.o h.o -o prog"))
                self.check_program()

    def test_a_cache_in_front_sees_what_decides(self):
        """A selection and a setting are no part of the command, the source or the headers."""
        self.write("some.sel", "exclude *\n")
        def hits_and_probes(words, **environment):
            command = f"ccache {PREPROCESS} cc {words} gcc -c h.c"
            return self.hits(command, **environment), self.probes("h.o")

        self.write("some.sel", "exclude *\n")
        self.assertEqual([hits_and_probes("--select=some.sel") for _ in range(2)], [(0, 0), (1, 0)])
        self.write("some.sel", "include *\n")
        self.assertEqual([hits_and_probes("--select=some.sel") for _ in range(2)], [(0, 1), (1, 1)])
        self.write("none.sel", "exclude *\n")
        self.assertEqual([hits_and_probes("", ANDES_SELECT=select) for select in ("all", "none.sel", "all")],
                         [(0, 1), (0, 0), (1, 1)])

    def test_a_wrapper_that_compiles_elsewhere(self):
        """As distcc does: preprocess here, compile the result under another name."""
        self.write("far", '#!/bin/sh\ncase " $* " in *" -E "*) exec "$@";; *" -c "*) ;; *) exec "$@";; esac\n'
                          'for word; do case $word in -*) ;; *.c) source=$word;; esac; done\n'
                          '"$@" -E -o far.i && exec "$1" -c far.i -o "$(basename "$source" .c).o"\n')
        os.chmod(os.path.join(self.dir, "far"), 0o755)
        self.good(self.sh("$P ./far gcc -c m.c; $P ./far gcc -c h.c; $P ./far gcc m.o h.o -o prog"))
        self.check_program()

    def test_compilers_unknown_to_andes_pass_through(self):
        self.write("nvcc", '#!/bin/sh\ncase " $* " in *" -E "*|*" -v "*) echo "nvcc fatal: unknown option" >&2; exit 1;; esac\nexec gcc "$@"\n')
        os.chmod(os.path.join(self.dir, "nvcc"), 0o755)
        self.write("k.cu", "__global__ void k() {}\n")
        done = self.sh("$P ./nvcc -c h.c; $P ./nvcc m.c h.o -o prog")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertLessEqual(len(done.stderr.splitlines()), 2)
        self.check_program(probes=self.probes("prog"))
        done = self.sh("$P ./nvcc -x c /dev/null -c -o k.o; $P ./nvcc -dM --version >version")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_modes_in_which_nothing_is_compiled(self):
        for words in ("-E m.c", "-M m.c", "-MM m.c", "-fsyntax-only m.c", "--version", "-dumpmachine", "-print-search-dirs",
                      "-E -dM -x c /dev/null", "-Q --help=warnings", "-print-file-name=libc.so"):
            plain, ours = self.run_here("gcc", *words.split()), self.sh(f"$P gcc {words}")
            self.assertEqual((plain.returncode, plain.stdout, plain.stderr), (ours.returncode, ours.stdout, ours.stderr), words)

    def test_precompiled_headers(self):
        self.write("all.h", "#include <stdio.h>\n#define FROM_HEADER 42\n")
        self.write("h.c", '#include "all.h"\nint helper(void)\n{\n  return FROM_HEADER;\n}\n')
        self.good(self.sh("$P gcc -O1 all.h"))
        self.assertTrue(os.path.exists(os.path.join(self.dir, "all.h.gch")))
        self.good(self.sh("$P gcc -O1 -Winvalid-pch m.c h.c -o prog"))
        self.check_program()


if __name__ == "__main__":
    unittest.main()
