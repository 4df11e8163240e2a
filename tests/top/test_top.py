"""andes top on a program that sits where it is known to: one frame, and in a real terminal."""

import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

import screen

from support.build import ANDES
from support.commands import command
from support.end_to_end import EndToEnd
from support.environment import environment
from support.programs import KINDS, launcher, polling, program
from support.run_file import RunFile

PATIENCE_S = 300
STATIONS = [["main", "watch_file"], ["main", "exchange", "MPI_Recv"], ["main", "outer", "hold"],
            ["main", "meet", "MPI_Barrier"]]


class Job:
    """`stations` under andes run, at its stations; ends with the block at the latest."""

    def __init__(self, kind, *words, options=(), **env):
        self.folder = tempfile.mkdtemp(prefix="andes-top-")
        self.arenas = os.path.join(self.folder, "arenas")
        os.mkdir(self.arenas)
        self.env = dict(env, ANDES_ARENA=self.arenas, LD_PRELOAD=polling(kind))
        self.process = subprocess.Popen(
            [ANDES, "run", "-o", "a.andes", *options, "--", *launcher(kind, 4), program(kind, "stations"),
             "release", *words], cwd=self.folder, env=environment(**self.env), stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True)
        try:
            self.wait_for(lambda: [rank.get("now_in", [])[:len(station)] for rank, station
                                   in zip(self.frame()["rank_states"], STATIONS)] == STATIONS)
        except AssertionError as error:
            seen = self.top("--once", "--interval", "0.2", status=None)
            processes = command(["ps", "-eHo", "pid,stat,cls,wchan:20,time,args"]).stdout if shutil.which("ps") else ""
            raise AssertionError("%s\n%s%s%s%s" % (error, seen.stdout, seen.stderr, self.close(), processes)) from error
        except BaseException:
            self.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Ends it; what andes run said."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
        said = "" if self.process.stdout.closed else self.process.communicate()[0]
        shutil.rmtree(self.folder, ignore_errors=True)
        return said

    def wait_for(self, condition):
        until = time.monotonic() + PATIENCE_S
        while not condition():
            if time.monotonic() > until or self.process.poll() is not None:
                raise AssertionError("never came; %s" % (self.process.communicate()[0]
                                                         if self.process.poll() is not None else "too late"))
            time.sleep(0.1)

    def top(self, *words, status=0):
        return command([ANDES, "top", *words], check=status, cwd=self.folder, **self.env)

    def frame(self):
        """One frame as JSON; without ranks while there is no job yet."""
        done = self.top("--json", "--interval", "0.2", status=None)
        frame = json.loads(done.stdout) if done.returncode == 0 else {}
        return frame if len(frame.get("rank_states", ())) == 4 else {"rank_states": []}

    def release(self):
        with open(os.path.join(self.folder, "release"), "w", encoding="utf-8"):
            pass

    def end(self, status=0):
        """Lets the program go on; what andes run said."""
        self.release()
        said = self.process.communicate(timeout=PATIENCE_S)[0]
        if self.process.returncode != status:
            raise AssertionError("exit status %d: %s" % (self.process.returncode, said))
        return said

    def files(self):
        return sorted(name for name in os.listdir(self.folder) if name.endswith(".andes"))


