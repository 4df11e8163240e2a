"""Output formats: each stands in docs/exports.md, and what other tools read has the figures of the JSON document, to one
part in a million. Each is read back by the tool's own reader or checked by its schema where Debian or npm has one, else
as the tool's documentation says that it reads it."""

import gzip
import json
import os
import re
import subprocess
import unittest

from support.build import ANDES, BUILD, SOURCE
from support.command_line import BINARY_FORMATS, CommandTest, main

MAKE_RUNS = os.path.join(BUILD, "tests", "make_runs")
HERE = os.path.dirname(os.path.abspath(__file__))
SYSTEM = "/usr/bin/python3"
PROFILE_PROTO = "/usr/share/gocode/src/github.com/google/pprof/proto/profile.proto"
NAMES = {"setup": 'se;t"up</script><b>|x|', "work": "operator-> @all #1 `\\n` 3", "sweep": "[a](javascript:b) & *c* $d$ 7"}
ROOT = "(program)"


def found(command):
    return subprocess.run(["sh", "-c", "command -v " + command], capture_output=True, check=False).returncode == 0


# ---- readers: the own seconds of each call path, by its names below the root ------------------------


def sums(pairs):
    paths = {}
    for path, seconds in pairs:
        paths[path] = paths.get(path, 0) + seconds
    return paths


def read_folded(data, _):
    lines = (line.rsplit(" ", 1) for line in data.decode().splitlines())
    return sums((tuple(stack.split(";"))[1:], int(ns) * 1e-9) for stack, ns in lines)


def read_speedscope(data, work):
    if os.path.exists(SYSTEM) and subprocess.run([SYSTEM, "-c", "import jsonschema"], capture_output=True).returncode == 0:
        file = os.path.join(work, "run.speedscope.json")
        with open(file, "wb") as out:
            out.write(data)
        schema = os.path.join(HERE, "schemas", "speedscope.json")
        check = subprocess.run([SYSTEM, "-W", "ignore", "-m", "jsonschema", "-i", file, schema], capture_output=True, text=True)
        assert check.returncode == 0, check.stderr
    document = json.loads(data)
    (profile,) = document["profiles"]
    frames = document["shared"]["frames"]
    assert len(profile["samples"]) == len(profile["weights"])
    assert abs(profile["endValue"] - profile["startValue"] - sum(profile["weights"])) <= 1e-6 * profile["endValue"]
    return sums((tuple(frames[at]["name"] for at in stack[1:]), weight)
                for stack, weight in zip(profile["samples"], profile["weights"]))


def read_trace(data, _):
    """By nesting alone, as a viewer does: in each thread an event lies in those that are open."""
    paths, threads = {}, {}
    for event in json.loads(data)["traceEvents"]:
        if event["ph"] == "X":
            threads.setdefault((event["pid"], event["tid"]), []).append(event)
    for events in threads.values():
        stack = []
        for event in sorted(events, key=lambda one: (one["ts"], -one["dur"])):
            ts, end = round(event["ts"] * 1000), round(event["ts"] * 1000) + round(event["dur"] * 1000)
            while stack and ts >= stack[-1][1]:
                stack.pop()
            assert not stack or end <= stack[-1][1], event
            path = (stack[-1][0] if stack else ()) + (event["name"],)
            paths[path[1:]] = paths.get(path[1:], 0) + (end - ts) * 1e-9
            if stack:
                paths[stack[-1][0][1:]] -= (end - ts) * 1e-9
            stack.append((path, end))
    return paths


