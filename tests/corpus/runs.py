"""Runs of the programs of the corpus: plain, with probes and no monitor, or under `andes run` with some budget.

A run has `seconds` and `cpu_seconds`, as the program says them, `result`, its line with the checksum, and,
if it was measured, `shown`: what `andes show --json` says.
"""

import json
import os
import re
import subprocess
import sys

from support.environment import environment

TIMEOUT_S = 1800
PLAIN, ABSENT = "plain", "absent"  # ways to run a program; another is the value of budget_percent
POLLING = ("graph_search", "polling")  # in these a call that yields the core is another program
TIMES = re.compile(r"^time ([\d.]+) s, processor time ([\d.]+) s\n", re.MULTILINE)


class Run:
    def __init__(self, seconds, cpu_seconds, result, shown):
        self.seconds, self.cpu_seconds, self.result, self.shown = seconds, cpu_seconds, result, shown


class Corpus:
    """The programs of one MPI library in a build directory, on a number of ranks."""

    def __init__(self, build, kind, ranks, folder):
        self.andes = os.path.join(build, "bin", "andes")
        self.programs = os.path.join(build, "tests", "corpus", kind)
        self.launch = ["mpirun." + kind, "-n", str(ranks)]
        self.folder, self.number = folder, 0
        self.environment = environment()

    def names(self):
        where = os.path.join(self.programs, "probed")
        if not os.path.isdir(where):
            sys.exit("andes: %s: no programs; build the target corpus" % where)
        return sorted(name for name in os.listdir(where) if "." not in name)

    def command(self, args, **more):
        done = subprocess.run(args, cwd=self.folder, env={**self.environment, **more}, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=TIMEOUT_S)
        if done.returncode != 0:
            sys.exit("andes: %s: exit status %d\n%s%s" % (" ".join(args), done.returncode, done.stdout, done.stderr))
        return done.stdout

    def run(self, name, steps, way=PLAIN):
        program = os.path.join(self.programs, "plain" if way == PLAIN else "probed", name)
        args, out = [*self.launch, program, str(steps)], None
        if way not in (PLAIN, ABSENT):
            self.number += 1
            out = os.path.join(self.folder, "%d.andes" % self.number)
            args = [self.andes, "run", "-o", out, "--set", "budget_percent=%g" % way, "--", *args]
        # Ranks of Open MPI that wait and spin keep the core from those that they wait for, if it is shared.
        said = self.command(args, OMPI_MCA_mpi_yield_when_idle="0" if name in POLLING else "1")
        times = TIMES.search(said)
        if not times:
            sys.exit("andes: %s: says no times:\n%s" % (" ".join(args), said))
        shown = None
        if out:
            shown = json.loads(self.command([self.andes, "show", "--json", out]))
            os.remove(out)
        return Run(float(times[1]), float(times[2]), TIMES.sub("", said), shown)

    def steps_for(self, name, seconds):
        """The number of steps that the plain program needs for so many seconds."""
        steps, run = 1, self.run(name, 1)
        while run.seconds < min(0.2, seconds / 2):
            steps *= 4
            run = self.run(name, steps)
        return max(1, round(steps * seconds / run.seconds))
