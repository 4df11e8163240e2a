"""andes cc as a user meets it: the compiler's command line in all its forms, builds that must not
break, messages."""
import os
import signal
import subprocess
import unittest

from support.build import PREPROCESS
from support.preprocessor import InDirectory, have
from support.waiting import wait_until

MAIN = '#include <stdio.h>\nint helper(void);\nint main(void) { printf("%d\\n", helper()); return 3; }\n'
HELPER = "int helper(void)\n{\n  return 42;\n}\n"
WARNS = ("#include \"side.h\"\n"
         "int f(int a) { int unused; return a; }   int g(void) {return  undeclared_type_free();}\n"
         "\tint h(void)\t{\tint tabbed;\treturn 1 == 1.0f; }\n")
SIDE = "static int undeclared_type_free(void) { int in_header; return 0; }\n"


class Same(InDirectory):
    """What both compilations leave behind is the same, byte for byte."""

    def both(self, *command, files=()):
        results = []
        for through_andes in (False, True):
            done = self.cc(*command) if through_andes else self.run_here(*command)
            left = {name: self.read(name) for name in files if os.path.exists(os.path.join(self.dir, name))}
            results.append((done.returncode, done.stdout, done.stderr, left))
            if not through_andes:
                for name in files:
                    os.remove(os.path.join(self.dir, name))
        self.assertEqual(results[0], results[1])
        return results[1]

    def test_messages_of_source_and_header(self):
        self.write("w.c", WARNS)
        self.write("side.h", SIDE)
        status, _, stderr, _ = self.both("gcc", "-Wall", "-Wextra", "-Wfloat-equal", "-c", "w.c")
        self.assertEqual(status, 0)
        self.assertIn("side.h:1:45", stderr)
        self.assertEqual(self.probes("w.o"), 4)

    def test_messages_of_nested_headers(self):
        self.write("w.cc", '#include "sub/a.h"\nint main() { return a(); }\n')
        self.write("sub/a.h", '#include "b.h"\n')
        self.write("sub/b.h", "static int a() { int unused; return sizeof(__FILE__); }\n")
        self.both("g++", "-Wall", "-MMD", "-c", "w.cc", files=["w.d"])
        self.assertGreater(self.probes("w.o"), 0)

    def test_errors_appear_once(self):
        self.write("e.c", "int f(void) { return undeclared; }\n")
        status, _, stderr, _ = self.both("gcc", "-c", "e.c")
        self.assertEqual((status, stderr.count("undeclared’") + stderr.count("'undeclared'")), (1, 1))

    def test_warnings_as_errors_appear_once(self):
        self.write("e.c", "int f(void) { int unused; return 0; }\n")
        status, _, stderr, _ = self.both("gcc", "-Wall", "-Werror", "-c", "e.c")
        self.assertEqual((status, stderr.count("unused variable")), (1, 1))

    INLINES = ("extern int work(int);\nstatic inline int marked(int n)\n{\n  int s = 0;\n"
               "  for (int i = 0; i < n; i++) s += work(i);\n  return s;\n}\n"
               "int many(int n) { return marked(n) + marked(n + 1) + marked(n + 2) + marked(n + 3); }\n")

    def test_warnings_that_probes_would_cause_do_not_appear(self):
        self.write("i.c", self.INLINES)
        self.write("u.c", self.INLINES + "int f(void) { int unused; return 0; }\n")
        _, _, copied, _ = self.both("gcc", "-O2", "-Winline", "-c", "i.c")
        self.assertEqual((copied, self.probes("i.o")), ("", 2))
        _, _, copied, _ = self.both("gcc", "-O2", "-Winline", "-Wall", "-MMD", "-c", "u.c", files=["u.d"])
        self.assertEqual((copied.count("unused variable"), self.probes("u.o")), (1, 3))
        for limit in ("-Wstack-usage=64", "-Wframe-larger-than=64"):
            with self.subTest(limit=limit):
                self.write("s.c", "int work(int*);\nint f(void) { int a[2]; int b[2]; work(a); return work(b); }\n")
                _, _, copied, _ = self.both("gcc", "-O2", limit, "-c", "s.c")
                self.assertEqual((copied, self.probes("s.o")), ("", 1))

    UNINITIALIZED = ("#include <stdio.h>\nint work(int *);\nint f(int n)\n{\n  int s;\n  if (n > 2) s = work(&n);\n"
                     "  return s + work(&n);\n}\n")

    def test_warnings_of_the_users_own_appear_as_without_probes(self):
        """From a run that makes nothing: the object and the dependency file are those of the copies."""
        for name, compiler in (("m.c", "gcc"), ("m.cc", "g++")):
            self.write(name, self.UNINITIALIZED)
            for words in (["-MMD"], ["-g", "-MD", "-MF", "m.d"], ["-fopenmp", "-MMD", "-MP", "-pipe"]):
                with self.subTest(compiler=compiler, words=words):
                    stderr = self.both(compiler, "-O2", "-Wall", "-Wextra", *words, "-c", name, files=["m.d"])[2]
                    self.assertEqual((stderr.count("[-Wmaybe-uninitialized]"), self.probes("m.o")), (1, 1))
            status, _, stderr, _ = self.both(compiler, "-O2", "-Wall", "-Werror", "-c", name)
            self.assertEqual((status, stderr.count("[-Werror=maybe-uninitialized]")), (1, 1))

    def test_messages_of_the_assembler_stay_beside_those_of_the_optimiser(self):
        self.write("m.c", self.UNINITIALIZED + '__asm__(".warning \\"told by the assembler\\"");\n')
        stderr = self.both("gcc", "-O2", "-Wall", "-pipe", "-c", "m.c")[2]
        self.assertEqual((stderr.count("[-Wmaybe-uninitialized]"), stderr.count("told by the assembler"), self.probes("m.o")), (1, 1, 1))

    def test_a_function_without_its_return_is_warned_about_where_it_was(self):
        """In C++ at its last call, which with a probe is not the last thing that it does."""
        self.write("r.cc", "#include <cstdio>\nint f(int x) {\n  for (int i = 0; i < x; ++i) std::puts(\"a\");\n"
                           "  if (x > 3) return 3;\n  std::puts(\"b\");\n\n}\n")
        copied = self.both("g++", "-O2", "-Wall", "-c", "r.cc")[2]
        self.assertEqual((copied.count("r.cc:5:"), self.probes("r.o")), (1, 1))

    def test_warnings_that_probes_would_cause_are_no_errors(self):
        self.write("i.c", self.INLINES)
        for error in ("-Werror", "-Werror=inline"):
            with self.subTest(error=error):
                status, _, stderr, _ = self.both("gcc", "-O2", "-Winline", error, "-c", "i.c")
                self.assertEqual((status, stderr, self.probes("i.o")), (0, "", 2))
        text = self.both("gcc", "-O2", "-Winline", "-Wstack-usage=1", "-c", "i.c")[2]
        self.assertEqual(text.count("stack usage"), 1)
        done = self.cc("gcc", "-O2", "-Winline", "-Werror", "-S", "-o", "-", "i.c")
        self.assertEqual((done.returncode, done.stderr, done.stdout.count("\nmany:\n")), (0, "", 1))
        self.assertIn("andes_sites_", done.stdout)

    def test_linker_errors_appear_once(self):
        self.write("m.c", MAIN)
        done = self.cc("gcc", "m.c", "-o", "m")
        self.assertEqual((done.returncode, done.stderr.count("undefined reference")), (1, 1))
        self.assertNotIn("andes:", done.stderr)

    def test_error_from_a_directory_above(self):
        self.write("sub/e.c", "int f(void) { return undeclared; }\n")
        self.both("gcc", "-c", "./sub/e.c")

    def test_dependencies_in_all_forms(self):
        self.write("src/side.h", SIDE)
        for index in range(12):  # enough for lines to wrap, and one that stands beside the source
            self.write(f"src/a_header_with_a_name_{index}.h", "")
        many = "".join(f'#include "a_header_with_a_name_{i}.h"\n' for i in range(12))
        self.write("src/w.c", many + "#include <stdio.h>\n" + WARNS)
        for compiler in ("gcc", "clang-19"):
            if not have(compiler):
                continue
            for form in (["-MD"], ["-MMD", "-MP"], ["-MMD", "-MF", "x.dep"], ["-MD", "-MT", "a b.o"],
                         ["-MMD", "-MQ", "$x.o", "-MP"], ["-Wp,-MD,x.dep"], ["-MMD", "-o", "y.o"]):
                with self.subTest(compiler=compiler, form=form):
                    file = "x.dep" if "x.dep" in " ".join(form) else "y.d" if "y.o" in form else "w.d"
                    _, _, _, left = self.both(compiler, "-w", *form, "-c", "src/w.c", files=[file])
                    self.assertIn("a_header_with_a_name_3.h", left[file])
                    self.assertEqual(self.probes("y.o" if "y.o" in form else "w.o"), 4)

    def test_dependencies_of_compile_and_link(self):
        self.write("m.c", MAIN)
        self.write("h.c", HELPER)
        self.both("gcc", "-MMD", "m.c", "h.c", "-o", "app", files=["app.d"])
        self.both("gcc", "-MMD", "m.c", "h.c", files=["a-m.d", "a-h.d"])

    def test_headers_above_the_source(self):
        self.write("w.c", '#include "../up.h"\n' + MAIN)
        self.write("sub/deep/w.c", '#include "../../../up.h"\n' + MAIN)
        with open(os.path.join(self.top, "up.h"), "w") as file:
            file.write("static int up(void) { int unused; return sizeof(__FILE__); }\n")
        decoy = os.path.join(self.tmp, "andes-compilers-decoy")
        os.mkdir(decoy)  # near the copies, were they not deep enough
        for place in (self.tmp, decoy):
            with open(os.path.join(place, "up.h"), "w") as file:
                file.write("#error wrong header\n")
        try:
            for path in ("w.c", "sub/deep/w.c"):
                with self.subTest(path=path):
                    self.both("gcc", "-Wall", "-MMD", "-c", path, files=["w.d"])
                    self.assertEqual(self.probes("w.o"), 2)
        finally:
            os.remove(os.path.join(self.tmp, "up.h"))

    def test_dot_slash_and_absolute_paths(self):
        self.write("w.c", WARNS)
        self.write("side.h", SIDE)
        for path in ("./w.c", os.path.join(self.dir, "w.c"), "../here/w.c"):
            with self.subTest(path=path):
                self.both("gcc", "-Wall", "-MMD", "-c", path, files=["w.d"])

    def test_carriage_returns_and_byte_order_mark(self):
        self.write("c.c", b"\xef\xbb\xbfint f(void) { int a; return 1; }\r\nint g(void)\r\n{\r\n  int b;\r\n"
                          b"  return 2;\r\n}\r\nint h(void) {\r\n  return 1;\r\n}\r\n", "wb")
        self.both("gcc", "-Wall", "-c", "c.c")
        self.assertEqual(self.probes("c.o"), 3)

    def test_generated_source_with_line_directives(self):
        self.write("g.c", '#line 100 "grammar.y"\nint f(void) { int unused; return 1; }\n'
                          '#line 7 "g.c"\nint g(void) { int unused; return __LINE__; }\n')
        self.both("gcc", "-Wall", "-g", "-c", "g.c")
        shown = self.instrument("g.c").stdout
        self.assertIn('ANDES_SITE("f", "grammar.y", 100,', shown)
        self.assertIn('ANDES_SITE("g", "g.c", 7,', shown)

    def test_prefix_maps_of_the_user(self):
        path = self.write("sub/p.c", "const char *file(void) { return __FILE__; }\nconst char *b = __BASE_FILE__;\n")
        for flags in (["-ffile-prefix-map=" + self.dir + "=."], ["-fdebug-prefix-map=" + self.dir + "=/x"],
                      ["-ffile-prefix-map=/none=/y", "-fmacro-prefix-map=" + self.dir + "/sub=z"]):
            with self.subTest(flags=flags):
                seen = []
                for through_andes in (False, True):
                    command = ["gcc", "-g", *flags, "-c", path]
                    (self.cc if through_andes else self.run_here)(*command)
                    dump = self.run_here("readelf", "--debug-dump=info", "p.o").stdout
                    unit = dump[dump.index("DW_TAG_compile_unit"):]
                    seen.append([line.split(": ")[-1] for line in unit.splitlines()
                                 if "DW_AT_name" in line or "DW_AT_comp_dir" in line][:2])
                    strings = self.run_here("strings", "-a", "p.o").stdout
                    seen[-1].append([s for s in strings.splitlines() if s.endswith("p.c") and "/" in s])
                self.assertEqual(seen[0][:2], seen[1][:2])
                self.assertNotIn("andes-", "".join(seen[1][2]))

    def test_debug_information_of_inlined_functions(self):
        """What `readelf` shows of the object: inlined functions by default, and variables where somebody wants more."""
        self.write("i.c", "static int twice(int n) { int local = n; return 2 * local; }\n"
                          "int f(int n) { return twice(n) + twice(n + 1); }\n")
        wrapper = self.write("wrapped/gcc", "#!/bin/sh\nexec gcc -g \"$@\"\n")
        os.chmod(wrapper, 0o755)
        for compiler, flags, inlined, variables in (
                ("gcc", [], True, False), ("clang", [], True, False), ("gcc", ["-g0"], False, False),
                ("gcc", ["-g"], True, True), (wrapper, [], True, True), (wrapper, ["-g0"], False, False)):
            with self.subTest(compiler=compiler, flags=flags):
                done = self.cc(compiler, "-O2", *flags, "-c", "i.c")
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                info = self.run_here("readelf", "--debug-dump=info", "i.o").stdout
                self.assertEqual(("DW_TAG_inlined_subroutine" in info, "DW_TAG_formal_parameter" in info),
                                 (inlined, variables))


