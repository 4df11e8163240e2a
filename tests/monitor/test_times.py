"""Times that the monitor states against those of the same work without probes, and what it says of
call paths that it does not time at every visit. Usage: test_times.py SMALL LIBANDES [unittest
arguments]. A run counts only if two stretches of plain work in it took the same time to 1 %: on a
machine too busy for five such runs nothing is said about times."""
import os
import statistics
import subprocess
import sys
import unittest

from support.folder import InFolder
from support.run_file import RunFile

SMALL, LIBANDES = (os.path.abspath(path) for path in sys.argv[1:3])
TURNS, STEPS = 400, 150  # small.c
VISITS = {"all": TURNS, "step": TURNS * STEPS, "leaf": 2 * TURNS * STEPS}
QUIET_RUNS, ATTEMPTS = 5, 25


class Times(InFolder):
    def setUp(self):
        super().setUp()
        self.out = self.path("run.andes")

    def measure(self, **settings):
        """Plain times of the two stretches, {region: {metric: sum}}, and the facts of the run."""
        if os.path.exists(self.out):
            os.remove(self.out)
        environment = dict(os.environ, LD_PRELOAD=LIBANDES, ANDES_OUT=self.out, **settings)
        done = subprocess.run(["/bin/sh", "-c", 'ANDES_PID=$$ exec "$1"', "sh", SMALL], text=True,
                              env=environment, capture_output=True, timeout=600, check=True)
        self.assertEqual(done.stderr, "")
        run = RunFile(self.out)
        return [float(word) for word in done.stdout.split()[:2]], run.totals_by_region(), run.facts

    def ratio_of_times(self, **settings):
        """Median over quiet runs of stated : plain time of the same work."""
        ratios = []
        for _ in range(ATTEMPTS):
            (plain, again), found, _ = self.measure(**settings)
            if abs(again / plain - 1) < 0.01:
                ratios.append(found["all"]["inclusive_ns"] / ((plain + again) / 2))
            if len(ratios) == QUIET_RUNS:
                return statistics.median(ratios)
        self.skipTest(f"the machine is too busy: {len(ratios)} of {ATTEMPTS} runs were quiet")

    def assert_times_are_those_without_probes(self, **settings):
        """What is wrong with the stated times is so in all medians, what others do to the machine is not."""
        ratios = []
        while len(ratios) < 3:
            ratios.append(self.ratio_of_times(**settings))
            if abs(ratios[-1] - 1) <= 0.03:
                return
        self.fail(f"stated : plain time is {ratios}, not 1 +- 0.03")

    def test_exact_times_are_those_without_probes(self):
        self.assert_times_are_those_without_probes(ANDES_BUDGET_PERCENT="0")

    def test_governed_times_are_those_without_probes(self):
        self.assert_times_are_those_without_probes()

    def test_without_a_budget_every_visit_is_counted_and_timed(self):
        _, found, facts = self.measure(ANDES_BUDGET_PERCENT="0")
        for region, visits in VISITS.items():
            self.assertEqual(found[region]["visits"], visits)
            self.assertNotIn("sampled_visits", found[region])
        self.assertEqual(facts["budget_percent"], 0)

    def test_sampled_visits_are_all_counted_and_few_are_timed(self):
        _, found, facts = self.measure(ANDES_BUDGET_PERCENT="0.01", ANDES_WINDOWS="off")
        for region, visits in VISITS.items():
            self.assertEqual(found[region]["visits"], visits)
            self.assertNotIn("visits_above2", found[region])
            self.assertNotIn("visits_cost_above", found[region])
        for region in ("step", "leaf"):
            self.assertGreater(found[region]["sampled_visits"], VISITS[region] / 2)
            self.assertLess(found[region]["timed_visits"], found[region]["sampled_visits"] / 4)
        if facts["clock"] == "tsc":  # long: its probes cost nothing, while those that call for the clock exceed that budget
            self.assertNotIn("sampled_visits", found["all"])

    def test_what_is_too_hot_to_count_is_seen_in_windows(self):
        _, found, _ = self.measure(ANDES_BUDGET_PERCENT="0.01")
        self.assertIn("sampled_visits", found["leaf"])
        self.assertEqual(found["all"]["visits"], VISITS["all"])
        for region in VISITS:
            self.assertNotIn("muted", found[region])

    def test_probes_are_calibrated_while_the_program_runs(self):
        _, _, facts = self.measure()
        if facts["clock"] != "tsc":  # one takes ten times as long there, and they have a part of the budget
            _, _, facts = self.measure(ANDES_BUDGET_PERCENT="10")
        self.assertGreater(facts["calibrations"], 3)
        _, _, facts = self.measure(ANDES_BUDGET_PERCENT="0")
        self.assertEqual(facts["calibrations"], 2)  # at the start and at the end

    def test_the_cost_of_probes_is_stated(self):
        _, found, facts = self.measure(ANDES_BUDGET_PERCENT="0")
        stated = found["(andes)"]["inclusive_ns"]
        visits = sum(VISITS.values())
        self.assertGreater(facts["probe_ns"], facts["sampled_probe_ns"])
        # The functions of small.c last much longer than a pair of probes: half way from the least to the most.
        costs = [facts["probe%s_ns" % among] for among in ("", "_dependent", "_busy")]
        pair_ns = (min(costs) + max(costs)) / 2
        self.assertAlmostEqual(stated, visits * pair_ns, delta=0.1 * stated)
        self.assertGreater(facts["tool_error_ns"], 0)
        self.assertLessEqual(facts["tool_error_ns"], stated)
        self.assertEqual(facts["budget_percent"], 0)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
