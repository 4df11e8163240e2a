#!/usr/bin/env python3
"""Programs as Debian ships them with Open MPI, unmodified, under `andes run`: hpcc with a small input and
lammps with its melt. Plain runs, monitored ones and ones with call_sites in turns; prints whether the
programs' own checks pass and lammps computes the same, and the medians of the ratios to the plain run of the
same round, launcher and all. Exit status 1 if a check fails. By `./setup real`; not among the tests, for the
packages are large.

  real_programs.py BUILD [ROUNDS]     5 unless told
"""

import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

MODES = {"plain": None, "monitored": [], "call sites": ["--set", "call_sites=yes"]}


def prepare_hpcc(folder):
    with open("/usr/share/doc/hpcc/examples/_hpccinf.txt", encoding="utf-8") as file:
        text = file.read()
    text = re.sub(r"^1000( +Ns)$", r"700\1", text, flags=re.MULTILINE)
    text = re.sub(r"^2( +Ps)$", r"1\1", text, flags=re.MULTILINE)  # 1 x 2 processes
    with open(os.path.join(folder, "hpccinf.txt"), "w", encoding="utf-8") as file:
        file.write(text)


def check_hpcc(folder, _):
    """What is wrong with its results; what must be alike in all runs."""
    with open(os.path.join(folder, "hpccoutf.txt"), encoding="utf-8") as file:
        text = file.read()
    os.remove(file.name)
    if "Success=1" not in text or "FAILED" in text or "PASSED" not in text:
        return "its own checks fail", None
    return "", None


def prepare_lammps(folder):
    with open("/usr/share/lammps/examples/melt/in.melt", encoding="utf-8") as file:
        text = file.read()
    with open(os.path.join(folder, "in.melt"), "w", encoding="utf-8") as file:
        file.write(re.sub(r"^run\s+250$", "run 1000", text, flags=re.MULTILINE))


def check_lammps(_, output):
    thermo = re.findall(r"^ +\d+(?: +[-\d.e+]+){5} *$", output, re.MULTILINE)
    return ("", thermo) if len(thermo) == 21 else ("it prints no thermodynamics", None)


PROGRAMS = {"hpcc": (["hpcc"], prepare_hpcc, check_hpcc),
            "lammps": (["lmp", "-in", "in.melt"], prepare_lammps, check_lammps)}


def run(build, mode, command, folder, out):
    launch = ["mpirun.openmpi", "-n", "2", *command]
    if MODES[mode] is not None:
        launch = [os.path.join(build, "bin/andes"), "run", "-o", out, *MODES[mode], "--", *launch]
    begin = time.monotonic()
    done = subprocess.run(launch, cwd=folder, capture_output=True, text=True, timeout=1200)
    seconds = time.monotonic() - begin
    if done.returncode != 0 or os.path.exists(out) != (MODES[mode] is not None):
        sys.exit("%s: exit status %d\n%s%s" % (" ".join(launch), done.returncode, done.stdout, done.stderr))
    return seconds, done.stdout


def measure(build, name, rounds):
    command, prepare, check = PROGRAMS[name]
    times, results, good = {mode: [] for mode in MODES}, [], True
    with tempfile.TemporaryDirectory() as folder:
        prepare(folder)
        for number in range(rounds):
            order = list(MODES) if number % 2 == 0 else list(reversed(MODES))
            for mode in order:
                out = os.path.join(folder, "%s-%d.andes" % (mode.replace(" ", "-"), number))
                seconds, output = run(build, mode, command, folder, out)
                trouble, result = check(folder, output)
                if not trouble and results and results[0] != result:
                    trouble = "it computes something else than in the first run"
                if trouble:
                    print("%s, %s: %s: MISS" % (name, mode, trouble))
                    good = False
                results.append(result)
                times[mode].append(seconds)
    print("%s, 2 ranks, %d rounds: plain %.2f s (median); its checks in all runs: %s" % (
        name, rounds, statistics.median(times["plain"]), "PASS" if good else "MISS"), flush=True)
    for mode in list(MODES)[1:]:
        ratios = sorted(a / b for a, b in zip(times[mode], times["plain"]))
        print("%s, %s: %+.1f %% (median of the ratios; %+.1f to %+.1f %%)" % (
            name, mode, *(100 * (r - 1) for r in (statistics.median(ratios), ratios[0], ratios[-1]))),
            flush=True)
    return good


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    for needed in ("hpcc", "lmp", "mpirun.openmpi"):
        if not shutil.which(needed):
            sys.exit("andes: %s: not found; run ./setup real, which installs it" % needed)
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    for key in [key for key in os.environ if key.startswith("ANDES_")]:
        del os.environ[key]
    sys.exit(0 if all([measure(os.path.abspath(sys.argv[1]), name, rounds) for name in PROGRAMS]) else 1)


if __name__ == "__main__":
    main()
