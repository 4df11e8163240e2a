"""Pages of HTML in Chromium (browser.mjs): each view, each interaction once, three sizes, two themes, keys, paper, hostile
names. No requests, no script but the page's own, no serious finding of axe. PAGE_PICTURES=DIR keeps pictures of all pages."""
import json
import os
import shutil
import subprocess
import sys

import made_runs
from support import skipped
from support.build import ANDES, SOURCE
from support.command_line import CommandTest, main

sys.path.append(os.path.join(SOURCE, "tests", "command"))
import hostile_runs  # noqa: E402  (a neighbour's)

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
MODULES = os.path.join(SOURCE, "page", "package.json")
# Functions begin in the lines in which those of make_runs do: setup 3, work 5, sweep 7, main 10, to 30.
JACOBI = "#include <mpi.h>\n\nvoid setup(void) {\n}\nvoid work(void) {\n}\nvoid sweep(void) {\n}\n/* all of it */\nint main(void) {\n" + "".join(
    "  line(%d);\n" % i for i in range(11, 30)) + "}\n\nint after;\n"
HOSTILE = ("markup", "escapes", "long-names", "huge-counts")


def why_not():
    """Why there are no tests in a browser here; empty: there are."""
    if not CHROMIUM:
        return "no Chromium; ./setup test installs it"
    if not shutil.which("node") or not os.path.isdir(os.path.join(SOURCE, "page", "node_modules", "playwright-core")):
        return "no Node, or no packages of npm: run npm ci in page"
    return ""


