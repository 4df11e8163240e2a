"""Functions that are closed but for windows: the call tree, what is counted and what is estimated of it.
Usage: test_windowed.py WINDOWED LIBANDES [unittest arguments]. How many windows there are is the machine's affair:
where they are few for lack of processor time, what they tell is not judged."""
import math
import os
import subprocess
import sys
import tempfile
import unittest

from support.run_file import RunFile, are_visits_estimated

WINDOWED, LIBANDES = (os.path.abspath(path) for path in sys.argv[1:3])
FEWEST_WINDOWS, ATTEMPTS = 20, 5


class Windowed(unittest.TestCase):
    def measure(self, seconds="1", threads="0", **settings):
        """The program's own counts, {path: {metric: value}}, and the facts."""
        with tempfile.TemporaryDirectory() as folder:
            out = os.path.join(folder, "run.andes")
            environment = dict(os.environ, LD_PRELOAD=LIBANDES, ANDES_OUT=out, **settings)
            done = subprocess.run(["/bin/sh", "-c", 'ANDES_PID=$$ exec "$0" "$1" "$2"', WINDOWED, seconds, threads],
                                  text=True, env=environment, capture_output=True, timeout=600, check=True)
            self.assertEqual(done.stderr, "")
            run = RunFile(out)
            found = {}
            for metric in run.metrics:
                for path, total in run.sums_by_path(metric).items():
                    found.setdefault("/".join(path.split("/")[1:]), {})[metric] = total
            return [int(word) for word in done.stdout.split()[:4]], found, run.facts

    def enough_windows(self, **settings):
        for _ in range(ATTEMPTS):
            measured = self.measure(**settings)
            if measured[2].get("windows", 0) >= FEWEST_WINDOWS:
                return measured
        self.skipTest("the machine has no time for windows")

    def one_of_three(self, check, **settings):
        """What is wrong with the monitor is so in all runs, what others do to the machine is not."""
        for left in 2, 1, 0:
            measured = self.enough_windows(**settings)
            try:
                return check(*measured)
            except AssertionError:
                if not left:
                    raise

    def test_the_tree_is_that_of_every_visit(self):
        exact = set(self.measure("0.2", ANDES_BUDGET_PERCENT="0")[1])
        self.assertLessEqual({"phase/send/append/deliver", "other_phase/append"}, exact)
        self.one_of_three(lambda _, found, __: self.check_tree(exact, found))

    def check_tree(self, exact, found):
        told = {path for path, metrics in found.items() if metrics.get("visits", 0) > 0}
        self.assertLessEqual(told, exact | {"other_phase/append/deliver"})
        self.assertLessEqual({"phase", "phase/send", "phase/send/append", "other_phase/append"}, told)

    def test_what_is_not_closed_is_exact_wherever_it_is_called(self):
        self.one_of_three(lambda counts, found, _: self.check_exact(*counts, found))

    def check_exact(self, phases, _, __, deliveries, found):
        self.assertEqual(found["phase"]["visits"], phases)
        self.assertEqual(found["other_phase"]["visits"], phases)
        self.assertEqual(sum(metrics["visits"] for path, metrics in found.items() if path.endswith("deliver")), deliveries)

    def test_visits_are_estimated(self):
        """Within a factor of two: how precise they are is for the campaign to say."""
        # Where the clock is the kernel's in any case, as in many virtual machines, it is as below.
        self.one_of_three(lambda counts, found, facts: self.check_estimates(*counts, found, 2 if facts["clock"] == "tsc" else 4))

    def test_visits_are_estimated_by_the_kernels_clock(self):
        """Probes do not read it: what is counted takes a short slow path. It takes longer than what these functions do,
        so little of a window is left for them: within a factor of four."""
        self.one_of_three(lambda counts, found, _: self.check_estimates(*counts, found, most=4), ANDES_CLOCK="monotonic")

    def check_estimates(self, _, sends, others, __, found, most=2):
        for path, truth in ("phase/send", sends), ("phase/send/append", 2 * sends), ("other_phase/append", others):
            self.assertTrue(are_visits_estimated(found[path]), path)
            self.assertLess(abs(math.log(found[path]["visits"] / truth)), math.log(most), path)

    def test_what_their_thread_takes_is_known(self):
        facts = self.enough_windows()[2]
        self.assertGreater(facts["window_thread_ns"], 0)

    def test_without_windows_all_is_counted(self):
        (_, sends, others, deliveries), found, facts = self.measure("0.2", ANDES_WINDOWS="off")
        self.assertEqual(found["phase/send"]["visits"], sends)
        self.assertEqual(found["phase/send/append"]["visits"], 2 * sends)
        self.assertEqual(found["other_phase/append"]["visits"], others)
        self.assertNotIn("windows", facts)

    def test_threads_that_come_and_go(self):
        """What is closed, and when, is decided for all of them; thread sanitizer looks at what they read of each other."""
        for window_thread in "on", "off":
            (phases, _, _, _), found, _ = self.measure("2", "3", ANDES_WINDOW_THREAD=window_thread)
            self.assertEqual(found["phase"]["visits"], phases)
            self.assertEqual(found["other_phase"]["visits"], phases)

    def test_without_a_thread_of_its_own(self):
        """Slow visits open windows: of `deliver`, and of what is still counted. The tree stays whole."""
        (phases, _, _, _), found, facts = self.measure("0.5", ANDES_WINDOW_THREAD="off")
        self.assertEqual(found["phase"]["visits"], phases)
        self.assertEqual(found["other_phase"]["visits"], phases)
        self.assertNotIn("window_thread_ns", facts)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
