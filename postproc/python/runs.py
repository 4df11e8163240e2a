"""Run files of andes as objects, and as data frames where pandas is installed.

    from andes import runs

    run = runs.Run("runs/jacobi-001/p4.1.andes")
    print(run.command, run.ranks, run.wall_s)
    for path in sorted(run.callpaths, key=lambda path: -path.exclusive_s)[:5]:
        print(path, path.exclusive_s)
    run.values("exclusive_ns")[path.id]        # of each location
    run.frame()                                # a pandas.DataFrame of the call paths

    for series in runs.read_series("runs"):    # runs of one program, its arguments and its build
        for point in series.points:            # by ranks and threads
            print(point.ranks, point.time_s, [run.file for run in point.runs])

The figures are those of `andes show --json` and `andes report --json`, under the same names (docs/json.md); what was not
measured is None. Times of the file itself (metrics, facts) are nanoseconds, as docs/run-file.md tells.

This file needs Python 3.9 and nothing else, so it may be copied to wherever run files are read. It only reads, and takes
no lock. Everything is read when it is first asked for.
"""
import array
import functools
import json
import os
import shlex
import sqlite3
import statistics
import sys
import urllib.parse
import zlib
from typing import Any, Dict, Iterable, List, NamedTuple, Optional, Tuple, Union

__all__ = ["CallPath", "Location", "Point", "Run", "RunError", "Series", "Statistic", "Wait", "read_series"]

APPLICATION_ID = 0x414E4453
FORMATS = (2, 3)


class RunError(Exception):
    """A file that is no run file, or a damaged one."""


class Statistic(NamedTuple):
    """A metric of a call path over all ranks; those that never entered it count as zero."""
    sum: float = 0
    min: float = 0
    max: float = 0
    mean: float = 0
    sd: float = 0
    min_rank: int = 0
    max_rank: int = 0


class Wait(NamedTuple):
    """Waits of one cause in a call path, by who was waited for. Numbers of call paths; None: not known."""
    cause: str
    callpath: int
    peer_callpath: Optional[int]
    peer_rank: Optional[int]
    origin_callpath: Optional[int]
    origin_rank: Optional[int]
    wait_s: float
    events: float


def seconds(nanoseconds: Optional[float]) -> Optional[float]:
    return None if nanoseconds is None else nanoseconds * 1e-9


class Location:
    """A thread of a rank, with its totals. `columns`: those of the table `location`, in nanoseconds."""

    def __init__(self, columns: Dict[str, Any]):
        self.columns = columns
        self.id: int = columns["id"]
        self.rank: int = columns["rank"]
        self.thread: int = columns["thread"]
        for name in ("wall", "compute", "communication", "idle", "io", "tool", "synchronisation", "init", "off", "wait_at_end"):
            setattr(self, name + "_s", seconds(columns.get(name + "_ns")))

    def __repr__(self) -> str:
        return "Location(rank=%d, thread=%d)" % (self.rank, self.thread)


class CallPath:
    """A node of the call tree, with sums over all ranks. `parent` and `children` are call paths."""

    def __init__(self, run: "Run", number: int, parent: Optional["CallPath"], region: Dict[str, Any]):
        self.run, self.id, self.parent = run, number, parent
        self.children: List[CallPath] = []
        self.name: str = region["name"]
        self.kind: str = region["kind"]
        self.file: str = region["file"] or ""
        self.line: int = region["line"] or 0

    @property
    def path(self) -> Tuple[str, ...]:
        """The names from below the root on; of a root its own."""
        names, here = [self.name], self
        while here.parent is not None:
            here = here.parent
            names.append(here.name)
        return tuple(reversed(names[:-1])) or (self.name,)

    def statistic(self, metric: str) -> Statistic:
        """Of a metric of docs/run-file.md, as `inclusive_ns`; zero everywhere where the file has none."""
        return self.run.statistics.get((self.id, metric), Statistic())

    @property
    def visits(self) -> float:
        return self.statistic("visits").sum

    @property
    def inclusive_s(self) -> float:
        return self.statistic("inclusive_ns").sum * 1e-9

    @property
    def exclusive_s(self) -> float:
        return self.statistic("exclusive_ns").sum * 1e-9

    @property
    def mean_s(self) -> float:
        return self.statistic("inclusive_ns").mean * 1e-9

    @property
    def max_s(self) -> float:
        return self.statistic("inclusive_ns").max * 1e-9

    @property
    def communication_s(self) -> float:
        return self.statistic("communication_ns").sum * 1e-9

    @property
    def idle_s(self) -> Optional[float]:
        if not self.run.is_idle_known:
            return None
        return (self.statistic("idle_ns").sum + self.statistic("team_idle_ns").sum) * 1e-9

    @property
    def io_s(self) -> Optional[float]:
        return self.statistic("io_ns").sum * 1e-9 if self.run.is_io_known else None

    @property
    def bytes_sent(self) -> float:
        return self.statistic("bytes_sent").sum

    @property
    def bytes_received(self) -> float:
        return self.statistic("bytes_received").sum

    @property
    def messages_sent(self) -> float:
        return self.statistic("messages_sent").sum

    @property
    def messages_received(self) -> float:
        return self.statistic("messages_received").sum

    def __str__(self) -> str:
        return " > ".join(self.path)

    def __repr__(self) -> str:
        return "CallPath(%d, %r)" % (self.id, str(self))


