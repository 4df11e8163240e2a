"""The test of the command line: `andes` with a clean environment, in a directory of the test's own, with launchers
that pretend."""
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import unittest

from support import pretended_launcher
from support.build import ANDES
from support.environment import without_settings
from support.pretended_launcher import HYDRA
from support.run_file import RunFile

TIMEOUT_S = 600


BINARY_FORMATS = {"pprof"}


class CommandTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.place = tempfile.mkdtemp(prefix="andes-command-")
        self.addCleanup(shutil.rmtree, self.place, ignore_errors=True)
        self.bin = os.path.join(self.place, "fake-bin")
        self.work = os.path.join(self.place, "work")
        os.mkdir(self.bin)
        os.mkdir(self.work)
        self.log = os.path.join(self.place, "calls.jsonl")

    def write(self, name, text, executable=False):
        path = os.path.join(self.work, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        if executable:
            os.chmod(path, 0o755)
        return path

    def launcher(self, name="mpirun", version=HYDRA):
        """Puts a pretended launcher into PATH."""
        pretended_launcher.put(os.path.join(self.bin, name), version)
        self.write("prog", "#!/bin/sh\nexit 0\n", executable=True)

    def environment(self, **more):
        env = without_settings("FAKE_", "SLURM_", "PBS_", "LSB_", "OMP_")
        env.update(PATH=self.bin + ":" + env["PATH"], FAKE_LOG=self.log)
        env.update(more)
        return env

    def andes(self, *words, stdin="", cwd=None, at_start=None, **env):
        """`at_start` is called in its process."""
        return subprocess.run([ANDES, *words], cwd=cwd or self.work, env=self.environment(**env), preexec_fn=at_start,
                              input=stdin, capture_output=True, text=True, timeout=TIMEOUT_S)

    def succeeds(self, *words, status=0, **more):
        done = self.andes(*words, **more)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done

    def formats(self, command, binary=False):
        """The output formats of a command, as its help names them; text is the first. `binary`: with those of bytes."""
        names = re.search(r"--format (\S+)", self.succeeds(command, "--help").stdout)[1].split("|")
        return [name for name in names if binary or name not in BINARY_FORMATS]

    def refused(self, message, *words, **more):
        """Bad input: exactly this line, status 2, nothing on standard output, nothing written."""
        before = sorted(os.walk(self.work))
        done = self.andes(*words, **more)
        self.assertEqual(done.stderr, "andes: " + message + "\n")
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stdout, "")
        after = [(folder, folders, files) for folder, folders, files in sorted(os.walk(self.work))]
        self.assertEqual(after, before)

    def calls(self):
        if not os.path.exists(self.log):
            return []
        with open(self.log, encoding="utf-8") as file:
            return [json.loads(line) for line in file]

    def files(self):
        """Run files below the working directory, sorted."""
        return sorted(os.path.relpath(os.path.join(folder, name), self.work)
                      for folder, _, names in os.walk(self.work)
                      for name in names if name.endswith(".andes"))

    def facts(self, name):
        return RunFile(os.path.join(self.work, name)).facts


def main():
    signal.signal(signal.SIGINT, signal.default_int_handler)
    unittest.main()
