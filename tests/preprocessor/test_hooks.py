"""--hooks: C and C++ that Clang cannot read get the compiler's own hooks, and nothing else changes."""
import re
import unittest

from support.build import PREPROCESS
from support.preprocessor import InDirectory, have

NESTED = "int twice(int a) { int add(int b) { return a + b; } return add(a); }\n"
READABLE = "int twice(int); int main(void) { return twice(2) - 4; }\n"


class HooksOfC(InDirectory):

    def hooked(self, object_file):
        """Whether an object calls the hooks."""
        return "__cyg_profile_func_enter" in self.run_here("nm", "-u", object_file).stdout

    def test_a_source_that_clang_cannot_read(self):
        self.write("n.c", NESTED)
        line = r"andes: n\.c: %s: Clang cannot read it \(n\.c:1: .*\)%s\n"
        done = self.cc("gcc", "-c", "n.c")
        self.assertEqual(done.returncode, 0)
        self.assertRegex(done.stderr, "^" + line % ("not instrumented", "; compiled unchanged") + "$")
        self.assertFalse(self.hooked("n.o"))
        for how, env in ((["--hooks"], {}), ([], {"ANDES_HOOKS": "on"})):
            with self.subTest(how=how):
                done = self.cc(*how, "gcc", "-c", "n.c", env=env)
                self.assertEqual(done.returncode, 0)
                self.assertRegex(done.stderr, "^" + line % ("instrumented by the compiler's hooks", "") + "$")
                self.assertTrue(self.hooked("n.o"))

    def test_what_clang_reads_has_probes(self):
        self.write("r.c", READABLE)
        done = self.cc("--hooks", "gcc", "-c", "r.c")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual((self.hooked("r.o"), self.probes("r.o")), (False, 1))

    def test_one_way_in_one_command(self):
        """The source that can be read has its probes, the other stays as it is: never both in one."""
        self.write("n.c", NESTED)
        self.write("r.c", READABLE)
        done = self.cc("--hooks", "gcc", "n.c", "r.c", "-o", "p")
        self.assertEqual(self.run_here("./p").returncode, 0)
        self.assertEqual((self.hooked("p"), self.probes("p")), (False, 1))
        self.assertIn("n.c: not instrumented: Clang cannot read it", done.stderr)

    def test_errors_are_the_compilers_and_once(self):
        self.write("e.c", NESTED + "int f(void) { return undeclared; }\n")
        plain = self.run_here("gcc", "-c", "e.c")
        done = self.cc("--hooks", "gcc", "-c", "e.c")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (1, plain.stdout, plain.stderr))

    def test_rules_for_files_hold_and_others_are_said_not_to(self):
        self.write("n.c", NESTED)
        self.write("files", "SCOREP_FILE_NAMES_BEGIN\nEXCLUDE n.c\nSCOREP_FILE_NAMES_END\n")
        self.run_here(PREPROCESS, "cc", "--hooks", "--select", "files", "gcc", "-c", "n.c")
        self.assertFalse(self.hooked("n.o"))
        self.write("functions", "exclude add\n")
        done = self.run_here(PREPROCESS, "cc", "--hooks", "--select", "functions", "gcc", "-c", "n.c")
        self.assertTrue(self.hooked("n.o"))
        self.assertIn("andes: n.c: rules for functions do not apply: the compiler's hooks do not know names "
                      "of C and C++\n", done.stderr)

    @unittest.skipUnless(have("g++"), "no g++")
    def test_functions_of_system_headers_have_no_hooks(self):
        self.write("v.cc", "#include <vector>\n"
                   "int sum(const std::vector<int>& v) { int s = 0; for (int i : v) s += i; return s; }\n"
                   "int main() { std::vector<int> v(3, 1); v.push_back(2);\n"
                   "  int sum_of_all = sum(v); __builtin_clear_padding(&sum_of_all); return sum_of_all - 5; }\n")
        done = self.cc("--hooks", "g++", "-O0", "v.cc", "-o", "v")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("v.cc: instrumented by the compiler's hooks: Clang cannot read it", done.stderr)
        self.assertEqual(self.run_here("./v").returncode, 0)
        text = self.run_here("objdump", "-d", "--no-show-raw-insn", "-C", "v").stdout
        hooked = {name for name, body in re.findall(r"^\w+ <(.*)>:\n((?:.+\n)+)", text, re.M)
                  if re.search(r"call.*__cyg_profile_func_enter", body)}
        self.assertEqual(hooked, {"main", "sum(std::vector<int, std::allocator<int> > const&)"})


if __name__ == "__main__":
    unittest.main()
