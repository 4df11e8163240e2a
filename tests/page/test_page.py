"""Pages of HTML without a browser: they hold the documents of the commands, byte for byte, values of single ranks within
3.5 %, and no markup from names; a file that cannot be written is one line and status 2."""
import json
import os
import re
import shutil
import subprocess
import sys

import made_runs
from page_parts import parts_of
from support.build import BUILD, SOURCE
from support.command_line import CommandTest, main
from support.run_file import RunFile

sys.path.append(os.path.join(SOURCE, "tests", "command"))
import hostile_runs  # noqa: E402  (a neighbour's)


class Page(CommandTest):
    def page(self, *words):
        self.succeeds(*words, "--html", "page.html")
        return parts_of(os.path.join(self.work, "page.html"))

    def test_documents(self):
        """What a page shows is what the commands print."""
        files = made_runs.sweep(self.work, (1, 2, 4), repeats=3, callpaths=12)
        page = self.page("report", ".")
        self.assertEqual(page.text("report"), self.succeeds("report", ".", "--json").stdout)
        manifest = page.manifest()
        self.assertEqual([(run["ranks"], run["threads"]) for run in manifest["runs"]], [(1, 1), (2, 1), (4, 1)])
        for run in manifest["runs"]:  # of each size the run with the median time
            name = "p%d.2.andes" % run["ranks"]
            self.assertEqual(page.text(run["tree"]), self.succeeds("show", name, "--json").stdout)
        answers = json.loads(page.text("report"))["answers"]
        self.assertEqual(set(answers), {"speed", "limit", "lost", "first"})
        self.assertIn("on 4 ranks", answers["speed"])

        page = self.page("show", "p4.1.andes")
        self.assertEqual(page.text("report-0"), self.succeeds("report", "p4.1.andes", "--json", "--oversubscribed-ok").stdout)
        self.assertEqual(page.text("waits-0"), self.succeeds("diagnose", "p4.1.andes", "--all", "--json").stdout)
        page = self.page("diagnose", "p2.1.andes", "p4.1.andes")
        self.assertEqual(page.text("waits-1"), self.succeeds("diagnose", "p4.1.andes", "--all", "--json").stdout)
        page = self.page("diff", "p4.1.andes", "p4.3.andes")
        self.assertEqual(page.text("diff"), self.succeeds("diff", "p4.1.andes", "p4.3.andes", "--json").stdout)
        self.assertEqual([run["side"] for run in page.manifest()["runs"]], ["before", "after"])
        self.assertEqual(len(files), 9)
        made_runs.history(os.path.join(self.work, "commits"), [9] * 4)
        page = self.page("report", "--history", "commits")
        self.assertEqual(page.text("history"), self.succeeds("report", "--history", "commits", "--json").stdout)
        (history,) = json.loads(page.text("history"))["histories"]
        self.assertEqual([len(commit["times_s"]) for commit in history["commits"]], [2] * 4)

    def test_values_of_ranks(self):
        """Each cell is within 3.5 % of what the run file has; a level of 1 is no more than its share of the largest."""
        made_runs.sweep(self.work, (8,), callpaths=40)
        page, run = self.page("show", "p8.1.andes"), RunFile(os.path.join(self.work, "p8.1.andes"))
        index, levels = json.loads(page.text("cells-0")), page.bytes("levels-0")
        self.assertEqual([place["rank"] for place in index["locations"]], list(range(8)))
        at = checked = 0
        for plane, metric in zip(index["planes"], ("exclusive_ns", "idle_ns")):
            for path, largest in zip(plane["callpaths"], plane["max_s"]):
                exact = run.values[(path, run.metrics[metric])]
                for place in range(8):
                    level, value = levels[at], exact.get(place, 0) * 1e-9
                    at += 1
                    if level > 1:
                        self.assertLess(abs(largest * index["step"] ** (level - 255) - value), 0.035 * value)
                        checked += 1
                    else:
                        self.assertLessEqual(value, largest * index["step"] ** -253.4 if level else 0)
        self.assertEqual(at, len(levels))
        self.assertGreater(checked, 300)
        shown = json.loads(page.text("tree-0"))
        self.assertEqual(shown["matrix"]["bytes"][:2], [800_000, 800_000])
        self.assertEqual(set(shown["matrix"]["destination"][:2]), {1, 7})

    def test_sources(self):
        """Lines around those that are named, of files with the suffix of a source alone."""
        made_runs.sweep(self.work, (2,), facts={"directory": self.work})
        self.write("jacobi.c", "".join("line %d </script>\n" % i for i in range(1, 41)))
        page = self.page("show", "p2.1.andes", "--source")
        lines = json.loads(page.text("sources"))["jacobi.c"]
        self.assertEqual([line["line"] for line in lines], list(range(1, 19)))  # 3, 5, 7 and 10 are named
        self.assertEqual(lines[2]["text"], "line 3 </script>")
        self.assertNotIn("andes-sources", self.page("show", "p2.1.andes").raw)
        self.write("secret", "line\n" * 20)
        hostile_runs.change(os.path.join(self.work, "p2.1.andes"), "UPDATE region SET file = 'secret'")
        self.assertEqual(self.page("show", "p2.1.andes", "--source").text("sources"), "{}")

    def test_ends_of_functions(self):
        """A line in which a function begins says where it ends, as far as the indentation tells, of no more than 60 lines."""
        made_runs.sweep(self.work, (2,), callpaths=12, facts={"directory": self.work})
        files = {
            "a.c": ["static int", "f(int a,", "  int b)", "{", "  if (a) {", "    b = 1;", "  }", "#ifdef X", "  b = 2;", "#endif", "out:",
                    "  return b;", "}", "", "void g(void) { f(1, 2); }", "void h(void) {", *["  f(1, 2);"] * 60, "}"],
            "b.f90": ["subroutine s(n)", "  integer n", "  if (n > 0) then", "    n = 1", "  end if", "END SUBROUTINE",
                      "subroutine flat(n)", "integer n", "end subroutine"],
            "c.py": ["@wrap", "def f(a,", "      b", "):", "    return a", "", "x = 1", "def g():", "    return 2"],
        }
        for name, lines in files.items():
            self.write(name, "".join(line + "\n" for line in lines))
        places = [("a.c", 2), ("a.c", 15), ("a.c", 16), ("b.f90", 1), ("b.f90", 7), ("c.py", 1), ("c.py", 8)]
        functions = [6 + i for i in range(12) if i % 4 != 3]  # of made_runs.grow
        hostile_runs.change(os.path.join(self.work, "p2.1.andes"), *(
            "UPDATE region SET file = '%s', line = %d WHERE id = %d" % (*place, region) for place, region in zip(places, functions)))
        sources = json.loads(self.page("show", "p2.1.andes", "--source").text("sources"))
        ends = {(name, one["line"]): one["end"] for name in files for one in sources[name] if "end" in one}
        self.assertEqual(ends, {("a.c", 2): 13, ("a.c", 15): 15, ("b.f90", 1): 6, ("c.py", 1): 5, ("c.py", 8): 9})
        self.assertEqual([one["line"] for one in sources["a.c"]], list(range(1, 25)))  # of the long one as much as of any line

    def test_no_markup_from_names(self):
        """Elements of a page are the bundle's and one script for each part, whatever the run says."""
        made_runs.sweep(self.work, (4,), program={"name": "</title><script>alert(1)</script>", "arguments": json.dumps(["</script><!--"])})
        shutil.copy(os.path.join(self.work, "p4.1.andes"), os.path.join(self.work, "good.andes"))
        plain = [tag for tag, _ in self.page("show", "good.andes").tags]
        self.assertIn("</title><script>alert(1)</script>", parts_of(os.path.join(self.work, "page.html")).title)
        for name in ("markup", "escapes", "blob-for-names"):
            path = os.path.join(self.work, name + ".andes")
            shutil.copy(os.path.join(self.work, "good.andes"), path)
            hostile_runs.FILES[name](path)
            page = self.page("show", name + ".andes")
            self.assertEqual([tag for tag, _ in page.tags], plain, name)
        policy = next(given["content"] for tag, given in page.tags if given.get("http-equiv") == "Content-Security-Policy")
        self.assertIn("default-src 'none'", policy)
        self.assertNotIn("unsafe", policy)
        self.assertNotIn("http", policy)

    def test_refused(self):
        made_runs.sweep(self.work, (2,))
        place = os.path.join(self.work, "closed")
        self.refused("nowhere/page.html: cannot be written (No such file or directory); choose another place with --html",
                     "report", "p2.1.andes", "--html", "nowhere/page.html")
        self.refused("--html with --json: a command has one result; give one of the two",
                     "report", "p2.1.andes", "--html", "page.html", "--json")
        self.refused("--source: it is for pages of HTML; give --html FILE, too", "show", "p2.1.andes", "--source")
        self.refused("--source: a history does not have it; leave it out",
                     "report", "--history", ".", "--html", "page.html", "--source")
        self.refused("--html: a page has all ranks, and functions by call path; give it without other choices",
                     "show", "p2.1.andes", "--html", "page.html", "--flat")
        if os.path.exists("/dev/full"):
            os.symlink("/dev/full", os.path.join(self.work, "full.html"))
            self.refused("full.html: cannot be written (No space left on device); choose another place with --html",
                         "report", "p2.1.andes", "--html", "full.html")
        run = os.path.join(self.work, "p2.1.andes")
        with open(run, "rb") as file:
            before = file.read()
        os.symlink("p2.1.andes", os.path.join(self.work, "link.html"))
        for name in ("p2.1.andes", "link.html"):
            self.refused(f"{name}: cannot be written (it is a run file, and none is ever overwritten); choose another place "
                         "with --html", "show", "p2.1.andes", "--html", name)
        with open(run, "rb") as file:
            self.assertEqual(file.read(), before)
        self.assertFalse(os.path.exists(place))

    def test_modules(self):
        """Modules of the page by themselves: the patterns that messages make, names that are cut, numbers, and colours."""
        esbuild = os.path.join(SOURCE, "page", "node_modules", ".bin", "esbuild")
        if not shutil.which("node") or not os.path.exists(esbuild):
            self.skipTest("no packages of npm: run npm ci in page")
        for name in ("topology", "names", "format", "colours"):
            made = os.path.join(self.work, name + ".mjs")
            subprocess.run([esbuild, os.path.join(SOURCE, "page", "src", name + ".ts"), "--bundle", "--format=esm", "--log-level=error", "--outfile=" + made], check=True)
            subprocess.run(["node", os.path.join(SOURCE, "tests", "page", name + ".mjs"), made], check=True)

    def test_bundle(self):
        """The bundle in the source tree is what its sources make."""
        folder = os.path.join(SOURCE, "page")
        if not shutil.which("node") or not os.path.isdir(os.path.join(folder, "node_modules", "esbuild")):
            self.skipTest("no packages of npm: run npm ci in page")
        made = os.path.join(self.work, "made.html")
        subprocess.run(["node", os.path.join(folder, "build.mjs"), made], check=True)
        with open(made, encoding="utf-8") as new, open(os.path.join(folder, "built", "page.html"), encoding="utf-8") as kept:
            text = new.read()
            self.assertTrue(text == kept.read(), "page/built/page.html is out of date; run npm run build in page")
        with open(os.path.join(folder, "package.json"), encoding="utf-8") as about:
            names = json.load(about)["dependencies"]
        for name in names:
            self.assertTrue(re.search(r"^%s \d+\.\d+\.\d+$" % re.escape(name), text, re.M), name + ": its licence is not there")
        with open(os.path.join(folder, "package-lock.json"), encoding="utf-8") as lock:
            self.assertNotIn("resolved", lock.read())


if __name__ == "__main__":
    main()
