"""What `andes recover` and `andes top` make of directories that somebody has filled to hurt (hostile_arenas.py), and of
files that change under their eyes: what is there, or one line for each fault, in little time and memory."""

import glob
import json
import os
import re
import resource
import shutil
import subprocess
import tempfile
import threading
import unittest

import hostile_arenas
from support.build import ANDES, BUILD
from support.commands import command
from support.end_to_end import EndToEnd
from support.environment import SANITIZED, environment
from support.programs import KINDS, launcher
from support.waiting import wait_for_end

HERE = os.path.dirname(os.path.abspath(__file__))
# Sanitizers reserve terabytes of addresses, keep what was given back, and take their time (tests/sanitizers/suite.py).
MOST_CPU_S = 100 if SANITIZED else 10
MOST_MB = 4000 if SANITIZED else 400
TOP = ["top", "job", "--once", "--interval", "0.05"]
RECOVER = ["recover", "job", "--keep", "-o", "a.andes"]
# HOSTILE_ARENAS=all takes all numbers in all fields, some minutes.
EVERY = 1 if os.environ.get("HOSTILE_ARENAS") == "all" else 11


def limit():
    resource.setrlimit(resource.RLIMIT_CPU, (MOST_CPU_S, MOST_CPU_S))
    if not SANITIZED:
        resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))


class Hostile(EndToEnd):
    def setUp(self):
        super().setUp()
        self.fields = json.loads(command([os.path.join(BUILD, "tests", "recover", "arena_fields")]).stdout)
        self.job = os.path.join(self.folder, "job")
        program = os.path.join(self.folder, "known")
        command([ANDES, "cc", "--select", "all", "mpicc." + KINDS[0], "-O1", "-g", "-w", os.path.join(HERE, "known.c"),
                 "-o", program])
        place = os.path.join(self.folder, "place")
        os.mkdir(place)
        command(launcher(KINDS[0], 3) + [ANDES, "exec", program, "kill"], check=None, cwd=self.folder, ANDES_ARENA=place,
                ANDES_JOB="job")
        self.valid, = glob.glob(os.path.join(place, "*"))
        # A launcher may end before the ranks that it has killed, whose memory takes a while to go.
        pids = [path.rsplit("-", 1)[1].split(".")[0] for path in glob.glob(os.path.join(self.valid, "*.arena"))]
        self.assertTrue(wait_for_end(pids, 60))
        os.unlink(sorted(glob.glob(os.path.join(self.valid, "*.arena")))[-1])  # two ranks of three

    def fresh(self):
        shutil.rmtree(self.job, ignore_errors=True)
        for path in glob.glob(os.path.join(self.folder, "a*.andes")):
            os.unlink(path)
        shutil.copytree(self.valid, self.job)

    def bounded(self, words):
        """Status, output, messages."""
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            process = subprocess.Popen([ANDES, *words], cwd=self.folder, stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                                       env=environment(LC_ALL="C.UTF-8", ANDES_ARENA=self.folder), preexec_fn=limit)
            timer = threading.Timer(20 * MOST_CPU_S, process.kill)  # a hang
            timer.start()
            _, status, usage = os.wait4(process.pid, 0)
            timer.cancel()
            process.returncode = os.waitstatus_to_exitcode(status)
            out.seek(0)
            err.seek(0)
            self.assertLess(usage.ru_maxrss / 1024, MOST_MB)
            return process.returncode, out.read().decode(), err.read().decode()

    def check(self, words):
        status, out, err = self.bounded(words)
        self.assertIn(status, (0, 2), err[-500:])
        self.assertNotIn("internal error", err)
        lines = err.splitlines()
        self.assertTrue(all(line.startswith("andes: ") and len(line) < 1000 for line in lines), err[-500:])
        self.assertEqual({c for c in set(out + err) if not c.isprintable()} - {"\n"}, set())
        self.assertEqual(len(set(lines)), len(lines), "each fault once")
        if status == 2:
            self.assertTrue(lines)
        return lines

    def check_case(self):
        """What it says of the directory as it is; what it made of it can be shown."""
        self.check(TOP)
        lines = self.check(RECOVER)
        self.assertLessEqual(len(lines), len(os.listdir(self.job)))
        for made in glob.glob(os.path.join(self.folder, "a*.andes"))[:1]:
            self.check(["show", os.path.basename(made)])

    def test_directories(self):
        self.assertGreater(len(hostile_arenas.CASES), 20)
        for name, make in hostile_arenas.CASES.items():
            if name == "thousands-of-ranks" and SANITIZED:
                continue  # of which each has a thread: sanitizers need megabytes for it, or have no memory for so many
            with self.subTest(case=name):
                self.fresh()
                make(self.job, self.fields)
                self.check_case()

    def test_a_fault_leaves_the_rest(self):
        """What cannot be read hides nothing of what can: both ranks are seen and recovered."""
        for name, lines in (("fifo-of-room", 0), ("link-of-room", 0), ("fifos", 3), ("links-in-a-circle", 3),
                            ("terabyte-of-holes", 1), ("terabyte-behind-it", 0), ("thousands-of-files", 3000)):
            self.fresh()
            hostile_arenas.CASES[name](self.job, self.fields)
            out = self.bounded(TOP)[1]
            # By the launcher's first signal or by the second; long states are cut off in front.
            self.assertEqual(len(re.findall("killed by signal|ithout notice", out)), 2, (name, out))
            self.assertLess(out.count("\n"), 40)
            status, out, err = self.bounded(RECOVER)
            self.assertEqual((status, err.count("\n")), (2 if lines else 0, lines), name)
            self.assertIn("a.andes: 2 of 3 ranks, incomplete", out)

    def test_numbers_that_lie(self):
        lies = list(hostile_arenas.lies_of(self.fields))
        self.assertGreater(len(lies), 300)
        for case, name, lie in lies[::EVERY]:
            with self.subTest(case=case):
                self.fresh()
                image = hostile_arenas.Image(self.job, self.fields)
                image.put(name, lie)
                image.keep()
                self.check_case()

    def test_changed_while_they_are_read(self):
        """By somebody who cuts them off and writes them again, over and over; a live process's, as they claim."""
        self.fresh()
        hostile_arenas.CASES["pid-of-another-program-that-lives"](self.job, self.fields)
        whole = {}
        for path in glob.glob(os.path.join(self.job, "*.arena")):
            with open(path, "rb") as file:
                whole[path] = file.read()
        over = threading.Event()

        def change():
            while not over.is_set():
                for path, content in whole.items():
                    os.truncate(path, 0)
                    with open(path, "r+b") as file:
                        file.write(content[:len(content) // 2])
                        file.truncate(len(content) // 3)
                        file.seek(0)
                        file.write(content)

        changer = threading.Thread(target=change)
        changer.start()
        try:
            for _ in range(10):
                self.check(TOP)
                self.check(RECOVER)
        finally:
            over.set()
            changer.join()


if __name__ == "__main__":
    unittest.main()
