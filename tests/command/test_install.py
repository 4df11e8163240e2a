"""An installation: complete, movable, found by CMake and pkg-config; the setup script's manners."""

import os
import shutil
import subprocess
import unittest

from support.build import BUILD, SOURCE
from support.command_line import CommandTest, main

SETUP = os.path.join(SOURCE, "setup")


class Install(CommandTest):
    def setUp(self):
        super().setUp()
        first = os.path.join(self.place, "first")
        subprocess.run(["cmake", "--install", BUILD, "--prefix", first], check=True,
                       capture_output=True, timeout=600)
        self.prefix = os.path.join(self.place, "moved")
        os.rename(first, self.prefix)

    def test_moved_installation_works(self):
        for path in ("bin/andes", "lib/andes/libandes.so", "lib/andes/libandes-finish.so",
                     "include/andes/probe.h", "share/andes/configs/andes.info"):
            self.assertTrue(os.path.exists(os.path.join(self.prefix, path)), path)
        andes = os.path.join(self.prefix, "bin", "andes")
        self.assertEqual(subprocess.run([andes, "--version"], capture_output=True, text=True,
                                        check=True).stdout, "andes 0.1.0\n")
        subprocess.run([andes, "run", "-o", "a.andes", "--", "sleep", "0"], cwd=self.work,
                       env=self.environment(), check=True, capture_output=True, timeout=600)
        self.assertEqual(self.facts("a.andes")["program"], "sleep")

    def test_found_by_cmake(self):
        self.write("CMakeLists.txt", """cmake_minimum_required(VERSION 3.16)
project(consumer LANGUAGES C)
find_package(andes 0.1 REQUIRED)
file(WRITE found.txt "${andes_COMPILER_LAUNCHER}")
add_executable(consumer main.c)
target_link_libraries(consumer PRIVATE andes::probes)
""")
        self.write("main.c", """#include <andes/probe.h>
static struct andes_site site = ANDES_SITE("main", "main.c", 3, ANDES_KIND_FUNCTION);
int main(void) { ANDES_PROBE(&site) return 0; }
""")
        subprocess.run("cmake -G Ninja -S . -B b -DCMAKE_PREFIX_PATH=%s && cmake --build b"
                       % self.prefix, shell=True, check=True, cwd=self.work, timeout=600,
                       capture_output=True)
        with open(os.path.join(self.work, "found.txt"), encoding="utf-8") as file:
            self.assertEqual(file.read(), os.path.join(self.prefix, "bin", "andes") + ";cc")
        subprocess.run([os.path.join(self.work, "b", "consumer")], check=True, timeout=600)

    @unittest.skipUnless(shutil.which("pkg-config"), "no pkg-config")
    def test_found_by_pkg_config(self):
        folder = next(where for where, _, names in os.walk(self.prefix) if "andes.pc" in names)
        env = dict(os.environ, PKG_CONFIG_PATH=folder)
        def ask(*words):
            return subprocess.run(["pkg-config", *words, "andes"], env=env, capture_output=True,
                                  text=True, check=True).stdout.strip()
        self.assertEqual(ask("--modversion"), "0.1.0")
        flags = [os.path.normpath(flag[2:]) for flag in ask("--cflags").split()]
        self.assertEqual(flags, [os.path.join(self.prefix, "include")])
        self.assertTrue(os.path.exists(ask("--variable=command")))

    def module(self, command, *arguments, **env):
        """The environment of a shell after a command of Environment Modules."""
        env = dict(self.environment(), MODULEPATH=os.path.join(self.prefix, "share", "modulefiles"),
                   MODULES_SILENT_SHELL_DEBUG="0", **env)
        for name in ("LOADEDMODULES", "_LMFILES_"):
            env.pop(name, None)
        shell = 'eval "$(modulecmd bash "$@")"; env'
        done = subprocess.run(["bash", "-c", shell, "bash", command, *arguments], env=env,
                              capture_output=True, text=True, timeout=600, check=True)
        return dict(line.split("=", 1) for line in done.stdout.splitlines() if "=" in line), done

    @unittest.skipUnless(shutil.which("modulecmd"), "no Environment Modules")
    def test_module(self):
        after, done = self.module("load", "andes", PKG_CONFIG_PATH="/elsewhere")
        self.assertEqual(done.stderr, "")
        first = after["PATH"].split(":")[0]
        self.assertEqual(first, os.path.join(self.prefix, "bin"))
        self.assertTrue(os.path.exists(os.path.join(first, "andes")))
        pc, other = after["PKG_CONFIG_PATH"].split(":")
        self.assertTrue(os.path.exists(os.path.join(pc, "andes.pc")))
        self.assertEqual(other, "/elsewhere")
        self.assertEqual(after["CMAKE_PREFIX_PATH"].split(":")[0], self.prefix)
        self.assertEqual(after["LOADEDMODULES"], "andes/0.1.0")
        _, done = self.module("whatis", "andes")
        self.assertIn("andes 0.1.0: ", done.stderr)
        if shutil.which("man"):
            page = subprocess.run(["man", "-w", "andes-run"], env=after, capture_output=True,
                                  text=True, timeout=600, check=True).stdout.strip()
            self.assertEqual(page, os.path.join(self.prefix, "share/man/man1/andes-run.1"))

    def test_licence_and_documents(self):
        place = os.path.join(self.prefix, "share", "doc", "andes")
        for name in ("LICENSE", "README.md", "docs/tutorial.md", "examples/jacobi.c"):
            self.assertTrue(os.path.exists(os.path.join(place, name)), name)

    def test_nothing_is_of_the_build(self):
        """No path of source or build tree, no search path, no cache of Python."""
        places = (BUILD.encode(), SOURCE.encode())
        for folder, folders, names in os.walk(self.prefix):
            self.assertNotIn("__pycache__", folders)
            for name in names:
                path = os.path.join(folder, name)
                with open(path, "rb") as file:
                    content = file.read()
                for place in places:
                    self.assertFalse(place in content, "%s names %s" % (path, place.decode()))
                if content.startswith(b"\x7fELF"):
                    dynamic = subprocess.run(["readelf", "-d", path], capture_output=True, text=True,
                                             check=True).stdout
                    self.assertNotRegex(dynamic, r"\((RPATH|RUNPATH)\)", path)

    def test_without_a_preprocessor(self):
        shutil.rmtree(os.path.join(self.prefix, "libexec"), ignore_errors=True)
        andes = os.path.join(self.prefix, "bin", "andes")
        self.write("a.c", "int main(void) { return 0; }\n")
        def run(*words):
            return subprocess.run([andes, *words], cwd=self.work, capture_output=True, text=True,
                                  timeout=600, check=False)
        done = run("instrument", "a.c")
        self.assertEqual((done.returncode, done.stderr), (
            2, "andes: instrument: this andes was built without its preprocessor; build it with "
               "Clang 19 and -DANDES_PREPROCESSOR=ON\n"))
        done = run("cc", "cc", "a.c", "-o", "a")
        self.assertEqual((done.returncode, done.stderr), (
            0, "andes: cc: not instrumented: this andes was built without its preprocessor; build "
               "it with Clang 19 and -DANDES_PREPROCESSOR=ON\n"))
        self.assertEqual(subprocess.run([os.path.join(self.work, "a")], check=False).returncode, 0)
        done = run("cc", "nosuchcc", "a.c")
        self.assertEqual((done.returncode, done.stderr), (
            2, "andes: nosuchcc: no such compiler; check the name after andes cc\n"))


