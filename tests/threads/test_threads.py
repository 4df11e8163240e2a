"""Threads that come and go, and MPI calls of many at once, against what the programs count and time themselves.
Usage: test_threads.py lives|openmpi|mpich [unittest arguments]."""
import json
import os
import subprocess
import sys
import unittest

from support.build import ANDES, BUILD
from support.environment import environment
from support.folder import InFolder
from support.run_file import RunFile

PROGRAMS = os.path.join(BUILD, "tests", "threads")
KIND = sys.argv[1]
RANKS = 2
ROUNDING_NS = 10  # of the terms of a sum
TORN_NS = 1e6     # of them where a thread may lose its core in the middle of a probe (decision 173)


class Run(RunFile):
    """What a run file says of threads."""

    def __init__(self, path):
        super().__init__(path)
        self.visits = {name: int(count) for name, count in self.sums_by_region("visits").items()}
        self.estimated = [name for name, visits in self.sums_by_region("sampled_visits").items() if visits > 0]
        self.threads = list(self.locations.values())
        self.least_ns = self.value_of("SELECT min(value.value) FROM value JOIN metric ON metric.id = value.metric"
                                      " WHERE name IN ('inclusive_ns', 'exclusive_ns', 'computation_ns')")


class ThreadsTest(InFolder):
    def setUp(self):
        super().setUp()
        self.file = self.path("run.andes")

    def measure(self, program, *arguments, ranks=0, kind="", **variables):
        """Runs it and checks all it says; what it printed else, as words, and the run."""
        if os.path.exists(self.file):
            os.remove(self.file)
        command = [ANDES, "exec", os.path.join(PROGRAMS, program), *map(str, arguments)]
        if ranks:
            command = ["mpirun." + kind, "-n", str(ranks), *command]
        variables.setdefault("ANDES_BUDGET_PERCENT", "0")
        done = subprocess.run(command, capture_output=True, text=True, timeout=600,
                              env=environment(ANDES_OUT=self.file, **variables))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.said = done.stderr
        run = Run(self.file)
        rest = []
        for words in (line.split() for line in done.stdout.splitlines() if line.strip()):
            if words[0] == "visits":
                self.assertEqual(run.visits.get(words[1], 0), int(words[2]), words)
            elif words[0] == "sent":
                self.assertEqual(run.messages.get((int(words[1]), int(words[2])), (0, 0)), (int(words[3]), int(words[4])))
            elif words[0] == "locations":
                self.assertEqual(len(run.threads), int(words[1]))
            elif words[0].startswith("wall"):
                wall_s, lived_s = run.threads[int(words[1])]["wall_ns"] * 1e-9, float(words[2])
                self.assertGreaterEqual(wall_s, 0.999 * lived_s)
                if words[0] == "wall":  # the gaps between the lives are twice as long
                    self.assertLess(wall_s, 1.5 * lived_s)
            else:
                rest.append(words)
        self.conserved(run, program.startswith("hot"))
        return rest, run

    def conserved(self, run, torn):
        for l in run.threads:
            parts = [l["compute_ns"], l["communication_ns"], l["idle_ns"] or 0, l["tool_ns"]]
            self.assertAlmostEqual(sum(parts), l["wall_ns"], delta=TORN_NS if torn else ROUNDING_NS, msg=str(l))
            self.assertGreaterEqual(min(parts), -ROUNDING_NS, l)
            self.assertLessEqual(l["wall_ns"], l["end_ns"] - l["start_ns"] + 1000, l)
        if not torn and run.least_ns is not None:  # values of many locations stand in columns
            self.assertGreaterEqual(run.least_ns, -ROUNDING_NS)


