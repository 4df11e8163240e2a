"""andes report and andes diff on made-up runs whose answers are computed by hand.

T(p) = 1 + 9/p seconds (tests/postproc/run_maker.h): serial fraction 0.1, largest speedup 10.
"""

import csv
import io
import json
import os
import shutil
import subprocess

import hostile_runs
from support.build import BUILD
from support.command_line import CommandTest, main

MAKE_RUNS = os.path.join(BUILD, "tests", "make_runs")
NOISE = [1, 1.004, 0.997, 1.002, 0.999, 1.006]
AFTER = {"serial_s": 0.5, "hash": "bb", "started": "2026-11-21T09:00:00Z"}


class ReportTest(CommandTest):
    def make(self, *specs):
        for spec in specs:
            os.makedirs(os.path.dirname(os.path.join(self.work, spec["file"])), exist_ok=True)
        subprocess.run([MAKE_RUNS], cwd=self.work, input=json.dumps(specs), text=True, check=True)

    def sweep(self, folder, ranks=(1, 2, 4, 8), repeats=6, **more):
        self.make(*({"file": "%s/p%d.%d.andes" % (folder, p, r + 1), "ranks": p,
                     "scale": NOISE[r], **more} for p in ranks for r in range(repeats)))

    def report(self, *words):
        return json.loads(self.succeeds("report", "--json", *words).stdout)

    def ids(self, report):
        return [w["id"] for w in report["warnings"]]


