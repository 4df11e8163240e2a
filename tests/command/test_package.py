"""The Debian package: whole, described rightly, and fit for use where it is unpacked; the recipe for Spack.

The package is made of the build tree as it is; nothing is compiled for it but the README's program."""

import glob
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
import types
import unittest

from support.build import BUILD, SOURCE
from support.command_line import TIMEOUT_S, CommandTest, main
from support.environment import OF_OPEN_MPI

PACKAGING = os.path.join(SOURCE, "packaging")
README = os.path.join(SOURCE, "README.md")


def version():
    with open(os.path.join(SOURCE, "CMakeLists.txt"), encoding="utf-8") as file:
        return re.search(r"project\(andes VERSION (\S+)", file.read()).group(1)


def run(*words, **more):
    return subprocess.run(words, capture_output=True, text=True, timeout=TIMEOUT_S,
                          check=True, **more).stdout


@unittest.skipUnless(shutil.which("dpkg-deb") and shutil.which("dpkg-shlibdeps"), "no dpkg-dev")
class Debian(CommandTest):
    @classmethod
    def setUpClass(cls):
        cls.out = tempfile.mkdtemp(prefix="andes-package-")
        cls.addClassCleanup(shutil.rmtree, cls.out, ignore_errors=True)
        said = run(os.path.join(PACKAGING, "debian.sh"), BUILD, cls.out,
                   env=dict(os.environ, SOURCE_DATE_EPOCH="1700000000",
                            DPKG_DEB_COMPRESSOR_LEVEL="0"))
        cls.package, = glob.glob(os.path.join(cls.out, "*"))
        assert said == cls.package + "\n", said
        cls.root = os.path.join(cls.out, "root")
        run("dpkg-deb", "-x", cls.package, cls.root)

    def field(self, name):
        return run("dpkg-deb", "-f", self.package, name).strip()

    def test_control(self):
        self.assertEqual(self.field("Package"), "andes")
        self.assertEqual(self.field("Version"), version() + "-1")
        self.assertEqual(os.path.basename(self.package), "andes_%s_%s.deb"
                         % (self.field("Version"), self.field("Architecture")))
        needed = {word.split()[0] for word in self.field("Depends").split(",")}
        self.assertTrue(os.path.exists(os.path.join(self.root, "usr/lib/python3/dist-packages/andes/__init__.py")))
        self.assertRegex(self.field("Recommends"), r"^libpapi\d+(\.\d+)*$")
        suggested = {word.split()[0] for word in self.field("Suggests").split(",")}
        self.assertIn("libc6", needed)
        if os.path.exists(os.path.join(self.root, "usr", "libexec", "andes", "andes-preprocess")):
            with open(os.path.join(self.root, "usr/lib/andes/andes_reader.so"), "rb") as reader:
                self.assertEqual("libclang-cpp19" in needed, b"libclang-cpp" in reader.read())
            self.assertIn("libclang-common-19-dev", needed)
        self.assertIn("libdw1", needed)  # of a library that is no wrapper, and links with no MPI
        wrapped = {path for path in ("openmpi", "mpich")
                   if os.path.exists(os.path.join(self.root, "usr/lib/andes/libandes-%s.so" % path))}
        self.assertEqual(len([name for name in suggested if "mpi" in name]), len(wrapped))
        self.assertFalse([name for name in needed if "mpi" in name], needed)

    def test_content(self):
        control = os.path.join(self.place, "control")
        run("dpkg-deb", "-e", self.package, control)
        with open(os.path.join(control, "md5sums"), encoding="utf-8") as file:
            summed = [line.split(None, 1)[1].strip() for line in file]
        here = sorted(os.path.relpath(os.path.join(folder, name), self.root)
                      for folder, _, names in os.walk(self.root) for name in names
                      if not os.path.islink(os.path.join(folder, name)))
        self.assertEqual(sorted(summed), here)
        run("md5sum", "--quiet", "-c", os.path.join(control, "md5sums"), cwd=self.root)
        listed = run("dpkg-deb", "-c", self.package).splitlines()
        self.assertEqual({line.split()[1] for line in listed}, {"root/root"})
        for path in ("bin/andes", "share/doc/andes/copyright", "share/doc/andes/changelog.Debian.gz",
                     "share/man/man1/andes-run.1.gz", "share/zsh/vendor-completions/_andes",
                     "share/bash-completion/completions/andes"):
            self.assertIn("usr/" + path, here)

    def test_nothing_is_of_the_build(self):
        for folder, _, names in os.walk(self.root):
            for name in names:
                with open(os.path.join(folder, name), "rb") as file:
                    content = file.read()
                for place in (BUILD, SOURCE, self.out):
                    self.assertNotIn(place.encode(), content, name)

    def test_readme(self):
        """The commands of the README, as printed, with each MPI library, from where it is unpacked."""
        with open(README, encoding="utf-8") as file:
            script = re.search(r"<!-- tested: begin -->\s*```sh\n(.*?)```", file.read(), re.S).group(1)
        for said, done in (("2048 500", "200 40"), ("--repeat 6", "--repeat 2")):
            self.assertIn(said, script)
            script = script.replace(said, done)
        installed = os.path.join(self.root, "usr", "bin")
        for kind in ("openmpi", "mpich"):
            if not shutil.which("mpicc." + kind) or not os.path.exists(
                    os.path.join(self.root, "usr/lib/andes/libandes-%s.so" % kind)):
                continue
            with self.subTest(mpi=kind):
                commands = os.path.join(self.place, kind)
                folder = os.path.join(self.work, kind)
                shutil.copytree(os.path.join(self.root, "usr/share/doc/andes/examples"), folder)
                os.mkdir(commands)
                for name in ("mpicc", "mpirun"):
                    path = os.path.join(commands, name)
                    with open(path, "w", encoding="utf-8") as file:
                        file.write('#!/bin/sh\nexec %s.%s "$@"\n' % (name, kind))
                    os.chmod(path, 0o755)
                env = self.environment(**OF_OPEN_MPI)
                env["PATH"] = ":".join([commands, installed, env["PATH"]])
                done = subprocess.run(["bash", "-e", "-c", script], cwd=folder, env=env, text=True,
                                      capture_output=True, timeout=600, check=False)
                self.assertEqual(done.returncode, 0, script + done.stdout + done.stderr)
                self.assertIn("4 Did it help?", done.stdout)
                self.assertIn("iterate_late", done.stdout)  # with its waits, on a machine that is too busy to show relax_rows, too
                self.assertIn({"openmpi": "Open MPI", "mpich": "MPICH"}[kind], done.stdout)
                self.assertEqual(len(os.listdir(os.path.join(folder, "runs", "jacobi-001"))), 6)


