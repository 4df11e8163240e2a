"""Sweeps that nobody ran: programs of any number of call paths and ranks, made from the runs of make_runs."""
import array
import json
import os
import random
import sqlite3  # to make run files; to read them: support/run_file.py
import subprocess
import zlib

from support.build import BUILD

MAKE_RUNS = os.path.join(BUILD, "tests", "make_runs")
WORK, SWEEP = 4, 5  # call paths of make_runs: main > work > sweep
MPI = (("MPI_Sendrecv", "exchange"), ("MPI_Allreduce", "exchange"), ("MPI_Waitall", "receive"), ("MPI_Barrier", "synchronisation"))


CAUSES = [{"name": "late_broadcast", "title": "Late broadcast", "advice": "Let the root reach the broadcast earlier, or share its work.",
           "description": "Ranks wait in a broadcast for its root, which comes later than they."}]


def sweep(folder, ranks, repeats=1, callpaths=0, seed=1, slower=None, late=2, waiting=True, **more):
    """Files of a sweep; `callpaths` more than those that make_runs makes, below main > work. `slower`: how many times as long as they
    should some sizes take; `late`: the call path for which ranks wait; `waiting`: whether they wait in the added calls of MPI, too, for no
    cause that the files know."""
    runs = []
    wait_s = 0.9 * more.get("program", {}).get("serial_s", 1)
    for p in ranks:
        waits = [{"cause": "late_broadcast", "path": 3, "wait_s": [0] + [wait_s] * (p - 1), "peer_path": late, "peer_rank": 0}] if p > 1 else []
        for repeat in range(repeats):
            runs.append({"file": "p%d.%d.andes" % (p, repeat + 1), "ranks": p, "scale": (1 + 0.01 * repeat) * (slower or {}).get(p, 1), "causes": CAUSES, "waits": waits, **more})
    os.makedirs(folder, exist_ok=True)
    subprocess.run([MAKE_RUNS], cwd=folder, check=True, input=json.dumps(runs), text=True)
    files = [os.path.join(folder, run["file"]) for run in runs]
    if callpaths:
        for file in files:
            grow(file, callpaths, seed, waiting)
    return files


def history(folder, levels, name="jacobi"):
    """Two runs of each commit of a history; `levels`: the parallel seconds of each."""
    noise = [0.998, 1.003, 1.001, 0.9985, 1.002, 0.9995, 1.0015]
    runs = [{"file": "%02d.%d.andes" % (i, r), "ranks": 2, "scale": noise[(3 * i + 5 * r) % 7],
             "program": {"parallel_s": level, "name": name, "hash": "%016x" % i},
             "facts": {"commit": "%02x" % i * 20, "commit_time": "2026-01-%02dT03:04:05Z" % (i + 1), "branch": "main"}}
            for i, level in enumerate(levels) for r in range(2)]
    os.makedirs(folder, exist_ok=True)
    subprocess.run([MAKE_RUNS], cwd=folder, check=True, input=json.dumps(runs), text=True)


