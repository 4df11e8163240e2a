#!/usr/bin/env python3
"""The table of columns in docs/json.md is what the declarations in postproc/view/columns say of them in `means`.

  columns.py SOURCE          says whether it is
  columns.py SOURCE --write  makes it so
"""
import glob
import os
import re
import sys

import page_table

TEXT = r'"(?:[^"\\]|\\.)*"'
COLUMN = re.compile(rf'\.key = "(\w+)",\s*\.means =\s*((?:{TEXT}\s*)+),')
HEAD = "| column | table | meaning |\n|---|---|---|\n"


def table(source):
    """The table, and the files of which not every entry can be read."""
    rows, unread = "", []
    for path in sorted(glob.glob(os.path.join(source, "postproc/view/columns/*.cc"))):
        with open(path, encoding="utf-8") as text:
            declarations = text.read()
        columns = COLUMN.findall(declarations)
        if len(columns) != declarations.count(".means ="):
            unread.append(os.path.relpath(path, source))
        noun = os.path.basename(path)[:-3].replace("_", " ")
        for key, literals in columns:
            meaning = "".join(part[1:-1] for part in re.findall(TEXT, literals))
            rows += f"| `{key}` | {noun} | {page_table.plain(meaning)} |\n"
    return HEAD + rows, unread


def main(source, write):
    wanted, unread = table(source)
    for path in unread:
        print(f"{path}: not all columns with `means` can be read; write .key = \"...\", .means = \"...\"")
    if unread:
        return 1
    return page_table.check(source, "docs/json.md", HEAD, wanted,
                            "its table of columns is not what postproc/view/columns says; "
                            "tests/shape/columns.py SOURCE --write makes it so", write)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], "--write" in sys.argv[2:]))
