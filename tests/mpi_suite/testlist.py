"""The suite's lists of tests: in each directory a file testlist; of the generated lists, testlist.dtp (data types at
random), the first line of each program and number of ranks. Others are of algorithms of MPICH's collectives and of graphics
processors."""
import os
from dataclasses import dataclass, field

RANKS = 2  # unless a line says more
SECONDS = 180
# Directories that say nothing about wrappers, or need what is not there: performance; fault tolerance and checkpoints,
# which need options of the launcher; C++ bindings, which MPI 3 has removed.
LEFT_OUT = ("perf", "ft", "ckpoint", "cxx", "manual", "basic")


@dataclass
class Test:
    directory: str
    program: str
    ranks: int = RANKS
    arguments: list = field(default_factory=list)
    environment: dict = field(default_factory=dict)
    options: dict = field(default_factory=dict)

    @property
    def name(self):
        words = [self.directory + "/" + self.program, str(self.ranks), *self.arguments]
        return " ".join([*words, *("%s=%s" % item for item in self.environment.items())])

    @property
    def seconds(self):
        return int(self.options.get("timeLimit", SECONDS))


def read_line(directory, line):
    words = line.split("#")[0].split()
    if not words or words[0].startswith("!"):
        return None
    test = Test(directory, words[0])
    if len(words) > 1:
        test.ranks = int(words[1])
    for word in words[2:]:
        key, _, value = word.partition("=")
        if key == "arg":
            test.arguments.append(value)
        elif key == "env":
            name, _, text = value.partition("=")
            test.environment[name] = text
        else:
            test.options[key] = value
    if "/" in test.program:
        below, test.program = test.program.rsplit("/", 1)
        test.directory = os.path.normpath(os.path.join(directory, below))
    return test


def lines(place, source, directory, name):
    for top in (place, source):
        path = os.path.join(top, directory, name)
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                return file.read().splitlines()
    return []


def read(place, source, strict, directory=""):
    """[Test] of a configured tree, as its own runner goes through it."""
    tests = []
    for line in lines(place, source, directory, "testlist"):
        test = read_line(directory, line)
        if test is None or test.options.get("xfail") or test.options.get("mpix") and strict:
            continue
        if strict and test.options.get("strict", "").lower() == "false":
            continue
        below = os.path.normpath(os.path.join(directory, test.program))
        if os.path.isdir(os.path.join(place, below)):
            if below not in LEFT_OUT:
                tests += read(place, source, strict, below)
        else:
            tests.append(test)
    seen = set()
    for line in lines(place, source, directory, "testlist.dtp"):
        test = read_line(directory, line)
        if test and (test.program, test.ranks) not in seen:
            seen.add((test.program, test.ranks))
            tests.append(test)
    return tests
