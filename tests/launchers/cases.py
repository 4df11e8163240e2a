"""What the tests of launchers share: run files and programs of the end-to-end tests, and the end of a test file
that makes hosts or a cluster once, and skips with the reason where that cannot be."""
import functools
import os
import shutil
import sys
import tempfile
import unittest

import hosts

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "end_to_end"))
import support  # noqa: E402

ANDES = support.ANDES
KINDS = support.KINDS
SKIPPED = 77
TIMEOUT_S = 60



def each_kind(test):
    """Decorator: the test, with the MPI library as its argument, for each of them in an empty folder."""
    @functools.wraps(test)
    def of_each_kind(self):
        for kind in KINDS:
            with self.subTest(kind):
                shutil.rmtree(self.folder)
                os.mkdir(self.folder)
                test(self, kind)
    return of_each_kind


class Case(unittest.TestCase):
    """A test with a folder of its own and what a command on the first host leaves there."""

    place = None  # where commands run: hosts.Hosts or slurm.Cluster, made by main

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="andes-launchers-")
        self.addCleanup(shutil.rmtree, self.folder)

    @staticmethod
    def environment(**more):
        """As of the end-to-end tests, outside of any job; arenas lie where they do without a setting."""
        return {k: v for k, v in support.environment(**more).items()
                if k in more or not k.startswith("SLURM_") and k != "ANDES_ARENA"}

    def command(self, words, check=0, timeout_s=TIMEOUT_S, **more):
        """Runs it on the first host with an environment free of settings; all it said, and its status."""
        done = self.place.run(words, cwd=self.folder, env=self.environment(**more), timeout=timeout_s,
                              stdin=support.subprocess.DEVNULL, capture_output=True, text=True)
        if check is not None and done.returncode != check:
            raise support.CommandFailed("%s: exit status %d, not %d\n%s%s" % (
                " ".join(words), done.returncode, check, done.stdout, done.stderr))
        return done

    def run_files(self):
        """Paths of all run files in the folder."""
        return sorted(os.path.join(at, name) for at, _, names in os.walk(self.folder)
                      for name in names if name.endswith(".andes"))

    def only_run(self):
        files = self.run_files()
        self.assertEqual(len(files), 1, files)
        return support.Run(files[0])

    def check_whole(self, run, hosts_of_ranks):
        """All ranks are in the run, each on its host."""
        self.assertEqual(run.facts["complete"], 1)
        self.assertEqual(run.facts["ranks"], len(hosts_of_ranks))
        found = {place["rank"]: run.hosts[place["host"]] for place in run.locations.values()}
        self.assertEqual([found[rank] for rank in sorted(found)], hosts_of_ranks)


def main(make):
    """Makes the place by `make()`, runs all tests there, and removes it."""
    try:
        Case.place = make()
    except hosts.Obstacle as obstacle:
        print("skipped:", obstacle)
        sys.exit(SKIPPED)
    try:
        unittest.main()
    finally:
        Case.place.stop()
