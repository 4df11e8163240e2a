#!/usr/bin/env python3
"""Gates of two programs from Debian's sources, beside hyperfine on the same executables: who is right how often. By
`./setup gate-real`; docs/measurements/2026-11-gate.md has what was found.

    ./setup gate-real [--count 5] [--budget 90s] [--runs 15] [--place DIR] [--only lua|openmpi|mpich] [--ordinary]

Lua (C, one process) runs a script; old and new are releases of Debian's suites. NDist of AmpliconNoise (C, MPI, two ranks) aligns
sequences, with Open MPI and with MPICH; old and new differ in options of the compiler, or in a planted slow-down: of sixteen
alignments one is made twice, 6.25 % more work. All are built by `andes build`; hyperfine runs them without the monitor, one build after the other. Both tools
run in the real-time class where that is allowed, but with --ordinary.

What is true is measured apart: the ratio of the least processor times of 20 runs of each, in turns. A tool is right if it
says "slower" (beyond the tolerance of 3 %) where the true change is above 3 %, "not slower" where it is below, and "cannot tell" is
counted apart; changes of 2 to 4 % are not counted. hyperfine says mean and standard deviation of the ratio: it tells if the tolerance is outside.
"""
import argparse
import collections
import json
import os
import re
import resource
import shutil
import subprocess
import sys

from builds.real_builds import Archive
from support.arguments import Arguments
from support.build import ANDES, BUILD
from support.commands import before_others
from support.environment import environment

SUITES = ("bullseye", "bookworm", "trixie")
TOLERANCE, UNCLEAR = 3.0, (2.0, 4.0)
SCRIPT = """local words, seed = {}, 7
for i = 1, 12000 do
  seed = (seed * 1103515245 + 12345) % 2147483648
  words[i] = string.format("%08x-%d", seed, i % 97)
end
for round = 1, ROUNDS do
  local copy, count = {}, {}
  for i, word in ipairs(words) do copy[i] = word end
  table.sort(copy, function(a, b) return a:sub(3) < b:sub(3) end)
  for _, word in ipairs(copy) do
    local key = word:match("-(%d+)$")
    count[key] = (count[key] or 0) + #word
  end
end
"""
# The same code in every build, but for a number: a second call elsewhere would be compiled in another way.
PLANT = """#ifndef PLANTED
#define PLANTED 1000000000
#endif
static volatile int planted = PLANTED;
static int calls = 0;
static void aligned(t_Align* p, const char* a, const char* b, int la, int lb, double** f, int** m) {
  for (int times = ++calls % planted == 0 ? 2 : 1; times > 0; --times) needlemanWunsch(p, a, b, la, lb, f, m);
}
"""


MPI_TITLES = {"openmpi": "Open MPI", "mpich": "MPICH"}


