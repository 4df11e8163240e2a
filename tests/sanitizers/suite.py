"""The whole suite in a build tree of which all that is andes has a sanitizer (./setup sanitize): every test that ctest
knows, two at a time but for those that run alone there, too, and without those of left_out.txt. A test fails by itself, or by a report of the sanitizer from any
process in it, or by an arena that it leaves. Reports and what failing tests said stay in BUILD/sanitized/. At first a
program that must be reported is run: a suite without reports may have had no sanitizer. Times are not judged under
thread sanitizer, whose start of a thread takes 10 ms.

    suite.py BUILD asan|tsan [-R EXPRESSION]     EXPRESSION: those tests whose names it matches
"""
import argparse
import contextlib
import glob
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor, as_completed

HERE = os.path.dirname(os.path.abspath(__file__))
TOGETHER = 2  # as ./setup test: most of a test's time is waiting
PATIENCE = 2  # times the limit that ctest has: sanitizers make programs slower

# Faults that programs make on purpose stay theirs: the sanitizers' handlers would come before the monitor's.
COMMON = ("handle_segv=0:handle_sigbus=0:handle_sigfpe=0:handle_sigill=0:handle_abort=0:use_sigaltstack=0:"
          "allocator_may_return_null=1")
# The link order: tests preload libraries of their own into andes, too; the sanitizer stands before the C library all the same.
OPTIONS = {
    "asan": {"ASAN_OPTIONS": COMMON + ":log_path={log}:detect_leaks={leaks}:alloc_dealloc_mismatch=0:verify_asan_link_order=0:"
                             "suppressions=" + HERE + "/asan.txt",
                "UBSAN_OPTIONS": COMMON + ":log_path={log}:print_stacktrace=1"},
    "tsan": {"TSAN_OPTIONS": COMMON + ":log_path={log}:history_size=7:report_thread_leaks={leaks}:die_after_fork=0:"
                                        "report_signal_unsafe=0:ignore_noninstrumented_modules={foreign}:suppressions=" +
                                        HERE + "/tsan.txt",
             "UCX_MEM_EVENTS": "n"}}  # what UCX puts in the place of mmap() crashes with the sanitizer's, without andes, too
# Of them threads end in the middle of calls, which thread sanitizer must not be ignoring then.
ENDS_IN_CALLS = ("threads_lives", "odd_sequential")

# A program that writes to what it has given back, compiled plain: its mistake has to be found, else the suite finds none.
MISTAKEN = """
import ctypes
library = ctypes.CDLL(None)
library.malloc.restype = ctypes.c_void_p
block = ctypes.c_void_p(library.malloc(8))
library.free(block)
library.memset(block, 0, 8)
"""


def left_out(sanitizer):
    """What left_out.txt says for it: [(expression of tests, method or "all")]"""
    with open(os.path.join(HERE, "left_out.txt"), encoding="utf-8") as lines:
        entries = [line.strip().split(" | ") for line in lines if not line.startswith("#")]
    return [(tests, method) for which, tests, method, _ in entries if which in (sanitizer, "both")]


def is_finding(report):
    """Not what address sanitizer says of stacks that it does not know: user-level threads, jumps."""
    with open(report, encoding="utf-8", errors="replace") as text:
        return re.search(r"ERROR: |runtime error: |WARNING: ThreadSanitizer|FATAL: ", text.read()) is not None


def options_of(sanitizer, log, leaks=0, foreign=0):
    """Variables that tell processes where to report, and of what."""
    return {name: value.format(log=log, leaks=leaks, foreign=foreign) for name, value in OPTIONS[sanitizer].items()}


def finds_mistakes(build, sanitizer, place):
    """Whether a program with the monitor preloaded has the sanitizer with it, and reports where the suite looks."""
    shutil.rmtree(place, ignore_errors=True)
    os.makedirs(place)
    log = os.path.join(place, "report")
    subprocess.run(["setarch", "-R", sys.executable, "-c", MISTAKEN], check=False, capture_output=True,
                   env={**os.environ, **options_of(sanitizer, log),
                        "LD_PRELOAD": os.path.join(build, "lib", "andes", "libandes.so")})
    return any(map(is_finding, glob.glob(glob.escape(log) + ".*")))


def tests_of(build):
    shown = subprocess.run(["ctest", "--show-only=json-v1"], cwd=build, check=True, capture_output=True, text=True)
    return json.loads(shown.stdout)["tests"]


