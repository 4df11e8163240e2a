#!/usr/bin/env python3
"""Packages of Debian, built twice from the same tree by their own build systems: plain, and by `andes build`. For each: whether the
tests of both give the same results, warnings that only the second build has, the processor time of the second in that of the
first, and how many of the functions in sources have probes. By `./setup real-builds`; not among the tests, for the sources
come from Debian's archive and the builds take hours.

  real_builds.py BUILD [--packages a,b] [--jobs N] [--place DIR] [--out FILE]

DIR (build/real-builds unless told) keeps the sources; trees are removed when they are done, unless something is wrong with them.
The table goes to standard output and to FILE. Exit status 1 if a package fails.
"""
import argparse
import csv
import glob
import io
import os
import re
import resource
import shutil
import subprocess
import sys
import time

from builds.real_packages import PACKAGES

ARCHIVE = "deb-src http://deb.debian.org/debian %s main\n"
USUAL_RESULTS = r"^# [A-Z]+: |tests passed|^(PASS|FAIL|XFAIL|SKIP|ERROR)\b|^Ok: |^Fail: |tests? failed"
VOLATILE = re.compile(r"\d+\.\d+ *(s|sec|seconds)\b|\(.*sec\)|0x[0-9a-f]+")
HEADS = ("package", "build system", "languages", "MPI", "sources", "left", "functions", "probes", "same tests", "new warnings",
         "CPU s plain", "CPU ratio", "wall ratio", "said")


def codename():
    with open("/etc/os-release", encoding="utf-8") as file:
        return re.search(r"^VERSION_CODENAME=(\w+)", file.read(), re.M).group(1)


class Archive:
    """Debian's sources, without a change of the system's own lists."""

    def __init__(self, place, suites=None):
        """Of these suites, with names of packages like hello/bookworm, or of the system's own."""
        self.place = place
        lists = os.path.join(place, "lists")
        os.makedirs(os.path.join(lists, "partial"), exist_ok=True)
        with open(os.path.join(place, "sources.list"), "w", encoding="utf-8") as file:
            file.writelines(ARCHIVE % suite for suite in suites or [codename()])
        self.options = ["-o", "Dir::Etc::sourcelist=" + file.name, "-o", "Dir::Etc::sourceparts=/dev/null",
                        "-o", "Dir::State::lists=" + lists]
        if not glob.glob(os.path.join(lists, "*Sources*")):
            subprocess.run(["apt-get", "-q", *self.options, "update"], check=True, capture_output=True)

    def unpack(self, package, target, patched):
        """The tree of a source package with Debian's patches, or as upstream has it where the archive lacks those."""
        here = os.path.join(self.place, "src", package)
        os.makedirs(here, exist_ok=True)
        if not glob.glob(os.path.join(here, "*.orig*.tar.*")):
            subprocess.run(["apt-get", "-q", *self.options, "source", "--only-source", "--download-only", package], cwd=here,
                           capture_output=True, check=False)
        tarballs = [name for name in glob.glob(os.path.join(here, "*.orig.tar.*")) if not name.endswith(".asc")]
        if not tarballs:
            raise OSError("no source in the archive")
        shutil.rmtree(target, ignore_errors=True)
        descriptions = glob.glob(os.path.join(here, "*.dsc"))
        words = ["dpkg-source", "--no-check", "-x", descriptions[0], target]
        if not patched or subprocess.run(words, capture_output=True, check=False).returncode != 0:
            shutil.rmtree(target, ignore_errors=True)
            os.makedirs(target)
            subprocess.run(["tar", "-xf", tarballs[0], "-C", target, "--strip-components=1"], check=True)
        for copy in glob.glob(os.path.join(os.path.dirname(target), "*.orig.tar.*")):
            if os.path.isfile(copy):  # dpkg-source puts it there; a directory is another campaign's
                os.remove(copy)