class Commands(InDirectory):
    def expect(self, done, status=0, stderr=""):
        self.assertEqual((done.returncode, done.stderr), (status, stderr))

    def setUp(self):
        super().setUp()
        self.write("m.c", MAIN)
        self.write("h.c", HELPER)

    def check_program(self, name="a.out", probes=2):
        ran = self.run_here(os.path.join(self.dir, name))
        self.assertEqual((ran.returncode, ran.stdout, ran.stderr), (3, "42\n", ""))
        self.assertEqual(self.probes(name), probes)

    def test_compile_then_link(self):
        self.expect(self.cc("gcc", "-c", "m.c"))
        self.expect(self.cc("gcc", "-c", "h.c", "-o", "other.o"))
        self.expect(self.cc("gcc", "m.o", "other.o", "-o", "prog"))
        self.check_program("prog")
        self.assertEqual(sorted(os.listdir(self.dir)), ["h.c", "m.c", "m.o", "other.o", "prog"])

    def test_compile_and_link_at_once(self):
        self.expect(self.cc("gcc", "m.c", "h.c"))
        self.check_program()
        self.assertEqual(sorted(os.listdir(self.dir)), ["a.out", "h.c", "m.c"])

    def test_forced_language(self):
        os.rename(os.path.join(self.dir, "h.c"), os.path.join(self.dir, "h.txt"))
        self.expect(self.cc("gcc", "m.c", "-x", "c", "h.txt", "-x", "none", "-lm"))
        self.check_program()

    def test_standard_input_and_preprocessing_pass_through(self):
        self.expect(self.cc("gcc", "-x", "c", "-c", "-o", "s.o", "-", stdin=HELPER))
        self.assertEqual(self.probes("s.o"), 0)
        for flag in ("-E", "-M", "-MM", "-fsyntax-only"):
            plain, ours = self.run_here("gcc", flag, "m.c"), self.cc("gcc", flag, "m.c")
            self.assertEqual((plain.stdout, plain.stderr), (ours.stdout, ours.stderr))
        self.assertIn("gcc", self.cc("gcc", "--version").stdout.lower())

    def test_assembly(self):
        self.expect(self.cc("gcc", "-S", "h.c"))
        self.assertIn('.file\t"h.c"', self.read("h.s"))
        self.assertNotIn(self.tmp, self.read("h.s"))
        self.assertIn("andes_sites_", self.cc("gcc", "-S", "h.c", "-o", "-").stdout)

    def test_response_file(self):
        self.write("args", '-DX="1 2" -c h.c -o \'out file.o\'\n')
        self.expect(self.cc("gcc", "@args"))
        self.assertEqual(self.probes("out file.o"), 1)

    def test_sources_in_several_directories(self):
        self.write("a/x.c", '#include "h.h"\nint x(void) { return A; }\n')
        self.write("b/x.c", '#include "h.h"\nint x(void);\nint main(void) { return x() + B; }\n')
        self.write("a/h.h", "#define A 1\n")
        self.write("b/h.h", "#define B 2\n")
        self.expect(self.cc("gcc", "a/x.c", "b/x.c", "-o", "prog"))
        self.assertEqual(self.run_here("./prog").returncode, 3)
        self.assertEqual(self.probes("prog"), 2)

    def test_a_header_of_the_same_name_beside_the_source(self):
        self.write("config.h", "#error wrong one\n")
        self.write("inc/lib.h", '#include "config.h"\n')
        self.write("build/config.h", "#define VALUE 5\n")
        self.write("s.c", '#include <lib.h>\nint main(void) { return VALUE; }\n')
        self.expect(self.cc("gcc", "-Iinc", "-Ibuild", "s.c", "-o", "prog"))
        self.assertEqual((self.run_here("./prog").returncode, self.probes("prog")), (5, 1))

    def test_source_that_includes_itself(self):
        self.write("self.c", '#ifndef T\n#define T int\n#include "self.c"\n#undef T\n#define T long\n#endif\n'
                             "#define CAT(a, b) a##b\n#define NAME(t) CAT(f_, t)\nT NAME(T)(T x) { return x; }\n"
                             "#undef CAT\n#undef NAME\n")
        self.expect(self.cc("gcc", "-c", "self.c"))
        self.assertEqual(self.probes("self.o"), 2)

    def test_what_clang_cannot_read(self):
        self.write("n.c", "int main(void)\n{\n  int nested(int x) { return x + 2; }\n  return nested(1);\n}\n")
        done = self.cc("gcc", "n.c", "-o", "prog")
        self.expect(done, 0, "andes: n.c: not instrumented: Clang cannot read it (n.c:3: function definition is not "
                             "allowed here); compiled unchanged\n")
        self.assertEqual(self.run_here("./prog").returncode, 3)

    def test_copy_that_does_not_compile(self):
        # The size of this function is checked by the assembler: no probe fits in.
        self.write("a.c", 'int f(void) {\n__asm__("begin_f:");\n return 0; }\n'
                          '__asm__(".if (. - f) > 24\\n.error \\"too long\\"\\n.endif");\n')
        done = self.cc("gcc", "-O1", "-fno-toplevel-reorder", "-c", "a.c")
        plain = self.run_here("gcc", "-O1", "-fno-toplevel-reorder", "-c", "a.c")
        self.assertEqual(plain.returncode, 0, plain.stderr)
        self.expect(done, 0, "andes: a.c: not instrumented: its instrumented copy does not compile; compiled "
                             "unchanged\n")

    def test_lambda_in_a_constant_expression_found_late(self):
        # Which lambda is called depends on a template: the second try leaves all such lambdas out.
        self.write("l.cc", "template <class F> constexpr int use(F f) { return f(2); }\n"
                           "template <class F> int bound(F) { int a[use(F{})]; return sizeof a; }\n"
                           "int main() { auto f = [](int x) { return x; }; return bound(f); }\n")
        self.expect(self.cc("g++", "-std=c++20", "-pedantic-errors", "l.cc", "-o", "prog"))
        self.assertEqual(self.run_here("./prog").returncode, 8)
        self.assertEqual(self.probes("prog"), 2)

    def test_exit_status_is_the_compilers(self):
        self.write("fake", "#!/bin/sh\nexit 37\n")
        os.chmod(os.path.join(self.dir, "fake"), 0o755)
        self.expect(self.cc("./fake", "-c", "h.c"), 37)

    def test_no_such_compiler(self):
        self.expect(self.cc("nosuchcc", "-c", "h.c"), 2,
                    "andes: nosuchcc: no such compiler; check its name, or give its full path\n")
        self.expect(self.cc(), 2, "andes: cc: no compiler given; write andes cc COMPILER ARGS\n")
        self.expect(self.cc("--what", "gcc"), 2, "andes: --what: not an option of cc; write andes cc [OPTIONS] "
                                                 "COMPILER ARGS (andes cc --help lists them)\n")

    def test_no_place_for_a_copy(self):
        self.expect(self.cc("gcc", "-c", "h.c", env={"TMPDIR": "/nonexistent"}), 0,
                    "andes: h.c: not instrumented: no directory for its copy could be made; set TMPDIR to one that "
                    "can be written\n")

    def test_macros_of_the_user_named_like_attributes(self):
        self.write("u.c", "#define unused __attribute__((__unused__))\n#define cleanup int\n#define site 5\n"
                          "static int f(unused int x)\n{\n  return site;\n}\nint main(void) { return f(1); }\n")
        self.expect(self.cc("gcc", "-Wall", "u.c", "-o", "prog"))
        self.assertEqual((self.run_here("./prog").returncode, self.probes("prog")), (5, 2))

    def test_missing_source(self):
        done, plain = self.cc("gcc", "-c", "none.c"), self.run_here("gcc", "-c", "none.c")
        self.assertEqual((done.returncode, done.stderr), (plain.returncode, plain.stderr))

    def test_selection(self):
        self.write("sel", "exclude *\ninclude help?r\n")
        self.expect(self.cc("--select", "sel", "gcc", "m.c", "h.c"))
        self.check_program(probes=1)
        self.expect(self.cc("--select=none.sel", "gcc", "m.c"), 2,
                    "andes: none.sel: the selection cannot be read (No such file or directory); name a file, all or "
                    "default\n")
        self.write("bad", "# comment\ninclude a\nomit b\n")
        self.expect(self.cc("--select", "bad", "gcc", "m.c"), 2,
                    "andes: bad:3: 'omit' is unknown; write include PATTERN or exclude PATTERN\n")

    def test_nothing_is_read_where_nothing_is_selected(self):
        self.write("none", "exclude *\n")
        self.write("n.c", "int main(void)\n{\n  int nested(int x) { return x; }\n  return nested(0);\n}\n")
        self.expect(self.cc("--select", "none", "gcc", "n.c", "-o", "prog"))  # Clang would have complained
        self.assertEqual(self.probes("prog"), 0)

    def test_small_functions_are_left_out_by_default(self):
        self.expect(self.cc("--select", "default", "gcc", "m.c", "h.c"))
        self.check_program(probes=1)
        self.write("sel", "include helper\n")
        self.expect(self.cc("--select", "sel", "gcc", "m.c", "h.c"))
        self.check_program(probes=2)
        done = self.run_here(PREPROCESS, "cc", "gcc", "m.c", "h.c")
        self.expect(done)
        self.check_program(probes=1)

    def test_freestanding_code_stays_as_it_is(self):
        self.expect(self.cc("gcc", "-ffreestanding", "-c", "h.c"))
        self.assertEqual(self.probes("h.o"), 0)

    def test_code_for_32_bits_stays_as_it_is(self):
        """The monitor has 64; the objects are not linked: a C library of 32 bits may not be there."""
        self.expect(self.cc("gcc", "-m32", "-c", "h.c"))
        self.assertEqual(self.probes("h.o"), 0)
        self.expect(self.cc("gcc", "-c", "h.c"))
        self.assertEqual(self.probes("h.o"), 1)

    def test_one_source_compiled_twice_into_one_program(self):
        self.write("t.c", "int NAME(void) { return 21; }\n")
        self.write("u.c", "int one(void), two(void);\nint main(void) { return one() + two(); }\n")
        for name in ("one", "two"):
            self.expect(self.cc("gcc", "-DNAME=" + name, "-c", "t.c", "-o", name + ".o"))
        self.expect(self.cc("gcc", "u.c", "one.o", "two.o", "-o", "prog"))
        self.assertEqual(self.run_here("./prog").returncode, 42)
        self.assertEqual(self.probes("prog"), 3)

    def test_special_builds(self):
        for flags in (["-fsanitize=address"], ["-fsanitize=undefined"], ["-flto", "-O2"], ["-static"], ["-no-pie"],
                      ["--coverage"], ["-O3", "-fno-inline"], ["-O2", "-D_FORTIFY_SOURCE=2"], ["-std=c89"],
                      ["-g", "-gsplit-dwarf"], ["-fopenmp"], ["-m64", "-march=native"], ["-save-temps"],
                      ["-masm=intel", "-O2"], ["-mcmodel=large", "-O2"]):
            with self.subTest(flags=flags):
                plain = self.run_here("gcc", *flags, "m.c", "h.c", "-o", "prog")
                self.assertEqual(plain.returncode, 0, plain.stderr)
                self.expect(self.cc("gcc", *flags, "m.c", "h.c", "-o", "prog"))
                self.check_program("prog")

    @unittest.skipUnless(have("clang++-19"), "needs the Clang that andes reads with")
    def test_importer_of_a_module(self):
        self.write("m.cppm", "export module m;\nexport int twice(int n) { return 2 * n; }\n")
        self.write("main.cc", "import m;\nint all(int n) { return twice(n); }\nint main() { return all(21); }\n")
        clang = ("clang++-19", "-std=c++20")
        for command in (("--precompile", "m.cppm", "-o", "m.pcm"), ("-c", "m.pcm", "-o", "m.o"),
                        ("-fmodule-file=m=m.pcm", "main.cc", "m.o", "-o", "p"), ("-fprebuilt-module-path=.", "main.cc", "m.o", "-o", "p")):
            done = self.cc(*clang, *command)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""), command)
            if command[-1] == "p":
                self.assertEqual((self.probes("p"), self.run_here("./p").returncode), (2, 42))

    def test_link_time_optimisation_of_what_needs_no_library(self):
        """As CMake links with INTERPROCEDURAL_OPTIMIZATION: the linker lets the C++ library go, which nothing seems to need."""
        self.write("g.c", "int g(int n) { return n; }\n")
        self.write("f.cc", 'extern "C" int g(int n);\nint f(int n) { int s = 0; for (int i = 0; i < n; ++i) s += g(i); return s; }\n'
                           "int main() { return f(4); }\n")
        self.assertEqual(self.run_here("gcc", "-c", "g.c").returncode, 0)
        for how in ("-flto", "-flto=auto"):
            done = self.cc("g++", "-O2", how, "-fno-fat-lto-objects", "-c", "f.cc")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            done = self.cc("g++", "-O2", how, "-Wl,--as-needed", "f.o", "g.o", "-o", "p")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertEqual(self.run_here("./p").returncode, 6)

    def test_shared_object(self):
        self.expect(self.cc("gcc", "-fPIC", "-shared", "h.c", "-o", "libh.so"))
        self.expect(self.cc("gcc", "m.c", "-L.", "-lh", "-Wl,-rpath," + self.dir))
        self.check_program(probes=1)

    def test_wrappers(self):
        for wrapper in ("mpicc.openmpi", "mpicc.mpich", "mpicc"):
            if not have(wrapper):
                continue
            with self.subTest(wrapper=wrapper):
                self.write("p.c", "#include <mpi.h>\nint main(int c, char **v)\n{\n  MPI_Init(&c, &v);\n"
                                  "  return MPI_Finalize();\n}\n")
                self.expect(self.cc(wrapper, "p.c", "-o", "prog"))
                self.assertEqual(self.probes("prog"), 1)

    def test_interrupt_leaves_nothing_behind(self):
        self.write("slow", "#!/bin/sh\ncase \" $* \" in *' -E '*) exec gcc \"$@\";; esac\ntouch started\nexec sleep 30\n")
        os.chmod(os.path.join(self.dir, "slow"), 0o755)
        process = subprocess.Popen([PREPROCESS, "cc", "--select", "all", "./slow", "-c", "h.c"], cwd=self.dir,
                                   env=dict(os.environ, **self.env))
        wait_until(lambda: os.path.exists(os.path.join(self.dir, "started")), 20)
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(timeout=600), -signal.SIGTERM)

    def test_questions_of_a_compiler_cache_have_one_more_line(self):
        self.write("fake", "#!/bin/sh\nexit 0\n")
        os.chmod(os.path.join(self.dir, "fake"), 0o755)
        cache = {"CCACHE_DISABLE": "1"}
        line = r'^# 1 "andes/[0-9a-f]{16}"\n$'
        for words in ([], ["-o", "-"]):
            self.assertRegex(self.cc("./fake", "-E", "h.c", *words, env=cache).stdout, line)
        for words in (["-o", "h.i"], ["-oj.i"]):
            self.expect(self.cc("./fake", "-E", "h.c", *words, env=cache))
            self.assertRegex(self.read(words[-1][-3:]), line)
        self.expect(self.cc("./fake", "-E", "h.c", "-o", "/dev/full", env=cache), 1,
                    "andes: /dev/full: cannot be written (No space left on device); make room, or set CCACHE_DISABLE\n")
        self.expect(self.cc("./fake", "-E", "h.c"))

    def test_answers_of_compilers_are_kept_and_private(self):
        self.expect(self.cc("gcc", "-c", "h.c"))
        kept = [name for name in os.listdir(self.tmp) if name.startswith("andes-compilers-")]
        self.assertEqual(len(kept), 1)
        directory = os.path.join(self.tmp, kept[0])
        self.assertEqual(os.stat(directory).st_mode & 0o777, 0o700)
        (answer,) = os.listdir(directory)
        with open(os.path.join(directory, answer), "w") as file:
            file.write("{ broken")
        self.expect(self.cc("gcc", "-c", "h.c"))
        self.assertEqual(self.probes("h.o"), 1)


