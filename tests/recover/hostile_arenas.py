"""Directories of arenas that somebody made to hurt whoever reads them: CASES maps names to functions that change a valid
one, of two ranks. Where the monitor's fields lie, the program arena_fields says; each of them is given numbers that
lie, the rest is made by hand."""

import glob
import os
import shutil
import struct

CASES = {}
LIES = (0, 1, 0x7F, 0x7FFFFFFF, 0xFFFFFFFE, 2**63 - 1, 2**64 - 1)
FORMATS = {1: "B", 2: "H", 4: "I", 8: "Q"}
ESCAPES = b"\x1b]0;x\x07\x1b[2J\r\n\xc2\x9b31m\xe2\x80\xae\xff<script>"


def hostile(make):
    CASES[make.__name__.replace("_", "-")] = make
    return make


class Image:
    """An arena as bytes, and what the addresses in it lead to."""

    def __init__(self, directory, fields, rank=0):
        self.fields = fields
        self.path = sorted(glob.glob(os.path.join(directory, "*.arena")))[rank]
        with open(self.path, "rb") as file:
            self.bytes = bytearray(file.read())
        at, _ = fields["ArenaHeader.stretches"]
        count, = struct.unpack_from("<I", self.bytes, fields["ArenaHeader.stretch_count"][0])
        self.stretches = [struct.unpack_from("<3Q", self.bytes, at + 24 * i) for i in range(count)]

    def offset(self, address):
        """Of an address, in the file; None: it is not there."""
        for begin, size, offset in self.stretches:
            if offset and begin <= address < begin + size:
                return offset + address - begin
        return None

    def begin(self, structure):
        """Of the structure, in the file: of the header, of the process, of the main thread and what it points to."""
        if structure == "ArenaHeader":
            return 0
        if structure == "Process":
            return self.offset(self.number("ArenaHeader.process_address"))
        if structure == "Location":
            return self.offset(self.number("Process.locations", width=8))
        if structure == "Region":  # the first of the program's own
            return self.offset(self.number("Process.registry.regions")) + 6 * self.fields["Region"][1]
        return self.offset(self.number("Location.tree.hot") + sum(self.fields["andes_node"]))  # the one below the root

    def place(self, name):
        offset, width = self.fields[name]
        return self.begin(name.split(".")[0]) + offset, width

    def number(self, name, width=0):
        at, whole = self.place(name)
        return struct.unpack_from("<" + FORMATS[width or whole], self.bytes, at)[0]

    def put(self, name, number):
        """In the field, or in each of its words."""
        at, width = self.place(name)
        for word in range(at, at + width, min(width, 8)):
            step = min(width, 8, at + width - word)
            if step in FORMATS:
                struct.pack_into("<" + FORMATS[step], self.bytes, word, number % 2 ** (8 * step))

    def put_text(self, name, text):
        at, width = self.place(name)
        self.bytes[at:at + width] = text[:width].ljust(width, b"\0")

    def keep(self):
        with open(self.path, "wb") as file:
            file.write(self.bytes)


def lies_of(fields):
    """Names of cases, each of one field and one number."""
    for name, (_, width) in fields.items():
        if "." not in name:
            continue
        for lie in sorted({lie % 2 ** (8 * min(width, 8)) for lie in LIES}):
            yield "%s=%d" % (name, lie), name, lie


def other_files(directory, make):
    for number in range(3):
        make(os.path.join(directory, "x-%d.arena" % number))


@hostile
def fifo_of_room(directory, fields):
    os.unlink(os.path.join(directory, "room"))
    os.mkfifo(os.path.join(directory, "room"))


@hostile
def link_of_room(directory, fields):
    os.unlink(os.path.join(directory, "room"))
    os.symlink("/dev/zero", os.path.join(directory, "room"))


@hostile
def fifos(directory, fields):
    other_files(directory, os.mkfifo)


@hostile
def links(directory, fields):
    other_files(directory, lambda path: os.symlink("/dev/zero", path))


@hostile
def links_in_a_circle(directory, fields):
    other_files(directory, lambda path: os.symlink(path, path))


