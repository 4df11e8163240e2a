"""The test of the preprocessor as its users meet it: in a directory of its own, that it may fill."""
import os
import shutil
import subprocess
import tempfile
import unittest

from support.build import PREPROCESS


def run(*words, cwd=None, env=None, stdin=""):
    """Runs a command; the result has returncode, stdout and stderr (text)."""
    full = dict(os.environ, LC_ALL="C", **(env or {}))
    return subprocess.run([str(word) for word in words], cwd=cwd, env=full, input=stdin,
                          capture_output=True, text=True, errors="surrogateescape",
                          timeout=1200)


def have(compiler):
    return shutil.which(compiler) is not None


class InDirectory(unittest.TestCase):
    """A test with a directory of its own, `self.dir`, which it may fill with `self.write`. Whatever
    andes leaves in the temporary directory is a failure."""

    def setUp(self):
        self.top = tempfile.mkdtemp(prefix="pre-test-")
        self.dir = os.path.join(self.top, "here")
        self.tmp = os.path.join(self.top, "tmp")
        os.mkdir(self.dir)
        os.mkdir(self.tmp)
        self.env = {"TMPDIR": self.tmp}

    def tearDown(self):
        left = [name for name in os.listdir(self.tmp) if not name.startswith("andes-compilers-")]
        shutil.rmtree(self.top)
        self.assertEqual(left, [])

    def write(self, name, text, mode="w"):
        path = os.path.join(self.dir, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, mode, **({} if "b" in mode else {"newline": ""})) as file:
            file.write(text)
        return path

    def read(self, name):
        with open(os.path.join(self.dir, name), errors="surrogateescape", newline="") as file:
            return file.read()

    def run_here(self, *words, **more):
        return run(*words, cwd=self.dir, env=dict(self.env, **more.pop("env", {})), **more)

    def cc(self, *words, **more):
        """andes cc; with probes in the smallest functions too, unless `words` select otherwise."""
        return self.run_here(PREPROCESS, "cc", "--select", "all", *words, **more)

    def instrument(self, *words, **more):
        """andes instrument; with probes in the smallest functions too, unless `words` select otherwise."""
        return self.run_here(PREPROCESS, "instrument", "--select", "all", *words, **more)

    def probes(self, object_file):
        """The number of sites in an object file or program: the size of its tables."""
        table = self.run_here("readelf", "-sW", object_file).stdout
        bytes_ = sum(int(line.split()[2], 0) for line in table.splitlines()
                     if "andes_sites_" in line and line.split()[6] != "UND")
        return bytes_ // 32
