"""Tries ends of programs: each fault with rank 2 of 4 or with all ranks, with both MPIs, and compares what
`andes run` has kept with what ends.cc must have left. Prints a table, exit status 1 if anything is missing.
Where the run file has no place (full disk), it is `andes recover` that makes it; where its folder was removed
it comes back.

    try_ends.py BUILD ENDS_FOLDER [-n TIMES] [--short] [--kind openmpi|mpich] [--how FAULT]"""
import argparse
import contextlib
import os
import subprocess
import sys
import tempfile

from support.environment import environment
from support.run_file import RunFile

FAULTS = ["exit", "_exit", "return", "abort", "segv", "term", "kill", "mpi_abort", "mpi_error", "throw", "finalize", "hang",
          "survive", "full", "removed"]
LATE = ("finalize", "hang", "full", "removed")  # after the last step
ALL_FINALIZE = ("full", "removed")
# The launcher lets the others live; that of MPICH kills them all the same, a little later.
LETS_LIVE = {"openmpi": ["--enable-recovery"], "mpich": ["-disable-auto-cleanup"]}


def faults_of(path, how, who):
    """What is wrong with the run file."""
    wrong = []
    late = how in LATE
    steps, exchanges = (10, 10) if late else (6, 5)
    run = RunFile(path)

    def found(metric, name):
        return {rank: round(value) for rank, value in run.values_by_rank(metric, name).items()}

    def expect(metric, name, expected):
        if found(metric, name) != expected:
            wrong.append("%s of %s: %s, not %s" % (metric, name, found(metric, name), expected))

    for name in ("step", "works"):
        if how == "survive":  # goes on without messages
            visits = found("visits", name)
            if visits.get(2) != steps or any(not steps <= visits.get(rank, 0) <= 10 for rank in range(4)):
                wrong.append("visits of %s: %s" % (name, visits))
        else:
            expect("visits", name, {rank: steps for rank in range(4)})
    expect("bytes_sent", "MPI_Send", {rank: (1000 + rank) * exchanges for rank in range(4)})
    expect("bytes_received", "MPI_Wait", {rank: (1000 + (rank - 1) % 4) * exchanges for rank in range(4)})
    if not late:
        expect("visits", "fatal", {2: 1} if who == "one" else {rank: 1 for rank in range(4)})
    # Sleeps may end late on a busy machine, never early.
    for rank, time_ns in found("inclusive_ns", "works").items():
        if not 20e6 * steps <= time_ns <= 20e6 * steps + 5e9:
            wrong.append("time in works of rank %d: %.0f ms" % (rank, time_ns / 1e6))
    if how == "mpi_error" and run.endings.get(2) != "error" and who == "one":
        wrong.append("the error of MPI is said to be: %s" % run.endings)
    if how not in ("hang", *ALL_FINALIZE) and 2 not in run.endings:
        wrong.append("nothing said of how rank 2 ended: %s" % run.endings)
    return wrong, run.endings


def can_mount():
    """Whether a small disk can be made, to be full: by root, unless it is one of a container."""
    with tempfile.TemporaryDirectory(prefix="andes-ends-") as folder:
        try:
            with output_folder(folder, "full"):
                return True
        except (OSError, subprocess.CalledProcessError):
            return False


@contextlib.contextmanager
def output_folder(folder, how):
    """Where the run file shall go: of a full disk, one of 16 KB."""
    out = os.path.join(folder, "out")
    os.mkdir(out)
    if how == "full":
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16k", "none", out], check=True, stderr=subprocess.DEVNULL)
    try:
        yield out
    finally:
        if how == "full":
            subprocess.run(["umount", out], check=True)


def attempt(andes, program, kind, how, who):
    with tempfile.TemporaryDirectory(prefix="andes-ends-") as folder, output_folder(folder, how) as where:
        place = os.path.join(folder, "place")
        os.mkdir(place)
        out = os.path.join(where, "run.andes")
        variables = environment(TMPDIR="/tmp", ANDES_ARENA=place, ANDES_GATHER_TIMEOUT_S="2", ANDES_WINDOWS="off")
        launcher = ["mpirun." + kind, *(LETS_LIVE[kind] if how == "survive" else []), "-n", "4"]
        done = subprocess.run([andes, "run", "-o", out, "--", *launcher, program, how, who, where], cwd=folder,
                              env=variables, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=600)
        troubles = []
        if how == "full":
            if os.path.exists(out):
                return ["a run file where no place is"], {}
            said = done.stderr.count(out + ": not written")
            out = os.path.join(folder, "elsewhere.andes")
            jobs = [os.path.join(place, name) for name in os.listdir(place)]
            for job in jobs:
                if job not in done.stderr or said != 1:
                    troubles.append("not said once what is left in %s, and why: %s" % (job, done.stderr[-900:]))
                subprocess.run([andes, "recover", job, "-o", out], env=variables, capture_output=True)
        if not os.path.exists(out):
            return ["no run file: " + done.stderr[-600:]], {}
        wrong, endings = faults_of(out, how, who)
        if os.listdir(place):
            wrong.append("left behind: %s" % os.listdir(place))
        # Open MPI says nothing of a process that it was told to go on without, andes of a program that ended well.
        if done.returncode == 0 and how not in (*ALL_FINALIZE, "survive"):
            wrong.append("andes run ended with status 0")
        return troubles + wrong, endings


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("programs")
    parser.add_argument("-n", type=int, default=1)
    parser.add_argument("--short", action="store_true", help="of all ranks at once only kill")
    parser.add_argument("--kind")
    parser.add_argument("--how", action="append")
    options = parser.parse_args()
    options.programs = os.path.abspath(options.programs)
    andes = os.path.abspath(os.path.join(options.build, "bin", "andes"))
    failed = False
    print("| fault | ranks | MPI | tried | kept | rank 2 ended by |\n|---|---|---|---|---|---|")
    for how in options.how or FAULTS:
        for who in ("one", "all"):
            if who == "all" and how in (*ALL_FINALIZE, "survive") or how == "full" and not can_mount():
                continue
            if who == "all" and options.short and how != "kill":
                continue
            for kind in ("openmpi", "mpich"):
                program = os.path.join(options.programs, "ends." + kind)
                if (options.kind or kind) != kind or not os.path.exists(program):
                    continue
                kept, ends, troubles = 0, set(), []
                for _ in range(options.n):
                    wrong, endings = attempt(andes, program, kind, how, who)
                    kept += not wrong
                    ends.add(endings.get(2, "-"))
                    troubles += wrong
                print("| %s | %s | %s | %d | %d | %s |" % (how, who, kind, options.n, kept,
                                                           ", ".join(sorted(ends))), flush=True)
                for trouble in troubles:
                    print("  " + trouble, file=sys.stderr, flush=True)
                failed |= bool(troubles)
    return failed


if __name__ == "__main__":
    sys.exit(main())
