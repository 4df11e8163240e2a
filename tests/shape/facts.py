#!/usr/bin/env python3
"""The table of facts in docs/run-file.md is that of monitor/interface/facts.def.

  facts.py SOURCE          says whether it is
  facts.py SOURCE --write  makes it so
"""
import os
import re
import sys

FACT = re.compile(r'ANDES_FACT\((\w+), (\w+), (\w+), "((?:[^"\\]|\\.)*)"\)\n')
HEAD = "| fact | type | written by | meaning |\n|---|---|---|---|\n"
TABLE = re.compile(re.escape(HEAD) + r"(?:\|.*\n)*")
WRITERS = {"monitor": "the monitor", "recover": "`andes recover`", "run": "`andes run`"}
TYPES = {"text": "text", "whole": "integer", "real": "real", "list": "JSON array"}


def table(definitions):
    rows = FACT.findall(definitions)
    return HEAD + "".join(
        f"| `{name}` | {TYPES[kind]} | {WRITERS[writer]} | {meaning.replace(chr(92), '')} |\n"
        for name, kind, writer, meaning in rows), len(rows)


def main(source, write):
    with open(os.path.join(source, "monitor/interface/facts.def"), encoding="utf-8") as text:
        definitions = text.read()
    wanted, rows = table(definitions)
    if rows != definitions.count("\nANDES_FACT("):
        print("monitor/interface/facts.def: not all entries can be read; one line each")
        return 1
    path = os.path.join(source, "docs/run-file.md")
    with open(path, encoding="utf-8") as text:
        page = text.read()
    found = TABLE.search(page)
    if found and found[0] == wanted:
        return 0
    if found and write:
        with open(path, "w", encoding="utf-8") as text:
            text.write(page[:found.start()] + wanted + page[found.end():])
        return 0
    print("docs/run-file.md: its table of facts is not that of facts.def; tests/shape/facts.py SOURCE --write makes it so")
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], "--write" in sys.argv[2:]))
