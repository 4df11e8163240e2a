#!/usr/bin/env python3
"""Call paths of two real builds of a program like LULESH: ten lines inserted, a function divided in two, its file renamed.
Every function has a probe, lambdas and loops too, so their names carry lines. The answers are by hand."""
import json
import os
import re
import unittest

from support.build import ANDES, SOURCE
from support.commands import command
from support.folder import InFolder
from support.programs import KINDS_WITH_COMPILER, launcher

INSERTED = (  # before a text of the source; all of them move what follows
    "class Domain {", "inline Real triple_product", "  const auto part = [&]", "  const Real volume = part", "void calc_elem_node_normals",
    "  for (Index k = 0; k < domain.elements(); ++k) calc_elem_hourglass_force", "  const Real damping", "void lagrange_elements",
    "  for (Index z = 0, i = 0;", "  Domain domain;\n  Real sum")
DIVIDED = ("  comm_nodes(domain, c);\n", "void lagrange_nodal(")


def changed(text):
    """The newer source: the second half of lagrange_nodal is a function that it calls."""
    for place in INSERTED:
        assert text.count(place) == 1, place
        text = text.replace(place, "// one more line\n" + place)
    call, head = DIVIDED
    start = text.index(head)
    middle = text.index(call, start)
    end = text.index("\n}\n", middle)
    second = "void move_nodes(Domain& domain, const corpus& c, Real dt) {\n%s\n}\n\n" % text[middle:end]
    return text[:start] + second + text[start:middle] + "  move_nodes(domain, c, dt);" + text[end:]


def without_lines(path):
    return tuple(re.sub(r"\{(lambda|loop):[\d:]+\}", r"{\1}", name) for name in path)


class Identity(InFolder):
    def build(self, kind, folder, name, text):
        os.makedirs(os.path.join(self.folder, folder))
        source = os.path.join(self.folder, folder, name)
        with open(source, "w", encoding="utf-8") as file:
            file.write(text)
        with open(os.path.join(self.folder, "all"), "w", encoding="utf-8") as file:
            file.write("include *\n")
        program = os.path.join(self.folder, folder, "hydrodynamics")
        command([ANDES, "cc", "--loops", "all", "--select", os.path.join(self.folder, "all"), "mpicxx." + kind, "-O1", "-g", "-std=c++17",
                 "-DOMPI_SKIP_MPICXX", "-DMPICH_SKIP_MPICXX", "-I", os.path.join(SOURCE, "tests", "corpus"), source, "-o",
                 program], cwd=self.folder)
        out = os.path.join(self.folder, folder + ".andes")
        command([ANDES, "run", "-o", out, "--set", "budget_percent=0", "--", *launcher(kind, 2), program, "2"], cwd=self.folder)
        return out

    def paths(self, run):
        shown = json.loads(command([ANDES, "show", "--json", run], cwd=self.folder).stdout)
        return [(tuple(c["path"]), c["kind"], c.get("line")) for c in shown["callpaths"]]

    def check(self, kind):
        with open(os.path.join(SOURCE, "tests", "corpus", "hydrodynamics.cc"), encoding="utf-8") as file:
            text = file.read()
        before = self.build(kind, "before", "hydrodynamics.cc", text)
        after = self.build(kind, "after", "hydro.cc", changed(text))
        diff = json.loads(command([ANDES, "diff", "--json", before, after], cwd=self.folder).stdout)
        answers = self.answers(self.paths(before), self.paths(after))
        unlike = diff["identity"]["unlike"]
        found = {tuple(u["path"]): tuple(u["was"]) for u in unlike if "path" in u and "was" in u}
        came = {tuple(u["path"]) for u in unlike if "was" not in u and "guessed" not in u}
        found.update({tuple(u["path"]): tuple(u["path"]) for u in unlike if "was" not in u and "guessed" in u})
        for path, _, _ in self.paths(after):
            if path not in found and path not in came:
                found[path] = path  # plainly the same
        wrong = {path: (was, answers.get(path)) for path, was in found.items() if answers.get(path) != was}
        matched = sum(found.get(path) == was for path, was in answers.items())
        print("%s: %d call paths, %d of %d matched, %d wrong" % (kind, len(found) + len(came), matched, len(answers), len(wrong)))
        self.assertGreater(len(answers), 60)
        self.assertEqual({}, wrong)
        self.assertGreaterEqual(matched, 0.99 * len(answers))
        self.assertEqual(["move_nodes"], [path[-1] for path in came])
        # What is not matched by name alone says why.
        reasons = {tuple(u["path"][-2:]): u.get("guessed") for u in unlike if "path" in u}
        self.assertEqual("split", reasons[("move_nodes", "comm_nodes")])
        self.assertEqual("below", reasons[("comm_nodes", "MPI_Sendrecv")])
        self.assertEqual("file", next(u["guessed"] for u in unlike if u.get("path") == ["main"]))

    def answers(self, before, after):
        """Newer call path: older one. Order and names tell, as nothing but move_nodes came: in a function, loops and lambdas
        stay in the order of their lines."""
        def in_order(entry):
            return len(entry[0]), [[int(n) for n in re.findall(r"\d+", name)] for name in entry[0]]

        def keyed(paths, divided):
            keys, count = {}, {}
            for path, _, _ in sorted(paths, key=in_order):
                plain = list(without_lines(path))
                if divided and "move_nodes" in [n.split("::")[0] for n in plain]:
                    plain = [n.replace("move_nodes::", "lagrange_nodal::") for n in plain if n != "move_nodes"]
                key = (keys.get(path[:-1]), plain[-1]) if len(path) > 1 else (None, plain[-1])
                if path[-1] == "move_nodes":
                    keys[path] = keys[path[:-1]]  # what it calls was called there
                    continue
                number = count[key] = count.get(key, 0) + 1
                keys[path] = (key, number)
            return keys

        olds = {key: path for path, key in keyed(before, False).items()}
        news = keyed(after, True)
        return {path: olds[key] for path, key in news.items() if path[-1] != "move_nodes" and key in olds}


for mpi in KINDS_WITH_COMPILER[:1]:  # which library it is plays no part
    setattr(Identity, "test_" + mpi, lambda self, mpi=mpi: self.check(mpi))

if __name__ == "__main__":
    unittest.main()