class Report(ReportTest):
    def test_known_answer(self):
        self.sweep("runs")
        report = self.report("runs")
        self.assertEqual(report["schema"], 1)
        self.assertEqual(report["base"]["ranks"], 1)
        self.assertAlmostEqual(report["base"]["time_s"], 10.01)  # median of the noise: 1.001
        points = {p["ranks"]: p for p in report["points"]}
        self.assertEqual(sorted(points), [1, 2, 4, 8])
        self.assertEqual(points[1]["speedup"], {"median": 1.0})
        self.assertNotIn("serial_fraction", points[1])
        for p in 2, 4, 8:
            self.assertEqual(points[p]["repeats"], 6)
            fraction = points[p]["serial_fraction"]
            self.assertAlmostEqual(fraction["median"], 0.1)
            self.assertEqual(fraction["kind"], "interval")
            self.assertLess(fraction["low"], 0.1)
            self.assertGreater(fraction["high"], 0.1)
        self.assertAlmostEqual(points[4]["speedup"]["median"], 10 / 3.25)
        self.assertAlmostEqual(points[4]["efficiency"]["median"], 2.5 / 3.25)
        self.assertAlmostEqual(points[4]["load_balance"], 2.5 / 3.25)
        self.assertAlmostEqual(points[4]["communication_percent"], 300 / 13)
        self.assertNotIn("idle_percent", points[4])
        self.assertEqual(report["trend"]["verdict"], "constant")
        self.assertAlmostEqual(report["limit_speedup"]["median"], 10)
        self.assertEqual([(p["ranks"], p["model"]) for p in report["projection"]],
                         [(16, "amdahl"), (32, "amdahl"), (64, "amdahl"), (128, "amdahl")])
        self.assertAlmostEqual(report["projection"][0]["speedup"]["median"], 6.4)
        self.assertEqual(report["routines"][0]["path"], ["main"])
        self.assertEqual(self.ids(report), ["not_linear"])
        self.assertNotIn("comparison", report)
        self.assertNotIn("sequential", report)

    def test_models_of_six_sizes(self):
        # p x T = 9 + p; in MPI_Bcast all ranks but one wait for one second.
        self.sweep("runs", ranks=(1, 2, 4, 8, 16, 32), repeats=6)
        models = self.report("runs")["models"]
        self.assertEqual(models["sizes"], 6)
        self.assertEqual(models["time"]["course"], "growing")
        self.assertEqual((models["time"]["exponent"], models["time"]["log_power"]), (1, 0))
        self.assertAlmostEqual(models["time"]["constant_s"], 9.009)
        self.assertAlmostEqual(models["usl"]["contention"], 0.1)
        self.assertAlmostEqual(models["usl"]["coherency"], 0)
        paths = {"/".join(p["path"]): p for p in models["callpaths"]}
        waiting = paths["main/MPI_Bcast"]
        self.assertEqual((waiting["course"], waiting["exponent"], waiting["log_power"]), ("growing", 1, 0))
        self.assertAlmostEqual(waiting["constant_s"], -1.001)
        self.assertEqual(paths["main/work/sweep"]["course"], "constant")
        self.assertAlmostEqual(models["isoefficiency"][0]["work"], 12.4)  # 4 x ((9 + 32) / 10 - 1)
        text = self.succeeds("report", "runs").stdout
        self.assertIn("main > MPI_Bcast", text[text.index("What grows"):text.index("\n3 Where")])
        self.assertIn("2 call paths are constant", text)
        tables = self.succeeds("report", "--csv", "runs").stdout.split("\n\n")
        self.assertIn("main/MPI_Bcast", [row["path"] for row in csv.DictReader(io.StringIO(tables[-1]))])

    def test_two_sizes_give_few_words(self):
        self.sweep("runs", ranks=(1, 2), repeats=1)
        models = self.report("runs")["models"]
        self.assertNotIn("time", models)
        self.assertNotIn("usl", models)
        self.assertEqual(models["forecast"], [])
        self.assertIn("2 sizes tell a speedup", self.succeeds("report", "runs").stdout)

    def test_text_has_the_four_steps_and_is_the_same_every_time(self):
        self.sweep("runs")
        self.sweep("after", program=AFTER)
        once = self.succeeds("report", "runs", "after").stdout
        again = self.succeeds("report", "after", "runs").stdout
        self.assertEqual(once, again)
        places = [once.index("\n%s\n" % title) for title in
                  ("1 Where are we?", "2 How far can it go?", "3 Where to put the effort?",
                   "4 Did it help?")]
        self.assertEqual(places, sorted(places))
        self.assertNotIn("\x1b", once)
        self.assertNotIn("\u2588", self.succeeds("report", "runs", LC_ALL="C").stdout)

    def test_the_first_screen_answers(self):
        """How fast, how far, what is lost to what, what to do first: in 24 lines of 80 characters."""
        self.sweep("runs")
        text = self.succeeds("report", "runs", COLUMNS="80", LC_ALL="C").stdout
        screen = text[:text.index("\n1 Where are we?\n")].splitlines()
        self.assertLessEqual(len(screen), 24)
        self.assertLessEqual(max(map(len, screen)), 80)
        screen = screen[screen.index("") + 1:]
        labels = [line.split()[0] for line in screen if not line.startswith(" ")]
        self.assertEqual(labels, ["Speed", "Limit", "Lost", "First", "Beware", "More"])
        self.assertEqual(screen[:4], ["Speed   1 rank     10.0 s   1.00 x   100 %  " + 24 * "#",
                                       "        2 ranks    5.51 s   1.82 x    91 %  " + 22 * "#",
                                       "        4 ranks    3.25 s   3.08 x    77 %  " + 18 * "#",
                                       "        8 ranks    2.13 s   4.71 x    59 %  " + 14 * "#"])
        self.assertEqual(screen[4], "Limit   never more than 10 x as fast as one rank; 16 ranks would reach 6.4 x")
        # 17 core-seconds at 8 ranks against 10 at one: the work is the same, seven ranks wait for 1 s.
        self.assertEqual(screen[6], "Lost    at 8 ranks 41 % of p x T: MPI: collective, one to all (41 %)")
        self.assertTrue(screen[7].startswith("First   Share the work evenly in main > setup: "), screen[7])
        self.assertGreater(len(self.succeeds("report", "--full", "runs").stdout), len(text))

    def test_a_limit_far_beyond_the_sizes_is_not_told(self):
        """Of T(p) = 0.01 + 9.99/p it is 1000, which four ranks tell nothing of."""
        self.sweep("runs", ranks=(1, 2, 4), program={"serial_s": 0.01, "parallel_s": 9.99})
        limit = self.report("runs")["answers"]["limit"]
        self.assertTrue(limit.startswith("none in sight of these sizes; 8 ranks would reach 7.9 x"), limit)

    def test_the_first_screen_says_for_whom_ranks_wait(self):
        for p in 1, 2, 4:
            waits = [{"cause": "late_broadcast", "path": 3, "wait_s": [0] + [1] * (p - 1), "peer_path": 3, "peer_rank": 0,
                      "origin_path": 3, "origin_rank": 0}]
            self.sweep("runs", ranks=(p,), repeats=2, waits=waits[:p - 1])
            for repeat in (1, 2) if p > 1 else ():
                hostile_runs.change(os.path.join(self.work, "runs/p%d.%d.andes" % (p, repeat)),
                                    "INSERT INTO origin VALUES (0, 3, 2, 1e9, %de9, %d, NULL)" % (p - 1, p - 1))
        text = self.succeeds("report", "runs", COLUMNS="80", LC_ALL="C").stdout
        screen = text[:text.index("\n1 Where are we?\n")].splitlines()
        self.assertLessEqual(len(screen), 24)
        self.assertLessEqual(max(map(len, screen)), 80)
        said = ("Title of late_broadcast in main > MPI_Bcast (jacobi.c:10), for rank 0, which alone computes in main > setup "
                "(jacobi.c:3): without this wait T would shrink by ")
        self.assertIn(said, " ".join(" ".join(screen).split()))
        self.assertIn(said, " ".join(self.succeeds("report", "--format", "markdown", "runs").stdout.split()))
        self.assertIn(said, self.report("runs")["answers"]["first"])

    def test_directories_and_files_are_the_same_runs(self):
        self.sweep("runs/a", repeats=2)
        files = [os.path.join("runs/a", name) for name in os.listdir(self.work + "/runs/a")]
        self.assertEqual(self.succeeds("report", "--json", "runs").stdout,
                         self.succeeds("report", "--json", "runs/a", *files).stdout)

    def test_csv(self):
        self.sweep("runs", repeats=1)
        points, routines = self.succeeds("report", "--csv", "runs").stdout.split("\n\n")
        rows = list(csv.DictReader(io.StringIO(points)))
        self.assertEqual([row["ranks"] for row in rows], ["1", "2", "4", "8"])
        self.assertAlmostEqual(float(rows[2]["serial_fraction"]), 0.1)
        self.assertEqual(rows[0]["serial_fraction"], "")
        rows = list(csv.DictReader(io.StringIO(routines)))
        self.assertIn("main/work/sweep", [row["path"] for row in rows])

    def test_changes(self):
        self.sweep("runs", repeats=1)
        asked = self.report("--if", "work x2", "--if", "balance setup", "runs")["what_if"]["asked"]
        self.assertEqual(asked["changes"], ["work x2", "balance setup"])
        self.assertIn("With the changes of --if:", self.succeeds("report", "--if", "work x2", "runs").stdout)
        self.refused("--if 'wrk x2': no call path ends with wrk; did you mean 'work'?", "report", "--if", "wrk x2", "runs")
        self.refused("--if 'work': it is no change of a routine; give 'NAME xK' with K above 1, 'balance NAME', "
                     "'parallel NAME' or 'no-wait NAME'", "report", "--if", "work", "runs")

    def test_oversubscribed_points_are_left_out_unless_asked_for(self):
        self.sweep("runs", ranks=(1, 2), repeats=1)
        self.sweep("runs", ranks=(4,), repeats=1, facts={"oversubscribed": 1})
        report = self.report("runs")
        self.assertEqual([p["oversubscribed"] for p in report["points"]], [False, False, True])
        self.assertNotIn("serial_fraction", report["points"][2])
        self.assertEqual(report["projection"][0]["ranks"], 4)
        self.assertIn("oversubscribed", self.ids(report))
        allowed = self.report("--oversubscribed-ok", "runs")
        self.assertAlmostEqual(allowed["points"][2]["serial_fraction"]["median"], 0.1)
        self.assertEqual(allowed["projection"][0]["ranks"], 8)

    def test_one_rank_is_told_as_one(self):
        self.sweep("runs", ranks=(1,), repeats=1, facts={"oversubscribed": 1})
        text = self.succeeds("report", "runs").stdout
        self.assertIn("more ranks x threads than usable cores at 1 rank: their times", " ".join(text.split()))

    def test_a_program_without_mpi_is_not_advised_to_use_mpirun(self):
        one_size = " ".join(self.one_rank("mpi", "Open MPI v4.1.4", threads=(1,)).split())
        self.assertIn("andes run --ranks 1,2,4,8 --repeat 6 -- mpirun -n {p} PROGRAM", one_size)
        one_size = " ".join(self.one_rank("one", None, threads=(1,)).split())
        self.assertNotIn("mpirun", one_size)
        self.assertIn("andes run --threads 1,2,4,8 --repeat 6 -- PROGRAM", one_size)
        self.assertIn("two usable splits", " ".join(self.one_rank("grid", "Open MPI v4.1.4", threads=(1, 2)).split()))
        self.assertNotIn("two usable splits", " ".join(self.one_rank("threads", None, threads=(1, 2)).split()))

    def one_rank(self, folder, mpi, threads):
        for t in threads:
            self.make({"file": "%s/t%d.andes" % (folder, t), "ranks": 1,
                       "facts": {"mpi_library": mpi, "threads_started": t}})
        return self.succeeds("report", folder).stdout

    def test_few_repeats_give_a_range(self):
        self.sweep("runs", repeats=3)
        report = self.report("runs")
        self.assertEqual(report["points"][1]["time_s"],
                         {"median": 5.5, "low": 5.4835, "high": 5.522, "kind": "range"})
        self.assertIn("too_few_repeats", self.ids(report))

    def test_sequential_base(self):
        self.sweep("runs", ranks=(1, 2), repeats=1)
        # The best sequential program: 8 s, no MPI, another program.
        self.make({"file": "best.andes", "ranks": 1,
                   "program": {"serial_s": 8, "parallel_s": 0, "name": "best", "hash": "cc"},
                   "facts": {"mpi_library": None}})
        report = self.report("--sequential", "best.andes", "runs")
        self.assertEqual(report["sequential"]["command"], "best 2048")
        self.assertEqual(report["base"], {"ranks": 1, "time_s": 8.0})
        self.assertAlmostEqual(report["points"][1]["speedup"]["median"], 8 / 5.5)
        self.assertAlmostEqual(report["points"][1]["relative_speedup"]["median"], 10 / 5.5)
        self.refused("runs/p2.1.andes: it has 2 ranks, a sequential run has one; give --sequential "
                     "a run of one rank", "report", "--sequential", "runs/p2.1.andes", "runs")

    def test_failed_and_incomplete_runs_are_left_out_with_a_warning(self):
        self.sweep("runs", ranks=(1, 2), repeats=1)
        self.make({"file": "runs/failed.andes", "ranks": 4, "facts": {"exit_status": 1}},
                  {"file": "runs/half.andes", "ranks": 4, "facts": {"ranks_started": 8}})
        report = self.report("runs")
        self.assertEqual([p["ranks"] for p in report["points"]], [1, 2])
        self.assertEqual({r["file"]: r.get("why_not") for r in report["runs"]},
                         {"runs/p1.1.andes": None, "runs/p2.1.andes": None,
                          "runs/failed.andes": "failed with exit status 1",
                          "runs/half.andes": "incomplete: 4 of 8 ranks reported"})
        self.assertIn("failed_run", self.ids(report))
        self.assertIn("incomplete_run", self.ids(report))
        alone = self.report("runs/failed.andes")
        self.assertEqual(alone["unfinished"], "failed with exit status 1")
        self.assertNotIn("base", alone)
        self.assertNotIn("speedup", alone["points"][0])
        self.assertEqual(alone["rank_table"]["ranks"], 4)
        text = self.succeeds("report", "runs/failed.andes").stdout
        self.assertIn("! runs/failed.andes failed with exit status 1\n", text)
        self.assertIn("none of 1 run finished", text)

    def test_files_that_are_no_runs_are_skipped_with_one_line_each(self):
        self.sweep("runs", ranks=(1, 2), repeats=1)
        self.write("notes.txt", "nothing\n")
        done = self.succeeds("report", "notes.txt", "runs")
        self.assertEqual(done.stderr, "andes: notes.txt: not a run file; skipped\n")
        self.assertIn("2 of 2 runs used", done.stdout)

    def test_several_bad_files_and_nothing_else(self):
        self.write("a.txt", "nothing\n")
        self.write("b.txt", "nothing\n")
        done = self.andes("report", "a.txt", "b.txt")
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stdout, "")
        self.assertEqual(done.stderr.splitlines()[-1],
                         "andes: a.txt: not a usable run, nor is any other of the 2 files; andes "
                         "run writes run files, named *.andes")

    def test_intrusion_stands_in_the_full_report(self):
        self.sweep("runs", ranks=(1, 2), repeats=1,
                   facts={"overhead_percent": 0.8, "overhead_low": 0.3, "overhead_high": 1.4})
        self.assertIn("Intrusion of the measurement: 0.8 % [0.3, 1.4] at 1 rank",
                      self.succeeds("report", "--full", "runs").stdout)
        self.assertEqual(self.report("runs")["overhead"][0]["percent"],
                         {"median": 0.8, "low": 0.3, "high": 1.4, "kind": "interval"})


