"""Run files that somebody made to hurt whoever reads them: FILES maps names to functions that turn a valid run
file into one. Some are edits of its rows and its schema, some of its pages, of which SQLite's own checks see
little (https://sqlite.org/fileformat2.html), some no files at all."""

import json
import os
import sqlite3  # to damage run files; to read them: support/run_file.py
import struct

FILES = {}
# Hostile, but runs nevertheless: what they say is shown, harmlessly.
SHOWN = set()
PAGE = 4096


def hostile(make=None, *, shown=False):
    if make is None:
        return lambda function: hostile(function, shown=shown)
    name = make.__name__.replace("_", "-")
    FILES[name] = make
    if shown:
        SHOWN.add(name)
    return make


def sql(name, *statements, shown=False):
    """A file of these statements, in a schema that takes any value."""
    def make(path):
        change(path, *statements)
    make.__name__ = name
    hostile(make, shown=shown)


def change(path, *statements):
    database = sqlite3.connect(path)
    database.execute("PRAGMA writable_schema=ON")
    database.execute("UPDATE sqlite_schema SET sql = replace(sql, ' NOT NULL', '')")
    database.commit()
    database.close()
    database = sqlite3.connect(path)
    database.executescript(";".join(statements))
    database.commit()
    database.close()


def plain(path, table):
    """The table without keys: rows in any order, any number of times."""
    database = sqlite3.connect(path)
    names = [row[1] for row in database.execute("PRAGMA table_info(%s)" % table)]
    database.close()
    change(path, "ALTER TABLE {0} RENAME TO kept".format(table), "CREATE TABLE {0}({1})".format(table, ",".join(names)),
           "INSERT INTO {0} SELECT * FROM kept".format(table), "DROP TABLE kept")


# ---- rows ----------------------------------------------------------------------------------------

sql("cycle_of_two", "UPDATE callpath SET parent = 5 WHERE id = 4", "UPDATE callpath SET parent = 4 WHERE id = 5")
sql("own_parent", "UPDATE callpath SET parent = id WHERE id = 3")
sql("parent_of_the_root", "UPDATE callpath SET parent = 5 WHERE id = 0")
sql("parent_far_away", "UPDATE callpath SET parent = 9223372036854775807 WHERE id = 3")
sql("region_below_zero", "UPDATE callpath SET region = -9223372036854775808 WHERE id = 3")
sql("call_path_left_out", "DELETE FROM callpath WHERE id = 2")
sql("no_call_paths", "DELETE FROM callpath")
sql("sizes_of_no_call_path", "INSERT INTO message_size VALUES(99, 1, 64, 5)")
sql("sizes_that_overlap", "INSERT INTO message_size VALUES(3, 1, 64, 5), (3, 32, 128, 5)")
sql("sizes_below_themselves", "INSERT INTO message_size VALUES(3, 64, 1, 5)")
sql("sizes_without_end", "INSERT INTO message_size VALUES(3, 1, NULL, 5), (3, 64, 128, 5)")
sql("less_than_no_messages", "INSERT INTO message_size VALUES(3, 1, 64, -5)")
sql("sizes_of_anything", "INSERT INTO message_size VALUES(0, 7, 9, 0.5), (3, 1, 64, 1e308)", shown=True)
sql("no_locations", "DELETE FROM location")
sql("rank_below_zero", "UPDATE location SET rank = -1 WHERE id = 0")
sql("rank_beyond_all", "UPDATE location SET rank = 2147483647 WHERE id = 3")
sql("host_beyond_all", "UPDATE location SET host = 4294967296")
sql("two_main_threads", "UPDATE location SET rank = 0")
sql("negative_times", "UPDATE location SET wall_ns = -wall_ns, compute_ns = -compute_ns", shown=True)
sql("endless_time", "UPDATE fact SET value = 9e999 WHERE name = 'wall_ns'")
sql("no_time", "UPDATE fact SET value = NULL WHERE name = 'wall_ns'")
sql("time_below_zero", "UPDATE fact SET value = -1 WHERE name = 'wall_ns'")
sql("endless_sum", "UPDATE statistic SET sum = 9e999")
sql("no_number", "UPDATE statistic SET sum = 9e999 - 9e999")  # SQLite makes NULL of it
sql("huge_counts", "UPDATE statistic SET sum = 1e308, min = -1e308, max = 1e308, mean = 1e308, sd = 1e308", shown=True)
sql("negative_counts", "UPDATE statistic SET sum = -sum, min = -1, max = -1", shown=True)
sql("text_for_numbers", "UPDATE statistic SET sum = 'many'")
sql("blob_for_names", "UPDATE region SET name = zeroblob(1000000), file = zeroblob(1000000)", shown=True)
sql("numbers_for_names", "UPDATE region SET name = 1e308, kind = -1, file = 7", shown=True)
sql("names_of_nothing", "UPDATE region SET name = NULL, kind = NULL, file = NULL", shown=True)
sql("facts_of_wrong_types", "UPDATE fact SET value = x'00ff' WHERE name NOT IN ('wall_ns', 'ranks')")
sql("ranks_beyond_all", "UPDATE fact SET value = 9223372036854775807 WHERE name = 'ranks'")
sql("cores_beyond_all", "UPDATE fact SET value = 9223372036854775807 WHERE name = 'usable_cores'",
    "UPDATE host SET usable_cores = -9223372036854775808", shown=True)
