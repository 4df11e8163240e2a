"""andes bisect: a slow commit is found, with its call path; the tree stays as it was; bad input."""

import os
import subprocess
import tempfile
import unittest

from support.build import ANDES
from support.command_line import CommandTest, main
from support.commands import before_others
from support.preprocessor import have

SOURCE = """#include <unistd.h>
void solve(void)
{
  usleep(%d);
}
int main(void)
{
  usleep(5000);
  solve();
  return 0;
}
"""
AUTHOR = {"GIT_%s_%s" % (role, what): text for role in ("AUTHOR", "COMMITTER")
          for what, text in (("NAME", "A"), ("EMAIL", "a@b"), ("DATE", "2026-01-02T03:04:05Z"))}


@unittest.skipUnless(have("git"), "git is not installed")
class Bisect(CommandTest):
    def setUp(self):
        super().setUp()
        self.temporary = tempfile.mkdtemp(dir=self.place)
        self.git("init", "-q", "-b", "main")
        self.commits = []

    def environment(self, **more):
        return super().environment(TMPDIR=self.temporary, GIT_CONFIG_GLOBAL="/dev/null", GIT_CONFIG_NOSYSTEM="1",
                                   **AUTHOR, **more)

    def git(self, *words):
        return subprocess.run(["git", *words], cwd=self.work, env=self.environment(), check=True, capture_output=True,
                              text=True).stdout.strip()

    def commit(self, source, build="%s cc --select all gcc -O1 prog.c -o out/prog" % ANDES):
        self.write("prog.c", source)
        self.write("build.sh", "mkdir -p out && " + build + "\n")
        self.git("add", "prog.c", "build.sh")
        self.git("commit", "-q", "--allow-empty", "-m", "change number %d" % len(self.commits))
        self.commits.append(self.git("rev-parse", "HEAD"))

    def bisect(self, *words, good=0, bad=-1):
        before = self.git("status", "--porcelain", "--untracked-files=no"), self.git("branch"), self.git("rev-parse", "HEAD")
        # Sleeps of 20 and 40 ms that end in time on a busy machine are told apart by the fewest pairs.
        done = self.andes("bisect", "--good", self.commits[good], "--bad", self.commits[bad], "--budget", "60s",
                          "--tolerance", "20%", *words, at_start=before_others)
        self.assertEqual((self.git("status", "--porcelain", "--untracked-files=no"), self.git("branch"), self.git("rev-parse", "HEAD")), before)
        self.assertEqual(len(self.git("worktree", "list").splitlines()), 1)
        self.assertEqual([name for name in os.listdir(self.temporary) if not name.startswith("andes-compilers")], [])
        return done

    def test_a_commit_that_cannot_be_built_is_skipped(self):
        self.commit(SOURCE % 20000)
        self.commit(SOURCE % 20000, build="false")
        self.commit(SOURCE % 40000)
        done = self.bisect("-o", "kept", "--", "sh", "build.sh", "--", "out/prog")
        self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
        self.assertEqual(sorted(done.stdout.split()[-2:]), sorted(self.commits[1:]))
        self.assertTrue(os.path.isdir(os.path.join(self.work, "kept")))

    def test_a_whole_answer(self):
        for sleep_us in (20000, 20000, 40000, 40000):
            self.commit(SOURCE % sleep_us)
        done = self.bisect("--exe", "out/prog", "--", "sh", "build.sh", "--", "{exe}")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertTrue(done.stdout.startswith(self.commits[2] + " is the first slower commit\nchange number 2 ("),
                        done.stdout)
        self.assertIn("solve", done.stdout)
        self.assertEqual(self.bisect("--", "sh", "build.sh", "--", "out/prog", bad=1).returncode, 1)

    def test_bad_input(self):
        self.commit(SOURCE % 1)
        self.commit(SOURCE % 2)
        words = ("--", "sh", "build.sh", "--", "out/prog")
        ends = ("--good", self.commits[0], "--bad", self.commits[1])
        self.refused("none: no such commit; git log lists them", "bisect", "--good", "none", "--bad", "main", *words)
        self.refused("main: HEAD~1 does not descend from it; name one of its ancestors as --good",
                     "bisect", "--good", "main", "--bad", "HEAD~1", *words)
        self.refused("HEAD: the same commit as --good; name a later one", "bisect", "--good", "main", "--bad", "HEAD", *words)
        self.refused("bisect: a command is missing; write andes bisect --good A --bad B -- make -- mpirun -n {p} ./program",
                     "bisect", *ends, "--", "make")
        self.refused("bisect: {exe} stands for nothing; give both, or neither", "bisect", *ends, "--", "make", "--", "{exe}")
        self.write("prog.c", SOURCE % 3)
        self.refused("bisect: the tree has changes that are not committed; commit or stash them: they would be in no build",
                     "bisect", *ends, *words)
        self.git("checkout", "-q", "prog.c")
        done = self.bisect("--", "false", "--", "out/prog")
        self.assertEqual((done.returncode, done.stdout), (4, ""))


if __name__ == "__main__":
    main()
