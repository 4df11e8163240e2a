"""CMake: the launcher in a project with what projects have: static, shared and object libraries, a
unity build, link-time optimisation, precompiled headers, generated sources, a try_compile or two."""
import unittest

from support.build import ANDES
from support.preprocessor import InDirectory, have

PROJECT = """\
cmake_minimum_required(VERSION 3.16)
project(p C CXX)
include(CheckIncludeFile)
include(CheckFunctionExists)
include(CheckCXXSourceRuns)
include(CheckTypeSize)
check_include_file(stdint.h HAVE_STDINT)
check_include_file(nowhere.h HAVE_NOWHERE)
check_function_exists(strdup HAVE_STRDUP)
check_function_exists(no_such_function HAVE_NO_SUCH)
check_cxx_source_runs("int main() { return 0; }" RUNS)
check_cxx_source_runs("int main() { return 1; }" RUNS_NOT)
check_type_size(long LONG)
include(TestBigEndian)
test_big_endian(BIG)
file(WRITE ${CMAKE_BINARY_DIR}/answers "${HAVE_STDINT} ${HAVE_NOWHERE} ${HAVE_STRDUP} ${HAVE_NO_SUCH} ${RUNS} ${RUNS_NOT} ${LONG} ${BIG}")
add_custom_command(OUTPUT made.c COMMAND ${CMAKE_COMMAND} -E copy ${CMAKE_SOURCE_DIR}/made.in made.c DEPENDS made.in)
add_library(h STATIC h.c made.c)
add_library(s SHARED s.cc)
add_library(o OBJECT o.cc)
add_executable(u u1.cc u2.cc u3.cc)
set_target_properties(u PROPERTIES UNITY_BUILD ON)
add_executable(m m.cc $<TARGET_OBJECTS:o>)
target_link_libraries(m h s)
target_precompile_headers(m PRIVATE <vector>)
set_property(TARGET h PROPERTY INTERPROCEDURAL_OPTIMIZATION ON)
"""


class CMake(InDirectory):
    def build(self, name, *settings):
        done = self.run_here("cmake", "-S", ".", "-B", name, "-G", "Ninja" if have("ninja") else "Unix Makefiles",
                             "-DCMAKE_BUILD_TYPE=Debug", *settings)
        self.assertEqual(done.returncode, 0, done.stderr)
        done = self.run_here("cmake", "--build", name, "-j2")
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        return self.read(name + "/answers"), self.run_here(name + "/m").returncode, self.run_here(name + "/u").returncode

    def test_a_project(self):
        self.write("CMakeLists.txt", PROJECT)
        self.write("h.c", "int made(void);\nint h(void)\n{\n  return made() + 39;\n}\n")
        self.write("made.in", '#line 10 "made.y"\nint made(void);\nint made(void)\n{\n  return 1;\n}\n')
        self.write("s.cc", "int s()\n{\n  return [] { return 2; }();\n}\n")
        self.write("o.cc", "namespace {\nint local() { return 0; }\n}\nint o()\n{\n  return local();\n}\n")
        self.write("m.cc", 'extern "C" int h();\nint s();\nint o();\nint main()\n{\n  std::vector<int> v{h(), s(), o()};\n'
                           "  return v[0] + v[1] + v[2];\n}\n")
        for n in "123":  # in a unity build each .cc is included by one that CMake writes
            other = "int u2();\nint u3();\nint main() { return u2() * u3(); }\n" if n == "1" else f"int u{n}();\nint u{n}() {{ return {n}; }}\n"
            self.write(f"u{n}.cc", other)
        launcher = f"{ANDES};cc;--select=all"
        plain = self.build("plain")
        ours = self.build("ours", "-DCMAKE_C_COMPILER_LAUNCHER=" + launcher, "-DCMAKE_CXX_COMPILER_LAUNCHER=" + launcher)
        self.assertEqual(plain, ours)
        self.assertEqual(ours[1:], (42, 6))
        self.assertEqual((self.probes("ours/m"), self.probes("ours/libs.so")), (5, 2))
        again = self.run_here("cmake", "--build", "ours").stdout
        self.assertTrue("no work to do" in again or "Built target m" in again, again)


if __name__ == "__main__":
    unittest.main()
