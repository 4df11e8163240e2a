#!/usr/bin/env python3
"""How often gates are right: identical builds, and slow-downs of 3 % above the tolerance, many times each. By
`./setup gate-trials`; docs/measurements/2026-11-gate.md has what was found.

    gate_trials.py BUILD [--count 200] [--programs alone,openmpi,mpich,jacobi] [--tolerance 3] [--budget 2m] [--ordinary]

`alone`, `openmpi` and `mpich` sleep (tests/programs/known/slower_alone.c, slower.c), `jacobi` computes
(jacobi_sequential.c; slower by more iterations). Each gate runs in the real-time class where that is allowed, as the
tests of times do, but with --ordinary. Ends with 1 if false alarms, catches or named call paths miss what decision 265 promises.
"""
import argparse
import collections
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile

from support.commands import before_others
from support.environment import environment

SIZE, ITERATIONS = 300, 800


class Trial:
    """A program of which {exe} makes a build, and the function that is slower in the other one."""

    def __init__(self, build, name):
        programs = os.path.join(build, "tests", "programs")
        self.variables = {}
        self.base, self.options = "0", []
        if name == "alone":
            self.command = [os.path.join(programs, "sequential", "probed", "slower_alone"), "{exe}"]
            self.t_ms, self.place = 60, "solve"
        elif name == "jacobi":
            self.command = [os.path.join(programs, "sequential", "probed", "jacobi_sequential"), str(SIZE), "{exe}"]
            self.base, self.place = str(ITERATIONS), "relax"
        else:
            self.command = ["mpirun." + name, "-n", "{p}", os.path.join(programs, name, "probed", "slower"), "{exe}", "0.5"]
            self.options = ["--ranks", "2"]
            self.variables = {"LD_PRELOAD": os.path.join(programs, name, "libpolling.so")}
            self.t_ms, self.place = 120, "solve"  # in the unit of {exe}
        self.name = name

    def slower(self, percent):
        """The value of {exe} for `percent` more time."""
        if self.name != "jacobi":
            return "%g" % (self.t_ms * percent / 100)
        # Of the iterations and what is done once: T at two numbers of them.
        few, many = (statistics.median(self.time_of(n) for _ in range(15)) for n in (ITERATIONS // 2, ITERATIONS))
        per_iteration = 2 * (many - few) / ITERATIONS
        return str(round(ITERATIONS + percent / 100 * many / per_iteration))

    def time_of(self, iterations):
        """T of one run, in seconds."""
        with tempfile.TemporaryDirectory(prefix="andes-gate-") as folder:
            words = [word.replace("{exe}", str(iterations)) for word in self.command]
            subprocess.run([ANDES, "run", "-o", "a.andes", "--", *words], cwd=folder, check=True, env=environment(),
                           preexec_fn=at_start, capture_output=True)
            done = subprocess.run([ANDES, "show", "--json", "a.andes"], cwd=folder, check=True, capture_output=True)
            return json.loads(done.stdout)["run"]["wall_s"]

    def gate(self, new, tolerance, budget):
        """The exit status of a gate, and its document."""
        with tempfile.TemporaryDirectory(prefix="andes-gate-") as folder:
            done = subprocess.run(
                [ANDES, "gate", "--base", self.base, "--new", new, *self.options, "--tolerance", "%g%%" % tolerance,
                 "--budget", budget, "--oversubscribed-ok", "-o", "runs", "--json", "--", *self.command],
                cwd=folder, env=environment(**self.variables), preexec_fn=at_start, capture_output=True, text=True)
            if done.returncode not in (0, 1, 3):
                sys.exit("gate: exit status %d\n%s%s" % (done.returncode, done.stdout, done.stderr))
            return done.returncode, json.loads(done.stdout)


def at_start():
    if not ORDINARY:
        before_others()


def tell(trial, kind, count, run):
    """Makes the gates, prints a row of the table; the numbers of each verdict, and of right call paths."""
    statuses, asked, used, spreads = collections.Counter(), [], [], []
    doubts, right = 0, 0
    for _ in range(count):
        status, document = run()
        point, = document["points"]
        statuses[status] += 1
        asked.append(point["pairs_asked"])
        used.append(len(point["pairs"]))
        spreads.append(point["spread_percent"])
        doubts += bool(point["doubts"])
        if status == 1:
            first = point["callpaths"][0]
            right += trial.place in first["path"] and first["verdict"] == "longer" and first["term"] == "computation"
    print("| %s | %s | %d | %d | %d | %d (%d) | %d | %.0f | %.0f | %.2g |" % (
        trial.name, kind, count, statuses[0], statuses[1], statuses[3], doubts, right, statistics.mean(used),
        statistics.mean(asked), statistics.median(spreads)), flush=True)
    return statuses, right


def main():
    global ANDES, ORDINARY
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--programs", type=lambda text: text.split(","), default=["alone", "openmpi", "mpich", "jacobi"])
    parser.add_argument("--tolerance", type=float, default=3)
    parser.add_argument("--budget", default="2m")
    parser.add_argument("--ordinary", action="store_true")
    options = parser.parse_args()
    ORDINARY = options.ordinary
    build = os.path.abspath(options.build)
    ANDES = os.path.join(build, "bin", "andes")
    good = True
    print("| program | builds | gates | no regression | regression | undecided (of them by doubts) | right call path and term "
          "| pairs | asked | spread % |\n|---|---|--:|--:|--:|--:|--:|--:|--:|--:|", flush=True)
    for name in options.programs:
        if name in ("openmpi", "mpich") and not shutil.which("mpirun." + name):
            continue
        trial = Trial(build, name)
        same, _ = tell(trial, "identical", options.count, lambda: trial.gate(trial.base, options.tolerance, options.budget))
        slower = trial.slower(options.tolerance + 3)
        found, right = tell(trial, "+%g %%" % (options.tolerance + 3), options.count,
                            lambda: trial.gate(slower, options.tolerance, options.budget))
        good = (good and same[1] <= 0.02 * options.count and found[1] >= 0.94 * options.count
                and right >= 0.95 * found[1])
    sys.exit(not good)


if __name__ == "__main__":
    main()
