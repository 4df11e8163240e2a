#!/usr/bin/env python3
"""What the default run costs and what it shows: every program of the corpus plain, with probes and no monitor, with a
budget, and with budget_percent=0 (every visit timed: the reference), in turns. By `./setup budget`. Blindness is in
points of the computing time: on shared cores the share of waiting alone differs by 41 points from run to run.

  campaign.py BUILD [--seconds 1,10] [--budgets 1] [--programs a,b] [--rounds N] [--mpi openmpi] [--ranks 2]
              [--json FILE]
  campaign.py BUILD --short      runs of 50 ms, two rounds; judges results alone, no cost

One line for each program, length and budget:

  time, cpu    cost against the plain run of the same round, in per cent: median and interval of the ratios
               (of the order statistics, 95 %; below six rounds their range). Between MPI_Init and
               MPI_Finalize; cpu is processor time summed over ranks; best: the least of all runs over the
               least of the plain ones. Where others use the machine, --ranks 1 and cpu are what to look at:
               ranks that wait for each other spin
  probes       what of cpu is there without a monitor: probes, inlining, and where the code comes to lie
  tool         tool time as reported, of p x T, median over the runs, and its error; exact: with budget 0
  blind        time that is shown in the wrong function, in points of the computing time (shares.py)
  noise        the same between the runs of the reference, median over pairs; absent where there is one: what the
               machine does to shares without any blindness
  worst        the function whose share is farthest off, and by how many points
  missing      of the reference's ten heaviest functions those that are not among the run's ten
  outside      functions that are off by more than 2 points and not within their interval
  unstable     call paths whose mark differs between the runs, of all
  unreliable   call paths with 1 % of the time or more that are unreliable or muted, of all such; sum over runs

Of the runs' blind the median and the largest; worst, missing and outside are of the median one. MISS marks a
time (of one rank: cpu) above budget + 0.3 points, or above 3 % in a run of less than 3 s. Exit status 1 if a
program computes something else than plain.
"""

import argparse
import itertools
import json
import os
import statistics
import sys
import tempfile

import runs
import shares
from support.arguments import Arguments

# Number of the smallest value of the interval, for a number of pairs: 2 P(Bin(n, 1/2) < l) <= 0.05.
LOWEST = {6: 1, 7: 1, 8: 1, 9: 2, 10: 2, 11: 2, 12: 3}


def cost_percent(plain, measured):
    """Median and interval of what the measured run of each pair took longer."""
    ratios = sorted(100 * (m / p - 1) for p, m in zip(plain, measured))
    lowest = LOWEST.get(len(ratios), 1)
    return statistics.median(ratios), ratios[lowest - 1], ratios[-lowest]


def best_percent(plain, measured):
    return 100 * (min(measured) / min(plain) - 1)


def allowed_percent(seconds, budget):
    return budget + 0.3 if seconds >= 3 else max(3.0, budget + 0.3)


def play(corpus, name, steps, ways, rounds, exact_rounds):
    """Runs of each way, in turns; whether all computed the same."""
    done = {way: [] for way in ways}
    for number in range(rounds):
        for way in ways if number % 2 == 0 else reversed(ways):
            if way != 0 or number < exact_rounds:
                done[way].append(corpus.run(name, steps, way))
    results = {run.result for of_way in done.values() for run in of_way}
    return done, len(results) == 1


def noise_points(exact):
    """Blindness of the runs of the reference for each other."""
    of_runs = [shares.shares(run.shown) for run in exact]
    pairs = [shares.Blindness(a, b).points for a, b in itertools.combinations(of_runs, 2)]
    return statistics.median(pairs) if pairs else None


