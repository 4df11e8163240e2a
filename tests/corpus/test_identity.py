#!/usr/bin/env python3
"""Call paths of two builds of programs like LULESH: ten lines inserted, a function divided in two, its file or another one
renamed. hydrodynamics is one file; shocks has nine, with templates, functions of headers, lambdas that functions call in
their loops, and loops of one shape. Every function, lambda and loop has a probe, so names carry lines.

The answers come from the edit: of each line of the newer source it is known which line of the older one it was. So a call
path of the newer build, written with the older lines and without the new function, is that of the older one."""
import json
import os
import re
import unittest

from support.build import ANDES, SOURCE
from support.commands import command
from support.folder import InFolder
from support.programs import KINDS_WITH_COMPILER, NO_KINDS, launcher
from support.skipped import skip

CORPUS = os.path.join(SOURCE, "tests", "corpus")


class Sources:
    """Files of a program as lines with the numbers that they had before: None if they are new."""

    def __init__(self, folder, names):
        self.lines, self.renamed, self.whole, self.part = {}, {}, None, None
        for name in names:
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                self.lines[name] = [(text, number) for number, text in enumerate(file.read().splitlines(), 1)]

    def find(self, name, text):
        at, = [i for i, (line, _) in enumerate(self.lines[name]) if text in line]
        return at

    def insert(self, name, before):
        self.lines[name].insert(self.find(name, before), ("// one more line", None))

    def divide(self, name, whole, head, first, count, part, call, part_head):
        """So many lines of a function, from the first on, become a function that it calls; `whole`, `part`: their names."""
        lines, self.whole, self.part = self.lines[name], whole, part
        begin, at = self.find(name, first), self.find(name, head)
        moved = lines[begin:begin + count]
        lines[begin:begin + count] = [(call, None)]
        lines[at:at] = [(part_head, None), *moved, ("}", None), ("", None)]

    def write(self, folder):
        os.makedirs(folder)
        for name, lines in self.lines.items():
            with open(os.path.join(folder, self.renamed.get(name, name)), "w", encoding="utf-8") as file:
                file.writelines(text + "\n" for text, _ in lines)

    def before(self, path, files):
        """The names of a call path as they were; `files`: of each of its regions."""
        was = {new: old for old, new in self.renamed.items()}
        names = []
        for name, file in zip(path, files):
            lines = self.lines.get(was.get(os.path.basename(file), os.path.basename(file)))
            if lines:
                name = re.sub(r"\{(lambda|loop):(\d+)", lambda at, lines=lines: "{%s:%s" % (at[1], lines[int(at[2]) - 1][1]), name)
            if self.part and name.startswith(self.part + "::"):
                name = self.whole + name[len(self.part):]
            if name != self.part:
                names.append(name)
        return tuple(names)


def hydrodynamics():
    """One file; the second half of lagrange_nodal is a function of its own."""
    sources = Sources(CORPUS, ["hydrodynamics.cc"])
    for text in ("class Domain {", "inline Real triple_product", "  const auto part = [&]", "  const Real volume = part",
                 "void calc_elem_node_normals", "  for (Index k = 0; k < domain.elements(); ++k) calc_elem_hourglass_force",
                 "  const Real damping", "void lagrange_elements", "  for (Index z = 0, i = 0;", "  Domain domain;"):
        sources.insert("hydrodynamics.cc", text)
    sources.divide("hydrodynamics.cc", "lagrange_nodal", "void lagrange_nodal(", "  comm_nodes(domain, c);", 6, "move_nodes",
                   "  move_nodes(domain, c, dt);", "void move_nodes(Domain& domain, const corpus& c, Real dt) {")
    sources.renamed["hydrodynamics.cc"] = "hydro.cc"
    return sources


def shocks():
    folder = os.path.join(CORPUS, "shocks")
    return Sources(folder, sorted(os.listdir(folder)))


def changed_shocks():
    sources = shocks()
    for name, text in (("domain.h", "class Field {"), ("domain.h", "  Real& fx(Index"), ("parallel.h", "  for (Index i = 0; i < n; ++i) body(i)"),
                       ("comm.cc", "  const auto ring"), ("force.cc", "  for (Index k = 0"), ("force.cc", "      const auto damping"),
                       ("nodes.cc", "Real mass("), ("elements.cc", "template <class Rate>"), ("eos.cc", "inline Real cut("),
                       ("eos.cc", "  for (int r = 0"), ("main.cc", "  Real dt = 1e-4")):
        sources.insert(name, text)
    sources.renamed["eos.cc"] = "state.cc"
    return sources


def shocks_in_nodes():
    """What is divided has loops in one another that call the same."""
    sources = changed_shocks()
    sources.divide("nodes.cc", "lagrange_nodal", "void lagrange_nodal(", "  for (int pass", 5, "finish_nodes",
                   "  finish_nodes(domain, c, dt);", "static void finish_nodes(Domain& domain, const corpus& c, Real dt) {")
    return sources


