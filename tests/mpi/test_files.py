"""MPI-IO is a part of time of its own, with the bytes that the calls have read and written; files of before have it in
communication."""
import json
import sqlite3
import subprocess
import unittest

from support import build
from support.mpi import MpiTest, each_mpi

INTEGER = 4
PART = 1000
# Integers of a rank in each call.
WRITTEN = {"MPI_File_write_at": PART, "MPI_File_write_at_all": PART, "MPI_File_write_at_all_end": PART,
           "MPI_File_write": PART // 2, "MPI_File_write_all": PART // 4, "MPI_File_write_all_end": PART // 5,
           "MPI_File_iwrite_at": 10, "MPI_File_iwrite": 20, "MPI_File_write_shared": 30, "MPI_File_write_ordered": 40}
READ = {"MPI_File_read_at": PART + 100, "MPI_File_read_at_all": PART, "MPI_File_read_at_all_end": PART,
        "MPI_File_read": PART // 2, "MPI_File_read_all": PART // 4, "MPI_File_iread_at": 10, "MPI_File_iread": 20,
        "MPI_File_read_shared": 30, "MPI_File_read_ordered": 40}
RANKS = 2


class Files(MpiTest):
    maxDiff = None

    def measure(self, mpi):
        program = self.compile(mpi, "files.c")
        done = self.run_ranks(mpi, RANKS, [program, self.path(f"data-{mpi}")])
        self.assertEqual(done.stderr, "")
        return self.read()[0]

    def andes(self, *arguments):
        done = subprocess.run([build.ANDES, *arguments], capture_output=True, text=True, check=True)
        return done.stdout

    @each_mpi
    def test_bytes_are_those_of_the_calls(self, mpi):
        regions = self.measure(mpi)
        for metric, integers in (("bytes_written", WRITTEN), ("bytes_read", READ)):
            counted = {name: columns[metric] for name, columns in regions.items() if columns.get(metric, 0) != 0}
            self.assertEqual(counted, {name: RANKS * INTEGER * number for name, number in integers.items()})
        self.assertNotIn("bytes_sent", {metric for name, columns in regions.items() if name.startswith("MPI_File_")
                                        for metric, value in columns.items() if value != 0})

    @each_mpi
    def test_time_in_files_is_not_communication(self, mpi):
        regions = self.measure(mpi)
        shown = json.loads(self.andes("show", "--json", self.path("run.andes")))
        for rank in shown["ranks"]:
            parts = sum(rank[part] for part in ("compute_s", "communication_s", "idle_s", "io_s", "tool_s"))
            self.assertAlmostEqual(parts, rank["wall_s"], delta=1e-6)
            self.assertEqual(rank["bytes_written"], INTEGER * sum(WRITTEN.values()))
            self.assertEqual(rank["bytes_read"], INTEGER * sum(READ.values()))
        # Rank 1 sleeps before the collective open, where rank 0 waits for it.
        opened = next(path for path in shown["callpaths"] if path["path"][-1] == "MPI_File_open")
        self.assertGreater(opened["idle_s"], 0.28)
        self.assertLessEqual(opened["idle_s"], shown["ranks"][0]["idle_s"] + shown["ranks"][1]["idle_s"])
        in_files = sum(columns.get("exclusive_ns", 0) for name, columns in regions.items() if name.startswith("MPI_File_"))
        in_calls = sum(columns.get("exclusive_ns", 0) for name, columns in regions.items() if name.startswith("MPI_") and
                       not name.startswith("MPI_File_") and name != "MPI_Comm_rank")
        waited = sum(path["idle_s"] for path in shown["callpaths"] if path["path"][-1].startswith("MPI_File_"))
        self.assertAlmostEqual(sum(rank["io_s"] for rank in shown["ranks"]) + waited, in_files * 1e-9, delta=1e-6)
        self.assertAlmostEqual(sum(rank["communication_s"] + rank["idle_s"] for rank in shown["ranks"]) - waited,
                               in_calls * 1e-9, delta=1e-6)
        program = next(path for path in shown["callpaths"] if path["path"] == ["(program)"])
        self.assertAlmostEqual(program["io_s"] + waited, in_files * 1e-9, delta=1e-6)
        write = next(path for path in shown["callpaths"] if path["path"][-1] == "MPI_File_write_at")
        self.assertEqual((write["bytes_written"], write["bytes_read"], write["communication_s"]),
                         (RANKS * INTEGER * PART, 0, 0))
        self.assertAlmostEqual(write["io_bytes_per_s"] * write["io_s"], RANKS * INTEGER * PART, delta=1)
        self.assertIn("i/o s", self.andes("show", self.path("run.andes")))
        self.assertRegex(self.andes("report", self.path("run.andes")), r"ranks .* i/o")  # how large its part is nobody knows

    @each_mpi
    def test_files_of_before_have_it_in_communication(self, mpi):
        self.measure(mpi)
        now = json.loads(self.andes("report", "--json", self.path("run.andes")))
        database = sqlite3.connect(self.path("run.andes"))
        database.execute("UPDATE location SET communication_ns = communication_ns + io_ns")
        for column in ("io_ns", "bytes_read", "bytes_written"):
            database.execute(f"ALTER TABLE location DROP COLUMN {column}")
            (metric,), = database.execute("SELECT id FROM metric WHERE name = ?", (column,)).fetchall()
            for table in ("statistic", "value", "value_column", "step_statistic", "metric"):
                name = "id" if table == "metric" else "metric"
                database.execute(f"DELETE FROM {table} WHERE {name} = ?", (metric,))
        database.commit()
        database.close()
        shown = json.loads(self.andes("show", "--json", self.path("run.andes")))
        self.assertTrue(all("io_s" not in rank for rank in shown["ranks"] + shown["callpaths"]))
        before = json.loads(self.andes("report", "--json", self.path("run.andes")))
        # The efficiency of the transfer leaves files out in either case.
        self.assertAlmostEqual(before["points"][0]["efficiency_hierarchy"]["transfer"],
                               now["points"][0]["efficiency_hierarchy"]["transfer"], places=5)


if __name__ == "__main__":
    unittest.main()
