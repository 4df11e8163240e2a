"""Running a command that must end as expected."""
import os
import subprocess

from support.environment import environment

TIMEOUT_S = 600


class CommandFailed(Exception):
    """A command ended with another status than the one expected; all it said."""


def before_others():
    """This process (or thread, if one calls it) has the core before all that are not of the real-time class, where it may:
    threads that sleep to deadlines then start and wake up in time on a busy machine."""
    try:
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1))
    except PermissionError:
        pass


def command(args, check=0, cwd=None, at_start=None, **env):
    """Runs a command; fails the test with all it said unless it ends with status `check`.
    `at_start` is called in its process."""
    done = subprocess.run(args, cwd=cwd, env=environment(**env), timeout=TIMEOUT_S, preexec_fn=at_start,
                          stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if check is not None and done.returncode != check:
        raise CommandFailed("%s: exit status %d, not %d\n%s%s" % (
            " ".join(args), done.returncode, check, done.stdout, done.stderr))
    return done
