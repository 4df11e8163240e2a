"""The ledger of lost time closes on every repeat, with and without threads and waits: its terms add up to the core time
beyond that of the base, and what no term accounts for is less than 0.1 % of it. A serial part and an imbalance that are
known are the origins of the idle time."""

import itertools
import os
import shutil
import unittest

from support.build import ANDES, BUILD
from support.commands import command
from support.end_to_end import EndToEnd
from support.programs import KINDS, PROGRAMS, launcher, polling, program

AWAKE = ("locks", "polls")  # which wait in the library's own locks, and in loops of their own
CLOSES = 1e-3  # of cores x T
SWEEPS = [("imbalance", "2,4", ["20"]), ("jacobi", "1,2,4", ["64", "40"]), ("gibbs", "1,2", ["8", "20000"]),
          ("irregular", "1,2", ["60", "40"]), ("paths_threads", "1,2", []), ("pcontrol", "1,2", [])]
# Of the other programs: ranks, and words.
ONCE = {"balanced": (4, ["ring"]), "chains": (4, ["receive_barrier"]), "changes": (4, ["balance", "before"]), "counts": (2, []),
        "cures": (3, ["reorder", "before"]), "files": (3, ["of_all"]), "gibbs_shares": (2, ["200"]), "growing": (2, ["200"]),
        "jacobi_f08": (2, ["60", "30"]), "jacobi_mpi": (2, ["60", "30"]), "jacobi_mpif": (2, ["60", "30"]),
        "jacobi_strips": (2, ["16", "4"]), "locks": (4, ["exclusive"]), "lu": (2, ["60"]), "paths": (2, []), "paths_throw": (2, []),
        "polls": (2, ["late_sender_test"]), "slower": (2, ["0"]), "small_messages": (2, []), "stations": (4, ["release"]), "waits": (3, ["10"])}
CASES = [("messages", "late_receiver", 2), ("messages", "late_sender_thread", 2), ("messages", "data_dependency", 4),
         ("collectives", "wait_at_barrier_split", 4), ("onesided", "fence", 4)]