class Layout(CommandTest):
    """The ways between the parts, as layout.cmake makes them of a packager's directories."""

    more = ""

    def configure(self, *definitions):
        self.write("CMakeLists.txt", """cmake_minimum_required(VERSION 3.25)
project(layout NONE)
include(%s/packaging/layout.cmake)
andes_way(way ${CMAKE_INSTALL_BINDIR} ${CMAKE_INSTALL_LIBDIR}/andes)
andes_way(back ${CMAKE_INSTALL_LIBEXECDIR}/andes ${CMAKE_INSTALL_INCLUDEDIR}/andes)
message("${way} ${back}")
file(RELATIVE_PATH libraries ${CMAKE_BINARY_DIR} ${ANDES_LIBRARY_DIR})
message("${libraries}")
""" % SOURCE + self.more)
        done = subprocess.run(["cmake", "-S", ".", "-B", "b", "--fresh", *definitions], cwd=self.work,
                              capture_output=True, text=True, timeout=600, check=False)
        return done.returncode, done.stderr

    def test_ways(self):
        libdir = "-DCMAKE_INSTALL_LIBDIR="
        for definitions, expected in (
                ((), "../lib/andes ../../include/andes\nlib/andes\n"),
                ((libdir + "lib64",), "../lib64/andes ../../include/andes\nlib64/andes\n"),
                ((libdir + "lib/x86_64-linux-gnu", "-DCMAKE_INSTALL_LIBEXECDIR=lib/a/b"),
                 "../lib/x86_64-linux-gnu/andes ../../../../include/andes\n"
                 "lib/x86_64-linux-gnu/andes\n"),
                (("-DCMAKE_INSTALL_PREFIX=/store/andes", libdir + "/store/andes/lib64"),
                 "../lib64/andes ../../include/andes\nlib64/andes\n")):
            self.assertEqual(self.configure(*definitions), (0, expected))

    def test_libraries_in_places_of_their_own(self):
        """An installed program keeps the way to a Clang that the dynamic linker does not search."""
        system, other = (os.path.join(self.place, name) for name in ("system", "other"))
        for path in (system, other):
            os.mkdir(path)
        for path in (os.path.join(system, "libsystem.so.1"), os.path.join(other, "libother.so.1")):
            with open(path, "w", encoding="utf-8"):
                pass
        os.symlink(os.path.join(system, "libsystem.so.1"), os.path.join(other, "liblinked.so.1"))
        self.more = """set(CMAKE_C_IMPLICIT_LINK_DIRECTORIES %s)
foreach(name system other linked)
  add_library(${name} SHARED IMPORTED)
endforeach()
set_target_properties(system PROPERTIES IMPORTED_LOCATION %s/libsystem.so.1)
set_target_properties(other PROPERTIES IMPORTED_LOCATION %s/libother.so.1)
set_target_properties(linked PROPERTIES IMPORTED_LOCATION %s/liblinked.so.1)
add_library(program INTERFACE)
andes_runtime_paths(program system linked other %s/libother.so.1 %s/libsystem.so.1)
get_target_property(paths program INSTALL_RPATH)
message("${paths}")
""" % (system, system, other, other, other, system)
        status, text = self.configure()
        self.assertEqual((status, text.splitlines()[-1]), (0, other))

    def test_outside_of_the_prefix(self):
        status, text = self.configure("-DCMAKE_INSTALL_PREFIX=/store/andes",
                                      "-DCMAKE_INSTALL_LIBDIR=/store/andes-lib")
        self.assertNotEqual(status, 0)
        self.assertIn("CMAKE_INSTALL_LIBDIR: /store/andes-lib is outside of the prefix /store/andes",
                      " ".join(text.split()))


