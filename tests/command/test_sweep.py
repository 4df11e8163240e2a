"""Sweeps with pretended launchers: names, order, environment, facts, failures, refusals."""

import concurrent.futures
import json
import os
import signal
import subprocess
import sys

from support.build import ANDES, LIBRARY
from support.command_line import CommandTest, main
from support.pretended_launcher import HYDRA, OPEN_MPI
from support.waiting import wait_until

NOT_ENOUGH_SLOTS = """--------------------------------------------------------------------------
There are not enough slots available in the system to satisfy the 4
slots that were requested by the application:
"""
AS_ROOT = "mpirun has detected an attempt to run as root.\n"


class Names(CommandTest):
    def setUp(self):
        super().setUp()
        self.launcher()

    def test_sweep(self):
        done = self.succeeds("run", "--ranks", "1,2,4", "--repeat", "2", "--",
                             "mpirun", "-n", "{p}", "./prog", "size={p}00")
        self.assertEqual(self.files(), ["runs/prog-001/p%d.%d.andes" % (p, r)
                                        for p in (1, 2, 4) for r in (1, 2)])
        self.assertEqual(done.stdout, "")
        self.assertTrue(done.stderr.endswith("andes: 6 run files in runs/prog-001\n"
                                             "andes: next: andes report runs/prog-001\n"))

    def test_order_is_interleaved(self):
        self.succeeds("run", "--ranks", "1,2-6:2", "--repeat", "2", "--",
                      "mpirun", "-n", "{p}", "./prog", "size={p}00{p}")
        self.assertEqual([call["argv"] for call in self.calls()],
                         [["-n", str(p), "./prog", "size=%d00%d" % (p, p)]
                          for p in (1, 2, 4, 6)] * 2)

    def test_next_free_number_and_label(self):
        os.makedirs(os.path.join(self.work, "runs", "prog-007-old"))
        os.makedirs(os.path.join(self.work, "runs", "progress-009"))
        self.succeeds("run", "--label", "new", "--", "mpirun", "-n", "3", "./prog")
        self.succeeds("run", "--", "mpirun", "-n", "3", "./prog")
        self.assertEqual(self.files(),
                         ["runs/prog-008-new/p3.1.andes", "runs/prog-009/p3.1.andes"])
        facts = self.facts("runs/prog-008-new/p3.1.andes")
        self.assertEqual((facts["label"], facts["series"]), ("new", "prog-008-new"))

    def test_single_run(self):
        done = self.succeeds("run", "--", "mpirun", "-n", "3", "./prog")
        self.assertEqual(done.stderr, "andes: wrote runs/prog-001/p3.1.andes\n"
                                      "andes: next: andes show runs/prog-001/p3.1.andes\n")

    def test_next_command_can_be_copied(self):
        os.rename(os.path.join(self.work, "prog"), os.path.join(self.work, "the prog"))
        done = self.succeeds("run", "--", "mpirun", "-n", "3", "./the prog")
        self.assertEqual(done.stderr, "andes: wrote runs/the prog-001/p3.1.andes\n"
                                      "andes: next: andes show 'runs/the prog-001/p3.1.andes'\n")
        done = self.succeeds("run", "--ranks", "1,2", "--", "mpirun", "-n", "{p}", "./the prog")
        self.assertTrue(done.stderr.endswith("andes: next: andes report 'runs/the prog-002'\n"), done.stderr)

    def test_output_with_pattern(self):
        self.succeeds("run", "-o", "a%%b-%x-%p.andes", "--", "mpirun", "-n", "3", "./prog")
        self.assertEqual(self.files(), ["a%b-prog-3.andes"])
        self.assertNotIn("series", self.facts("a%b-prog-3.andes"))

    def test_directory_with_per_cent_sign(self):
        folder = os.path.join(self.work, "50%x")
        os.mkdir(folder)
        self.succeeds("run", "--", "mpirun", "-n", "3", "../prog", cwd=folder)
        self.assertEqual(self.files(), ["50%x/runs/prog-001/p3.1.andes"])

    def test_directories_are_never_shared(self):
        def one(label):
            return self.andes("run", *label, "--", "mpirun", "./prog").returncode
        with concurrent.futures.ThreadPoolExecutor(6) as pool:
            self.assertEqual(list(pool.map(one, [[], ["--label", "a"]] * 6)), [0] * 12)
        self.assertEqual(len(self.files()), 12)
        numbers = [name.split("/")[1].split("-")[1] for name in self.files()]
        self.assertEqual(sorted(numbers), ["%03d" % n for n in range(1, 13)])

    def test_program_behind_many_options(self):
        for words in (["mpirun", "-x", "OMP_NUM_THREADS=1", "--mca", "btl", "self,tcp", "-H", "a,b",
                       "--map-by", "core", "-n", "2", "./prog"],
                      ["mpirun", "-genv", "A", "1", "-env", "B", "2", "-ppn", "4", "./prog", "x"],
                      ["env", "A=1", "mpirun", "-n", "2", "./prog"],
                      ["timeout", "60", "mpirun", "--unheard-of", "7", "./prog"],
                      ["mpirun", "-n", "1", ANDES, "exec", "./prog"],
                      ["mpirun", "-n", "1", "env", "A=1", "nice", "-n", "5", "./prog"],
                      ["mpirun", "-n", "1", "--", "./prog"]):
            with self.subTest(words):
                done = self.succeeds("run", "--", *words)
                self.assertIn("wrote runs/prog-", done.stderr)


