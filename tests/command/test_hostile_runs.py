"""Run files that were made to hurt whoever reads them (hostile_runs.py): every command ends in one line and status
2, or shows what is there; in little memory and time, and fit for a terminal."""

import json
import os
import resource
import shutil
import subprocess
import tempfile

import hostile_runs
from support.build import ANDES, BUILD
from support.command_line import CommandTest, main
from support.environment import SANITIZED

MAKE_RUNS = os.path.join(BUILD, "tests", "make_runs")
# Sanitizers reserve terabytes of addresses, keep what was given back, and take their time (tests/sanitizers/suite.py).
MOST_CPU_S = 100 if SANITIZED else 10  # of a process; most take a hundredth of a second
MOST_MB = 4000 if SANITIZED else 400
LONGEST_LINE = 10_000  # of messages

# One that reads everything, and one that reads totals; HOSTILE_COMMANDS=all takes the others as well, and every format.
COMMANDS = {"show --json": ["show", "FILE", "--json", "--cut", "0"], "report": ["report", "FILE", "good.andes"]}
OTHERS = {
    "show --threads": ["show", "FILE", "--threads", "--cut", "0"],
    "show --phases": ["show", "FILE", "--phases"],
    "show --rank": ["show", "FILE", "--rank", "0"],
    "diagnose": ["diagnose", "FILE", "--all"],
    "diff": ["diff", "good.andes", "FILE", "--force"],
    "filter": ["filter", "FILE"],
}
# These read several files, pass over one with a line, and go on.
OF_SEVERAL = {"report", "diff"}


def limit():
    resource.setrlimit(resource.RLIMIT_CPU, (MOST_CPU_S, MOST_CPU_S))
    if not SANITIZED:
        resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 30, 1 << 30))


class HostileRuns(CommandTest):
    def setUp(self):
        super().setUp()
        waits = [{"cause": "late_broadcast", "path": 3, "wait_s": [0, 0.5, 0.5, 0.25], "peer_path": 2, "peer_rank": 0}]
        subprocess.run([MAKE_RUNS], cwd=self.work, check=True, text=True,
                       input=json.dumps([{"file": "good.andes", "ranks": 4, "waits": waits}]))

    def bounded(self, words):
        """Status, output, messages, and the largest resident size in megabytes."""
        with tempfile.TemporaryFile(dir=self.place) as out, tempfile.TemporaryFile(dir=self.place) as err:
            process = subprocess.Popen([ANDES, *words], cwd=self.work, env=self.environment(LC_ALL="C.UTF-8"),
                                       stdin=subprocess.DEVNULL, stdout=out, stderr=err, preexec_fn=limit)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            out.seek(0)
            err.seek(0)
            return process.returncode, out.read().decode(), err.read().decode(), usage.ru_maxrss / 1024

    def check(self, name, command):
        status, out, err, megabytes = self.bounded([name + ".andes" if word == "FILE" else word for word in command])
        lines = err.splitlines()
        self.assertIn(status, (0, 2), "%s\nending by a signal: no end within %d s\n" % (err[-500:], MOST_CPU_S))
        self.assertLess(megabytes, MOST_MB)
        self.assertNotIn("internal error", err)
        self.assertTrue(all(line.startswith("andes: ") and len(line) < LONGEST_LINE for line in lines), err[-500:])
        self.assertEqual({c for c in set(out + err) if not c.isprintable()} - {"\n"}, set())
        several = command[0] in OF_SEVERAL
        if status == 2:
            self.assertEqual(out, "")
            self.assertTrue(lines if several else len(lines) == 1, err)
        elif {"--json", "json"} & set(command):
            json.loads(out)
        if name not in hostile_runs.SHOWN and not several:
            self.assertEqual(status, 2, "it was taken")

    def test_every_command(self):
        self.assertGreaterEqual(len(hostile_runs.FILES), 60)
        commands = dict(COMMANDS)
        if os.environ.get("HOSTILE_COMMANDS") == "all":
            commands |= OTHERS
            for command in ("show", "report", "diagnose"):
                commands |= {"%s --format %s" % (command, name): [command, "FILE", "--format", name]
                             for name in self.formats(command)}
        for name, make in hostile_runs.FILES.items():
            path = os.path.join(self.work, name + ".andes")
            shutil.copy(os.path.join(self.work, "good.andes"), path)
            make(path)
            for title, command in commands.items():
                with self.subTest(file=name, command=title):
                    self.check(name, command)
            os.rmdir(path) if os.path.isdir(path) else os.unlink(path)

    def test_what_is_said(self):
        """Of each bound, the reason."""
        for name, reason in (("endless-wait", "its tables have no end"), ("endless-schema", "its tables have no end"),
                             ("shared-pages-of-fact", "string or blob too big"),
                             ("default-of-megabytes", "its rows share their pages"),
                             ("many-call-paths", "its tables ask for")):
            shutil.copy(os.path.join(self.work, "good.andes"), os.path.join(self.work, "a.andes"))
            hostile_runs.FILES[name](os.path.join(self.work, "a.andes"))
            done = self.andes("show", "a.andes")
            self.assertIn("andes: a.andes: damaged, " + reason, done.stderr, name)


if __name__ == "__main__":
    main()
