"""Waiting for what comes in its own time."""
import time


def wait_until(condition, patience_s, pause_s=0.02):
    """Whether the condition has come true in that time."""
    end = time.monotonic() + patience_s
    while not (came := condition()) and time.monotonic() < end:
        time.sleep(pause_s)
    return bool(came)


def wait_for_end(pids, patience_s):
    """Whether these processes have ended in that time; their parents need not know yet."""
    def ended(pid):
        try:
            with open("/proc/%s/stat" % pid, encoding="utf-8", errors="replace") as file:
                return file.read().rsplit(")", 1)[1].split()[0] in "ZX"
        except (FileNotFoundError, ProcessLookupError):
            return True
    return wait_until(lambda: all(map(ended, pids)), patience_s)