class Threads(CommandTest):
    """--threads: every rank count with every thread count."""

    def test_grid(self):
        self.launcher(version=OPEN_MPI)
        done = self.succeeds("run", "--ranks", "1,2", "--threads", "1,4", "--repeat", "2", "--",
                             "mpirun", "-n", "{p}", "./prog", "n={t}", OMP_NUM_THREADS="9")
        self.assertEqual(self.files(), sorted("runs/prog-001/p%dt%d.%d.andes" % (p, t, r)
                                              for p in (1, 2) for t in (1, 4) for r in (1, 2)))
        calls = [(call["env"]["OMP_NUM_THREADS"], call["argv"][-3:]) for call in self.calls()]
        self.assertEqual(calls, [(str(t), [str(p), "./prog", "n=%d" % t])
                                 for p in (1, 2) for t in (1, 4)] * 2)
        for call in self.calls():
            at = call["argv"].index("OMP_NUM_THREADS")
            self.assertEqual(call["argv"][at - 1], "-x")
        facts = self.facts("runs/prog-001/p2t4.1.andes")
        self.assertEqual((facts["ranks_started"], facts["threads_started"], facts["repeat"]), (2, 4, 1))
        self.assertEqual(json.loads(facts["command"])[-1], "n=4")
        self.assertIn("andes: run 3 of 8: p = 2, t = 1, repeat 1\n", done.stderr)

    def test_threads_alone(self):
        self.launcher()
        self.succeeds("run", "--threads", "2", "-o", "a.andes", "--", "mpirun", "-n", "3", "./prog")
        self.assertEqual(self.calls()[0]["env"]["OMP_NUM_THREADS"], "2")
        self.assertEqual(self.facts("a.andes")["threads_started"], 2)
        self.succeeds("run", "--threads", "1,2", "--", "mpirun", "-n", "3", "./prog")
        self.assertEqual(self.files()[-2:], ["runs/prog-001/p3t1.1.andes", "runs/prog-001/p3t2.1.andes"])

    def test_without_threads_the_environment_is_the_user_s(self):
        self.launcher(version=OPEN_MPI)
        self.succeeds("run", "--", "mpirun", "-n", "2", "./prog", OMP_NUM_THREADS="7")
        self.assertEqual(self.calls()[0]["env"]["OMP_NUM_THREADS"], "7")
        self.assertNotIn("OMP_NUM_THREADS", self.calls()[0]["argv"])
        self.assertNotIn("threads_started", self.facts("runs/prog-001/p2.1.andes"))

    def test_the_partner_without_the_monitor_has_as_many(self):
        self.launcher()
        self.succeeds("run", "--threads", "3", "--overhead", "--", "mpirun", "-n", "2", "./prog")
        self.assertEqual([call["env"]["OMP_NUM_THREADS"] for call in self.calls()], ["3", "3"])

    def test_threads_of_the_program_s_own_choice_need_cores_too(self):
        """As OMP_NUM_THREADS gives them; a launcher that binds ranks to single cores is named."""
        self.launcher()
        done = self.succeeds("run", "--", "mpirun", "-n", "1", "./prog", FAKE_CORES="1", FAKE_BUSY_THREADS="2")
        self.assertIn("andes: p = 1: more ranks x threads than the 1 usable core; ", done.stderr)
        self.assertEqual("the ranks were bound to fewer cores" in done.stderr, len(os.sched_getaffinity(0)) > 1)

    def test_cores_are_compared_with_ranks_times_threads(self):
        self.launcher()
        done = self.succeeds("run", "--ranks", "1,2", "--threads", "1,2", "--", "mpirun", "-n", "{p}",
                             "./prog", FAKE_CORES="2")
        self.assertIn("andes: p x t = 2 x 2: more ranks x threads than the 2 usable cores", done.stderr)
        marked = [self.facts("runs/prog-001/p%dt%d.1.andes" % (p, t))["oversubscribed"]
                  for p in (1, 2) for t in (1, 2)]
        self.assertEqual(marked, [0, 0, 0, 1])

    def test_refusals(self):
        self.launcher()
        remedy = "; write for example 1,2,4 or 1-4 or 2-16:2"
        for words, message in (
                (["--threads", "1,0"], "--threads 1,0: 0 is not a number of threads" + remedy),
                (["--threads", "1,,2"], "--threads 1,,2: a number is missing" + remedy),
                (["--threads", "two"], '--threads two: "two" is not a number' + remedy),
                (["--threads", "2,2"], "--threads 2,2: 2 is named twice; use --repeat for more runs of a "
                                       "thread count")):
            self.refused(message, "run", *words, "--", "mpirun", "-n", "2", "./prog")
        self.refused("run: the command has {t} but there is no --threads; add for example --threads 1,2,4",
                     "run", "--", "mpirun", "./prog", "{t}")
        for words in (["-x", "OMP_NUM_THREADS=4"], ["-genv", "OMP_NUM_THREADS", "4"],
                      ["env", "OMP_NUM_THREADS=4"]):
            self.refused("run: --threads is given, but the command sets OMP_NUM_THREADS to 4; write {t} there, or "
                         "remove it", "run", "--threads", "2", "--", "mpirun", *words, "./prog")
        self.assertEqual(self.files(), [])
        self.succeeds("run", "--threads", "2", "--", "mpirun", "-x", "OMP_NUM_THREADS={t}", "./prog")
        self.assertIn("OMP_NUM_THREADS=2", self.calls()[-1]["argv"])


