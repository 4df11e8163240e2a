"""The monitor in a process without MPI: which processes are measured, what is written, what stays
untouched. Usage: test_process.py PROBED PLUGIN LIBANDES [unittest arguments]."""
import os
import subprocess
import sys
import unittest

from support.folder import InFolder
from support.run_file import RunFile, below_program

PROBED, PLUGIN, LIBANDES = (os.path.abspath(path) for path in sys.argv[1:4])


def visits(path):
    """{call path below (program): visits} of a run file"""
    return below_program(RunFile(path).sums_by_path("visits"))


class Process(InFolder):
    def setUp(self):
        super().setUp()
        self.out = self.path("run.andes")

    def run_probed(self, *arguments, chosen=True, **variables):
        # Visits are counted one by one, however slow the machine is.
        environment = dict(os.environ, LD_PRELOAD=LIBANDES, ANDES_OUT=self.out, ANDES_WINDOWS="off", **variables)
        script = 'ANDES_PID=$$ exec "$@"' if chosen else 'exec "$@"'
        return subprocess.run(["/bin/sh", "-c", script, "sh", PROBED, *arguments], text=True,
                              env=environment, capture_output=True, timeout=600)

    def assert_ran(self, result, stderr=""):
        self.assertEqual((result.returncode, result.stdout, result.stderr), (3, "done\n", stderr))

    def test_without_monitor_the_program_runs_as_ever(self):
        result = subprocess.run([PROBED], text=True, capture_output=True, timeout=600)
        self.assert_ran(result)

    def test_the_chosen_process_gives_a_run_of_one_rank(self):
        self.assert_ran(self.run_probed("plain"))
        self.assertEqual(visits(self.out)["main/work"], 1000)
        self.assertEqual(visits(self.out)["start"], 1)

    def test_a_process_that_was_not_chosen_leaves_no_trace(self):
        self.assert_ran(self.run_probed("plain", chosen=False))
        self.assertEqual(os.listdir(self.folder), [])

    def test_switched_off_by_the_settings_nothing_is_written(self):
        self.assert_ran(self.run_probed("plain", ANDES_MONITOR="off"))
        self.assertEqual(os.listdir(self.folder), [])

    def test_the_kernels_clock_gives_the_same_tree(self):
        self.assert_ran(self.run_probed("plain", ANDES_CLOCK="monotonic"))
        self.assertEqual(visits(self.out)["main/work"], 1000)

    def test_libraries_with_probes_can_be_opened_and_closed(self):
        self.assert_ran(self.run_probed("plugin", PLUGIN))
        self.assertEqual(visits(self.out)["main/plugin_entry"], 3)

    def test_short_lived_threads_share_locations_and_keep_their_totals(self):
        self.assert_ran(self.run_probed("threads", "200"))
        found = visits(self.out)
        self.assertEqual(found["(thread)/thread"], 200)
        self.assertEqual(found["(thread)/thread/work"], 200)
        self.assertEqual(len(RunFile(self.out).locations), 2)

    def test_longjmp_leaves_the_tree_right(self):
        self.assert_ran(self.run_probed("longjmp"))
        self.assertEqual({path: count for path, count in visits(self.out).items()
                          if path.startswith("main")},
                         {"main": 1, "main/outer": 100, "main/outer/jumper": 100,
                          "main/after": 100, "main/after/work": 100})

    def test_a_forked_child_does_not_write_its_parents_run(self):
        self.assert_ran(self.run_probed("children"))
        self.assertEqual(os.listdir(self.folder), ["run.andes"])
        self.assertEqual(visits(self.out)["main/work"], 1)

    def test_an_existing_run_file_is_never_overwritten(self):
        with open(self.out, "w", encoding="utf-8") as file:
            file.write("precious")
        second = self.out.replace("run.andes", "run.2.andes")
        self.assert_ran(self.run_probed("plain"),
                        f"andes: {self.out}: exists already; writing {second}\n")
        with open(self.out, encoding="utf-8") as file:
            self.assertEqual(file.read(), "precious")
        self.assertEqual(visits(second)["main/work"], 1000)

    def test_a_place_that_cannot_be_written_is_said_once_and_harms_nobody(self):
        self.out = "/proc/no/such/place/run.andes"
        result = self.run_probed("plain", ANDES_ARENA=self.folder) # what stays for recovery goes with it
        self.assertEqual((result.returncode, result.stdout), (3, "done\n"))
        self.assertRegex(result.stderr, r"\Aandes: /proc/no/such/place/run.andes: .*\n\Z")

    def test_a_bad_setting_is_said_and_its_default_taken(self):
        result = self.run_probed("plain", ANDES_NODE_LIMIT="many")
        self.assert_ran(result, "andes: ANDES_NODE_LIMIT: 'many' is not a number from 16 to "
                                "16777216; using 65536\n")
        self.assertEqual(visits(self.out)["main/work"], 1000)

    def test_each_bad_setting_is_said(self):
        result = self.run_probed("tree", ANDES_NODE_LIMIT="many", ANDES_BUDGET_PERCENT="500", ANDES_LOG_MB="-1")
        said = sorted(line.split(": ")[1] for line in result.stderr.splitlines() if "is not a number from" in line)
        self.assertEqual(said, ["ANDES_BUDGET_PERCENT", "ANDES_LOG_MB", "ANDES_NODE_LIMIT"])

    def test_node_limit_sums_the_rest_in_a_node_named_so(self):
        self.assert_ran(self.run_probed("longjmp", ANDES_DEPTH_LIMIT="2"))
        found = visits(self.out)
        self.assertEqual(found["main/outer"], 100)
        self.assertEqual(found["(more call paths)"], 200)

    def test_needs_libc_and_libm_alone(self):
        listing = subprocess.run(["readelf", "-d", LIBANDES], text=True, capture_output=True,
                                 check=True).stdout
        needed = {line.split("[")[1].rstrip("]\n") for line in listing.splitlines()
                  if "NEEDED" in line}
        self.assertLessEqual(needed, {"libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0"})

    def test_exports_only_its_own_names(self):
        listing = subprocess.run(["nm", "-D", "--defined-only", LIBANDES], text=True,
                                 capture_output=True, check=True).stdout
        for line in listing.splitlines():
            name = line.split()[-1].lower()
            self.assertTrue(name.startswith(("andes_", "mpi", "__cyg_profile_func_", "gomp_", "omp_set_")) or
                            name in ("dlclose", "dlsym", "ompt_start_tool", "sched_yield", "longjmp", "_longjmp", "siglongjmp",
                                     "__longjmp_chk", "pthread_cond_wait", "pthread_cond_timedwait", "pthread_cond_clockwait",
                                     "pthread_barrier_wait", "pthread_join", "sem_wait", "sem_timedwait"), name)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[4:])