class Setup(CommandTest):
    def setup_says(self, *words):
        done = subprocess.run([SETUP, *words], capture_output=True, text=True, timeout=600,
                              check=False)
        return done.returncode, done.stdout, done.stderr

    def test_help(self):
        status, text, _ = self.setup_says("--help")
        self.assertEqual(status, 0)
        for task in ("build", "test", "demo", "install --prefix DIR", "package", "bench", "sanitize"):
            self.assertIn("./setup " + task, text)

    def test_mistakes(self):
        self.assertEqual(self.setup_says("foo"), (
            2, "", "andes: setup: foo: no such task; ./setup --help lists them\n"))
        self.assertEqual(self.setup_says("build", "--mpi", "nosuchcc"), (
            2, "", "andes: setup: --mpi nosuchcc: no such compiler; give the path of an mpicc\n"))
        self.assertEqual(self.setup_says("build", "--nosuch"), (
            2, "", "andes: setup: --nosuch: not an option of setup build; ./setup --help lists "
                   "them\n"))
        self.assertEqual(self.setup_says("demo", "--quick"), (
            2, "", "andes: setup: --quick: not an option of setup demo; ./setup --help lists them\n"))
        self.assertEqual(self.setup_says("build", "mpi_table"), (
            2, "", "andes: setup: mpi_table: not an option of setup build; ./setup --help lists them\n"))
        self.assertEqual(self.setup_says("install"), (
            2, "", "andes: setup: no place to install to; give --prefix DIR\n"))

    @unittest.skipUnless(shutil.which("shellcheck"), "no shellcheck")
    def test_scripts_are_clean(self):
        done = subprocess.run(["shellcheck", SETUP, os.path.join(SOURCE, ".ci", "run"),
                               os.path.join(SOURCE, "packaging", "debian.sh")],
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.stdout, "")


if __name__ == "__main__":
    main()