FIGURES = ("visits", "inclusive_s", "exclusive_s", "mean_s", "max_s", "communication_s", "idle_s", "io_s", "bytes_sent",
           "bytes_received", "messages_sent", "messages_received")


class Run:
    """One run file."""

    def __init__(self, file: Union[str, "os.PathLike[str]"]):
        self.file = os.fspath(file)
        try:
            with open(self.file, "rb") as head:
                header = head.read(100)
        except OSError as error:
            raise RunError("%s: %s" % (self.file, error.strerror)) from error
        if header[:16] != b"SQLite format 3\0" or int.from_bytes(header[68:72], "big") != APPLICATION_ID:
            raise RunError("%s: not a run file" % self.file)
        if int.from_bytes(header[60:64], "big") not in FORMATS:
            raise RunError("%s: its format is not one of %s" % (self.file, ", ".join(map(str, FORMATS))))
        uri = "file:%s?mode=ro&immutable=1" % urllib.parse.quote(os.path.abspath(self.file))
        self._database = sqlite3.connect(uri, uri=True, check_same_thread=False)
        self._database.execute("PRAGMA trusted_schema=OFF")

    def __repr__(self) -> str:
        return "Run(%r)" % self.file

    def close(self) -> None:
        self._database.close()

    def __enter__(self) -> "Run":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def rows(self, sql: str, *values: Any) -> List[Tuple[Any, ...]]:
        """What SQL says of the file (docs/run-file.md)."""
        try:
            return self._database.execute(sql, values).fetchall()
        except sqlite3.Error as error:
            raise RunError("%s: damaged, or a table is missing: %s" % (self.file, error)) from error

    def table(self, name: str) -> List[Dict[str, Any]]:
        """All rows, each {column: value}; none where the file is older than the table."""
        columns = [row[1] for row in self.rows('PRAGMA table_info("%s")' % name.replace('"', '""'))]
        if not columns:
            return []
        quoted = ", ".join('"%s"' % column.replace('"', '""') for column in columns)
        return [dict(zip(columns, row)) for row in self.rows('SELECT %s FROM "%s"' % (quoted, name.replace('"', '""')))]

    # ---- the run --------------------------------------------------------------------------------

    @functools.cached_property
    def facts(self) -> Dict[str, Any]:
        return dict(self.rows("SELECT name, value FROM fact"))

    def _number(self, fact: str) -> float:
        value = self.facts.get(fact)
        if not isinstance(value, (int, float)):
            raise RunError("%s: damaged, it has no number %s" % (self.file, fact))
        return value

    def _list(self, fact: str) -> List[Any]:
        try:
            found = json.loads(self.facts.get(fact, "[]"))
        except (TypeError, ValueError, RecursionError):
            return []
        return found if isinstance(found, list) else []

    @property
    def program(self) -> str:
        return str(self.facts.get("program", ""))

    @property
    def arguments(self) -> List[Any]:
        return self._list("arguments")

    @property
    def command(self) -> str:
        return " ".join([self.program, *map(shlex.quote, map(str, self.arguments))])

    @property
    def ranks(self) -> int:
        return int(self._number("ranks"))

    @property
    def threads(self) -> int:
        """Of a rank, as `andes run --threads` started it; else 1."""
        return int(self.facts.get("threads_started") or 1)

    @property
    def wall_s(self) -> float:
        """T."""
        return self._number("wall_ns") * 1e-9

    @functools.cached_property
    def why_not(self) -> str:
        """Why the run may not stand for its size; empty if it may."""
        facts = self.facts
        if facts.get("spawned"):
            return "a world that another run spawned"
        if facts.get("snapshot"):
            return "a snapshot of a run that went on"
        if facts.get("exit_status") or facts.get("signal"):
            return "it failed"
        return "" if facts.get("complete", 1) else "it is incomplete"

    @functools.cached_property
    def locations(self) -> List[Location]:
        """Threads, by rank and thread."""
        return [Location(row) for row in sorted(self.table("location"), key=lambda row: row["id"])]

    @functools.cached_property
    def is_idle_known(self) -> bool:
        """Whether waits were measured, in MPI or for other threads of a process."""
        return self.facts.get("wait_states") == "measured" or any(
            location.columns.get("team_idle_ns") is not None for location in self.locations)

    @functools.cached_property
    def is_io_known(self) -> bool:
        return any(location.columns.get("io_ns") is not None for location in self.locations)

    # ---- call paths -----------------------------------------------------------------------------

    @functools.cached_property
    def metrics(self) -> Dict[str, int]:
        """{name: number in the file}"""
        return dict(self.rows("SELECT name, id FROM metric"))

    @functools.cached_property
    def statistics(self) -> Dict[Tuple[int, str], Statistic]:
        """{(call path, metric): over all ranks}"""
        names = {number: name for name, number in self.metrics.items()}
        columns = ", ".join(Statistic._fields)
        return {(callpath, names[metric]): Statistic(*row) for callpath, metric, *row in
                self.rows("SELECT callpath, metric, %s FROM statistic" % columns) if metric in names}

    @functools.cached_property
    def _tree(self) -> Dict[int, CallPath]:
        regions = {row["id"]: row for row in self.table("region")}
        tree: Dict[int, CallPath] = {}
        for number, parent, region in self.rows("SELECT id, parent, region FROM callpath ORDER BY id"):
            if region not in regions or (parent is not None and parent not in tree):
                raise RunError("%s: damaged, call path %s hangs from nothing" % (self.file, number))
            tree[number] = CallPath(self, number, None if parent is None else tree[parent], regions[region])
        return tree

    @functools.cached_property
    def callpaths(self) -> List[CallPath]:
        """Those that were entered, callers before what they call."""
        entered = set()
        for number, path in reversed(list(self._tree.items())):
            if number == 0 or path.visits or path.inclusive_s or path.exclusive_s or number in entered:
                entered.add(number)
                if path.parent is not None:
                    entered.add(path.parent.id)
        found = [path for number, path in self._tree.items() if number in entered]
        for path in found:
            if path.parent is not None:
                path.parent.children.append(path)
        return found

    @property
    def roots(self) -> List[CallPath]:
        return [path for path in self.callpaths if path.parent is None]

    def callpath(self, *names: str) -> CallPath:
        """The one of these names below the root. KeyError: there is none."""
        for path in self.callpaths:
            if path.path == names:
                return path
        raise KeyError(" > ".join(names))

    def values(self, metric: str) -> Dict[int, List[float]]:
        """{call path: its value in each of `locations_with_values`}, of call paths where it is not zero everywhere."""
        kept = {location.id: at for at, location in enumerate(self.locations_with_values)}
        number = self.metrics.get(metric)
        found: Dict[int, List[float]] = {}
        for callpath, location, value in self.rows("SELECT callpath, location, value FROM value WHERE metric = ?", number):
            if location in kept:
                found.setdefault(callpath, [0.0] * len(kept))[kept[location]] = value
        if not self.rows("SELECT 1 FROM sqlite_master WHERE name = 'value_column'"):
            return found
        for callpath, kind, packed in self.rows("SELECT callpath, type, numbers FROM value_column WHERE metric = ?", number):
            numbers = array.array(kind if kind in ("f", "d") else "d")
            try:
                numbers.frombytes(zlib.decompressobj().decompress(packed, len(kept) * numbers.itemsize))
            except (zlib.error, ValueError) as error:
                raise RunError("%s: damaged, a column of values: %s" % (self.file, error)) from error
            if sys.byteorder == "big":
                numbers.byteswap()
            if len(numbers) != len(kept):
                raise RunError("%s: damaged, a column of values is too short" % self.file)
            found[callpath] = list(numbers)
        return found

    @functools.cached_property
    def locations_with_values(self) -> List[Location]:
        return [location for location in self.locations if location.columns.get("has_values", 1)]

    # ---- waits and messages ---------------------------------------------------------------------

    @functools.cached_property
    def waits(self) -> List[Wait]:
        """Longest first; none where they were not measured."""
        causes = {row["id"]: row["name"] for row in self.table("cause")}
        def known(number: Optional[int]) -> Optional[int]:
            return None if number is None or number < 0 else number
        found = [Wait(causes.get(row["cause"], ""), row["callpath"], *(known(row[key]) for key in (
            "peer_callpath", "peer_rank", "origin_callpath", "origin_rank")), row["wait_ns"] * 1e-9, row["events"])
            for row in self.table("wait")]
        return sorted(found, key=lambda wait: -wait.wait_s)

    @functools.cached_property
    def messages(self) -> Dict[Tuple[int, int], Tuple[float, float]]:
        """{(source, destination): (messages, bytes)}; destination -1: all others."""
        return {(row["source"], row["destination"]): (row["messages"], row["bytes"]) for row in self.table("message")}

    @functools.cached_property
    def wait_pairs(self) -> Dict[Tuple[int, int], float]:
        """{(rank, rank that it waited for): seconds}; -1: not known, or all others. Empty in files of before."""
        return {(row["rank"], row["peer_rank"]): row["wait_ns"] * 1e-9 for row in self.table("wait_pair")}

    # ---- data frames ----------------------------------------------------------------------------

    def frame(self) -> Any:
        """A pandas.DataFrame: a row for each call path, by its number, with the figures of `andes show --json`."""
        import pandas
        rows = [{"parent": path.parent.id if path.parent else None, "path": str(path), "name": path.name, "kind": path.kind,
                 "file": path.file, "line": path.line, **{figure: getattr(path, figure) for figure in FIGURES}}
                for path in self.callpaths]
        return pandas.DataFrame(rows, index=pandas.Index([path.id for path in self.callpaths], name="callpath"))

    def values_frame(self, metric: str) -> Any:
        """A pandas.DataFrame of a metric: call paths down, locations (rank, thread) across."""
        import pandas
        columns = pandas.MultiIndex.from_tuples([(location.rank, location.thread) for location in self.locations_with_values],
                                                names=["rank", "thread"])
        values = self.values(metric)
        return pandas.DataFrame([values[path] for path in sorted(values)], columns=columns,
                                index=pandas.Index(sorted(values), name="callpath"))