class Tree:
    """One of the two trees of a package. Both are built in a directory of the same name, so that nothing depends on it."""

    def __init__(self, package, place, andes, jobs):
        self.package, self.andes, self.jobs = package, andes, jobs
        self.home = os.path.join(place, "trees", package.name)
        self.env = {name: text for name, text in os.environ.items()
                    if not name.startswith(("CMAKE_", "CCACHE_", "ANDES_")) and name not in ("CC", "CXX", "FC", "CFLAGS")}
        self.env["LC_ALL"] = "C"
        self.record = self.home + ".record"
        if andes:
            open(self.record, "w", encoding="utf-8").close()
            self.env["ANDES_BUILD_RECORD"] = self.record
        self.messages = self.said = ""
        self.cpu = self.wall = 0

    def shell(self, command, caught, limit=1800):
        words = ["sh", "-c", command.replace("{jobs}", str(self.jobs))]
        if caught and self.andes:
            words = [self.andes, "build", "--", *words]
        return subprocess.run(words, cwd=self.home, env=self.env, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              errors="replace", timeout=limit, check=False)

    def build(self):
        """Empty, or what failed."""
        for step, command in (("configure", self.package.configure), ("build", self.package.build)):
            before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
            done = self.shell(command, True)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            # The whole build, as a user waits for it: questions of configure as well.
            self.cpu += after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            self.wall += time.monotonic() - begin
            self.messages += done.stderr + done.stdout
            if done.returncode != 0:
                with open(self.home + ".log", "w", encoding="utf-8") as file:
                    file.write(self.messages)
                return "%s fails (%s.log)" % (step, self.home)
        lines = [line for line in self.messages.splitlines() if line.startswith("andes: build: ")]
        self.said = lines[-1] if lines else ""
        return ""

    def warnings(self):
        return {line for line in self.messages.splitlines() if " warning: " in line or " Warning: " in line}

    def results(self):
        """Exit status and the lines that count, without times."""
        done = self.shell(self.package.test, False)
        pattern = re.compile(self.package.results or USUAL_RESULTS)
        lines = [VOLATILE.sub("", line).strip() for line in (done.stdout + done.stderr).splitlines() if pattern.search(line)]
        return done.returncode, sorted(lines)

    def functions(self):
        """(sources instrumented, sources left, functions in them, of these with probes), each source once; of Fortran no functions."""
        seen, left = {}, set()
        with open(self.record, encoding="utf-8", errors="replace") as file:
            for line in file:
                kind, path, detail = line.rstrip("\n").split("\t")
                if kind == "instrumented":
                    seen[path] = max(seen.get(path, (0, 0)), tuple(int(n) for n in detail.split("/")) if detail else (0, 0))
                elif kind == "left":
                    left.add(path)
        probes, functions = (sum(column) for column in zip(*seen.values())) if seen else (0, 0)
        return len(seen), len(left - set(seen)), functions, probes

    def shown(self):
        """How many functions of the program a run with two ranks shows."""
        run = os.path.join(self.home, "andes-run.andes")
        done = self.shell(f"{self.andes} run -o {run} -- mpirun -n 2 ./{self.package.run}", False)
        if not os.path.exists(run):
            return "no run (%s)" % (done.stderr.splitlines() or ["?"])[-1]
        text = self.shell(f"{self.andes} show --csv --cut 0 {run}", False).stdout
        names = {row["path"].split("/")[-1] for row in csv.DictReader(io.StringIO(text)) if row.get("path")}
        return "%d functions in a run" % len([name for name in names if not name.startswith(("MPI_", "("))])


def try_package(package, archive, place, andes, jobs):
    """The cells of its row, and whether all is well."""
    trees, wrong = [], ""
    results = []
    for which in ("", andes):
        tree = Tree(package, place, which, jobs)
        archive.unpack(package.source or package.name, tree.home, package.patched)
        trees.append(tree)
        wrong = tree.build()
        if wrong:
            wrong = ("andes: " if which else "plain: ") + wrong
            break
        results.append(tree.results())
        if which and package.run:
            tree.said += "; " + tree.shown()
    if wrong:
        return [package.name, package.system, package.languages, "yes" if package.mpi else "", *[""] * 9, wrong], False
    plain, ours = trees
    new = sorted(ours.warnings() - plain.warnings())
    same = results[0] == results[1]
    sources, left, functions, probes = ours.functions()
    if not same or new:
        with open(ours.home + ".log", "w", encoding="utf-8") as file:
            file.write("\n".join(["plain: %r" % (results[0],), "andes: %r" % (results[1],), "new warnings:", *new, ours.messages]))
    else:
        shutil.rmtree(ours.home)
    status, lines = results[0]
    row = [package.name, package.system, package.languages, "yes" if package.mpi else "", sources, left, functions, probes,
           "%s (status %d, %d lines)" % ("yes" if same else "NO", status, len(lines)), len(new), "%.1f" % plain.cpu,
           "%.2f" % (ours.cpu / plain.cpu), "%.2f" % (ours.wall / plain.wall), ours.said.removeprefix("andes: build: ")]
    return row, same and not new


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build")
    parser.add_argument("--packages", default="", help="names, separated by commas; all unless told")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--place", default="")
    parser.add_argument("--out", default="")
    given = parser.parse_args()
    place = os.path.abspath(given.place or os.path.join(given.build, "real-builds"))
    names = [name for name in given.packages.split(",") if name]
    unknown = set(names) - {package.name for package in PACKAGES}
    if unknown:
        sys.exit("real_builds.py: %s: no such package; known: %s" % (", ".join(sorted(unknown)), ", ".join(p.name for p in PACKAGES)))
    archive = Archive(place)
    os.makedirs(os.path.join(place, "trees"), exist_ok=True)
    lines, fails = ["| " + " | ".join(HEADS) + " |", "|" + "---|" * len(HEADS)], 0
    print("\n".join(lines), flush=True)
    for package in PACKAGES:
        if names and package.name not in names:
            continue
        try:
            row, good = try_package(package, archive, place, os.path.join(os.path.abspath(given.build), "bin", "andes"), given.jobs)
        except (OSError, subprocess.SubprocessError) as error:
            row, good = [package.name, package.system, package.languages, "yes" if package.mpi else "", *[""] * 9, "not tried: %s" % error], False
        fails += not good
        lines.append("| " + " | ".join(str(cell) for cell in row) + " |")
        print(lines[-1], flush=True)
        if given.out:
            with open(given.out, "w", encoding="utf-8") as file:
                file.write("\n".join(lines) + "\n")
    return 1 if fails else 0


if __name__ == "__main__":
    sys.exit(main())
