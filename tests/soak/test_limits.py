"""Beyond every limit of the monitor (limits.c, paths.py): the program ends well, counts are right or andes says what
is missing, and memory is bounded as the settings say."""
import os
import sys
import unittest

from support import commands
from support.build import ANDES, BUILD
from support.commands import command
from support.end_to_end import EndToEnd
from support.environment import SANITIZED
from support.programs import KINDS, launcher
from support.run_file import RunFile

LONG = "--long" in sys.argv  # a million call paths kept, a hundred thousand communicators
commands.TIMEOUT_S = 1000
COMMUNICATORS = {"openmpi": 3000, "mpich": 900}
LEVELS = 6  # of paths.py, as CMakeLists.txt says


class Limits(EndToEnd):
    def limits(self, kind, name, *words, ranks=1, **settings):
        """Runs a program; its books, what andes said, visits by region, facts, and locations."""
        self.number += 1
        path = os.path.join(self.folder, f"limits{self.number}.andes")
        done = command(
            [ANDES, "run", *(f"--set={key}={value}" for key, value in settings.items()), "-o", path, "--",
             *launcher(kind, ranks), os.path.join(BUILD, "tests", "soak", kind, name), *words],
            cwd=self.folder, check=None)
        if done.returncode != 0 and "skipped:" in done.stdout:
            self.skipTest(done.stdout.strip())
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        books, memory_kb = {}, {}
        for line in done.stdout.splitlines():
            kind_of_line, key, *numbers = line.split()
            if kind_of_line == "count":
                books[key] = books.get(key, 0) + int(numbers[0])
            elif kind_of_line == "memory":
                memory_kb.setdefault(key, []).append(int(numbers[1]))
        run = RunFile(path)
        self.assertEqual(run.facts["complete"], 1)
        return books, memory_kb, done.stderr, run.sums_by_region("visits"), run.facts, len(run.locations)


    def test_threads_one_after_the_other_share_a_location(self):
        for kind in KINDS:
            books, _, said, visits, _, locations = self.limits(kind, "limits", "threads", "3000")
            self.assertEqual({name: visits[name] for name in books}, books)
            self.assertEqual(locations, 2)
            self.assertNotIn("not measured", said)

    def test_the_memory_for_trees_does_not_bound_the_threads(self):
        for kind in KINDS:
            books, _, said, visits, facts, locations = self.limits(kind, "limits", "crowd", "500", tree_mb=1)
            self.assertEqual((visits["work"], locations), (books["work"], 501))
            self.assertLess(facts["tree_bytes"], 500 * 0.15e6 + 1e6)
            self.assertNotIn("threads beyond", said)

    def test_more_threads_at_once_than_locations(self):
        books, _, said, visits, _, locations = self.limits(KINDS[0], "limits", "crowd", "4200", tree_mb=1000)
        self.assertEqual((visits["work"], locations), (4095, 4096))
        self.assertEqual(books["work"], 4200)
        self.assertIn("threads beyond", said)

    def test_a_million_call_paths(self):
        for kind in KINDS:
            for settings in ({}, {"tree_mb": 1}, {"node_limit": 1500000, "tree_mb": 400})[:3 if LONG else 2]:
                _, _, _, visits, facts, _ = self.limits(kind, "paths", **settings)
                functions = sum(of for name, of in visits.items() if name.startswith("at"))
                whole = sum(10 ** level for level in range(1, LEVELS + 1))
                self.assertEqual(functions + visits.get("(more call paths)", 0), whole)
                self.assertEqual("(more call paths)" not in visits, "node_limit" in settings)
                self.assertEqual(facts.get("limits_met"),
                                 None if "node_limit" in settings else "tree_mb" if settings else "node_limit")
                self.assertLess(facts["tree_bytes"], settings.get("tree_mb", 16) * 1e6 * 1.1)

    def test_communicators_made_and_freed(self):
        for kind in KINDS:
            books, memory_kb, _, visits, _, _ = self.limits(
                kind, "limits", "communicators", str(99999 if LONG else COMMUNICATORS[kind]), ranks=2)
            self.assertEqual({name: visits[name] for name in books}, {name: 2 * of for name, of in books.items()})
            for rank, (_, second, third) in memory_kb.items():
                if not SANITIZED:  # sanitizers keep what was given back
                    self.assertLess(third - second, 1024, (rank, memory_kb))


if __name__ == "__main__":
    unittest.main(argv=[word for word in sys.argv if word != "--long"])
