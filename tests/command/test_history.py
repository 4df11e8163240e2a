"""andes report --history on made-up runs of commits: changes, git's order, the cache, bad input."""

import glob
import json
import os
import shutil
import subprocess

from command.test_report import ReportTest
from support.command_line import main

AUTHOR = {"GIT_%s_%s" % (role, what): text for role in ("AUTHOR", "COMMITTER")
          for what, text in (("NAME", "A"), ("EMAIL", "a@b"), ("DATE", "2026-01-02T03:04:05Z"))}


class History(ReportTest):
    def commits(self, count):
        """A repository of so many commits, all of one time, so that only git knows their order."""
        repository = os.path.join(self.work, "sources")
        env = dict(os.environ, GIT_CONFIG_GLOBAL="/dev/null", GIT_CONFIG_NOSYSTEM="1", **AUTHOR)

        def git(*words):
            return subprocess.run(["git", "-C", repository, *words], env=env, check=True, capture_output=True,
                                  text=True).stdout
        os.mkdir(repository)
        git("init", "-q", "-b", "main")
        for number in range(count):
            git("commit", "-q", "--allow-empty", "-m", "change number %d" % number)
        return repository, git("rev-list", "--reverse", "HEAD").split()

    def history(self, *words):
        return json.loads(self.succeeds("report", "--history", "runs", "--json", *words).stdout)

    def runs(self, commits, slower_from, facts=None, folder="runs"):
        noise = [0.998, 1.003, 1.001, 0.9985, 1.002, 0.9995, 1.0015]
        self.make(*({"file": "%s/%03d.%d.andes" % (folder, i, r), "ranks": 2, "scale": noise[(3 * i + 5 * r) % 7],
                     "program": {"parallel_s": 9 if i < slower_from else 9.6, "hash": "%016x" % i},
                     "facts": {"commit": commit, "commit_time": "2026-01-02T03:04:05Z", "branch": "main",
                               **(facts or {})}} for i, commit in enumerate(commits) for r in range(2)))

    def test_a_change_with_the_commits_between(self):
        repository, commits = self.commits(24)
        self.runs(commits[::2], 7)  # every second commit was measured
        (one,) = self.history("--repository", repository)["histories"]
        self.assertEqual((one["ordered_by"], len(one["commits"]), one["ranks"]), ("git", 12, 2))
        (change,) = one["changes"]
        self.assertEqual((change["commit"], change["at"]), (commits[14], 7))
        self.assertAlmostEqual(change["change_percent"]["median"], 100 * 0.3 / 5.5, delta=0.5)
        self.assertIn({"commit": commits[13], "title": "change number 13"}, change["commits"])
        self.assertEqual(change["terms"][0]["name"], "computation")
        self.assertAlmostEqual(change["terms"][0]["change_s"], 0.6, delta=0.1)
        self.assertEqual(change["callpaths"][0]["path"], ["main", "work", "sweep"])
        text = self.succeeds("report", "--history", "runs", "--repository", repository).stdout
        for words in ("% slower", "at " + commits[14][:10], "change number 13", "main > work > sweep"):
            self.assertIn(words, text)
        # Where git does not know the commits, their times count, and then those of the runs.
        (other,) = self.history("--repository", self.work)["histories"]
        self.assertEqual(other["ordered_by"], "time")

    def test_branches_dirty_and_incomplete_runs(self):
        self.runs(["%040x" % i for i in range(8)], 99)
        self.runs(["%040x" % i for i in range(8, 10)], 99, {"branch": "other"}, "runs/other")
        self.runs(["%040x" % 20], 99, {"dirty": 1}, "runs/dirty")
        self.runs(["%040x" % 21], 99, {"complete": 0}, "runs/incomplete")
        history = self.history()
        self.assertEqual([len(one["commits"]) for one in history["histories"]], [10])
        self.assertEqual(history["histories"][0]["changes"], [])
        self.assertEqual({one["reason"]: one["runs"] for one in history["left_out"]},
                         {"of sources with changes that are not committed": 2, "incomplete": 2})
        self.assertEqual([len(one["commits"]) for one in self.history("--branch", "other")["histories"]], [2])
        text = self.succeeds("report", "--history", "runs").stdout
        self.assertIn("No change.", text)
        self.assertIn("branches main, other", " ".join(text.split()))
        self.assertIn("Too few commits", self.succeeds("report", "--history", "runs", "--branch", "other").stdout)

    def test_the_cache(self):
        self.runs(["%040x" % i for i in range(10)], 5)
        first = self.history()
        cache = os.path.join(self.work, "runs", ".andes-history")
        self.assertTrue(os.path.exists(cache))
        with open(cache, "rb") as file:
            whole = file.read()
        self.assertEqual(self.history(), first)
        for damaged in (b"", b"no cache", whole[:len(whole) // 2], whole[:-1] + b"\xff", bytes(len(whole)),
                        whole.replace(b"format\x01", b"format\x63"), whole.replace(b"sweep", b"SWEEP", 1)[:-40]):
            with open(cache, "wb") as file:
                file.write(damaged)
            self.assertEqual(self.history(), first)
            with open(cache, "rb") as file:
                self.assertEqual(file.read(), whole)
        # A run that is replaced, one that is gone, and one that is new.
        for gone in glob.glob(os.path.join(self.work, "runs", "009.0.*")) + glob.glob(os.path.join(self.work, "runs", "000.*")):
            os.remove(gone)
        self.runs(["%040x" % 0], 0)
        self.runs(["%040x" % 30], 0, folder="runs/new")
        changed = self.history()
        shutil.copy(cache, cache + ".kept")
        os.remove(cache)
        self.assertEqual(self.history(), changed)
        self.assertNotEqual(changed, first)
        self.assertEqual(os.path.getsize(cache), os.path.getsize(cache + ".kept"))

    def test_many_runs_and_the_cache(self):
        self.runs(["%040x" % i for i in range(20)], 10)
        source = sorted(glob.glob(os.path.join(self.work, "runs", "*.andes")))
        for copy in range(1, 5):
            folder = os.path.join(self.work, "runs", str(copy))
            os.mkdir(folder)
            for file in source:
                shutil.copy(file, folder)
        first = self.history()
        self.assertEqual(sum(len(c["files"]) for c in first["histories"][0]["commits"]), 200)
        self.assertEqual(self.history(), first)  # of the cache

    def test_bad_input(self):
        self.runs(["%040x" % 1], 5)
        self.history()  # writes the cache
        self.refused("nowhere: no such file or directory; name run files or directories of run files",
                     "report", "--history", "nowhere")
        self.refused("--format csv: a history does not have it; give text or json", "report", "--history", "runs", "--csv")
        self.refused("runs/000.0.andes: not expected: a history is of one directory; andes report --history DIR",
                     "report", "--history", "runs", "runs/000.0.andes")
        self.refused("runs: no run is of the branch none; andes report --history without --branch names the branches",
                     "report", "--history", "runs", "--branch", "none")
        self.refused("--repository none: there is no such directory; name that of the sources", "report", "--history",
                     "runs", "--repository", "none")
        for words in (["--sequential", "x"], ["--if", "work x2"], ["--weak"], ["--force"], ["--oversubscribed-ok"]):
            self.refused(words[0] + ": a history does not have it; leave it out", "report", "--history", "runs", *words)
        self.refused("--branch: it is of a history; andes report --history DIR", "report", "--branch", "main", "runs")
        with open(os.path.join(self.work, "runs", "damaged.andes"), "w", encoding="utf-8") as file:
            file.write("no run")
        done = self.succeeds("report", "--history", "runs")
        self.assertIn("skipped", done.stderr)


if __name__ == "__main__":
    main()