class Test:
    running = set()  # their processes

    def __init__(self, entry, sanitizer, place, without):
        properties = {p["name"]: p["value"] for p in entry.get("properties", [])}
        self.name, self.command = entry["name"], entry["command"]
        is_script = any(word.endswith(".py") for word in self.command)
        self.place = os.path.join(place, self.name)
        self.log = os.path.join(self.place, "report")
        self.timeout_s = PATIENCE * float(properties.get("TIMEOUT", 1500))
        self.folder = properties.get("WORKING_DIRECTORY")
        self.skip = properties.get("SKIP_RETURN_CODE")
        self.environment = dict(line.split("=", 1) for line in properties.get("ENVIRONMENT", []))
        # Leaks: of unit tests alone. MPI libraries leak in modules that are unloaded before the report, which has no name
        # of them to suppress then.
        self.environment.update(options_of(
            sanitizer, self.log, leaks=0 if is_script or self.name.endswith(("_openmpi", "_mpich")) else 1,
            foreign=0 if self.name in ENDS_IN_CALLS else 1))
        if without:
            script = next(i for i, word in enumerate(self.command) if word.endswith(".py"))
            self.command = [*self.command[:script], os.path.join(HERE, "without.py"), ",".join(sorted(without)),
                            *self.command[script:]]

    def run(self):
        """(passed, failed or skipped, why)"""
        shutil.rmtree(self.place, ignore_errors=True)
        os.makedirs(self.place)
        os.chmod(self.place, 0o1777)  # tests that change their user report, too
        arenas = tempfile.mkdtemp(prefix="andes-sanitized-", dir="/dev/shm" if os.path.isdir("/dev/shm") else None)
        try:
            with open(os.path.join(self.place, "output"), "w", encoding="utf-8") as output:
                process = subprocess.Popen(
                    ["setarch", "-R", *self.command], cwd=self.folder, stdin=subprocess.DEVNULL, stdout=output,
                    stderr=subprocess.STDOUT, start_new_session=True,
                    env={**os.environ, **self.environment, "ANDES_ARENA": arenas})
                self.running.add(process)
                try:
                    status = process.wait(self.timeout_s)
                except subprocess.TimeoutExpired:
                    os.killpg(process.pid, signal.SIGKILL)
                    process.wait()
                    status = "more than %g s" % self.timeout_s
                self.running.discard(process)
            left = os.listdir(arenas)
        finally:
            shutil.rmtree(arenas)
        reports = [report for report in glob.glob(glob.escape(self.log) + ".*") if is_finding(report)]
        if reports:
            return "failed", "%d reports" % len(reports)
        if left:
            return "failed", "arenas left: " + " ".join(left)
        if status == 0:
            return "passed", self.skipped_methods()
        if self.skip is not None and status == self.skip:
            return "skipped", ""
        return "failed", "status %s" % status

    def skipped_methods(self):
        with open(os.path.join(self.place, "output"), encoding="utf-8", errors="replace") as output:
            said = re.search(r"^OK \(skipped=(\d+)\)$", output.read(), re.M)
        return "%s of its methods skipped themselves" % said[1] if said else ""


def runs_alone(entry):
    return any(p["name"] == "RUN_SERIAL" and p["value"] for p in entry.get("properties", []))


def outcome_of(entry, sanitizer, place, out):
    """(outcome, why, seconds) of one of ctest's tests"""
    without = {method for tests, method in out if re.fullmatch(tests, entry["name"])}
    begin = time.monotonic()
    if "all" in without:
        outcome, why = "left out", ""
    elif "command" not in entry:
        outcome, why = "failed", "not built"
    else:
        outcome, why = Test(entry, sanitizer, place, without).run()
    return outcome, why, time.monotonic() - begin


def run_tests(entries, at_once, outcomes, *arguments):
    """Prints each outcome, and adds the test's name to those with the same one."""
    with ThreadPoolExecutor(at_once) as pool:
        names = {pool.submit(outcome_of, entry, *arguments): entry["name"] for entry in entries}
        try:
            for done in as_completed(names):
                outcome, why, seconds = done.result()
                outcomes[outcome].append(names[done])
                print("%-9s %-32s %5.0f s  %s" % (outcome, names[done], seconds, why), flush=True)
        except KeyboardInterrupt:
            pool.shutdown(wait=False, cancel_futures=True)
            for process in list(Test.running):
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
            raise


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("sanitizer", choices=sorted(OPTIONS))
    parser.add_argument("-R", default="", dest="expression")
    given = parser.parse_args()
    build = os.path.abspath(given.build)
    place = os.path.join(build, "sanitized")
    if not finds_mistakes(build, given.sanitizer, os.path.join(place, "mistaken")):
        sys.exit("%s/lib/andes/libandes.so: a mistake in a program that preloads it is not reported; build it with the preset %s"
                 % (build, given.sanitizer))
    outcomes = {"passed": [], "failed": [], "skipped": [], "left out": []}
    entries = [e for e in tests_of(build) if re.search(given.expression, e["name"])]
    arguments = outcomes, given.sanitizer, place, left_out(given.sanitizer)
    run_tests([e for e in entries if not runs_alone(e)], TOGETHER, *arguments)
    run_tests([e for e in entries if runs_alone(e)], 1, *arguments)
    for outcome, names in outcomes.items():
        print("%d %s%s" % (len(names), outcome, ": " + " ".join(names) if names and outcome != "passed" else ""))
    if outcomes["failed"]:
        print("what they said and reported: %s/TEST" % place)
    sys.exit(1 if outcomes["failed"] or not outcomes["passed"] else 0)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