class Axes(CommandTest):
    """--vary, --zip and --weak: other axes than ranks and threads."""

    def setUp(self):
        super().setUp()
        self.launcher()

    def test_crossed_with_the_ranks(self):
        done = self.succeeds("run", "--vary", "N=500,1000", "--ranks", "1,2", "--repeat", "2", "--",
                             "mpirun", "-n", "{p}", "./prog", "{N}", "n={N}")
        self.assertEqual(self.files(), sorted("runs/prog-001/N=%04d.p%d.%d.andes" % (n, p, r)
                                              for n in (500, 1000) for p in (1, 2) for r in (1, 2)))
        self.assertEqual([call["argv"][1:] for call in self.calls()],
                         [[str(p), "./prog", str(n), "n=%d" % n] for n in (500, 1000) for p in (1, 2)] * 2)
        facts = self.facts("runs/prog-001/N=0500.p2.1.andes")
        self.assertEqual(json.loads(facts["axes"]), ["N=500"])
        self.assertEqual(json.loads(facts["command"])[-2:], ["500", "n=500"])
        self.assertNotIn("weak", facts)
        self.assertIn("andes: run 3 of 8: N = 1000, p = 1, repeat 1\n", done.stderr)

    def test_paired_texts(self):
        self.succeeds("run", "--vary", "file=a/b.dat,50%", "--vary", "B=8,16", "--zip", "file,B", "--",
                      "mpirun", "-n", "3", "./prog", "{file}", "{B}")
        self.assertEqual([call["argv"][-2:] for call in self.calls()], [["a/b.dat", "8"], ["50%", "16"]])
        self.assertEqual(self.files(), ["runs/prog-001/file=50%.B=16.p3.1.andes",
                                        "runs/prog-001/file=a_b.dat.B=08.p3.1.andes"])

    def test_weak(self):
        self.succeeds("run", "--vary", "N=100", "--vary", "B=8", "--weak", "N", "--ranks", "1,4", "--",
                      "mpirun", "-n", "{p}", "./prog", "{N}", "{B}")
        self.assertEqual([call["argv"][-2:] for call in self.calls()], [["100", "8"], ["400", "8"]])
        facts = self.facts("runs/prog-001/N=400.B=8.p4.1.andes")
        self.assertEqual((facts["weak"], json.loads(facts["weak_arguments"]), json.loads(facts["axes"])),
                         ("N=100", ["{N}", "8"], ["N=400", "B=8"]))

    def test_ranks_in_the_arguments_of_the_program(self):
        self.succeeds("run", "--ranks", "1,4", "--vary", "B=8", "--", "mpirun", "-n", "{p}", "./prog", "-np={p}", "{B}")
        self.assertEqual([call["argv"][-2:] for call in self.calls()], [["-np=1", "8"], ["-np=4", "8"]])
        self.assertEqual(json.loads(self.facts("runs/prog-001/B=8.p4.1.andes")["swept_arguments"]), ["-np={p}", "8"])
        self.succeeds("run", "--ranks", "1,4", "--", "mpirun", "-n", "{p}", "./prog", "8")
        self.assertNotIn("swept_arguments", self.facts("runs/prog-002/p4.1.andes"))

    def test_a_program_for_each_number_of_ranks(self):
        for size in ("1.8", "4.8"):
            self.write("prog." + size, "", executable=True)
        self.succeeds("run", "--ranks", "1,4", "--vary", "B=8", "--", "mpirun", "-n", "{p}", "./prog.{p}.{B}")
        self.assertEqual([call["argv"][-1] for call in self.calls()], ["./prog.1.8", "./prog.4.8"])
        (folder,) = os.listdir(os.path.join(self.work, "runs"))
        facts = self.facts("runs/%s/B=8.p4.1.andes" % folder)
        self.assertEqual(facts["swept_program"], "prog.{p}.8")
        self.assertNotIn("swept_arguments", facts)

    def test_the_axis_of_a_launcher_and_of_the_program(self):
        for size in (1, 2):
            self.write("prog%d" % size, "", executable=True)
        self.succeeds("run", "--vary", "nodes=1,2", "--", "mpirun", "-N", "{nodes}", "-n", "2", "./prog{nodes}")
        self.assertEqual([call["argv"] for call in self.calls()],
                         [["-N", n, "-n", "2", "./prog" + n] for n in "12"])
        self.assertEqual(self.files()[0], "runs/prognodes-001/nodes=1.p2.1.andes")

    def test_refusals(self):
        run = ["--", "mpirun", "-n", "{p}", "./prog", "{N}"]
        ranks = ["--ranks", "1,2"]
        for words, command, message in (
                (["--vary", "N=1,2", "--vary", "M=3"], run, "run: there is --vary M but the command has no {M}; write it "
                                                            "where the value belongs"),
                (["--vary", "N=1"], run + ["{M}"], "run: the command has {M} but there is no --vary M; add --vary "
                                                   "M=VALUE,VALUE, or correct the name"),
                (["--vary", "N=1", "--vary", "N=2"], run, "--vary N: the axis is named twice; give all its values in "
                                                          "one list"),
                (["--vary", "N=1", "--zip", "N,M"], run, "--zip N,M: there is no list M; name axes of --vary, p for "
                                                         "--ranks, t for --threads"),
                (["--vary", "N=1", "--weak", "M"], run, "--weak M: it is not an axis; add --vary M=VALUE"),
                (["--weak", "N=1"], run, "--weak N=1: it is not an axis; give --vary N=1 --weak N")):
            self.refused(message, "run", *ranks, *words, *command)
        self.refused("--weak N: the axis grows with the ranks, but there is no --ranks; add for example --ranks 1,2,4",
                     "run", "--vary", "N=1", "--weak", "N", "--", "mpirun", "./prog", "{N}")
        self.assertEqual((self.files(), self.calls()), ([], []))


