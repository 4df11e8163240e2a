"""The pages of docs/cases as programs: their commands, the changes that they make, and the screens that they show.

A page is read from above: a block `sh` holds commands, a block `diff` is applied to the files in the folder by patch, a
block `text` shows what the last command printed, after `<!-- screen: N lines -->` its first N lines alone. A comment `<!-- expect: REGEX -->` below a
screen is what the command must print on any machine; the screen itself is one machine's. A comment `<!-- picture: WORDS, PART -->` above
a picture says what it shows: the part (a selector of CSS, with what is looked at behind "#") of the page of `andes WORDS --html`.

    PYTHONPATH=tests python3 tests/docs/pages.py --write [NAME...]       runs pages and renews their screens and pictures
    PYTHONPATH=tests python3 tests/docs/pages.py --pictures [NAME...]    runs pages and renews their pictures alone
"""

import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

from support.build import SOURCE
from support.environment import environment

PAGES = os.path.join(SOURCE, "docs", "cases")
PROGRAMS = os.path.join(SOURCE, "tests", "programs")
BLOCK = re.compile(r"^(?:<!-- screen: (?P<lines>\d+) lines -->\n)?```(?P<kind>sh|diff|text)\n(?P<text>.*?)^```\n|"
                   r"^<!-- expect: (?P<expected>.*?) -->$|"
                   r"^<!-- picture: (?P<words>[^\n]*), (?P<part>\S+) -->\n!\[[^\]]*\]\((?P<picture>\S+)\)$", re.S | re.M)


def names():
    """Of all pages but the index."""
    return sorted(os.path.basename(path)[:-3] for path in glob.glob(os.path.join(PAGES, "*.md"))
                  if os.path.basename(path) != "README.md")


def read(name):
    with open(os.path.join(PAGES, name + ".md"), encoding="utf-8") as file:
        return file.read()


def run(command, folder, text=None):
    """What it prints on standard output; a failure is told with all that it printed."""
    done = subprocess.run(["bash", "-e", "-c", command], cwd=folder, env=environment(COLUMNS=100), timeout=300,
                          input=text, stdin=None if text else subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode:
        raise AssertionError("%s\nstatus %d\n%s%s" % (command, done.returncode, done.stdout, done.stderr))
    return done.stdout


def walk(page, on_screen, on_expectation, on_picture=lambda block, folder: None):
    """Runs a page in a folder of its own. `on_screen` gets the match of a screen and what was printed, `on_expectation` a
    regular expression and what was printed, `on_picture` the match of a picture and the folder."""
    with tempfile.TemporaryDirectory(prefix="andes-page-") as folder:
        for path in glob.glob(os.path.join(PROGRAMS, "cases", "*")) + [os.path.join(PROGRAMS, "heat.c")]:
            shutil.copy(path, folder)
        printed = ""
        for block in BLOCK.finditer(page):
            if block["kind"] == "sh":
                for command in re.sub(r"\\\n\s*", "", block["text"]).splitlines():
                    printed = run(command, folder)
            elif block["kind"] == "diff":
                run("patch --strip=0 --no-backup-if-mismatch", folder, block["text"])
            elif block["kind"] == "text":
                on_screen(block, printed)
            elif block["picture"]:
                on_picture(block, folder)
            else:
                on_expectation(block["expected"], printed)


def picture(block, folder):
    """Writes the picture anew."""
    run("andes %s --html page.html" % block["words"], folder)
    given = {"modules": os.path.join(SOURCE, "page", "package.json"), "chromium": shutil.which("chromium") or shutil.which("chromium-browser"),
             "page": os.path.join(folder, "page.html"), "part": block["part"], "to": os.path.join(PAGES, block["picture"])}
    run("node %s" % os.path.join(SOURCE, "tests", "page", "picture.mjs"), folder, json.dumps(given))


def renewed(page):
    """The page with the screens of this machine, whose name is left out; its pictures are written."""
    parts, end = [], 0

    def renew(block, printed):
        nonlocal end
        lines = re.sub(r"\b%s\b" % re.escape(os.uname().nodename), "node", printed).strip("\n").splitlines()
        if block["lines"] and int(block["lines"]) < len(lines):
            lines[int(block["lines"]):] = ["..."]
        parts.extend((page[end:block.start("text")], "\n".join(lines) + "\n"))
        end = block.end("text")

    walk(page, renew, lambda pattern, printed: None, picture)
    return "".join(parts) + page[end:]


def main(words):
    if words[:1] not in (["--write"], ["--pictures"]):
        sys.exit(__doc__)
    for name in words[1:] or names():
        if words[0] == "--pictures":
            walk(read(name), lambda block, printed: None, lambda pattern, printed: None, picture)
            continue
        page = renewed(read(name))
        with open(os.path.join(PAGES, name + ".md"), "w", encoding="utf-8") as file:
            file.write(page)


if __name__ == "__main__":
    main(sys.argv[1:])