def shocks_in_energy():
    """In the file that is renamed, too: two lambdas of the same content."""
    sources = changed_shocks()
    sources.divide("eos.cc", "calc_energy", "void calc_energy(", "[&](Index i) { work.e[i] = cut", 2, "clean", "  clean(work);",
                   "void clean(Work& work) {")
    return sources


class Identity(InFolder):
    def build(self, kind, sources, folder):
        folder = os.path.join(self.folder, folder)
        sources.write(os.path.join(folder, "program"))
        with open(os.path.join(folder, "all"), "w", encoding="utf-8") as file:
            file.write("include *\n")
        if not os.path.exists(os.path.join(folder, "corpus.h")):
            os.symlink(os.path.join(CORPUS, "corpus.h"), os.path.join(folder, "corpus.h"))
        files = sorted(name for name in os.listdir(os.path.join(folder, "program")) if name.endswith(".cc"))
        command([ANDES, "cc", "--loops", "all", "--select", "all", "mpicxx." + kind, "-O1", "-g", "-std=c++17", "-DOMPI_SKIP_MPICXX",
                 "-DMPICH_SKIP_MPICXX", "-I.", *("program/" + name for name in files), "-o", "built"], cwd=folder)
        out = folder + ".andes"
        command([ANDES, "run", "-o", out, "--set", "budget_percent=0", "--", *launcher(kind, 2), "./built", "2"], cwd=folder)
        return out

    def files(self, run):
        """Of each call path, the file of its region."""
        shown = json.loads(command([ANDES, "show", "--json", run], cwd=self.folder).stdout)
        return {tuple(c["path"]): c.get("file", "") for c in shown["callpaths"]}

    def matched(self, before, after):
        """What andes says: newer call path: older one; reasons, of guesses; new call paths."""
        unlike = json.loads(command([ANDES, "diff", "--json", before, after], cwd=self.folder).stdout)["identity"]["unlike"]
        here = {tuple(u["path"]): u for u in unlike if "path" in u}
        new = {path for path, u in here.items() if "was" not in u and "guessed" not in u}
        old_of = {path: tuple(here.get(path, {}).get("was", path)) for path in self.files(after) if path not in new}
        return old_of, {path: u["guessed"] for path, u in here.items() if "guessed" in u}, new

    def answers(self, sources, before, after):
        """Newer call path: older one. What both parts of the divided function call stays with the first of them."""
        olds, news, answers = self.files(before), self.files(after), {}
        for path in sorted(news, key=lambda one: (sources.part in one, len(one))):
            was = sources.before(path, [news.get(path[:i + 1], "") for i in range(len(path))])
            if was in olds and was not in answers.values() and path[-1] != sources.part:
                answers[path] = was
        return answers

    def check(self, sources, before, after, least):
        answers = self.answers(sources, before, after)
        old_of, reasons, new = self.matched(before, after)
        right = sum(old_of.get(path) == was for path, was in answers.items())
        print("%s: %d call paths, %d of %d matched, %d new" % (sources.part, len(old_of) + len(new), right, len(answers), len(new)))
        self.assertGreater(len(answers), least)
        self.assertEqual({}, {path: (was, answers.get(path)) for path, was in old_of.items() if answers.get(path) != was})
        self.assertGreaterEqual(right, 0.99 * len(answers), [path for path in answers if path not in old_of])
        self.assertIn(sources.part, {path[-1] for path in new})
        self.assertEqual(set(), {path for path in new if sources.part not in path})
        return {path[-2:]: by for path, by in reasons.items()}

    def check_hydrodynamics(self, kind):
        before = self.build(kind, Sources(CORPUS, ["hydrodynamics.cc"]), "before")
        sources = hydrodynamics()
        reasons = self.check(sources, before, self.build(kind, sources, "after"), 60)
        # What is not matched by name alone says why.
        self.assertEqual("split", reasons["move_nodes", "comm_nodes"])
        self.assertEqual("below", reasons["comm_nodes", "MPI_Sendrecv"])
        self.assertEqual("file", reasons["main", ])

    def check_shocks(self, kind):
        before = self.build(kind, shocks(), "before")
        for number, sources in enumerate((shocks_in_nodes(), shocks_in_energy())):
            with self.subTest(part=sources.part):
                self.check(sources, before, self.build(kind, sources, "after%d" % number), 220)


if not KINDS_WITH_COMPILER:
    skip(NO_KINDS)
for mpi in KINDS_WITH_COMPILER[:1]:  # which library it is plays no part
    setattr(Identity, "test_hydrodynamics", lambda self, mpi=mpi: self.check_hydrodynamics(mpi))
    setattr(Identity, "test_shocks", lambda self, mpi=mpi: self.check_shocks(mpi))

if __name__ == "__main__":
    unittest.main()
