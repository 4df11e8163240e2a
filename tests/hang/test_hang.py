"""Why a job hangs: planted deadlocks, and long waits that are none (hangs.c), seen while the job hangs (andes top, andes
run --hang-after) and after it was killed (andes recover, andes diagnose)."""

import itertools
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

from support.build import ANDES
from support.environment import environment
from support.mpi import MPIS, NO_MPI, launcher
from support.programs import polling
from support.skipped import skip

if not MPIS:
    skip(NO_MPI)

PATIENCE_S = 300
HERE = os.path.dirname(os.path.abspath(__file__))

# For each case: the kind of its finding, and for each of its ranks whom it waits for: numbers in the case. A rank that is
# not listed does something else; a set in `any` means that one of them is enough.
DEADLOCKS = {
    "facing_receives": ("deadlock", {0: [1], 1: [0]}, "MPI_Recv"),
    "facing_synchronous_sends": ("deadlock", {0: [1], 1: [0]}, "MPI_Ssend"),
    "facing_large_sends": ("deadlock", {0: [1], 1: [0]}, "MPI_Send"),
    "ring_of_receives": ("deadlock", {0: [1], 1: [2], 2: [0]}, "MPI_Recv"),
    "wrong_tag": ("deadlock", {0: [1], 1: [0]}, "MPI_Recv"),
    "barrier_and_receive": ("deadlock", {0: [1], 1: [0]}, "MPI_Barrier"),
    "order": ("order", {0: [1], 1: [0]}, "MPI_Barrier"),
    "order_passed": ("order", {0: [1], 1: [0]}, "MPI_Allreduce"),
    "order_of_communicators": ("deadlock", {0: [1], 1: [0]}, "MPI_Barrier"),
    "two_roots": ("order", {0: [1], 1: [0]}, "MPI_Bcast"),
    "any_source": ("deadlock", {0: [1, 2], 1: [0, 2], 2: [0, 1]}, "MPI_Recv"),
    "wait_all": ("deadlock", {0: [1], 1: [0]}, "MPI_Waitall"),
    "wait_any": ("deadlock", {0: [1], 1: [0]}, "MPI_Waitany"),
    "many_any": ("deadlock", {0: [1, 2], 1: [0], 2: [0]}, "MPI_Waitany"),
    "many_all": ("deadlock", {0: [1], 1: [2], 2: [0]}, "MPI_Waitall"),
    "wait_for_send": ("deadlock", {0: [1], 1: [0]}, "MPI_Wait"),
    "persistent": ("deadlock", {0: [1], 1: [0]}, "MPI_Wait"),
    "probe": ("deadlock", {0: [1], 1: [0]}, "MPI_Probe"),
    "shifted_exchange": ("deadlock", {0: [1], 1: [2], 2: [0]}, "MPI_Sendrecv"),
    "between_groups": ("deadlock", {0: [1], 1: [2], 2: [0]}, "MPI_Recv"),
    "any_of_other_group": ("deadlock", {0: [1, 2], 1: [0], 2: [0]}, "MPI_Recv"),
    "join_without_leader": ("deadlock", {0: [1], 1: [0, 2], 2: [1]}, "MPI_Intercomm_create"),
    "join_without_member": ("deadlock", {0: [2], 1: [2], 2: [0, 1]}, "MPI_Intercomm_create"),
    "duplicate": ("deadlock", {0: [1], 1: [0]}, "MPI_Comm_dup"),
    "reduce": ("deadlock", {0: [1], 1: [0]}, "MPI_Reduce"),
    "nonblocking_barrier": ("deadlock", {0: [1], 1: [0]}, "MPI_Wait"),
    "request_without_root": ("deadlock", {0: [1, 2], 1: [0], 2: [0]}, "MPI_Wait"),
    "fence": ("deadlock", {0: [1], 1: [0]}, "MPI_Win_fence"),
    "exposure": ("deadlock", {0: [1], 1: [0]}, "MPI_Win_wait"),
    "lock": ("deadlock", {0: [1], 1: [0]}, "MPI_Recv"),
    "behind": ("deadlock", {0: [1], 1: [0]}, "MPI_Recv"),
}
# What the call says of requests beyond the first three.
MORE = {"many_any": "; and 997 more)", "many_all": "; and 1497 more)"}
# The library may end the call of rank 0 without the other one.
EARLY = {
    "root_and_receive": ({0: [1], 1: [0]}, "MPI_Bcast"),
    "collective_write": ({0: [1], 1: [0]}, "MPI_File_write_all"),
}
LONG_WAITS = {
    "late_sender": {0: [1]},
    "late_reader": {0: [1]},
    "cycle_with_a_way_out": {0: [1, 2], 1: [0]},
    "any_of_two": {0: [1, 2], 1: [0]},
    "answer_to_come": {0: [1]},
    "late_at_barrier": {0: [2], 1: [2]},
    "late_receiver": {0: [1]},
    "late_root": {1: [0]},
}