class Point(NamedTuple):
    """Runs of one size."""
    ranks: int
    threads: int
    runs: List[Run]

    @property
    def time_s(self) -> float:
        """The median of T."""
        return statistics.median(run.wall_s for run in self.runs)


class Series:
    """Runs of one build of a program that did the same work."""

    def __init__(self, members: Iterable[Run]):
        by_size: Dict[Tuple[int, int], List[Run]] = {}
        for run in members:
            by_size.setdefault((run.ranks, run.threads), []).append(run)
        self.points = [Point(ranks, threads, by_size[ranks, threads]) for ranks, threads in sorted(by_size)]

    @property
    def runs(self) -> List[Run]:
        return [run for point in self.points for run in point.runs]

    @property
    def program(self) -> str:
        return self.runs[0].program

    @property
    def axes(self) -> List[str]:
        """What `andes run --vary` set, each NAME=VALUE."""
        return [str(axis) for axis in self.runs[0]._list("axes")]

    def speedup(self, point: Point) -> float:
        """Against the smallest size."""
        return self.points[0].time_s / point.time_s

    def frame(self) -> Any:
        """A pandas.DataFrame: a row for each run."""
        import pandas
        return pandas.DataFrame([{"file": run.file, "ranks": run.ranks, "threads": run.threads, "time_s": run.wall_s,
                                  "repeat": run.facts.get("repeat"), "build": run.facts.get("executable_hash"),
                                  "started": run.facts.get("started")} for run in self.runs])

    def __repr__(self) -> str:
        return "Series(%r, %d runs)" % (self.program, len(self.runs))