class AutomaticRepeats(CommandTest):
    """--repeat auto. The pretended launcher writes runs of which all take the same time."""

    def setUp(self):
        super().setUp()
        self.launcher()

    def test_six_equal_repeats_are_enough(self):
        done = self.succeeds("run", "--ranks", "1,2", "--repeat", "auto", "--", "mpirun", "-n", "{p}", "./prog")
        self.assertEqual(self.files(), ["runs/prog-001/p%d.%02d.andes" % (p, r) for p in (1, 2) for r in range(1, 7)])
        self.assertEqual([call["argv"][1] for call in self.calls()], ["1", "2"] * 6)
        self.assertRegex(done.stderr, r"andes: run 11: p = 1, repeat 6; \d+ s of 10 min 0 s used\n")

    def test_the_first_turn_is_run_whatever_time_there_is(self):
        done = self.succeeds("run", "--ranks", "1,2", "--repeat", "auto:0.001s", "--", "mpirun", "-n", "{p}", "./prog")
        self.assertEqual(self.files(), ["runs/prog-001/p1.01.andes", "runs/prog-001/p2.01.andes"])
        self.assertIn("andes: p = 1: no interval of the median yet after 1 repeat, and 1 other size; the time of 0 s is "
                      "used: give more with --repeat auto:TIME\n", done.stderr)

    def test_a_size_that_always_fails_is_given_up(self):
        self.succeeds("run", "--ranks", "1,2", "--repeat", "auto", "--", "mpirun", "-n", "{p}", "./prog",
                      status=3, FAKE_STATUS="3", FAKE_FAIL_AT="2")
        self.assertEqual([call["argv"][1] for call in self.calls()].count("2"), 3)
        self.assertEqual([call["argv"][1] for call in self.calls()].count("1"), 6)


