"""Marks and functions with known visits; the arguments: how often, and whether functions are measured from here."""
import os
import sys
import tempfile
import threading

import andes


def leaf():
    return 1


class Solver:
    def step(self):
        return leaf() + leaf()


def countdown(n):
    return n and countdown(n - 1)


def numbers(n):
    for i in range(n):
        yield leaf() * i


def fail():
    raise ValueError("known")


@andes.region("assembly")
def assemble():
    return leaf()


@andes.region()
def named_by_itself():
    return leaf()


def work(times):
    solver = Solver()
    for i in range(times):
        with andes.phase("time step"):
            solver.step()
            andes.value("residual", 2.0 * i)
    with andes.phase("numbered", 7):
        pass
    countdown(3)
    assert sum(numbers(4)) == 6
    assemble()
    named_by_itself()
    try:
        with andes.region("failing"):
            fail()
    except ValueError:
        pass
    thread = threading.Thread(target=leaf)
    thread.start()
    thread.join()
    andes.off()
    leaf()
    andes.on()
    os.path.join(tempfile.gettempdir(), "x")  # of Python's library


def main(times, profiled):
    if profiled:
        with andes.profile():
            work(times)
    else:
        work(times)
    leaf()


main(int(sys.argv[1]), sys.argv[2:] == ["profile"])
print("marked: done, %s" % ("measured" if andes.is_on() else "not measured"))
