"""Instructions as Valgrind's callgrind counts them, and the table of those that are expected.

A count is of certain objects (the program, the monitor's libraries) and of nothing else: what the C library
or MPI does differs from machine to machine. It is never a total: a form is called N and 2 N times, and the difference
over N, less that of the same function without a probe, is what one visit executes. Totals under MPI differ from run to
run, as libraries poll; virtual machines have no hardware counters.
"""

import os
import re
import subprocess

from support.environment import environment

CALLS = 2000  # as in count_calls.h
COST = re.compile(r"[+\-*\d]\S* (\d+)$")


def by_part(path):
    """Of a callgrind file with all its dumps: [(name of the dump, {object: instructions in it})]."""
    parts, skip, within = [], False, None
    with open(path, encoding="utf-8") as file:
        for line in file:
            line = line.rstrip("\n")
            if line.startswith("desc: Trigger: "):
                parts.append((line.removeprefix("desc: Trigger: Client Request: "), {}))
            elif line.startswith("ob="):
                within = line.removeprefix("ob=")
            elif line.startswith("calls="):
                skip = True  # the next line is of what the called function does in all
            elif COST.match(line):
                if not skip:
                    counts = parts[-1][1]
                    counts[within] = counts.get(within, 0) + int(COST.match(line)[1])
                skip = False
    return parts


def run(command, folder, **env):
    """Runs a command under callgrind; its dumps as of by_part()."""
    out = os.path.join(folder, "callgrind.out")
    clean = environment(ANDES_ARENA=folder, **env)
    done = subprocess.run(["valgrind", "-q", "--tool=callgrind", "--combine-dumps=yes", "--compress-strings=no",
                           "--compress-pos=no", "--callgrind-out-file=" + out, *command],
                          cwd=folder, env=clean, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        raise RuntimeError("%s: exit status %d\n%s%s" % (" ".join(command), done.returncode, done.stdout, done.stderr))
    return by_part(out)


def in_objects(counts, belongs):
    return sum(number for name, number in counts.items() if belongs(name))


def per_call(parts, belongs):
    """Of the dumps of count_calls(): instructions of a call, by name."""
    found = {}
    for name, counts in parts:
        found.setdefault(name, []).append(in_objects(counts, belongs))
    return {name: round((pair[1] - pair[0]) / CALLS, 2) for name, pair in found.items() if name and len(pair) == 2}


# ---- the table: lines "COMPILER | NAME | INSTRUCTIONS" -----------------------------------------

def read_table(path):
    """{(compiler, name): instructions}"""
    table = {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.strip() and not line.startswith("#"):
                compiler, name, number = (word.strip() for word in line.split("|"))
                table[(compiler, name)] = float(number)
    return table


def write_table(path, table):
    with open(path, encoding="utf-8") as file:
        head = [line for line in file if line.startswith("#")]
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(head)
        file.writelines("%-8s | %-45s | %s\n" % (*key, plain(table[key])) for key in table)


def plain(number):
    return "%d" % number if number == int(number) else "%.2f" % number


# ---- the section of docs/measurements/counted-instructions.md ----------------------------------

BUILDS = ("default build", "every visit timed")


def rows_of_docs(table, compiler):
    """Lines of the two tables there: what a call costs, and whole programs."""
    calls, programs = [], []
    for (of_compiler, name), number in table.items():
        if of_compiler != compiler:
            continue
        if name.endswith(", plain"):
            more = [100 * (table[(compiler, name.removesuffix("plain") + build)] / number - 1) for build in BUILDS]
            programs.append("| %s | %s | %+.3f %% | %+.3f %% |" % (name.removesuffix(", plain"), plain(number), *more))
        elif not name.endswith(BUILDS):
            calls.append("| %s | %s |" % (name, plain(number)))
    return ["| instructions of | more than without |", "|---|---|", *calls, "",
            "| instructions of the program | plain | default build | every visit timed |",
            "|---|---|---|---|", *programs]


def section(text, heading):
    """Where the tables of a section begin and end: from its first line of a table to its last."""
    begin = text.index("\n| ", text.index(heading)) + 1
    following = text.find("\n## ", begin)
    end = text.rindex("|\n", begin, following if following > 0 else len(text)) + 2
    return begin, end
