#!/usr/bin/env python3
"""The index of decisions has each record once, with its title; what the sources and documents cite is there, and each
record is cited outside docs/decisions, at a place that it binds.

  decisions.py SOURCE
"""
import os
import re
import sys

LINE = re.compile(r"^- \[(\d+)\]\((\S+)\) (.*)$", re.M)
CITED = re.compile(r"(?:docs/decisions/|[Dd]ecisions?\s+(?:(?:\*|#|//+)\s+)?)((?:\d+)(?:(?:,\s+| and )\d+)*)")


def titles_in(folder):
    """Title of each record by its file's name."""
    titles = {}
    for name in os.listdir(folder):
        if name != "README.md":
            with open(os.path.join(folder, name), encoding="utf-8") as record:
                titles[name] = record.readline()[2:].strip()
    return titles


def texts_of(source):
    """(file, text) of what may cite a decision."""
    for folder in ("common", "monitor", "postproc", "preprocessor", "docs", "configs", "tests", "packaging"):
        for path, _, names in os.walk(os.path.join(source, folder)):
            for name in names:
                if name.endswith((".h", ".cc", ".c", ".md", ".py", ".txt", ".cmake", ".table", ".def")):
                    with open(os.path.join(path, name), encoding="utf-8", errors="replace") as text:
                        yield os.path.relpath(os.path.join(path, name), source), text.read()


def main(source):
    folder = os.path.join(source, "docs", "decisions")
    titles = titles_in(folder)
    with open(os.path.join(folder, "README.md"), encoding="utf-8") as index:
        lines = LINE.findall(index.read())
    wrong = []
    listed = [name for _, name, _ in lines]
    for name in sorted(set(listed) | set(titles)):
        if listed.count(name) != 1 or name not in titles:
            wrong.append("docs/decisions/README.md: %s stands there %d times; each record once" % (name, listed.count(name)))
    for number, name, title in lines:
        if titles.get(name) != "%s. %s" % (number, title):
            wrong.append("docs/decisions/README.md: %s: not the title of the record" % name)
    known = {int(name[:4]) for name in titles}
    uncited = set(known)
    for file, text in texts_of(source):
        for numbers in CITED.findall(text):
            for number in re.findall(r"\d+", numbers):
                if not file.startswith(os.path.join("docs", "decisions")):
                    uncited.discard(int(number))
                if int(number) not in known:
                    wrong.append("%s: cites decision %s, which there is not" % (file, number))
    for number in sorted(uncited):
        wrong.append("docs/decisions: record %d is cited nowhere; cite it where it binds, or remove it" % number)
    print("\n".join(wrong))
    sys.exit(bool(wrong) or len(titles) < 30)


if __name__ == "__main__":
    main(*sys.argv[1:])