class Lives(ThreadsTest):
    def test_lives(self):
        for case, number in (("sequential", 10000), ("gaps", 20), ("at_once", 200), ("unfinished", 50), ("destructors", 50),
                             ("outlives", 2)):
            with self.subTest(case=case):
                self.measure("lives", case, number)
                self.assertEqual(self.said, "")

    def test_beginnings_and_ends_of_threads_are_time_of_the_tool(self):
        """At each the monitor reads a file of the kernel, which takes longer than the probes of such a short life."""
        number = 500
        _, run = self.measure("lives", "sequential", number)
        self.assertGreater(run.threads[1]["tool_ns"], 1000 * number)

    def test_threads_of_c11_and_of_cxx(self):
        self.measure("lives", "kinds", 50)
        self.assertEqual(self.said, "")

    def test_a_pool_has_as_many_locations_as_threads_that_came_to_work(self):
        _, run = self.measure("lives", "pool", 1000)
        self.assertLessEqual(len(run.threads), 5)

    def test_more_than_have_a_place(self):
        _, run = self.measure("lives", "crowd", 4300)
        self.assertEqual(len(run.threads), 4096)
        self.assertEqual(run.visits["at_barrier"], 4095)
        self.assertRegex(self.said, r"\Aandes: monitor: threads beyond 4096 alive at once are not measured: .*\n\Z")

    def test_before_main(self):
        self.measure("lives", "early_ends", LIVES_EARLY="1")

    def test_the_main_thread_is_idle_once_it_has_ended(self):
        _, run = self.measure("lives", "main_leaves")
        main, last = run.threads
        self.assertGreater(main["idle_ns"], 0.08e9)
        self.assertLess(main["compute_ns"], main["wall_ns"] - 0.08e9)
        self.assertGreater(last["compute_ns"], 0.19e9)

    def test_waits_for_other_threads_are_idle(self):
        """Beside the main thread, whose time is the rank's: there they are calls that compute."""
        DELAY_S = 0.06
        waited, run = self.measure("waits")
        taken = {name: 1e-9 * run.region_value("exclusive_ns", name, 0, 1) for _, name, _ in waited}
        self.assertEqual(len(waited), 7)
        for _, name, seconds in waited:
            with self.subTest(name):
                self.assertGreaterEqual(taken[name], 0.95 * DELAY_S)
                self.assertLessEqual(taken[name], float(seconds))
        main, waiter = run.threads[:2]
        self.assertAlmostEqual(waiter["idle_ns"] * 1e-9, sum(taken.values()), delta=1e-6)
        self.assertEqual(main["idle_ns"], 0)
        self.assertGreaterEqual(1e-9 * run.region_value("exclusive_ns", "pthread_join", 0, 0), 2 * 0.95 * DELAY_S)
        ranks = json.loads(self.show("--json"))["ranks"]
        self.assertAlmostEqual(ranks[0]["threads"][1]["idle_s"], sum(taken.values()), delta=1e-6)

    def test_a_thread_is_cancelled_while_it_waits(self):
        _, run = self.measure("waits", "cancelled")
        self.assertGreaterEqual(run.visits["pthread_cond_timedwait"], 1)

    def show(self, *options):
        return subprocess.run([ANDES, "show", self.file, *options], capture_output=True, text=True, check=True).stdout

    def test_threads_are_shown(self):
        _, run = self.measure("lives", "at_once", 5)
        document = json.loads(self.show("--json"))
        threads = document["ranks"][0]["threads"]
        self.assertEqual([t["thread"] for t in threads], list(range(6)))
        for thread, location in zip(threads, run.threads):
            for key in ("wall", "compute", "communication", "tool"):
                self.assertAlmostEqual(thread[key + "_s"], location[key + "_ns"] * 1e-9)
            self.assertAlmostEqual(thread["idle_s"], location["idle_ns"] * 1e-9)  # at the barriers
        computes = [l["compute_ns"] for l in run.threads]
        self.assertAlmostEqual(document["ranks"][0]["thread_load_balance"], sum(computes) / 6 / max(computes))
        whole_s = document["run"]["thread_time_s"]
        self.assertAlmostEqual(whole_s, document["run"]["wall_s"] + sum(l["wall_ns"] for l in run.threads[1:]) * 1e-9)
        roots = [path for path in document["callpaths"] if path["parent"] is None]
        self.assertEqual(sorted(root["path"][0] for root in roots), ["(program)", "(thread)"])
        self.assertLessEqual(sum(root["inclusive_s"] for root in roots), whole_s * 1.000001)
        text = self.show()
        self.assertIn("%: of the time of all threads", text)
        self.assertRegex(text, r"\n +0 +6 +\d\.\d\d ")  # one line for the threads of rank 0
        self.assertNotRegex(text, r"\n +0\.5 ")
        self.assertRegex(self.show("--threads"), r"\n +0\.5 ")
        table = self.show("--csv", "--threads").splitlines()
        self.assertEqual(len(table), 7)
        self.assertTrue(table[0].startswith("rank,thread,wall_s,compute_s,communication_s,idle_s,tool_s"))

    def test_one_thread_is_shown_as_ever(self):
        self.measure("lives", "crowd", 0)
        text = self.show()
        self.assertIn("\n%: of p x T; incl.", text)
        self.assertNotIn("thread", text)


