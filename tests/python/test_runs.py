"""andes.runs: its figures are those of andes show --json and andes report --json, on runs whose answer is known by hand
(tests/postproc/run_maker.h), kept as rows and as columns of values; and the example notebook runs."""

import ast
import contextlib
import io
import json
import os
import subprocess
import sys

from support.build import BUILD, SOURCE
from support.command_line import CommandTest, main

SYSTEM = "/usr/bin/python3"
PACKAGES = os.path.join(BUILD, "lib", "andes", "python")
sys.path.insert(0, PACKAGES)
from andes import runs  # noqa: E402  of the build tree

MAKE_RUNS = os.path.join(BUILD, "tests", "make_runs")
FIGURES = [figure for figure in runs.FIGURES if figure != "visits"]


class Runs(CommandTest):
    def setUp(self):
        super().setUp()
        os.mkdir(os.path.join(self.work, "runs"))
        waits = [{"cause": "late_broadcast", "path": 3, "wait_s": [0, 0.9, 0.9, 0.9], "peer_path": 2, "peer_rank": 0}]
        self.make(*({"file": "runs/p%d.%d.andes" % (ranks, repeat), "ranks": ranks, "scale": 1 + 0.01 * repeat}
                    for ranks in (1, 2) for repeat in range(3)),
                  {"file": "runs/p4.andes", "ranks": 4, "waits": waits},
                  {"file": "columns.andes", "ranks": 4, "waits": waits, "table_values": 0})

    def make(self, *specs):
        subprocess.run([MAKE_RUNS], cwd=self.work, input=json.dumps(specs), text=True, check=True)

    def run_of(self, file):
        return runs.Run(os.path.join(self.work, file))

    def shown(self, *words):
        return json.loads(self.succeeds(*words, "--json").stdout)

    def test_call_paths_are_those_of_json(self):
        for file in ("runs/p4.andes", "columns.andes", "runs/p1.0.andes"):
            run, document = self.run_of(file), self.shown("show", file)
            self.assertEqual((run.ranks, run.command), (document["run"]["ranks"], document["run"]["command"]))
            self.assertAlmostEqual(run.wall_s, document["run"]["wall_s"])
            self.assertEqual([(path.id, list(path.path), path.kind, path.file, path.line) for path in run.callpaths],
                             [(row["id"], row["path"], row["kind"], row.get("file", ""), row.get("line", 0))
                              for row in document["callpaths"]])
            for path, row in zip(run.callpaths, document["callpaths"]):
                self.assertEqual(path.visits, row["visits"])
                self.assertEqual(path.parent.id if path.parent else None, row.get("parent"))
                for figure in FIGURES:
                    if figure in row or getattr(path, figure) is not None:
                        self.assertAlmostEqual(getattr(path, figure), row[figure], msg=(file, str(path), figure))
            for location, row in zip(run.locations, document["ranks"]):
                for figure in ("wall_s", "compute_s", "communication_s", "idle_s", "tool_s"):
                    if getattr(location, figure) is not None:
                        self.assertAlmostEqual(getattr(location, figure), row[figure])

    def test_by_hand(self):
        """1 s of setup on rank 0, for which three ranks wait in MPI_Bcast, then 2.25 s of sweep each."""
        for file in ("runs/p4.andes", "columns.andes"):
            run = self.run_of(file)
            values = run.values("exclusive_ns")
            for names, seconds in ((("main", "setup"), [1, 0, 0, 0]), (("main", "MPI_Bcast"), [0, 1, 1, 1]),
                                   (("main", "work", "sweep"), [2.25] * 4)):
                path = run.callpath(*names)
                self.assertAlmostEqual(path.exclusive_s, sum(seconds))
                for value, expected in zip(values[path.id], seconds):
                    self.assertAlmostEqual(value * 1e-9, expected, delta=1e-6)
            self.assertAlmostEqual(run.callpath("main").idle_s, 2.7)
            self.assertAlmostEqual(run.wall_s, 3.25)
            self.assertEqual([str(path) for path in run.callpath("main").children], ["main > setup", "main > MPI_Bcast", "main > work"])
            (wait,) = run.waits
            self.assertEqual((wait.cause, wait.callpath, wait.peer_rank), ("late_broadcast", run.callpath("main", "MPI_Bcast").id, 0))
            self.assertAlmostEqual(wait.wait_s, 2.7)
            self.assertEqual(sorted(run.wait_pairs), [(1, 0), (2, 0), (3, 0)])
            self.assertAlmostEqual(run.wait_pairs[2, 0], 0.9)
            with self.assertRaises(KeyError):
                run.callpath("main", "nothing")

    def test_series_are_those_of_json(self):
        self.make({"file": "runs/failed.andes", "ranks": 4, "facts": {"exit_status": 1}},
                  {"file": "runs/other.andes", "ranks": 1, "program": {"name": "other"}})
        series, other = runs.read_series(os.path.join(self.work, "runs"))
        self.assertEqual((series.program, other.program), ("jacobi", "other"))
        document = self.shown("report", *(run.file for run in series.runs))
        self.assertEqual([(point.ranks, point.threads, len(point.runs)) for point in series.points],
                         [(1, 1, 3), (2, 1, 3), (4, 1, 1)])
        for point, row in zip(series.points, document["points"]):
            self.assertEqual(point.ranks, row["ranks"])
            self.assertAlmostEqual(point.time_s, row["time_s"]["median"])
            self.assertAlmostEqual(series.speedup(point), row["speedup"]["median"], delta=0.02 * series.speedup(point))

    def test_ranks_in_the_arguments_are_one_problem(self):
        self.make(*({"file": "runs/np%d.andes" % p, "ranks": p, "facts": {"swept_arguments": '["-np", "{p}"]'},
                     "program": {"name": "np", "arguments": json.dumps(["-np", str(p)])}} for p in (1, 2)))
        (series,) = [s for s in runs.read_series(os.path.join(self.work, "runs")) if s.program == "np"]
        self.assertEqual([point.ranks for point in series.points], [1, 2])

    def test_what_is_no_run(self):
        for name, text in (("empty.andes", ""), ("text.andes", "x" * 1000)):
            with self.assertRaisesRegex(runs.RunError, "not a run file"):
                runs.Run(self.write(name, text))
        with self.assertRaisesRegex(runs.RunError, "No such file"):
            self.run_of("nothing.andes")
        with open(os.path.join(self.work, "columns.andes"), "rb") as whole:
            with open(os.path.join(self.work, "cut.andes"), "wb") as cut:
                cut.write(whole.read(8192))
        with self.assertRaisesRegex(runs.RunError, "damaged"):
            self.run_of("cut.andes").callpaths

    def test_is_one_file_for_python_3_9(self):
        with open(runs.__file__, encoding="utf-8") as file:
            text = file.read()
        tree = ast.parse(text, feature_version=(3, 9))
        imported = {name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names}
        imported |= {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
        self.assertLessEqual({name.split(".")[0] for name in imported} - {"pandas"}, set(sys.stdlib_module_names))
        alone = os.path.join(self.work, "alone.py")
        with open(alone, "w", encoding="utf-8") as file:
            file.write(text)
        done = subprocess.run([sys.executable, "-I", "-c", "import sys; sys.path.insert(0, '.'); import alone; "
                               "print(alone.Run('runs/p4.andes').wall_s)"], cwd=self.work, capture_output=True, text=True)
        self.assertEqual(done.stdout, "3.25\n", done.stderr)

    def test_frames(self):
        """By a Python that has pandas."""
        script = ("import sys; sys.path.insert(0, %r)\nfrom andes import runs\nrun = runs.Run('runs/p4.andes')\nframe = run.frame()\n"
                  "print(frame.set_index('path').loc['main > work > sweep', 'exclusive_s'], len(frame))\n"
                  "values = run.values_frame('exclusive_ns')\n"
                  "print(values.loc[run.callpath('main', 'MPI_Bcast').id].tolist(), values.columns.names)\n"
                  "print(runs.read_series('runs')[0].frame().groupby('ranks')['time_s'].median().round(9).tolist())\n" % PACKAGES)
        python = next((one for one in (sys.executable, SYSTEM) if os.path.exists(one) and subprocess.run(
            [one, "-c", "import pandas"], capture_output=True, check=False).returncode == 0), None)
        if python is None:
            self.skipTest("no Python has pandas")
        done = subprocess.run([python, "-W", "ignore", "-c", script], cwd=self.work, capture_output=True, text=True, check=False)
        self.assertEqual(done.stdout.splitlines(), ["9.0 6", "[0.0, 1000000000.0, 1000000000.0, 1000000000.0] ['rank', 'thread']",
                                                    "[10.1, 5.555, 3.25]"], done.stderr)

    def test_notebook(self):
        path = os.path.join(SOURCE, "docs", "runs.ipynb")
        with open(path, encoding="utf-8") as file:
            notebook = json.load(file)
        if os.path.exists(SYSTEM) and subprocess.run([SYSTEM, "-c", "import nbformat"], capture_output=True).returncode == 0:
            check = subprocess.run([SYSTEM, "-c", "import nbformat, sys; nbformat.validate(nbformat.read(sys.argv[1], 4))", path],
                                   capture_output=True, text=True, check=False)
            self.assertEqual(check.returncode, 0, check.stderr)
        names, out = {}, io.StringIO()
        before = os.getcwd()
        os.chdir(self.work)
        self.addCleanup(os.chdir, before)
        with contextlib.redirect_stdout(out):
            for cell in notebook["cells"]:
                if cell["cell_type"] == "code":
                    exec(compile("".join(cell["source"]), "a cell", "exec"), names)  # noqa: S102
        lines = out.getvalue().splitlines()
        self.assertIn("     4 ranks     3.250 s   3.11 x", lines)
        self.assertIn(" 69.2 %  main > work > sweep", lines)
        self.assertIn("   2.700 s  late_broadcast in main > MPI_Bcast, for rank 0", lines)
        self.assertIn("3 0 2.250 s " + "#" * 40, lines)


if __name__ == "__main__":
    main()
