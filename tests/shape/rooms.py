#!/usr/bin/env python3
"""The table of docs/design.md, "The house", is true: a folder includes what lies in the folders that the table allows it,
and includes and links the libraries that stand there; nothing is allowed that is not used; no circles. Namespaces follow
the parts.

  rooms.py SOURCE
"""
import collections
import os
import re
import sys

PARTS = ("common", "monitor", "preprocessor", "postproc")
OF_ALL = ("common", "monitor/interface")  # in the namespace andes itself
# By the table's word: headers, and what links it.
LIBRARIES = {
    "fmt": (r"fmt/", r"fmt::fmt"),
    "Boost": (r"boost/", r"Boost::"),
    "CLI11": (r"CLI/", r"CLI11::"),
    "nlohmann-json": (r"nlohmann/", r"nlohmann_json::"),
    "SQLite": (r"sqlite3\.h", r"ANDES_SQLITE_ARCHIVE"),
    "zlib": (r"zlib\.h", r"ANDES_ZLIB_ARCHIVE"),
    "libdw": (r"elfutils/|dwarf\.h", r"ANDES_DW\b"),
    "libelf": (r"gelf\.h|libelf\.h", r"ANDES_ELF\b"),
    "PAPI": (r"papi\.h", r"ANDES_PAPI\b"),
    "Clang": (r"clang/|llvm/", r"clang-cpp|LLVM\b"),
    "MPI": (r"mpi\.h", r"ANDES_MPI_LIBRARY|::MPI"),
}
# Of C++, what holds no code of its library: all that a folder may use which has "libc" and lives in the program's process.
FREESTANDING = re.compile(r".*\.h|c(stdint|stddef|stdlib|string|time|limits|math)|bit|iterator|utility|initializer_list|type_traits")
# The headers of Clang are looked for where they are installed, its library is one for all its parts; PAPI is opened at run time.
NOT_LINKED = {"Clang", "PAPI"}


def table(source):
    """Room: (rooms that it may use, libraries)."""
    rooms = {}
    with open(os.path.join(source, "docs/design.md"), encoding="utf-8") as text:
        for line in text:
            cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
            if len(cells) == 4 and cells[0].split("/")[0] in PARTS:
                rooms[cells[0]] = tuple({word for word in cell.split(", ") if word} for cell in cells[2:])
    return rooms


def files(source, ending):
    for part in PARTS:
        for path, _, names in os.walk(os.path.join(source, part)):
            for name in sorted(names):
                if name.endswith(ending):
                    yield os.path.relpath(os.path.join(path, name), source)


def room_of(file, rooms):
    folder = os.path.dirname(file)
    while folder and folder not in rooms:
        folder = os.path.dirname(folder)
    return folder


def read(source, file):
    with open(os.path.join(source, file), encoding="utf-8") as text:
        return text.read()


def circle(uses):
    """A way from a room back to itself, but for a room and its own part; none: empty."""
    def search(room, way):
        if room in way:
            return way[way.index(room):] + [room]
        for other in sorted(uses[room]):
            if not (other.startswith(room + "/") or room.startswith(other + "/")):
                if found := search(other, way + [room]):
                    return found
        return []
    return next((found for room in sorted(uses) if (found := search(room, []))), [])


def main(source):
    rooms = table(source)
    wrong = [] if rooms else ["docs/design.md: no table of the house"]
    uses, libraries = collections.defaultdict(set), collections.defaultdict(set)
    for file in files(source, (".cc", ".h")):
        room = room_of(file, rooms)
        if not room:
            wrong.append(f"{file}: its folder is not in the table")
            continue
        text = read(source, file)
        part = "andes" if room in OF_ALL else "andes::" + file.split("/")[0]
        wrong += [f"{file}: namespace {name}; write {part}" for name in re.findall(r"^namespace (andes[\w:]*) \{", text, re.M)
                  if name != part and (part == "andes" or not name.startswith(part + "::")) and name != "andes::run_file"]
        for included in re.findall(r'^#\s*include "([^"]+)"', text, re.M):
            if os.path.exists(os.path.join(source, included)) and room_of(included, rooms) != room:
                other = room_of(included, rooms)
                uses[room].add(other)
                if other not in rooms[room][0]:
                    wrong.append(f"{file}: includes {included}, which {room} may not")
        for included in re.findall(r'^#\s*include [<"]([^>"]+)[>"]', text, re.M):
            found = [name for name, (headers, _) in LIBRARIES.items() if re.match(headers, included)]
            libraries[room].update(found)
            wrong += [f"{file}: {included}: {room} may not use {name}" for name in found if name not in rooms[room][1]]
            if "libc" in rooms[room][1] and not found and not included.startswith(PARTS) and "/" not in included:
                libraries[room].add("libc")
                if not FREESTANDING.fullmatch(included) and not included.endswith((".inc", ".def")):
                    wrong.append(f"{file}: {included}: {room} has libc alone")
    for file in files(source, "CMakeLists.txt"):
        room = room_of(file, rooms)
        for linked in re.findall(r"target_link_libraries\(([^)]*)\)", read(source, file)):
            for name, (_, target) in LIBRARIES.items():
                if name not in NOT_LINKED and re.search(target, linked) and room and name not in rooms[room][1]:
                    if not any(name in rooms[part][1] for part in rooms if part.startswith(room + "/")):
                        wrong.append(f"{file}: links {name}, which {room} may not")
    for room, (allowed, named) in rooms.items():
        wrong += [f"docs/design.md: {room} does not use {other}" for other in sorted(allowed - uses[room])]
        wrong += [f"docs/design.md: {room} does not use {name}" for name in sorted(named - libraries[room])]
    if way := circle(uses):
        wrong.append("a circle: " + " -> ".join(way))
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