def read_caliper(data, _):
    """As Hatchet's reader does: a node's parent stands before it, a row names its node."""
    document = json.loads(data)
    columns, metadata = document["columns"], document["column_metadata"]
    assert [column for column, of in zip(columns, metadata) if of["is_value"] is False] == ["path"]
    nodes, paths, inclusive = [], {}, {}
    for node in document["nodes"]:
        assert node["column"] == "path"
        nodes.append((nodes[node["parent"]] if "parent" in node else ()) + (node["label"],))
    rows = [dict(zip(columns, row)) for row in document["data"]]
    assert {row["mpi.rank"] for row in rows} == set(range(document["mpi.world.size"]))
    for row in rows:
        path = nodes[row["path"]][1:]
        paths[path] = paths.get(path, 0) + row["sum#time.duration"]
        inclusive[path] = inclusive.get(path, 0) + row["inclusive#sum#time.duration"]
    for path, seconds in inclusive.items():
        below = sum(own for other, own in paths.items() if other[:len(path)] == path)
        assert abs(below - seconds) <= 1e-6 * max(seconds, 1e-3), (path, below, seconds)
    return paths


def read_pprof(data, work):
    """By protoc's own decoder, with the published profile.proto."""
    if not (found("protoc") and os.path.exists(PROFILE_PROTO)):
        raise unittest.SkipTest("protoc and profile.proto of pprof are not here")
    done = subprocess.run(["protoc", "-I", os.path.dirname(PROFILE_PROTO), "--decode=perftools.profiles.Profile",
                           os.path.basename(PROFILE_PROTO)], input=gzip.decompress(data), capture_output=True, cwd=work)
    assert done.returncode == 0, done.stderr
    messages, open_ones = {}, [{}]
    for line in done.stdout.decode().splitlines():
        if opened := re.match(r" *(\w+) \{$", line):
            open_ones.append({})
            open_ones[-2].setdefault(opened[1], []).append(open_ones[-1])
        elif line.strip() == "}":
            open_ones.pop()
        else:
            key, value = line.strip().split(": ", 1)
            text = value.startswith('"')
            value = value[1:-1].encode().decode("unicode_escape").encode("latin-1").decode() if text else int(value == "true" or value)
            open_ones[-1].setdefault(key, []).append(value)
    messages = open_ones[0]
    texts = messages["string_table"]
    assert texts[0] == ""
    names = {one["id"][0]: texts[one["name"][0]] for one in messages["function"]}
    places = {one["id"][0]: names[one["line"][0]["function_id"][0]] for one in messages["location"]}
    types = [(texts[one["type"][0]], texts[one["unit"][0]]) for one in messages["sample_type"]]
    assert types == [("visits", "count"), ("time", "nanoseconds")]
    assert texts[messages["default_sample_type"][0]] == "time"
    return sums((tuple(places[at] for at in reversed(sample["location_id"]))[1:], sample["value"][1] * 1e-9)
                for sample in messages["sample"])


def of_folded(name):
    return name.replace(";", ":")


def as_it_is(name):
    return name


READERS = {"folded": (read_folded, of_folded), "speedscope": (read_speedscope, as_it_is), "trace": (read_trace, as_it_is),
           "caliper": (read_caliper, as_it_is), "pprof": (read_pprof, as_it_is)}


