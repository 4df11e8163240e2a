#!/usr/bin/env python3
"""No two types of andes share a full name: in one program that would be a breach of the one-definition rule, which no
compiler reports. Those of unnamed namespaces have one name in a folder, whose sources may be compiled together.

  declared_once.py SOURCE
"""
import collections
import os
import re
import sys

FOLDERS = ("common", "monitor", "postproc", "preprocessor")
OF_USERS = "monitor/interface/andes.h"  # classes of the program's own
NAMESPACE = re.compile(r"(?:inline )?namespace ?([\w:]*) \{")
TYPE = re.compile(r"(?:struct|class|enum class|enum|union) (?:(?:\[\[.*?\]\]|alignas\(\w+\)) )?(\w+)(?: final)?(?: : [^{]*)? \{")


def types_in(text, folder):
    """Full names of the types that a file in `folder` defines; of those in unnamed namespaces with the folder."""
    open_ones = []
    for line in text.splitlines():
        if namespace := NAMESPACE.match(line):
            open_ones.append(namespace[1])
        elif line.startswith("} // namespace") and open_ones:
            open_ones.pop()
        elif found := TYPE.match(line):
            yield "::".join([name or "(unnamed in %s)" % folder for name in open_ones] + [found[1]])


def main(source):
    places = collections.defaultdict(set)
    for folder in FOLDERS:
        for path, _, names in os.walk(os.path.join(source, folder)):
            for name in names:
                file = os.path.relpath(os.path.join(path, name), source)
                if name.endswith((".h", ".cc")) and file != OF_USERS:
                    with open(os.path.join(source, file), encoding="utf-8") as text:
                        for full in types_in(text.read(), os.path.relpath(path, source)):
                            places[full].add(file)
    twice = {full: files for full, files in places.items() if len(files) > 1}
    for full, files in sorted(twice.items()):
        print("%s: defined in %s; give one another name" % (full, " and in ".join(sorted(files))))
    if len(places) < 300:
        sys.exit("only %d types found: the search is broken" % len(places))
    sys.exit(bool(twice))


if __name__ == "__main__":
    main(*sys.argv[1:])