@hostile
def directories(directory, fields):
    other_files(directory, os.mkdir)


@hostile
def names_that_terminals_obey(directory, fields):
    for name in (ESCAPES.replace(b"\0", b""), b"a\nb", "\u202egnp".encode()):
        with open(os.path.join(os.fsencode(directory), name.replace(b"/", b"") + b".arena"), "wb") as file:
            file.write(b"x" * 1000)


@hostile
def thousands_of_files(directory, fields):
    for number in range(3000):
        with open(os.path.join(directory, "x-%d.arena" % number), "wb"):
            pass


@hostile
def empty(directory, fields):
    image = Image(directory, fields)
    del image.bytes[:]
    image.keep()


@hostile
def cut_off(directory, fields):
    image = Image(directory, fields)
    del image.bytes[len(image.bytes) // 2:]
    image.keep()


@hostile
def cut_in_its_table(directory, fields):
    image = Image(directory, fields)
    del image.bytes[fields["ArenaHeader.stretches"][0] + 30:]
    image.keep()


@hostile
def terabyte_of_holes(directory, fields):
    with open(os.path.join(directory, "x.arena"), "wb") as file:
        file.truncate(1 << 40)


@hostile
def terabyte_behind_it(directory, fields):
    os.truncate(Image(directory, fields).path, 1 << 40)


@hostile
def terabyte_in_its_table(directory, fields):
    image = Image(directory, fields)
    address, _, offset = image.stretches[-1]
    at = fields["ArenaHeader.stretches"][0] + 24 * (len(image.stretches) - 1)
    struct.pack_into("<3Q", image.bytes, at, address, 1 << 39, offset)
    image.keep()
    os.truncate(image.path, 1 << 40)


@hostile
def stretches_that_overlap(directory, fields):
    image = Image(directory, fields)
    first = image.stretches[0]
    struct.pack_into("<3Q", image.bytes, fields["ArenaHeader.stretches"][0] + 24, first[0] + 4096, *first[1:])
    image.keep()


@hostile
def all_one_world(directory, fields):
    """Forty that claim to be rank 0 of the same."""
    image = Image(directory, fields)
    for number in range(40):
        shutil.copy(image.path, os.path.join(directory, "x-%d.arena" % number))


@hostile
def millions_of_ranks(directory, fields):
    image = Image(directory, fields)
    image.put("Process.mpi.size", (1 << 24) - 1)
    image.keep()


@hostile
def thousands_of_ranks(directory, fields):
    for rank in range(2):
        image = Image(directory, fields, rank)
        image.put("Process.mpi.size", 4000)
        image.keep()


@hostile
def pid_of_another_program(directory, fields):
    image = Image(directory, fields)
    image.put("ArenaHeader.pid", os.getpid())
    image.keep()


@hostile
def pid_of_another_program_that_lives(directory, fields):
    """Whose start it claims, too."""
    image = Image(directory, fields)
    image.put("ArenaHeader.pid", os.getpid())
    with open("/proc/self/stat", encoding="ascii") as file:
        image.put("ArenaHeader.pid_start", int(file.read().rsplit(")", 1)[1].split()[19]))
    image.keep()


@hostile
def texts_that_terminals_obey(directory, fields):
    image = Image(directory, fields)
    for name in ("ArenaHeader.host", "Process.mpi.library"):
        image.put_text(name, ESCAPES * 5)
    for name in ("Region.name", "Region.file"):
        at = image.offset(image.number(name))
        image.bytes[at:at + 4] = b"\x1b[2\xff"
    at = image.offset(image.number("ArenaHeader.executable.text"))
    size = image.number("ArenaHeader.executable.bytes")
    image.bytes[at:at + size] = (ESCAPES.replace(b"/", b"") * size)[:size]
    image.keep()


@hostile
def output_elsewhere(directory, fields):
    """A name for the run file that is not one's own to write."""
    image = Image(directory, fields)
    at = image.offset(image.number("Process.settings.out"))
    image.bytes[at:at + 12] = b"/proc/x/a.a\0"
    image.keep()