class Browser(CommandTest):
    def make(self, name, *words):
        path = os.path.join(self.work, name + ".html")
        done = self.andes(*words, "--html", path)
        self.assertIn(done.returncode, (0, 2), done.stderr)
        if done.returncode == 0:
            self.pages[name] = path

    def keep(self, page, part, *words):
        """A document as its command prints it, to look up what the page says."""
        path = os.path.join(self.work, "%s-%s.json" % (page, part))
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.succeeds(*words, "--json").stdout)
        self.documents.setdefault(page, {})[part] = path

    def test_pages(self):
        self.pages, self.documents = {}, {}
        self.write("jacobi.c", JACOBI)
        facts = {"directory": self.work}
        made_runs.sweep(os.path.join(self.work, "runs"), (1, 2, 4, 8), repeats=2, callpaths=40, waiting=False, facts=facts)
        made_runs.sweep(os.path.join(self.work, "after"), (8,), callpaths=40, waiting=False, facts=facts, program={"serial_s": 0.5, "hash": "feedface"})
        made_runs.sweep(os.path.join(self.work, "doubt"), (4,), callpaths=12, facts={"oversubscribed": 1, "budget_percent": 1.0})
        doubt = "doubt/p4.1.andes"
        hostile_runs.change(os.path.join(self.work, doubt),
            "DELETE FROM statistic WHERE metric IN (10, 11, 12, 13, 14, 15, 22) AND callpath > 5", *(
            "INSERT INTO statistic SELECT callpath, %d, %s, 0, 0, 0, 0, 0, 0 FROM statistic WHERE metric = 1 AND callpath > 5" % one
            for one in ((10, "1000"), (11, "10"), (12, "sum * sum / 100"), (13, "sum * sum / 40"), (14, "sum * sum / 40"),
                        (15, "callpath % 2"), (22, "9"))))
        self.make("sweep", "report", "runs", "--source")
        self.make("run", "show", "runs/p8.1.andes")
        self.make("diff", "diff", "runs/p8.1.andes", "after", "--force")
        self.make("doubt", "show", doubt)
        for name, serial_s in ("slow", 1), ("quick", 0.5):
            made_runs.sweep(os.path.join(self.work, name), (8,), repeats=6, program={"serial_s": serial_s, "hash": name * 3})
        self.make("kept", "diff", "slow", "quick", "--force")
        made_runs.sweep(os.path.join(self.work, "unfinished"), (2,), facts={"complete": 0})
        self.make("unfinished", "report", "unfinished")
        for name in ("one", "two"):
            made_runs.sweep(os.path.join(self.work, "several", name), (1, 2), program={"name": name, "hash": name * 5})
        self.make("several", "report", "several")
        made_runs.sweep(os.path.join(self.work, "slower"), (1, 2), slower={2: 100}, late=3, facts={"directory": self.work})
        hostile_runs.change(os.path.join(self.work, "slower", "p2.1.andes"), "INSERT INTO origin VALUES(0, 3, 2, 1e11, 1e11, 1, NULL)")
        self.make("slower", "report", "slower", "--source")
        made_runs.history(os.path.join(self.work, "commits", "jacobi"), [9] * 6 + [9.9] * 6 + [9.3] * 6)
        made_runs.history(os.path.join(self.work, "commits", "other"), [9] * 4, "other")
        self.make("history", "report", "--history", "commits")
        made_runs.sweep(os.path.join(self.work, "waits"), (4,), values=[{"path": path, "metric": "io_ns", "values": [1e8] * 4} for path in (0, 1)])
        hostile_runs.change(os.path.join(self.work, "waits/p4.1.andes"), "UPDATE wait SET origin_callpath = 3, origin_rank = 0",
                            "INSERT INTO origin VALUES (0, 3, 2, 1e9, 2.7e9, 3, NULL)")  # rank 0 was late in MPI_Bcast, behind setup
        self.make("without-messages", "show", "waits/p4.1.andes")
        made_runs.sweep(os.path.join(self.work, "counted"), (1, 2), values=[
            {"path": path, "metric": "sde:::L::HITS", "values": [3_000_000]} for path in (0, 1, 4, 5)], facts={
                "counters": '["sde:::L::HITS"]', "counters_missing": '[{"event": "PAPI_TOT_INS", "reason": "no such counter here"}]'})
        self.make("counted", "show", "counted/p1.1.andes")
        self.assertEqual(list(self.pages), ["sweep", "run", "diff", "doubt", "kept", "unfinished", "several", "slower", "history", "without-messages", "counted"])
        for name in HOSTILE:
            path = os.path.join(self.work, name + ".andes")
            shutil.copy(os.path.join(self.work, doubt), path)
            hostile_runs.FILES[name](path)
            self.make("hostile-" + name, "show", path)
        self.assertGreaterEqual(len(self.pages), 11 + len(HOSTILE))
        self.keep("sweep", "report", "report", "runs")
        for i, p in enumerate((1, 2, 4, 8)):
            self.keep("sweep", "tree-%d" % i, "show", "runs/p%d.1.andes" % p)
        self.keep("history", "history", "report", "--history", "commits")
        self.keep("run", "report-0", "report", "runs/p8.1.andes")
        self.keep("diff", "diff", "diff", "runs/p8.1.andes", "after", "--force")
        for i, (page, file) in enumerate((("run", "runs/p8.1.andes"), ("diff", "runs/p8.1.andes"), ("diff", "after/p8.1.andes"))):
            self.keep(page, "tree-%d" % max(0, i - 1), "show", file)
            self.keep(page, "waits-%d" % max(0, i - 1), "diagnose", file, "--all")

        self.keep("counted", "report-0", "report", "counted/p1.1.andes")
        self.keep("counted", "tree-0", "show", "counted/p1.1.andes")
        self.keep("counted", "waits-0", "diagnose", "counted/p1.1.andes", "--all")

        run, arriving = (os.path.join(self.work, "runs", name) for name in ("p1.1.andes", "p2.1.andes"))
        arrived = os.path.join(self.work, "arriving")
        os.mkdir(arrived)
        shutil.copy(run, arrived)
        server = subprocess.Popen([ANDES, "view", "arriving", "--no-browser"], cwd=self.work, env=self.environment(), text=True, stdout=subprocess.PIPE)
        self.addCleanup(server.stdout.close)
        self.addCleanup(server.wait)
        self.addCleanup(server.terminate)
        served = {"url": server.stdout.readline().strip(), "run": arriving, "to": os.path.join(arrived, "p2.1.andes")}

        given = {"served": served, "modules": MODULES, "chromium": CHROMIUM, "pages": self.pages, "documents": self.documents,
                 "pictures": os.environ.get("PAGE_PICTURES", "")}
        if os.environ.get("PAGE_CASES"):
            given["cases"] = os.environ["PAGE_CASES"].split(";")
        done = subprocess.run(["node", os.path.join(SOURCE, "tests", "page", "browser.mjs")], input=json.dumps(given), text=True,
                              capture_output=True, timeout=600)
        print(done.stdout)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


if __name__ == "__main__":
    if reason := why_not():
        skipped.skip(reason)
    main()
