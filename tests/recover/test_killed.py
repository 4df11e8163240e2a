"""`andes recover` on a program whose rank 2 dies in its sixth step: visits and bytes of all ranks are exact up
to there, the wait that the program makes is found, and each rank's end is told. known.c has the numbers."""

import glob
import json
import os
import subprocess
import unittest

from support.build import ANDES
from support.commands import command
from support.end_to_end import EndToEnd
from support.environment import environment
from support.programs import KINDS, launcher
from support.run_file import RunFile
from support.waiting import wait_until

HERE = os.path.dirname(os.path.abspath(__file__))
RANKS, STEPS = 4, 5  # steps that all ranks have done
# A line that tells of rank 2, and maybe of others.
KILLED = r"ranks? (0-[23]|([01],)?(1-)?2(-3|,3)?): killed without notice"


class Killed(EndToEnd):
    def setUp(self):
        super().setUp()
        self.place = os.path.join(self.folder, "place")
        os.mkdir(self.place)

    def program(self, kind):
        path = os.path.join(self.folder, "known-" + kind)
        command([ANDES, "cc", "--select", "all", "mpicc." + kind, "-O1", "-g", "-w", os.path.join(HERE, "known.c"), "-o", path])
        return path

    def killed(self, kind, program, how):
        """Runs it; the directory that it leaves."""
        command(launcher(kind, RANKS) + [ANDES, "exec", program, how], check=None, cwd=self.folder,
                ANDES_ARENA=self.place, ANDES_JOB="job", ANDES_BUDGET_PERCENT="0", ANDES_OUT="known.andes")
        found = glob.glob(os.path.join(self.place, "*"))
        self.assertEqual(len(found), 1, found)
        wait_until(lambda: self.listed(found[0])["alive"] == 0, 60)  # launchers may end before the ranks they have killed
        return found[0]

    def listed(self, directory):
        jobs = json.loads(command([ANDES, "recover", "--json"], ANDES_ARENA=self.place).stdout)["jobs"]
        return next(job for job in jobs if job["directory"] == directory)

    def recover(self, *arguments, check=0):
        return command([ANDES, "recover", *arguments], cwd=self.folder, check=check)

    def check_run(self, path, how, watched=False):
        shown = json.loads(command([ANDES, "show", path, "--json"], cwd=self.folder).stdout)
        self.assertFalse(shown["run"]["complete"])
        rows = {"/".join(row["path"]): row for row in shown["callpaths"]}
        by_name = lambda name: next(row for text, row in rows.items() if text.endswith("main/" + name))
        self.assertEqual(by_name("step")["visits"], RANKS * (STEPS + 1))
        self.assertEqual(by_name("step/fatal")["visits"], 1)
        self.assertEqual(by_name("step/MPI_Barrier")["visits"], RANKS - 1)
        self.assertEqual(by_name("step/exchange")["visits"], RANKS * STEPS)
        sent = STEPS * sum(1000 + rank for rank in range(RANKS))
        self.assertEqual(by_name("step/exchange/MPI_Send")["bytes_sent"], sent)
        self.assertEqual(by_name("step/exchange/MPI_Wait")["bytes_received"], sent)
        self.assertEqual(by_name("step/exchange/MPI_Send")["messages_sent"], RANKS * STEPS)
        self.assertEqual([end["rank"] for end in shown["endings"]], list(range(RANKS)))
        end = shown["endings"][2]
        # MPICH makes MPI_Abort of exit().
        self.assertIn(end["how"], {"kill": ["killed"], "segv": ["signal"], "abort": ["abort"],
                                   "exit": ["exit", "abort"]}[how])
        if how == "segv":
            self.assertEqual(end["detail"], 11)
        if how == "abort":
            self.assertEqual(end["detail"], 7)
        if end["how"] != "exit":  # visits are closed when it leaves by exit()
            self.assertIn("step/fatal", "/".join(end["path"]))
        # Rank 1 waits in MPI_Wait for rank 0, which comes late.
        wait_s = RunFile(path).values_by_rank("wait:late_sender").get(1, 0) / 1e9
        self.assertGreater(wait_s, 0)  # 0.4 s, less what a busy machine makes rank 1 late
        self.assertLess(wait_s, 2)
        table = command([ANDES, "show", path, "--csv"]).stdout.split("\n\n")[-1].splitlines()
        self.assertEqual(table[0], "rank,how,detail,time_s,last_event,path,text,after_rank")
        for line, end in zip(table[1:], shown["endings"], strict=True):
            rank, how, detail, time_s, last_event, path, _, after_rank = line.split(",")
            self.assertEqual(after_rank, str(end.get("after_rank", "")))
            self.assertEqual((int(rank), how, detail), (end["rank"], end["how"], str(end.get("detail", ""))))
            self.assertEqual((float(time_s), last_event == "1"), (end["time_s"], end["last_event"]))
            self.assertEqual(path, "/".join(end.get("path", [])))
            if how != "killed" or not watched:  # andes run sees when it dies, if it comes to that in time
                self.assertEqual(last_event, "1" if how == "killed" else "0")
        return shown

    def check_way_to_die(self, kind, program, how):
        directory = self.killed(kind, program, how)
        self.number += 1
        path = os.path.join(self.folder, "%s-%s-%d.andes" % (kind, how, self.number))
        said = self.recover(directory, "-o", path).stdout
        self.assertIn("4 of 4 ranks, incomplete", said)
        # Launchers may end others by SIGKILL as well: then they share a line.
        self.assertRegex(said, KILLED if how == "kill" else "(?m)^  rank 2: ")
        self.assertFalse(os.path.exists(directory), "arenas must be gone")
        self.check_run(path, how)
        text = command([ANDES, "show", path]).stdout
        self.assertIn("figures end where each rank ended", " ".join(text.split()))

    def test_each_way_to_die(self):
        for kind in KINDS:
            program = self.program(kind)
            for how in ("kill", "segv", "abort", "exit"):
                with self.subTest(kind=kind, how=how):
                    self.timed(self.check_way_to_die, kind, program, how)

    def test_files_are_neither_lost_nor_overwritten(self):
        kind = KINDS[0]
        directory = self.killed(kind, self.program(kind), "kill")
        arenas = sorted(glob.glob(os.path.join(directory, "*.arena")))
        self.assertEqual(len(arenas), RANKS)
        job = self.listed(directory)
        self.assertEqual((job["ranks"], job["job_ranks"], job["alive"]), (RANKS, RANKS, 0))

        self.recover(directory, "--keep", "-o", "kept.andes")
        self.assertEqual(sorted(glob.glob(os.path.join(directory, "*.arena"))), arenas)
        with open(arenas[1], "r+b") as file:  # one is damaged: the rest is recovered
            file.write(b"x" * (80 << 20))
        done = self.recover(directory, "--keep", "-o", "kept.andes", check=2)
        reading, damaged = done.stderr.splitlines()  # what is large takes a while, and says so
        self.assertRegex(reading, r"^andes: %s: reading 4 arenas of 8\d MB, and .* up to 4\d\d MB of memory$" % directory)
        self.assertIn(arenas[1] + ": not an arena of andes", damaged)
        self.assertIn("kept.2.andes: 3 of 4 ranks, incomplete", done.stdout)
        self.assertIn("left no data", done.stdout)
        # The place of the jobs in the place of a job: those below it are named.
        say = "andes: %s: it contains no arenas; " % self.place
        self.assertEqual(self.recover(self.place, check=2).stderr, say + "there is a job below it: andes recover %s\n" % directory)
        below = [directory]
        for number in range(4):  # newest first
            below.insert(0, directory + str(number))
            os.mkdir(below[0], 0o700)
            os.utime(below[0], (2e9 + number, 2e9 + number))
            self.assertEqual(self.recover(self.place, check=2).stderr,
                             say + "give one of the jobs below it: %s%s\n" % (
                                 ", ".join(below[:3]), " or %d more" % (number - 1) if number > 1 else ""))
        # Without an arena nothing is written.
        empty = os.path.join(self.folder, "empty")
        os.mkdir(empty)
        done = self.recover(empty, "-o", "none.andes", check=2)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assertFalse(os.path.exists(os.path.join(self.folder, "none.andes")))

    def test_of_a_living_job_it_is_a_snapshot(self):
        kind = KINDS[0]
        program = self.program(kind)
        variables = environment(ANDES_ARENA=self.place, ANDES_JOB="job", ANDES_BUDGET_PERCENT="0", ANDES_OUT="end.andes")
        job = subprocess.Popen(launcher(kind, RANKS) + [ANDES, "exec", program, "hang"], env=variables, cwd=self.folder,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            files = []

            def all_wait():
                for directory in glob.glob(os.path.join(self.place, "*")):
                    done = command([ANDES, "recover", directory, "--json"], cwd=self.folder, check=None)
                    files[:] = json.loads(done.stdout)["files"] if done.returncode == 0 else []
                lines = " ".join(line for file in files for line in file["lines"])
                return "rank 2: running" in lines and "main/step/fatal" in lines and "ranks 0-1,3" in lines

            self.assertTrue(wait_until(all_wait, 60, pause_s=0.1), files)
            file, = files
            found = glob.glob(os.path.join(self.place, "*"))
            self.assertTrue(file["live"])
            self.assertEqual((file["ranks"], file["job_ranks"]), (RANKS, RANKS))
            self.assertEqual(len(glob.glob(os.path.join(found[0], "*.arena"))), RANKS)
            shown = json.loads(command([ANDES, "show", file["file"], "--json"], cwd=self.folder).stdout)
            visits = {"/".join(row["path"]): row["visits"] for row in shown["callpaths"]}
            self.assertEqual(visits["main/step/exchange"], RANKS * STEPS)
            self.assertEqual(visits["main/step/MPI_Barrier"], RANKS - 1)
            self.assertEqual({end["how"] for end in shown["endings"]}, {"running"})
        finally:
            job.terminate()
            job.wait(timeout=600)

    @unittest.skipUnless(os.geteuid() == 0 and "openmpi" in KINDS, "mounts a memory file system; MPICH needs more of it")
    def test_arenas_of_one_job_in_two_places(self):
        """A first place with room for one of the ranks: the others go on to the next, and nothing is lost."""
        script = """
            mount -t tmpfs -o size=4m,mode=1777 tmpfs /dev/shm || exit 77
            ANDES_JOB=job ANDES_OUT=known.andes $RUN $ANDES exec "$1" kill
            ls -d /dev/shm/andes-*-job/*.arena "$TMPDIR"/andes-*-job/*.arena
            for turn in $(seq 100); do $ANDES recover | grep "job .* ended" && break; sleep 0.1; done
            $ANDES recover -o by-hand.andes /dev/shm/andes-*-job || exit 1
            ANDES_JOB=live $RUN $ANDES exec "$1" hang & live=$!
            for turn in $(seq 100); do
              sleep 0.1
              for place in /dev/shm "$TMPDIR"; do
                $ANDES top --json --interval 0.1 $place/andes-*-live > "$TMPDIR.$(basename $place)" 2> "$TMPDIR.error"
              done
              [ "$(cat "$TMPDIR".shm "$TMPDIR.$(basename $TMPDIR)" | grep -c '"rank": [1-3],$')" = 6 ] && break
            done
            kill $live; wait $live
            rm -rf /dev/shm/andes-*-live "$TMPDIR"/andes-*-live
            $ANDES run -o itself.andes -- $RUN "$1" kill
            ls -A "$TMPDIR" /dev/shm"""
        variables = {"RUN": " ".join([*launcher("openmpi", RANKS), "--mca", "btl", "tcp,self"]), "ANDES": ANDES,
                     "TMPDIR": self.place, "ANDES_BUDGET_PERCENT": "0", "ANDES_ARENA": ""}
        done = command(["unshare", "-m", "sh", "-c", script, "sh", self.program("openmpi")], check=None,
                       cwd=self.folder, **variables)
        if done.returncode == 77:
            self.skipTest("file systems cannot be mounted here")
        said = done.stdout + done.stderr
        self.assertRegex(said, r"(?m)^/dev/shm/andes-.*\.arena$")
        self.assertRegex(said, rf"(?m)^{self.place}/andes-.*\.arena$")
        self.assertRegex(said, r"(?m)^(%s) (?!\1)(%s)  known-openmpi; 4 of 4 ranks; ended" % (
            2 * ("|".join(place + "/andes-0-job" for place in ("/dev/shm", self.place)),)))
        for name in ("shm", os.path.basename(self.place)):  # whichever of both directories is given
            with open("%s.%s" % (self.place, name), encoding="utf-8") as file:
                self.assertEqual([rank["rank"] for rank in json.load(file)["rank_states"]], list(range(RANKS)), said)
        for name in ("by-hand.andes", "itself.andes"):
            path = os.path.join(self.folder, name)
            self.assertTrue(os.path.exists(path), said)
            self.check_run(path, "kill", watched=name == "itself.andes")
        self.assertNotIn(".arena", said.split("itself.andes")[-1])

    def test_reports_tell_how_it_ended(self):
        kind = KINDS[0]
        directory = self.killed(kind, self.program(kind), "kill")
        self.recover(directory, "-o", "known.andes")
        path = os.path.join(self.folder, "known.andes")
        text = command([ANDES, "report", path]).stdout
        self.assertIn("none of 1 run finished", text)
        self.assertRegex(" ".join(text.split()), KILLED)
        self.assertNotIn("speedup  ", text)
        self.assertIn("incomplete", json.loads(command([ANDES, "report", path, "--json"]).stdout)["unfinished"])


if __name__ == "__main__":
    unittest.main()
