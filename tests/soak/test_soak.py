"""All at once for long: every count exact at the end, memory flat (soak.c).

    test_soak.py          short: both MPI libraries, some seconds
    test_soak.py --long   16 ranks, 100 million visits, 10 million calls of MPI, minutes; prints what it found
"""
import glob
import os
import sys
import time
import unittest

from support import commands
from support.build import ANDES, BUILD
from support.commands import command
from support.end_to_end import EndToEnd
from support.environment import SANITIZED
from support.programs import launcher
from support.run_file import RunFile

commands.TIMEOUT_S = 3000
LONG = "--long" in sys.argv

# ranks, rounds, visits of each of two kinds a round, messages a round; Open MPI's ranks yield, MPICH's spin,
# which makes each round long.
SHORT = {"openmpi": (16, 1500, 2000, 50), "mpich": (4, 60, 10000, 300)}
if SANITIZED:  # whose rounds are long, too
    SHORT["openmpi"] = SHORT["mpich"]
FULL = {"openmpi": (16, 660, 5000, 500), "mpich": (16, 66, 50000, 5000)}
# All visits counted, a log that is full in the first third, a snapshot every second.
SETTINGS = {"windows": "off", "log_mb": "1", "snapshot_s": "1"}
# Of a rank from the first third to the end, beyond that of the program without the monitor. MPICH's transport takes
# 144 kB at once for messages that nobody expects yet, and how many of them a round brings is chance: up to 450 kB.
GROWTH_KB = 1024


class Book:
    """What a run of soak.c has printed."""

    def __init__(self, text):
        self.counts, self.memory_kb = {}, {}
        for line in text.splitlines():
            words = line.split()
            if words[0] == "count":
                self.counts[words[1]] = int(words[2])
            elif words[0] == "memory":
                self.memory_kb.setdefault(int(words[1]), {})[int(words[2])] = int(words[3])

    def growth_kb(self):
        """Of the rank that grew most, from the first third to the end."""
        return max(of[3] - of[1] for of in self.memory_kb.values())


class Soak(EndToEnd):
    def soak(self, kind):
        ranks, rounds, visits, messages = (FULL if LONG else SHORT)[kind]
        words = [*launcher(kind, ranks), os.path.join(BUILD, "tests", "soak", kind, "soak"),
                 str(rounds), str(visits), str(messages)]
        run = os.path.join(self.folder, "soak.andes")
        plain = Book(command(words, cwd=self.folder).stdout)
        begin = time.monotonic()
        done = command([ANDES, "run", *(f"--set={key}={value}" for key, value in SETTINGS.items()),
                                "-o", run, "--", *words], cwd=self.folder)
        seconds = time.monotonic() - begin
        book = Book(done.stdout)
        measured = RunFile(run)
        found, facts, snapshots = measured.sums_by_region("visits"), measured.facts, len(measured.snapshots)
        wall_s = max(location["wall_ns"] for location in measured.locations.values()) / 1e9
        self.assertEqual((facts["complete"], facts["ranks"]), (1, ranks), done.stderr)
        self.assertEqual(snapshots, book.counts.pop("(snapshots)"))
        # A signal that strikes in the monitor's own slow paths finds it busy, and its probes pass.
        self.assertLessEqual(found["tick"], book.counts["tick"])
        self.assertGreater(found["tick"], 0.95 * book.counts["tick"])
        ticks = book.counts.pop("tick")
        self.assertEqual({name: found.get(name) for name in book.counts}, book.counts)
        self.assertGreater(facts["log_level"], 0)  # full, and thinned
        self.assertEqual(facts["wait_states"], "measured")
        self.assertEqual(sorted(book.memory_kb), list(range(ranks)))
        files = self.check_files_of_snapshots(run, found, wall_s)
        if not SANITIZED:  # sanitizers keep something of each thread and block
            self.assertLessEqual(book.growth_kb(), max(0, plain.growth_kb()) + GROWTH_KB,
                                 f"{book.memory_kb} without the monitor {plain.memory_kb}")
        if LONG:
            print(f"{kind}: {ranks} ranks, {sum(v for n, v in found.items() if n[0] not in '(M'):.3g} visits of "
                  f"functions, {sum(v for n, v in found.items() if n.startswith('MPI_')):.3g} calls of MPI, "
                  f"{book.counts['visitor']} threads, {ticks} signals ({found['tick']:.0f} counted), {snapshots} snapshots, {files} files of them, in "
                  f"{seconds:.0f} s: all counts right; the rank that grew most grew by {book.growth_kb()} kB, "
                  f"{plain.growth_kb()} kB without the monitor", flush=True)

    def check_files_of_snapshots(self, run, final, wall_s):
        """Visits only grow, from each snapshot to the next and to the end. Who makes the files has to share the cores
        with all ranks: how many there are is chance."""
        paths = sorted(glob.glob(run.replace(".andes", ".s*.andes")),
                       key=lambda path: int(path.rsplit(".s", 1)[1].split(".")[0]))
        if wall_s > 5:
            self.assertGreater(len(paths), 0)
        counts = [RunFile(path).sums_by_region("visits") for path in paths] + [final]
        for before, after in zip(counts, counts[1:]):
            self.assertEqual({}, {name: (count, after.get(name)) for name, count in before.items()
                                  if name[0] != "(" and count > after.get(name, 0)})
        return len(paths)

    def test_openmpi(self):
        self.soak("openmpi")

    def test_mpich(self):
        self.soak("mpich")


if __name__ == "__main__":
    unittest.main(argv=[word for word in sys.argv if word != "--long"])