# Loops over polls that find nothing, for ever: as in DEADLOCKS, but nothing is certain, since a loop may end by itself. The
# call is that of rank 0.
POLLS = {
    "poll_test": ({0: [1], 1: [0]}, "MPI_Test(receive from rank {1}, tag 7)"),
    "poll_probe": ({0: [1], 1: [0]}, "MPI_Iprobe(message from rank {1}, tag 7)"),
    "poll_and_receive": ({0: [1], 1: [0]}, "MPI_Iprobe(message from any rank, tag 7)"),
    "poll_any": ({0: [1], 1: [0]}, "MPI_Testany(receive from rank {1}, tag 5; receive from rank {1}, tag 6)"),
    "poll_all": ({0: [2], 1: [0], 2: [1]}, "MPI_Testall(receive from rank {1}, tag 5; receive from rank {2}, tag 6)"),
    "poll_barrier": ({0: [1], 1: [0]}, "MPI_Test(MPI_Ibarrier, collective 1 of its communicator)"),
    "poll_many": ({0: [1], 1: [0]}, "; and 98 more)"),
    "poll_parts": ({0: [1], 1: [0]}, "MPI_Parrived(receive from rank {1}, tag 7)"),
    "poll_exposure": ({0: [1], 1: [0]}, "MPI_Win_test(MPI_Win_complete of the origins)"),
}
# The same, but no deadlock: whom ranks wait for.
BUSY_POLLS = {"poll_and_compute": {1: [0]}, "poll_for_two": {0: [1, 2], 1: [0]}, "poll_by_turns": {}}
# Not every MPI library has their functions.
OF_MPI_4, OF_MPICH = {"poll_parts"}, {"collective_write"}