def run_files(*names: Union[str, "os.PathLike[str]"]) -> List[str]:
    """Files as they are; of directories all *.andes below them."""
    found = set()
    for name in names:
        if not os.path.isdir(name):
            found.add(os.fspath(name))
            continue
        for folder, _, files in os.walk(name):
            found.update(os.path.join(folder, file) for file in files if file.endswith(".andes"))
    return sorted(found)


def read_series(*names: Union[str, "os.PathLike[str]"]) -> List[Series]:
    """The runs in files and directories that may stand for their size (Run.why_not), by program, work and build."""
    groups: Dict[Tuple[str, ...], List[Run]] = {}
    for file in run_files(*names):
        run = Run(file)
        if run.why_not:
            continue
        weak = run.facts.get("weak")
        work = (run.facts.get("weak_arguments", "[]") if weak  # as andes report groups them
                else run.facts.get("swept_arguments", run.facts.get("arguments", "[]")))
        axes = [axis for axis in map(str, run._list("axes")) if not weak or axis.split("=")[0] != str(weak).split("=")[0]]
        swept = run.facts.get("swept_program")
        build = "" if swept else str(run.facts.get("executable_hash", ""))  # built for each size
        key = (str(swept or run.program), str(work), json.dumps(axes), str(weak or ""), build)
        groups.setdefault(key, []).append(run)
    return [Series(groups[key]) for key in sorted(groups)]