class Ledger(EndToEnd):

    def core_time(self, file):
        """Of a run, from `andes show`: T for the main threads and those of teams, the others' wall time."""
        document = self.show(file)
        time_s = document["run"]["wall_s"]
        return sum(time_s if thread["thread"] == 0 or thread.get("parallel_s", 0) > 0 else thread["wall_s"]
                   for rank in document["ranks"] for thread in rank["threads"])

    def check_closes(self, report, base_files=()):
        """Ledgers by number of ranks."""
        by_ranks = {}
        for run in report["runs"]:
            if run["used"]:
                by_ranks.setdefault(run["ranks"], []).append(self.core_time(run["file"]))
        base = [self.core_time(file) for file in base_files] or by_ranks.pop(min(by_ranks))
        base_s = (sorted(base)[(len(base) - 1) // 2] + sorted(base)[len(base) // 2]) / 2
        self.assertEqual([ledger["ranks"] for ledger in report["ledger"]], sorted(by_ranks))
        for ledger, origins in zip(report["ledger"], report["ledger_origins"]):
            whole_s = ledger["cores"] * ledger["time_s"] + ledger.get("other_threads_s", 0)
            near = CLOSES * whole_s
            runs = by_ranks[ledger["ranks"]]
            if len(runs) <= 2:  # whose mean the ledger is of
                self.assert_near(whole_s, sum(runs) / len(runs), near, "time of all threads")
            self.assert_near(ledger["percent"], 100 * ledger["lost_s"] / whole_s, 1e-9, "share of the loss")
            self.assertLessEqual(ledger["percent"], 100)
            losses = sorted(whole - base_s for whole in by_ranks[ledger["ranks"]])
            self.assertEqual(len(ledger["lost_repeats"]), len(losses))
            for lost, expected in zip(sorted(ledger["lost_repeats"]), losses):
                self.assert_near(lost, expected, near, "loss of a repeat")
            for number, lost in enumerate(ledger["lost_repeats"]):
                self.assert_near(sum(term["repeats"][number] for term in ledger["terms"]), lost, near,
                                 "terms of a repeat")
            self.assert_near(sum(term["seconds"] for term in ledger["terms"]), ledger["lost_s"], near, "terms")
            for term in ledger["terms"]:
                if term["name"] in ("not_accounted", "idle_other", "threads_other"):
                    for seconds in term["repeats"]:
                        self.assert_near(seconds, 0, near, term["name"])
            idle_s = sum(term["seconds"] for term in ledger["terms"] if term["name"].startswith("idle_"))
            self.assert_near(origins["idle_s"], idle_s, near, "idle")
            self.assert_near(sum(origin["seconds"] for origin in origins["origins"]), idle_s, near, "origins")
        return {ledger["ranks"]: ledger for ledger in report["ledger"]}

    def test_sweeps(self):
        """The MPI libraries in turn: the sums are the same in both."""
        for kind, (name, ranks, words) in zip(itertools.cycle(KINDS), SWEEPS):
            with self.subTest(kind=kind, program=name):
                shutil.rmtree(os.path.join(self.folder, "runs"), ignore_errors=True)
                folder = self.sweep(kind, ranks, name, *words, repeat=2)
                self.check_closes(self.report("--oversubscribed-ok", folder))

    def test_waits(self):
        """Over a sequential run, as each of these needs a number of ranks of its own."""
        bases = {}
        for kind in KINDS:
            self.measure(kind, 1, "serial_fraction", "100")
            bases[kind] = os.path.join(self.folder, "run%d.andes" % self.number)
        for kind, (name, case, ranks) in zip(itertools.cycle(KINDS), CASES):
            with self.subTest(kind=kind, program=name, case=case):
                self.measure(kind, ranks, name, case, asleep=True)
                run = os.path.join(self.folder, "run%d.andes" % self.number)
                self.check_closes(self.report("--oversubscribed-ok", "--sequential", bases[kind], run), [bases[kind]])

    def test_every_program(self):
        """Two repeats each of the programs of tests/programs that have no test of their own here."""
        with open(os.path.join(self.folder, "release"), "w", encoding="utf-8"):
            pass  # stations need not stay
        bases, known = {}, {"serial_fraction", *ONCE, *(name for name, *_ in SWEEPS + CASES)}
        for kind in KINDS:
            folder = os.path.join(PROGRAMS, kind, "probed")
            built = {name for name in os.listdir(folder) if os.path.isfile(os.path.join(folder, name))}
            self.assertEqual(built - known, set(), "programs without a test of their ledger")
            self.measure(kind, 1, "serial_fraction", "100")
            bases[kind] = os.path.join(self.folder, "run%d.andes" % self.number)
        for kind, (name, (ranks, words)) in zip(itertools.cycle(KINDS), ONCE.items()):
            having = [other for other in (kind, *KINDS) if os.path.exists(program(other, name))]
            if not having:
                continue  # no compiler of Fortran
            kind = having[0]
            with self.subTest(kind=kind, program=name):
                runs = []
                for _ in range(2):
                    self.measure(kind, ranks, name, *words, asleep=name not in AWAKE)
                    runs.append(os.path.join(self.folder, "run%d.andes" % self.number))
                ledger, = self.check_closes(self.report("--oversubscribed-ok", "--sequential", bases[kind], *runs), [bases[kind]]).values()
                self.assertEqual(len(ledger["lost_repeats"]), 2)

    def test_no_waits(self):
        for kind in KINDS:
            for ranks in (1, 2):
                self.measure(kind, ranks, "jacobi", "64", "40", log_mb="0")
            runs = [os.path.join(self.folder, "run%d.andes" % number) for number in (self.number - 1, self.number)]
            ledger = self.check_closes(self.report("--oversubscribed-ok", *runs))[2]
            self.assertNotIn("idle_late_sender", [term["name"] for term in ledger["terms"]])

    def test_threads(self):
        for runtime, kind in zip(("gomp", "omp"), itertools.cycle(KINDS)):
            known = os.path.join(BUILD, "tests", "hybrid", "known.%s.%s" % (runtime, kind))
            if not os.path.exists(known):
                continue
            with self.subTest(runtime=runtime, kind=kind):
                self.number += 1
                folder = os.path.join(self.folder, "threads%d" % self.number)
                os.mkdir(folder)
                runs = []
                for ranks in (1, 2):
                    for threads in ("1", "2"):
                        runs.append(os.path.join(folder, "%d.%s.andes" % (ranks, threads)))
                        command([ANDES, "run", "-o", runs[-1], "--", *launcher(kind, ranks), known, "scale"],
                                cwd=folder, OMP_NUM_THREADS=threads, OMP_WAIT_POLICY="passive",
                                LD_PRELOAD=polling(kind))
                for one in (runs[0], runs[1]):  # over a base without threads, and with them
                    self.check_closes(self.report("--oversubscribed-ok", one, runs[3]))

    def test_serial_part(self):
        """serial_fraction.c: what p ranks lose is the waiting of p - 1 of them for 0.1 s of rank 0 alone."""
        for kind in KINDS:
            with self.subTest(kind=kind):
                self.timed(self.check_serial_part, kind)

    def check_serial_part(self, kind):
        report = self.report("--oversubscribed-ok", self.sweep(kind, "1,2,4", "serial_fraction", "1000"))
        ledgers = self.check_closes(report)
        for ranks, ledger in ledgers.items():
            idle_s = 0.1 * (ranks - 1)
            self.assert_near(ledger["lost_s"], idle_s, 0.03 * ranks, "lost at %d" % ranks)
            self.assertEqual(ledger["terms"][0]["name"], "idle_late_broadcast")
            self.assert_near(ledger["terms"][0]["seconds"], idle_s, 0.02 * ranks, "idle at %d" % ranks)
        for origins in report["ledger_origins"]:
            first = origins["origins"][0]
            self.assertEqual((first["kind"], first["path"][:2], first["ranks"][0]),
                             ("serial", ["main", "serial_part"], 0))
            self.assert_near(first["seconds"], 0.1 * (origins["ranks"] - 1), 0.02 * origins["ranks"], "serial part")


if __name__ == "__main__":
    unittest.main()
