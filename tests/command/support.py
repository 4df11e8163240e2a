"""What the command tests share: a directory of one's own, `andes` with a clean environment, and
launchers that pretend. The build directory comes in COMMAND_TEST_BUILD.

A pretended launcher writes its arguments and the ANDES_ variables it got to calls.jsonl and a run
file to ANDES_OUT, as the monitor would. What it does otherwise is set by FAKE_ variables.
"""

import json
import os
import re
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
import tempfile
import unittest

BUILD = os.path.abspath(os.environ.get("COMMAND_TEST_BUILD", "build"))
SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
ANDES = os.path.join(BUILD, "bin", "andes")
LIBRARY = os.path.join(BUILD, "lib", "andes", "libandes.so")
TIMEOUT_S = 120

OPEN_MPI = "mpirun (Open MPI) 4.1.4"
HYDRA = "HYDRA build details:\n    Version: 4.0.2"


def schema():
    """The SQL of monitor/interface/run_file.h, and the format's number."""
    with open(os.path.join(SOURCE, "monitor", "interface", "run_file.h"), encoding="utf-8") as file:
        text = file.read()
    return (re.search(r'R"sql\((.*?)\)sql"', text, re.S).group(1),
            int(re.search(r"int format = (\d+)", text).group(1)))


def write_run(path, **facts):
    """A run file of facts alone, whole or not there at all, as the monitor's."""
    database = sqlite3.connect(path + ".part")
    tables, number = schema()
    database.executescript(tables)
    database.execute("PRAGMA application_id = %d" % 0x414E4453)
    database.execute("PRAGMA user_version = %d" % number)
    database.executemany("INSERT INTO fact VALUES(?, ?)", facts.items())
    database.commit()
    database.close()
    os.link(path + ".part", path)
    os.unlink(path + ".part")


def read_facts(path):
    database = sqlite3.connect("file:%s?mode=ro" % path, uri=True)
    try:
        return dict(database.execute("SELECT name, value FROM fact"))
    finally:
        database.close()


def pretend(version):
    """What a pretended launcher does (its whole program)."""
    if sys.argv[1:] == ["--version"]:
        print(version)
        return
    env = os.environ
    with open(env["FAKE_LOG"], "a", encoding="utf-8") as log:
        kept = {k: v for k, v in env.items()
                if k.startswith("ANDES_") or k in ("LD_PRELOAD", "OMP_NUM_THREADS")}
        log.write(json.dumps({"argv": sys.argv[1:], "env": kept, "pid": os.getpid()}) + "\n")
    if "FAKE_STDERR" in env:
        sys.stderr.write(env["FAKE_STDERR"])
        sys.stderr.flush()
    if "FAKE_ECHO" in env:
        print(sys.stdin.read(), end="", flush=True)
    ranks = int(sys.argv[sys.argv.index("-n") + 1]) if "-n" in sys.argv else 1
    if "ANDES_OUT" in env and "FAKE_NO_FILE" not in env:
        reported = int(env.get("FAKE_RANKS", ranks))
        write_run(env["ANDES_OUT"].replace("%p", str(reported)).replace("%%", "%"),
                  ranks=reported, threads=1, usable_cores=int(env.get("FAKE_CORES", 1000)),
                  complete=1, wall_ns=1000)
    if "FAKE_SLEEP" in env:
        import time
        time.sleep(float(env["FAKE_SLEEP"]))
    if str(ranks) == env.get("FAKE_FAIL_AT", str(ranks)):
        if "FAKE_SIGNAL" in env:
            os.kill(os.getpid(), int(env["FAKE_SIGNAL"]))
        sys.exit(int(env.get("FAKE_STATUS", "0")))


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
        path = os.path.join(self.bin, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write("#!%s -B\nimport sys\nsys.path.insert(0, %r)\nimport support\n"
                       "support.pretend(%r)\n" % (sys.executable, os.path.dirname(__file__), version))
        os.chmod(path, os.stat(path).st_mode | stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH)
        self.write("prog", "#!/bin/sh\nexit 0\n", executable=True)

    def environment(self, **more):
        env = {k: v for k, v in os.environ.items()
               if not k.startswith(("ANDES_", "FAKE_", "SLURM_", "PBS_", "LSB_", "OMP_"))
               and k != "LD_PRELOAD"}
        env.update(PATH=self.bin + ":" + env["PATH"], FAKE_LOG=self.log, COMMAND_TEST_BUILD=BUILD)
        env.update(more)
        return env

    def andes(self, *words, stdin="", cwd=None, **env):
        return subprocess.run([ANDES, *words], cwd=cwd or self.work, env=self.environment(**env),
                              input=stdin, capture_output=True, text=True, timeout=TIMEOUT_S)

    def succeeds(self, *words, status=0, **more):
        done = self.andes(*words, **more)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done

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
        return read_facts(os.path.join(self.work, name))


def main():
    signal.signal(signal.SIGINT, signal.default_int_handler)
    unittest.main()
