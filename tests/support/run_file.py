"""A run file as Python sees it: read by SQLite alone, so that a mistake in the reader of andes cannot hide one of its
writer (decision 51). Everything is read when it is first asked for: files of large runs are asked for sums only.

Call paths are numbers in the file. As texts they are the names from the root on, like (program)/main/solve/MPI_Recv;
call paths of one text are added.
"""
import collections
import functools
import sqlite3
import struct
import urllib.parse
import zlib


def below_program(paths):
    """The same {path: ...} with paths that begin below (program)."""
    return {path.removeprefix("(program)/"): of for path, of in paths.items()}


def are_visits_estimated(metrics):
    """Of {metric: value} of a call path or region: the number of its visits has an interval."""
    return metrics.get("visits_above2", 0) > 0 or metrics.get("visits_cost_above", 0) > 0


class RunFile:
    def __init__(self, path):
        uri = "file:%s?mode=ro&immutable=1" % urllib.parse.quote(str(path))
        self.database = sqlite3.connect(uri, uri=True, check_same_thread=False)

    def __del__(self):
        if hasattr(self, "database"):
            self.database.close()

    # Any question.

    def rows(self, sql, *values):
        return self.database.execute(sql, values).fetchall()

    def value_of(self, sql, *values):
        """Of the one row, its one value."""
        (value,), = self.rows(sql, *values)
        return value

    def table(self, name):
        """Rows by their id, each {column: value}."""
        cursor = self.database.execute("SELECT * FROM %s ORDER BY id" % name)
        columns = [column[0] for column in cursor.description]
        rows = (dict(zip(columns, row)) for row in cursor)
        return {row["id"]: row for row in rows}

    # Tables.

    @functools.cached_property
    def facts(self):
        return dict(self.rows("SELECT name, value FROM fact"))

    @functools.cached_property
    def environment(self):
        return dict(self.rows("SELECT name, value FROM environment"))

    @functools.cached_property
    def hosts(self):
        """{id: name}"""
        return dict(self.rows("SELECT id, name FROM host"))

    @functools.cached_property
    def metrics(self):
        """{name: id}"""
        return dict(self.rows("SELECT name, id FROM metric"))

    @functools.cached_property
    def locations(self):
        return self.table("location")

    @functools.cached_property
    def regions(self):
        return self.table("region")

    @functools.cached_property
    def callpaths(self):
        return self.table("callpath")

    @functools.cached_property
    def messages(self):
        """{(source, destination): (messages, bytes)}"""
        return {(source, destination): (messages, size) for source, destination, messages, size in
                self.rows("SELECT source, destination, messages, bytes FROM message")}

    @functools.cached_property
    def snapshots(self):
        """[{column: value}] by rank and number"""
        return [dict(zip(("rank", "number", "time_ns"), row)) for row in
                self.rows("SELECT rank, number, time_ns FROM snapshot ORDER BY rank, number")]

    @functools.cached_property
    def endings(self):
        """{rank: how it ended}"""
        return dict(self.rows("SELECT rank, how FROM ending"))

    @functools.cached_property
    def statistics(self):
        """{(call path, metric): {column: value}}, over all locations"""
        columns = ("sum", "min", "max", "mean", "sd", "min_rank", "max_rank")
        return {(callpath, metric): dict(zip(columns, row)) for callpath, metric, *row in
                self.rows("SELECT callpath, metric, %s FROM statistic" % ", ".join(columns))}

    @functools.cached_property
    def values(self):
        """{(call path, metric): {location: value}}, of either form that the file has them in"""
        values = {}
        for callpath, metric, location, value in self.rows("SELECT callpath, metric, location, value FROM value"):
            values.setdefault((callpath, metric), {})[location] = value
        kept = [number for number, location in self.locations.items() if location["has_values"]]
        for callpath, metric, kind, numbers in self.rows("SELECT callpath, metric, type, numbers FROM value_column"):
            raw = zlib.decompress(numbers)
            column = struct.unpack("<%d%s" % (len(raw) // {"f": 4, "d": 8}[kind], kind), raw)
            values[(callpath, metric)] = dict(zip(kept, column))
        return values

    # Call paths.

    def name(self, callpath):
        return self.regions[self.callpaths[callpath]["region"]]["name"]

    def kind(self, callpath):
        return self.regions[self.callpaths[callpath]["region"]]["kind"]

    @functools.cached_property
    def paths(self):
        """{call path: its text}; parents have lower numbers."""
        paths = {}
        for number, callpath in self.callpaths.items():
            above = callpath["parent"]
            paths[number] = self.name(number) if above is None else paths[above] + "/" + self.name(number)
        return paths

    def path(self, callpath):
        """The text of a call path below its root; the root's is empty."""
        names = []
        while self.callpaths[callpath]["parent"] is not None:
            names.append(self.name(callpath))
            callpath = self.callpaths[callpath]["parent"]
        return "/".join(reversed(names))

    # A metric over all locations.

    def sum_of(self, metric, callpath):
        statistic = self.statistics.get((callpath, self.metrics[metric]))
        return statistic["sum"] if statistic else 0

    def sums_by_path(self, metric):
        """{path: sum} of those that have the metric"""
        found = collections.Counter()
        for (callpath, number), statistic in self.statistics.items():
            if number == self.metrics.get(metric):
                found[self.paths[callpath]] += statistic["sum"]
        return dict(found)

    def sums_by_region(self, metric):
        """{region: sum over all its call paths}"""
        return dict(self.rows(
            "SELECT region.name, sum(statistic.sum) FROM statistic JOIN callpath ON callpath.id = statistic.callpath "
            "JOIN region ON region.id = callpath.region JOIN metric ON metric.id = statistic.metric "
            "WHERE metric.name = ? GROUP BY 1", metric))

    def totals_by_region(self):
        """{region: {metric: sum over all its call paths}}"""
        metrics = {number: name for name, number in self.metrics.items()}
        totals = collections.defaultdict(collections.Counter)
        for (callpath, metric), statistic in self.statistics.items():
            totals[self.name(callpath)][metrics[metric]] += statistic["sum"]
        return {region: dict(of) for region, of in totals.items()}

    # A metric at single locations.

    def location(self, rank, thread=0):
        for location in self.locations.values():
            if location["rank"] == rank and location["thread"] == thread:
                return location
        raise AssertionError("no location of rank %d, thread %d" % (rank, thread))

    def value(self, metric, path, rank, thread=0):
        """At a call path, as path() has it."""
        here = self.location(rank, thread)["id"]
        return sum(self.values.get((c, self.metrics[metric]), {}).get(here, 0)
                   for c in self.callpaths if self.path(c) == path)

    def region_value(self, metric, region, rank, thread=0):
        """At all call paths that end in a region (of an own, not inclusive, metric)."""
        here = self.location(rank, thread)["id"]
        return sum(self.values.get((c, self.metrics[metric]), {}).get(here, 0)
                   for c in self.callpaths if self.name(c) == region)

    def values_by_rank(self, metric, region=None):
        """{rank: value} of all threads together, at all call paths that end in `region`; None: at all."""
        found = collections.Counter()
        for (callpath, number), of_location in self.values.items():
            if number == self.metrics.get(metric) and region in (None, self.name(callpath)):
                for location, value in of_location.items():
                    found[self.locations[location]["rank"]] += value
        return dict(found)

    # Steps of phases.

    @functools.cached_property
    def steps(self):
        return self.table("step")

    @functools.cached_property
    def step_paths(self):
        """{step: its text}: that of the call path, and the steps below it"""
        paths = {}
        for number, step in self.steps.items():
            above = self.paths[step["callpath"]] if step["parent"] is None else paths[step["parent"]]
            paths[number] = above + "/" + self.regions[step["region"]]["name"]
        return paths

    def sums_by_step(self, metric):
        """{text of a step: sum over all locations}"""
        return {self.step_paths[step]: total for step, total in
                self.rows("SELECT step, sum FROM step_statistic WHERE metric = ?", self.metrics[metric])}