class Environment(CommandTest):
    def test_hydra_gets_the_environment_alone(self):
        self.launcher(version=HYDRA)
        self.succeeds("run", "--", "mpirun", "-n", "2", "./prog", LD_PRELOAD="")
        call = self.calls()[0]
        self.assertEqual(call["argv"], ["-n", "2", "./prog"])
        self.assertRegex(call["env"].pop("ANDES_JOB"), r"^run-\d+-[0-9a-f]+-1$")
        self.assertEqual(call["env"], {
            "LD_PRELOAD": LIBRARY,
            "ANDES_OUT": os.path.join(os.path.realpath(self.work), "runs/prog-001/p%p.1.andes")})

    def test_open_mpi_is_told_each_variable(self):
        self.launcher(version=OPEN_MPI)
        self.succeeds("run", "--set", "recursion=full", "--", "mpirun", "-n", "2", "./prog")
        self.assertEqual(self.calls()[0]["argv"], [
            "-x", "LD_PRELOAD", "-x", "ANDES_OUT", "-x", "ANDES_RECURSION", "-x", "ANDES_JOB", "-n", "2",
            "./prog"])

    def test_preload_given_to_the_launcher_is_kept(self):
        self.launcher(version=OPEN_MPI)
        self.succeeds("run", "--", "mpirun", "-x", "LD_PRELOAD=libm.so.6", "-n", "2", "./prog")
        self.assertEqual(self.calls()[0]["argv"], [
            "-x", "ANDES_OUT", "-x", "ANDES_JOB", "-x", "LD_PRELOAD=%s:libm.so.6" % LIBRARY, "-n",
            "2", "./prog"])

    def test_preload_of_the_environment_is_kept_behind(self):
        self.launcher()
        self.succeeds("run", "--", "mpirun", "./prog", LD_PRELOAD="libm.so.6")
        self.assertEqual(self.calls()[0]["env"]["LD_PRELOAD"], LIBRARY + ":libm.so.6")

    def test_process_id_is_for_programs_only(self):
        self.launcher()
        self.succeeds("run", "--", "mpirun", "./prog", ANDES_PID="1")
        self.assertNotIn("ANDES_PID", self.calls()[0]["env"])
        program = self.write("show_pid.py", "#!%s\nimport os\n"
                             "assert os.environ['ANDES_PID'] == str(os.getpid())\n"
                             % sys.executable, executable=True)
        self.succeeds("run", "-o", "a.andes", "--", program)
        shell = self.write("script", "#!/bin/sh\ntest -z \"$ANDES_PID\"\n", executable=True)
        done = self.andes("run", "-o", "b.andes", "--", shell)
        self.assertIn("andes: %s: no run file was written: no process called MPI, and a program without MPI is not measured "
                      "where %s starts it; put andes exec in front of the program (andes exec ./program ...)\n"
                      % (shell, shell), done.stderr)
        done = self.andes("run", "-o", "c.andes", "--", "timeout", "60", "true")
        self.assertIn("where timeout starts it; put andes exec in front of the program "
                      "(timeout 60 andes exec true ...)\n", done.stderr)

    def test_streams_are_the_program_s(self):
        self.launcher()
        done = self.succeeds("run", "--", "mpirun", "./prog", stdin="one\ntwo\n", FAKE_ECHO="1",
                             FAKE_STDERR="a warning\n")
        self.assertEqual(done.stdout, "one\ntwo\n")
        self.assertTrue(done.stderr.startswith("a warning\n"))


