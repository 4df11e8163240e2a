"""andes for Python: regions, phases and values of a program, and its functions as regions, in one call tree with the calls
of MPI. Without the monitor in the process all of this does nothing.

    import andes

    @andes.region("assembly")            # a decorator, or: with andes.region("assembly"):
    def assemble(): ...

    for step in range(10):
        with andes.phase("time step"):
            andes.value("residual", solve())

The functions of a script are measured with `python3 -m andes SCRIPT ARGUMENTS`, or from `andes.profile()` on.
"""
import contextlib
import functools
import os
import sys
import sysconfig
import threading

try:
    from andes import _native
except ImportError:  # built without Python's headers
    _native = None

__all__ = ["region", "phase", "value", "on", "off", "is_on", "snapshot", "profile"]


class region(contextlib.ContextDecorator):
    """A region, as a context manager or a decorator. Without a name a decorated function gives its own."""

    def __init__(self, name=None):
        self.name = name

    def __enter__(self):
        if _native:
            _native.begin(self.name)
        return self

    def __exit__(self, *exception):
        if _native:
            _native.end(self.name)
        return False

    def __call__(self, function):
        if self.name is None:
            return region(function.__qualname__)(function)
        return super().__call__(function)


class phase(contextlib.ContextDecorator):
    """A step of a phase. `number`: of the step; without one steps are counted."""

    def __init__(self, name, number=None):
        self.name, self.number = name, number

    def __enter__(self):
        if _native:
            _native.phase_begin(self.name, self.number)
        return self

    def __exit__(self, *exception):
        if _native:
            _native.phase_end(self.name)
        return False


def value(name, number):
    """Attaches a number to the innermost region."""
    if _native:
        _native.value(name, number)


def off():
    """Stops measuring this process."""
    if _native:
        _native.control(0)


def on():
    """Resumes measuring this process."""
    if _native:
        _native.control(1)


def snapshot():
    """Asks for a run file of the running program."""
    if _native:
        _native.control(2)


def is_on():
    """Whether this process is being measured."""
    return bool(_native and _native.is_on())


@functools.lru_cache(maxsize=None)
def _is_of_others(file):
    """Whether a source belongs to Python, to an installed package or to this module."""
    if file.startswith("<"):
        return True
    path = os.path.realpath(file)
    if {"site-packages", "dist-packages"} & set(path.split(os.sep)):
        return True
    places = [sysconfig.get_path(name) for name in ("stdlib", "platstdlib")] + [os.path.dirname(__file__)]
    return any(path.startswith(os.path.realpath(place) + os.sep) for place in places if place)


def _describe(every):
    def describe(code):
        if not every and _is_of_others(code.co_filename):
            return None
        name = getattr(code, "co_qualname", code.co_name)
        if name == "<module>":
            name = os.path.basename(code.co_filename)
        return name, code.co_filename, code.co_firstlineno
    return describe


class profile:
    """Makes regions of the Python functions that are called from now on, in this thread and in those that begin later: of the
    functions of the program, `every` also those of Python's library and of packages. As a context manager it ends them."""

    def __init__(self, every=False):
        self.measured = False
        if _native is None:
            return
        describe = _describe(every)
        self.measured = _native.profile_start(describe)
        if self.measured:  # in a new thread the first event starts its own
            threading.setprofile(lambda *event: _native.profile_start(describe))

    def stop(self):
        """Ends it in this thread, and for threads that begin later."""
        if self.measured:
            threading.setprofile(None)
            _native.profile_stop()
            self.measured = False

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.stop()
        return False
