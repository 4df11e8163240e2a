"""Input and output of the program by the C library, with the setting posix_io: bytes and times that are known, and nothing
of what the monitor and MPI do themselves."""
import json
import subprocess
import unittest

from support import build
from support.mpi import MpiTest, each_mpi, launcher

RANKS = 2
# By name: visits and bytes of all ranks.
READ = {"read": (7, 100 + 2 * 100), "pread": (2, 2 * 400), "fread": (2, 2 * 200)}
WRITTEN = {"write": (6, 2 * 3000), "pwrite": (2, 2 * 500), "fwrite": (2, 2 * 200), "MPI_File_write_at": (2, 2 * 4000)}
OTHERS = {"open": 3, "close": 3, "fsync": 2, "fopen": 2, "fflush": 2, "fclose": 2, "MPI_File_open": 2, "MPI_File_close": 2}


class Posix(MpiTest):
    maxDiff = None

    def shown(self, mpi, *settings):
        program = self.compile(mpi, "posix.c")
        name = f"{mpi}{len(settings)}"
        done = subprocess.run([build.ANDES, "run", "-o", self.path("run.andes"), *settings, "--", *launcher(mpi), "-n",
                               str(RANKS), program, self.path("data-" + name)], capture_output=True, text=True,
                              timeout=600, cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        done = subprocess.run([build.ANDES, "show", "--flat", "--json", self.path("run.andes")], capture_output=True,
                              text=True, check=True)
        return json.loads(done.stdout)

    @each_mpi
    def test_bytes_and_times_are_known(self, mpi):
        shown = self.shown(mpi, "--set", "posix_io=on")
        rows = {row["name"]: row for row in shown["functions"] if row["kind"] == "io"}
        self.assertEqual({name: row["visits"] for name, row in rows.items()},
                         {name: visits for name, (visits, _) in {**READ, **WRITTEN}.items()} | OTHERS)
        for key, known in (("bytes_read", READ), ("bytes_written", WRITTEN)):
            self.assertEqual({name: row[key] for name, row in rows.items() if row[key]},
                             {name: size for name, (_, size) in known.items()})
        self.assertEqual(shown["ranks"][0]["bytes_read"], sum(size for _, size in READ.values()) / 2 + 50)
        self.assertEqual(shown["ranks"][1]["bytes_written"], sum(size for _, size in WRITTEN.values()) / 2)
        slow = next(row for row in shown["callpaths"] if row["path"] == ["main", "slow_read", "read"])
        self.assertGreater(slow["io_s"], 0.2)  # the writer sleeps 0.3 s once the file is open
        self.assertEqual(slow["bytes_read"], 100)
        self.assertEqual(slow["message_sizes"], [{"at_least": 64, "below": 128, "messages": 1}])
        for rank in shown["ranks"]:
            parts = sum(rank[part] for part in ("compute_s", "communication_s", "idle_s", "io_s", "tool_s"))
            self.assertAlmostEqual(parts, rank["wall_s"], delta=1e-6)
        files = {row["file"] for row in shown["files"] if row["io_s"] and row["bytes_read"]}
        self.assertEqual(files, {"(C library)"})

    @each_mpi
    def test_off_is_off(self, mpi):
        names = {row["name"] for row in self.shown(mpi)["functions"] if row["kind"] == "io"}
        self.assertEqual(names, {name for name in {**WRITTEN, **OTHERS} if name.startswith("MPI_")})


if __name__ == "__main__":
    unittest.main()
