#!/usr/bin/env python3
"""Pages of all run files that were made to hurt (tests/command/hostile_runs.py) in Chromium: each is refused in one line, or
makes a page that is drawn, asks for nothing, and has no markup from names. The test page_browser opens four of them.

  hostile.py [NAME...]
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

import made_runs
from support.build import ANDES, SOURCE
from test_browser import CHROMIUM, MODULES, hostile_runs, why_not


def page_of(name, folder):
    """Writes NAME.html in the folder; false if andes refuses the run. Throws on any other end."""
    made_runs.sweep(os.path.join(folder, name), (4,))
    run = os.path.join(folder, name, "p4.1.andes")
    hostile_runs.FILES[name](run)
    done = subprocess.run([ANDES, "show", run, "--html", os.path.join(folder, name + ".html")], stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, timeout=120)
    if done.returncode not in (0, 2) or (done.returncode == 2 and len(done.stderr.splitlines()) != 1):
        raise AssertionError("%s: status %d\n%s" % (name, done.returncode, done.stderr))
    return done.returncode == 0


def main():
    parser = argparse.ArgumentParser(prog="setup page-hostile", description="Pages of all hostile run files in Chromium.")
    parser.add_argument("names", nargs="*", help="of hostile_runs.py (default: all)")
    names = parser.parse_args().names or list(hostile_runs.FILES)
    if unknown := [name for name in names if name not in hostile_runs.FILES]:
        sys.exit("andes: page-hostile: %s: no such file of hostile_runs.py" % unknown[0])
    if reason := why_not():
        sys.exit("andes: page-hostile: " + reason)
    with tempfile.TemporaryDirectory(prefix="andes-page-") as folder:
        pages = {"hostile-" + name: os.path.join(folder, name + ".html") for name in names if page_of(name, folder)}
        print("%d run files: %d are refused in one line, %d make a page" % (len(names), len(names) - len(pages), len(pages)), flush=True)
        given = {"modules": MODULES, "chromium": CHROMIUM, "pages": pages, "documents": {}, "cases": ["names are text"]}
        return subprocess.run(["node", os.path.join(SOURCE, "tests", "page", "browser.mjs")], input=json.dumps(given), text=True, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
