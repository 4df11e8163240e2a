"""What two runs of one program say about it, compared: shares of functions, marks of call paths.

All of it from documents of `andes show --json`. The share of a function is the exclusive time of all its
call paths, in per cent of the time that the program computes, that is of p x T without MPI, waits for other
threads and the tool: probes that slow a run down twice would otherwise halve every share, and how long ranks
wait for each other differs more between two runs on a shared machine than what is to be seen here.

With every visit of a function of 5 ns timed, half of the run and more is the tool's, and how much is known to a
factor of two: the time that is left then is up to a quarter too short, and every share of it too large. Where one
rank computes, a run without a monitor says how long it computes (`computing_s`).
"""

import math

HEAVY_PERCENT = 1.0   # what a reader of a report would miss
WITHIN_POINTS = 2.0   # shares that differ by less are alike
TOP = 10
COMPUTE = {"root", "function", "block", "loop", "overflow", "phase", "instance", "parallel", "workshare", "task",
           "critical"}


class Share:
    """In per cent; `low` and `high` are the ends of the interval, the share itself where it is exact."""

    def __init__(self, percent, low, high):
        self.percent, self.low, self.high = percent, low, high


def computes(callpath):
    return callpath["kind"] in COMPUTE


def computing_s(absent_s, shown):
    """Of one rank that runs for `absent_s` without a monitor; `shown` tells how long it is in MPI. None where that is
    most of the time: the measured run polls for another length of time, and the difference tells nothing."""
    in_mpi_s = sum(c["exclusive_s"] for c in shown["callpaths"] if not computes(c) and c["kind"] != "tool")
    return absent_s - in_mpi_s if in_mpi_s < absent_s / 2 else None


def shares(shown, total=None):
    """Of each function by name and place; `total`: how long the program computes, unless the functions tell."""
    sums = {}
    for callpath in filter(computes, shown["callpaths"]):
        own = callpath["exclusive_s"]
        known = sums.setdefault((callpath["path"][-1], callpath.get("file"), callpath.get("line")), [0.0, 0.0, 0.0])
        known[0] += own
        known[1] += (own - callpath.get("exclusive_s_low", own)) ** 2
        known[2] += (callpath.get("exclusive_s_high", own) - own) ** 2
    if total is None:
        total = sum(own for own, _, _ in sums.values())
    return {function: Share(*(100 * t / total for t in (own, own - math.sqrt(below), own + math.sqrt(above))))
            for function, (own, below, above) in sums.items()}


def mean_shares(documents, absent_s=None):
    """The shares of several runs; intervals are of the runs' own means. `absent_s`: of one rank without a monitor."""
    of_runs = [shares(shown, None if absent_s is None else computing_s(absent_s, shown)) for shown in documents]
    none = Share(0.0, 0.0, 0.0)
    means = {}
    for function in set().union(*of_runs):
        found = [run.get(function, none) for run in of_runs]
        means[function] = Share(*(sum(getattr(share, key) for share in found) / len(found)
                                  for key in ("percent", "low", "high")))
    return means


class Blindness:
    """How far the shares of a run are from those of the reference, in points: `points` is half the sum
    over all functions, so that time which is shown in the wrong function counts once; `worst_points` and
    `worst` the function that is farthest off; `missing` how many of the reference's ten heaviest functions
    (of at least 1 %) are not among the run's ten; `outside` how many functions are off by more than 2
    points and not within their interval."""

    def __init__(self, reference, found):
        none = Share(0.0, 0.0, 0.0)
        pairs = {f: (reference.get(f, none), found.get(f, none)) for f in set(reference) | set(found)}
        off = {f: abs(a.percent - b.percent) for f, (a, b) in pairs.items()}
        self.points = sum(off.values()) / 2
        worst = max(sorted(off, key=str), key=off.get)
        self.worst, self.worst_points = worst[0], off[worst]
        heaviest = [f for f in top(reference) if reference[f].percent >= HEAVY_PERCENT]
        self.missing = len(set(heaviest) - set(top(found)))
        self.outside = sum(points > WITHIN_POINTS and not pairs[f][1].low <= pairs[f][0].percent <= pairs[f][1].high
                           for f, points in off.items())


def top(of_functions):
    return sorted(of_functions, key=lambda f: (-of_functions[f].percent, str(f)))[:TOP]


def mark(callpath):
    """As a report marks the call path: "" (exact), "~", "?" or "muted"."""
    if callpath.get("muted"):
        return "muted"
    if not callpath.get("estimated"):
        return ""
    return "~" if callpath.get("reliable") else "?"


def marks(shown):
    """Of each call path by its names. Where two have the same names, all their marks."""
    found = {}
    for callpath in shown["callpaths"]:
        if callpath["kind"] != "tool":
            found.setdefault("/".join(callpath["path"]), []).append(mark(callpath))
    return {path: sorted(of_path) for path, of_path in found.items()}


def unstable(documents):
    """How many call paths have different marks in different runs, or are missing in some; of how many."""
    of_runs = [marks(shown) for shown in documents]
    paths = set().union(*of_runs)
    return sum(any(run.get(p) != of_runs[0].get(p) for run in of_runs) for p in paths), len(paths)


def unreliable(shown):
    """How many call paths with 1 % of p x T, callees included, are unreliable or muted; of how many."""
    total = sum(rank["wall_s"] for rank in shown["ranks"])
    heavy = [c for c in shown["callpaths"]
             if c["kind"] != "tool" and 100 * c["inclusive_s"] >= HEAVY_PERCENT * total]
    return sum(mark(c) in ("?", "muted") for c in heavy), len(heavy)


def tool_percent(shown):
    """The tool's own time as reported, in per cent of p x T, and its error."""
    sampling = shown["sampling"]
    return sampling["tool_percent"], sampling["tool_error_percent"]
