"""Ends jobs of 1 to 16 ranks at random moments, from the first arena to a second into their loop, and compares what
`andes run` has kept with what each rank itself has counted in a file (counting.c): a call or message that was begun
in that instant may be counted by one of both. Prints a table, exit status 1 if anything is missing.

    kill_at_random.py BUILD [-n TIMES] [--seed NUMBER]"""
import argparse
import collections
import glob
import os
import random
import re
import signal
import struct
import subprocess
import sys
import tempfile
import time

from support.environment import environment
from support.programs import KINDS_WITH_COMPILER, NO_KINDS
from support.run_file import RunFile
from support.skipped import skip
from support.waiting import wait_for_end, wait_until

HERE = os.path.dirname(os.path.abspath(__file__))
ENDS = {"SIGKILL to a rank": ("one", signal.SIGKILL), "SIGSEGV to a rank": ("one", signal.SIGSEGV),
        "SIGTERM to a rank": ("one", signal.SIGTERM), "SIGKILL to all ranks": ("all", signal.SIGKILL),
        "SIGTERM to the launcher": ("launcher", signal.SIGTERM), "SIGKILL to the launcher": ("launcher", signal.SIGKILL)}
PATIENCE_S = 60


def processes(place):
    """Of a job, by the names of its arenas."""
    names = [re.search(r"-(\d+)\.arena$", path) for path in glob.glob(os.path.join(place, "*", "*.arena"))]
    return [int(name.group(1)) for name in names if name]


def end(pids, number):
    for pid in pids:
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            pass  # has ended meanwhile


def wrong_counts(path, counts, ranks):
    """What of the run file is not what the ranks have counted."""
    wrong = []
    run = RunFile(path)
    kept = {name: run.values_by_rank(*name) for name in (
        ("visits", "work"), ("visits", "MPI_Send"), ("visits", "MPI_Wait"), ("bytes_sent", "MPI_Send"),
        ("bytes_received", "MPI_Wait"))}
    for rank in range(ranks):
        works, sent, received = counts.get(rank, (0, 0, 0))
        size, size_of_source = 100 + rank, 100 + (rank - 1) % ranks
        for name, least, step in ((("visits", "work"), works, 1), (("visits", "MPI_Send"), sent, 1),
                                  (("visits", "MPI_Wait"), received, 1),
                                  (("bytes_sent", "MPI_Send"), size * sent, size),
                                  (("bytes_received", "MPI_Wait"), size_of_source * received, size_of_source)):
            value = round(kept[name].get(rank, 0))
            if value not in (least, least + step):
                wrong.append("%s of %s of rank %d: %d, not %d" % (*name, rank, value, least))
    for location in run.locations.values():
        parts_ns = sum(location[name] or 0 for name in ("compute_ns", "communication_ns", "idle_ns", "io_ns", "tool_ns"))
        if abs(location["wall_ns"] - parts_ns) > 10:
            wrong.append("times of rank %d, thread %d: %d ns, not %d" % (location["rank"], location["thread"], parts_ns,
                                                                         location["wall_ns"]))
    return wrong


def attempt(andes, program, kind, ranks, how, early):
    """What is wrong; None: the launcher hung, and nothing can be told."""
    with tempfile.TemporaryDirectory(prefix="andes-random-") as folder:
        place, counted, out = (os.path.join(folder, name) for name in ("place", "counted", "run.andes"))
        os.mkdir(place)
        os.mkdir(counted)
        variables = environment(TMPDIR="/tmp", ANDES_ARENA=place, ANDES_WINDOWS="off")
        run = subprocess.Popen([andes, "run", "-o", out, "--", "mpirun." + kind, "-n", str(ranks), program, counted],
                               cwd=folder, env=variables, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE, text=True, start_new_session=True)
        wait_until(lambda: run.poll() is not None or len(processes(place)) >= (1 if early else ranks) and
                   (early or len(os.listdir(counted)) == ranks), PATIENCE_S, pause_s=0.01)
        time.sleep(random.random() * (0.3 if early else 1))
        pids = processes(place)
        whom, number = ENDS[how]
        launcher = subprocess.run(["pgrep", "-P", str(run.pid)], capture_output=True, text=True).stdout.split()
        end({"one": random.sample(pids, min(1, len(pids))), "all": pids, "launcher": map(int, launcher)}[whom], number)
        try:
            said = run.communicate(timeout=PATIENCE_S)[1]
        except subprocess.TimeoutExpired:
            os.killpg(run.pid, signal.SIGKILL)
            end(processes(place), signal.SIGKILL)
            run.communicate()
            return None
        if "still live" in said:  # of a launcher that was killed: as the message says
            end(pids, signal.SIGKILL)
            wait_for_end(pids, PATIENCE_S)
            subprocess.run([andes, "recover", *glob.glob(os.path.join(place, "*")), "-o", out], env=variables,
                           capture_output=True)
        if not os.path.exists(out):
            return ["no run file: " + said[-600:]]
        counts = {}
        for name in os.listdir(counted):
            with open(os.path.join(counted, name), "rb") as file:
                counts[int(name)] = struct.unpack("3q", file.read().ljust(24, b"\0"))
        shown = subprocess.run([andes, "show", out], capture_output=True, text=True)
        nothing = not counts and "nothing was measured" in shown.stderr  # before the return of MPI_Init
        wrong = [] if nothing else wrong_counts(out, counts, ranks)
        if shown.returncode != 0 and not nothing:
            wrong.append("andes show: " + shown.stderr[-300:])
        if os.listdir(place):
            wrong.append("left behind: %s" % os.listdir(place))
        return wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("-n", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if not KINDS_WITH_COMPILER:
        skip(NO_KINDS)
    random.seed(options.seed)
    andes = os.path.abspath(os.path.join(options.build, "bin", "andes"))
    tried, kept, hung = collections.Counter(), collections.Counter(), collections.Counter()
    with tempfile.TemporaryDirectory(prefix="andes-random-") as folder:
        for kind in KINDS_WITH_COMPILER:
            subprocess.run([andes, "cc", "--select", "all", "mpicc." + kind, "-O1", "-g", os.path.join(HERE, "counting.c"),
                            "-o", os.path.join(folder, kind)], check=True)
        for _ in range(options.n):
            kind, how = random.choice(KINDS_WITH_COMPILER), random.choice(list(ENDS))
            ranks = random.choice([1, 2, 2, 4, 4, 4, 8, 16])
            early = random.random() < 0.25
            wrong = attempt(andes, os.path.join(folder, kind), kind, ranks, how, early)
            tried[how, kind] += 1
            hung[how, kind] += wrong is None
            kept[how, kind] += wrong == []
            for trouble in wrong or []:
                print("%s, %s, %d ranks: %s" % (how, kind, ranks, trouble), file=sys.stderr, flush=True)
    print("| end | MPI | tried | kept | launcher hung |\n|---|---|---|---|---|")
    for how, kind in sorted(tried):
        print("| %s | %s | %d | %d | %d |" % (how, kind, *(count[how, kind] for count in (tried, kept, hung))))
    return sum(tried.values()) > sum(kept.values()) + sum(hung.values())


if __name__ == "__main__":
    sys.exit(main())