class Mpi(ThreadsTest):
    def multiple(self, level, threads, rounds, *parts, **environment):
        return self.measure("multiple." + KIND, level, threads, rounds, *parts, ranks=RANKS, kind=KIND, **environment)

    def matched(self, run):
        sent = sum(messages for messages, _ in run.messages.values())
        self.assertEqual([int(run.facts[name]) for name in ("messages_matched", "messages_unmatched", "events_unordered",
                                                            "events_lost", "clock_violations")], [sent, 0, 0, 0, 0])

    def many_threads(self, **environment):
        parts = ["blocking", "pending", "handed", "collectives", "probes", "persistent", "communicators", "datatypes",
                 "any_source"]
        if KIND == "openmpi":  # MPICH 4.0 is wrong with several windows at once
            parts.append("one_sided")
        threads, rounds = (4, 6) if KIND == "openmpi" else (3, 3)  # MPICH's threads take turns at polling
        _, run = self.multiple("multiple", threads, rounds, *parts, **environment)
        self.matched(run)
        self.assertEqual(len(run.threads), RANKS * (threads + 1))

    def test_many_threads(self):
        self.many_threads()

    def test_a_handle_that_is_given_back_is_at_once_another_threads(self):
        self.many_threads(LD_PRELOAD=os.path.join(PROGRAMS, f"liblate.{KIND}.so"))

    def test_one_at_a_time(self):
        _, run = self.multiple("serialized", 4, 12, "pending", "handed")
        self.matched(run)

    def test_main_thread_alone(self):
        _, run = self.multiple("funneled", 1, 12, "blocking", "pending", "probes", "persistent")
        self.matched(run)

    def test_a_channel_that_threads_share_is_not_guessed(self):
        _, run = self.multiple("multiple", 4, 300, "shared")
        sent = sum(messages for messages, _ in run.messages.values())
        self.assertEqual(sent, RANKS * 4 * 300)
        self.assertEqual(run.facts["clock_violations"], 0)
        # Each side of a message is one operation; each is matched with its other side, or said to be unordered.
        self.assertEqual(2 * run.facts["messages_matched"] + run.facts["messages_unmatched"] +
                         run.facts["events_unordered"], 2 * sent, run.facts)

    def test_times_are_restarted_while_threads_run(self):
        for _ in range(5):
            self.measure("hot." + KIND, 0, ranks=RANKS, kind=KIND)

    def test_regions_are_closed_while_threads_run(self):
        for toggles in 30, 120, 480, 1920:  # where threads have to wait for a core, a run of 70 ms may have too few visits
            _, run = self.measure("hot." + KIND, toggles, ranks=RANKS, kind=KIND, ANDES_BUDGET_PERCENT="1")
            if "leaf" in run.estimated:
                return
        self.fail("nothing was estimated")

    def test_switching_while_threads_run(self):
        self.measure("hot." + KIND, 30, ranks=RANKS, kind=KIND)
        self.measure("hot." + KIND, 30, "outlive", ranks=RANKS, kind=KIND)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]], defaultTest="Lives" if KIND == "lives" else "Mpi", verbosity=2)
