#!/usr/bin/env python3
"""Whether the stated error of the tool's time holds: in many runs, spread over hours, times that the monitor states
are compared with those of the same work without probes, which the program (small.c) does in turns. By
`./setup calibration`.

    calibration.py SMALL LIBANDES [--count 200] [--seconds 7200] [--json FILE]

A run counts if two stretches of plain work in it took the same time to 0.5 %; others are counted as busy. The error
holds in a run if the stated time lies within the stated error of the mean of both stretches, which know it to half
their difference. Exit status 1: it holds in less than 95 % of the runs that count. Started in the real-time class, if
that is allowed, so that what else runs on the machine does less to it."""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from support.run_file import RunFile

QUIET = 0.005
WANTED = 0.95


def real_time():
    """The words that start a command in the real-time class; none where that is not allowed."""
    words = ["chrt", "-f", "20"]
    try:
        return words if subprocess.run([*words, "true"], capture_output=True).returncode == 0 else []
    except FileNotFoundError:
        return []


def measure(small, library, folder, first):
    """(plain, again, stated, error, tool), ns."""
    out = os.path.join(folder, "run.andes")
    done = subprocess.run([*first, "/bin/sh", "-c", 'ANDES_PID=$$ exec "$1"', "sh", small], text=True, check=True,
                          stdout=subprocess.PIPE, env=dict(os.environ, LD_PRELOAD=library, ANDES_OUT=out), timeout=60)
    run = RunFile(out)
    times = run.totals_by_region()
    os.remove(out)
    plain, again = (float(word) for word in done.stdout.split()[:2])
    return plain, again, times["all"]["inclusive_ns"], run.facts["tool_error_ns"], times["(andes)"]["inclusive_ns"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("small")
    parser.add_argument("library")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=7200, help="over which the runs are spread")
    parser.add_argument("--json", help="a file for the figures of each run")
    options = parser.parse_args()
    first = real_time()
    rows = []
    begin = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="andes-calibration-") as folder:
        for number in range(options.count):
            time.sleep(max(0.0, begin + options.seconds * number / options.count - time.monotonic()))
            rows.append(measure(os.path.abspath(options.small), os.path.abspath(options.library), folder, first))
            if options.json:
                with open(options.json, "w", encoding="utf-8") as file:
                    json.dump(rows, file)
    counted = [row for row in rows if abs(row[1] / row[0] - 1) < QUIET]
    held = [row for row in counted if abs(row[2] - (row[0] + row[1]) / 2) <= row[3] + abs(row[1] - row[0]) / 2]
    print("calibration: %d runs in %.0f s%s, %d of them quiet" % (
        len(rows), time.monotonic() - begin, ", real-time class" if first else "", len(counted)))
    if not counted:
        sys.exit("calibration: no run was quiet; try again on a machine with less other work")
    ratios = sorted(row[2] / ((row[0] + row[1]) / 2) for row in counted)
    print("stated : plain time %.4f [%.4f, %.4f]; tool %.2f %% +- %.2f %% of plain" % (
        statistics.median(ratios), ratios[0], ratios[-1], statistics.median(100 * r[4] / r[0] for r in counted),
        statistics.median(100 * r[3] / r[0] for r in counted)))
    share = len(held) / len(counted)
    print("the stated error holds in %d of %d runs, %.1f %% (wanted %.0f): %s" % (
        len(held), len(counted), 100 * share, 100 * WANTED, "PASS" if share >= WANTED else "MISS"))
    sys.exit(share < WANTED)


if __name__ == "__main__":
    main()
