#!/usr/bin/env python3
"""The table of facts in docs/run-file.md is that of monitor/interface/facts.def.

  facts.py SOURCE          says whether it is
  facts.py SOURCE --write  makes it so
"""
import os
import re
import sys

import page_table

FACT = re.compile(r'ANDES_FACT\((\w+), (\w+), (\w+), "((?:[^"\\]|\\.)*)"\)\n')
HEAD = "| fact | type | written by | meaning |\n|---|---|---|---|\n"
WRITERS = {"monitor": "the monitor", "recover": "`andes recover`", "run": "`andes run`"}
TYPES = {"text": "text", "whole": "integer", "real": "real", "list": "JSON array"}


def table(definitions):
    rows = FACT.findall(definitions)
    return HEAD + "".join(
        f"| `{name}` | {TYPES[kind]} | {WRITERS[writer]} | {page_table.plain(meaning)} |\n"
        for name, kind, writer, meaning in rows), len(rows)


def main(source, write):
    with open(os.path.join(source, "monitor/interface/facts.def"), encoding="utf-8") as text:
        definitions = text.read()
    wanted, rows = table(definitions)
    if rows != definitions.count("\nANDES_FACT("):
        print("monitor/interface/facts.def: not all entries can be read; one line each")
        return 1
    return page_table.check(source, "docs/run-file.md", HEAD, wanted,
                            "its table of facts is not that of facts.def; tests/shape/facts.py SOURCE --write makes it so",
                            write)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], "--write" in sys.argv[2:]))
