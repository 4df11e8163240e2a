"""andes diagnose on made-up runs: four ranks, three of which wait 0.9 s in MPI_Bcast for rank 0; T is
3.25 s (tests/postproc/run_maker.h)."""

import json
import os
import subprocess

from support.build import BUILD
from support.command_line import CommandTest, main

MAKE_RUNS = os.path.join(BUILD, "tests", "make_runs")
CAUSE = {"name": "late_broadcast", "title": "Late broadcast", "description": "Ranks wait.",
         "advice": "Enter it earlier."}
WAITS = {"cause": "late_broadcast", "path": 3, "wait_s": [0, 0.9, 0.9, 0.9], "peer_path": 3,
         "peer_rank": 0, "events": 3}


class Diagnose(CommandTest):
    def setUp(self):
        super().setUp()
        self.make({"file": "a.andes", "ranks": 4, "causes": [CAUSE], "waits": [WAITS]},
                  {"file": "plain.andes", "ranks": 4})

    def make(self, *specs):
        subprocess.run([MAKE_RUNS], cwd=self.work, input=json.dumps(specs), text=True, check=True)

    def diagnosed(self, *words):
        return json.loads(self.succeeds("diagnose", "--json", *words).stdout)

    def test_json_of_one_run(self):
        shown = self.diagnosed("a.andes")
        self.assertEqual(shown["schema"], 1)
        (finding,) = shown["findings"]
        self.assertEqual(finding["cause"], "late_broadcast")
        self.assertAlmostEqual(finding["severity_s"], 2.7)
        self.assertAlmostEqual(finding["percent"], 270 / 13)
        self.assertEqual(finding["gain_s"]["low"], 0)
        self.assertAlmostEqual(finding["gain_s"]["high"], 0.675)  # 3.25 less the mean of what they do
        self.assertEqual(finding["path"], ["main", "MPI_Bcast"])
        self.assertEqual(finding["peer_path"], ["main", "MPI_Bcast"])
        self.assertEqual(finding["ranks"], [{"rank": r, "wait_s": 0.9} for r in (1, 2, 3)])
        self.assertEqual(finding["advice"], "Enter it earlier.")
        self.assertTrue(shown["measured"])

    def test_json_of_several_runs(self):
        shown = self.diagnosed("a.andes", "plain.andes")
        self.assertEqual(shown["schema"], 1)
        self.assertNotIn("findings", shown)
        self.assertEqual([run["run"]["file"] for run in shown["runs"]], ["a.andes", "plain.andes"])
        self.assertEqual([len(run["findings"]) for run in shown["runs"]], [1, 0])
        self.assertFalse(shown["runs"][1]["measured"])
        self.assertEqual(len(self.diagnosed(".")["runs"]), 2)

    def test_text(self):
        text = self.succeeds("diagnose", "a.andes", COLUMNS="200").stdout
        self.assertIn(" 1  Late broadcast: 20.8 % of p x T (2.70 s in 3 waits); T would shrink by 0 to "
                      "0.675 s\n", text)
        self.assertIn("    where    main > MPI_Bcast (jacobi.c:10)\n", text)
        self.assertIn("    for      main > MPI_Bcast (jacobi.c:10), 2.70 s, most with rank 0\n", text)
        self.assertIn("    advice   Enter it earlier.\n", text)
        self.assertEqual(self.succeeds("diagnose", "a.andes", COLUMNS="200").stdout, text)

    def test_widths(self):
        for width in 80, 120:
            text = self.succeeds("diagnose", "a.andes", "plain.andes", COLUMNS=str(width)).stdout
            self.assertLessEqual(max(len(line) for line in text.splitlines()), width)

    def test_threshold(self):
        self.assertEqual(self.diagnosed("a.andes", "--threshold", "50")["findings"], [])
        self.assertEqual(self.diagnosed("a.andes", "--threshold", "50")["below_threshold"]["findings"], 1)
        self.assertEqual(len(self.diagnosed("a.andes", "--all")["findings"]), 1)
        text = self.succeeds("diagnose", "a.andes", "--threshold", "50").stdout
        self.assertIn("No cause above 50 % of p x T.\n1 finding below 50 % of p x T, 20.8 % together", text)

    def test_not_measured(self):
        text = self.succeeds("diagnose", "plain.andes", COLUMNS="200").stdout
        self.assertIn("! Wait states were not measured: the run has no data about them.\n", text)
        self.assertNotIn("No cause", text)

    def test_bad_input(self):
        self.refused("none.andes: no such file or directory; name run files or directories of run files",
                     "diagnose", "none.andes")
        os.mkdir(os.path.join(self.work, "empty"))
        self.refused("empty: it contains no run files (*.andes); andes run writes them", "diagnose", "empty")
        self.write("bad.andes", "no run")
        self.refused("bad.andes: not a run file; andes run writes run files, named *.andes",
                     "diagnose", "bad.andes")
        self.refused("diagnose: the argument runs is missing; andes diagnose --help lists the options", "diagnose")
        self.refused("diagnos: no such command; did you mean diagnose? (andes --help lists them)",
                     "diagnos", "a.andes")

    def test_bad_run_among_good_ones(self):
        self.write("bad.andes", "no run")
        done = self.succeeds("diagnose", "--json", "a.andes", "bad.andes")
        self.assertEqual(done.stderr, "andes: bad.andes: not a run file; skipped\n")
        self.assertEqual(len(json.loads(done.stdout)["findings"]), 1)


if __name__ == "__main__":
    main()
