"""`andes diagnose` on locks of windows that ranks wait for (tests/programs/waits/locks.c): the waits that the program's own clock
shows, within 5 % or 2 ms. How long a rank waits is up to the MPI library and the machine: in MPICH the owner of the window takes part
when a lock is given and given back, so that both last until it has a core.

    test_locks.py [CASE...]
"""

import json
import os
import sys
import unittest
from collections import defaultdict, namedtuple

from support.build import ANDES
from support.commands import command
from support.end_to_end import EndToEnd
from support.programs import KINDS

RANKS = 4
NAMED_S = 8 * 0.05  # how long rank 2 waits for rank 1 where all are in time
SHARING = ("shared", "all")  # kinds of locks that several ranks may have at once

# The lock of rank 1, and that of rank 2, which asks for it later.
CASES = {
    "exclusive": ("exclusive", "exclusive"),
    "shared_is_wanted": ("exclusive", "shared"),
    "shared_is_held": ("shared", "exclusive"),
    "shared": ("shared", "shared"),
    "all_is_wanted": ("exclusive", "all"),
    "all_is_held": ("all", "exclusive"),
    "flush_all": ("exclusive", "exclusive"),
    "flush_local": ("exclusive", "shared"),
    "idle": ("exclusive", "shared"),
    "idle_is_held": ("shared", "exclusive"),
    "idle_all": ("all", "all"),
    "idle_all_is_wanted": ("exclusive", "all"),
    "idle_all_is_held": ("all", "exclusive"),
    "other_is_wanted": ("exclusive", "all"),
    "other_is_held": ("all", "exclusive"),
}
CHOSEN = []

# From the enter of the call that locks to the exit of the one that unlocks; in seconds.
Epoch = namedtuple("Epoch", "rank kind lock_enter lock_exit unlock_exit")


def epochs_of(out, kinds):
    """The epochs that the program has seen."""
    epochs, locked = [], {}
    for line in out.splitlines():
        word = line.split()
        if len(word) != 5 or word[0] != "call":
            continue
        rank, name, enter, leave = int(word[1]), word[2], float(word[3]) / 1e3, float(word[4]) / 1e3
        if name.startswith("MPI_Win_lock"):
            locked[rank] = enter, leave
        elif name.startswith("MPI_Win_unlock"):
            epochs.append(Epoch(rank, kinds[rank - 1], *locked.pop(rank), leave))
    return epochs


def waits_of(epochs):
    """How long ranks waited for each other's locks: {(rank, rank waited for): s}. A lock is held until the call that gives it back
    returns; an epoch waits for the last of those that had got it before, and exclude it."""
    waits = defaultdict(float)
    for one in epochs:
        before = [other for other in epochs if other.rank != one.rank and other.lock_exit < one.lock_exit and
                  not (other.kind in SHARING and one.kind in SHARING)]
        if before:
            last = max(before, key=lambda other: other.unlock_exit)
            waits[one.rank, last.rank] += max(0.0, min(last.unlock_exit, one.lock_exit) - one.lock_enter)
    return waits


class Locks(EndToEnd):

    def test_cases(self):
        for case in CHOSEN or sorted(CASES):
            for kind in KINDS:
                with self.subTest(case=case, kind=kind):
                    self.timed(self.check, kind, case)

    def check(self, kind, case):
        out, run = self.measure(kind, RANKS, "locks", case)
        file = os.path.join(self.folder, "run%d.andes" % self.number)
        epochs = epochs_of(out, CASES[case])
        self.assertEqual(len(epochs), 2 * 8)
        waits = waits_of(epochs)
        shared = set(CASES[case]) <= set(SHARING)
        if not shared:
            self.assertGreater(waits[2, 1], NAMED_S / 4, "the ranks have not slept as they should")
        cause = "wait:lock_contention"
        for rank in range(RANKS):
            whole_s = run.values_by_rank(cause).get(rank, 0.0) / 1e9 if cause in run.metrics else 0.0
            wait_s = sum(s for (waiting, _), s in waits.items() if waiting == rank)
            tolerance_s = max(0.05 * wait_s, 0.002)
            self.assert_near(whole_s, wait_s, tolerance_s, "rank %d" % rank)
            if rank in (0, 3) or shared:
                continue
            path = self.lock_path(case, rank)
            here_s = run.value(cause, path, rank) / 1e9 if cause in run.metrics else 0.0
            self.assert_near(here_s, wait_s, tolerance_s, path)
            self.assertGreaterEqual(run.value("idle_ns", path, rank) / 1e9, wait_s - tolerance_s, path + ": idle time")
        if not shared:
            self.check_finding(case, file, waits[2, 1])

    def lock_path(self, case, rank):
        call = "MPI_Win_lock_all" if CASES[case][rank - 1] == "all" else "MPI_Win_lock"
        return "main/%s/contend/lock_at/%s" % (case, call)

    def check_finding(self, case, file, wait_s):
        """Rank 2 waits for rank 1, in the call that gives the lock back."""
        findings = json.loads(command([ANDES, "diagnose", file, "--json"]).stdout)["findings"]
        here = [f for f in findings if f["cause"] == "lock_contention" and "/".join(f["path"]) == self.lock_path(case, 2)]
        self.assertEqual(len(here), 1, json.dumps(findings, indent=1))
        ranks = {r["rank"]: r["wait_s"] for r in here[0]["ranks"]}
        self.assert_near(ranks[2], wait_s, max(0.05 * wait_s, 0.002), "finding")
        if ranks[2] > sum(ranks.values()) / 2:
            unlock = "MPI_Win_unlock_all" if CASES[case][0] == "all" else "MPI_Win_unlock"
            self.assertEqual(here[0]["peer_rank"], 1)
            self.assertEqual("/".join(here[0]["peer_path"]), "main/%s/contend/unlock_at/%s" % (case, unlock))
        self.assertTrue(here[0]["advice"].strip())


if __name__ == "__main__":
    CHOSEN = sys.argv[1:]
    unittest.main(argv=sys.argv[:1])
