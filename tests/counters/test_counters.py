"""Counts per call path, location and rank of a program that knows them (counted.c): by PAPI's software-defined
events where PAPI is installed, and by a fake PAPI (fake_papi.c) that also fails in every way there is.

Usage: test_counters.py FAKE COUNTED_FAKE faults=PROGRAM [COUNTED_SDE [MPI=PROGRAM ... stepped.OPENMP[.MPI]=PROGRAM ...]]
"""

import json
import os
import subprocess
import sys
import unittest

from support.build import ANDES
from support.environment import environment
from support.folder import InFolder
from support.run_file import RunFile

FAKE, COUNTED_FAKE = sys.argv[1:3]
FAULTS = sys.argv[3].split("=", 1)[1]
COUNTED_SDE = sys.argv[4] if len(sys.argv) > 4 else None
PROGRAMS = dict(word.split("=", 1) for word in sys.argv[5:])
STEPPED = {name: program for name, program in PROGRAMS.items() if name.startswith("stepped.")}
MPIS = {name: program for name, program in PROGRAMS.items() if name not in STEPPED}
OWN, ALL = "sde:::tests::own", "sde:::tests::all"
TIMEOUT_S = 600


class Run(RunFile):
    """What a run file says of events."""

    def counted(self, event, path):
        return self.sums_by_path(event).get(path, 0)

    def counted_at(self, event, path, rank, thread=0):
        here = self.location(rank, thread)["id"]
        return sum(self.values.get((callpath, self.metrics[event]), {}).get(here, 0)
                   for callpath, text in self.paths.items() if text == path)

    def all_counted(self, event):
        return {path: value for path, value in self.sums_by_path(event).items() if value != 0}

    def missing(self):
        return {m["event"]: m for m in json.loads(self.facts.get("counters_missing", "[]"))}