def build(tree, command):
    env = {name: text for name, text in os.environ.items() if not name.startswith(("CMAKE_", "CCACHE_", "ANDES_"))}
    done = subprocess.run([ANDES, "build", "--", "sh", "-ec", command], cwd=tree, env=env, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit("%s: %s\n%s" % (tree, command, done.stderr[-2000:]))


def lua(archive, place):
    """Executables by release, and the command."""
    programs = {}
    for suite in SUITES:
        tree = os.path.join(place, "lua-" + suite)
        archive.unpack("lua5.4/" + suite, tree, False)
        build(tree, "make -C src linux")
        with open(os.path.join(tree, "src", "lua.h"), encoding="utf-8") as file:
            text = file.read()
        programs["5.4." + re.search(r'LUA_VERSION_RELEASE\s+"(\d+)"', text).group(1)] = os.path.join(tree, "src", "lua")
    script = os.path.join(place, "script.lua")
    with open(script, "w", encoding="utf-8") as file:
        file.write(SCRIPT.replace("ROUNDS", "4"))
    old, middle, new = sorted(programs)
    copy = middle + " again"
    programs[copy] = shutil.copy(programs[middle], os.path.join(place, "lua-again"))
    pairs = [(middle, copy), (old, middle), (middle, new), (new, old)]
    return [("Lua %s -> %s" % pair, programs[pair[0]], programs[pair[1]]) for pair in pairs], ["{exe}", script], []


def ndist(archive, place, mpi):
    programs = {}
    for name, options in (("-O3", "-O3"), ("-O3, built again", "-O3"), ("-O3, 6.25 % planted", "-O3 -DPLANTED=16"), ("-O2", "-O2"),
                          ("-O3 -march=native", "-O3 -march=native")):
        tree = os.path.join(place, "ndist-%s-%s" % (mpi, re.sub(r"\W+", "-", name)))
        archive.unpack("ampliconnoise/bookworm", tree, False)
        source = os.path.join(tree, "NDist", "NDist.c")
        with open(source, encoding="latin-1") as file:
            text = file.read()
        begin = text.index("int main(")
        text = text[:begin] + PLANT + text[begin:].replace("needlemanWunsch(&tAlign", "aligned(&tAlign")
        with open(source, "w", encoding="latin-1") as file:
            file.write(text)
        build(tree, "make -C NDist CC=mpicc.%s CFLAGS='%s'" % (mpi, options))
        programs[name] = os.path.join(tree, "NDist", "NDist")
    data, seed = os.path.join(place, "sequences.fa"), 7
    with open(data, "w", encoding="utf-8") as file:
        for i in range(28):
            letters = []
            for _ in range(400):
                seed = (seed * 1103515245 + 12345) % 2147483648
                letters.append("ACGT"[seed >> 16 & 3])
            file.write(">s%d\n%s\n" % (i, "".join(letters)))
    base = "-O3"
    pairs = [(base, name) for name in programs if name != base]
    command = ["mpirun." + mpi, "-n", "{p}", "{exe}", "-i", "-in", data]
    return [("NDist (%s) %s -> %s" % (MPI_TITLES[mpi], *pair), programs[pair[0]], programs[pair[1]]) for pair in pairs], command, ["--ranks", "2"]


def at_start():
    if not ORDINARY:
        before_others()


def words(command, exe):
    return [word.replace("{exe}", exe).replace("{p}", "2") for word in command]


def processor_s(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, env=environment(), check=True, preexec_fn=at_start, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def true_percent(command, old, new):
    least = {}
    for turn in range(20):
        for exe in ((old, new) if turn % 2 else (new, old)):
            least[exe] = min(processor_s(words(command, exe)), least.get(exe, float("inf")))
    return 100 * (least[new] / least[old] - 1)


def gate(command, options, old, new, budget, place):
    """Exit status, change of T in per cent, pairs, first call path."""
    shutil.rmtree(os.path.join(place, "runs"), ignore_errors=True)
    done = subprocess.run([ANDES, "gate", "--base", old, "--new", new, *options, "--budget", budget, "-o", "runs", "--json", "--", *command],
                          cwd=place, env=environment(), preexec_fn=at_start, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1, 3):
        sys.exit("gate: exit status %d\n%s" % (done.returncode, done.stderr[-2000:]))
    point, = json.loads(done.stdout)["points"]
    first = " > ".join(point["callpaths"][0]["path"]) if point["callpaths"] else ""
    return {0: "not slower", 1: "slower", 3: "cannot tell"}[done.returncode], point["change_percent"]["median"], len(point["pairs"]), first


def hyperfine(command, old, new, runs, place):
    out = os.path.join(place, "hyperfine.json")
    quoted = [" ".join(words(command, exe)) for exe in (old, new)]
    subprocess.run(["hyperfine", "-N", "--warmup", "1", "--runs", str(runs), "--export-json", out, *quoted], env=environment(),
                   preexec_fn=at_start, check=True, capture_output=True)
    with open(out, encoding="utf-8") as file:
        before, after = json.load(file)["results"]
    ratio = after["mean"] / before["mean"]
    deviation = ratio * ((after["stddev"] / after["mean"]) ** 2 + (before["stddev"] / before["mean"]) ** 2) ** 0.5
    limit = 1 + TOLERANCE / 100
    said = "slower" if ratio - deviation > limit else "not slower" if ratio + deviation < limit else "cannot tell"
    return said, 100 * (ratio - 1), 100 * deviation


def main():
    global ORDINARY
    parser = Arguments("gate-real", description="Gates of two programs from Debian's sources, beside hyperfine.")
    parser.add_argument("--count", type=int, default=5, help="gates of each change (5)")
    parser.add_argument("--budget", default="90s", help="of a gate (90s)")
    parser.add_argument("--runs", type=int, default=15, help="of hyperfine, of each build (15)")
    parser.add_argument("--place", help="directory for the programs and runs (gate-real in the build)")
    parser.add_argument("--only", choices=("lua", *MPI_TITLES), help="one of the programs")
    parser.add_argument("--ordinary", action="store_true", help="not in the real-time class")
    parser.add_argument("--check", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.count < 1 or options.runs < 2:
        parser.error("--count is 1 or more, --runs 2 or more")
    if options.check:
        return
    ORDINARY = options.ordinary
    place = os.path.abspath(options.place or os.path.join(BUILD, "gate-real"))
    os.makedirs(place, exist_ok=True)
    archive = Archive(place, SUITES)
    counts = collections.Counter()
    print("| change | true % | andes gate: said | its change % | pairs | first call path | hyperfine: said | its change % (+-) |\n"
          "|---|--:|---|---|---|---|---|---|", flush=True)
    for program in ("lua", *MPI_TITLES):
        if options.only not in (None, program):
            continue
        changes, command, sizes = lua(archive, place) if program == "lua" else ndist(archive, place, program)
        for title, old, new in changes:
            true = true_percent(command, old, new)
            right = "slower" if true > TOLERANCE else "not slower"
            gates, others = [], []
            for _ in range(options.count):
                gates.append(gate(command, sizes, old, new, options.budget, place))
                others.append(hyperfine(command, old, new, options.runs, place))
            for tool, all_said in (("gate", gates), ("hyperfine", others)):
                for said, change, *_ in all_said:
                    if not UNCLEAR[0] <= true <= UNCLEAR[1]:
                        counts[tool, "right" if said == right else "cannot tell" if said == "cannot tell" else "wrong"] += 1
                    if abs(true) > 1:
                        counts[tool, "sign right" if change * true > 0 else "sign wrong"] += 1
            cells = [title, "%+.1f" % true]
            for row in (gates, others):
                said = collections.Counter(one[0] for one in row)
                cells += [", ".join("%d %s" % (n, word) for word, n in said.most_common())]
                if row is gates:
                    cells += [", ".join("%+.1f" % one[1] for one in row), ", ".join(str(one[2]) for one in row),
                              collections.Counter(one[3] for one in row).most_common(1)[0][0]]
                else:
                    cells += [", ".join("%+.1f (%.0f)" % one[1:] for one in row)]
            print("| " + " | ".join(cells) + " |", flush=True)
    for (tool, what), count in sorted(counts.items()):
        print("%s: %s: %d" % (tool, what, count))
    sys.exit(counts["gate", "wrong"] > 0)


if __name__ == "__main__":
    main()
