#!/usr/bin/env python3
"""Pages of large sweeps in Chromium, against their limits: 5 MB, first paint within a second, each interaction within a tenth
of one; and a run of 20,000 call paths. Prints a table; ends with 1 where a limit of the first is missed.

  limits.py [--short]
"""
import json
import os
import subprocess
import sys
import tempfile
import time

import made_runs
from support.arguments import Arguments
from support.build import ANDES, SOURCE
from test_browser import CHROMIUM, MODULES, why_not

MOST_BYTES, MOST_PAINT_MS, MOST_INTERACTION_MS = 5_000_000, 1000, 100


def measured(folder, words):
    page = os.path.join(folder, "page.html")
    start = time.monotonic()
    subprocess.run([ANDES, *words, "--html", page], cwd=folder, check=True)
    made = time.monotonic() - start
    done = subprocess.run(["node", os.path.join(SOURCE, "tests", "page", "limits.mjs")], text=True, stdout=subprocess.PIPE, check=True,
                          input=json.dumps({"modules": MODULES, "chromium": CHROMIUM, "page": page}))
    return {**json.loads(done.stdout), "made_s": made}


def show(title, found):
    print("%s: %.2f MB, made in %.1f s; first paint %.0f ms, answers %.0f ms, call tree %.0f ms, %d requests" % (
        title, found["bytes"] / 1e6, found["made_s"], found["paint_ms"], found["answer_ms"], found["tree_ms"], found["requests"]))
    for name, took in found["interactions"].items():
        print("  %-22s %6.0f ms, of the processor %6.0f ms" % (name, took["wall_ms"], took["cpu_ms"]))


def main():
    parser = Arguments("page-limits", description="Pages of large sweeps in Chromium, against their limits.")
    parser.add_argument("--short", action="store_true", help="an eighth of the ranks")
    short = parser.parse_args().short
    if reason := why_not():
        sys.exit("andes: page-limits: " + reason)
    ranks = 128 if short else 1024
    with tempfile.TemporaryDirectory(prefix="andes-page-") as folder:
        # Eight sizes that all have about as many ranks as the largest: the worst case.
        made_runs.sweep(os.path.join(folder, "runs"), range(ranks - 7, ranks + 1), callpaths=494)
        large = measured(folder, ["report", "runs"])
        show("500 call paths x %d ranks x 8 sizes" % ranks, large)
        made_runs.sweep(os.path.join(folder, "one"), (16,), callpaths=19_994)
        show("20,000 call paths x 16 ranks", measured(folder, ["show", "one/p16.1.andes"]))
    # The processor's time: what a machine takes that has nothing else to do.
    slowest = max(took["cpu_ms"] for took in large["interactions"].values())
    missed = [what for what, is_missed in (
        ("size", large["bytes"] > MOST_BYTES), ("first paint", large["paint_ms"] > MOST_PAINT_MS), ("interactions", slowest > MOST_INTERACTION_MS),
        ("requests", large["requests"] > 0)) if is_missed]
    print("missed: " + ", ".join(missed) if missed else "no limit is missed")
    return bool(missed)


if __name__ == "__main__":
    sys.exit(main())
