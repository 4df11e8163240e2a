"""Waiting for what comes in its own time."""
import time


def wait_until(condition, patience_s, pause_s=0.02):
    """Whether the condition has come true in that time."""
    end = time.monotonic() + patience_s
    while not (came := condition()) and time.monotonic() < end:
        time.sleep(pause_s)
    return bool(came)