sql("arguments_that_nest", "UPDATE fact SET value = replace(hex(zeroblob(200000)), '00', '[') WHERE name = 'arguments'",
    shown=True)
sql("counters_that_nest", "INSERT INTO fact VALUES('counters', replace(hex(zeroblob(500000)), '00', '['))")
sql("counters_are_no_list", "INSERT INTO fact VALUES('counters', '{\"a\": 1}')")
sql("missing_counters_are_numbers", "INSERT INTO fact VALUES('counters_missing', '[1, 2]')")
sql("long_names", "UPDATE region SET name = replace(hex(zeroblob(1000000)), '00', 'xy')", shown=True)
sql("long_names_of_control_characters", "UPDATE region SET name = replace(hex(zeroblob(1000000)), '00', char(27))", shown=True)
sql("long_program", "UPDATE fact SET value = replace(hex(zeroblob(2000000)), '00', char(27)) WHERE name IN ('program', 'mpi_library')",
    shown=True)
sql("escapes", "UPDATE region SET name = char(27) || ']0;x' || char(7) || char(27) || '[2J' || char(13, 10, 0x9b) || '31m' || char(0x202e)",
    "UPDATE fact SET value = char(27) || '[2J' || value WHERE typeof(value) = 'text'",
    "UPDATE host SET name = char(27) || 'c'", shown=True)
sql("markup", "UPDATE region SET name = '<script>alert(1)</script>', file = '\"><img src=x onerror=alert(1)>'", shown=True)
sql("waits_of_nothing", "UPDATE wait SET cause = 1000000")
sql("waits_below_zero", "UPDATE wait SET wait_ns = -1e300, events = -1e300, variance_ns2 = -1e300", shown=True)
sql("waits_for_nobody", "INSERT INTO wait_pair VALUES(0, 1000000, 1)")
sql("waits_of_nobody", "INSERT INTO wait_pair VALUES(-1, 0, 1)")
sql("waits_without_end", "INSERT INTO wait_pair VALUES(0, 1, 9e999)")
sql("waits_of_any_length", "INSERT OR REPLACE INTO wait_pair VALUES(1, 1, -9223372036854775808), (1, -1, 9223372036854775807)", shown=True)
sql("ending_elsewhere", "INSERT INTO ending VALUES(0, 'killed', 9, 1, 0, 1000000, NULL)")
sql("ending_of_no_rank", "INSERT INTO ending VALUES(2147483646, 'killed', 9, 1, 0, 0, NULL)", shown=True)
sql("gain_of_no_cause", "INSERT INTO gain VALUES(1000000, 3, 'earlier', 1e9, 1)")
sql("gain_without_number", "INSERT INTO gain VALUES(0, 3, 'earlier', 9e999, 1), (0, 3, char(27) || 'x', -1e300, 1e300)")
sql("origin_elsewhere", "INSERT INTO origin VALUES(2147483647, 1000000, -5, 1e300, 1e300, -1e300, -1)")
sql("origin_of_no_rank", "INSERT INTO origin VALUES(2147483646, 0, 0, -1e300, 9e999, -1e300, 1e300)")
sql("left_over_elsewhere", "INSERT INTO left_over VALUES('send', 1000000, -1, NULL, 2147483647, NULL, 1e300, 2147483647, NULL)")
sql("left_over_of_no_kind", "INSERT INTO left_over VALUES(char(27) || ']0;x', 0, 0, 0, 0, -2147483648, -1, -1, -1)")
sql("text_of_an_error", "INSERT INTO ending VALUES(0, 'error', 9, 1, 0, 0, char(27) || '[2J' || replace(hex(zeroblob(200000)), '00', 'x'))",
    shown=True)