class BadRuns(ReportTest):
    def test_no_runs(self):
        os.mkdir(os.path.join(self.work, "empty"))
        self.refused("empty: it contains no run files (*.andes); andes run writes them",
                     "report", "empty")
        self.refused("none: no such file or directory; name run files or directories of run files",
                     "report", "none")

    def test_one_run_of_a_directory(self):
        os.mkdir(os.path.join(self.work, "empty"))
        self.refused("empty: it contains no run files (*.andes); andes run writes them", "show", "empty")
        self.make({"file": "runs/b.andes", "ranks": 1}, {"file": "runs/a.andes", "ranks": 1})
        self.refused("runs: it is a directory; name a run file in it, like runs/a.andes", "show", "runs")

    def test_not_a_run(self):
        self.write("notes.txt", "nothing\n")
        message = "notes.txt: not a run file; andes run writes run files, named *.andes"
        self.refused(message, "report", "notes.txt")
        self.refused(message, "show", "notes.txt")
        self.refused(message, "diff", "notes.txt", "notes.txt")

    def test_truncated(self):
        self.make({"file": "runs/a.andes", "ranks": 1})
        path = os.path.join(self.work, "runs", "a.andes")
        size = os.path.getsize(path)
        os.truncate(path, 5000)
        message = ("runs/a.andes: truncated, 5000 of %d bytes are there; copy it again, or run the "
                   "program again" % size)
        self.refused(message, "report", "runs")
        self.refused(message, "show", "runs/a.andes")

    def test_newer_format(self):
        self.make({"file": "runs/a.andes", "ranks": 1})
        with open(os.path.join(self.work, "runs", "a.andes"), "r+b") as file:
            file.seek(60)
            file.write((4).to_bytes(4, "big"))
        message = ("runs/a.andes: written by format 4, this andes reads up to 3; install a newer "
                   "andes")
        self.refused(message, "report", "runs")
        self.refused(message, "show", "runs/a.andes")

    def test_mixtures_are_refused_unless_forced(self):
        self.make({"file": "a.andes", "ranks": 1},
                  {"file": "b.andes", "ranks": 2, "program": {"name": "lu", "arguments": "[]"}})
        message = ("b.andes: ran 'lu', but a.andes ran 'jacobi 2048'; give runs of one program with "
                   "the same arguments, or mix them with --force")
        self.refused(message, "diff", "a.andes", "b.andes")
        self.assertIn("mixed_programs", self.ids(self.report("--force", "a.andes", "b.andes")))

    def test_missing_and_unknown_words(self):
        for words in (("report",), ("show",), ("diff", "a"), ("report", "--nosuch", "a"),
                      ("report", "--json", "--csv", "a"), ("report", "--format", "json", "--csv", "a"),
                      ("diff", "--format", "a", "b"), ("show", "--cut", "many", "a")):
            done = self.andes(*words)
            self.assertEqual(done.returncode, 2, words)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
            self.assertTrue(done.stderr.startswith("andes: " + words[0]), done.stderr)