class OneFrame(EndToEnd):
    def check_shares(self, job):
        frame = job.frame()
        self.assertEqual((frame["ranks"], frame["running"], frame["ended"]), (4, 4, 0))
        self.assertEqual(frame["program"], "stations release")
        ranks = frame["rank_states"]
        for number, (rank, station) in enumerate(zip(ranks, STATIONS)):
            self.assertEqual((rank["rank"], rank["status"]), (number, "running"))
            self.assertEqual(rank["now_in"][:len(station)], station)
            self.assertEqual(rank["in_mpi"], number in (1, 3))
            # In the last interval: stations 0 and 2 only compute, 1 and 3 are only in MPI.
            share = rank["last"]["communication_percent"]
            self.assertAlmostEqual(share, 100 if number in (1, 3) else 0, delta=2)
        for number in (1, 3):
            # Since the start: (r + 1) * 250 ms of known(), and all else in MPI_Comm_split and there.
            rank = ranks[number]
            computed_s = rank["since_start"]["compute_percent"] / 100 * rank["wall_s"]
            self.assertGreaterEqual(computed_s, (number + 1) * 0.250 - 0.002)
            self.assertLess(computed_s, (number + 1) * 0.250 + 0.5)
            self.assertLessEqual(rank["open_for_s"], rank["wall_s"] - (number + 1) * 0.250)
        # Half of the ranks compute: mean / max of the load is 0.5, and each has a quarter of p x T.
        self.assertAlmostEqual(frame["last_load_balance"], 0.5, delta=0.02)
        self.assertAlmostEqual(frame["last"]["compute_percent"], 50, delta=2)
        paths = {"/".join(path["path"]): path["last_percent"] for path in frame["callpaths"]}
        self.assertAlmostEqual(paths["main/exchange/MPI_Recv"], 25, delta=2)
        self.assertAlmostEqual(paths["main/meet/MPI_Barrier"], 25, delta=2)
        watching = sum(share for path, share in paths.items() if path.startswith("main/watch_file"))
        self.assertAlmostEqual(watching, 25, delta=2)

    def test_what_each_rank_does_and_shares(self):
        for kind in KINDS:
            with self.subTest(kind), Job(kind) as job:
                self.timed(self.check_shares, job)
                text = job.top("--once", "--interval", "0.2").stdout
                self.assertNotIn("\x1b", text)
                self.assertRegex(text, r"(?m)^andes top +stations release .* p = 4 ")
                self.assertRegex(text, r"(?m)^ +1 .* 100\.0 .* main > exchange > MPI_Recv$")
                job.end()
                self.assertEqual(job.files(), ["a.andes", "a.s1.andes"])
                self.assertEqual(os.listdir(job.arenas), [])

    @unittest.skipUnless(os.geteuid() == 0, "asks as another user, who runs nothing")
    def test_nothing_runs(self):
        try:
            done = command([ANDES, "top"], check=2, at_start=lambda: os.setuid(54321), ANDES_ARENA="")
        except PermissionError:
            self.skipTest("the build is not for other users to read")
        self.assertEqual(done.stderr, "andes: top: you have no measured program running on this host; "
                         "start one with andes run, or name the directory of its arenas\n")

    def test_nothing_there(self):
        with tempfile.TemporaryDirectory() as folder:
            done = command([ANDES, "top", folder + "/nothing"], check=2)
            self.assertEqual(done.stderr, "andes: %s/nothing: no arenas of a job of yours are there; andes "
                             "recover lists the jobs of this host\n" % folder)
            with open(folder + "/run.andes", "w", encoding="utf-8"):
                done = command([ANDES, "top", folder + "/run.andes"], check=2)
            self.assertEqual(done.stderr, "andes: %s/run.andes: a file, not the directory of a running job's arenas; "
                             "andes show tells of run files\n" % folder)
            done = command([ANDES, "top", "--interval", "0"], check=2)
            self.assertEqual(done.stderr, "andes: --interval 0: is not between 0.05 and 3600 s; give seconds, "
                             "like 2\n")


class Snapshots(unittest.TestCase):
    def test_stamped_asked_and_timed(self):
        kind = KINDS[0]
        with Job(kind) as job:
            job.wait_for(lambda: job.files() == ["a.s1.andes"]) # MPI_Pcontrol(2) of four ranks: one file
            os.kill(job.process.pid, signal.SIGUSR1)
            job.wait_for(lambda: job.files() == ["a.s1.andes", "a.s2.andes"])
            said = job.end()
            self.assertIn("andes: snapshot: a.s1.andes\n", said)
            self.assertEqual(job.files(), ["a.andes", "a.s1.andes", "a.s2.andes"])
            whole, second = (RunFile(os.path.join(job.folder, name)) for name in ("a.andes", "a.s2.andes"))
            self.assertEqual((second.facts["snapshot"], second.facts["complete"], second.facts["ranks"]),
                             (2, 0, 4))
            self.assertEqual(whole.facts["complete"], 1)
            self.assertNotIn("snapshot", whole.facts)
            self.assertEqual({row["rank"] for row in second.snapshots}, set(range(4)))
            self.assertLess(second.facts["wall_ns"], whole.facts["wall_ns"])
            shown = command([ANDES, "show", "a.s2.andes"], cwd=job.folder).stdout
            self.assertIn("a snapshot of a run that had not ended", shown)
            report = command([ANDES, "report", "."], cwd=job.folder)
            self.assertIn("snapshot", report.stdout + report.stderr)

    def test_by_time(self):
        with Job(KINDS[-1], options=("--set", "snapshot_s=1.2")) as job:
            job.wait_for(lambda: len(job.files()) >= 3)
            job.end()