def judge(name, seconds, ranks, budget, done):
    """One row of the table."""
    plain, absent, measured = done[runs.PLAIN], done[runs.ABSENT], done[budget]
    absent_s = statistics.median(run.seconds for run in absent) if ranks == 1 else None
    reference = shares.mean_shares([run.shown for run in done[0]], absent_s)
    shown = [run.shown for run in measured]
    blindness = sorted((shares.Blindness(reference, shares.shares(s)) for s in shown), key=lambda b: b.points)
    blind = blindness[len(blindness) // 2]
    tools = [shares.tool_percent(s) for s in shown]
    unreliable = [shares.unreliable(s) for s in shown]
    return {"program": name, "seconds": seconds, "ranks": ranks, "budget": budget, "rounds": len(measured),
            "plain_s": statistics.median(run.seconds for run in plain),
            "time_percent": cost_percent([r.seconds for r in plain], [r.seconds for r in measured]),
            "cpu_percent": cost_percent([r.cpu_seconds for r in plain], [r.cpu_seconds for r in measured]),
            "probes_percent": cost_percent([r.cpu_seconds for r in plain], [r.cpu_seconds for r in absent]),
            "cpu_best_percent": best_percent([r.cpu_seconds for r in plain], [r.cpu_seconds for r in measured]),
            "tool_percent": statistics.median(t for t, _ in tools),
            "tool_error_percent": statistics.median(e for _, e in tools),
            "exact_tool_percent": statistics.median(shares.tool_percent(run.shown)[0] for run in done[0]),
            "blind_points": blind.points, "blindest_points": blindness[-1].points,
            "noise_points": noise_points(done[0]),
            "worst": blind.worst, "worst_points": blind.worst_points,
            "missing": blind.missing, "outside": blind.outside,
            "unstable": shares.unstable(shown),
            "unreliable": [sum(n) for n in zip(*unreliable)]}


# Titles of the columns and their width; below zero: to the left.
COLUMNS = [("program", -20), ("s", 3), ("budget", 6), ("|", 1), ("time %", 7), ("", -16), ("cpu %", 7), ("", -16),
           ("best", 6), ("probes", 6), ("|", 1), ("tool %", 6), ("", -6), ("exact", 5), ("|", 1), ("blind", 5), ("", 5),
           ("noise", 5), (" worst", -18), ("", 5), ("|", 1), ("missing", 7), ("outside", 7), ("unstable", 8), ("unreliable", 10),
           ("", 5)]


def line(cells):
    return " ".join("%*s" % (width, cell) for cell, (_, width) in zip(cells, COLUMNS)).rstrip()


def text(row):
    judged = row["cpu_percent" if row["ranks"] == 1 else "time_percent"][0]
    kept = judged <= allowed_percent(row["seconds"], row["budget"])
    return line([
        row["program"], "%g" % row["seconds"], "%g" % row["budget"], "|",
        "%+.1f" % row["time_percent"][0], "[%+.1f, %+.1f]" % row["time_percent"][1:],
        "%+.1f" % row["cpu_percent"][0], "[%+.1f, %+.1f]" % row["cpu_percent"][1:],
        "%+.1f" % row["cpu_best_percent"], "%+.1f" % row["probes_percent"][0], "|",
        "%.1f" % row["tool_percent"], "+-%.1f" % row["tool_error_percent"], "%.1f" % row["exact_tool_percent"], "|",
        "%.1f" % row["blind_points"], "%.1f" % row["blindest_points"],
        "" if row["noise_points"] is None else "%.1f" % row["noise_points"], " " + row["worst"][:17],
        "%.1f" % row["worst_points"], "|", row["missing"], row["outside"], "%d/%d" % tuple(row["unstable"]),
        "%d/%d" % tuple(row["unreliable"]), "" if kept else "MISS"])


def numbers(text_of_list):
    return [float(word) for word in text_of_list.split(",")]


def arguments():
    parser = Arguments("budget", description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--seconds", type=numbers, default=[1.0, 10.0], help="lengths of the runs")
    parser.add_argument("--budgets", type=numbers, default=[1.0], help="values of budget_percent")
    parser.add_argument("--programs", help="names of programs of the corpus; all unless told")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--exact-rounds", type=int, default=2, help="rounds with runs of budget_percent=0")
    parser.add_argument("--mpi", default="openmpi", choices=("openmpi", "mpich"))
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--json", help="a file for the rows, too")
    parser.add_argument("--short", action="store_true", help="50 ms, two rounds; judges results alone")
    parser.add_argument("--check", action="store_true", help="judges the options alone")
    args = parser.parse_args()
    if args.rounds < 1 or args.exact_rounds < 1 or args.ranks < 1 or min(args.seconds) <= 0 or min(args.budgets) <= 0:
        parser.error("--rounds, --exact-rounds, --ranks, --seconds, --budgets: give numbers above 0")
    if args.short:
        args.seconds, args.budgets, args.rounds, args.exact_rounds = [0.05], [1.0], 2, 1
    return parser, args


def main():
    parser, args = arguments()
    if args.check:
        return
    rows, good = [], True
    with tempfile.TemporaryDirectory(prefix="andes-corpus-") as folder:
        corpus = runs.Corpus(os.path.abspath(args.build), args.mpi, args.ranks, folder)
        known = corpus.names()
        names = args.programs.split(",") if args.programs else known
        for name in names:
            if name not in known:
                parser.error("--programs %s: no such program among %s" % (name, ", ".join(known)))
        print("%s, %d ranks, %d rounds\n%s" % (
            args.mpi, args.ranks, args.rounds, line([title for title, _ in COLUMNS])), flush=True)
        for seconds in args.seconds:
            for name in names:
                steps = corpus.steps_for(name, seconds)
                ways = [runs.PLAIN, runs.ABSENT, *args.budgets, 0]
                done, same = play(corpus, name, steps, ways, args.rounds, args.exact_rounds)
                if not same:
                    print("%s, %d steps: not the same checksum in all runs: MISS" % (name, steps))
                    good = False
                for budget in args.budgets:
                    rows.append(judge(name, seconds, args.ranks, budget, done))
                    print(text(rows[-1]), flush=True)
    if args.json:
        with open(args.json, "w", encoding="utf-8") as file:
            json.dump(rows, file, indent=1)
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
