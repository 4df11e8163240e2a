"""One run of a test of the suite: started, ended in time with all of its processes, and judged as the suite's own runner
(runtests) does it."""
import os
import re
import signal
import subprocess
import time
from dataclasses import dataclass

MARK = "MPI_SUITE_ATTEMPT"  # of all processes of an attempt, in their environment
GRACE = 10  # seconds that a launcher has to end the run, which it does itself at MPIEXEC_TIMEOUT; one test expects it
NO_ERRORS = re.compile(r"\s*No [Ee]rrors\s*")
HARMLESS = re.compile(r"\s*Test Passed\s*|.*FORTRAN STOP.*|.*requesting checkpoint\s*|.*checkpoint completed\s*")


@dataclass
class Attempt:
    passed: bool
    why: str        # it did not
    seconds: float
    said: list      # by andes: lines


def judge(test, status, output):
    """Why a run is no success, or nothing; lines of andes are none of the test's."""
    how = test.options.get("resultTest", "")
    others = [line for line in output if not NO_ERRORS.fullmatch(line) and not HARMLESS.fullmatch(line)]
    found = any(NO_ERRORS.fullmatch(line) for line in output)
    if how in ("TestStatus", "TestErrFatal"):
        return "" if status != 0 else "exit status 0"
    if not found:
        return "no 'No Errors'" + (": " + others[0].strip()[:150] if others else "") + ", exit status %d" % status
    if others:
        return "unexpected output: " + others[0].strip()[:150]
    if how == "TestStatusNoErrors":
        return "" if status != 0 else "exit status 0"
    return "" if status == 0 else "exit status %d" % status


def end_all(mark):
    """Ends what is left of an attempt: launchers put ranks into process groups of their own."""
    wanted = ("%s=%s" % (MARK, mark)).encode()
    for process in os.listdir("/proc"):
        if not process.isdigit():
            continue
        try:
            with open("/proc/%s/environ" % process, "rb") as file:
                if wanted in file.read().split(b"\0"):
                    os.kill(int(process), signal.SIGKILL)
        except OSError:
            pass


def run(test, command, where, environment, limit):
    mark = "%d-%d" % (os.getpid(), time.monotonic_ns())
    begin = time.monotonic()
    variables = {**environment, **test.environment, MARK: mark, "MPIEXEC_TIMEOUT": str(int(limit))}
    process = subprocess.Popen(command, cwd=where, env=variables, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, start_new_session=True)
    try:
        output, errors = process.communicate(timeout=limit + GRACE)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGTERM)
        try:
            output, errors = process.communicate(timeout=5)
        except subprocess.TimeoutExpired:
            end_all(mark)
            output, errors = process.communicate()
    end_all(mark)
    seconds = time.monotonic() - begin
    # The one does not end its last line always, nor the other begin a new one.
    lines = [line for text in (output, errors) for line in text.decode(errors="replace").splitlines()]
    said = [line for line in lines if line.startswith("andes: ")]
    why = judge(test, process.returncode, [line for line in lines if not line.startswith("andes: ")])
    if why and seconds >= int(limit):
        why = "not ended after %.0f s" % limit
    return Attempt(not why, why, round(seconds, 2), said)