class Recovered(unittest.TestCase):
    def test_killed_rank(self):
        """One rank dies by SIGKILL, and the launcher ends the others: the run is there all the same."""
        for kind in KINDS:
            with self.subTest(kind), Job(kind, "die") as job:
                job.release()
                said = job.process.communicate(timeout=PATIENCE_S)[0]
                self.assertNotEqual(job.process.returncode, 0)
                # The launcher may end the others by SIGKILL as well: then nobody can tell who was first.
                self.assertRegex(said, r"(?m)^andes: rank 2: killed without notice .* in main/outer"
                                       r"|^andes: ranks [0-3,-]+: killed without notice")
                run = RunFile(os.path.join(job.folder, "a.andes"))
                self.assertEqual((run.endings[2], len(run.endings)), ("killed", 4))
                self.assertRegex(said, r"the run file is kept and marked as failed: a\.andes")
                self.assertEqual((run.facts["complete"], run.facts["ranks"]), (0, 4))
                self.assertEqual(os.listdir(job.arenas), [])

    def test_time_limit(self):
        """SIGTERM to andes run alone goes to the command; what was measured is kept."""
        def ends(kind):
            with Job(kind) as job:
                time.sleep(1)  # andes run has seen all ranks by then, on a machine that is not too busy
                os.kill(job.process.pid, signal.SIGTERM)
                said = job.process.communicate(timeout=PATIENCE_S)[0]
                self.assertEqual(job.process.returncode, 128 + signal.SIGTERM, said)
                self.assertIn("a.andes", job.files())
                run = RunFile(os.path.join(job.folder, "a.andes"))
                self.assertEqual(run.facts["ranks"], 4)
                self.assertEqual(os.listdir(job.arenas), [])
                return said, set(run.endings.values())

        for kind in KINDS:
            with self.subTest(kind=kind):
                for _ in range(3):
                    said, found = ends(kind)
                    if "killed" not in found:
                        break
                # MPICH's launcher sends SIGKILL at once: a rank may have no time to record the signal.
                self.assertLessEqual(found, {"signal", "stopped"}, said)
                self.assertNotIn("killed without notice", said)
                self.assertRegex(said, r"ended from outside, alone or with the whole job \(signal 15\)|"
                                       r"ended with the whole job, as andes run was stopped \(signal 15\)")


@unittest.skipUnless(screen.available(), "no tmux here")
class RealTerminal(unittest.TestCase):
    def check_screen(self, terminal, columns, lines):
        """Waits for a frame that fits: the titles, the last line, and nothing beyond the edges."""
        def whole(text):
            rows = text.split("\n")
            return (len(rows) == lines and all(len(row) <= columns for row in rows) and
                    "p = 4" in rows[0] and rows[-1].startswith("q quit") and
                    all(wanted in text for wanted in ("call path", "open for", "MPI_Recv", "MPI_Barrier")))
        terminal.wait_for(whole)

    def test_keys_sizes_and_the_end(self):
        with Job(KINDS[-1]) as job:
            environment_of_test = dict(environment(**job.env))
            environment_of_test.pop("LD_PRELOAD")
            path = environment_of_test["PATH"]
            with screen.Terminal(80, 24, job.folder, ANDES_ARENA=job.arenas, PATH=path) as terminal:
                terminal.type("andes top --interval 0.5\n")
                terminal.wait_for("last 0.[5-9] s")
                self.assertTrue(terminal.on_alternate_screen())
                self.assertFalse(terminal.cursor_shown())
                self.check_screen(terminal, 80, 24)
                self.assertTrue(any("\x1b[" in line for line in terminal.coloured()))
                for columns, lines in ((120, 40), (40, 10), (80, 24)):
                    terminal.resize(columns, lines)
                    self.check_screen(terminal, columns, lines)
                terminal.key("s")
                terminal.wait_for("sort: rank")
                terminal.key("s")
                terminal.wait_for("sort: longest in MPI")
                terminal.wait_for(r"(?m)^   1 .*\n   3 ") # rank 1 has been in MPI for longest
                terminal.key("+")
                terminal.wait_for("every 1 s")
                terminal.key("Space")
                terminal.wait_for("paused")
                terminal.key("Space")
                terminal.wait_for(lambda text: "paused" not in text)
                terminal.key("q")
                terminal.wait_for("(?m)^ready>$")
                self.assertTrue(terminal.cursor_shown())
                self.assertFalse(terminal.on_alternate_screen())

                for key, told in (("C-c", "0"), ("C-z", None)):
                    terminal.type("clear; andes top\n")
                    terminal.wait_for("q quit")
                    terminal.key(key)
                    terminal.wait_for("ready>")
                    self.assertTrue(terminal.cursor_shown())
                    if told:
                        terminal.type("echo status $?; stty -a | grep -o ' .\\?echo '\n")
                        terminal.wait_for(r"(?m)^status %s\n echo" % told)
                terminal.type("clear; fg\n")
                terminal.wait_for("q quit")
                directory, = os.listdir(job.arenas)
                job.end()
                terminal.wait_for("andes: the job has ended")
                terminal.wait_for("stations release")
                self.assertTrue(terminal.cursor_shown())
                terminal.type("clear; andes top %s/%s; echo status $?\n" % (job.arenas, directory))
                terminal.wait_for("(?m)^status 2")


if __name__ == "__main__":
    unittest.main()
