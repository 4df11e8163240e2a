"""Tries ends of programs: each fault with rank 2 of 4 or with all ranks, with both MPIs, and compares what
`andes run` has kept with what ends.cc must have left. Prints a table, exit status 1 if anything is missing.

    try_ends.py BUILD ENDS_FOLDER [-n TIMES] [--kind openmpi|mpich] [--how FAULT]"""
import argparse
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile

FAULTS = ["exit", "_exit", "return", "abort", "segv", "term", "kill", "mpi_abort", "throw", "finalize", "hang"]
LATE = ("finalize", "hang")  # after the last step


def environment(folder, **more):
    env = {k: v for k, v in os.environ.items() if not k.startswith("ANDES_") and k != "LD_PRELOAD"}
    env.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", TMPDIR="/tmp",
               OMPI_MCA_rmaps_base_oversubscribe="1", OMPI_MCA_hwloc_base_binding_policy="none", **more)
    return env


def values(run, metric, name):
    """{rank: value} of a metric, all call paths that end in `name` together."""
    rows = run.execute(
        "SELECT l.rank, sum(v.value) FROM value v JOIN location l ON l.id = v.location JOIN metric m"
        " ON m.id = v.metric JOIN callpath c ON c.id = v.callpath JOIN region r ON r.id = c.region"
        " WHERE m.name = ? AND r.name = ? GROUP BY 1", (metric, name)).fetchall()
    return {rank: round(value) for rank, value in rows}


def faults_of(path, how, who):
    """What is wrong with the run file."""
    wrong = []
    late = how in LATE
    steps, exchanges = (10, 10) if late else (6, 5)
    with sqlite3.connect(f"file:{path}?immutable=1", uri=True) as run:
        def expect(metric, name, expected):
            found = values(run, metric, name)
            if found != expected:
                wrong.append("%s of %s: %s, not %s" % (metric, name, found, expected))

        expect("visits", "step", {rank: steps for rank in range(4)})
        expect("visits", "works", {rank: steps for rank in range(4)})
        expect("bytes_sent", "MPI_Send", {rank: (1000 + rank) * exchanges for rank in range(4)})
        expect("bytes_received", "MPI_Wait", {rank: (1000 + (rank - 1) % 4) * exchanges for rank in range(4)})
        if not late:
            expect("visits", "fatal", {2: 1} if who == "one" else {rank: 1 for rank in range(4)})
        # Sleeps may end late on a busy machine, never early.
        for rank, time_ns in values(run, "inclusive_ns", "works").items():
            if not 20e6 * steps <= time_ns <= 20e6 * steps + 5e9:
                wrong.append("time in works of rank %d: %.0f ms" % (rank, time_ns / 1e6))
        endings = dict(run.execute("SELECT rank, how FROM ending").fetchall())
        if how != "hang" and 2 not in endings:
            wrong.append("nothing said of how rank 2 ended: %s" % endings)
    return wrong, endings


def attempt(andes, program, kind, how, who):
    with tempfile.TemporaryDirectory(prefix="andes-ends-") as folder:
        place = os.path.join(folder, "place")
        os.mkdir(place)
        out = os.path.join(folder, "run.andes")
        done = subprocess.run(
            [andes, "run", "-o", out, "--", "mpirun." + kind, "-n", "4", program, how, who], cwd=folder,
            env=environment(folder, ANDES_ARENA=place, ANDES_GATHER_TIMEOUT_S="2", ANDES_MUTE="off"),
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
        if not os.path.exists(out):
            return ["no run file: " + done.stderr[-600:]], {}
        wrong, endings = faults_of(out, how, who)
        if os.listdir(place):
            wrong.append("left behind: %s" % os.listdir(place))
        if done.returncode == 0:
            wrong.append("andes run ended with status 0")
        return wrong, endings


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("programs")
    parser.add_argument("-n", type=int, default=1)
    parser.add_argument("--kind")
    parser.add_argument("--how", action="append")
    options = parser.parse_args()
    options.programs = os.path.abspath(options.programs)
    andes = os.path.abspath(os.path.join(options.build, "bin", "andes"))
    failed = False
    print("| fault | ranks | MPI | tried | kept | rank 2 ended by |\n|---|---|---|---|---|---|")
    for how in options.how or FAULTS:
        for who in ("one", "all"):
            if how == "hang" and who == "all":
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
