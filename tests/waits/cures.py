"""Gains against what changes by hand gain: the programs of tests/programs/waits/cures.c, before and after.

    cures.py [--repeats N] [--mpi KIND]... [CASE]...      3 repeats, all cases, both MPI libraries

For each case: T of both versions (the shortest), the gain by the times that the program sleeps, the gain that was realised,
and the band that andes gave for the cure that was applied. MISS, and exit status 1, where the realised gain is not in
the band, widened by the spread of T: by how much the longest of each version is longer than the shortest.
"""

import argparse
import json
import os
import sys
import tempfile
from collections import namedtuple

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))  # started by hand, too
from support.arguments import Arguments  # noqa: E402
from support.build import ANDES  # noqa: E402
from support.commands import command  # noqa: E402
from support.programs import KINDS, launcher, polling, program  # noqa: E402
from support.run_file import RunFile  # noqa: E402

ROUNDS = 5

# cause, path   of the finding that the change cures; its path below main
# cure          what the change does, as in docs/metrics.md, "Gain"
# ms            of a round: before, after
Case = namedtuple("Case", "ranks cause path cure ms")

CASES = {
    "early_send": Case(2, "late_sender", "early_send/receive/MPI_Recv", "earlier", (40 + 20, 40)),
    "reorder": Case(3, "wrong_order", "reorder/receive_first/receive/MPI_Recv", "earlier", (40 + 10 + 10, 40 + 10)),
    "rendezvous": Case(2, "late_receiver", "rendezvous/MPI_Ssend", "earlier", (30 + 30, 30)),
    "chain": Case(4, "late_sender", "chain/receive/MPI_Recv", "earlier", (50 + 3 * 10, 50)),
    "chain_into_collective": Case(4, "late_sender", "chain_into_collective/receive/MPI_Recv", "earlier", (40 + 20, 40)),
    "late_end": Case(4, "wait_at_end", "(program)", "share", (60, 30)),
    "balance": Case(4, "wait_at_barrier", "balance/MPI_Barrier", "share", (60, 30)),
    "broadcast": Case(4, "late_broadcast", "broadcast/MPI_Bcast", "earlier", (20 + 20 + 20, 20 + 20)),
    "tiny_messages": Case(2, "late_sender", "tiny_messages/receive/MPI_Recv", "leave_out", (20 * 2 + 30, 2 + 30)),
}

Result = namedtuple("Result", "before_s after_s known_s realised_s low_s high_s value_s spread_s place")


def full_path(path):
    return path if path.startswith("(") else "main/" + path


def measure(folder, kind, name, version, turn):
    """T, and the file."""
    file = os.path.join(folder, "%s.%s.%s.%d.andes" % (name, version, kind, turn))
    command([ANDES, "run", "-o", file, "--", *launcher(kind, CASES[name].ranks), program(kind, "cures"), name, version],
            cwd=folder, LD_PRELOAD=polling(kind))
    return max(location["wall_ns"] for location in RunFile(file).locations.values()) / 1e9, file


def gain_of(file, case):
    """The gain of the case's cure in this run, and the place of its finding among all; none: None."""
    findings = json.loads(command([ANDES, "diagnose", file, "--all", "--json"]).stdout)["findings"]
    for place, finding in enumerate(findings, 1):
        if finding["cause"] == case.cause and "/".join(finding["path"]) == full_path(case.path):
            for gain in finding.get("gains", [finding["gain_s"]]):
                if gain.get("cure") == case.cure:
                    return gain, place
    return None


def compare(folder, kind, name, repeats=1):
    """Result; None: andes does not have the finding, or not with this cure."""
    before, after, gains = [], [], []
    for turn in range(repeats):
        seconds, file = measure(folder, kind, name, "before", turn)
        before.append(seconds)
        gains.append(gain_of(file, CASES[name]))
        after.append(measure(folder, kind, name, "after", turn)[0])
    if None in gains:
        return None
    before_s, after_s = min(before), min(after)  # what disturbs a run makes it longer
    gain, place = gains[before.index(before_s)]
    known_ms = CASES[name].ms
    return Result(before_s, after_s, ROUNDS * (known_ms[0] - known_ms[1]) / 1e3, before_s - after_s, gain["low"],
                  gain["high"], gain["value"], max(before) - min(before) + max(after) - min(after), place)


def in_band(result, spread_s):
    return result.low_s - spread_s <= result.realised_s <= result.high_s + spread_s


def main():
    options = Arguments("cures", description="Gains against what changes by hand gain.")
    options.add_argument("--repeats", type=int, default=3)
    options.add_argument("--mpi", action="append", choices=KINDS)
    options.add_argument("--check", action="store_true", help=argparse.SUPPRESS)
    options.add_argument("cases", nargs="*", metavar="CASE")
    given = options.parse_args()
    unknown = [name for name in given.cases if name not in CASES]
    if unknown or given.repeats < 1:
        options.error("no case %s; there are %s" % (unknown[0], ", ".join(CASES)) if unknown else "--repeats is 1 or more")
    if given.check:
        return 0
    missed = 0
    print("                                 T before   T after  by hand  realised  andes says             place")
    with tempfile.TemporaryDirectory() as folder:
        for name in given.cases or CASES:
            for kind in given.mpi or KINDS:
                result = compare(folder, kind, name, given.repeats)
                good = result is not None and in_band(result, result.spread_s)
                missed += not good
                if result is None:
                    print("%-22s %-9s no such finding: MISS" % (name, kind))
                    continue
                print("%-22s %-9s %6.3f s  %6.3f s  %5.3f s   %5.3f s  %5.3f (%5.3f to %5.3f) s  %d  %s" % (
                    name, kind, result.before_s, result.after_s, result.known_s, result.realised_s, result.value_s,
                    result.low_s, result.high_s, result.place, "PASS" if good else "MISS"), flush=True)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