sql("steps_without_phase", "INSERT INTO step VALUES(0, NULL, 3, 3, -9223372036854775808)", shown=True)
sql("cycle_of_steps", "INSERT INTO step VALUES(0, 1, 3, 3, 1), (1, 0, 3, 3, 2)")
sql("values_of_nobody", "INSERT INTO attached VALUES(0, NULL, 'x', 1000000, 1, 0, 1, 1, 1, 1)")
sql("values_without_number", "INSERT INTO attached VALUES(0, NULL, 'x', 0, 1, 0, 9e999, 1, 1, 1)")
sql("column_that_swells", "DELETE FROM value", "INSERT OR REPLACE INTO value_column VALUES(0, 1, 'd', zeroblob(2000000))", shown=True)
sql("metric_of_no_name", "UPDATE metric SET name = NULL", shown=True)

# ---- schemas -------------------------------------------------------------------------------------

sql("no_tables", "PRAGMA foreign_keys=OFF", *("DROP TABLE " + name for name in
    "environment value value_column message cause wait wait_pair gain origin left_over snapshot ending step step_statistic attached statistic metric callpath region location host fact".split()))
sql("no_statistics", "DROP TABLE statistic")
sql("no_waits", "DROP TABLE wait")
sql("no_pairs_that_waited", "DROP TABLE wait_pair", shown=True)
sql("no_step_statistics", "INSERT INTO step VALUES(0, NULL, 3, 3, 1)", "DROP TABLE step_statistic")
sql("view_for_a_table", "ALTER TABLE region RENAME TO kept", "CREATE VIEW region AS SELECT * FROM kept")
sql("endless_view", "DROP TABLE wait", "CREATE VIEW wait AS WITH RECURSIVE n(i) AS (VALUES(0) UNION ALL SELECT 0 FROM n)"
    " SELECT 0 cause, 3 callpath, 0 peer_callpath, 0 peer_rank, 0 origin_callpath, 0 origin_rank, 1 wait_ns, 1 events,"
    " 0 variance_ns2 FROM n")
sql("view_for_a_later_table", "DROP TABLE step", "CREATE VIEW step AS SELECT 0 id, NULL parent, 3 callpath, 3 region, 1 number",
    shown=True)
sql("triggers", "CREATE TRIGGER t AFTER INSERT ON fact BEGIN DELETE FROM callpath; END", shown=True)
sql("virtual_table", "DROP TABLE wait", "CREATE VIRTUAL TABLE wait USING fts5(cause, callpath, peer_callpath, peer_rank,"
    " origin_callpath, origin_rank, wait_ns, events, variance_ns2)", "INSERT INTO wait VALUES(0,3,0,0,0,0,1,1,0)")
sql("column_computed", "ALTER TABLE host DROP COLUMN cpu", "ALTER TABLE host ADD COLUMN cpu AS (hex(zeroblob(600000000)))")
sql("column_of_megabytes", "ALTER TABLE region DROP COLUMN file",
    "ALTER TABLE region ADD COLUMN file AS (hex(zeroblob(60000000)))")
sql("default_of_megabytes", "ALTER TABLE region DROP COLUMN file",
    "WITH RECURSIVE n(i) AS (VALUES(6) UNION ALL SELECT i + 1 FROM n WHERE i < 30000)"
    " INSERT INTO region(id, name, kind) SELECT i, 'f', 'function' FROM n",
    "ALTER TABLE region ADD COLUMN file DEFAULT '%s'" % ("x" * 500_000))


