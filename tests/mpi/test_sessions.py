"""Programs that use MPI sessions without MPI_Init: their ranks never meet, and the run is made of what each has
recorded. session.c has the numbers. Skipped where an MPI library has no sessions."""
import os
import re
import signal
import subprocess
import unittest

from support import build
from support.environment import without_settings
from support.mpi import MPIS, MpiTest, each_mpi, launcher
from support.run_file import RunFile
from support.waiting import wait_until

RANKS = 3
TIMEOUT_S = 300
PROCESSOR_S = 20  # of one process; the programs need some milliseconds, on a slow machine as well


def has_sessions(mpi):
    macros = subprocess.run([MPIS[mpi], "-E", "-dM", "-x", "c", "-"], input="#include <mpi.h>",
                            capture_output=True, text=True, check=True).stdout
    return int(re.search(r"#define MPI_VERSION (\d+)", macros)[1]) >= 4


def run_group(command, **how):
    """As subprocess.run; what it has started ends with it where it takes too long."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
                          **how) as process:
        try:
            out, errors = process.communicate(timeout=TIMEOUT_S)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)  # ranks of their own groups end when their launcher has gone
            raise
    return subprocess.CompletedProcess(command, process.returncode, out, errors)


class Sessions(MpiTest):
    def setUp(self):
        super().setUp()
        self.place = self.path("place")
        os.mkdir(self.place)

    def program(self, mpi):
        if not has_sessions(mpi):
            self.skipTest(f"{mpi} has no sessions")
        return self.compile(mpi, "session.c")

    def environment(self):
        return {**without_settings(), "ANDES_ARENA": self.place, "ANDES_WINDOWS": "off"}

    def plain(self, mpi, how):
        """How the program ends without andes: its status, or "hangs". A hang that spins ends by a signal."""
        command = [*launcher(mpi), "-n", str(RANKS), self.program(mpi), how]
        try:
            return run_group(["sh", "-c", f'ulimit -t {PROCESSOR_S}; exec "$@"', "sh", *command],
                             env=self.environment()).returncode
        except subprocess.TimeoutExpired:
            return "hangs"

    def need_plain(self, mpi, how):
        """Skips the test where the MPI library itself crashes or hangs, though a ring in one session works."""
        status = self.plain(mpi, how)
        if status != 0:
            self.assertEqual(self.plain(mpi, "ring"), 0)
            self.skipTest(f"session {how} fails with {mpi} itself: {status}")

    def run_it(self, mpi, how, status=0, says="", kept=False):
        """Under `andes run`: the run, which leaves no arenas unless they are to be kept."""
        program, out = self.program(mpi), self.path(f"{how}.andes")
        if os.path.exists(out):
            os.remove(out)
        done = run_group([build.ANDES, "run", "-o", out, "--", *launcher(mpi), "-n", str(RANKS), program, how],
                         env=self.environment(), cwd=self.folder)
        if status is not None:
            self.assertEqual(done.returncode, status, done.stderr)
        said = [line for line in done.stderr.splitlines() if line.startswith("andes: ") and "usable cores" not in line]
        self.assertRegex("\n".join(said), rf"\A{says}andes: wrote \S*{how}.andes\nandes: next: andes show \S*{how}.andes\Z")
        self.assertEqual(len(os.listdir(self.place)), int(kept))
        return RunFile(out), done.stdout

    def check_rings(self, run, rings, members=RANKS):
        calls = run.totals_by_region()
        self.assertEqual(calls["MPI_Sendrecv"]["visits"], 3 * members * rings)
        self.assertEqual(calls["MPI_Sendrecv"]["bytes_sent"], 3 * 4 * members * rings)
        self.assertEqual(run.messages, {(r, (r + 1) % members): (3 * rings, 12 * rings) for r in range(members)})
        # Each operation has met its other side, so waits are known.
        facts = run.facts
        self.assertEqual((facts["wait_states"], facts["messages_matched"], facts["messages_unmatched"]),
                         ("measured", 3 * members * rings, 0))
        self.assertEqual(run.rows("SELECT * FROM left_over"), [])
        return calls

    def check_whole(self, run, rings, sessions):
        calls = self.check_rings(run, rings)
        for name in ("MPI_Session_init", "MPI_Session_finalize"):
            self.assertEqual(calls[name]["visits"], sessions * RANKS, name)
        facts = run.facts
        self.assertEqual((facts["ranks"], facts["complete"], facts["sessions"]), (RANKS, 1, 1))
        self.assertEqual(run.endings, {})

    @each_mpi
    def test_one_session(self, mpi):
        run, printed = self.run_it(mpi, "ring")
        self.assertEqual(sorted(printed.splitlines()), [f"rank {r} sum {3 * ((r - 1) % RANKS)}" for r in range(RANKS)])
        self.check_whole(run, rings=1, sessions=1)

    @each_mpi
    def test_the_status_is_that_of_the_program(self, mpi):
        run, _ = self.run_it(mpi, "status", status=3,
                             says="andes: .*: ended with status 3; the run file is kept and marked as failed: .*\n")
        self.check_rings(run, rings=1)

    @each_mpi
    def test_one_session_after_another(self, mpi):
        self.need_plain(mpi, "again")  # MPICH 4.0 crashes
        self.check_whole(self.run_it(mpi, "again")[0], rings=2, sessions=2)

    @each_mpi
    def test_two_sessions_at_a_time(self, mpi):
        self.check_whole(self.run_it(mpi, "two")[0], rings=2, sessions=2)

    @each_mpi
    def test_a_session_before_mpi_init(self, mpi):
        run, _ = self.run_it(mpi, "init")
        self.check_rings(run, rings=2)  # MPI_Finalize has written it
        self.assertEqual(run.facts["complete"], 1)
        self.assertFalse({"sessions", "recovered"} & set(run.facts))

    @each_mpi
    def test_waits_are_found(self, mpi):
        def late_s():
            run, _ = self.run_it(mpi, "late")
            self.assertEqual(run.facts["messages_matched"], 1)
            return run.values_by_rank("wait:late_sender").get(1, 0) / 1e9
        # 0.5 s, less what a busy machine makes rank 1 late.
        found = []
        self.assertTrue(wait_until(lambda: found.append(late_s()) or 0.4 < found[-1] < 2, 120), found)

    @each_mpi
    def test_a_rank_that_fails(self, mpi):
        run, _ = self.run_it(mpi, "fault", status=None, says="(andes: .*\n)+")
        self.assertEqual((run.facts["complete"], run.endings[1]), (0, "signal"))

    @each_mpi
    def test_ranks_that_end_in_their_session(self, mpi):
        run, _ = self.run_it(mpi, "left", status=None, says="(andes: .*\n)+")
        self.assertEqual(run.facts["complete"], 0)
        ends = set(run.endings.values())  # launchers may end the others when the first has gone
        self.assertIn("exit", ends)
        self.assertNotIn("finalize", ends)

    @each_mpi
    def test_a_rank_without_a_session(self, mpi):
        """It may have run on another host, for all that is known: the arenas are kept."""
        self.need_plain(mpi, "part")  # MPICH 4.0 hangs
        run, _ = self.run_it(mpi, "part", kept=True,
                             says=r"(andes: .*\n)*andes: ranks without data may .* andes recover \S+ COPY.*\n(andes: .*\n)*")
        self.check_part(run)
        kept, again = os.path.join(self.place, *os.listdir(self.place)), self.path("again.andes")
        subprocess.run([build.ANDES, "recover", kept, "-o", again], check=True, capture_output=True, env=self.environment())
        self.check_part(RunFile(again))
        self.assertEqual(os.listdir(self.place), [])

    def check_part(self, run):
        self.check_rings(run, rings=1, members=RANKS - 1)
        self.assertEqual((run.facts["ranks"], run.facts["complete"]), (RANKS - 1, 0))
        self.assertEqual(run.endings[RANKS - 1], "missing")

    @each_mpi
    def test_by_hand(self, mpi):
        """Without andes run: a line says how to make the run file."""
        done = self.run_ranks(mpi, RANKS, [self.program(mpi)], environment={"ANDES_ARENA": self.place})
        said = re.fullmatch(r"andes: rank \d: MPI sessions alone; 'andes recover (\S+)' makes a run file of the measured "
                            r"data\n", done.stderr)
        self.assertTrue(said, done.stderr)
        self.assertFalse(os.path.exists(self.path("run.andes")))
        subprocess.run([build.ANDES, "recover", said[1], "-o", self.path("run.andes")], check=True, capture_output=True,
                       env=self.environment())
        self.check_whole(RunFile(self.path("run.andes")), rings=1, sessions=1)
        self.assertEqual(os.listdir(self.place), [])


if __name__ == "__main__":
    unittest.main()
