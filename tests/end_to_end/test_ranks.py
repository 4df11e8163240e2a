"""Where there is no room for the values of all ranks: what the run file keeps, and what show and
report say of it. imbalance.c without probes: rank r computes r + 2 steps and waits for the others in
a barrier, so rank 0 computes least and waits longest, the last rank the other way round."""

import json
import unittest

from support.build import ANDES
from support.commands import command
from support.end_to_end import EndToEnd
from support.programs import KINDS, launcher, polling, program
from support.run_file import RunFile

RANKS = 6


class Ranks(EndToEnd):

    def run_file(self, kind, **settings):
        out = "%s/%s%d.andes" % (self.folder, kind, len(settings))
        words = [word for key, value in settings.items() for word in ("--set", key + "=" + value)]
        command([ANDES, "run", "-o", out, *words, "--", *launcher(kind, RANKS),
                 program(kind, "imbalance", "plain"), "20"], cwd=self.folder, LD_PRELOAD=polling(kind))
        return out

    def check_telling(self, kind):
        out = self.run_file(kind, columns_mb="0")
        run = RunFile(out)
        self.assertEqual(run.facts["columns"], "telling")
        self.assertEqual(run.facts["ranks"], RANKS)
        kept = [l["rank"] for l in run.locations.values() if l["has_values"]]
        # Besides the two: the first and the last one to arrive at the end, which may be any.
        self.assertTrue({0, RANKS - 1} <= set(kept), kept)
        self.assertLessEqual(len(kept), 4)
        for values in run.values.values():
            self.assertTrue(all(run.locations[l]["rank"] in kept for l in values))
        # The statistics are over all ranks all the same.
        root = run.statistics[(0, run.metrics["computation_ns"])]
        computed = [l["compute_ns"] for l in run.locations.values()]
        self.assertAlmostEqual(root["sum"], sum(computed), delta=RANKS)  # rounded to whole ns
        self.assertAlmostEqual(root["max"], max(computed), delta=2)
        self.assertAlmostEqual(root["min"], min(computed), delta=2)
        self.assertEqual((root["min_rank"], root["max_rank"]), (0, RANKS - 1))

        text = command([ANDES, "show", out]).stdout
        self.assertIn("a few ranks only, the extremes among them (setting columns_mb)", " ".join(text.split()))
        self.assertIn("a few ranks only, the extremes among them (setting columns_mb)",
                      " ".join(command([ANDES, "report", out]).stdout.split()))
        self.assertIn("kept_ranks", [w["id"] for w in self.report(out)["warnings"]])
        shown = json.loads(command([ANDES, "show", "--json", out]).stdout)
        self.assertEqual([r["has_values"] for r in shown["ranks"]],
                         [rank in kept for rank in range(RANKS)])
        one = json.loads(command([ANDES, "show", "--json", "--rank", "0", out]).stdout)
        self.assertAlmostEqual(one["callpaths"][0]["inclusive_s"],
                               1e-9 * run.location(0)["wall_ns"], places=7)
        without = next(rank for rank in range(RANKS) if rank not in kept)
        refused = command([ANDES, "show", "--rank", str(without), out], check=2)
        self.assertIn("rank %d alone are not kept" % without, refused.stderr)
        self.assertIn(", ".join(map(str, kept)), refused.stderr)

    def test_kept_ranks(self):
        for kind in KINDS:
            with self.subTest(kind=kind):
                self.timed(self.check_telling, kind)

    def test_all_ranks(self):
        for kind in KINDS:
            with self.subTest(kind=kind):
                out = self.run_file(kind)
                run = RunFile(out)
                self.assertEqual(run.facts["columns"], "all")
                self.assertTrue(all(l["has_values"] for l in run.locations.values()))
                self.assertNotIn("columns_mb", command([ANDES, "show", out]).stdout)
                self.assertNotIn("kept_ranks", [w["id"] for w in self.report(out)["warnings"]])

    def test_columns_of_numbers(self):
        """The values in columns are those of the plain table, times rounded to floats."""
        out = self.run_file(KINDS[0], table_values="0")
        run = RunFile(out)
        for rank in range(RANKS):
            place = run.location(rank)
            inclusive = run.values[(0, run.metrics["inclusive_ns"])][place["id"]]
            self.assertAlmostEqual(inclusive, place["wall_ns"], delta=6e-8 * place["wall_ns"] + 2)
            self.assertEqual(run.values[(0, run.metrics["visits"])][place["id"]], 1)


if __name__ == "__main__":
    unittest.main()
