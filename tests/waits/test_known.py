"""`andes diagnose` on programs with injected delays: the cause on the right call path and ranks, its
severity within 5 % or 2 ms, and nothing else above 2 % of p x T. Answers: answers.py.

    test_known.py PROGRAM [CASE...]      a program of tests/programs/waits, all its cases or some
"""

import json
import os
import sys
import unittest

from answers import AWAKE, PROGRAMS, SPARED
from support.build import ANDES
from support.commands import command
from support.end_to_end import EndToEnd
from support.programs import KINDS

OTHERS_PERCENT = 2.0  # what may be found besides, in all
PROGRAM, CHOSEN = None, []


def tolerance_s(wait_s):
    return max(0.05 * wait_s, 0.002)


def call_times(out):
    """Seconds in calls of one name on one rank, by the program's own clock: {(rank, name): s}."""
    times = {}
    for line in out.splitlines():
        word = line.split()
        if len(word) == 5 and word[0] == "call":
            key = int(word[1]), word[2]
            times[key] = times.get(key, 0.0) + (float(word[4]) - float(word[3])) / 1e3
    return times


def full_path(case, path):
    return path[1:] if path.startswith("/") else "main/%s/%s" % (case, path)


class Known(EndToEnd):

    def test_cases(self):
        answers = PROGRAMS[PROGRAM]
        for case in CHOSEN or sorted(answers):
            answer = answers[case]
            for kind in (kind for kind in KINDS if kind in [*answer.kinds, *answer.balanced]):
                with self.subTest(program=PROGRAM, case=case, kind=kind):
                    self.timed(self.check, kind, case, answer._replace(findings=[]) if kind in answer.balanced else answer)

    def check(self, kind, case, answer):
        out, run = self.measure(kind, answer.ranks, PROGRAM, case, asleep=PROGRAM not in AWAKE)
        file = os.path.join(self.folder, "run%d.andes" % self.number)
        found = json.loads(command([ANDES, "diagnose", file, "--json"]).stdout)
        self.assertEqual(found["schema"], 1)
        findings = list(found["findings"])
        own = call_times(out)
        if case in SPARED and all(own[rank, one.path.split("/")[-1]] < 0.5 * wait_ms / 1e3
                                  for one in answer.findings for rank, wait_ms in one.wait_ms.items()):
            answer = answer._replace(findings=[])
        self.check_pairs(run, self.show(file), answer)
        for expected in answer.findings:
            path = full_path(case, expected.path)
            what = "%s of %s" % (expected.cause, path)
            for rank, wait_ms in expected.wait_ms.items():  # the delay is there at all
                self.assertGreaterEqual(own[rank, path.split("/")[-1]],
                                        wait_ms / 1e3 - tolerance_s(wait_ms / 1e3),
                                        "%s: rank %d by its own clock" % (what, rank))
            here = [f for f in findings if f["cause"] == expected.cause and
                    "/".join(f["path"]) == path]
            self.assertEqual(len(here), 1, "%s: not found once among\n%s" % (
                what, json.dumps(found, indent=1)))
            findings.remove(here[0])
            self.compare(case, expected, here[0], what)
            self.check_idle(run, answer.ranks, path, expected, what)
        others = [f for f in findings if f["percent"] > OTHERS_PERCENT]
        self.assertEqual(others, [])

    def compare(self, case, expected, finding, what):
        severity_s = sum(expected.wait_ms.values()) / 1e3
        ranks = {r["rank"]: r["wait_s"] for r in finding["ranks"]}
        for rank, wait_ms in expected.wait_ms.items():
            wait_s = wait_ms / 1e3
            self.assert_near(ranks.pop(rank, 0.0), wait_s, tolerance_s(wait_s), "%s, rank %d" % (what, rank))
        self.assert_near(finding["severity_s"], severity_s, tolerance_s(severity_s), what)
        self.assertLess(sum(ranks.values()), tolerance_s(severity_s), what + ": other ranks")
        if expected.peer is not None:
            self.assertEqual("/".join(finding["peer_path"]), full_path(case, expected.peer), what)
        if expected.peer_rank is not None:
            self.assertEqual(finding["peer_rank"], expected.peer_rank, what)
        if expected.origin_rank is not None:
            self.assertEqual(finding["origin_rank"], expected.origin_rank, what)
            self.assertEqual(finding["origins"][0].get("doing"), "computation", what)
        if PROGRAM == "chains":
            self.assertEqual(finding.get("follows", {}).get("cause"), expected.follows, what)
        self.assertTrue(finding["advice"].strip(), what)
        gain = finding["gain_s"]
        self.assertLessEqual(gain["low"], gain["high"] + 1e-9, what)
        if expected.gain_ms is not None:
            self.assert_near(gain["value"], expected.gain_ms / 1e3, tolerance_s(expected.gain_ms / 1e3),
                             what + ": gain")
            self.assertLessEqual(gain["high"] - gain["low"], gain["value"] / 3, what)

    def check_pairs(self, run, shown, answer):
        """Waits by pair of ranks: no more and no less than those of the call paths, and for the ranks that they are for."""
        matrix = shown.get("wait_matrix", {"rank": [], "peer_rank": [], "wait_s": []})
        pairs = {(rank, peer): wait_s for rank, peer, wait_s in zip(matrix["rank"], matrix["peer_rank"], matrix["wait_s"], strict=True)}
        self.assertEqual(len(pairs), len(matrix["rank"]))
        for rank in range(answer.ranks):
            of_paths_s = sum(run.values_by_rank(name).get(rank, 0) for name in run.metrics if name.startswith("wait:")) / 1e9
            of_pairs_s = sum(wait_s for (waiting, _), wait_s in pairs.items() if waiting == rank)
            self.assert_near(of_pairs_s, of_paths_s, 1e-6 * (1 + of_paths_s), "waits by pair of rank %d" % rank)
        for expected in answer.findings:
            for rank, wait_ms in expected.wait_ms.items() if expected.peer_rank is not None else ():
                self.assertGreaterEqual(pairs.get((rank, expected.peer_rank), 0.0), wait_ms / 1e3 - tolerance_s(wait_ms / 1e3),
                                        "%s: rank %d for rank %d" % (expected.cause, rank, expected.peer_rank))

    def check_idle(self, run, ranks, path, expected, what):
        """The same waits as idle time of the call path, read from the file."""
        for rank in range(ranks):
            places = [p["thread"] for p in run.locations.values() if p["rank"] == rank]
            idle_ns = sum(run.value("idle_ns", path, rank, thread) for thread in places)
            least_ms = expected.wait_ms.get(rank, 0.0)
            self.assertGreaterEqual(idle_ns / 1e9, least_ms / 1e3 - tolerance_s(least_ms / 1e3),
                                    "%s: idle time of rank %d" % (what, rank))


if __name__ == "__main__":
    PROGRAM, CHOSEN = sys.argv[1], sys.argv[2:]
    unittest.main(argv=sys.argv[:1])