class SeveralSeries(ReportTest):
    """Axes of --vary, and several programs in one directory. T(p) = serial + parallel / p."""

    def axis(self, value, parallel_s, ranks=(1, 2, 4), **facts):
        for p in ranks:
            program = {"serial_s": 0, "parallel_s": parallel_s(p), "arguments": json.dumps([str(value(p))])}
            facts = dict(facts, axes=json.dumps(["N=%s" % value(p)]))
            self.make({"file": "runs/lu-001/N=%s.p%d.andes" % (value(p), p), "ranks": p, "program": program,
                       "facts": facts})

    def test_an_axis(self):
        for n in (1000, 2000, 500):
            self.axis(lambda p, n=n: n, lambda p, n=n: 8 * (n / 1000) ** 3)
        report = self.report()
        self.assertEqual([s["axes"] for s in report["overview"]], [{"N": "500"}, {"N": "1000"}, {"N": "2000"}])
        self.assertEqual([s["points"][-1]["speedup"]["median"] for s in report["series"]], [4, 4, 4])
        tables = {t["ranks"]: t for t in report["axis_tables"]}
        self.assertEqual(sorted(tables), [1, 2, 4])
        self.assertEqual([p["value"] for p in tables[4]["points"]], ["500", "1000", "2000"])
        self.assertEqual([p["time_s"]["median"] for p in tables[4]["points"]], [0.25, 2, 16])
        self.assertAlmostEqual(tables[4]["points"][1]["exponent"], 3)
        self.assertNotIn("exponent", tables[4]["points"][0])
        text = self.succeeds("report").stdout
        self.assertIn("Overview of 3 series", text)
        self.assertIn("T over N: jacobi, 4 ranks", text)
        self.assertIn("Series 2 of 3: N = 1000", text)
        self.assertEqual(self.report("runs/lu-001/N=500.p1.andes")["axes"], {"N": "500"})
        rows = list(csv.DictReader(io.StringIO(self.succeeds("report", "--csv").stdout.split("\n\n")[0])))
        self.assertEqual([row["axes"] for row in rows], ["N = 500", "N = 1000", "N = 2000"])

    def test_models_over_an_axis(self):
        for n in (500, 1000, 2000, 4000):
            for p in (1, 4):
                program = {"serial_s": 1, "parallel_s": 8 * (n / 1000) ** 3, "arguments": json.dumps([str(n)])}
                self.make({"file": "runs/lu-001/N=%d.p%d.andes" % (n, p), "ranks": p, "program": program,
                           "facts": {"axes": json.dumps(["N=%d" % n])}})
        tables = {t["ranks"]: t for t in self.report()["axis_tables"]}
        models = tables[4]["models"]
        self.assertEqual((models["values"], models["projected_value"]), (4, 16000))
        self.assertEqual((models["time"]["exponent"], models["time"]["log_power"]), (3, 0))
        sweep = next(path for path in models["callpaths"] if path["path"][-1] == "sweep")
        self.assertEqual((sweep["course"], sweep["exponent"]), ("growing", 3))
        self.assertIn("8e-09 N^3", sweep["formula"])
        efficient = tables[4]["efficient"]
        self.assertEqual((efficient["efficiency"], efficient["more_than"], efficient["at_most"]), (0.8, 1000, 2000))
        self.assertTrue(1000 < efficient["value"] < 2000)
        self.assertNotIn("efficient", tables[1])
        text = self.succeeds("report").stdout
        self.assertIn("T = 1 + 2e-09 N^3 seconds", text)
        self.assertIn("80 % efficiency at 4 ranks: from about N = 1200 on (between 1000 and 2000).", text)
        self.assertIn("What grows with N", text)

    def weak(self, report):
        """T is 8 s at every size but the largest, where it is 10 s."""
        points = {p["ranks"]: p for p in report["points"]}
        self.assertTrue(report["weak"])
        self.assertEqual([points[p]["speedup"]["median"] for p in (1, 2, 4)], [1, 2, 3.2])
        self.assertEqual([points[p]["efficiency"]["median"] for p in (1, 2, 4)], [1, 1, 0.8])
        self.assertNotIn("serial_fraction", points[4])
        self.assertEqual(report["projection"], [])
        self.assertNotIn("limit_speedup", report)
        self.assertNotIn("computation_grows", self.ids(report))
        lost = {size["ranks"]: size["lost_s"] for size in report["ledger"]}
        self.assertAlmostEqual(lost[2], 0)
        self.assertAlmostEqual(lost[4], 4 * 10 - 4 * 8)
        self.assertIn("at 4 ranks 20 % of p x T: more computation (20 %)", report["answers"]["lost"])
        self.assertEqual(report["serial_routines"], {"why_not": "the problem grows with the ranks"})  # as would all of them
        for candidate in report["what_if"]["candidates"]:  # scaled, too
            size = candidate["sizes"][0]
            self.assertAlmostEqual(size["speedup"]["low"], 4 * 8 / size["time_s"]["high"])

    def test_a_weak_sweep(self):
        self.axis(lambda p: 100 * p, lambda p: 8 * p if p < 4 else 40, weak="N=100", weak_arguments='["{N}"]')
        report = self.report("runs")
        self.weak(report)
        self.assertEqual((report["weak_axis"], report["axes"]), ("N", {"N": "100"}))
        self.assertIn("N = 100 at the smallest number of ranks", self.succeeds("report").stdout)

    def test_ranks_in_the_arguments_are_one_problem(self):
        for p in (1, 2, 4):
            self.make({"file": "runs/p%d.andes" % p, "ranks": p, "facts": {"swept_arguments": '["-np", "{p}"]'},
                       "program": {"serial_s": 0, "parallel_s": 8, "arguments": json.dumps(["-np", str(p)])}})
        report = self.report("runs")
        self.assertEqual([point["speedup"]["median"] for point in report["points"]], [1, 2, 4])
        self.assertEqual(report["command"], "jacobi -np {p}")
        (warning,) = [w for w in report["warnings"] if w["id"] == "size_in_arguments"]
        self.assertIn("the number of ranks is in the program's arguments (jacobi -np {p}): taken as one problem at all sizes; "
                      "if it grows with the ranks, use andes report --weak", warning["text"])
        report = self.report("--weak", "runs")
        self.assertTrue(report["weak"])
        self.assertNotIn("size_in_arguments", self.ids(report))

    def test_a_program_for_each_number_of_ranks_is_one(self):
        def make(folder, day, builds, **facts):
            for p in (1, 2, 4):
                self.make({"file": "%s/%s.p%d.andes" % (folder, day, p), "ranks": p, "facts": facts,
                           "program": {"serial_s": 0, "parallel_s": 8, "name": "lu.W.%d" % p, "hash": "%015d%d" % (builds, p),
                                       "started": "2026-11-%sT12:00:00Z" % day}})
        make("runs", "20", 1, swept_program="lu.W.{p}")
        report = self.report("runs")
        self.assertEqual(report["command"], "lu.W.{p} 2048")
        self.assertEqual([point["speedup"]["median"] for point in report["points"]], [1, 2, 4])
        make("runs", "21", 2, swept_program="lu.W.{p}")  # built anew: the newest of each size are one build
        text = self.succeeds("report", "runs").stdout
        self.assertIn("3 of 6 runs used", text)
        self.assertIn("before: build 0000000000000011", text)
        make("alone", "20", 1)  # started one by one
        said = " ".join(self.succeeds("report", "alone").stdout.split())
        self.assertIn("Overview of 3 series", said)
        self.assertIn("are one series if one command runs them: andes run --ranks 1,2,4 --repeat 6 -- mpirun -n {p} lu.W.{p}", said)

    def test_ranks_in_the_name_of_an_output_file_are_no_size(self):
        for number, (arguments, is_size) in enumerate((
                (["100", "out-{p}.txt"], False), (["-o", "run/{p}.txt"], False), (["--log={p}.txt"], False), (["--Results", "{p}.h5"], False),
                (["results/mesh-{p}.dat"], True), (["--log", "{p}"], True), (["--no-output", "100x{p}"], True), (["mesh-{p}.dat"], True), (["-o", "a", "{p}"], True), (["--log=a", "{p}"], True), (["-N{p}"], True))):
            with self.subTest(arguments=arguments):
                folder = "output%d" % number
                for p in (1, 2):
                    typed = [word.replace("{p}", str(p)) for word in arguments]
                    self.make({"file": "%s/p%d.andes" % (folder, p), "ranks": p, "facts": {"swept_arguments": json.dumps(arguments)},
                               "program": {"arguments": json.dumps(typed)}})
                report = self.report(folder)
                self.assertEqual(len(report["points"]), 2)
                self.assertEqual("size_in_arguments" in self.ids(report), is_size)

    def test_threads_in_the_arguments_are_one_problem(self):
        for t in (1, 2, 4):
            self.make({"file": "runs/t%d.andes" % t, "ranks": 2,
                       "facts": {"swept_arguments": '["-t", "{t}"]', "threads_started": t},
                       "program": {"serial_s": 0, "parallel_s": 8, "arguments": json.dumps(["-t", str(t)])}})
        (warning,) = [w for w in self.report("runs")["warnings"] if w["id"] == "size_in_arguments"]
        self.assertIn("the number of threads is in the program's arguments (jacobi -t {t})", warning["text"])
        self.assertNotIn("--weak", warning["text"])

    def test_runs_that_were_not_started_as_a_weak_sweep(self):
        for p in (1, 2, 4):
            self.make({"file": "runs/p%d.andes" % p, "ranks": p,
                       "program": {"serial_s": 0, "parallel_s": 8 * p if p < 4 else 40,
                                   "arguments": json.dumps([str(100 * p)])}})
        self.assertEqual(len(self.report("runs")["series"]), 3)
        self.weak(self.report("--weak", "runs"))
        self.make({"file": "runs/q.andes", "ranks": 4, "program": {"arguments": '["77"]'}})
        self.refused("runs/q.andes: ran 'jacobi 77', but runs/p4.andes ran 'jacobi 400' on 4 ranks, too, and a weak "
                     "sweep has one problem for each number of ranks; name the runs of one weak sweep",
                     "report", "--weak", "runs")

    def test_several_programs(self):
        self.sweep("runs/jacobi-001")
        self.sweep("runs/lu-001", program={"name": "lu", "arguments": "[]"})
        report = self.report("runs")
        self.assertEqual([(s["program"], s["runs"], s["ranks"]) for s in report["overview"]],
                         [("jacobi", 24, 8), ("lu", 24, 8)])
        self.assertEqual(report["axis_tables"], [])
        self.assertEqual([s["command"] for s in report["series"]], ["jacobi 2048", "lu"])
        self.assertEqual(report["series"][1], self.report("runs/lu-001"))
        self.assertEqual(self.succeeds("report", "--csv").stdout.count("\n\n"), 4)

    def test_no_runs(self):
        self.refused("report: no runs are named, and there is no directory runs here; name run files or directories of "
                     "them; andes run makes them", "report")


