"""andes filter on made-up runs (tests/postproc/run_maker.h): four ranks, T = 3.25 s, so p x T = 13 s, main
over setup, MPI_Bcast and work, work over sweep. A timed pair of probes costs 20 ns, one that only counts
2 ns, so that every figure can be computed by hand."""

import json
import os
import subprocess
import unittest

from support.build import BUILD, PREPROCESS
from support.command_line import CommandTest, main

MAKE_RUNS = os.path.join(BUILD, "tests", "make_runs")
MAIN, SETUP, WORK, SWEEP = 1, 2, 4, 5


class Filter(CommandTest):
    def make(self, name="a.andes", hot=(), facts=None, ranks=4, **more):
        """`hot`: (path, visits, ns of one, sampled visits, timed ones, muted), all for each rank."""
        values = []
        for path, visits, visit_ns, sampled, timed, muted in hot:
            for metric, value in [("visits", visits), ("inclusive_ns", visits * visit_ns),
                                  ("sampled_visits", sampled), ("timed_visits", timed),
                                  ("muted", muted)]:
                values.append({"path": path, "metric": metric, "values": [value] * ranks})
        spec = {"file": name, "ranks": ranks, "values": values,
                "facts": {"probe_ns": 20.0, "sampled_probe_ns": 2.0, **(facts or {})}, **more}
        subprocess.run([MAKE_RUNS], cwd=self.work, input=json.dumps([spec]), text=True, check=True)

    def rules(self, *words, said=None):
        done = self.succeeds("filter", *words)
        if said is not None:
            self.assertEqual(done.stderr, "andes: %s\n" % said)
        return [line for line in done.stdout.splitlines() if line and not line.startswith("#")]

    def test_short_visits_are_left_out(self):
        # 4e6 visits x 20 ns = 80 ms of 13 s; each tells 5 ns.
        self.make(hot=[(SWEEP, 1000000, 5, 0, 0, 0)])
        self.assertEqual(self.rules("a.andes", said="filter: 1 function to leave out; the probes cost 0.62 % of "
                                                    "p x T"),
                         ["exclude sweep  # 4000000 visits of 5 ns, 0.62 %, jacobi.c:7"])

    def test_sampled_and_muted_ones_first(self):
        # Sampled: 40000 x 20 ns + 3960000 x 2 ns = 8.72 ms; muted: 400 x 20 ns.
        self.make(hot=[(SWEEP, 1000000, 5, 1000000, 10000, 0), (SETUP, 100, 5, 0, 0, 1), (WORK, 2000000, 10, 0, 0, 0)])
        self.assertEqual(self.rules("a.andes"),
                         ["exclude setup  # >=400 visits of 5 ns, muted, 0.00 %, jacobi.c:3",
                          "exclude sweep  # 4000000 visits of 5 ns, sampled, 0.07 %, jacobi.c:7",
                          "exclude work   # 8000000 visits of 10 ns, 1.23 %, jacobi.c:5"])

    def test_never_above_mpi(self):
        self.make(hot=[(MAIN, 1000000, 5, 1000000, 10000, 1)])
        self.assertEqual(self.rules("a.andes"), [])

    def test_what_tells_enough_or_costs_nothing_stays(self):
        # 100 ns told for 20 ns; and 1e4 visits in all cost 0.2 ms, 0.0015 %.
        self.make(hot=[(SWEEP, 1000000, 100, 0, 0, 0), (SETUP, 2500, 5, 0, 0, 0)])
        self.assertEqual(self.rules("a.andes", said="a.andes: nothing to leave out, as every probe is worth its cost"),
                         [])
        self.assertEqual(self.rules("a.andes", "--cost", "19"),
                         ["exclude sweep  # 4000000 visits of 100 ns, 0.62 %, jacobi.c:7"])
        self.assertEqual(self.rules("a.andes", "--cost", "21"), [])

    def test_several_runs(self):
        self.make("a.andes", hot=[(SWEEP, 1000000, 5, 0, 0, 0)])
        self.make("b.andes", hot=[(SETUP, 1000000, 5, 0, 0, 0), (SWEEP, 2000000, 5, 0, 0, 0)])
        self.assertEqual(self.rules("a.andes", "b.andes"),
                         ["exclude sweep  # 8000000 visits of 5 ns, 1.23 %, jacobi.c:7",
                          "exclude setup  # 4000000 visits of 5 ns, 0.62 %, jacobi.c:3"])

    def test_file(self):
        self.make(hot=[(SWEEP, 1000000, 5, 0, 0, 0)])
        done = self.succeeds("filter", "a.andes", "-o", "hot.sel")
        self.assertEqual((done.stdout, done.stderr), ("", "andes: hot.sel: 1 function to leave out; the probes "
                                                          "cost 0.62 % of p x T\n"))
        with open(os.path.join(self.work, "hot.sel"), encoding="utf-8") as file:
            text = file.read()
        self.assertEqual(text, self.succeeds("filter", "a.andes").stdout.replace("FILE", "hot.sel"))
        for part in ("a.andes (jacobi, 4 ranks)", "andes cc --select hot.sel", "20 ns for a pair of probes"):
            self.assertIn(part, text)
        self.assertEqual(sorted(os.listdir(self.work)), ["a.andes", "hot.sel"])

    @unittest.skipUnless(os.access(PREPROCESS, os.X_OK), "no preprocessor")
    def test_select_takes_it(self):
        self.write("a.c", "static int sweep(int n) { while (n > 9) n /= 2; return n; }\n"
                          "int main(int n, char** v) { return v[0] ? sweep(n) : 0; }\n")
        # Operations: 8 x 2 in sweep, whose length is unknown, 3 in main.
        table = ["function   line  decision", "sweep         1  left out: not selected; about 84 % of main",
                 "main          2  instrumented"]
        self.make(hot=[(SWEEP, 1000000, 5, 0, 0, 0)])
        self.succeeds("filter", "a.andes", "-o", "hot.sel")
        done = self.succeeds("instrument", "a.c", "--explain", "--select", "hot.sel")
        self.assertEqual(done.stdout.splitlines(), table)
        self.make("b.andes")
        self.succeeds("filter", "b.andes", "-o", "hot.sel")
        done = self.succeeds("instrument", "a.c", "--explain", "--select", "hot.sel")
        self.assertEqual(done.stdout.splitlines()[1], "sweep         1  instrumented")

    def test_code_without_names(self):
        self.make(hot=[(SWEEP, 1000000, 5, 0, 0, 0)], renamed={"sweep": "jacobi+0x12af"})
        self.assertEqual(self.rules("a.andes", said="a.andes: 1 function to leave out has no name for a selection; "
                                                    "build with -g, and do not strip"), [])
        self.assertIn("# There is nothing to leave out.\n", self.succeeds("filter", "a.andes").stdout)

    def test_bad_input(self):
        self.make("a.andes")
        self.make("b.andes", program={"hash": "00000000000000bb"})
        self.make("c.andes", facts={"probe_ns": None})
        self.refused("b.andes: comes from another build than a.andes; give runs of one build",
                     "filter", "a.andes", "b.andes")
        self.refused("c.andes: does not say what a probe costs; measure it again with this andes",
                     "filter", "c.andes")
        self.refused("none.andes: no such file or directory; name run files or directories of run files", "filter", "none.andes")
        self.refused("no/a.sel: cannot be written (No such file or directory); choose another place with -o",
                     "filter", "a.andes", "-o", "no/a.sel")
        self.refused("b.andes: cannot be written (it is a run file, and none is ever overwritten); choose another place "
                     "with -o", "filter", "a.andes", "-o", "b.andes")
        for cost in ("-3", "0", "much"):
            self.refused(f'filter: --cost: "{cost}" is no number above 0; andes filter --help lists the options',
                         "filter", "a.andes", "--cost", cost)


if __name__ == "__main__":
    main()
