#!/usr/bin/env python3
"""How often the 95 % intervals of estimated times hold what the program knows, on a quiet machine and on one whose
cores other processes want: durations.c has functions of constant, bimodal, lognormal, periodic and phase-changing
durations. By `./setup coverage`.

    coverage.py ANDES DURATIONS [--count 200] [--seconds 1] [--budgets 0.5,0.2] [--loads quiet,loaded]

One line for each function, budget (of which the smaller closes the functions but for windows) and load: runs in which
its time was exact, was estimated and the interval held it, in all that were estimated and called reliable; unreliable
ones apart; the median and largest difference from the known time. Exit status 1: a line has less than 93 % of at least
20 runs."""
import argparse
import collections
import json
import os
import statistics
import subprocess
import sys
import tempfile

WANTED = 0.93
FEWEST = 20


def one_run(andes, program, folder, seconds, seed, budget):
    """{function: (known s, call path as show has it)}"""
    out = os.path.join(folder, "run.andes")
    done = subprocess.run([andes, "run", "--set", "budget_percent=%g" % budget, "-o", out, "--", program,
                           str(seconds), str(seed)], text=True, check=True, capture_output=True, timeout=600)
    shown = json.loads(subprocess.run([andes, "show", "--json", "--cut", "0", out], text=True, check=True,
                                      capture_output=True).stdout)
    os.remove(out)
    paths = {callpath["path"][-1]: callpath for callpath in shown["callpaths"] if callpath["path"]}
    known = (line.split() for line in done.stdout.splitlines())
    return {words[0]: (float(words[2]) / 1e9, paths[words[0]])
            for words in known if len(words) == 3 and words[0] in paths}


class Tally:
    def __init__(self):
        self.exact = self.estimated = self.held = self.unreliable = 0
        self.off = []

    def add(self, known_s, callpath):
        self.off.append(callpath["inclusive_s"] / known_s - 1)
        if not callpath.get("estimated"):
            self.exact += 1
        elif not callpath.get("reliable"):
            self.unreliable += 1
        else:
            self.estimated += 1
            self.held += callpath["inclusive_s_low"] <= known_s <= callpath["inclusive_s_high"]

    def good(self):
        return self.estimated < FEWEST or self.held >= WANTED * self.estimated


def run_all(options, load):
    """{(budget, function): Tally} of all runs under this load"""
    tallies = collections.defaultdict(Tally)
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"])
             for _ in range(os.cpu_count() if load == "loaded" else 0)]
    try:
        with tempfile.TemporaryDirectory(prefix="andes-coverage-") as folder:
            for number in range(options.count):
                for budget in options.budgets:
                    found = one_run(options.andes, options.program, folder, options.seconds, number, budget)
                    for name, values in found.items():
                        tallies[budget, name].add(*values)
                if number % 20 == 19:
                    print("%s: %d of %d" % (load, number + 1, options.count), file=sys.stderr)
    finally:
        for loop in loops:
            loop.kill()
    return tallies


def row(load, budget, name, tally):
    held = "%d, %5.1f %%" % (tally.held, 100 * tally.held / tally.estimated) if tally.estimated else ""
    return "%-8s %6g  %-14s %6d %9d %16s %11d %+9.2f %+9.2f %s" % (
        load, budget, name, tally.exact, tally.estimated, held, tally.unreliable, 100 * statistics.median(tally.off),
        100 * max(tally.off, key=abs), "" if tally.good() else "MISS")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("andes")
    parser.add_argument("program")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=1)
    parser.add_argument("--budgets", type=lambda text: [float(word) for word in text.split(",")], default=[0.5, 0.2])
    parser.add_argument("--loads", type=lambda text: text.split(","), default=["quiet", "loaded"])
    options = parser.parse_args()
    good = True
    print("%-8s %6s  %-14s %6s %9s %16s %11s %9s %9s" % ("load", "budget", "function", "exact", "estimated",
                                                          "held", "unreliable", "median %", "worst %"))
    for load in options.loads:
        for key, tally in run_all(options, load).items():
            print(row(load, *key, tally), flush=True)
            good = good and tally.good()
    sys.exit(not good)


if __name__ == "__main__":
    main()