class Diff(ReportTest):
    def setUp(self):
        super().setUp()
        self.sweep("before")
        self.sweep("after", program=AFTER)

    def test_known_change(self):
        diff = json.loads(self.succeeds("diff", "--json", "before", "after").stdout)
        self.assertEqual(diff["schema"], 1)
        self.assertEqual(diff["before"]["build"], "00000000000000aa")
        self.assertEqual(len(diff["after"]["files"]), 24)
        point = diff["points"][2]
        self.assertEqual(point["ranks"], 4)
        self.assertAlmostEqual(point["change_percent"]["median"], 100 * (2.75 / 3.25 - 1))
        self.assertEqual(point["change_percent"]["kind"], "interval")
        self.assertEqual(point["verdict"], "faster")
        self.assertAlmostEqual(point["serial_fraction_before"]["median"], 0.1)
        self.assertAlmostEqual(point["serial_fraction_after"]["median"], 0.5 / 9.5)
        self.assertEqual([c["path"][-1] for c in diff["callpaths"]][0], "MPI_Bcast")
        self.assertEqual(diff["callpaths"][0]["ranks"], 8)
        # 7 of 8 ranks wait 1 s, then 0.5 s; times 1.001 for the noise.
        self.assertAlmostEqual(diff["callpaths"][0]["change_s"]["median"], -0.4375 * 1.001)
        size = {s["ranks"]: s for s in diff["sizes"]}[8]
        self.assertEqual((size["verdict"], size["terms"][0]["term"]), ("faster", "communication_source"))
        self.assertEqual([c["verdict"] for c in size["callpaths"]], ["faster", "faster", "equal"])
        self.assertEqual(diff["identity"], {"callpaths": 6, "matched": 6, "unlike": []})
        screen = self.succeeds("diff", "before", "after").stdout
        self.assertTrue(screen.startswith("Faster at 8 ranks: T "), screen)
        self.assertLessEqual(len(screen.splitlines()), 20)
        full = self.succeeds("diff", "--full", "before", "after").stdout
        self.assertTrue(full.startswith(screen))
        step = full[full.index("4 Did it help?"):]
        self.assertIn(step.strip(), self.succeeds("report", "before", "after").stdout)

    def test_labels_and_commits(self):
        for label, commit, hash in (("early", "1a2b3c4d5e6f", "aa"), ("late", "9f8e7d6c5b4a", "bb")):
            self.make({"file": "runs/jacobi-1-%s/p4.andes" % label, "ranks": 4, "program": {"hash": hash},
                       "facts": {"label": label, "commit": commit}})
        by_label = json.loads(self.succeeds("diff", "--json", "early", "late").stdout)
        self.assertEqual([by_label[side]["files"] for side in ("before", "after")],
                         [["runs/jacobi-1-early/p4.andes"], ["runs/jacobi-1-late/p4.andes"]])
        self.assertEqual(by_label, json.loads(self.succeeds("diff", "--json", "1a2b3c4", "9f8e7d6").stdout))

    def test_the_report_compares_with_the_build_before(self):
        report = self.report("before", "after")
        self.assertEqual(report["build"], "bb")
        self.assertEqual(report["comparison"]["points"][2]["verdict"], "faster")
        self.assertEqual([r["used"] for r in report["runs"]], [True] * 24 + [False] * 24)

    def test_no_change_is_undecided(self):
        shutil.copytree(os.path.join(self.work, "before"), os.path.join(self.work, "same"))
        diff = json.loads(self.succeeds("diff", "--json", "before", "same").stdout)
        self.assertEqual({p["verdict"] for p in diff["points"]}, {"undecided"})
        self.assertEqual(diff["callpaths"], [])

    def test_change_within_the_errors_of_estimates(self):
        def squares(seconds):
            return [(seconds * 1e9) ** 2] * 4

        def runs(folder, sweep_s, **program):
            columns = {"exclusive_ns": [sweep_s * 1e9] * 4, "sampled_visits": [900] * 4,
                       "timed_visits": [90] * 4, "below_ns2": squares(0.2),
                       "above_ns2": squares(0.2)}
            self.make({"file": folder + "/p4.1.andes", "ranks": 4, "program": program, "values": [
                {"path": 5, "metric": m, "values": v} for m, v in columns.items()]})

        # The mean of four ranks is known to 0.2 / 2 s, a difference of two to 0.1 * sqrt(2) s.
        runs("old", 2)
        runs("same", 2.14, hash="bb", started="2026-11-21T09:00:00Z")
        runs("other", 2.15, hash="cc", started="2026-11-21T10:00:00Z")
        same = json.loads(self.succeeds("diff", "--json", "old", "same").stdout)
        self.assertEqual(same["callpaths"], [])
        self.assertEqual(same["callpaths_within_errors"], 1)
        text = self.succeeds("diff", "--full", "old", "same").stdout
        self.assertIn("Not listed: 1 call path with estimated times, which changes by less than its "
                      "error.", " ".join(text.split()))
        other = json.loads(self.succeeds("diff", "--json", "old", "other").stdout)
        self.assertNotIn("callpaths_within_errors", other)
        (path,) = other["callpaths"]
        self.assertEqual((path["path"][-1], path["estimated"], path["reliable"]),
                         ("sweep", True, True))
        self.assertAlmostEqual(path["change_s"]["low"], 0.15 - 0.1 * 2 ** 0.5)
        self.assertAlmostEqual(path["exclusive_before_s"]["high"], 2.1)
        self.assertEqual(path["change_s"]["kind"], "range")  # single runs
        self.assertIn("~+0.150", self.succeeds("diff", "--full", "old", "other").stdout)

    def test_nothing_in_common(self):
        self.make({"file": "other/p16.1.andes", "ranks": 16})
        self.refused("other: no number of ranks in common with before; run both at the same numbers "
                     "of ranks", "diff", "before", "other")


if __name__ == "__main__":
    main()