@hostile
def in_utf_16(path):
    database = sqlite3.connect(path)
    tables = [row[0] for row in database.execute("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL")]
    names = [row[0] for row in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
    rows = {name: database.execute("SELECT * FROM %s" % name).fetchall() for name in names}
    database.close()
    os.unlink(path)
    database = sqlite3.connect(path)
    database.executescript("PRAGMA encoding='UTF-16le';PRAGMA application_id=0x414e4453;PRAGMA user_version=3;" + ";".join(tables))
    for name, all_rows in rows.items():
        for row in all_rows:
            database.execute("INSERT INTO %s VALUES(%s)" % (name, ",".join("?" * len(row))), row)
    database.commit()
    database.close()


SHOWN.add("in-utf-16")


@hostile(shown=True)
def deep_tree(path):
    """Thirty thousand call paths, one below the other: as text; as a document they would be as many names squared."""
    count = 30_000
    change(path, "DELETE FROM callpath WHERE id > 1", "DELETE FROM statistic", "DELETE FROM value", "DELETE FROM wait",
           "WITH RECURSIVE n(i) AS (VALUES(2) UNION ALL SELECT i + 1 FROM n WHERE i < %d)"
           " INSERT INTO callpath SELECT i, i - 1, 1 FROM n" % count,
           "INSERT INTO statistic SELECT id, 1, 1e9, 1e9, 1e9, 1e9, 0, 0, 0 FROM callpath",
           "INSERT INTO statistic SELECT id, 0, 1, 1, 1, 1, 0, 0, 0 FROM callpath")


@hostile
def many_call_paths(path):
    """As many counters as there may be, for call paths of ten bytes each."""
    change(path, "DELETE FROM statistic WHERE callpath > 1", "DELETE FROM value", "DELETE FROM wait",
           "WITH RECURSIVE n(i) AS (VALUES(6) UNION ALL SELECT i + 1 FROM n WHERE i < 400000)"
           " INSERT INTO callpath SELECT i, 0, 1 FROM n",
           "INSERT INTO fact VALUES('counters', '%s')" % json.dumps(["e%d" % i for i in range(64)]))


@hostile(shown=True)
def many_threads(path):
    """Counters again, for threads."""
    change(path, "DELETE FROM location WHERE rank > 0", "UPDATE fact SET value = 1 WHERE name = 'ranks'",
           "WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n WHERE i < 20000)"
           " INSERT INTO location SELECT i, 0, i, 0, 1, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0 FROM n",
           "DELETE FROM value WHERE location > 0", "INSERT INTO fact VALUES('counters', '%s')" % json.dumps(["e%d" % i for i in range(64)]))


@hostile
def rows_that_multiply(path):
    """All calls of MPI-IO with all regions of one number."""
    plain(path, "region")
    change(path, "UPDATE region SET kind = 'function'",
           "WITH RECURSIVE n(i) AS (VALUES(6) UNION ALL SELECT i + 1 FROM n WHERE i < 30000)"
           " INSERT INTO region SELECT 1, 'f', 'function', '', 0 FROM n",
           "WITH RECURSIVE n(i) AS (VALUES(6) UNION ALL SELECT i + 1 FROM n WHERE i < 30000)"
           " INSERT INTO callpath SELECT i, 0, 1 FROM n")


# ---- pages ---------------------------------------------------------------------------------------


class Pages:
    """A run file as pages, with new ones at the end; written when it closes."""

    def __init__(self, path):
        self.path = path
        with open(path, "rb") as file:
            self.bytes = bytearray(file.read())
        assert struct.unpack_from(">H", self.bytes, 16)[0] == PAGE

    def root(self, table):
        database = sqlite3.connect("file:%s?mode=ro&immutable=1" % self.path, uri=True)
        (number,) = database.execute("SELECT rootpage FROM sqlite_schema WHERE name = ?", (table,)).fetchone()
        database.close()
        return number

    def page(self, number):
        return bytes(self.bytes[(number - 1) * PAGE:number * PAGE])

    def put(self, number, page):
        self.bytes[(number - 1) * PAGE:number * PAGE] = page.ljust(PAGE, b"\0")

    def add(self, page):
        self.bytes += page.ljust(PAGE, b"\0")
        return len(self.bytes) // PAGE

    def close(self):
        struct.pack_into(">I", self.bytes, 28, len(self.bytes) // PAGE)
        with open(self.path, "wb") as file:
            file.write(self.bytes)


def interior(child, children=100, before=b""):
    """A page of a table's tree that has the same page below it many times. `before`: the file's header."""
    header = struct.pack(">BHHHBI", 5, 0, children, PAGE - 5 * children, 0, child)
    cells = b"".join(struct.pack(">IB", child, children - i) for i in range(children))
    pointers = b"".join(struct.pack(">H", PAGE - 5 * (i + 1)) for i in range(children))
    page = before + header + pointers
    return page + bytes(PAGE - len(page) - len(cells)) + cells


def endless(table, *rows, shown=False):
    """The rows of the table, 100 to the power of ten times."""
    def make(path):
        plain(path, table)
        change(path, *rows)
        pages = Pages(path)
        root = pages.root(table)
        child = pages.add(pages.page(root))
        for _ in range(9):
            child = pages.add(interior(child))
        pages.put(root, interior(child))
        pages.close()
    make.__name__ = "endless_" + table
    hostile(make, shown=shown)


endless("fact")
endless("metric")
endless("statistic", "DELETE FROM statistic WHERE callpath > 0")
endless("value", shown=True)
endless("wait")
endless("gain", "INSERT INTO gain VALUES(0, 3, 'earlier', 1e6, 1)")
endless("origin", "INSERT INTO origin VALUES(0, 3, 0, 1, 1, 1, NULL)")
endless("left_over", "INSERT INTO left_over VALUES('send', 0, 0, NULL, 1, 5, 1, NULL, NULL)")
endless("region")
endless("location")
endless("callpath")
endless("attached", "INSERT INTO attached VALUES(0, NULL, 'x', 0, 1, 0, 1, 1, 1, 1)")
endless("ending", "INSERT INTO ending VALUES(0, 'killed', 9, 1, 0, 0, NULL)")
endless("step", "INSERT INTO step VALUES(0, NULL, 3, 3, 1)")
endless("step_statistic", "INSERT INTO step VALUES(0, NULL, 3, 3, 1)", "INSERT INTO step_statistic VALUES(0, 1, 1, 1, 1, 1, 0, 0, 0)")


@hostile
def endless_schema(path):
    change(path, "CREATE TABLE more(a UNIQUE)")
    pages = Pages(path)
    # A row of the schema that SQLite passes over: an index without text, of no table.
    values = b"index" b"more" b"more"
    record = bytes([6, 13 + 2 * 5, 13 + 2 * 4, 13 + 2 * 4, 1, 0]) + values + bytes([2])
    cell = bytes([len(record), 1]) + record
    leaf = struct.pack(">BHHHB", 13, 0, 1, PAGE - len(cell), 0) + struct.pack(">H", PAGE - len(cell))
    leaf += bytes(PAGE - len(leaf) - len(cell)) + cell
    child = pages.add(leaf)
    for _ in range(9):
        child = pages.add(interior(child))
    pages.put(1, interior(child, before=pages.page(1)[:100]))
    pages.close()


def shared_pages(table, columns, big):
    """Eight rows, each with a text of 250 MB that is one page behind itself again and again."""
    def make(path):
        plain(path, table)
        pages = Pages(path)
        number = len(pages.bytes) // PAGE + 1
        pages.add(struct.pack(">I", number) + b"\x1b" * (PAGE - 4))
        body = 250_000_000
        varint = lambda n: bytes((n >> 7 * k & 127) | (128 if k else 0) for k in range(4, -1, -1)) if n > 127 else bytes([n])
        types = b"".join(varint(13 + 2 * body) if i == big else bytes([8]) for i in range(columns))
        record = bytes([len(types) + 1]) + types
        size = len(record) + body
        least = (PAGE - 12) * 32 // 255 - 23
        local = least + (size - least) % (PAGE - 4)
        local = least if local > PAGE - 35 else local
        page_end, pointers, cells = PAGE, b"", b""
        for row in range(8):
            cell = varint(size) + bytes([row + 1]) + (record + b"\x1b" * PAGE)[:local] + struct.pack(">I", number)
            if page_end - len(cell) < 8 + 2 * (row + 1):
                break
            page_end -= len(cell)
            cells = cell + cells
            pointers += struct.pack(">H", page_end)
        leaf = struct.pack(">BHHHB", 13, 0, len(pointers) // 2, page_end, 0) + pointers
        pages.put(pages.root(table), leaf + bytes(PAGE - len(leaf) - len(cells)) + cells)
        pages.close()
    make.__name__ = "shared_pages_of_" + table
    hostile(make)


shared_pages("fact", 2, 1)
shared_pages("region", 5, 1)
shared_pages("metric", 4, 1)
shared_pages("host", 5, 1)


@hostile
def page_that_is_its_own_child(path):
    plain(path, "wait")
    pages = Pages(path)
    root = pages.root("wait")
    pages.put(root, interior(root))
    pages.close()


@hostile
def pages_of_random_bytes(path):
    import random
    random.seed(7)
    pages = Pages(path)
    for number in range(2, len(pages.bytes) // PAGE + 1):
        pages.put(number, random.randbytes(PAGE))
    pages.close()


@hostile
def pages_of_zeros(path):
    pages = Pages(path)
    for number in range(2, len(pages.bytes) // PAGE + 1):
        pages.put(number, b"")
    pages.close()


def header(name, at, new, shown=False):
    def make(path):
        with open(path, "r+b") as file:
            file.seek(at)
            file.write(new)
    make.__name__ = name
    hostile(make, shown=shown)


header("page_size_of_nothing", 16, b"\0\0")
header("page_size_of_one", 16, b"\0\3")
header("reserved_bytes_beyond_all", 20, b"\xff")
header("text_encoding_unknown", 56, b"\0\0\0\x63")
header("pages_beyond_all", 28, b"\xff\xff\xff\xff")
header("format_of_tomorrow", 60, b"\0\0\0\4")
header("format_of_yesterday", 60, b"\0\0\0\1")
header("application_of_others", 68, b"\0\0\0\1")
header("write_ahead_logged", 18, b"\2\2", shown=True)

# ---- beside it, and instead of it ------------------------------------------------------------------


@hostile(shown=True)
def logs_beside(path):
    """Logs and journals that SQLite would play into the file."""
    for ending in ("-wal", "-shm", "-journal"):
        with open(path + ending, "wb") as file:
            file.write(bytes.fromhex("377f0682") + b"\0\x2d\xe2\x18\0\0\x10\0" + b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7" + b"x" * 100000)
    header_of_wal = open(path, "r+b")
    header_of_wal.seek(18)
    header_of_wal.write(b"\2\2")
    header_of_wal.close()


@hostile
def fifo(path):
    os.unlink(path)
    os.mkfifo(path)


@hostile
def directory(path):
    os.unlink(path)
    os.mkdir(path)


@hostile
def link_to_itself(path):
    os.unlink(path)
    os.symlink(os.path.basename(path), path)


@hostile
def link_to_nothing(path):
    os.unlink(path)
    os.symlink("nothing-there", path)


@hostile
def link_to_a_device(path):
    os.unlink(path)
    os.symlink("/dev/zero", path)


@hostile
def empty(path):
    os.truncate(path, 0)


@hostile
def header_alone(path):
    os.truncate(path, 100)


@hostile
def cut_in_the_middle(path):
    os.truncate(path, os.path.getsize(path) // 2)


@hostile
def terabyte_of_nothing(path):
    os.truncate(path, 0)
    os.truncate(path, 1 << 40)


@hostile(shown=True)
def terabyte_behind(path):
    os.truncate(path, 1 << 40)


@hostile(shown=True)
def terabyte_claimed(path):
    os.truncate(path, 1 << 40)
    with open(path, "r+b") as file:
        file.seek(28)
        file.write(struct.pack(">I", (1 << 40) // PAGE))