class Counters(InFolder):
    def setUp(self):
        super().setUp()
        self.number = 0

    def run_program(self, command, counters, says=None, status=0, **env):
        """Runs it measured; its run. `says`: all that stands on standard error; None: nothing is looked at."""
        self.number += 1
        self.out = os.path.join(self.folder, "%d.andes" % self.number)
        if counters is not None:
            env["ANDES_COUNTERS"] = counters
        done = subprocess.run([ANDES, "run", "-o", self.out, "--"] + command, env=environment(**env),
                              timeout=TIMEOUT_S, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout.count("counted: done")),
                         (status, done.stdout.count("\n")), done.stdout + done.stderr)
        self.errors = done.stderr
        if says is not None:
            lines = [line for line in done.stderr.splitlines() if line.startswith("andes: counters")]
            self.assertEqual(len(lines), len(says), done.stderr)
            for line, expected in zip(lines, says):
                self.assertIn(expected, line)
        return Run(self.out)

    def fake(self, arguments, counters="fake:::work", says=(), **more):
        return self.run_program([COUNTED_FAKE] + arguments, counters, says, **more)

    def show(self, *options):
        return subprocess.run([ANDES, "show", *options, self.out], env=environment(), timeout=TIMEOUT_S,
                              capture_output=True, text=True)

    # Events of the kernel, without PAPI and beside it.

    def faults(self, counters, pages, **more):
        run = self.run_program([FAULTS, str(pages)], counters, **more)
        if "not permitted" in self.errors or "the kernel does not count it" in self.errors:
            self.skipTest("no events of the kernel here")
        return run

    def check_faults(self, run, pages):
        event, slack = "perf::PAGE-FAULTS", 30  # of the monitor's own pages
        self.assertLessEqual(3 * pages, run.counted(event, "(program)/touch"))
        self.assertLess(run.counted(event, "(program)/touch"), 3 * pages + slack)
        self.assertLess(run.counted(event, "(program)/again"), slack)

    def test_page_faults_without_papi(self):
        # "PAPI" has no events of the kernel; nor is there a library of that name.
        self.check_faults(self.faults("perf::PAGE-FAULTS", 300, ANDES_PAPI_LIBRARY="/no/such/libpapi.so"), 300)
        self.assertNotIn("counters", self.errors)

    def test_page_faults_beside_events_of_papi(self):
        run = self.faults("fake:::work,perf::PAGE-FAULTS,perf::MINOR-FAULTS", 200, ANDES_PAPI_LIBRARY=FAKE)
        self.check_faults(run, 200)
        self.assertEqual(run.all_counted("fake:::work"), {})
        self.assertEqual(run.counted("perf::MINOR-FAULTS", "(program)/touch"),
                         run.counted("perf::PAGE-FAULTS", "(program)/touch"))

    def test_events_that_neither_knows(self):
        run = self.faults("perf::PAGE-FAULTS,perf::NO-SUCH-EVENT", 100, ANDES_PAPI_LIBRARY=FAKE,
                          says=["perf::NO-SUCH-EVENT: not available"])
        self.check_faults(run, 100)

    # The tree, by both ways of counting.

    def check_tree(self, run, event, scale=1):
        root = {"(program)": 586, "(program)/main": 586, "(program)/main/outer": 550,
                "(program)/main/outer/work": 500, "(program)/main/work": 20, "(program)/main/fib": 15}
        self.assertEqual(run.all_counted(event), {path: scale * n for path, n in root.items()})

    def test_each_call_path_has_what_was_counted_in_it(self):
        self.check_tree(self.fake(["tree"]), "fake:::work")

    def test_another_clock_changes_nothing(self):
        self.check_tree(self.fake(["tree"], ANDES_CLOCK="monotonic"), "fake:::work")

    def test_every_depth_of_a_recursion_where_these_are_call_paths(self):
        run = self.fake(["tree"], ANDES_RECURSION="full")
        fib = "(program)/main/fib"
        calls = [run.counted("fake:::work", fib + depth * "/fib") for depth in range(6)]
        self.assertEqual(calls, [15, 14, 12, 8, 2, 0])  # below a depth: 1, 2, 4, 6, 2 calls

    def test_software_defined_events(self):
        if not COUNTED_SDE:
            self.skipTest("no PAPI with libsde")
        run = self.run_program([COUNTED_SDE, "tree"], OWN + " " + ALL, ())
        self.check_tree(run, OWN)
        self.check_tree(run, ALL)
        self.assertEqual([path for path in run.paths.values() if "own_tally" in path], [])

    def test_events_of_software_that_registers_them_late(self):
        if not COUNTED_SDE:
            self.skipTest("no PAPI with libsde")
        run = self.run_program([COUNTED_SDE, "late"], OWN, ())
        self.assertEqual(run.counted(OWN, "(program)/main/work"), 110)

    def test_events_that_nobody_registers_are_missing(self):
        if not COUNTED_SDE:
            self.skipTest("no PAPI with libsde")
        run = self.run_program([COUNTED_SDE, "none"], OWN, [OWN])
        self.assertIn("registered", run.missing()[OWN]["reason"])
        self.assertNotIn(OWN, run.metrics)

    # Threads


    def test_each_thread_counts_its_own(self):
        # Threads that end early give their location to later ones: only the sum is sure then.
        run = self.fake(["threads"])
        self.assertEqual(run.counted("fake:::work", "(thread)"), 10010)
        self.assertEqual(run.counted("fake:::work", "(thread)/thread/work"), 10000)
        self.assertEqual(run.counted("fake:::work", "(program)"), 1)
        if COUNTED_SDE:
            run = self.run_program([COUNTED_SDE, "threads"], OWN, ())
            self.assertEqual(run.counted(OWN, "(thread)"), 10010)
            self.assertEqual(run.counted(OWN, "(program)"), 1)

    def test_short_lived_threads_share_a_location_and_keep_their_counts(self):
        run = self.fake(["short", "300"])
        self.assertEqual(len(run.locations), 2)
        self.assertEqual(run.counted("fake:::work", "(thread)/thread"), 300 * 1001)

    def test_teams_of_openmp(self):
        run = self.fake(["team"])
        work = [path for path in run.paths.values() if path.endswith("/work")]
        self.assertTrue(all(path.startswith("(program)/main/") for path in work), work)
        self.assertEqual(sum(run.counted("fake:::work", path) for path in work), 3 * 1000)
        by_thread = {location["thread"]: sum(run.counted_at("fake:::work", path, 0, location["thread"]) for path in work)
                     for location in run.locations.values()}
        self.assertEqual(sorted(by_thread.values()), [300, 600, 900, 1200])
        self.assertEqual(run.counted("fake:::work", "(program)/main"), 3001)

    # Odd ways through a program

    def test_teams_in_the_steps_of_a_phase(self):
        """stepped.c: what each library of OpenMP, alone and with each of MPI, counts in steps together and apart."""
        if not STEPPED:
            self.skipTest("no PAPI with libsde")
        for name, program in STEPPED.items():
            mpi = name.split(".")[2:]
            ranks = 2 if mpi else 1
            with self.subTest(name):
                self.run_program(["mpirun." + mpi[0], "-n", "2", program] if mpi else [program], OWN, ())
                part = {1: 600, 2: 1800}[ranks]  # over threads and ranks, of step 1
                expected = {"step": 6 * (ranks + 10 * ranks + part), "step/work": 6 * (10 * ranks + part),
                            "step/work/part": 6 * part}
                self.assertEqual(self.counted_paths(), expected)
                apart = {}
                for s in (1, 2, 3):
                    below = "step/step %d" % s
                    apart.update({below: s * (ranks + 10 * ranks + part), below + "/work": s * (10 * ranks + part),
                                  below + "/work/part": s * part})
                self.assertEqual(self.counted_paths("--phases"), {"step": expected["step"], **apart})

    def counted_paths(self, *options):
        """Inclusive counts of the last run by path, without the constructs of OpenMP between."""
        counts = {}
        for row in json.loads(self.show("--json", *options).stdout)["callpaths"]:
            path = "/".join(name for name in row["path"] if not name.startswith("parallel"))
            if row["kind"] in ("phase", "instance", "block") and row["counters"][OWN]["inclusive"]:
                counts[path] = row["counters"][OWN]["inclusive"]
        return counts

    def test_a_killed_program_leaves_what_it_has_counted(self):
        run = self.fake(["killed"], "fake:::work,nonsense", says=None, status=137)
        self.assertEqual(run.counted("fake:::work", "(program)/main/work"), 10)
        self.assertEqual(json.loads(run.facts["counters"]), ["fake:::work"])
        self.assertEqual(list(run.missing()), ["nonsense"])

    def test_stacks_of_their_own(self):
        run = self.fake(["stacks"])
        task = [path for path in run.paths.values() if path.endswith("/task")][0]
        self.assertEqual(run.counted("fake:::work", task), 555)
        self.assertEqual(run.counted("fake:::work", task + "/work"), 500)
        self.assertEqual(run.counted("fake:::work", "(program)/main/work"), 10000)
        self.assertEqual(run.counted("fake:::work", "(program)"), 10556)

    def test_signal_handlers(self):
        run = self.fake(["signal"])
        self.assertEqual(run.counted("fake:::work", "(program)/main/on_signal")
                         + run.counted("fake:::work", "(program)/main/handler"), 100)

    def test_frames_that_were_left_by_a_jump(self):
        run = self.fake(["leap"])
        self.assertEqual(run.counted("fake:::work", "(program)/main/work"), 7)
        self.assertEqual(run.counted("fake:::work", "(program)"), 18)

    # What cannot be counted

    def test_instructions_per_cycle(self):
        run = self.fake(["tree"], "PAPI_TOT_INS,PAPI_TOT_CYC")
        self.check_tree(run, "PAPI_TOT_INS", 2)
        self.check_tree(run, "PAPI_TOT_CYC", 1)
        rows = {"/".join(r["path"]): r for r in json.loads(self.show("--json").stdout)["callpaths"]}
        outer = rows["main/outer"]
        self.assertEqual(outer["counters"]["PAPI_TOT_INS"], {"inclusive": 1100, "exclusive": 100, "mean": 1100, "max": 1100})
        self.assertEqual((outer["instructions_per_cycle"], outer["own_instructions_per_cycle"]), (2, 2))

    def test_what_is_missing_is_said_once_and_the_rest_is_counted(self):
        run = self.fake(["tree"], "fake:::work, nonsense FAKE_OFF,FAKE_SECRET PAPI_TOT_CYC FAKE_GREEDY",
                        ["nonsense: not available: Event does not exist; papi_avail",
                         "FAKE_OFF: PAPI's component off is off: switched off for the test; ",
                         "FAKE_SECRET: not permitted; ",
                         "FAKE_GREEDY: it cannot be counted together with the events before it; "])
        self.check_tree(run, "fake:::work")
        self.check_tree(run, "PAPI_TOT_CYC")
        self.assertEqual(json.loads(run.facts["counters"]), ["fake:::work", "PAPI_TOT_CYC"])
        self.assertEqual(list(run.missing()), ["nonsense", "FAKE_OFF", "FAKE_SECRET", "FAKE_GREEDY"])
        self.assertFalse({"nonsense", "FAKE_OFF", "FAKE_SECRET", "FAKE_GREEDY"} & set(run.metrics))
        text = self.show().stdout
        self.assertIn("nonsense was not counted: not available", " ".join(text.split()))

    def check_nothing_counted(self, run, reason):
        self.assertEqual(json.loads(run.facts["counters"]), [])
        self.assertEqual(list(run.missing()), ["fake:::work"])
        self.assertIn(reason, run.missing()["fake:::work"]["reason"])

    def test_a_library_that_fails(self):
        for wrong, reason in (("version", "version 3.0, this andes knows 5 to 7"),
                              ("init", "it cannot be initialised: A System/C library call failed"),
                              ("start", "not available: A System/C library call failed")):
            with self.subTest(wrong=wrong):
                self.check_nothing_counted(self.fake(["tree"], says=[reason], FAKE_PAPI=wrong), reason)

    def test_a_library_that_is_not_there(self):
        run = self.fake(["tree"], says=["/no/such/libpapi.so"], ANDES_PAPI_LIBRARY="/no/such/libpapi.so")
        self.check_nothing_counted(run, "cannot open shared object file")

    def test_a_library_that_is_none(self):
        libc = "libc.so.6"
        run = self.fake(["tree"], says=["no PAPI"], ANDES_PAPI_LIBRARY=libc)
        self.check_nothing_counted(run, "libc.so.6: no PAPI of version 5 to 7")

    def test_readings_that_fail_end_the_counting_but_not_the_run(self):
        run = self.fake(["end"], says=["fake:::work"], FAKE_PAPI="read")
        self.assertIn("reading has failed", run.missing()["fake:::work"]["reason"])
        self.assertEqual(run.counted("fake:::work", "(program)/main/work"), 5)
        self.assertEqual(run.counted("visits", "(program)/main/work"), 3)

    def test_too_many_events(self):
        run = self.fake(["tree"], "fake:::work," + ",".join("e%d" % i for i in range(40)), None)
        self.assertEqual(len(run.missing()), 31)
        self.assertIn("counters: e30: too many events: it and those after it are not counted", self.errors)

    # Without the setting

    def test_nobody_who_does_not_ask_pays(self):
        run = self.fake(["tree"], None, LD_DEBUG="files", LD_DEBUG_OUTPUT=os.path.join(self.folder, "files"))
        asking = self.fake(["tree"])
        self.assertEqual(set(asking.metrics) - set(run.metrics), {"fake:::work"})
        self.assertEqual({"counters", "counters_missing"} & set(run.facts), set())
        self.assertEqual(set(asking.facts) - set(run.facts), {"counters"})
        if not COUNTED_SDE:
            return
        self.run_program([COUNTED_SDE, "tree"], None, (), LD_DEBUG="files",
                         LD_DEBUG_OUTPUT=os.path.join(self.folder, "opened"))
        opened = ""
        for name in os.listdir(self.folder):
            if name.startswith("opened"):
                with open(os.path.join(self.folder, name), encoding="utf-8") as file:
                    opened += file.read()
        self.assertIn("libandes.so", opened)
        self.assertNotIn("libpapi", opened)

    # Views

    def test_show(self):
        self.fake(["tree"], "fake:::work,PAPI_TOT_INS,PAPI_TOT_CYC")
        document = json.loads(self.show("--json").stdout)
        self.assertEqual(document["run"]["counters"], ["fake:::work", "PAPI_TOT_INS", "PAPI_TOT_CYC"])
        rank = document["ranks"][0]
        self.assertEqual(rank["counters"], {"fake:::work": 586, "PAPI_TOT_INS": 1172, "PAPI_TOT_CYC": 586})
        self.assertEqual(rank["instructions_per_cycle"], 2)
        lines = self.show("--csv").stdout.splitlines()
        rows = [dict(zip(lines[0].split(","), line.split(","))) for line in lines[1:]]
        outer = [row for row in rows if row["path"] == "main/outer"][0]
        self.assertEqual((float(outer["fake:::work"]), float(outer["fake:::work_exclusive"]),
                          float(outer["instructions_per_cycle"])), (550, 50, 2))
        text = self.show("--cut", "0").stdout
        line = [line for line in text.splitlines() if line.strip().startswith("outer") and "1100" in line][0]
        self.assertEqual(line.split(), ["outer", "550", "50", "1100", "100", "550", "50", "2.00", "2.00"])

    def test_show_sorts_by_an_event(self):
        self.fake(["tree"], "fake:::work,PAPI_TOT_INS,PAPI_TOT_CYC")
        text = self.show("--cut", "0", "--sort", "fake:::work").stdout
        table = text[text.index("fake:::work"):]
        order = [line.split()[0] for line in table.splitlines()[1:8]]
        self.assertEqual([name for name in order if name in ("outer", "fib")], ["outer", "fib"])
        self.assertEqual(self.show("--sort", "ipc").returncode, 0)
        wrong = self.show("--sort", "speed")
        self.assertEqual(wrong.returncode, 2)
        self.assertIn("give one of: time, ipc, fake:::work", wrong.stderr)

    # MPI

    @unittest.skipUnless(MPIS, "no PAPI with libsde, or no MPI library")
    def test_ranks(self):
        for mpi, program in MPIS.items():
            with self.subTest(mpi=mpi):
                run = self.run_program(["mpirun." + mpi, "-n", "2", program, "mpi"], OWN + ",nonsense", ["nonsense"])
                self.assertEqual(self.errors.count("nonsense"), 1)
                for rank in range(2):
                    main = "(program)/main"
                    calls = run.counted_at(OWN, main + "/MPI_Allreduce", rank)
                    self.assertEqual(run.counted_at(OWN, main + "/MPI_Allreduce/reduce", rank), calls)
                    self.assertEqual(calls % 4, 0)
                    self.assertEqual(run.counted_at(OWN, main + "/outer", rank), 110)
                    self.assertEqual(run.counted_at(OWN, main + "/work", rank), 1000 * (rank + 1))
                    self.assertEqual(run.counted_at(OWN, main, rank), 1110 + 1000 * rank + calls)
                self.assertGreater(run.counted(OWN, "(program)/main/MPI_Allreduce/reduce"), 0)
                self.assertNotIn("ranks", run.missing()["nonsense"])

    @unittest.skipUnless(MPIS, "no PAPI with libsde, or no MPI library")
    def test_pcontrol(self):
        for mpi, program in MPIS.items():
            with self.subTest(mpi=mpi):
                run = self.run_program(["mpirun." + mpi, "-n", "1", program, "off"], OWN, ())
                self.assertEqual(run.all_counted(OWN), {"(program)": 101, "(program)/main": 101, "(program)/main/work": 101})


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