def grow(file, callpaths, seed, waiting=True):
    """Splits the time of main > work > sweep over so many call paths, whose ranks differ; ranks send to their neighbours, and
    wait for as many ranks as a run file may have of each."""
    chance = random.Random(seed)
    database = sqlite3.connect(file)
    metrics = dict(database.execute("SELECT name, id FROM metric"))
    places = [row[0] for row in database.execute("SELECT id FROM location ORDER BY id")]
    ranks = len(places)
    own, idle = {}, {}
    for name, rows in (("exclusive_ns", own), ("idle_ns", idle)):
        number = metrics.get(name)
        for path, place, value in database.execute("SELECT callpath, location, value FROM value WHERE metric = ?", (number,)):
            rows.setdefault(path, [0.0] * ranks)[place] = value
        for path, kind, numbers in database.execute("SELECT callpath, type, numbers FROM value_column WHERE metric = ?", (number,)):
            rows[path] = list(array.array(kind, zlib.decompress(numbers)))
    parents = dict(database.execute("SELECT id, parent FROM callpath"))
    kinds = dict(database.execute("SELECT callpath.id, kind FROM callpath JOIN region ON region.id = callpath.region"))
    idle = {path: row for path, row in idle.items() if kinds[path] not in ("function", "root")}

    depth, added, weights = {SWEEP: 0}, [], {}
    callers = [SWEEP]
    for i in range(callpaths):
        path, region = 6 + i, 6 + i
        parent = chance.choice(callers[-40:])
        is_mpi = i % 4 == 3
        name, kind = MPI[i // 4 % len(MPI)] if is_mpi else ("step_%d" % i, "function")
        database.execute("INSERT INTO region VALUES(?, ?, ?, ?, ?)", (region, name, kind, None if is_mpi else "solver.c", None if is_mpi else 10 + i))
        database.execute("INSERT INTO callpath VALUES(?, ?, ?)", (path, parent, region))
        if name == "MPI_Sendrecv":
            database.execute("INSERT INTO message_size VALUES(?, 4096, 8192, 100), (?, 65536, NULL, 7)", (path, path))
            database.execute("INSERT INTO statistic VALUES(?, ?, 107, 0, 107, ?, 0, 0, 0)", (path, metrics["messages_sent"], 107 / ranks))
        parents[path], kinds[path], depth[path] = parent, kind, depth[parent] + 1
        if not is_mpi and depth[path] < 12:
            callers.append(path)
        added.append(path)
        weights[path] = 1 / (1 + chance.randrange(callpaths)) * (3 if is_mpi else 1)
    whole = own.get(SWEEP, [0.0] * ranks)
    rows = {path: [weights[path] * chance.lognormvariate(0, 0.15) for _ in range(ranks)] for path in added}
    for place in range(ranks):
        scale = whole[place] / sum(row[place] for row in rows.values())
        for row in rows.values():
            row[place] *= scale
    own[SWEEP] = [0.0] * ranks
    for path, row in rows.items():
        own[path] = row
        if waiting and kinds[path] != "function":
            idle[path] = [0.6 * value * chance.random() for value in row]
    _rebuild(database, metrics, parents, kinds, own, idle, ranks)
    for rank in range(ranks):
        for other in {(rank + 1) % ranks, (rank - 1) % ranks} - {rank}:
            database.execute("INSERT OR REPLACE INTO message VALUES(?, ?, 100, ?)", (rank, other, 800_000 + 1000 * rank))
    database.execute("DELETE FROM wait_pair")
    for rank in range(ranks):
        others = [other for other in range(ranks) if other != rank]
        for other in chance.sample(others, min(len(others), max(8, 2 ** 14 // ranks))):
            database.execute("INSERT INTO wait_pair VALUES(?, ?, ?)", (rank, other, int(1e7 * chance.lognormvariate(0, 1))))
    database.commit()
    database.close()


def _rebuild(database, metrics, parents, kinds, own, idle, ranks):
    """Statistics and values of times, from what each call path has by itself."""
    sums = {name: {path: [0.0] * ranks for path in parents} for name in ("inclusive_ns", "computation_ns", "communication_ns", "idle_ns")}
    for path in sorted(parents, reverse=True):
        row, waits = own.get(path, [0.0] * ranks), idle.get(path, [0.0] * ranks)
        is_mpi = kinds[path] not in ("function", "root")
        parts = {"inclusive_ns": row, "idle_ns": waits, "computation_ns": [0.0] * ranks if is_mpi else row,
                 "communication_ns": [a - b for a, b in zip(row, waits)] if is_mpi else [0.0] * ranks}
        for name, part in parts.items():
            sums[name][path] = [a + b for a, b in zip(sums[name][path], part)]
            if parents[path] is not None:
                above = sums[name][parents[path]]
                sums[name][parents[path]] = [a + b for a, b in zip(above, sums[name][path])]
    root = next(path for path in parents if parents[path] is None)
    for place in range(ranks):
        database.execute("UPDATE location SET compute_ns = ?, communication_ns = ?, idle_ns = ? WHERE id = ?",
                         (*(round(sums[name][root][place]) for name in ("computation_ns", "communication_ns", "idle_ns")), place))
    sums["exclusive_ns"] = {path: own.get(path, [0.0] * ranks) for path in parents}
    sums["visits"] = {path: [100.0] * ranks for path in parents if path > SWEEP}
    times = ",".join(str(metrics[name]) for name in sums if name in metrics and name != "visits")
    for table in ("value", "value_column", "statistic"):
        database.execute("DELETE FROM %s WHERE metric IN (%s)" % (table, times))
    for name, rows in sums.items():
        if name not in metrics:
            continue
        for path, row in rows.items():
            if not any(row):
                continue
            low, high, total = min(row), max(row), sum(row)
            mean = total / ranks
            database.execute("INSERT INTO statistic VALUES(?, ?, ?, ?, ?, ?, 0, ?, ?)",
                             (path, metrics[name], total, low, high, mean, row.index(low), row.index(high)))
            database.execute("INSERT OR REPLACE INTO value_column VALUES(?, ?, 'd', ?)",
                             (path, metrics[name], zlib.compress(array.array("d", row).tobytes())))
