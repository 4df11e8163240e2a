"""Teams of OpenMP under `andes run`, programs without probes (one has them): times of every thread by hand, counts
exactly, conservation for every location, results as without the monitor. OPENMP_RUNTIME: gomp or omp."""

import os
import unittest

from support.build import ANDES, BUILD, SOURCE, given
from support.commands import before_others, command
from support.end_to_end import EndToEnd
from support.programs import KINDS_WITH_COMPILER, NO_KINDS, launcher
from support.run_file import RunFile

RUNTIME = given("OPENMP_RUNTIME")
PROGRAMS = os.path.join(BUILD, "tests", "openmp")
MS = 1e6
TOLERANCE_MS = 9


def program(name):
    return os.path.join(PROGRAMS, "%s.%s" % (name, RUNTIME))


class OpenMp(EndToEnd):
    def run_program(self, *args, check=0, asleep=True, **env):
        """`asleep`: no thread spins, so they can have their cores before all others."""
        self.number += 1
        out = os.path.join(self.folder, "run%d.andes" % self.number)
        env.setdefault("KMP_AFFINITY", "disabled")  # libomp visits each core once, waiting for busy ones
        if asleep:
            env["OMP_WAIT_POLICY"] = "passive"
        done = command([ANDES, "run", "-o", out, "--", *args], check=check, cwd=self.folder,
                       at_start=before_others if asleep else None, **env)
        return done.stdout, RunFile(out)

    def assert_conserved(self, run):
        for l in run.locations.values():
            parts = l["compute_ns"] + l["communication_ns"] + l["idle_ns"] + l["tool_ns"]
            self.assertLessEqual(abs(parts - l["wall_ns"]), 2, l)
            self.assertLessEqual(l["apart_ns"], l["team_idle_ns"] + 1)
            self.assertLessEqual(l["team_idle_ns"], l["idle_ns"] + 1)
        for (path, metric), values in run.values.items():
            if metric == run.metrics["exclusive_ns"]:
                self.assertGreaterEqual(min(values.values()), 0, run.path(path))
        exclusive = run.metrics["exclusive_ns"]
        for i, l in run.locations.items():
            whole = sum(v.get(i, 0) for (_, metric), v in run.values.items() if metric == exclusive)
            self.assertLessEqual(abs(whole - l["wall_ns"]), 10 + 1e-6 * l["wall_ns"])

    def columns(self, run, name):
        return sorted((l[name] or 0) / MS for l in run.locations.values())

    def assert_times(self, run, name, expected):
        self.assertEqual(len(run.locations), len(expected))
        for value, want in zip(self.columns(run, name), sorted(expected)):
            self.assert_near(value, want, TOLERANCE_MS, "%s of %s" % (name, self.columns(run, name)))

    def visits(self, run, region):
        ids = [c for c in run.callpaths if run.name(c) == region]
        return sum(sum(run.values.get((c, run.metrics["visits"]), {}).values()) for c in ids)

    def total_ms(self, run, region):
        metric = run.metrics["inclusive_ns"]
        ids = [c for c in run.callpaths if run.name(c) == region]
        return sum(sum(run.values.get((c, metric), {}).values()) for c in ids) / MS

    def imbalance(self):
        _, run = self.run_program(program("teams"), "imbalance", "3")
        self.assertEqual(run.facts["openmp"], "lib" + RUNTIME)
        self.assert_conserved(run)
        # Of 120 ms each region takes 90: 20 (t + 1) and 10 (3 - t) of work, 30 alone.
        self.assert_times(run, "compute_ns", [3 * (50 + 30), 3 * 60, 3 * 70])
        self.assert_times(run, "team_idle_ns", [3 * 40, 3 * (30 + 30), 3 * (20 + 30)])
        self.assert_times(run, "parallel_ns", [270, 270, 270])
        self.assert_times(run, "apart_ns", [0, 90, 90])
        self.assertEqual(self.visits(run, "(barrier)"), 9)
        self.assertEqual(self.visits(run, "(implicit barrier)"), 9)
        self.assertEqual(self.visits(run, "(between parallel regions)"), 6)
        self.assert_near(self.total_ms(run, "(barrier)"), 3 * (40 + 20), 2 * TOLERANCE_MS, "explicit barriers")
        self.assert_near(self.total_ms(run, "(implicit barrier)"), 3 * (10 + 20), 2 * TOLERANCE_MS, "implicit ones")

    def test_bound_threads(self):
        """Each thread of the team is bound to a core of its own, the main one, too: the process may use them all."""
        cores = min(2, len(os.sched_getaffinity(0)))
        _, run = self.run_program(program("teams"), "imbalance", "3", OMP_NUM_THREADS=str(cores), OMP_PROC_BIND="true")
        self.assertGreaterEqual(run.facts["usable_cores"], cores)

    def test_imbalance(self):
        self.timed(self.imbalance)

    def critical(self):
        _, run = self.run_program(program("teams"), "critical")
        self.assert_conserved(run)
        self.assert_times(run, "compute_ns", [20, 20, 20])
        self.assert_near(self.total_ms(run, "(wait for critical)"), 20 + 40, TOLERANCE_MS, "waits to enter")
        self.assert_near(self.total_ms(run, "(implicit barrier)"), 20 + 40, TOLERANCE_MS, "waits for the team")

    def test_critical(self):
        self.timed(self.critical)

    def nested(self):
        _, run = self.run_program(program("teams"), "nested")
        self.assert_conserved(run)
        self.assert_times(run, "compute_ns", [20, 20, 40, 40])
        paths = {run.path(c) for c in run.callpaths if run.kind(c) == "parallel"}
        self.assertEqual(len(paths), 2, paths)
        outer, inner = sorted(paths, key=len)
        self.assertEqual(inner.rpartition("/")[0], outer)
        self.assertNotIn("__kmp", inner)
        inner_visits = [self.value_of(run, "visits", inner, i) for i in run.locations]
        self.assertEqual(inner_visits, [1, 1, 1, 1])

    def value_of(self, run, metric, path, location):
        return sum(run.values.get((c, run.metrics[metric]), {}).get(location, 0)
                   for c in run.callpaths if run.path(c) == path)

    def test_nested(self):
        self.timed(self.nested)

    def shrinking(self):
        _, run = self.run_program(program("teams"), "shrinking")
        self.assert_conserved(run)
        self.assert_times(run, "compute_ns", [20 + 40, 20, 20])
        regions = [c for c in run.callpaths if run.kind(c) == "parallel"]
        visits = sum(sum(run.values[(c, run.metrics["visits"])].values()) for c in regions)
        self.assertEqual(visits, 3 + 200 * 2 + 3)

    def test_shrinking(self):
        self.timed(self.shrinking)

    def tasks(self, name):
        """What is worked in tasks is no waiting, wherever they run; the run, and visits by name of tasks."""
        _, run = self.run_program(program(name), "tasks")
        self.assert_conserved(run)
        self.assert_near(sum(self.columns(run, "compute_ns")), 4 * 20 + 60 + 20 + 4 * 10, 3 * TOLERANCE_MS, "worked")
        visits = {}
        for c in run.callpaths:
            if run.kind(c) == "task":
                region = run.regions[run.callpaths[c]["region"]]
                name = "%s:%s" % (region["name"], region["line"])
                visits[name] = visits.get(name, 0) + sum(run.values[(c, run.metrics["visits"])].values())
        return visits

    TASKS = "omp task\n", "omp task untied", "omp task\n      until(now() + 0.020);\n      until"

    def line_of(self, text, function="static void tasks"):
        """Of its first place in a function of teams.c."""
        with open(os.path.join(SOURCE, "tests", "openmp", "teams.c")) as source:
            before, whole = source.read().split(function)
        return (before + whole.split(text)[0]).count("\n") + 1

    def without_probes(self):
        visits = self.tasks("teams")
        made, untied, inner = (self.line_of(text) for text in self.TASKS)
        self.assertEqual(visits.pop("task of tasks:%d" % made), 4)
        untied = visits.pop("task of tasks:%d" % untied)
        if RUNTIME == "gomp":
            self.assertEqual(untied, 1)
            self.assertEqual(len(visits), 2)  # of the inner one's code debug information may tell no line
        else:
            self.assertIn(untied, (2, 3, 4))  # a visit for each of its parts
            self.assertEqual(visits.pop("task of task:%d" % inner), 1)
            self.assertEqual(visits.pop("task of taskloop:None"), 4)
            self.assertFalse(visits)

    def test_tasks(self):
        self.timed(self.without_probes)

    def with_probes(self):
        """A task that its own probe opens is one visit of that; the others are seen all the same."""
        visits = self.tasks("probed")
        self.assertEqual(visits.pop("task:%d" % self.line_of(self.TASKS[0])), 4)
        self.assertEqual(len(visits), 3, visits)
        self.assertTrue(all(name.startswith("task of ") for name in visits), visits)

    def test_tasks_with_probes(self):
        if not os.path.exists(program("probed")):
            self.skipTest("no preprocessor")
        self.timed(self.with_probes)

    def test_names_of_regions(self):
        """Regions of one function are told apart, by their lines."""
        _, run = self.run_program(program("teams"), "imbalance", "1")
        lines = [run.regions[run.callpaths[c]["region"]]["line"] for c in run.callpaths if run.kind(c) == "parallel"]
        self.assertEqual(lines, [self.line_of("omp parallel num_threads(3)", "static void imbalance(")])

    def undeferred(self):
        _, run = self.run_program(program("teams"), "undeferred")
        self.assert_conserved(run)
        self.assert_times(run, "compute_ns", [40, 10 + 10])
        self.assert_near(self.total_ms(run, "(taskwait)") - 10, 30, TOLERANCE_MS, "waiting for what it depends on")

    def test_undeferred_task(self):
        if RUNTIME == "omp":
            self.skipTest("libomp tells nothing of it")
        self.timed(self.undeferred)

    def held(self):
        _, run = self.run_program(program("teams"), "held")
        self.assert_conserved(run)
        self.assert_times(run, "compute_ns", [20, 20])
        self.assert_near(self.total_ms(run, "(wait for lock)"), 20, TOLERANCE_MS, "waits for the lock")

    def test_lock_held_already(self):
        self.timed(self.held)

    def doacross(self):
        _, run = self.run_program(program("teams"), "doacross")
        self.assert_conserved(run)
        self.assert_times(run, "compute_ns", [40, 10])
        self.assert_near(self.total_ms(run, "(wait for ordered)"), 40, TOLERANCE_MS, "waits for the round before")

    def test_doacross(self):
        if RUNTIME == "omp":
            self.skipTest("libomp tells nothing of it")
        self.timed(self.doacross)

    def leave(self):
        _, run = self.run_program(program("teams"), "leave")
        self.assert_conserved(run)
        self.assert_times(run, "compute_ns", [20, 20, 40])

    def test_exit_in_a_region(self):
        self.timed(self.leave)

    def killed(self):
        self.number += 1
        out = os.path.join(self.folder, "killed%d.andes" % self.number)
        command([ANDES, "run", "-o", out, "--", program("teams"), "killed"], check=None,
                cwd=self.folder, at_start=before_others, OMP_WAIT_POLICY="passive")
        run = RunFile(out)
        self.assertEqual(run.facts["recovered"], 1)
        self.assert_conserved(run)
        # How long it went on after the last event is not known.
        self.assert_near(max(self.columns(run, "parallel_ns")), 20, TOLERANCE_MS, "parallel")
        self.assertLessEqual(self.total_ms(run, "(implicit barrier)"), TOLERANCE_MS)

    def test_killed(self):
        self.timed(self.killed)

    def test_many(self):
        for argument in ([], ["0"], ["1"]):
            with self.subTest(argument=argument):
                env = {"OMP_CANCELLATION": "true"}
                plain = command([program("many"), *argument], cwd=self.folder, **env).stdout
                text, run = self.run_program(program("many"), *argument, asleep=False, **env)
                self.assertEqual(text, plain)
                self.assert_conserved(run)
                names = {run.regions[r]["name"] for r in run.regions}
                self.assertIn("parallel of rec", names)
                self.assertIn("(wait for ordered)", names)
                # 300 teams of 1 to 4, 100 for loops and two more with barriers in each
                self.assertEqual(self.visits(run, "(wait for ordered)"), 4 * 300)

    def test_more_task_constructs_than_there_are_doors(self):
        out = os.path.join(self.folder, "run.andes")
        done = command([ANDES, "run", "-o", out, "--", program("constructs")], cwd=self.folder)
        run = RunFile(out)
        self.assertEqual(done.stdout, "600\n")
        self.assert_conserved(run)
        names = {run.name(c) for c in run.callpaths}
        tasks = sum(self.visits(run, name) for name in names if name.startswith("task of "))
        self.assertEqual(tasks, 2 * (256 if RUNTIME == "gomp" else 300))
        self.assertEqual(done.stderr.count("more than 256 task constructs"), RUNTIME == "gomp")

    def test_loaded_runtimes(self):
        """Libraries that bring their own runtime, opened with RTLD_LOCAL: each keeps its own."""
        libraries = [os.path.join(PROGRAMS, "loaded.%s.so" % r) for r in ("gomp", "omp")]
        libraries = [library for library in libraries if os.path.exists(library)]
        text, run = self.run_program(os.path.join(PROGRAMS, "openmp_loading"), *libraries, asleep=False)
        self.assertEqual(text, "3\n" * 3 * len(libraries))
        self.assert_conserved(run)
        self.assertEqual(run.facts["openmp"], " ".join(["libgomp", "libomp"][:len(libraries)]))
        self.assertEqual(self.visits(run, "parallel of work"), 2 * 3 * len(libraries))

    def test_user_says_no_tool(self):
        if RUNTIME != "omp":
            self.skipTest("of libomp alone")
        text, run = self.run_program(program("teams"), "critical", OMP_TOOL="disabled")
        self.assertNotIn("openmp", run.facts)

    @unittest.skipUnless(KINDS_WITH_COMPILER, NO_KINDS)
    def test_hybrid(self):
        for kind in KINDS_WITH_COMPILER:
            with self.subTest(kind=kind):
                binary = program("hybrid") + "." + kind
                if not os.path.exists(binary):
                    self.skipTest("not built")
                text, run = self.run_program(*launcher(kind, 2), binary, asleep=False)
                self.assertEqual(text, "18 1\n")
                self.assert_conserved(run)
                self.assertEqual(run.facts["threads"], 3)
                regions = [c for c in run.callpaths if run.kind(c) == "parallel"]
                after = sum(sum(run.values[(c, run.metrics["visits"])].values()) for c in regions)
                self.assertEqual(after, 2 * 3 * 5)  # one before MPI_Init, four of five after it
                for l in run.locations.values():
                    self.assertGreaterEqual(l["parallel_ns"], 4 * 10 * MS)
                sends = sum(self.value_of_region(run, "visits", "MPI_Sendrecv", i) for i in run.locations)
                self.assertEqual(sends, 2 * 3 * 4)

    def value_of_region(self, run, metric, region, location):
        return sum(run.values.get((c, run.metrics[metric]), {}).get(location, 0)
                   for c in run.callpaths if run.name(c) == region)


if __name__ == "__main__":
    unittest.main()