class Facts(CommandTest):
    def setUp(self):
        super().setUp()
        self.launcher()

    def test_what_is_stored(self):
        self.succeeds("run", "--ranks", "2", "--repeat", "2", "--label", "x", "--",
                      "mpirun", "-n", "{p}", "./prog", "a b")
        facts = self.facts("runs/prog-001-x/p2.2.andes")
        self.assertGreater(facts.pop("command_wall_ns"), 0)
        self.assertGreaterEqual(facts.pop("involuntary_switches"), 0)
        for name in ("migrations", "steal_ns", "others_ns", "throttled_ns", "frequency_mhz"):  # where there are such
            self.assertGreaterEqual(facts.pop(name, 0), 0)
        self.assertEqual(json.loads(facts.pop("command")), ["mpirun", "-n", "2", "./prog", "a b"])
        self.assertEqual(facts, {
            "ranks": 2, "threads": 1, "usable_cores": 1000, "complete": 1, "wall_ns": 1000,
            "ranks_started": 2, "repeat": 2, "series": "prog-001-x", "label": "x",
            "exit_status": 0, "oversubscribed": 0})

    def test_oversubscription(self):
        done = self.succeeds("run", "--ranks", "2,3,8", "--repeat", "2", "--",
                             "mpirun", "-n", "{p}", "./prog", FAKE_CORES="2")
        self.assertEqual([self.facts("runs/prog-001/p%d.1.andes" % p)["oversubscribed"]
                          for p in (2, 3, 8)], [0, 1, 1])
        self.assertEqual(done.stderr.count("oversubscribed,"), 1)
        self.assertIn("andes: p = 3, 8: more ranks x threads than the 2 usable cores; ", done.stderr)

    def test_fewer_ranks_reported(self):
        done = self.succeeds("run", "--ranks", "4", "--", "mpirun", "-n", "{p}", "./prog",
                             FAKE_RANKS="3")
        self.assertEqual(done.stderr.splitlines()[0],
                         "andes: p = 4, repeat 1: only 3 of 4 ranks reported; start the others with "
                         "the monitor too: mpirun -n {p} andes exec PROGRAM")
        self.assertEqual(self.facts("runs/prog-001/p4.1.andes")["complete"], 0)