class Recipe(unittest.TestCase):
    """Spack's own module is not needed to read the recipe: this one keeps what is said to it."""

    def setUp(self):
        self.said = []
        spack = types.ModuleType("spack.package")

        def note(name):
            return lambda *words, **more: self.said.append((name, words, more))

        for name in ("version", "variant", "depends_on", "conflicts", "maintainers", "license",
                     "requires"):
            setattr(spack, name, note(name))

        class CMakePackage:
            run_tests = False

            def define(self, name, value):
                return "-D%s=%s" % (name, {True: "ON", False: "OFF"}.get(value, value))

            def define_from_variant(self, name, variant):
                return self.define(name, variant in self.spec)

        build_system = types.ModuleType("spack_repo.builtin.build_systems.cmake")
        build_system.CMakePackage = CMakePackage
        # The directive brings the program.
        build_system.generator = lambda name: spack.depends_on(name, type="build")
        spack.__all__ = [name for name in vars(spack) if not name.startswith("_")]
        stand_ins = {"spack.package": spack, build_system.__name__: build_system}
        for name in list(stand_ins):
            while name.count("."):
                name = name.rpartition(".")[0]
                stand_ins.setdefault(name, types.ModuleType(name))
        kept = {name: sys.modules.get(name) for name in stand_ins}
        sys.modules.update(stand_ins)
        try:
            place = importlib.util.spec_from_file_location(
                "package", os.path.join(PACKAGING, "spack", "package.py"))
            self.module = importlib.util.module_from_spec(place)
            place.loader.exec_module(self.module)
        finally:
            for name, module in kept.items():
                if module is None:
                    del sys.modules[name]
                else:
                    sys.modules[name] = module

    def words(self, name):
        return [words[0] for said, words, _ in self.said if said == name]

    def test_versions(self):
        self.assertIn(version(), self.words("version"))

    def test_dependencies(self):
        """What setup installs on Debian, Spack brings under its own name."""
        names = {"cmake": "cmake", "ninja-build": "ninja", "g++": "cxx", "python3": "python",
                 "libfmt-dev": "fmt", "libcli11-dev": "cli11", "nlohmann-json3-dev": "nlohmann-json",
                 "libboost-dev": "boost", "libsqlite3-dev": "sqlite", "zlib1g-dev": "zlib",
                 "libclang-19-dev": "llvm", "libopenmpi-dev": "mpi", "libdw-dev": "elfutils", "libpapi-dev": "papi",
                 "python3-dev": "python"}
        with open(os.path.join(SOURCE, "setup"), encoding="utf-8") as file:
            needs = re.search(r"^needs_always.*?^LIST", file.read(), re.M | re.S).group()
        wanted = re.findall(r"^[^|\n]*\| *([^ |]+) *\|", needs, re.M) + ["libclang-19-dev",
                                                                        "libopenmpi-dev"]
        self.assertGreater(len(wanted), 10)
        named = {re.split(r"[@+~ ]", word)[0] for word in self.words("depends_on")}
        for name in wanted:
            self.assertIn(name, names, "say in this table what Spack calls it")
            self.assertIn(names[name], named)
        variants = self.words("variant")
        for _, words, more in self.said:
            for variant in re.findall(r"[+~](\w+)", more.get("when", "")):
                self.assertIn(variant, variants, words)
        kinds = {kind for said, _, more in self.said if said == "depends_on"
                 for kind in [more.get("type", ())] for kind in ([kind] if isinstance(kind, str) else kind)}
        self.assertLessEqual(kinds, {"build", "link", "run", "test"})

    def test_options_exist(self):
        """The arguments for CMake set options that CMakeLists.txt has."""
        package = self.module.Andes()

        class Spec(dict):
            def __contains__(self, name):
                return True

            def __getitem__(self, name):
                return types.SimpleNamespace(mpicc="/mpi/bin/mpicc")

        package.spec = Spec()
        defined = {word.split("=")[0][2:] for word in package.cmake_args()}
        self.assertIn("ANDES_MPICC", defined)
        text = ""
        for path in [os.path.join(SOURCE, "CMakeLists.txt")] + glob.glob(
                os.path.join(SOURCE, "*", "**", "CMakeLists.txt"), recursive=True):
            if "build" not in os.path.relpath(path, SOURCE).split(os.sep)[0]:
                with open(path, encoding="utf-8") as file:
                    text += file.read()
        for name in defined:
            self.assertRegex(text, r"(option|set|find_library)\(%s\b" % name)


if __name__ == "__main__":
    main()