class Job:
    """A program under andes run that never ends by itself."""

    def __init__(self, kind, program, ranks, *words, options=(), asleep=False):
        self.folder = tempfile.mkdtemp(prefix="andes-hang-")
        self.arenas = os.path.join(self.folder, "arenas")
        os.mkdir(self.arenas)
        self.said = os.path.join(self.folder, "said")
        self.env = environment(ANDES_ARENA=self.arenas)
        layer = {"LD_PRELOAD": polling(kind)} if asleep else {}
        with open(self.said, "w", encoding="utf-8") as said:
            self.process = subprocess.Popen(
                [ANDES, "run", "-o", "a.andes", *options, "--", *launcher(kind), "-n", str(ranks), program, *words],
                cwd=self.folder, env={**self.env, **layer}, stdin=subprocess.DEVNULL, stdout=said, stderr=subprocess.STDOUT,
                start_new_session=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def hang(self):
        """The findings of andes top; none before there is a job."""
        done = subprocess.run([ANDES, "top", "--json", "--interval", "0.05"], cwd=self.folder, env=self.env,
                              capture_output=True, text=True, timeout=PATIENCE_S)
        return json.loads(done.stdout).get("hang", []) if done.returncode == 0 else []

    def text(self):
        with open(self.said, encoding="utf-8") as file:
            return file.read()

    def wait_for(self, condition):
        until = time.monotonic() + PATIENCE_S
        while not (found := condition()):
            if time.monotonic() > until or self.process.poll() is not None:
                raise AssertionError("never came: " + self.text())
            time.sleep(0.2)
        return found

    def kill(self):
        """Ends the job as a user does. The run file that andes run makes of what is left, read by andes diagnose."""
        os.kill(self.process.pid, signal.SIGTERM)
        self.process.wait(timeout=PATIENCE_S)
        done = subprocess.run([ANDES, "diagnose", "--json", "a.andes"], cwd=self.folder, env=self.env,
                              capture_output=True, text=True, check=True)
        return json.loads(done.stdout).get("hang", [])


def waits_of(finding):
    """{rank: whom it waits for} of the finding's waiting ranks, by their main threads."""
    return {rank: state["waits_for"] for state in finding["states"] for rank in state["ranks"]
            if state["state"] in ("waits", "polls") and state["thread"] == 0}


class Hangs(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="andes-hangs-")
        cls.programs = {}
        for kind, mpicc in MPIS.items():
            cls.programs[kind] = os.path.join(cls.folder, "hangs." + kind)
            subprocess.run([mpicc, "-O1", "-g", "-w", os.path.join(HERE, "hangs.c"), "-o", cls.programs[kind], "-pthread"],
                           check=True)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def jobs(self, kind):
        """Of all cases, of each job {case: (its first rank, number of its ranks)}, and the number of its ranks. Ranks of MPICH
        spin, while a job starts even in the polling layer: it has two smaller jobs."""
        listed = subprocess.run([self.programs[kind], "list"], capture_output=True, text=True, check=True, env=environment())
        ranks_of = {name: int(ranks) for name, ranks in map(str.split, listed.stdout.splitlines())}
        self.assertEqual({*ranks_of, *OF_MPI_4, *OF_MPICH}, {*DEADLOCKS, *EARLY, *LONG_WAITS, *POLLS, *BUSY_POLLS})
        ranks_of = {name: ranks for name, ranks in ranks_of.items() if name not in {*POLLS, *BUSY_POLLS}}
        number = 2 if kind == "mpich" else 1
        for part in range(number):
            cases, first = {}, 0
            for name in list(ranks_of)[part::number]:
                cases[name] = (first, ranks_of[name])
                first += ranks_of[name]
            yield cases, first

    def check_no_other_certain(self, findings, cases):
        """Whatever is called certain is a planted deadlock, at any time."""
        planted = {tuple(first + rank for rank in DEADLOCKS[name][1]) for name, (first, _) in cases.items()
                   if name in DEADLOCKS}
        for finding in findings:
            if finding["certain"]:
                self.assertIn(tuple(finding["ranks"]), planted)

    def seen(self, findings, cases):
        """Whether every case can be seen: its deadlock, or its long wait."""
        self.check_no_other_certain(findings, cases)
        waiting = {rank for finding in findings for rank in waits_of(finding)}
        certain = {rank for finding in findings if finding["certain"] for rank in finding["ranks"] + finding["behind"]}
        early = {tuple(finding["ranks"]) for finding in findings if finding.get("early")}
        behind = {cases["behind"][0] + 2, cases["behind"][0] + 3} if "behind" in cases else set()
        return behind <= certain and all(
            first + rank in certain for name, (first, _) in cases.items() if name in DEADLOCKS for rank in DEADLOCKS[name][1]) and all(
            (first, first + 1) in early for name, (first, _) in cases.items() if name in EARLY) and all(
            first + rank in waiting for name, (first, _) in cases.items() if name in LONG_WAITS for rank in LONG_WAITS[name])

    def check(self, findings, cases):
        self.assertTrue(self.seen(findings, cases), findings)
        for name in set(cases) & set(DEADLOCKS):
            kind, waits, call = DEADLOCKS[name]
            first = cases[name][0]
            ranks = [first + rank for rank in waits]
            found = [finding for finding in findings if finding["ranks"] == ranks]
            self.assertEqual(len(found), 1, name)
            self.assertEqual((found[0]["kind"], found[0]["certain"]), (kind, True), name)
            waits_found = {rank: others for rank, others in waits_of(found[0]).items() if rank in ranks}
            self.assertEqual(waits_found, {first + rank: [first + other for other in others]
                                                  for rank, others in waits.items()}, name)
            self.assertTrue(any(state["call"].startswith(call + "(") for state in found[0]["states"]), found[0])
            self.assertTrue(any(state["call"].endswith(MORE.get(name, ")")) for state in found[0]["states"]), found[0])
            self.assertEqual(found[0]["behind"], [first + 2, first + 3] if name == "behind" else [], name)
            if name == "request_without_root":
                self.assertTrue(any(state["call"].startswith("MPI_Wait(MPI_Ibcast, root 0, collective ")
                                    for state in found[0]["states"]), found[0]) # of its communicator
            if name == "behind":
                self.assertEqual([waits_of(found[0])[first + rank] for rank in (2, 3)], 2 * [[first, first + 1]])
        for name in set(cases) & set(EARLY):
            (waits, call), first = EARLY[name], cases[name][0]
            found = next(finding for finding in findings if finding["ranks"] == [first, first + 1])
            self.assertEqual((found["kind"], found["certain"], found["early"]), ("deadlock", False, call))
            self.assertEqual(waits_of(found), {first + rank: [first + other for other in others]
                                               for rank, others in waits.items()}, name)
            self.assertIn(f", unless {call} returns before the other ranks have called it: they wait for each other", found["text"])
        long_waits = [finding for finding in findings if finding["kind"] == "waits"]
        self.assertEqual(len(long_waits), 1)
        found = waits_of(long_waits[0])
        for name in set(cases) & set(LONG_WAITS):
            first = cases[name][0]
            for rank, others in LONG_WAITS[name].items():
                self.assertEqual(found[first + rank], [first + other for other in others], name)

    def test_1_deadlocks_and_long_waits(self):
        for kind, (cases, ranks) in ((kind, job) for kind in MPIS for job in self.jobs(kind)):
            with self.subTest(kind, cases=list(cases)):
                with Job(kind, self.programs[kind], ranks, *cases, asleep=kind == "mpich") as job:
                    findings = job.wait_for(lambda: (lambda found: self.seen(found, cases) and found)(job.hang()))
                    self.check(findings, cases)
                    text = subprocess.run([ANDES, "top", "--once"], cwd=job.folder, env=job.env, capture_output=True,
                                          text=True, check=True).stdout
                    self.assertIn("Deadlock of ranks 0-1: they wait for each other\n"
                                  "  rank 0 waits for rank 1 since ", text)
                    # Killed, the job has left the same, but for ranks that were killed without notice in a send.
                    left = job.kill()
                    self.check_no_other_certain(left, cases)
                    self.assertIn([0, 1], [finding["ranks"] for finding in left if finding["kind"] == "deadlock"])

    def test_2_hang_after(self):
        for kind in MPIS:
            with self.subTest(kind), Job(kind, self.programs[kind], 2, "facing_receives", "alone",
                                         options=("--hang-after", "1")) as job:
                job.wait_for(lambda: "rank 1 waits for rank 0" in job.text())
                time.sleep(1.5) # said once
                self.assertRegex(job.text(), re.compile(
                    r"andes: no rank has made progress in MPI for \d+ s:\n"
                    r"andes: Deadlock of ranks 0-1: they wait for each other\n"
                    r"andes:   rank 0 waits for rank 1 since [\d.]+ s in "
                    r"MPI_Recv\(source 1, tag 7, 4 bytes, MPI_COMM_WORLD\)\n"))
                self.assertEqual(job.text().count("Deadlock of"), 1)
                left = job.kill()
                self.assertEqual([(finding["kind"], finding["ranks"]) for finding in left], [("deadlock", [0, 1])])
                self.assertEqual(job.text().count("Deadlock of"), 2) # andes run says it of what was left, too

    def test_3_no_hang(self):
        """A rank that sleeps for long outside MPI is not a deadlock; the others wait for it."""
        for kind, (name, call) in itertools.product(MPIS, (("late_sender", "clock_nanosleep"), ("late_reader", "read"))):
            with self.subTest(kind, name=name), Job(kind, self.programs[kind], 2, name, "alone",
                                                    options=("--hang-after", "1")) as job:
                job.wait_for(lambda: "rank 1 sleeps in " + call in job.text())
                self.assertIn("andes: Long waits, which other ranks may end\n", job.text())
                self.assertNotIn("Deadlock", job.text())

    def test_4_ended(self):
        for kind in MPIS:
            with self.subTest(kind), Job(kind, self.programs[kind], 2, "ended") as job:
                found = job.wait_for(lambda: [one for one in job.hang() if one["certain"]])
                for findings in (found, job.kill()):
                    self.assertEqual([(one["kind"], one["ranks"]) for one in findings], [("ended", [0])])
                    self.assertEqual([(state["state"], state["ranks"]) for state in findings[0]["states"]],
                                     [("waits", [0]), ("finalizes", [1])])

    def test_5_threads(self):
        """With MPI_THREAD_MULTIPLE a thread that the monitor has not met may always act: nothing is certain."""
        for kind in MPIS:
            with self.subTest(kind), Job(kind, self.programs[kind], 4, "threads") as job:
                def all_threads():  # the second threads come one after the other
                    found = job.hang()
                    told = [(one["ranks"], one["certain"], one["more_threads"]) for one in found]
                    is_told = told == [([0, 1], False, True), ([2, 3], False, True)] and len(found[0]["states"]) == 4
                    return found if is_told else None

                try:
                    found = job.wait_for(all_threads)
                except AssertionError:
                    if job.process.poll() is not None and "status 77" in job.text():
                        self.skipTest(kind + " has no MPI_THREAD_MULTIPLE")
                    raise
                self.assertEqual([(state["ranks"], state["thread"], state["waits_for"]) for state in found[0]["states"]],
                                 [([0], 0, [1]), ([0], 1, [1]), ([1], 0, [0]), ([1], 1, [0])])
                self.assertEqual(found[0]["text"], "ranks 0-1 wait for each other, which only a thread that has not "
                                                   "called MPI yet could end")

    def polls_seen(self, findings, firsts):
        """Whether all the loops have been seen, and nothing else."""
        for finding in findings:
            self.assertFalse(finding["certain"], finding)
        found = {tuple(finding["ranks"]): finding for finding in findings if finding["kind"] == "deadlock"}
        planted = {tuple(firsts[name] + rank for rank in POLLS[name][0]): name for name in firsts if name in POLLS}
        self.assertLessEqual(set(found), set(planted))
        if set(found) != set(planted):
            return False
        for ranks, name in planted.items():
            waits, call = POLLS[name]
            first = firsts[name]
            self.assertTrue(found[ranks]["polls"])
            self.assertIn(", unless a polling loop ends by itself: they wait for each other", found[ranks]["text"])
            self.assertEqual(waits_of(found[ranks]), {first + rank: [first + other for other in others]
                                                      for rank, others in waits.items()}, name)
            own = [state for state in found[ranks]["states"] if first in state["ranks"]]
            self.assertEqual([state["state"] for state in own], ["polls"], name)
            self.assertIn(call.format(*range(first, first + 3)), own[0]["call"])
        return True

    def busy_polls_seen(self, findings, firsts):
        waits = {}
        for finding in findings:
            waits.update(waits_of(finding) if finding["kind"] == "waits" else {})
        for name in set(firsts) & set(BUSY_POLLS):
            for rank, others in BUSY_POLLS[name].items():
                self.assertEqual(waits.get(firsts[name] + rank), [firsts[name] + other for other in others], name)
        computes = [state["text"] for finding in findings for state in finding["states"]
                    if firsts["poll_and_compute"] in state["ranks"] and state["state"] == "computes"]
        self.assertRegex(" ".join(computes), r"computes.*, and polls in vain since [\d.]+ s in MPI_Iprobe\(message")

    def is_told(self, findings, firsts):
        """Whether all is so in this reading: in one the busy machine may have kept a rank from what it does."""
        try:
            if not self.polls_seen(findings, firsts):
                return False
            self.busy_polls_seen(findings, firsts)
        except AssertionError:
            return False
        return True

    def test_6_polls(self):
        """Ranks that poll for ever, and others that compute between their polls or get something now and then."""
        for kind in MPIS:
            listed = subprocess.run([self.programs[kind], "list"], capture_output=True, text=True, check=True,
                                    env=environment())
            firsts, ranks = {}, 0
            for name, size in map(str.split, listed.stdout.splitlines()):
                if name in POLLS or (name in BUSY_POLLS and name != "poll_by_turns"):
                    firsts[name] = ranks
                    ranks += int(size)
            with self.subTest(kind), Job(kind, self.programs[kind], ranks, *firsts, asleep=kind == "mpich") as job:
                job.wait_for(lambda: self.is_told(job.hang(), firsts))
                self.assertTrue(any(finding["polls"] for finding in job.kill()))

    def test_7_polls_that_hang(self):
        for kind in MPIS:
            with self.subTest(kind), Job(kind, self.programs[kind], 2, "poll_test", "alone",
                                         options=("--hang-after", "1")) as job:
                job.wait_for(lambda: "rank 1 polls for rank 0" in job.text())
                self.assertRegex(job.text(), re.compile(
                    r"andes: no rank has made progress in MPI for \d+ s:\n"
                    r"andes: Deadlock of ranks 0-1, unless a polling loop ends by itself: they wait for each other\n"
                    r"andes:   rank 0 polls for rank 1 since [\d.]+ s in MPI_Test\(receive from rank 1, tag 7\)"))

    def test_8_polls_by_turns(self):
        """Two ranks that poll for each other and send every 1.5 s: once they have got something they are no deadlock."""
        for kind in MPIS:
            with self.subTest(kind), Job(kind, self.programs[kind], 2, "poll_by_turns", "alone",
                                         options=("--hang-after", "4")) as job:
                job.wait_for(lambda: any(waits_of(finding) for finding in job.hang()))
                time.sleep(6)
                claims = 0  # where the machine has kept both from a turn they look like a deadlock for a moment
                for _ in range(5):
                    claims += any(one["kind"] != "waits" for one in job.hang())
                    time.sleep(0.6)
                self.assertLessEqual(claims, 2)

    def test_9_bad_input(self):
        done = subprocess.run([ANDES, "run", "--hang-after", "0.1", "--", "true"], capture_output=True, text=True,
                              env=environment(), check=False)
        self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (2, "", 1))
        self.assertIn("--hang-after", done.stderr)


if __name__ == "__main__":
    unittest.main()
