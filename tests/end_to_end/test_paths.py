"""Call paths: recursion folded and full, longjmp, exceptions, exit in the middle, threads."""

import unittest

from support.end_to_end import EndToEnd
from support.programs import KINDS


class Paths(EndToEnd):

    def check(self, kind, name, recursion):
        out, run = self.measure(kind, 2, name, recursion=recursion)
        lines = [line.split() for line in out.splitlines() if line.startswith("path ")]
        lines = [line for line in lines if line[1] in ("both", recursion)]
        self.assertGreater(len(lines), 8, out)
        shown = {"/".join(c["path"]): c["visits"]
                 for c in self.show("run%d.andes" % self.number)["callpaths"]}
        for _, _, path, visits in lines:
            for rank in range(2):
                self.assertEqual(run.value("visits", path, rank), int(visits),
                                 "%s, rank %d: %s" % (recursion, rank, path))
            self.assertEqual(shown.get(path), 2 * int(visits), "andes show: " + path)
        return run

    def test_folded(self):
        for kind in KINDS:
            with self.subTest(kind=kind):
                run = self.check(kind, "paths", "folded")
                self.assertFalse([c for c in run.callpaths if "direct/direct" in run.path(c)])
                # Frames that longjmp left must not be parents of what came after.
                self.assertFalse([c for c in run.callpaths if "jump_inner/" in run.path(c)])

    def test_full(self):
        for kind in KINDS:
            with self.subTest(kind=kind):
                self.check(kind, "paths", "full")

    def test_exceptions(self):
        for kind in KINDS:
            with self.subTest(kind=kind):
                self.check(kind, "paths_throw", "folded")

    def test_threads(self):
        for kind in KINDS:
            with self.subTest(kind=kind):
                self.timed(self.check_threads, kind)

    def check_threads(self, kind):
        out, run = self.measure(kind, 2, "paths_threads", asleep=True)
        self.assertEqual(int(run.facts["threads"]), 4)
        lines = [line.split() for line in out.splitlines() if line.startswith("thread ")]
        self.assertEqual(len(lines), 3, out)
        for _, thread, path, visits, milliseconds in lines:
            for rank in range(2):
                self.assertEqual(run.value("visits", path, rank, int(thread)), int(visits))
                self.assert_near(run.value("inclusive_ns", path, rank, int(thread)),
                                 1e6 * int(milliseconds), 30e6, path)
                self.assertEqual(run.value("visits", path, rank, 0), 0)



if __name__ == "__main__":
    unittest.main()
