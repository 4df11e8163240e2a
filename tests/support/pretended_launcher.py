"""A launcher that pretends: it writes its arguments and the ANDES_ variables it got to FAKE_LOG and a run file to
ANDES_OUT, as the monitor would: of facts alone, or one of FAKE_MAKE_RUNS (tests/postproc/make_runs.cc), whose part in
parallel has the seconds of the word parallel=SECONDS. What it does otherwise is set by FAKE_ variables."""
import json
import os
import re
import sqlite3  # to write run files by hand; to read them: run_file.py
import stat
import subprocess
import sys
import time

from support.build import SOURCE

OPEN_MPI = "mpirun (Open MPI) 4.1.4"
HYDRA = "HYDRA build details:\n    Version: 4.0.2"


def schema():
    """The SQL of monitor/interface/run_file.h, and the format's number."""
    with open(os.path.join(SOURCE, "monitor", "interface", "run_file.h"), encoding="utf-8") as file:
        text = file.read()
    return (re.search(r'R"sql\((.*?)\)sql"', text, re.S).group(1),
            int(re.search(r"int format = (\d+)", text).group(1)))


def write_run(path, **facts):
    """A run file of facts alone, whole or not there at all, as the monitor's."""
    database = sqlite3.connect(path + ".part")
    tables, number = schema()
    database.executescript(tables)
    database.execute("PRAGMA application_id = %d" % 0x414E4453)
    database.execute("PRAGMA user_version = %d" % number)
    database.executemany("INSERT INTO fact VALUES(?, ?)", facts.items())
    database.commit()
    database.close()
    os.link(path + ".part", path)
    os.unlink(path + ".part")


def pretend(version):
    """What a pretended launcher does (its whole program)."""
    if sys.argv[1:] == ["--version"]:
        print(version)
        return
    env = os.environ
    with open(env["FAKE_LOG"], "a", encoding="utf-8") as log:
        kept = {k: v for k, v in env.items()
                if k.startswith("ANDES_") or k in ("LD_PRELOAD", "OMP_NUM_THREADS")}
        log.write(json.dumps({"argv": sys.argv[1:], "env": kept, "pid": os.getpid()}) + "\n")
    if "FAKE_STDERR" in env:
        sys.stderr.write(env["FAKE_STDERR"])
        sys.stderr.flush()
    if "FAKE_ECHO" in env:
        print(sys.stdin.read(), end="", flush=True)
    ranks = int(sys.argv[sys.argv.index("-n") + 1]) if "-n" in sys.argv else 1
    if "ANDES_OUT" in env and "FAKE_NO_FILE" not in env:
        reported = int(env.get("FAKE_RANKS", ranks))
        out = env["ANDES_OUT"].replace("%p", str(reported)).replace("%%", "%")
        if "FAKE_MAKE_RUNS" in env:
            seconds = next(float(word[9:]) for word in sys.argv if word.startswith("parallel="))
            subprocess.run([env["FAKE_MAKE_RUNS"]], check=True, text=True, input=json.dumps(
                [{"file": out, "ranks": reported, "program": {"parallel_s": seconds}}]))
        else:
            write_run(out, ranks=reported, threads=1, usable_cores=int(env.get("FAKE_CORES", 1000)), complete=1,
                      wall_ns=1000,
                      **({"busy_threads": int(env["FAKE_BUSY_THREADS"])} if "FAKE_BUSY_THREADS" in env else {}))
    if "FAKE_SLEEP" in env:
        time.sleep(float(env["FAKE_SLEEP"]))
    if str(ranks) == env.get("FAKE_FAIL_AT", str(ranks)):
        if "FAKE_SIGNAL" in env:
            os.kill(os.getpid(), int(env["FAKE_SIGNAL"]))
        sys.exit(int(env.get("FAKE_STATUS", "0")))


def put(path, version):
    """A program that is this launcher, of such a version."""
    with open(path, "w", encoding="utf-8") as file:
        file.write("#!%s -B\nimport sys\nsys.path.insert(0, %r)\nfrom support import pretended_launcher\n"
                   "pretended_launcher.pretend(%r)\n" % (sys.executable, os.path.join(SOURCE, "tests"), version))
    os.chmod(path, os.stat(path).st_mode | stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH)
