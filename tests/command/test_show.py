"""andes show on made-up runs: four ranks, 1 s of setup on rank 0 while three wait in MPI_Bcast, then
2.25 s of sweep each (tests/postproc/run_maker.h)."""

import csv
import fcntl
import io
import json
import os
import pty
import struct
import subprocess
import termios

from support.build import ANDES, BUILD
from support.command_line import TIMEOUT_S, CommandTest, main

MAKE_RUNS = os.path.join(BUILD, "tests", "make_runs")


class Show(CommandTest):
    def setUp(self):
        super().setUp()
        self.make({"file": "a.andes", "ranks": 4})

    def make(self, *specs):
        subprocess.run([MAKE_RUNS], cwd=self.work, input=json.dumps(specs), text=True, check=True)

    def show(self, *words):
        return json.loads(self.succeeds("show", "--json", *words).stdout)

    def on_terminal(self, columns, *words, lines=24, **env):
        """What andes prints on a terminal of so many columns and lines."""
        master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        environment = self.environment(**{"TERM": "xterm", "LC_ALL": "C.UTF-8", "ANDES_PAGER": "cat", **env})
        process = subprocess.Popen([ANDES, *words], stdout=slave, cwd=self.work,
                                   env=environment)
        os.close(slave)
        text = b""
        try:
            while part := os.read(master, 65536):
                text += part
        except OSError:  # the other end is closed: all was read
            pass
        os.close(master)
        self.assertEqual(process.wait(TIMEOUT_S), 0)
        return text.decode().replace("\r\n", "\n")

    def test_who_waited_for_whom(self):
        """By pair of ranks, over all causes and call paths; also of chosen ranks; files of before have nothing of it."""
        self.assertNotIn("wait_matrix", self.show("a.andes"))
        self.make({"file": "w.andes", "ranks": 4, "waits": [
            {"cause": "late_broadcast", "path": 3, "wait_s": [0, 0.5, 0.25, 0], "peer_path": 2, "peer_rank": 0},
            {"cause": "late_sender", "path": 3, "wait_s": [0, 0.125, 0, 0.0625], "peer_path": 2, "peer_rank": 2},
            {"cause": "late_sender", "path": 2, "wait_s": [0, 0.25, 0, 0], "peer_path": 2, "peer_rank": 2},
            {"cause": "late_sender", "path": 2, "wait_s": [0, 0, 0, 0.5]}]})
        self.assertEqual(self.show("w.andes")["wait_matrix"], {
            "rank": [1, 1, 2, 3, 3], "peer_rank": [0, 2, 0, None, 2], "wait_s": [0.5, 0.375, 0.25, 0.5, 0.0625]})
        self.assertEqual(self.show("w.andes", "--rank", "2,3")["wait_matrix"], {
            "rank": [2, 3, 3], "peer_rank": [0, None, 2], "wait_s": [0.25, 0.5, 0.0625]})

    def test_long_text_goes_through_the_pager(self):
        paged = os.path.join(self.work, "paged")
        pager = {"ANDES_PAGER": "tr a-z A-Z | tee paged", "PAGER": "false"}
        shown = self.on_terminal(100, "show", "a.andes", lines=5, **pager)
        with open(paged, encoding="utf-8") as text:
            self.assertEqual(text.read(), shown)
        self.assertIn("(PROGRAM)", shown)
        os.remove(paged)
        self.on_terminal(100, "show", "a.andes", lines=60, **pager)  # it fits
        self.on_terminal(100, "--no-pager", "show", "a.andes", lines=5, **pager)
        self.on_terminal(100, "show", "a.andes", "--no-pager", lines=5, **pager)
        self.succeeds("show", "a.andes", **pager)  # no terminal
        self.assertFalse(os.path.exists(paged))
        for other in ({"ANDES_PAGER": "no-such-pager -x"}, {"ANDES_PAGER": ""}):
            self.assertIn("(program)", self.on_terminal(100, "show", "a.andes", lines=5, **other))
        # Who leaves the pager before the end has seen enough.
        self.assertIn("jacobi", self.on_terminal(100, "show", "a.andes", lines=5, ANDES_PAGER="head -n 1"))

    def test_json(self):
        shown = self.show("a.andes")
        self.assertEqual(shown["schema"], 1)
        self.assertEqual((shown["run"]["program"], shown["run"]["ranks"], shown["run"]["wall_s"]),
                         ("jacobi", 4, 3.25))
        self.assertEqual(shown["ranks"][1]["compute_s"], 2.25)
        self.assertEqual(shown["ranks"][1]["communication_s"], 1.0)
        self.assertNotIn("idle_s", shown["ranks"][1])
        paths = {tuple(c["path"]): c for c in shown["callpaths"]}
        root = paths["(program)",]
        self.assertEqual((root["id"], root["parent"]), (0, None))
        self.assertEqual(paths["main",]["parent"], 0)
        broadcast = paths["main", "MPI_Bcast"]
        self.assertEqual(broadcast["visits"], 4)
        self.assertEqual(broadcast["inclusive_s"], 3.0)  # sum over ranks
        self.assertEqual(broadcast["exclusive_s"], 3.0)
        self.assertEqual((broadcast["mean_s"], broadcast["max_s"]), (0.75, 1.0))
        self.assertEqual((broadcast["bytes_sent"], broadcast["bytes_received"]), (800, 2400))
        self.assertNotIn("load_balance", broadcast)  # no time outside MPI
        self.assertNotIn("file", broadcast)
        setup = paths["main", "setup"]
        self.assertEqual(setup["load_balance"], 0.25)
        self.assertEqual((setup["file"], setup["line"], setup["kind"]), ("jacobi.c", 3, "function"))
        self.assertAlmostEqual(paths["main",]["load_balance"], 2.5 / 3.25)

    def test_ranks_from_both_ways_of_storing_values(self):
        self.make({"file": "columns.andes", "ranks": 4, "table_values": 0})
        for name in "a.andes", "columns.andes":
            one = self.show(name, "--rank", "1")
            self.assertEqual([r["rank"] for r in one["ranks"]], [1])
            paths = {tuple(c["path"]): c for c in one["callpaths"]}
            self.assertNotIn(("main", "setup"), paths)
            self.assertAlmostEqual(paths["main",]["inclusive_s"], 3.25, places=6)  # maybe a float
            two = self.show(name, "--rank", "0,1")
            paths = {tuple(c["path"]): c for c in two["callpaths"]}
            self.assertEqual(paths["main", "setup"]["mean_s"], 0.5)
        self.refused("a.andes: it has no rank 4; its ranks are 0 to 3",
                     "show", "a.andes", "--rank", "4")

    def test_csv(self):
        rows = list(csv.DictReader(io.StringIO(self.succeeds("show", "--csv", "a.andes").stdout)))
        self.assertEqual([row["path"] for row in rows][:2], ["(program)", "main"])
        self.assertEqual(rows[3]["bytes_received"], "2400")

    def test_flat(self):
        shown = self.show("--flat", "a.andes")
        self.assertEqual(shown["ranks"][1]["compute_s"], 2.25)
        functions = {f["name"]: f for f in shown["functions"]}
        self.assertEqual(shown["functions"][0]["name"], "sweep")  # 4 x 2.25 s
        self.assertEqual((functions["sweep"]["exclusive_s"], functions["sweep"]["file"]), (9.0, "jacobi.c"))
        broadcast = functions["MPI_Bcast"]
        self.assertEqual((broadcast["visits"], broadcast["inclusive_s"]), (4, 3.0))
        self.assertEqual(broadcast["inclusive_per_visit_s"], 0.75)
        self.assertAlmostEqual(sum(f["exclusive_s"] for f in shown["functions"]), 13.0)  # p x T
        self.assertAlmostEqual(sum(f["exclusive_s"] for f in shown["files"]), 13.0)
        groups = {g["kind"]: g for g in shown["groups"]}
        self.assertEqual((groups["source"]["bytes_sent"], groups["source"]["bytes_received"]), (800, 2400))
        one = {f["name"]: f for f in self.show("--flat", "--rank", "1", "a.andes")["functions"]}
        self.assertNotIn("setup", one)
        self.assertEqual(one["MPI_Bcast"]["inclusive_s"], 1.0)
        tables = self.succeeds("show", "--flat", "--csv", "a.andes").stdout.split("\n\n")
        self.assertEqual([next(csv.reader([table]))[0] for table in (t.splitlines()[0] for t in tables)],
                         ["name", "file", "kind"])
        rows = {row["name"]: row for row in csv.DictReader(io.StringIO(tables[0]))}
        self.assertEqual(rows["setup"]["exclusive_s"], "1")
        text = self.succeeds("show", "--flat", "a.andes").stdout
        for title in ("Functions:", "Files:", "Groups of calls of MPI, and of input and output:"):
            self.assertIn(title, text)
        self.assertLess(text.index("sweep"), text.index("setup"))

    def test_callers_and_callees(self):
        setup, = self.show("--function", "setup", "a.andes")["functions"]
        self.assertEqual([(c["name"], c["time_share_percent"], c["visits_share_percent"]) for c in setup["callers"]],
                         [("main", 100.0, 100.0)])
        self.assertEqual(setup["callees"], [])
        rows = list(csv.DictReader(io.StringIO(self.succeeds("show", "--function", "work", "--csv", "a.andes").stdout)))
        self.assertEqual([(row["relation"], row["name"]) for row in rows],
                         [("caller", "main"), ("function", "work"), ("callee", "sweep")])
        lines = self.succeeds("show", "--function", "work", "a.andes").stdout.splitlines()
        block = [line.split()[:2] for line in lines if line.split()[:1] in (["caller"], ["function"], ["callee"])]
        self.assertEqual(block[1:], [["caller", "main"], ["function", "work"], ["callee", "sweep"]])
        self.refused("a.andes: it has no function swep; did you mean sweep?", "show", "--function", "swep", "a.andes")

    def test_format_names_what_its_short_forms_do(self):
        for command in ("show", "report", "diagnose"):
            text, *others = self.formats(command)
            self.assertIn("json", others)
            for name in others:
                self.assertEqual(self.succeeds(command, "--format", name, "a.andes").stdout,
                                 self.succeeds(command, "--" + name, "a.andes").stdout)
            self.assertEqual(self.succeeds(command, "--format=" + text, "a.andes").stdout,
                             self.succeeds(command, "a.andes").stdout)
            self.refused("%s: --format: xml is not an output format; give %s; andes %s --help lists the options"
                         % (command, " or ".join(self.formats(command, binary=True)), command), command, "--format", "xml", "a.andes")

    def make_sampled(self, name, **facts):
        """Sweep (path 5): 8 s in all, sampled; muted on rank 0. The ends are 0.1 s below, from 0.06
        and 0.08 s of two ranks, and 0.5 s above, from 0.3 and 0.4 s; work (path 4) keeps 1 s."""
        def squares(*seconds):
            return [(s * 1e9) ** 2 for s in seconds]
        columns = {"inclusive_ns": [2e9] * 4, "exclusive_ns": [2e9] * 4, "visits": [1000] * 4,
                   "sampled_visits": [900] * 4, "timed_visits": [90] * 4, "muted": [1, 0, 0, 0],
                   "below_ns2": squares(0.06, 0.08, 0, 0), "above_ns2": squares(0.3, 0.4, 0, 0)}
        values = [{"path": 5, "metric": m, "values": v} for m, v in columns.items()]
        values.append({"path": 4, "metric": "exclusive_ns", "values": [0.25e9] * 4})
        self.make({"file": name, "ranks": 4, "values": values,
                   "facts": {"budget_percent": 1.0, "probe_ns": 17.5, **facts}})

    def test_json_of_estimates(self):
        self.make_sampled("s.andes", tool_error_ns=130000000.0, window_thread_ns=65000000.0)
        shown = self.show("s.andes")
        paths = {tuple(c["path"]): c for c in shown["callpaths"]}
        sweep = paths["main", "work", "sweep"]
        self.assertIs(sweep["estimated"], True)
        self.assertIs(sweep["reliable"], True)
        self.assertIs(sweep["muted"], True)
        self.assertEqual((sweep["visits"], sweep["sampled_visits"], sweep["timed_visits"]),
                         (4000, 3600, 360))
        self.assertAlmostEqual(sweep["inclusive_s_low"], 7.9)
        self.assertAlmostEqual(sweep["inclusive_s_high"], 8.5)
        work = paths["main", "work"]
        self.assertIs(work["estimated"], False)
        self.assertAlmostEqual(work["exclusive_s_low"], 0.5)
        self.assertAlmostEqual(work["exclusive_s_high"], 1.1)
        main = paths["main",]
        for key in ("inclusive_s_low", "sampled_visits", "timed_visits", "muted"):
            self.assertNotIn(key, work)
        for key in ("exclusive_s_low", "exclusive_s_high", "reliable", "muted"):
            self.assertNotIn(key, main)
        self.assertEqual(shown["run"]["budget_percent"], 1)
        self.assertEqual(shown["run"]["probe_ns"], 17.5)
        sampling = shown["sampling"]
        self.assertEqual((sampling["callpaths"], sampling["sampled"], sampling["unreliable"]),
                         (4, 1, 0))
        self.assertEqual(sampling["muted"], [{"name": "sweep", "selection": "exclude sweep"}])
        self.assertEqual((sampling["budget_percent"], sampling["tool_percent"]), (1, 0))
        self.assertAlmostEqual(sampling["tool_error_percent"], 1)  # 0.13 s of 13 s
        self.assertAlmostEqual(sampling["tool_thread_percent"], 0.5)
        self.assertNotIn("tree_bytes", sampling)
        self.assertNotIn("sampling", self.show("a.andes"))
        self.assertNotIn("estimated", self.show("a.andes")["callpaths"][0])

    def test_csv_of_estimates(self):
        self.make_sampled("s.andes")
        text = self.succeeds("show", "--csv", "s.andes").stdout
        self.assertTrue(text.startswith(self.succeeds("show", "--csv", "a.andes").stdout
                                        .splitlines()[0] + ",estimated,"), text)
        rows = {r["path"]: r for r in csv.DictReader(io.StringIO(text))}
        sweep, work = rows["main/work/sweep"], rows["main/work"]
        self.assertAlmostEqual(float(sweep["inclusive_s_low"]), 7.9)
        self.assertAlmostEqual(float(work["exclusive_s_high"]), 1.1)
        self.assertEqual([sweep[c] for c in ("estimated", "sampled_visits", "timed_visits",
                                             "reliable", "muted")], ["1", "3600", "360", "1", "1"])
        self.assertEqual([work[c] for c in ("estimated", "inclusive_s_low", "sampled_visits",
                                            "reliable", "muted")], ["0", "", "", "1", "0"])

    def test_estimates_fit_the_terminal(self):
        self.make_sampled("s.andes", tool_error_ns=130000000.0, tree_bytes=1234567)
        wide = self.on_terminal(120, "show", "s.andes", NO_COLOR="1")
        self.assertIn("[7.90, 8.50]", wide)
        narrow = self.on_terminal(80, "show", "s.andes", NO_COLOR="1")
        self.assertIn("+-%", narrow)
        for text, width in (wide, 120), (narrow, 80):
            self.assertLessEqual(max(map(len, text.splitlines())), width)
            self.assertIn("~8.00", text)
            self.assertIn(">=4000", text)
            self.assertIn("\n  exclude sweep\n", text)
        self.assertTrue(self.succeeds("show", "s.andes", LC_ALL="C").stdout.isascii())

    def test_text_in_a_pipe_is_plain_and_hundred_wide(self):
        text = self.succeeds("show", "a.andes", LC_ALL="C").stdout
        self.assertTrue(text.isascii())
        self.assertNotIn("\x1b", text)
        self.assertLessEqual(max(map(len, text.splitlines())), 100)
        self.assertIn("|-MPI_Bcast", text)
        self.assertIn("`-setup", text)

    def test_tree_is_cut_at_a_per_cent(self):
        text = self.succeeds("show", "--cut", "10", "a.andes").stdout
        self.assertNotIn("setup", text)
        self.assertIn("MPI_Bcast", text)
        self.assertIn("call paths not shown, each below 10 %: 1", text)

    def test_two_functions_of_one_name_have_their_places(self):
        """As the main of each program of a job has; the others have names alone."""
        self.make({"file": "two.andes", "ranks": 4, "renamed": {"setup": "work"}})
        text = self.succeeds("show", "two.andes", LC_ALL="C").stdout
        for line in ("  |-work (jacobi.c:5)   69.2 ", "  | `-sweep             69.2 ", "  `-work (jacobi.c:3)    7.7 ",
                     "`-main                 100.0 "):
            self.assertIn(line, text)
        # No more of the path than is needed, whether the other one is shown or not.
        far = {"setup": "/a/jacobi.c", "work": "/b/jacobi.c"}
        for name, files, first, second in (("far.andes", far, "work (/b/jacobi.c:5)", "work (/a/jacobi.c:3)"),
                                           ("near.andes", {**far, "work": "/b/other.c"}, "work (other.c:5)", "work (jacobi.c:3)")):
            self.make({"file": name, "ranks": 4, "renamed": {"setup": "work"}, "files": files})
            whole, cut = (self.succeeds("show", *words, name, LC_ALL="C").stdout for words in ((), ("--cut", "20")))
            self.assertIn("  |-" + first + " ", whole)
            self.assertIn("  `-" + second + " ", whole)
            self.assertIn("-" + first + " ", cut)
            self.assertNotIn(second, cut)

    def test_terminal_is_coloured_as_wide_as_it_is_and_respects_no_color(self):
        text = self.on_terminal(80, "show", "a.andes")
        self.assertIn("\x1b[", text)
        self.assertIn("\u2514", text)
        plain = self.on_terminal(80, "show", "a.andes", NO_COLOR="1")
        self.assertNotIn("\x1b", plain)
        self.assertLessEqual(max(map(len, plain.splitlines())), 80)

    def test_failed_run_says_so(self):
        self.make({"file": "failed.andes", "ranks": 1, "facts": {"exit_status": 7}})
        self.assertIn("! this run failed with exit status 7",
                      self.succeeds("show", "failed.andes").stdout)
        self.assertTrue(self.show("failed.andes")["run"]["failed"])

    def test_full_disk(self):
        with open("/dev/full", "wb") as full:
            done = subprocess.run([ANDES, "show", "a.andes"], cwd=self.work, stdout=full,
                                  stderr=subprocess.PIPE, text=True, env=self.environment(),
                                  timeout=TIMEOUT_S, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stderr, "andes: standard output: No space left on device; make room "
                                      "or write elsewhere\n")


if __name__ == "__main__":
    main()
