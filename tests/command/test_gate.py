"""andes gate with pretended launchers, whose runs have T = 1 s + half of the word parallel=SECONDS: order, verdicts,
formats, refusals."""

import json
import os
import shutil
import subprocess
import unittest
import xml.etree.ElementTree as XML

from support.build import BUILD, SOURCE
from support.command_line import CommandTest, main

SAME, SLOWER = "parallel=9", "parallel=9.66"  # T = 5.5 and 5.83 s
MAKE_RUNS = os.path.join(BUILD, "tests", "make_runs")
COMMAND = ["--", "mpirun", "-n", "{p}", "./prog", "{exe}"]
SCHEMA = os.path.join(SOURCE, "tests", "command", "junit.xsd")


class Gate(CommandTest):
    def setUp(self):
        super().setUp()
        self.launcher()

    def gate(self, base, new, *options, status, **env):
        return self.succeeds("gate", "--base", base, "--new", new, "--ranks", "2", *options, *COMMAND, status=status,
                             FAKE_MAKE_RUNS=MAKE_RUNS, **env)

    def check_junit(self, text, tests, failures, errors, skipped):
        suite = XML.fromstring(text).find("testsuite")
        self.assertEqual([int(suite.get(name)) for name in ("tests", "failures", "errors", "skipped")],
                         [tests, failures, errors, skipped])
        self.assertEqual(len(suite.findall("testcase")), tests)
        self.assertEqual(len(suite.findall("testcase/failure")), failures)
        self.assertEqual(len(suite.findall("testcase/error")), errors)
        self.assertEqual(len(suite.findall("testcase/skipped")), skipped)
        if shutil.which("xmllint"):
            subprocess.run(["xmllint", "--noout", "--schema", SCHEMA, "-"], input=text, text=True, check=True,
                           capture_output=True, timeout=600)

    def test_regression(self):
        """In pairs, base new, new base; every format says the same, and so does a gate of the runs that are kept."""
        done = self.gate(SAME, SLOWER, "--write", "gate.xml", "--write", "gate.md", "--write", "gate.json", status=1)
        self.assertEqual([call["argv"] for call in self.calls() if "./prog" in call["argv"]],
                         [["-n", "2", "./prog", exe] for exe in [SAME, SLOWER, SLOWER, SAME] * 4])
        self.assertEqual(self.files(), ["runs/prog-001-gate/%s/p2.%03d.andes" % (build, number)
                                        for build in ("base", "new") for number in range(1, 9)])
        self.assertIn("12 pairs for 95 % power at 6 % more time", done.stderr)
        self.assertIn("Gate of jacobi: regression", done.stdout)
        self.assertIn("T +6.0 %", done.stdout)
        with open(os.path.join(self.work, "gate.json"), encoding="utf-8") as file:
            document = file.read()
        point, = json.loads(document)["points"]
        self.assertEqual((point["verdict"], len(point["pairs"]), point["pairs_asked"]), ("regression", 8, 12))
        self.assertAlmostEqual(point["change_percent"]["median"], 6, places=6)
        self.assertEqual(point["callpaths"][0]["path"], ["main", "work", "sweep"])
        self.assertEqual(point["callpaths"][0]["term"], "computation")
        with open(os.path.join(self.work, "gate.xml"), encoding="utf-8") as file:
            self.check_junit(file.read(), 1, 1, 0, 0)
        with open(os.path.join(self.work, "gate.md"), encoding="utf-8") as file:
            self.assertIn("slower than the tolerance", file.read())
        kept = ["--base", "runs/prog-001-gate/base", "--new", "runs/prog-001-gate/new"]
        self.assertEqual(self.succeeds("gate", *kept, "--json", status=1).stdout, document)
        self.assertEqual(self.succeeds("gate", *kept, "--tolerance", "10%", "--json", status=0).stdout.count(
            "no_regression"), 3)

    def test_undecided(self):
        """The budget has no room for six pairs; what the programs print is not in the result."""
        done = self.gate(SAME, SAME, "--budget", "0.01s", "--junit", "-o", "kept", status=3)
        self.check_junit(done.stdout, 1, 0, 0, 1)
        self.assertTrue(os.path.exists(os.path.join(self.work, "kept", "output.log")))
        self.refused("kept: exists already and is not overwritten; name another directory", "gate", "--base", SAME,
                     "--new", SAME, "--ranks", "2", "-o", "kept", *COMMAND)

    def test_oversubscribed(self):
        """More ranks than cores: the first pair tells that none would decide, unless that is accepted."""
        words = ["gate", "--base", SAME, "--new", SLOWER, "--ranks", "80"]
        done = self.succeeds(*words, *COMMAND, status=3, FAKE_MAKE_RUNS=MAKE_RUNS)
        self.assertEqual(len([call for call in self.calls() if "./prog" in call["argv"]]), 2)
        self.assertIn("p = 80: more ranks than cores, so no pairs would decide: no more of them", done.stderr)
        self.assertIn("Undecided, whatever the pairs say: more ranks than cores", done.stdout)
        self.assertNotIn("No verdict is possible", done.stdout)
        done = self.succeeds(*words, "--oversubscribed-ok", *COMMAND, status=0, FAKE_MAKE_RUNS=MAKE_RUNS)
        self.assertIn("8 pairs", done.stdout)  # T = 1.1125 and 1.12075 s

    def test_untouched(self):
        """A name that no region has is said."""
        done = self.gate(SAME, SLOWER, "--untouched", "setpu", "--untouched", "setup", status=1)
        self.assertIn("Note: --untouched setpu: no region of the runs has this name.", done.stdout)
        self.assertIn("Watched: call paths that the change cannot have touched", done.stdout)

    def test_baselines(self):
        """Kept under a name, compared run by run with a note, the newest three of a name."""
        self.succeeds("gate", "--new", SAME, "--save", "main", "--runs", "8", "--ranks", "2", *COMMAND,
                      FAKE_MAKE_RUNS=MAKE_RUNS)
        kept = ".andes/baselines/main/001/"
        names = ["p2.%03d.andes" % number for number in range(1, 9)]
        self.assertEqual([name for name in self.files() if name.startswith(".andes")], [kept + name for name in names])
        done = self.gate("@main", SLOWER, "--save", "main", status=1)
        self.assertIn("@main: a kept series is compared run by run, not in pairs", done.stderr)
        self.assertIn("--save main: nothing is kept of a regression", done.stderr)
        runs = [call["argv"] for call in self.calls() if "./prog" in call["argv"]]
        self.assertEqual(runs, [["-n", "2", "./prog", exe] for exe in [SAME] * 8 + [SLOWER] * 8])
        # A kept series as the newer side: of runs that there are, not of those to be made.
        shutil.copytree(os.path.join(self.work, "runs/prog-002-gate/new"),
                        os.path.join(self.work, ".andes/baselines/slow/001"))
        for base, newer, status in (("@main", "@slow", 1), ("@slow", "@main", 0), (kept, "@slow", 1)):
            done = self.succeeds("gate", "--base", base, "--new", newer, status=status)
            self.assertIn("a kept series is compared run by run, not in pairs", done.stderr)
        self.refused("--new @slow: a kept series is no program to run; give it as --base, or leave out the command to "
                     "compare it with other runs", "gate", "--base", SAME, "--new", "@slow", "--ranks", "2", *COMMAND)
        self.refused("@none: there is no baseline of this name in .andes/baselines; there are main, slow; andes gate "
                     "--save none keeps one", "gate", "--base", "@main", "--new", "@none")
        shutil.rmtree(os.path.join(self.work, ".andes/baselines/slow"))
        # Series that are there already: the oldest go when the next one is kept; other files stay.
        for number in ("002", "003", "007"):
            shutil.copytree(os.path.join(self.work, kept), os.path.join(self.work, ".andes/baselines/main", number))
        self.write(".andes/baselines/main/001/note.txt", "mine")
        self.succeeds("gate", "--new", SAME, "--save", "main", "--runs", "1", "--ranks", "2", *COMMAND,
                      FAKE_MAKE_RUNS=MAKE_RUNS)
        place = os.path.join(self.work, ".andes/baselines/main")
        self.assertEqual(sorted(os.listdir(place)), ["001", "003", "007", "008"])
        self.assertEqual(os.listdir(os.path.join(place, "001")), ["note.txt"])
        self.refused("@none: there is no baseline of this name in .andes/baselines; there are main; andes gate --save none "
                     "keeps one", "gate", "--base", "@none", "--new", SAME, *COMMAND)
        self.refused("@main: no run of it has 4 ranks; give --ranks 2, or keep a series of this size", "gate", "--base",
                     "@main", "--new", SAME, "--ranks", "4", *COMMAND)
        self.refused("--save a/b: cannot be the name of a baseline; give a word like main", "gate", "--new", SAME,
                     "--save", "a/b", *COMMAND)
        self.refused("gate: there is no --base; name the older build, @NAME for a kept series, or --save NAME to keep one",
                     "gate", "--new", SAME, *COMMAND)

    def test_could_not_run(self):
        done = self.gate(SAME, SAME, "--junit", status=4, FAKE_STATUS="3", FAKE_NO_FILE="1")
        self.check_junit(done.stdout, 1, 0, 1, 0)
        self.assertIn("p = 2: the older build could not be run", done.stdout)
        self.assertEqual("Gate of prog: not run\n  Not complete: p = 2: the older build could not be run.\n",
                         self.gate(SAME, SAME, status=4, FAKE_STATUS="3", FAKE_NO_FILE="1").stdout)
        self.assertEqual(len([call for call in self.calls() if "./prog" in call["argv"]]), 6)  # three each
        done = self.gate(SAME, SAME, "--json", status=4, FAKE_STATUS="3", FAKE_NO_FILE="1")
        self.assertEqual(json.loads(done.stdout)["verdict"], "not_run")

    def test_regression_beside_trouble(self):
        """A regression of one size is one, though another size could not be run; without one that is no verdict."""
        words = ["gate", "--base", SAME, "--new", SLOWER, "--ranks", "2,4", "--json"]
        fails = {"FAKE_MAKE_RUNS": MAKE_RUNS, "FAKE_STATUS": "3", "FAKE_FAIL_AT": "4"}
        document = json.loads(self.succeeds(*words, *COMMAND, status=1, **fails).stdout)
        self.assertEqual((document["verdict"], document["trouble"]),
                         ("regression", "p = 4: the older build could not be run"))
        document = json.loads(self.succeeds(*words, "--tolerance", "10%", *COMMAND, status=4, **fails).stdout)
        self.assertEqual((document["verdict"], document["trouble"], document["points"][0]["verdict"]),
                         ("undecided", "p = 4: the older build could not be run", "no_regression"))

    def test_bad_input(self):
        both = ["--base", SAME, "--new", SAME]
        self.refused("gate: the command has no {exe}; write it where the program belongs: mpirun -n {p} {exe} ARGUMENTS",
                     "gate", *both, "--ranks", "2", "--", "mpirun", "-n", "{p}", "./prog")
        self.refused("--tolerance 3: not a percentage above 0 and up to 100; write for example 3%", "gate", *both,
                     "--tolerance", "3", *COMMAND)
        self.refused("--budget 10: not a time in s, m or h; write for example 10m", "gate", *both, "--budget", "10",
                     "--ranks", "2", *COMMAND)
        self.refused("--write a.txt: its ending is no format; end it with .xml (JUnit), .json or .md (Markdown)", "gate",
                     *both, "--write", "a.txt", "--ranks", "2", *COMMAND)
        self.refused("run: the command has {p} but there is no --ranks; add for example --ranks 1,2,4", "gate", *both,
                     *COMMAND)
        done = self.andes("gate", *both, "--", "./none-{exe}")
        self.assertEqual((done.returncode, done.stdout, self.files()), (2, "", []))
        self.assertIn("andes: ./none-parallel=9: ", done.stderr)


if __name__ == "__main__":
    main()
