"""What the tests of launchers share: run files and programs of the end-to-end tests, and the end of a test file
that makes hosts or a cluster once, and skips with the reason where that cannot be."""
import functools
import os
import shutil
import subprocess
import unittest

import hosts

from support.commands import CommandFailed
from support.environment import environment
from support.folder import InFolder
from support.programs import KINDS
from support.run_file import RunFile
from support.skipped import skip

TIMEOUT_S = 600


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


class Case(InFolder):
    """What a command on the first host leaves in the test's folder."""

    place = None  # where commands run: hosts.Hosts or slurm.Cluster, made by main

    @staticmethod
    def environment(**more):
        """As of the end-to-end tests, outside of any job; arenas lie where they do without a setting."""
        return {k: v for k, v in environment(**more).items()
                if k in more or not k.startswith("SLURM_") and k != "ANDES_ARENA"}

    def command(self, words, check=0, timeout_s=TIMEOUT_S, **more):
        """Runs it on the first host with an environment free of settings; all it said, and its status."""
        done = self.place.run(words, cwd=self.folder, env=self.environment(**more), timeout=timeout_s,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if check is not None and done.returncode != check:
            raise CommandFailed("%s: exit status %d, not %d\n%s%s" % (
                " ".join(words), done.returncode, check, done.stdout, done.stderr))
        return done

    def run_files(self):
        """Paths of all run files in the folder."""
        return sorted(os.path.join(at, name) for at, _, names in os.walk(self.folder)
                      for name in names if name.endswith(".andes"))

    def only_run(self):
        files = self.run_files()
        self.assertEqual(len(files), 1, files)
        return RunFile(files[0])

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
        skip(obstacle)
    try:
        unittest.main()
    finally:
        Case.place.stop()