class Exports(CommandTest):
    def make(self, *specs):
        subprocess.run([MAKE_RUNS], cwd=self.work, input=json.dumps(specs), text=True, check=True)

    def written(self, *words):
        done = subprocess.run([ANDES, *words], cwd=self.work, env=self.environment(), capture_output=True, timeout=600)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        return done.stdout

    def assert_same(self, read, expected):
        for path in set(read) | set(expected):
            seconds = expected.get(path, 0)
            self.assertLessEqual(abs(read.get(path, 0) - seconds), 1e-6 * max(seconds, 1e-3), (path, read, expected))

    def test_every_format_is_in_the_page(self):
        with open(os.path.join(SOURCE, "docs", "exports.md"), encoding="utf-8") as page:
            lines = re.findall(r"^\| ([\w, ]+) \| `(\w+)` \|", page.read(), re.M)
        told = {(command, name) for commands, name in lines for command in commands.split(", ")}
        help_texts = {command: self.succeeds(command, "--help").stdout for command in
                      re.findall(r"^  (\w+) ", self.succeeds("--help").stdout.partition("Subcommands:")[2], re.M)
                      if command not in ("andes", "exec", "cc", "build", "instrument")}
        offered = {(command, name) for command, text in help_texts.items()
                   for names in re.findall(r"--format text\|(\S+)", text) for name in names.split("|")}
        self.assertLessEqual({("show", "json"), ("recover", "json"), ("doctor", "csv")}, offered)
        self.assertEqual(offered, told)
        self.assertEqual({name for command, name in offered if command == "show"}, {"json", "csv", *READERS})
        self.assertLessEqual(BINARY_FORMATS, {name for _, name in offered})

    def test_call_paths(self):
        """Four ranks: 1 s of setup on rank 0, for which three wait in MPI_Bcast, then 2.25 s of sweep each."""
        self.make({"file": "a.andes", "ranks": 4}, {"file": "b.andes", "ranks": 4, "renamed": NAMES})
        for file, names in (("a.andes", {}), ("b.andes", NAMES)):
            def named(*path):
                return tuple(names.get(name, name) for name in path)
            by_hand = {named("main", "setup"): 1, named("main", "MPI_Bcast"): 3, named("main", "work", "sweep"): 9}
            document = json.loads(self.written("show", "--json", file))
            shown = {tuple(row["path"]): row["exclusive_s"] for row in document["callpaths"] if row["path"] != [ROOT]}
            self.assert_same(shown, by_hand)
            for name, (read, in_format) in READERS.items():
                with self.subTest(format=name, file=file):
                    data = self.written("show", "--format", name, file)
                    self.assertEqual(data, self.written("show", "--" + name, file))
                    self.assert_same(read(data, self.work), {tuple(map(in_format, path)): own for path, own in shown.items()})

    def test_one_rank(self):
        self.make({"file": "a.andes", "ranks": 4})
        for name in sorted(set(READERS) - {"caliper"}):
            with self.subTest(format=name):
                read = READERS[name][0](self.written("show", "--rank", "0", "--format", name, "a.andes"), self.work)
                self.assert_same(read, {("main", "setup"): 1, ("main", "work", "sweep"): 2.25})

    def test_what_a_format_cannot_hold(self):
        self.make({"file": "a.andes", "ranks": 2})
        for name in READERS:
            self.refused("--format %s: it holds call paths, not sums of functions; leave out --flat and --function" % name,
                         "show", "--flat", "--format", name, "a.andes")

    def test_no_bytes_for_a_terminal(self):
        self.make({"file": "a.andes", "ranks": 1})
        done = subprocess.run(["script", "-qec", "%s show --pprof a.andes" % ANDES, "/dev/null"], cwd=self.work,
                              env=self.environment(), capture_output=True, text=True, timeout=600)
        self.assertEqual((done.returncode, done.stdout.strip()),
                         (2, "andes: --format pprof: a terminal cannot show it; write it to a file: ... > FILE"))

    # ---- sweeps ----------------------------------------------------------------------------------

    def test_extrap(self):
        """T(p) = 1 + 9 / p, three repeats: means over the ranks are 1/p, (p - 1)/p and 9/p."""
        self.make(*({"file": "p%d.%d.andes" % (ranks, repeat), "ranks": ranks, "scale": 1 + 0.01 * repeat, "renamed": NAMES}
                    for ranks in (1, 2, 4) for repeat in range(3)))
        document = json.loads(self.written("report", "--extrap", "."))
        self.assertEqual(document["parameters"], ["p"])
        work, sweep, setup = (NAMES[name].replace("->", "\u2192") for name in ("work", "sweep", "setup"))
        of = {path: metrics["time"] for path, metrics in document["measurements"].items()}
        self.assertEqual(set(of), {ROOT + below for below in ("", "->main", "->main->" + setup, "->main->MPI_Bcast",
                                                              "->main->" + work, "->main->" + work + "->" + sweep)})
        for path, seconds in (("->main->" + setup, lambda p: 1 / p), ("->main->MPI_Bcast", lambda p: (p - 1) / p),
                              ("->main->" + work + "->" + sweep, lambda p: 9 / p)):
            measured = {tuple(one["point"]): one["values"] for one in of[ROOT + path]}
            self.assertEqual(set(measured), {(1,), (2,), (4,)})
            for (ranks,), values in measured.items():
                self.assertEqual(len(values), 3)
                for repeat, value in enumerate(sorted(values)):
                    self.assertAlmostEqual(value, seconds(ranks) * (1 + 0.01 * repeat), delta=1e-6)
        for metrics in document["measurements"].values():
            self.assertEqual(set(metrics), {"time", "inclusive time", "visits", "bytes sent"})
            for points in metrics.values():
                self.assertEqual([(one["point"], len(one["values"])) for one in points], [([1], 3), ([2], 3), ([4], 3)])

    def test_extrap_of_several_programs(self):
        self.make({"file": "a.andes", "ranks": 1}, {"file": "b.andes", "ranks": 1, "program": {"name": "other"}})
        self.refused("--format extrap: the runs are of several programs; give the runs of one program",
                     "report", "--extrap", "a.andes", "b.andes")

    def test_markdown(self):
        """Read by GitHub's own: tables with the sizes, and names that stay text."""
        if not found("cmark-gfm"):
            self.skipTest("cmark-gfm is not here")
        def rendered(*words):
            return subprocess.run(["cmark-gfm", "--unsafe", "-e", "table", "-e", "autolink"], input=self.written(*words),
                                  capture_output=True, check=True).stdout.decode()
        self.make(*({"file": "%s/p%d.%d.andes" % (folder, ranks, repeat), "ranks": ranks, "renamed": NAMES,
                     "scale": 1 + 0.001 * repeat, "program": {"parallel_s": seconds, "hash": "00000000000000a" + folder}}
                    for folder, seconds in (("a", 9), ("b", 4)) for ranks in (1, 2, 4) for repeat in range(4)
                    if os.makedirs(os.path.join(self.work, folder), exist_ok=True) is None))
        page = rendered("report", "--markdown", *("a/p%d.0.andes" % ranks for ranks in (1, 2, 4)))
        cells = [re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row) for row in re.findall(r"<tr>(.*?)</tr>", page, re.S)]
        self.assertEqual(cells[0], ["ranks", "runs", "time s", "speedup", "efficiency"])
        self.assertEqual([row[:4] for row in cells[1:4]], [["1", "1", "10.0", "1.00"], ["2", "1", "5.50", "1.82"], ["4", "1", "3.25", "3.08"]])
        page = rendered("diff", "--markdown", "a", "b")
        self.assertNotRegex(page, r"<script|<b>|<a |<em>|</script")
        tables = re.findall(r"<table>(.*?)</table>", page, re.S)
        self.assertEqual(len(re.findall("<tr>", tables[0])), 4)
        self.assertIn("Faster at 4 ranks", page)
        sweep = [row for row in re.findall(r"<tr>(.*?)</tr>", tables[1], re.S) if "javascript" in row]
        self.assertEqual(len(sweep), 1)
        text = re.sub(r"<!-- -->", "", re.findall(r"<td[^>]*>(.*?)</td>", sweep[0])[2])
        self.assertIn("operator-&gt; @all #1 `\\n` 3 &gt; [a](javascript:b) &amp; *c* $d$ 7", text)
        self.assertIn("@<!-- -->all #<!-- -->1", page)
        promised = [row for row in re.findall(r"<tr>(.*?)</tr>", tables[2], re.S) if "javascript" in row and "x2" in row]
        self.assertIn("<td>more</td>", promised[0])  # 2.25 s of each rank become 1 s, where twice as fast promised 1.125 s


if __name__ == "__main__":
    main()