class Builds(InDirectory):
    """As launcher of whole builds."""

    def test_cmake_project(self):
        self.write("CMakeLists.txt",
                   "cmake_minimum_required(VERSION 3.16)\nproject(p C CXX)\nset(CMAKE_CXX_STANDARD 20)\n"
                   "add_library(h STATIC src/h.c)\ntarget_include_directories(h PUBLIC inc)\n"
                   "add_library(s SHARED src/s.cc)\nadd_executable(m src/m.cc)\ntarget_link_libraries(m h s)\n"
                   "target_precompile_headers(m PRIVATE <vector>)\n")
        self.write("inc/h.h", "#ifdef __cplusplus\nextern \"C\"\n#endif\nint h(void);\n")
        self.write("src/h.c", '#include "h.h"\nint h(void) { return 40; }\n')
        self.write("src/s.cc", "int s() { return [] { return 2; }(); }\n")
        self.write("src/m.cc", '#include "h.h"\nint s();\nint main() { std::vector<int> v{h(), s()}; return v[0] + v[1]; }\n')
        launcher = f"{PREPROCESS};cc;--select=all"
        done = self.run_here("cmake", "-S", ".", "-B", "b", "-G", "Unix Makefiles", "-DCMAKE_C_COMPILER_LAUNCHER=" + launcher,
                             "-DCMAKE_CXX_COMPILER_LAUNCHER=" + launcher)
        self.assertEqual(done.returncode, 0, done.stderr)
        done = self.run_here("make", "-C", "b", "-j4")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(self.run_here("b/m").returncode, 42)
        self.assertEqual((self.probes("b/m"), self.probes("b/libs.so")), (2, 2))
        self.assertIn("Built target m", self.run_here("make", "-C", "b").stdout)
        with open(os.path.join(self.dir, "inc/h.h"), "a") as file:
            file.write("#define NEW 1\n")
        again = self.run_here("make", "-C", "b").stdout  # dependencies were recorded under their names
        self.assertIn("Building C object CMakeFiles/h.dir/src/h.c.o", again)


if __name__ == "__main__":
    unittest.main()