class Failures(CommandTest):
    def setUp(self):
        super().setUp()
        self.launcher(version=OPEN_MPI)

    def test_status_is_kept_and_the_sweep_goes_on(self):
        done = self.succeeds("run", "--ranks", "1,2,4", "--", "mpirun", "-n", "{p}", "./prog",
                             status=3, FAKE_STATUS="3", FAKE_FAIL_AT="2")
        self.assertIn("andes: p = 2, repeat 1: ended with status 3; the run file is kept and marked as "
                      "failed: runs/prog-001/p2.1.andes\n", done.stderr)
        self.assertEqual([self.facts("runs/prog-001/p%d.1.andes" % p)["exit_status"]
                          for p in (1, 2, 4)], [0, 3, 0])

    def test_signal(self):
        done = self.succeeds("run", "--", "mpirun", "-n", "2", "./prog", status=128 + 9,
                             FAKE_SIGNAL="9")
        self.assertIn("andes: mpirun: was ended by signal 9 (Killed); the run file is kept", done.stderr)
        facts = self.facts("runs/prog-001/p2.1.andes")
        self.assertEqual(facts["signal"], 9)
        self.assertNotIn("exit_status", facts)

    def test_death_without_a_run_file(self):
        done = self.succeeds("run", "--", "mpirun", "-n", "2", "./prog", "a b", status=4,
                             FAKE_STATUS="4", FAKE_NO_FILE="1")
        self.assertIn("andes: mpirun: ended with status 4 before it wrote its run file; marked as "
                      "failed: runs/prog-001/p2.1.andes\n", done.stderr)
        facts = self.facts("runs/prog-001/p2.1.andes")
        self.assertEqual((facts["program"], facts["ranks"], facts["complete"], facts["exit_status"]),
                         ("prog", 0, 0, 4))
        self.assertEqual(json.loads(facts["arguments"]), ["a b"])

    def test_success_without_a_run_file(self):
        done = self.succeeds("run", "--ranks", "1,2", "--", "mpirun", "-n", "{p}", "./prog",
                             status=1, FAKE_NO_FILE="1")
        self.assertEqual(done.stderr.count("no run file was written: "), 1)
        self.assertIn("andes: 2 runs wrote no run file\n", done.stderr)
        self.assertEqual(os.listdir(os.path.join(self.work, "runs")), [])

    def test_not_enough_slots(self):
        done = self.succeeds("run", "--ranks", "4", "--repeat", "3", "--",
                             "mpirun", "-n", "{p}", "./prog", status=1, FAKE_STATUS="1",
                             FAKE_NO_FILE="1", FAKE_STDERR=NOT_ENOUGH_SLOTS)
        self.assertIn(NOT_ENOUGH_SLOTS, done.stderr)
        self.assertRegex(done.stderr, r"andes: mpirun: refused to start 4 ranks: not enough slots on "
                         r"\d+ cores; add --oversubscribe \(mpirun --oversubscribe -n \{p\} \.\.\.\)\n")
        self.assertEqual(len(self.calls()), 1)  # it would be refused again
        self.assertEqual(self.files(), [])

    def test_root(self):
        done = self.succeeds("run", "--ranks", "1,2", "--", "mpirun", "-n", "{p}", "./prog",
                             status=1, FAKE_STATUS="1", FAKE_NO_FILE="1", FAKE_STDERR=AS_ROOT)
        self.assertIn("andes: mpirun: refuses to run as root; add --allow-run-as-root "
                      "(mpirun --allow-run-as-root -n {p} ...)\n", done.stderr)
        self.assertEqual(len(self.calls()), 1)

    def test_interrupt_keeps_what_is_there(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(number):
                before = len(self.calls())
                running = subprocess.Popen(
                    [ANDES, "run", "--ranks", "1", "--repeat", "50", "--", "mpirun", "-n",
                     "{p}", "./prog"], cwd=self.work, env=self.environment(FAKE_SLEEP="0.3"),
                    stderr=subprocess.PIPE, text=True)
                wait_until(lambda: len(self.calls()) >= before + 3, 60)
                running.send_signal(number)
                _, said = running.communicate(timeout=600)
                self.assertEqual(running.returncode, 128 + number)
                self.assertRegex(said, r"andes: stopped by signal %d: \d+ of 50 runs done" % number)
                self.assertIn("andes: next: andes report runs/prog-00", said)
                self.assertLess(len(self.calls()), before + 10)
        for name in self.files():
            self.facts(name)  # whole files, all of them


    def test_data_that_cannot_be_read_have_one_remedy(self):
        places = os.path.join(self.work, "places")
        os.mkdir(places)
        script = ('place="$ANDES_ARENA/andes-$(id -u)-$ANDES_JOB"; mkdir -m 700 "$place"; '
                  'head -c 5000 /dev/zero > "$place/x.arena"; exit 3')
        done = self.succeeds("run", "-o", "a.andes", "--", "sh", "-c", script, status=3, ANDES_ARENA=places)
        self.assertRegex(done.stderr, r"(?m)^andes: \S+/x\.arena: an arena without data; remove it$")
        self.assertNotIn("andes recover", done.stderr)


class Overhead(CommandTest):
    def test_pairs_alternate_and_the_figure_is_kept(self):
        self.launcher()
        done = self.succeeds("run", "--ranks", "1,2", "--repeat", "2", "--overhead", "--",
                             "mpirun", "-n", "{p}", "./prog")
        self.assertEqual([(call["argv"][1], "LD_PRELOAD" in call["env"]) for call in self.calls()],
                         [("1", False), ("1", True), ("2", False), ("2", True),
                          ("1", True), ("1", False), ("2", True), ("2", False)])
        self.assertEqual(len(self.files()), 4)
        self.assertRegex(done.stderr, r"andes: overhead at p = 2: -?[\d.]+ % \[-?[\d.]+, -?[\d.]+\] "
                         r"of the command's wall time \(median of 2 pairs with and without the "
                         r"monitor; range: use six pairs for an interval\)\n")
        for name in self.files():
            facts = self.facts(name)
            self.assertLessEqual(facts["overhead_low"], facts["overhead_percent"])
            self.assertLessEqual(facts["overhead_percent"], facts["overhead_high"])

    def test_one_pair_has_no_interval(self):
        self.launcher()
        self.succeeds("run", "--overhead", "--", "mpirun", "-n", "2", "./prog")
        facts = self.facts("runs/prog-001/p2.1.andes")
        self.assertIn("overhead_percent", facts)
        self.assertNotIn("overhead_low", facts)


if __name__ == "__main__":
    main()
